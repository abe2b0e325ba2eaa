"""An agent that calls the vendors' APIs with its own client: its requests are the steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import httpx
import pytest

from episodes.families.h05.solve import by_api
from sandlot.client import ControlClient, ControlError, http_client
from tests.live.conftest import play_script

SEED = 13


class OwnClient:
    """The oracle's acts as plain HTTP, with the credentials that the episode handed out."""

    def __init__(self, control: ControlClient, episode: dict[str, Any]) -> None:
        self.control = control
        self.episode = episode
        self.http = http_client()
        self.tools = {
            tool["name"]: tool
            for tool in control.get(f"/v1/episodes/{episode['id']}/tools")["tools"]
        }

    def send(self, clone: str, method: str, path: str, **options: Any) -> httpx.Response:
        """Send one request as the agent."""
        app = self.episode["apps"][clone]
        account = app["accounts"][0]
        if clone == "billing":
            options["headers"] = {"Authorization": f"Bearer {account['secret_key']}"}
        else:
            options["auth"] = (f"{account['email']}/token", account["api_token"])
        return self.http.request(method, app["url"] + path, **options)

    def finish(self) -> dict[str, Any]:
        """Say that the work is done and return the record."""
        name = self.episode["id"]
        self.control.post(f"/v1/episodes/{name}/finish", {"arguments": {}})
        found: dict[str, Any] = self.control.get(f"/v1/episodes/{name}/trajectory")
        return found


Start = Callable[..., OwnClient]


@pytest.fixture
def start(control: ControlClient) -> Iterator[Callable[..., OwnClient]]:
    started: list[OwnClient] = []

    def begin(**body: Any) -> OwnClient:
        body = {"task": "H05", "seed": SEED, "client": "own", **body}
        started.append(OwnClient(control, control.post("/v1/episodes", body)))
        return started[-1]

    yield begin
    for agent in started:
        agent.http.close()


def solve(agent: OwnClient, record: dict[str, Any]) -> None:
    """Do what the recorded oracle did, by plain requests."""
    facts = {step["act"]["tool"]: step["act"]["arguments"] for step in record["steps"]}
    refund = facts["billing_PostRefunds"]["body"]
    ticket = facts["helpdesk_UpdateTicket"]["ticket_id"]
    replies = [
        step["act"]["arguments"]["body"]["ticket"]
        for step in record["steps"]
        if step["act"]["tool"] == "helpdesk_UpdateTicket"
    ]
    email = agent.episode["apps"]["helpdesk"]["accounts"][0]["email"]
    customers = facts["billing_GetCharges"]["customer"]
    assert agent.send("helpdesk", "GET", f"/api/v2/tickets/{ticket}.json").status_code == 200
    charges = agent.send("billing", "GET", f"/v1/charges?customer={customers}&limit=100")
    assert charges.status_code == 200
    assert agent.send("billing", "POST", "/v1/refunds", data=refund).status_code == 200
    for changes in replies:
        kept = {**changes, **({"assignee_email": email} if "assignee_email" in changes else {})}
        answer = agent.send(
            "helpdesk", "PUT", f"/api/v2/tickets/{ticket}.json", json={"ticket": kept}
        )
        assert answer.status_code == 200, answer.text


def test_requests_are_steps_and_are_graded_like_acts(control: ControlClient, start: Start) -> None:
    oracle = play_script(control, by_api, seed=SEED)
    agent = start()
    solve(agent, oracle)
    found = agent.finish()
    rewards = [step["reward"] for step in found["steps"]]
    assert len(rewards) == 6
    assert rewards[:5] == pytest.approx([0.0525, 0.0525, 0.315, 0.14, 0.14], abs=1e-9)
    assert found["manifest"]["success"] is True
    assert sum(rewards) == pytest.approx(found["manifest"]["reward"], abs=1e-9)
    refund = found["steps"][2]
    assert {change["table"] for change in refund["changes"]} >= {"billing_refund"}
    assert refund["act"]["arguments"]["operation"] == "PostRefunds"


def test_each_request_moves_the_clock_by_thirty_seconds(
    control: ControlClient, start: Start
) -> None:
    agent = start()
    dates = [
        agent.send("helpdesk", "GET", "/api/v2/users/me.json").headers["rate-limit-reset"]
        for _ in range(3)
    ]
    assert len(dates) == 3
    view = control.get(f"/v1/episodes/{agent.episode['id']}")
    started = datetime.fromisoformat(agent.episode["now"])
    assert (datetime.fromisoformat(view["now"]) - started).total_seconds() == 90
    control.post(f"/v1/episodes/{agent.episode['id']}/abandon")


def test_used_up_steps_end_the_credentials(start: Start) -> None:
    agent = start(max_steps=3)
    statuses = [
        agent.send("helpdesk", "GET", "/api/v2/users/me.json").status_code for _ in range(2)
    ]
    assert statuses == [200, 200]
    refused = agent.send("helpdesk", "GET", "/api/v2/tickets/1.json")
    assert refused.status_code == 401
    found = agent.finish()
    assert len(found["steps"]) == 3


def test_refused_requests_are_no_steps(start: Start) -> None:
    agent = start()
    url = agent.episode["apps"]["helpdesk"]["url"]
    assert agent.http.get(f"{url}/api/v2/tickets/1.json").status_code == 401
    found = agent.finish()
    assert len(found["steps"]) == 1


def test_an_act_that_is_no_verb_is_refused_and_the_episode_goes_on(
    control: ControlClient, start: Start
) -> None:
    agent = start()
    act = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
    with pytest.raises(ControlError, match="only verbs are acts"):
        control.post(f"/v1/episodes/{agent.episode['id']}/act", act)
    assert control.get(f"/v1/episodes/{agent.episode['id']}")["status"] == "running"
    assert agent.finish()["manifest"]["outcome"] == "completed"


def test_finish_ends_the_credentials(control: ControlClient, start: Start) -> None:
    agent = start(keep_sandbox=True)
    agent.finish()
    answer = agent.send("helpdesk", "GET", "/api/v2/tickets/1.json")
    assert answer.status_code == 401
    control.delete(f"/v1/sandboxes/{agent.episode['sandbox']}")
