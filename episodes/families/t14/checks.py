"""What must be true of a question that was answered from the graph of links."""

from __future__ import annotations

from typing import Any, Final

from episodes.checks import AnswerType, Check, Phase, Verdict, grade
from episodes.rewards import Charge, Evidence
from episodes.rewards.prices import QUESTION_ANSWER_WEIGHT, QUESTION_SUPPORT_WEIGHT
from episodes.tasks.looking_up import rests_on, shown_closely
from episodes.tasks.spec import Scene

REF: Final = AnswerType("ref")
ANSWER: Final = AnswerType("object", fields={"blockers": AnswerType("set", item=REF), "first": REF})


def graph_seen(scene: Scene) -> Verdict:
    """The open work items that block the release were opened, or shown among few."""
    wanted = {str(key) for key in scene.facts["graph"]}
    found = [
        seen
        for seen in shown_closely(scene)
        if seen.table == "tracker_issue" and seen.key in wanted
    ]
    evidence = Evidence(
        sightings=tuple(seen.sighting for seen in found),
        requests=tuple(seen.request for seen in found),
    )
    return Verdict(len({seen.key for seen in found}) / len(wanted), evidence)


def answered(scene: Scene) -> Verdict:
    """Both fields of the answer are right; one of them is worth half."""
    said: Any = scene.finish
    if said is None or said.get("status", "done") != "done":
        return Verdict(0.0)
    return Verdict(grade(ANSWER, scene.facts["answer"], said.get("answer")))


def grounded(scene: Scene) -> bool:
    """Tell whether what the answer rests on was shown."""
    return rests_on(scene, scene.facts["support"])


def guard(_: Scene) -> tuple[Charge, ...]:
    """Return no charge: nothing that may be done here is priced besides being written."""
    return ()


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "graph seen",
        QUESTION_SUPPORT_WEIGHT,
        (
            Check(
                "the open work items that block the release were looked at",
                "means",
                graph_seen,
                "goal",
                at_start=False,
            ),
        ),
        kind="means",
    ),
    Phase(
        "answered",
        QUESTION_ANSWER_WEIGHT,
        (
            Check(
                "the blockers and the first of them, given at the end, are right",
                "answer",
                answered,
                "goal",
                at_start=False,
            ),
        ),
    ),
)
