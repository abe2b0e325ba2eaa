"""What texts of a run can name beside its issue: from a job's payload to records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from clones.tracker.models import (
    ChangeItem,
    Comment,
    IssueLink,
    Sprint,
    Version,
    Worklog,
)
from clones.tracker.queries import automation_values as values
from clones.tracker.queries.automation_values.issues import WITH
from clones.tracker.rules.automation.smart import SmartRecord


def names_of(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what texts can name, of what a job was told.

    `told` has ids under comment, worklog, version, sprint, link and changes (with `fields`, the
    names of those that count), and under other names what it is.
    """
    found: dict[str, Any] = {}
    for name, given in told.items():
        reader = _READERS.get(name)
        if reader is None:
            found[name] = given
        elif given is not None:
            found |= reader(given)
    return found


def _comment(id: int) -> dict[str, Any]:
    row = Comment.objects.select_related("author", "update_author").filter(id=id).first()
    return {} if row is None else {"comment": values.comment_of(row)}


def _worklog(id: int) -> dict[str, Any]:
    row = Worklog.objects.select_related("author").filter(id=id).first()
    return {} if row is None else {"worklog": values.worklog_of(row)}


def _version(id: int) -> dict[str, Any]:
    row = Version.objects.select_related("project__lead").filter(id=id).first()
    return {} if row is None else {"version": values.version_of(row)}


def _sprint(id: int) -> dict[str, Any]:
    row = Sprint.objects.filter(id=id).first()
    return {} if row is None else {"sprint": values.sprint_of(row)}


def _link(id: int) -> dict[str, Any]:
    ends = [f"{end}__{name}" for end in ("source", "destination") for name in WITH]
    row = IssueLink.objects.select_related("type", *ends).filter(id=id).first()
    if row is None:
        return {}
    kind = values.named(row.type, inward=row.type.inward, outward=row.type.outward)
    return {
        "issueLink": values.link_of(row, row.source),
        "linkedIssue": values.IssueThing(row.destination),
        "destinationIssue": values.IssueThing(row.destination),
        "linkType": kind,
    }


class FieldChange(SmartRecord):
    """A field that changed: `{{fieldChange.fromString}}`."""

    def __init__(self, item: ChangeItem) -> None:
        self.item = item

    @property
    def shown(self) -> str:
        """What it changed to."""
        return self.item.new_string or ""

    def part(self, name: str) -> Any:
        """Return what it was and is, by id and in words."""
        item = self.item
        return {
            "field": item.field,
            "fieldid": item.field_id,
            "fieldtype": item.field_type,
            "from": item.old if item.old is not None else item.old_string,
            "fromstring": item.old_string,
            "to": item.new if item.new is not None else item.new_string,
            "tostring": item.new_string,
        }.get(name.lower())


def _changes(told: Mapping[str, Any]) -> dict[str, Any]:
    rows = ChangeItem.objects.filter(group=told["group"]).order_by("position")
    items = [FieldChange(row) for row in rows]
    wanted = told.get("fields")
    chosen = [one for one in items if wanted is None or one.item.field_id in wanted]
    by_field: dict[str, Any] = {}
    for one in items:
        by_field[one.item.field] = one
        by_field[one.item.field_id] = one
    first = chosen[0] if chosen else None
    return {"fieldChange": first, "fieldChanges": chosen, "changelog": by_field}


_READERS: Final[dict[str, Callable[[Any], dict[str, Any]]]] = {
    "comment": _comment,
    "worklog": _worklog,
    "version": _version,
    "sprint": _sprint,
    "link": _link,
    "changes": _changes,
}
