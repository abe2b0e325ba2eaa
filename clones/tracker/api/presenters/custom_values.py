"""Custom fields of issues as the platform shows them, by the kind of the field.

Kinds that other rooms keep (SLAs, request types, participants) are shown by those: they register
with `shows_kind` a function that reads and shows all issues of an answer at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import group_ref, project_ref, user_ref, version_ref
from clones.tracker.models import FieldOption, FieldValue, Issue, Sprint
from clones.tracker.queries.issue_rows import IssueRows
from clones.tracker.queries.shown_fields import ShownField

Json = dict[str, Any]
# Shows a field of many issues at once: JSON by the issue's id; what is left out is null.
Loader = Callable[[Sequence[Issue], ShownField, Show], Mapping[int, Any]]
_loaders: dict[str, Loader] = {}


def shows_kind(name: str) -> Callable[[Loader], Loader]:
    """Register what shows the fields of a kind (`rules.field_kinds`): sla, request_type..."""

    def register(loader: Loader) -> Loader:
        _loaders[name] = loader
        return loader

    return register


class CustomValues:
    """Shows the custom fields of the issues of one answer."""

    def __init__(self, rows: IssueRows, show: Show) -> None:
        self.rows = rows
        self.show = show
        self._loaded: dict[int, Mapping[int, Any]] = {}

    def value(self, field: ShownField, issue: Issue) -> Any:
        """Return what an issue's field holds, None where it is empty."""
        kind = field.kind.name
        if kind in _loaders:
            if not self._requests:
                return None
            if field.number not in self._loaded:
                self._loaded[field.number] = _loaders[kind](self._requests, field, self.show)
            return self._loaded[field.number].get(issue.id)
        if kind in _ELSEWHERE:
            return _ELSEWHERE[kind](self, issue)
        kept = self.rows.values.get(issue.id, {}).get(field.number)
        if not kept or kind not in _ONE:
            return None
        found = [value for row in kept if (value := _ONE[kind](self, row)) is not None]
        if field.kind.several:
            return found or None
        return found[0] if found else None

    @cached_property
    def _requests(self) -> list[Issue]:
        """The issues of service desks: no others have what desks keep."""
        named = self.rows.named
        return [one for one in self.rows.issues if named(one, "project").type == "service_desk"]

    def number(self, row: FieldValue) -> float | None:
        """Return a number."""
        return row.number

    def option(self, row: FieldValue) -> Json | None:
        """Return an option."""
        return option_ref(row.option, self.show)

    def cascade(self, row: FieldValue) -> Json | None:
        """Return an option of a tree: the one above, with what was chosen below it."""
        option = row.option
        if option is None or option.parent is None:
            return option_ref(option, self.show)
        found = option_ref(option.parent, self.show) or {}
        return found | {"child": option_ref(option, self.show)}

    def version(self, row: FieldValue) -> Json | None:
        """Return a version."""
        return version_ref(self.rows.others[1].get(row.other or 0), self.show)

    def project(self, row: FieldValue) -> Json | None:
        """Return a space."""
        return project_ref(self.rows.others[0].get(row.other or 0), self.show)

    def sprints(self, issue: Issue) -> list[Json] | None:
        """Return the sprints that an issue is and was in, None without any."""
        return [sprint_ref(one) for one in self.rows.sprints[issue.id]] or None

    def epic_link(self, issue: Issue) -> str | None:
        """Return the key of the epic that an issue belongs to."""
        parent = self.rows.parents.get(issue.parent_id or 0)
        if parent is None or parent.issue_type.hierarchy_level < 1:
            return None
        return parent.key


def option_ref(option: FieldOption | None, show: Show) -> Json | None:
    """Return an option as issues show it."""
    if option is None:
        return None
    return {
        "self": show.url(f"customFieldOption/{option.id}"),
        "value": option.value,
        "id": str(option.id),
    }


def sprint_ref(sprint: Sprint) -> Json:
    """Return a sprint as issues show it; its times are UTC."""
    found: Json = {
        "id": sprint.id,
        "name": sprint.name,
        "state": sprint.state,
        "boardId": sprint.board_id,
        "goal": sprint.goal,
    }
    times = (
        ("startDate", sprint.start_date),
        ("endDate", sprint.end_date),
        ("completeDate", sprint.complete_date),
    )
    for name, at in times:
        if at is not None:
            found[name] = f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"
    return found


_ONE: Final[Mapping[str, Callable[[CustomValues, FieldValue], Any]]] = {
    "text": lambda at, row: row.text,
    "url": lambda at, row: row.text,
    "readonly": lambda at, row: row.text,
    "labels": lambda at, row: row.text,
    "rich": lambda at, row: at.show.rich(row.document),
    "number": CustomValues.number,
    "day": lambda at, row: at.show.day(row.day),
    "moment": lambda at, row: at.show.when(row.moment),
    "option": CustomValues.option,
    "options": CustomValues.option,
    "cascade": CustomValues.cascade,
    "user": lambda at, row: user_ref(row.user, at.show),
    "users": lambda at, row: user_ref(row.user, at.show),
    "group": lambda at, row: group_ref(row.group, at.show),
    "groups": lambda at, row: group_ref(row.group, at.show),
    "version": CustomValues.version,
    "versions": CustomValues.version,
    "project": CustomValues.project,
}
_ELSEWHERE: Final[Mapping[str, Callable[[CustomValues, Issue], Any]]] = {
    "sprint": CustomValues.sprints,
    "epic_link": CustomValues.epic_link,
    "epic_name": lambda at, issue: at.rows.epic_names.get(issue.id) or None,
    "rank": lambda at, issue: issue.rank,
}
