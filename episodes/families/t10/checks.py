"""What counts as done: new work items stand where they should, and filters show the right ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock
from clones.tracker.models import Board, BoardColumn, Issue, QuickFilter, Status, User
from clones.tracker.queries.board_issues import on_board
from clones.tracker.queries.boards import columns_of, statuses_of
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.jql import JqlError
from episodes.checks import Check, Phase, Verdict, same_text, verdict
from episodes.families.t02.reading import belongs, rows_for, skill
from episodes.families.t10.probing import enter_probes
from episodes.rewards import Charge, Evidence
from episodes.tasks.configuration import removed_records
from episodes.tasks.footprint import RowWrite
from episodes.tasks.spec import Facts, Scene, Stage

NOWHERE: Final = ""
QUICK: Final = "tracker_quickfilter"


def request_read(scene: Scene) -> Verdict:
    """Whether the request was opened."""
    key = str(scene.facts["request"])
    seen = [
        each
        for each in scene.seen
        if (each.table, each.key, each.kind) == ("tracker_issue", key, "detail")
    ]
    return verdict(bool(seen), Evidence(sightings=tuple(each.sighting for each in seen[:1])))


def _evidence(scene: Scene, *tables: str) -> Evidence:
    writes: list[RowWrite] = [write for write in scene.writes if write.table.name in tables]
    return Evidence(journal=tuple(write.seq for write in writes))


def columns_are_there(scene: Scene) -> Verdict:
    """How many columns have their name and their limits in their place; none are too many."""
    rows = list(BoardColumn.objects.filter(board=scene.facts["board"]).order_by("position", "id"))
    wanted = scene.facts["columns"]
    counted = Board.objects.filter(id=scene.facts["board"]).exclude(constraint_type="none").exists()
    right = [
        same_text(row.name, column["name"])
        and (row.minimum, row.maximum) == (column["minimum"], column["maximum"])
        for row, column in zip(rows, wanted, strict=False)
    ]
    share = sum(right) / max(len(rows), len(wanted))
    return Verdict(share if counted else 0.0, _evidence(scene, "tracker_boardcolumn"))


def probes_stand_right(scene: Scene) -> Verdict:
    """How many new work items stand in the column that their status belongs to."""
    evidence = _evidence(scene, "tracker_boardcolumn", "tracker_boardcolumnstatus")
    return Verdict(scene.shown_by_probes["standing"], evidence)


def filters_are_there(scene: Scene) -> Verdict:
    """Whether there are quick filters of both names, and those that were there."""
    names, kept = _names(scene.facts)
    wanted = [quick["name"] for quick in scene.facts["quick"]]
    found = [any(same_text(name, one) for name in names) for one in wanted]
    right = sum(found) / len(found) if kept else 0.0
    return Verdict(right, _evidence(scene, QUICK))


def _names(facts: Facts) -> tuple[list[str], bool]:
    rows = list(QuickFilter.objects.filter(board=facts["board"]).order_by("position", "id"))
    keys = {row.id for row in rows}
    return [row.name for row in rows], set(facts["kept"]) <= keys


def filters_find(scene: Scene) -> Verdict:
    """How well the worse of both filters tells new work items apart."""
    return Verdict(scene.shown_by_probes["filters"], _evidence(scene, QUICK))


def lanes_are_set(scene: Scene) -> Verdict:
    """Whether the board is grouped as it was asked for."""
    board = Board.objects.filter(id=scene.facts["board"]).first()
    right = board is not None and board.swimlanes == scene.facts["lanes"]
    return verdict(right, _evidence(scene, "tracker_board"))


def probe(facts: Facts, stage: Stage) -> Mapping[str, Any]:
    """Make work items; return where they stand on the board and which filters show them."""
    board = Board.objects.select_related("filter", "project").filter(id=facts["board"]).first()
    asker = User.objects.get(id=facts["asker"])
    if board is None:
        return {"standing": 0.0, "filters": 0.0, "wrong": []}
    known = set(rows_for(Rights(asker)))
    enter_probes(facts, stage, Rights(asker))
    viewer = Rights(asker)
    rows = {key: row for key, row in rows_for(viewer).items() if key not in known}
    wrong = _misplaced(facts, board, viewer, list(rows))
    # A board that was never touched shows some of them where they belong: that is worth nothing.
    before = {"Backlog", "Work", "Over"} == {row.name for row in columns_of(board)}
    now = clock.now()
    skills = [_skill(facts, quick, board, viewer, rows) for quick in facts["quick"]]
    return {
        "standing": 0.0 if before else 1.0 - len(wrong) / max(len(rows), 1),
        "filters": min(skills),
        "wrong": sorted(wrong),
        "at": now.isoformat(),
    }


def _misplaced(facts: Facts, board: Board, viewer: Rights, keys: list[int]) -> list[int]:
    """Return the work items that stand in another column than they should, or on none."""
    named = {row.id: row.name for row in Status.objects.all()}
    wanted = {
        status: column["name"] for column in facts["columns"] for status in column["statuses"]
    }
    there = {status: row.name for row in columns_of(board) for status in statuses_of(row)}
    shown = set(on_board(board, viewer).found.filter(pk__in=keys).values_list("pk", flat=True))
    wrong = []
    for issue in Issue.objects.filter(id__in=keys).select_related("project").order_by("id"):
        inside = issue.project.key == facts["space"]
        should = wanted.get(named[issue.status_id], NOWHERE) if inside else NOWHERE
        stands = there.get(issue.status_id, NOWHERE) if issue.id in shown else NOWHERE
        if not same_text(stands, should):
            wrong.append(issue.id)
    return wrong


def _skill(
    facts: Facts,
    quick: Mapping[str, Any],
    board: Board,
    viewer: Rights,
    rows: Mapping[int, Mapping[str, Any]],
) -> float:
    """Return how well a quick filter tells work items apart, of those that the board shows."""
    named = [
        row for row in QuickFilter.objects.filter(board=board).order_by("position", "id")
        if same_text(row.name, quick["name"]) and row.id not in facts["kept"]
    ]  # fmt: skip
    if not named:
        return 0.0
    within = set(rows)
    everything = set(on_board(board, viewer).found.values_list("pk", flat=True)) & within
    try:
        found = set(on_board(board, viewer, named[0].jql).found.values_list("pk", flat=True))
    except JqlError:
        return 0.0
    now, zone = clock.now(), viewer.zone
    return skill(
        (belongs(quick["conditions"], rows[key], now, zone), key in found)
        for key in sorted(everything)
    )


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return what the step is charged for: removing quick filters or boards that others use."""
    return (*removed_records(scene, QUICK), *removed_records(scene, "tracker_board"))


PHASES: Final = (
    Phase(
        "looked",
        0.05,
        (Check("the request was read", "means", request_read, "goal", at_start=False),),
        kind="means",
    ),
    Phase(
        "columns",
        0.45,
        (
            Check(
                "columns and limits are as asked", "end", columns_are_there, "policy:request",
                at_start=False,
            ),
            Check(
                "new work items stand where they belong", "end", probes_stand_right,
                "policy:request", at_start=False, weight=2.0,
            ),
        ),
        probes=True,
    ),
    Phase(
        "filters",
        0.35,
        (
            Check(
                "the quick filters are there", "end", filters_are_there, "policy:request",
                at_start=False,
            ),
            Check(
                "the quick filters show what they should", "end", filters_find, "policy:request",
                at_start=False, weight=2.0,
            ),
        ),
        probes=True,
    ),
    Phase(
        "lanes",
        0.15,
        (
            Check(
                "the swimlanes are as asked", "end", lanes_are_set, "policy:request",
                at_start=False,
            ),
        ),
    ),
)  # fmt: skip
