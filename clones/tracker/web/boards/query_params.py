"""What somebody asks of a board or a backlog by its controls: search, filters, grouping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, QueryDict

from clones.core.digits import is_digits
from clones.tracker.models import Board, QuickFilter, User
from clones.tracker.queries.board_issues import joined
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import read_search
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.boards.issue_cards import Above, CardExtras, CardIssue
from clones.tracker.web.shell import hue, initials

UNASSIGNED: Final = "unassigned"
NO_EPIC: Final = "none"
NO_VERSION: Final = "none"
GROUPS: Final = {
    "none": "None",
    "assignee": "Assignee",
    "parent": "Epic",
    "project": "Space",
    "query": "Queries",
}
# What a page is asked for once, and not again by the links on it.
_ONCE: Final = ("create", "edit", "estimate", "selectedIssue")
PANELS: Final = ("epics", "versions")


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """The state of the controls; `query` is what addresses of the page carry on of it.

    `edit` and `estimate` are keys of issues in whose place a form stands, `selected` of the one
    that is shown in a dialog; `panels` are open beside a backlog, `parts` says whether sub-tasks
    are shown in it.
    """

    text: str
    assignees: frozenset[str]
    quick: frozenset[int]
    epic: str
    kind: str
    label: str
    version: str
    group: str
    create: str
    edit: str
    estimate: str
    selected: str
    panels: frozenset[str]
    parts: bool
    query: str

    @property
    def narrows(self) -> bool:
        """Whether it leaves anything out."""
        chosen = (self.epic, self.kind, self.label, self.version)
        return bool(self.text or self.assignees or self.quick or any(chosen))

    def with_query(self, **changes: str) -> str:
        """Return the query with other values; an empty one leaves a part out."""
        given = QueryDict(self.query.removeprefix("?"), mutable=True)
        for name, value in changes.items():
            given[name] = value
        return _written(given)

    def with_panel(self, panel: str) -> str:
        """Return the query with a panel opened that is closed, or closed that is open."""
        given = QueryDict(self.query.removeprefix("?"), mutable=True)
        given.setlist("panel", sorted(self.panels ^ {panel}))
        return _written(given)


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """Something to filter by: `chosen` says whether it is on."""

    value: str
    name: str
    chosen: bool
    initials: str = ""
    hue: int = 0


def read_board_query(request: HttpRequest, board: Board) -> BoardQuery:
    """Read the controls' state out of an address."""
    given = request.GET
    group = given.get("group", "")
    kept = given.copy()
    for name in _ONCE:
        kept.pop(name, None)
    return BoardQuery(
        text=given.get("search", "").strip(),
        assignees=frozenset(given.getlist("assignee")),
        quick=frozenset(int(text) for text in given.getlist("quickFilter") if is_digits(text)),
        epic=given.get("epic", ""),
        kind=given.get("type", ""),
        label=given.get("label", ""),
        version=given.get("version", ""),
        group=group
        if group in GROUPS
        else board.swimlanes
        if board.swimlanes in GROUPS
        else "none",
        create=given.get("create", ""),
        edit=given.get("edit", ""),
        estimate=given.get("estimate", ""),
        selected=given.get("selectedIssue", ""),
        panels=frozenset(given.getlist("panel")) & frozenset(PANELS),
        parts=given.get("subtasks") == "1",
        query=_written(kept),
    )


def _written(kept: QueryDict) -> str:
    for name in list(kept):
        values = [value for value in kept.getlist(name) if value]
        if values:
            kept.setlist(name, values)
        else:
            del kept[name]
    text = kept.urlencode()
    return f"?{text}" if text else ""


def quick_filters_of(board: Board) -> list[QuickFilter]:
    """Return the quick filters of a board in their order."""
    return list(board.quick_filters.order_by("position", "id"))


