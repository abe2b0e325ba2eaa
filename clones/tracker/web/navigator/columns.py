"""The columns of a list of issues: which there are, which are shown, and by what they sort."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from clones.tracker.domain import people
from clones.tracker.domain.site_columns import site_columns
from clones.tracker.models import CustomField, Filter
from clones.tracker.queries.fields import all_fields
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.field_catalogue import custom_type, system_fields
from clones.tracker.rules.field_kinds.kinds import kind_of
from clones.tracker.rules.jql.catalogue import custom_types
from clones.tracker.rules.jql.catalogue import system_fields as searched_fields
from clones.tracker.web.navigator.basic import first_sort
from clones.tracker.web.shell import words

# What lists have no way to show yet.
_NOT_SHOWN: Final = frozenset(
    {
        *("aggregatetimespent", "aggregatetimeoriginalestimate", "aggregatetimeestimate"),
        *("aggregateprogress", "progress", "workratio", "issuerestriction", "thumbnail"),
    }
)
_KINDS_NOT_SHOWN: Final = frozenset(
    {"sla", "request_type", "participants", "organizations", "approvals", "unknown"}
)
Owner = Literal["filter", "mine", "site"]
# What queries call fields where the id is not the name.
_SORTS: Final = {
    "issuekey": "key",
    "duedate": "due",
    "versions": "affectedVersion",
    "fixVersions": "fixVersion",
    "resolutiondate": "resolved",
    "components": "component",
    "timeestimate": "remainingEstimate",
    "timeoriginalestimate": "originalEstimate",
    "watches": "watchers",
    "security": "level",
}


@dataclass(frozen=True, slots=True)
class IssueColumn:
    """A column: its id and heading, what queries sort it by ("": nothing), a custom field's row."""

    id: str
    label: str
    sort: str = ""
    custom: CustomField | None = None

    @property
    def kind(self) -> str:
        """The family of a custom field's values, "" of a system field."""
        return "" if self.custom is None else kind_of(self.custom.type).name


def all_columns(rights: Rights) -> dict[str, IssueColumn]:
    """Return the columns that somebody can choose, by id, in the words of the site."""
    said = words()
    renamed = {"issuetype": said.type.capitalize(), "project": said.space.capitalize()}
    found: dict[str, IssueColumn] = {}
    for field in system_fields().values():
        if field.is_column and field.id not in _NOT_SHOWN:
            label = renamed.get(field.id, field.name)
            found[field.id] = IssueColumn(field.id, label, _sort_of(field.id))
    for custom in all_fields(rights):
        if kind_of(custom.type).name in _KINDS_NOT_SHOWN:
            continue
        known = custom_types().get(custom.type)
        orderable = known is not None and known.type.orderable
        sort = f"cf[{custom.id}]" if orderable else ""
        found[custom.key] = IssueColumn(custom.key, custom.name, sort, custom)
    return found


def _sort_of(id: str) -> str:
    name = _SORTS.get(id, id)
    known = searched_fields().get(name.lower())
    return name if known is not None and known.type.orderable else ""


def shown_columns(
    known: dict[str, IssueColumn], saved: Filter | None, rights: Rights, *, mine: bool = False
) -> tuple[list[IssueColumn], Owner]:
    """Return the columns of a list, and whose choice they are.

    Args:
        known: the columns that there are.
        saved: the filter whose results are listed.
        rights: of the one who looks.
        mine: whether their own columns go before the filter's.
    """
    if saved is not None and saved.columns and not mine:
        return _named(saved.columns, known), "filter"
    chosen = None if rights.user is None else people.columns(rights.user)
    if chosen:
        return _named(chosen, known), "mine"
    return _named(site_columns(), known), "site"


def _named(ids: Iterable[str], known: dict[str, IssueColumn]) -> list[IssueColumn]:
    return [known[id] for id in ids if id in known] or [known["issuekey"], known["summary"]]


def type_label(column: IssueColumn) -> str:
    """Return what the type of a custom field is called, "" of a system field."""
    return "" if column.custom is None else custom_type(column.custom.type).label


@dataclass(frozen=True, slots=True)
class SortableHead:
    """The head of a column: where a press on it leads ("": nowhere), and how it sorts now."""

    column: IssueColumn
    href: str
    sorts: str = "none"


def column_heads(
    columns: Sequence[IssueColumn], jql: str, link: Callable[[str, str], str] | None
) -> list[SortableHead]:
    """Return the heads of a list whose order a query gives; a press on its column turns it round.

    Args:
        columns: what the list shows.
        jql: the query, which may name the column that it sorts by in either of its names.
        link: the address of the list sorted by a field, `asc` or `desc`; None where the query
            cannot be run: no head leads anywhere.
    """
    sort = None if link is None else first_sort(jql)
    current = sort.field.name.lower() if sort is not None else ""
    is_down = sort is not None and sort.direction == "desc"
    heads = []
    for column in columns:
        sorts = "none"
        if column.sort and current in {column.sort.lower(), column.label.lower()} - {""}:
            sorts = "descending" if is_down else "ascending"
        way = "desc" if sorts == "ascending" else "asc"
        href = link(column.sort, way) if link and column.sort else ""
        heads.append(SortableHead(column, href, sorts))
    return heads
