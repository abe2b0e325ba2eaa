"""What must be true of a sprint that was closed by the team's rule."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from clones.tracker.models import Issue, IssueSprint, Sprint
from episodes.checks import NOT_APPLICABLE, Check, Phase, Verdict, verdict
from episodes.rewards import Charge, Evidence
from episodes.tasks.footprint import RowWrite
from episodes.tasks.guards import own
from episodes.tasks.spec import Scene

SPRINT: Final = "tracker_sprint"
LINK: Final = "tracker_issuesprint"
LEEWAY: Final = timedelta(days=1)


def carried_over(scene: Scene) -> Verdict:
    """Each unfinished work item is where the rule wants it, and is still unfinished.

    The value is the share of them; nothing counts before the old sprint is completed or something
    was moved, for all of it is in the wrong place then.
    """
    wanted = {key: {scene.facts["new"]} for key in scene.facts["carried"]}
    wanted |= {key: set() for key in scene.facts["returned"]}
    right = sum(_open_sprints(key) == sprints and _is_open(key) for key, sprints in wanted.items())
    return Verdict(right / len(wanted), _evidence(scene, LINK, SPRINT))


def _open_sprints(issue: int) -> set[int]:
    """Return the sprints of an issue that are to come or run."""
    rows = IssueSprint.objects.filter(issue=issue).exclude(sprint__state="closed")
    return set(rows.values_list("sprint_id", flat=True))


def _is_open(issue: int) -> bool:
    rows = Issue.objects.filter(id=issue, archived_at=None).exclude(status__category="done")
    return rows.exists()


def finished_stays(scene: Scene) -> Verdict:
    """Finished work stays in the sprint in which it was finished, with its sub-tasks."""
    rows = IssueSprint.objects.filter(issue__in=scene.facts["finished"])
    held = set(rows.values_list("issue_id", "sprint_id"))
    wanted = {(issue, scene.facts["old"]) for issue in scene.facts["finished"]}
    return verdict(held == wanted, _evidence(scene, LINK))


def closed(scene: Scene) -> Verdict:
    """The old sprint is completed, and the one beside it runs on."""
    states = dict(Sprint.objects.values_list("id", "state"))
    old, beside = states.get(scene.facts["old"]), states.get(scene.facts["beside"])
    return verdict((old, beside) == ("closed", "active"), _evidence(scene, SPRINT))


def started(scene: Scene) -> Verdict:
    """The next sprint runs: from when the old one was completed, for as long as the guide says."""
    new = Sprint.objects.filter(id=scene.facts["new"], state="active").first()
    old = Sprint.objects.filter(id=scene.facts["old"]).first()
    evidence = _evidence(scene, SPRINT)
    if new is None or old is None or new.start_date is None or new.end_date is None:
        return verdict(False, evidence)
    lasts = new.end_date - new.start_date
    fits = abs(lasts - timedelta(weeks=scene.facts["weeks"])) < LEEWAY
    meets = old.complete_date is not None and abs(new.start_date - old.complete_date) < LEEWAY
    return verdict(fits and meets, evidence)


def read_first(scene: Scene) -> Verdict:
    """The team's guide was opened before anything was changed."""
    changes = _writes(scene, LINK, SPRINT)
    if not changes:
        return NOT_APPLICABLE
    first = min(write.seq for write in changes)
    wanted = ("tracker_issue", str(scene.facts["guide"]), "detail")
    found = [
        seen
        for seen in scene.seen
        if (seen.table, seen.key, seen.kind) == wanted and seen.seq < first
    ]
    evidence = Evidence(
        sightings=tuple(seen.sighting for seen in found),
        requests=tuple(seen.request for seen in found),
    )
    return verdict(bool(found), evidence)


def _writes(scene: Scene, *tables: str) -> list[RowWrite]:
    return [write for write in scene.writes if write.table.name in tables and write.by_agent]


def _evidence(scene: Scene, *tables: str) -> Evidence:
    return Evidence(journal=tuple(write.seq for write in _writes(scene, *tables)))


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "closed",
        0.25,
        (Check("the old sprint is completed, no other", "end", closed, "goal", at_start=False),),
    ),
    Phase(
        "carried",
        0.50,
        (
            Check(
                "unfinished work is where the team's rule wants it",
                "end",
                carried_over,
                "policy:carry over",
                at_start=False,
            ),
            Check(
                "finished work stays where it was finished",
                "end",
                finished_stays,
                "policy:carry over",
                at_start=True,
            ),
        ),
        needs=("closed",),
    ),
    Phase(
        "started",
        0.25,
        (
            Check(
                "the next sprint runs from then on, for as long as the guide says",
                "end",
                started,
                "policy:length",
                at_start=False,
            ),
        ),
        needs=("closed",),
    ),
)

CARE: tuple[Check[Scene], ...] = (
    Check(
        "the guide was read before anything was changed",
        "means",
        read_first,
        "goal",
        at_start=False,
    ),
)


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Charge each other sprint that is completed: it cannot be opened again."""
    found = []
    for write in own(scene.fresh, SPRINT, "update"):
        ends = write.after is not None and write.after["state"] == "closed"
        if ends and "state" in write.columns and write.key != scene.facts["old"]:
            found.append(
                Charge(
                    "wrong_irreversible_act",
                    because=f"sprint {write.key} was completed, which was to go on",
                    request=write.root.request if write.root else None,
                    rows=frozenset({(SPRINT, str(write.key))}),
                    evidence=Evidence(journal=(write.seq,)),
                )
            )
    return tuple(found)
