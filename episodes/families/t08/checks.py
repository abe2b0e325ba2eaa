"""What must be true of work that was brought to Done by the rules of its space."""

from __future__ import annotations

from typing import Any

from clones.tracker.models import FieldValue, Issue, IssueVersion
from episodes.checks import NOT_APPLICABLE, Check, Phase, Verdict, verdict
from episodes.rewards import Charge, Evidence
from episodes.tasks.footprint import RowWrite
from episodes.tasks.guards import own
from episodes.tasks.looking_up import shown_closely
from episodes.tasks.spec import Scene
from episodes.tasks.tracker_guards import false_closes, repeated_comments
from episodes.tasks.tracker_obligations import is_met, statuses_of, walked

ISSUE = "tracker_issue"


def opened(scene: Scene) -> Verdict:
    """The work and the guide of its space were looked at."""
    return _looked_at(scene, None)


def _looked_at(scene: Scene, before: int | None) -> Verdict:
    wanted = {str(scene.facts["issue"]), str(scene.facts["guide"])}
    found = [
        seen
        for seen in shown_closely(scene)
        if seen.table == ISSUE and seen.key in wanted and (before is None or seen.seq < before)
    ]
    evidence = Evidence(
        sightings=tuple(seen.sighting for seen in found),
        requests=tuple(seen.request for seen in found),
    )
    return verdict({seen.key for seen in found} == wanted, evidence)


def filled(scene: Scene) -> Verdict:
    """The field that review asks for holds what was agreed last."""
    return verdict(held_by(scene.facts) == scene.facts["value"], _evidence(scene))


def held_by(facts: Any) -> Any:
    """Return what the field holds now, as the facts have its value."""
    issue = facts["issue"]
    if facts["asked"] == "fixVersions":
        fixed = IssueVersion.objects.filter(issue=issue, kind="fix").order_by("version_id")
        return ",".join(str(key) for key in fixed.values_list("version_id", flat=True))
    if facts["asked"] == "customfield_10026":
        points = FieldValue.objects.filter(issue=issue, field=10026).order_by("position")
        return points.values_list("number", flat=True).first()
    day = Issue.objects.values_list("due_date", flat=True).get(id=issue)
    return None if day is None else day.isoformat()


def _evidence(scene: Scene) -> Evidence:
    keys = {scene.facts["issue"], *scene.facts["parts"]}
    return Evidence(
        journal=tuple(
            write.seq
            for write in scene.writes
            if write.table.name == ISSUE and write.key in keys and write.by_agent
        )
    )


def steps_taken(scene: Scene) -> Verdict:
    """The work went through every step in its turn: the share of them that it took."""
    path = list(scene.facts["path"])
    taken = statuses_of(scene.facts["issue"], scene.facts["after"])
    return Verdict(walked(path, taken) / (len(path) - 1), _evidence(scene))


def closed_rightly(scene: Scene) -> Verdict:
    """The work is done, with the resolution that fits what was decided."""
    issue = Issue.objects.select_related("status", "resolution").get(id=scene.facts["issue"])
    resolution = None if issue.resolution is None else issue.resolution.name
    done = issue.status.category == "done" and resolution == scene.facts["resolution"]
    return verdict(done, _evidence(scene))


def parts_closed(scene: Scene) -> Verdict:
    """Its sub-tasks that were open are done, with that resolution too."""
    owed = [one for one in scene.facts["obligations"] if one["kind"] == "resolved"]
    if not owed:
        return NOT_APPLICABLE
    return Verdict(sum(map(is_met, owed)) / len(owed), _evidence(scene))


def read_first(scene: Scene) -> Verdict:
    """The guide and the work were read before the work was moved."""
    moves = _moves(scene)
    return _looked_at(scene, moves[0].seq) if moves else NOT_APPLICABLE


def _moves(scene: Scene) -> list[RowWrite]:
    return [
        write
        for write in own(scene.writes, ISSUE, "update")
        if write.key == scene.facts["issue"] and "status_id" in write.columns
    ]


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "opened",
        0.10,
        (
            Check(
                "the work and the guide of its space were read",
                "means",
                opened,
                "goal",
                at_start=False,
            ),
        ),
        kind="means",
    ),
    Phase(
        "filled",
        0.20,
        (
            Check(
                "the field that review asks for holds what was agreed last",
                "end",
                filled,
                "policy:before review",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "walked",
        0.40,
        (
            Check(
                "the work went through every step in its turn",
                "end",
                steps_taken,
                "policy:steps",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "closed",
        0.30,
        (
            Check(
                "the work is done with the resolution that fits",
                "end",
                closed_rightly,
                "policy:resolution",
                at_start=False,
            ),
            Check(
                "its open sub-tasks are done with that resolution",
                "end",
                parts_closed,
                "policy:sub-tasks",
                at_start=False,
            ),
        ),
        needs=("walked", "filled"),
    ),
)

CARE: tuple[Check[Scene], ...] = (
    Check(
        "the guide and the work were read before it was moved",
        "means",
        read_first,
        "goal",
        at_start=False,
    ),
)


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return the charges of the step at hand."""
    return (*false_closes(scene), *repeated_comments(scene))
