"""How a board's settings make its cards look: lanes by query, colours, further fields.

Each is a fixed number of statements for any number of cards, and none where nothing is set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from clones.tracker.models import Board, Issue
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import matching_ids
from clones.tracker.rules.board_settings import (
    COLOURS,
    CardColours,
    QueryLane,
    card_colours,
    card_fields,
    lanes_of,
)
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.navigator.cells import Cells
from clones.tracker.web.navigator.columns import all_columns

if TYPE_CHECKING:
    from clones.tracker.web.boards.issue_cards import CardIssue


class CardStyle:
    """How the cards of some issues look in one place: board or backlog."""

    def __init__(
        self, works: Sequence[CardIssue], board: Board, rights: Rights, place: str
    ) -> None:
        self._works = works
        self._board = board
        self._rights = rights
        self._place = place

    @property
    def lanes(self) -> Sequence[QueryLane]:
        """The board's swimlanes by query."""
        return lanes_of(self._board.settings)

    @cached_property
    def lane_by_work(self) -> Mapping[int, int]:
        """The first lane whose query finds an issue, by the issue's id."""
        found: dict[int, int] = {}
        for lane in self.lanes:
            for key in self._found_by(lane.jql):
                found.setdefault(key, lane.id)
        return found

    def colour(self, work: CardIssue) -> str:
        """Return the name of an issue's colour, "" for none."""
        kept = self._colours
        match kept.by:
            case "issuetype":
                found = kept.colours.get(f"issuetype-{work.type}", "")
            case "priority":
                found = kept.colours.get(f"priority-{work.priority}", "")
            case "assignee":
                found = kept.colours.get(f"assignee-{work.assignee}", "")
            case "custom":
                found = self._colour_by_work.get(work.id, "")
            case _:
                found = ""
        return found if found in COLOURS else ""

    @cached_property
    def _colours(self) -> CardColours:
        return card_colours(self._board.settings)

    @cached_property
    def _colour_by_work(self) -> Mapping[int, str]:
        found: dict[int, str] = {}
        for query in self._colours.queries:
            for key in self._found_by(query.jql):
                found.setdefault(key, query.colour)
        return found

    @cached_property
    def further(self) -> Mapping[int, Sequence[tuple[str, str]]]:
        """What cards show further: the names of fields and their values, by the issue's id."""
        wanted = card_fields(self._board.settings, self._place)
        if not wanted or not self._works:
            return {}
        known = all_columns(self._rights)
        columns = [known[key] for key in wanted if key in known]
        issues = Issue.objects.filter(id__in=[work.id for work in self._works]).order_by("id")
        rows = list(issues)
        cells = Cells(rows, self._rights)
        return {
            issue.id: [
                (column.label, cell.text)
                for column, cell in zip(columns, cells.row(issue, columns), strict=True)
                if cell.text
            ]
            for issue in rows
        }

    def _found_by(self, jql: str) -> set[int]:
        if not self._works:
            return set()
        try:
            return matching_ids(jql, self._rights, [work.id for work in self._works])
        except JqlError:
            # It was a query when it was saved: what it names may have gone.
            return set()
