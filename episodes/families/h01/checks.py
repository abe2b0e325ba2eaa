"""What must be true of a question that was answered from the ticket it is about."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from episodes.checks import AnswerType, Check, Phase, Verdict, grade, verdict
from episodes.rewards import Charge, Evidence
from episodes.rewards.prices import QUESTION_ANSWER_WEIGHT, QUESTION_SUPPORT_WEIGHT
from episodes.tasks.looking_up import rests_on, shown_closely
from episodes.tasks.spec import Facts, Scene

HALF_A_MINUTE: Final = 30.0


def answer_type(facts: Facts) -> AnswerType:
    """Return the type that the goal declares."""
    match facts["fact"]:
        case "opened":
            return AnswerType("datetime", zone=facts["zone"], tolerance=HALF_A_MINUTE)
        case "first_reply":
            return AnswerType("duration", unit=timedelta(minutes=1), tolerance=HALF_A_MINUTE)
        case "visit":
            return AnswerType("date")
        case "quoted":
            return AnswerType("money", currency=facts["currency"])
        case "pieces":
            return AnswerType("int")
        case "copied":
            return AnswerType("set", item=AnswerType("ref"))
        case _:
            return AnswerType("ref")


def ticket_found(scene: Scene) -> Verdict:
    """The ticket that the goal describes was opened, or shown among few."""
    facts = scene.facts
    wanted = {("helpdesk_ticket", str(facts["ticket"]))}
    wanted |= {("helpdesk_comment", str(key)) for key in facts["comments"]}
    found = [seen for seen in shown_closely(scene) if (seen.table, seen.key) in wanted]
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
                "the ticket that is described was found",
                "means",
                ticket_found,
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
