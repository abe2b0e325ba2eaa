"""What must be true of a question that was answered from the work item it is about."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from episodes.checks import AnswerType, Check, Phase, Verdict, grade, verdict
from episodes.families.t01.params import TIMES
from episodes.rewards import Charge, Evidence
from episodes.rewards.prices import QUESTION_ANSWER_WEIGHT, QUESTION_SUPPORT_WEIGHT
from episodes.tasks.looking_up import rests_on, shown_closely
from episodes.tasks.spec import Facts, Scene

HALF_A_MINUTE: Final = 30.0


def answer_type(facts: Facts) -> AnswerType:
    """Return the type that the goal declares."""
    if facts["fact"] in TIMES:
        return AnswerType("datetime", zone=facts["zone"], tolerance=HALF_A_MINUTE)
    if facts["fact"] == "spent":
        return AnswerType("duration", unit=timedelta(minutes=1), tolerance=HALF_A_MINUTE)
    return AnswerType("ref")


def found_it(scene: Scene) -> Verdict:
    """The work item that the goal describes was opened, or shown among few."""
    wanted = ("tracker_issue", str(scene.facts["issue"]))
    found = [seen for seen in shown_closely(scene) if (seen.table, seen.key) == wanted]
    evidence = Evidence(
        sightings=tuple(seen.sighting for seen in found),
        requests=tuple(seen.request for seen in found),
    )
    return verdict(bool(found), evidence)


def answered(scene: Scene) -> Verdict:
    """The answer is right, and not a guess where guessing is easy."""
    said: Any = scene.finish
    if said is None or said.get("status", "done") != "done":
        return Verdict(0.0)
    facts = scene.facts
    if facts["needs_support"] and not grounded(scene):
        return Verdict(0.0)
    return Verdict(grade(answer_type(facts), facts["answer"], said.get("answer")))


def grounded(scene: Scene) -> bool:
    """Tell whether what the answer rests on was shown."""
    return rests_on(scene, scene.facts["support"])


def guard(_: Scene) -> tuple[Charge, ...]:
    """Return no charge: nothing that may be done here is priced besides being written."""
    return ()


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "located",
        QUESTION_SUPPORT_WEIGHT,
        (
            Check(
                "the work item that is described was found",
                "means",
                found_it,
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
                "the answer given at the end is right", "answer", answered, "goal", at_start=False
            ),
        ),
    ),
)
