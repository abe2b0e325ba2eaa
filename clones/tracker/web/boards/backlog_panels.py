"""What stands beside a backlog: the epics and the versions that its work belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.domain.administration import runs_project
from clones.tracker.models import Board, EpicLook, Issue, IssueType, Project, Version
from clones.tracker.queries.boards import projects_of
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights, visible_issues
from clones.tracker.web.boards.board_page import space_of
from clones.tracker.web.boards.issue_cards import CardExtras, CardIssue
from clones.tracker.web.boards.query_params import NO_EPIC, NO_VERSION, BoardQuery

SHOWN: Final = 100  # epics, or versions


@dataclass(slots=True)
class PanelItem:
    """An epic or a version: where a press on it leads, and sums of its work that is here."""

    key: str
    name: str
    query: str
    chosen: bool
    colour: str = ""
    works: list[CardIssue] = field(default_factory=list)
    done: int = 0
    estimate: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel: `drop` is what a script sends of an item on which rows are dropped."""

    name: str
    label: str
    items: list[PanelItem]
    drop: str
    creates: bool
    close: str


def panels_of(board: Board, shown: CardExtras, asked: BoardQuery, rights: Rights) -> list[Panel]:
    """Return the panels that are open, epics first."""
    spaces = projects_of(board) or ([board.project] if board.project is not None else [])
    found = []
    if "epics" in asked.panels:
        found.append(_epics(board, spaces, shown, asked, rights))
    if "versions" in asked.panels:
        found.append(_versions(board, spaces, shown, asked, rights))
    return found


def open_epics(spaces: Iterable[Project], rights: Rights) -> list[tuple[Issue, EpicLook | None]]:
    """Return the epics of spaces that are not done, by rank, with how boards show them."""
    rows = visible_issues(rights).filter(
        project__in=[one.id for one in spaces], issue_type__hierarchy_level=1
    )
    epics = list(rows.exclude(status__category="done").order_by("rank", "id")[:SHOWN])
    looks = EpicLook.objects.in_bulk([one.id for one in epics])
    return [
        (epic, looks.get(epic.id))
        for epic in epics
        if epic.id not in looks or not looks[epic.id].done
    ]


def open_versions(spaces: Iterable[Project]) -> list[Version]:
    """Return the versions of spaces that are neither released nor archived, in their order."""
    ids = [one.id for one in spaces]
    rows = Version.objects.filter(project__in=ids, released=False, archived=False)
    return list(rows.order_by("project__name", "position", "id")[:SHOWN])


def epic_type(space: Project | None) -> IssueType | None:
    """Return the type of the epics of a space, None where there is none."""
    kinds = [] if space is None else types_of(space)
    return next((kind for kind in kinds if kind.hierarchy_level == 1), None)


def _epics(
    board: Board, spaces: Iterable[Project], shown: CardExtras, asked: BoardQuery, rights: Rights
) -> Panel:
    items = {
        epic.key: PanelItem(
            epic.key,
            (look.name if look is not None else "") or epic.summary,
            *_press(asked, "epic", epic.key),
            colour=_colour(look),
        )
        for epic, look in open_epics(spaces, rights)
    }
    rest = PanelItem(NO_EPIC, "No epic", *_press(asked, "epic", NO_EPIC))
    for work in shown.works:
        epic = shown.epic_of(work)
        item = rest if epic is None else items.get(epic.key)
        if item is not None and shown.types[work.type].hierarchy_level == 0:
            item.works.append(work)
    space = space_of(board)
    creates = space is not None and rights.may("CREATE_ISSUES", space)
    return Panel(
        "epics", "Epics", _summed([*items.values(), rest], shown), "epic", creates,
        asked.with_panel("epics"),
    )  # fmt: skip


def _versions(
    board: Board, spaces: Iterable[Project], shown: CardExtras, asked: BoardQuery, rights: Rights
) -> Panel:
    items = {
        one.id: PanelItem(str(one.id), one.name, *_press(asked, "version", str(one.id)))
        for one in open_versions(spaces)
    }
    rest = PanelItem(NO_VERSION, "No version", *_press(asked, "version", NO_VERSION))
    for work in shown.works:
        if shown.types[work.type].hierarchy_level != 0:
            continue
        mine = shown.versions.get(work.id, ())
        for id, _ in mine:
            if id in items:
                items[id].works.append(work)
        if not mine:
            rest.works.append(work)
    space = space_of(board)
    creates = space is not None and runs_project(rights, space)
    return Panel(
        "versions", "Versions", _summed([*items.values(), rest], shown), "version", creates,
        asked.with_panel("versions"),
    )  # fmt: skip


def _press(asked: BoardQuery, name: str, value: str) -> tuple[str, bool]:
    """Return where a press on an item leads, and whether it is chosen now."""
    chosen = getattr(asked, name) == value
    return asked.with_query(**{name: "" if chosen else value}) or "?", chosen


def _summed(items: list[PanelItem], shown: CardExtras) -> list[PanelItem]:
    for item in items:
        item.done = sum(shown.statuses[one.status].category == "done" for one in item.works)
        total = sum(shown.numbers.get(one.id, 0) for one in item.works)
        item.estimate = shown.written(total) if total else ""
    return items


def _colour(look: EpicLook | None) -> str:
    number = "" if look is None else look.color.removeprefix("color_")
    return number if is_digits(number) else "1"


def panel_context(
    board: Board, shown: CardExtras, asked: BoardQuery, rights: Rights
) -> dict[str, Any]:
    """Return what the template of a backlog needs of its panels."""
    return {
        "panels": panels_of(board, shown, asked, rights),
        "toggles": [
            (label, asked.with_panel(name) or "?", name in asked.panels)
            for name, label in (("epics", "Epic panel"), ("versions", "Version panel"))
        ],
    }
