"""Groups of attempts, scored by Open Reward Standard: what each did is done again in a fork."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from sandlot.gateways.ors.groups import LARGEST_GROUP
from tests.gateways.conftest import ServedEpisodes, serving_gateways
from tests.gateways.scripted import REWARD
from tests.gateways.test_ors_wire import Played, Session, read

TASK = {"task": "H05@1/kestrel-tiny/1/0000", "max_steps": 5}
LOOK = ("echo", {"text": "hello"})


def candidate(*acts: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a conversation in which tools were called."""
    calls = [
        {"type": "tool_call", "id": str(place), "name": name, "input": given, "detail": None}
        for place, (name, given) in enumerate(acts)
    ]
    said = {"type": "text", "text": "Let me see.", "detail": None}
    results = [
        {"type": "tool_result", "tool_call_id": call["id"], "blocks": [said], "is_error": False}
        for call in calls
    ]
    messages = [
        {"role": "user", "blocks": [said], "detail": None},
        {"role": "assistant", "blocks": [said, *calls], "detail": None},
        {"role": "user", "blocks": results, "detail": None},
        {"role": "assistant", "blocks": [said], "detail": None},
    ]
    return {"messages": messages, "metadata": {"rollout": 7}}


def scored(session: Session, *candidates: dict[str, Any], **more: Any) -> Played:
    """Ask for the scores of a group."""
    answer = session.post("/H05/score_group", {"candidates": candidates, **more})
    answer.raise_for_status()
    return read(answer.text)


def test_each_candidate_is_scored_in_a_fork(ors: httpx.Client, served: ServedEpisodes) -> None:
    session = Session(ors, task_spec=TASK)
    session.output("echo")
    found = scored(
        session,
        candidate(LOOK, ("finish", {"reward": 1.0})),
        candidate(("finish", {"reward": 0.0})),
        candidate(LOOK, LOOK),  # ended as it stands
        candidate(*[LOOK] * 7),  # of which a limit cuts off two
    ).result
    assert found is not None
    told = [score["metadata"] for score in found["scores"]]
    rewards = [each["reward"] for each in told]
    assert rewards == [1.0, 0.0, REWARD, REWARD]
    mean = sum(rewards) / 4
    assert [score["reward"] for score in found["scores"]] == [each - mean for each in rewards]
    assert [each["truncated"] for each in told] == [False, False, False, True]
    episodes = {each["episode"] for each in told}
    assert len(episodes) == 4
    own = served.episodes.requests["ep-000001"]
    assert all(served.episodes.requests[each] == own for each in episodes)
    assert served.episodes.running() == ["ep-000001"]  # the session's own goes on
    assert session.output("finish")["reward"] == REWARD
    assert scored(session, candidate(LOOK)).result is not None  # and is scored afterwards as well


@pytest.mark.parametrize(
    "candidates",
    [
        [],
        [candidate(LOOK)] * (LARGEST_GROUP + 1),
        [candidate(LOOK), candidate()],
        [{"messages": []}],
        [{"messages": [{"role": "assistant", "blocks": [{"text": "I did it."}]}]}],
        [{"texts": ["I did it."]}],
    ],
    ids=["none", "too many", "one without a call", "no turns", "a text", "no conversation"],
)
def test_what_did_nothing_that_could_be_scored_is_refused(
    ors: httpx.Client, served: ServedEpisodes, candidates: list[dict[str, Any]]
) -> None:
    session = Session(ors, task_spec=TASK)
    session.get("/prompt")
    refused = session.post("/score_group", {"candidates": candidates})
    assert (refused.status_code, bool(refused.json()["detail"])) == (422, True)
    assert len(served.episodes.requests) == 1


@pytest.mark.parametrize("tool", ["fail", "crash"])
def test_a_failure_of_ours_leaves_the_whole_group_without_a_number(
    ors: httpx.Client, served: ServedEpisodes, tool: str
) -> None:
    session = Session(ors, task_spec=TASK)
    played = scored(session, candidate(("finish", {})), candidate((tool, {})), candidate(LOOK))
    assert played.result is None
    assert "environment failed" in (played.error or "")
    assert session.output("finish")["reward"] == REWARD
    assert served.episodes.running() == []


def test_forks_hold_places_like_any_episode() -> None:
    with serving_gateways(capacity=2) as served, served.ors() as ors:
        session = Session(ors, task_spec=TASK)
        session.get("/prompt")
        refused = scored(session, *[candidate(("sleep", {"seconds": 0.2}))] * 4)
        assert "--gateway-sessions" in (refused.error or "")
        assert scored(session, candidate(LOOK)).result is not None
        assert served.episodes.running() == ["ep-000001"]


def test_a_scoring_is_taken_up_and_not_repeated(ors: httpx.Client, served: ServedEpisodes) -> None:
    session = Session(ors, task_spec=TASK)
    first = scored(session, candidate(LOOK))
    again = scored(session, candidate(LOOK), task_id=first.task_id)
    assert again == first
    assert len(served.episodes.requests) == 2
