"""Recorded acts taken again: later acts name the records that earlier ones make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from episodes.certify.retaking import acts_script, key_made, made_in, renamed
from episodes.tasks.acting import ActingSpace, RecordedAct
from sandlot.trajectory import StepRecord

CREATE, ORDER = "helpdesk_CreateSLAPolicy", "helpdesk_ReorderSLAPolicies"


class Desk:
    """A space that makes records under keys of its own, and notes what it is asked."""

    done = False

    def __init__(self, *keys: int) -> None:
        self.keys = list(keys)
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def try_act(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        self.asked.append((tool, arguments))
        if tool != CREATE:
            return {"kind": "http", "status": 200, "body": None}
        return {"kind": "http", "status": 201, "body": {"policy": {"id": self.keys.pop(0)}}}


def step(tool: str, status: int, body: Any) -> StepRecord:
    return StepRecord(
        step=1,
        at="2026-06-16T14:00:00Z",
        act={"tool": tool, "arguments": {}},
        observation={"kind": "http", "status": status, "body": body},
        status="running",
        fingerprint="",
    )


def test_what_was_made_is_read_from_answers() -> None:
    steps = [
        step(ORDER, 200, {"policy": {"id": 1}}),
        step(CREATE, 201, {"policy": {"id": 70}}),
        step(CREATE, 201, {"id": 71}),
        step(CREATE, 422, {"error": "no"}),
    ]
    assert [(made.tool, made.key) for made in made_in(steps)] == [(CREATE, "70"), (CREATE, "71")]
    assert key_made({"kind": "error", "text": "no"}) is None


def test_an_act_names_what_was_made_in_place_of_what_it_named() -> None:
    made = made_in([step(CREATE, 201, {"id": 70}), step(CREATE, 201, {"id": 71})])
    acts = [
        RecordedAct(CREATE, {"body": {"title": "of 70 days"}}),
        RecordedAct(CREATE, {"body": {}}),
        RecordedAct(ORDER, {"ids": "71,5,70", "body": {"id": 70, "ids": [71, 700], "flag": True}}),
    ]
    desk = Desk(82, 81)
    acts_script(acts, made)(cast("ActingSpace", desk))
    assert desk.asked[0] == (CREATE, {"body": {"title": "of 70 days"}})
    assert desk.asked[2] == (
        ORDER,
        {"ids": "81,5,82", "body": {"id": 82, "ids": [81, 700], "flag": True}},
    )


def test_without_what_was_made_acts_are_taken_as_they_stand() -> None:
    desk = Desk(82)
    acts_script([RecordedAct(CREATE, {}), RecordedAct(ORDER, {"ids": "70"})])(
        cast("ActingSpace", desk)
    )
    assert desk.asked[1] == (ORDER, {"ids": "70"})
    assert renamed("7 and 70", {"7": "8"}) == "8 and 70"
