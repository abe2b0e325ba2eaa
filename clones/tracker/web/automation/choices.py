"""What people choose from in the forms of components; each list is read when a form asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from clones.tracker.models import (
    CustomField,
    Group,
    IssueLinkType,
    IssueType,
    Project,
    ProjectRole,
    SlaMetric,
    Status,
    User,
)
from clones.tracker.rules.automation.catalogue import Input
from clones.tracker.rules.field_catalogue import system_fields

Options = Sequence[tuple[str, str]]
PEOPLE: Final = 500
# Fields whose values rules neither read nor set.
_UNUSED: Final = frozenset(
    {"progress", "aggregateprogress", "issuerestriction", "lastViewed", "votes", "watches"}
)


def options_of(one: Input, project: Project | None) -> Options:
    """Return the values and words from which a control is chosen."""
    if one.options:
        return one.options
    reader = _READERS.get(one.of)
    return () if reader is None else reader(project)


def with_held(options: Options, held: Any) -> Options:
    """Return options with those values that are set but not among them."""
    known = {value for value, _ in options}
    values = held if isinstance(held, list) else [held]
    others = [(text, text.partition(":")[2] or text) for text in values if text not in known]
    return [*options, *((value, label) for value, label in others if value)]


def field_options(project: Project | None) -> Options:
    """Return the fields by their ids, by name."""
    found = [
        (field.id, field.name)
        for field in system_fields().values()
        if field.id not in _UNUSED and not field.id.startswith("aggregate")
    ]
    rows = CustomField.objects.filter(trashed_at=None).order_by("name", "id")
    own = None if project is None else project.id
    found += [(row.key, row.name) for row in rows if row.project_id in (None, own)]
    return sorted(found, key=lambda pair: (pair[1].casefold(), pair[0]))


def _fields(project: Project | None) -> Options:
    return [(f"ID:{id}", name) for id, name in field_options(project)]


def _statuses(project: Project | None) -> Options:
    rows = Status.objects.order_by("name", "id")
    if project is not None:
        scheme = project.workflow_scheme
        flows = {scheme.default_workflow_id, *scheme.items.values_list("workflow_id", flat=True)}
        rows = rows.filter(workflows__workflow__in=flows).distinct()
    return [(f"ID:{row.id}", row.name) for row in rows]


def _types(_: Project | None) -> Options:
    return [(f"ID:{row.id}", row.name) for row in IssueType.objects.order_by("name", "id")]


def _groups(_: Project | None) -> Options:
    return [(f"ID:{row.uuid}", row.name) for row in Group.objects.order_by("name", "id")]


def _roles(_: Project | None) -> Options:
    return [(f"ID:{row.id}", row.name) for row in ProjectRole.objects.order_by("name", "id")]


def _users(_: Project | None) -> Options:
    rows = User.objects.filter(active=True, account_type="atlassian")
    found = rows.order_by("display_name", "id").values_list("account_id", "display_name")
    return [(f"ID:{account}", name) for account, name in found[:PEOPLE]]


def _links(_: Project | None) -> Options:
    return [(f"ID:{value}", words) for value, words in _words(None)]


def _words(_: Project | None) -> Options:
    found: list[tuple[str, str]] = []
    for row in IssueLinkType.objects.order_by("name", "id"):
        found.append((f"outward:{row.id}", row.outward))
        if row.inward != row.outward:
            found.append((f"inward:{row.id}", row.inward))
    return found


def _slas(project: Project | None) -> Options:
    rows = SlaMetric.objects.select_related("desk__project").order_by("name", "id")
    if project is not None:
        rows = rows.filter(desk__project=project)
    return [(f"ID:{row.id}", f"{row.name} ({row.desk.project.key})") for row in rows]


_READERS: Final[dict[str, Callable[[Project | None], Options]]] = {
    "fields": _fields,
    "statuses": _statuses,
    "types": _types,
    "groups": _groups,
    "roles": _roles,
    "users": _users,
    "link_types": _links,
    "link_words": _words,
    "slas": _slas,
}
