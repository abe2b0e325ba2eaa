"""What somebody asks of a board or a backlog by its controls: search, filters, grouping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, QueryDict

from clones.tracker.models import Board, QuickFilter, User
from clones.tracker.queries.board_issues import joined
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import read_search
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.boards.works import Above, Shown, Work
from clones.tracker.web.shell import hue, initials

UNASSIGNED: Final = "unassigned"
NO_EPIC: Final = "none"
GROUPS: Final = {"none": "None", "assignee": "Assignee", "parent": "Epic"}
# What a page is asked for once, and not again by the links on it.
_ONCE: Final = ("create", "edit", "selectedIssue")


@dataclass(frozen=True, slots=True)
class Asked:
    """The state of the controls; `query` is what addresses of the page carry on of it."""

    text: str
    assignees: frozenset[str]
    quick: frozenset[int]
    epic: str
    group: str
    create: str
    edit: str
    query: str

    @property
    def narrows(self) -> bool:
        """Whether it leaves anything out."""
        return bool(self.text or self.assignees or self.quick or self.epic)


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to filter by: `chosen` says whether it is on."""

    value: str
    name: str
    chosen: bool
    initials: str = ""
    hue: int = 0


def asked_of(request: HttpRequest, board: Board) -> Asked:
    """Read the controls' state out of an address."""
    given = request.GET
    group = given.get("group", "")
    kept = given.copy()
    for name in _ONCE:
        kept.pop(name, None)
    return Asked(
        text=given.get("search", "").strip(),
        assignees=frozenset(given.getlist("assignee")),
        quick=frozenset(int(text) for text in given.getlist("quickFilter") if text.isdecimal()),
        epic=given.get("epic", ""),
        group=group
        if group in GROUPS
        else board.swimlanes
        if board.swimlanes in GROUPS
        else "none",
        create=given.get("create", ""),
        edit=given.get("edit", ""),
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
    works: list[Work], shown: Shown, asked: Asked, quick: list[QuickFilter], rights: Rights
) -> list[Work]:
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
    queries = [row.jql for row in quick if row.id in asked.quick]
    if queries and works:
        works = _found_by(queries, works, rights)
    return works


def _key_of(epic: Above | None) -> str:
    return NO_EPIC if epic is None else epic.key


def _found_by(queries: list[str], works: list[Work], rights: Rights) -> list[Work]:
    try:
        search = read_search(joined(queries), rights)
    except JqlError:
        return works
    rows = search.found.filter(id__in=[work.id for work in works])
    found = set(rows.values_list("id", flat=True))
    return [work for work in works if work.id in found]


def people_to_filter_by(shown: Shown, asked: Asked) -> list[Choice]:
    """Return those who have issues here, and nobody at their end."""
    found = [_person(user, asked) for user in shown.assignees.values()]
    chosen = UNASSIGNED in asked.assignees
    return [*found, Choice(UNASSIGNED, "Unassigned", chosen, "?", 7)]


def _person(user: User, asked: Asked) -> Choice:
    chosen = user.account_id in asked.assignees
    name = user.display_name
    return Choice(user.account_id, name, chosen, initials(name), hue(user.id))


def epics_to_filter_by(shown: Shown, asked: Asked) -> list[Choice]:
    """Return the epics of the issues here, by rank, and none at their end."""
    epics = {epic.id: epic for work in shown.works if (epic := shown.epic_of(work)) is not None}
    found = [
        Choice(epic.key, epic.name, epic.key == asked.epic)
        for epic in sorted(epics.values(), key=lambda epic: (epic.rank, epic.id))
    ]
    return [*found, Choice(NO_EPIC, "No epic", asked.epic == NO_EPIC)] if found else []
