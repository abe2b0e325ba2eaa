"""What the model reads and what the trainer reads: two answers, and no reward in the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from episodes.families.h05 import solve
from sandlot.client import ControlClient, ControlError
from sandlot.service import EpisodeNumbers, EpisodeView, ModelStep, ModelView, StepResult
from sandlot.spaces import RemoteSpace
from tests.live.conftest import play_script

LOOK = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
# What only the trainer may know: names of fields, and what is in them.
TRAINERS = {
    *(EpisodeView.model_fields.keys() - ModelView.model_fields.keys()),
    *(StepResult.model_fields.keys() - ModelStep.model_fields.keys()),
}


def names_in(value: Any) -> set[str]:
    """Return the names of all fields in an answer, but for what the clones answered."""
    if isinstance(value, list):
        return set().union(*map(names_in, value))
    if not isinstance(value, dict):
        return set()
    inner = (names_in(part) for name, part in value.items() if name not in ("body", "apps"))
    return set(value).union(*inner)


@pytest.fixture(scope="module")
def acts(control: ControlClient) -> list[dict[str, Any]]:
    """What the oracle does."""
    steps: list[dict[str, Any]] = play_script(control, solve.by_api, seed=13)["steps"]
    return [{"tool": s["act"]["tool"], "arguments": s["act"]["arguments"]} for s in steps]


def test_a_loop_that_shows_the_model_everything_shows_no_reward(
    control: ControlClient, acts: list[dict[str, Any]]
) -> None:
    view = control.post("/v1/episodes", {"task": "H05", "seed": 13})
    at = f"/v1/episodes/{view['id']}"
    conversation = [control.get(f"{at}?for=model"), control.get(f"{at}/tools")]
    *before, finish = acts
    for act in before:
        conversation += [control.post(f"{at}/act", act), control.get(f"{at}/observation")]
    conversation.append(control.post(f"{at}/finish", {"arguments": finish["arguments"]}))
    conversation.append(control.get(f"{at}?for=model"))
    for answer in (conversation[0], *conversation[2:]):
        assert not names_in(answer) & TRAINERS, answer
    assert [answer["done"] for answer in conversation[2:-1:2]] == [False] * len(before) + [True]
    assert conversation[-2]["status"] == "completed"
    # What the trainer asks for by itself is whole.
    found = control.get(f"{at}/rewards")
    assert sum(step["reward"] for step in found["steps"]) == pytest.approx(found["reward"])


def test_an_act_answers_the_trainer_that_asks(
    control: ControlClient, acts: list[dict[str, Any]]
) -> None:
    view = control.post("/v1/episodes", {"task": "H05", "seed": 13})
    at = f"/v1/episodes/{view['id']}"
    results = [StepResult(**control.post(f"{at}/act?for=trainer", act)) for act in acts[:3]]
    assert all(result.reward is not None for result in results)
    so_far = EpisodeNumbers(**control.get(f"{at}/rewards"))
    assert [step.reward for step in so_far.steps] == [result.reward for result in results]
    assert [step.step_kind for step in so_far.steps] == [result.step_kind for result in results]
    assert (so_far.status, so_far.reward, so_far.withdrawn) == ("running", None, [])
    later = EpisodeNumbers(**control.get(f"{at}/rewards", after=2))
    assert later.steps == so_far.steps[2:]
    assert "remedied" in later.steps[0].phases
    last = control.post(f"{at}/finish?for=trainer", {"arguments": {}})
    whole = control.get(f"{at}/rewards")
    assert last["reward"] == whole["steps"][-1]["reward"]
    assert (whole["status"], whole["success"]) == ("completed", False)


def test_the_space_keeps_rewards_from_what_an_act_returns(control: ControlClient) -> None:
    space = RemoteSpace(control, control.post("/v1/episodes", {"task": "H05", "seed": 13}))
    assert not names_in(space.act("helpdesk_ShowCurrentUser")) & TRAINERS
    assert space.steps[-1]["reward"] == 0.0
    control.post(f"/v1/episodes/{space.id}/abandon")


def test_there_is_nobody_else_to_answer(control: ControlClient) -> None:
    view = control.post("/v1/episodes", {"task": "H05", "seed": 13})
    at = f"/v1/episodes/{view['id']}"
    asked: list[Callable[[], Any]] = [
        lambda: control.post(f"{at}/act?for=agent", LOOK),
        lambda: control.get(f"{at}?for=agent"),
        lambda: control.get(f"{at}/rewards", after=-1),
    ]
    for ask in asked:
        with pytest.raises(ControlError) as refused:
            ask()
        assert refused.value.status == 422
    with pytest.raises(ControlError, match="there is no episode"):
        control.get("/v1/episodes/ep-aaaaaaaaaa/rewards")
    assert control.get(at)["steps"] == 0
    control.post(f"{at}/abandon")


def test_the_description_tells_of_both(control: ControlClient) -> None:
    described = control.get("/openapi.json")
    for path, models in (
        ("/v1/episodes/{episode}/act", ["ModelStep", "StepResult"]),
        ("/v1/episodes/{episode}/finish", ["ModelStep", "StepResult"]),
    ):
        operation = described["paths"][path]["post"]
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        assert [one["$ref"].rpartition("/")[2] for one in schema["anyOf"]] == models
        (asked,) = [one for one in operation["parameters"] if one["name"] == "for"]
        assert asked["schema"]["default"] == "model"
    fields = set(described["components"]["schemas"]["ModelStep"]["properties"])
    assert fields == {"step", "observation", "done", "status"}
