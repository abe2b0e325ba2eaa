"""The grid of a board: heads of columns, lanes across them, cells with cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.utils.safestring import SafeString

from clones.tracker.models import BoardColumn
from clones.tracker.web.boards.cards import NOTHING, epic_tag
from clones.tracker.web.boards.issue_cards import CardExtras, CardIssue

Drawing = Callable[[CardIssue], SafeString]


@dataclass(slots=True)
class ColumnHead:
    """The head of a column: `count` of what is shown, `total` of what its limits count."""

    column: BoardColumn
    statuses: list[int]
    count: int = 0
    total: int = 0

    @property
    def key(self) -> str:
        """What addresses call the column."""
        return str(self.column.id)

    @property
    def state(self) -> str:
        """Whether the column has more or less than it should: over, under or nothing."""
        most, least = self.column.maximum, self.column.minimum
        if most is not None and self.total > most:
            return "over"
        return "under" if least is not None and self.total < least else ""


@dataclass(slots=True)
class Swimlane:
    """A lane across the columns: its name, and the cards in each column."""

    key: str
    name: str
    cells: list[LaneCell]
    tag: SafeString = NOTHING
    count: int = 0


@dataclass(slots=True)
class LaneCell:
    """What stands in a column, in one lane."""

    head: ColumnHead
    cards: list[SafeString] = field(default_factory=list)


def lanes_of(
    works: Sequence[CardIssue],
    heads: Sequence[ColumnHead],
    shown: CardExtras,
    group: str,
    draw: Drawing,
) -> list[Swimlane]:
    """Return the lanes, that of nobody or of no epic at the end; one without a name for all.

    Args:
        works: the issues that are shown, in their order.
        heads: of the columns; what is shown is counted in them.
        shown: what is shown of the issues.
        group: none, assignee, parent, project or query.
        draw: makes the card of an issue.
    """
    lanes = _empty_lanes(works, heads, shown, group)
    rest = Swimlane("", _rest_name(group), [LaneCell(head) for head in heads])
    places = {status: at for at, head in enumerate(heads) for status in head.statuses}
    for work in works:
        lane = lanes.get(_lane_of(work, shown, group), rest)
        at = places[work.status]
        lane.cells[at].cards.append(draw(work))
        lane.count += 1
        heads[at].count += 1
    found = [*lanes.values()]
    return [*found, rest] if rest.count or not found else found


def _empty_lanes(
    works: Sequence[CardIssue], heads: Sequence[ColumnHead], shown: CardExtras, group: str
) -> dict[int, Swimlane]:
    if group == "assignee":
        present = {work.assignee for work in works}
        users = [user for user in shown.assignees.values() if user.id in present]
        return {
            user.id: Swimlane(
                user.account_id, user.display_name, [LaneCell(head) for head in heads]
            )
            for user in users
        }
    if group == "parent":
        epics = {epic.id: epic for work in works if (epic := shown.epic_of(work)) is not None}
        return {
            epic.id: Swimlane(
                epic.key, epic.name, [LaneCell(head) for head in heads], epic_tag(epic)
            )
            for epic in sorted(epics.values(), key=lambda epic: (epic.rank, epic.id))
        }
    if group == "project":
        return {
            space.id: Swimlane(space.key, space.name, [LaneCell(head) for head in heads])
            for space in shown.spaces.values()
        }
    if group == "query":
        return {
            lane.id: Swimlane(str(lane.id), lane.name, [LaneCell(head) for head in heads])
            for lane in shown.looks.lanes
        }
    return {}


def _lane_of(work: CardIssue, shown: CardExtras, group: str) -> int:
    if group == "assignee":
        return work.assignee or 0
    if group == "parent":
        epic = shown.epic_of(work)
        return 0 if epic is None else epic.id
    if group == "project":
        return work.project
    if group == "query":
        return shown.looks.lane_by_work.get(work.id, 0)
    return 0


def _rest_name(group: str) -> str:
    rest = "Everything else"
    return {"assignee": "Unassigned", "parent": rest, "query": rest}.get(group, "")