def narrowed(
    works: list[CardIssue],
    shown: CardExtras,
    asked: BoardQuery,
    quick: list[QuickFilter],
    rights: Rights,
) -> list[CardIssue]:
    """Return those issues that the controls let through, in their order.

    Quick filters that are on count together, and one that is no query any more lets all through.
    """
    if asked.text:
        wanted = asked.text.casefold()
        works = [
            work
            for work in works
            if wanted in work.summary.casefold() or wanted in work.key.casefold()
        ]
    if asked.assignees:
        people = {
            key for key, user in shown.assignees.items() if user.account_id in asked.assignees
        }
        nobody = UNASSIGNED in asked.assignees
        works = [
            work for work in works if work.assignee in people or (nobody and work.assignee is None)
        ]
    if asked.epic:
        works = [work for work in works if _key_of(shown.epic_of(work)) == asked.epic]
    if asked.kind:
        works = [work for work in works if str(work.type) == asked.kind]
    if asked.label:
        works = [work for work in works if asked.label in shown.labels.get(work.id, ())]
    if asked.version:
        works = [work for work in works if asked.version in _versions(shown, work)]
    queries = [row.jql for row in quick if row.id in asked.quick]
    if queries and works:
        works = _found_by(queries, works, rights)
    return works


def _versions(shown: CardExtras, work: CardIssue) -> set[str]:
    """Return what addresses call the versions that an issue is to be in; `none` of none."""
    return {str(id) for id, _ in shown.versions.get(work.id, ())} or {NO_VERSION}


def _key_of(epic: Above | None) -> str:
    return NO_EPIC if epic is None else epic.key


def _found_by(queries: list[str], works: list[CardIssue], rights: Rights) -> list[CardIssue]:
    try:
        search = read_search(joined(queries), rights)
    except JqlError:
        return works
    rows = search.found.filter(id__in=[work.id for work in works])
    found = set(rows.values_list("id", flat=True))
    return [work for work in works if work.id in found]


def people_to_filter_by(shown: CardExtras, asked: BoardQuery) -> list[FilterChoice]:
    """Return those who have issues here, and nobody at their end."""
    found = [_person(user, asked) for user in shown.assignees.values()]
    chosen = UNASSIGNED in asked.assignees
    return [*found, FilterChoice(UNASSIGNED, "Unassigned", chosen, "?", 7)]


def _person(user: User, asked: BoardQuery) -> FilterChoice:
    chosen = user.account_id in asked.assignees
    name = user.display_name
    return FilterChoice(user.account_id, name, chosen, initials(name), hue(user.id))


def epics_to_filter_by(shown: CardExtras, asked: BoardQuery) -> list[FilterChoice]:
    """Return the epics of the issues here, by rank, and none at their end."""
    epics = {epic.id: epic for work in shown.works if (epic := shown.epic_of(work)) is not None}
    found = [
        FilterChoice(epic.key, epic.name, epic.key == asked.epic)
        for epic in sorted(epics.values(), key=lambda epic: (epic.rank, epic.id))
    ]
    return [*found, FilterChoice(NO_EPIC, "No epic", asked.epic == NO_EPIC)] if found else []


def types_to_filter_by(shown: CardExtras, asked: BoardQuery) -> list[FilterChoice]:
    """Return the types of the issues here."""
    return [
        FilterChoice(str(kind.id), kind.name, str(kind.id) == asked.kind)
        for kind in shown.types.values()
    ]


def labels_to_filter_by(shown: CardExtras, asked: BoardQuery) -> list[FilterChoice]:
    """Return the labels of the issues here, by name."""
    found = sorted({label for labels in shown.labels.values() for label in labels})
    return [FilterChoice(label, label, label == asked.label) for label in found]


def versions_to_filter_by(shown: CardExtras, asked: BoardQuery) -> list[FilterChoice]:
    """Return the versions that issues here are to be in, by name, and none at their end."""
    found = {id: name for versions in shown.versions.values() for id, name in versions}
    if not found:
        return []
    ordered = sorted(found.items(), key=lambda pair: (pair[1].casefold(), pair[0]))
    named = [(str(id), name) for id, name in ordered]
    return [
        FilterChoice(value, name, value == asked.version)
        for value, name in [*named, (NO_VERSION, "No version")]
    ]
