"""Agents are told the type of the answer that their task asks for, and oracles keep to it."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest

from episodes.families.h01.family import FAMILY as H01
from episodes.families.h21.bases import SHAPES
from episodes.families.h21.checks import answer_type
from episodes.families.t01.family import FAMILY as T01
from episodes.families.t14.family import FAMILY as T14
from episodes.tasks.catalogue import families
from episodes.tasks.spec import Family
from sandlot.cli.agents import find_agent
from sandlot.client import ControlClient
from sandlot.spaces import RemoteSpace
from tests.live.conftest import play_script


def schema_of_answer(tools: list[dict[str, Any]]) -> dict[str, Any]:
    finish = next(tool for tool in tools if tool["name"] == "finish")
    found: dict[str, Any] = finish["input_schema"]["properties"]["answer"]
    return found


def test_every_family_that_grades_an_answer_declares_its_type() -> None:
    asking = {
        family.id
        for family in families().values()
        if any(check.kind == "answer" for phase in family.phases for check in phase.checks)
    }
    declaring = {family.id for family in families().values() if family.answer is not None}
    assert asking <= declaring
    for shape in SHAPES:
        found = answer_type({"shape": shape.name, "fact": "pieces"})
        assert (found is None) is (shape.family.grounded is None)


@pytest.mark.parametrize(
    ("family", "seed"), [*((H01, number) for number in range(8)), (T01, 0), (T01, 1), (T14, 0)]
)
def test_an_oracles_answer_is_of_the_type_that_is_told(
    control: ControlClient, family: Family, seed: int
) -> None:
    told: dict[str, Any] = {}
    oracle = find_agent("oracle", family.id, "api", seed)

    def play(space: RemoteSpace) -> None:
        told.update(schema_of_answer(space.tools()))
        oracle(space)

    manifest = play_script(control, play, task=family.id, seed=seed)["manifest"]
    assert manifest["success"] is True
    validator = jsonschema_rs.validator_for(told)
    assert set(told) > {"description"} or told["type"] == "object"
    validator.validate(manifest["finish"]["answer"])
    assert not validator.is_valid(None)


def test_an_answer_that_a_framework_made_a_text_of_is_read_by_its_type(
    control: ControlClient,
) -> None:
    oracle = find_agent("oracle", "T14", "api", 0)
    given = play_script(control, oracle, task="T14")["manifest"]["finish"]["answer"]

    def as_text(space: RemoteSpace) -> None:
        acts = play_script(control, oracle, task="T14")["steps"]
        for step in acts[:-1]:
            space.act(step["act"]["tool"], **step["act"]["arguments"])
        space.act("finish", answer=json.dumps(given))

    found = play_script(control, as_text, task="T14")
    assert found["manifest"]["success"] is True


def test_a_task_that_asks_for_none_says_so(control: ControlClient) -> None:
    started = control.post("/v1/episodes", {"task": "H05", "seed": 0})
    tools = control.get(f"/v1/episodes/{started['id']}/tools")["tools"]
    assert schema_of_answer(tools) == {"description": "This task asks for no answer."}
    control.post(f"/v1/episodes/{started['id']}/abandon")
