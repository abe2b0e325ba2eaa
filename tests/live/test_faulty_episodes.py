"""Episodes among injected faults: what the agent sees, what is recorded, what is paid."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import httpx
import pytest

from clones.core.faults import Fault
from clones.core.vendors import clone_named
from episodes.families.h05 import solve
from episodes.start import fault_setting
from episodes.tasks.instances import InstanceId
from sandlot.cli.episodes import summary
from sandlot.client import ControlClient
from sandlot.spaces import RemoteSpace
from tests.live.conftest import play_script
from tests.live.faulty import Calls, met_by, seed_of
from tests.live.test_own_client import OwnClient

PLAIN = 13
MORE = 4
REFUND = "billing_PostRefunds"
Wanted = Callable[[list[Fault | None]], bool]


def call_of(tool: str) -> tuple[str, bool] | None:
    """Return which clone a tool calls and whether it writes; None of a verb."""
    name, _, operation = tool.partition("_")
    clone = clone_named(name)
    if clone is None or clone.operations is None:
        return None
    return name, clone.operations.all[operation].method != "GET"


@pytest.fixture(scope="module")
def oracle(control: ControlClient) -> dict[str, Any]:
    """The oracle's run without faults."""
    return play_script(control, solve.by_api, seed=PLAIN)


@pytest.fixture(scope="module")
def seed(control: ControlClient) -> str:
    """The seed of the chance of the sandboxes that episodes get."""
    made = control.post("/v1/sandboxes", {"size": "tiny"})
    found = seed_of(made["id"])
    control.delete(f"/v1/sandboxes/{made['id']}")
    return found


def calls_until(record: dict[str, Any], tool: str) -> Calls:
    """Return the calls of a run up to and with a tool's first."""
    tools = [step["act"]["tool"] for step in record["steps"]]
    return [call for name in tools[: tools.index(tool) + 1] if (call := call_of(name))]


def seed_with(seed: str, calls: Calls, wanted: Wanted, *, page: bool = False) -> int:
    """Return a fault seed under which what the calls meet is as wanted."""
    for number in count():
        drawn = fault_setting(instance(), "heavy", number)
        if wanted(met_by(drawn, seed, calls, page=page)):
            return number
    raise AssertionError


def instance() -> InstanceId:
    return InstanceId("H05", 1, "kestrel", "tiny", 1, PLAIN)


def only_last(place: int, kind: str, *, applied: bool = False) -> Wanted:
    """Return what is wanted where one call is to meet a kind, and all others nothing."""

    def wanted(met: list[Fault | None]) -> bool:
        fault = met[place]
        others = [entry for index, entry in enumerate(met) if index != place]
        return (
            fault is not None and (fault.kind, fault.applied) == (kind, applied) and not any(others)
        )

    return wanted


def struck_refund(seed: str, record: dict[str, Any], kind: str, *, applied: bool) -> int:
    """Return a fault seed under which the oracle's refund meets a fault, and nothing else does."""
    calls = calls_until(record, REFUND)
    after: Calls = [("billing", False)] * MORE + [("helpdesk", True)] * MORE
    return seed_with(seed, [*calls, *after], only_last(len(calls) - 1, kind, applied=applied))


@pytest.mark.parametrize("applied", [False, True], ids=["lost", "applied"])
@pytest.mark.parametrize("kind", ["drop", "504"])
def test_a_careful_agent_succeeds_whether_its_write_was_lost_or_made(
    control: ControlClient, seed: str, oracle: dict[str, Any], kind: str, applied: bool
) -> None:
    number = struck_refund(seed, oracle, kind, applied=applied)
    found = play_script(control, solve.by_api, seed=PLAIN, faults="heavy", fault_seed=number)
    manifest, steps = found["manifest"], found["steps"]
    assert (manifest["faults"], manifest["fault_seed"]) == ("heavy", number)
    assert manifest["success"] is True
    assert manifest["components"]["parts"]["efficiency"] == 1.0
    (struck,) = [step for step in steps if step["faults"]]
    assert struck["act"]["tool"] == REFUND
    assert struck["step_kind"] == "fault"
    (fault,) = struck["faults"]
    assert (fault["kind"], fault["applied"]) == (kind, applied)
    assert (fault["method"], fault["path"]) == ("POST", "/v1/refunds")
    assert bool(struck["changes"]) is applied
    suffix = ", applied" if applied else ""
    told = f"met an injected {kind} at POST /v1/refunds{suffix}"
    assert [line.strip() for line in summary(found) if "injected" in line] == [told]
    if kind == "drop":
        assert struck["observation"]["kind"] == "error"
        assert "closed before an answer came" in struck["observation"]["text"]
    else:
        assert struck["observation"]["status"] == 504
        assert "504 Gateway Time-out" in struck["observation"]["body"]
    tools = [step["act"]["tool"] for step in steps]
    assert tools.count(REFUND) == (1 if applied else 2)
    assert tools[tools.index(REFUND) + 1] == "billing_GetRefunds"
    refunds = [
        change
        for step in steps
        for change in step["changes"]
        if (change["table"], change["operation"]) == ("billing_refund", "insert")
    ]
    assert len(refunds) == 1
    total = sum(step["reward"] for step in steps)
    assert total == pytest.approx(manifest["reward"], abs=1e-9)


def test_an_answer_that_never_comes_is_an_error_that_the_agent_sees(
    control: ControlClient, seed: str, oracle: dict[str, Any]
) -> None:
    number = struck_refund(seed, oracle, "timeout", applied=True)
    found = play_script(control, solve.by_api, seed=PLAIN, faults="heavy", fault_seed=number)
    (struck,) = [step for step in found["steps"] if step["faults"]]
    assert struck["observation"] == {
        "kind": "error",
        "now": struck["at"],
        "text": "billing did not answer in time",
        "notes": [],
    }
    assert found["manifest"]["outcome"] == "completed"
    assert found["manifest"]["success"] is True


def test_without_faults_efficiency_counts_every_look(
    control: ControlClient, oracle: dict[str, Any]
) -> None:
    def looks_twice(space: RemoteSpace) -> None:
        space.act("billing_GetCharges", limit=1)
        solve.by_api(space)

    found = play_script(control, looks_twice, seed=PLAIN)
    steps = len(oracle["steps"])
    efficiency = found["manifest"]["components"]["parts"]["efficiency"]
    assert efficiency == pytest.approx(steps / (steps + 1))
    assert oracle["manifest"]["components"]["parts"]["efficiency"] == 1.0
    assert all(step["faults"] == [] for step in oracle["steps"])


def test_a_replay_meets_the_same_faults(control: ControlClient, seed: str) -> None:
    calls: Calls = [("helpdesk", False)] * 5 + [("billing", False)] * 5

    def several(met: list[Fault | None]) -> bool:
        kinds = {fault.kind for fault in met if fault is not None}
        return len(kinds) >= 3 and "timeout" not in kinds

    number = seed_with(seed, calls, several)

    def stroll(space: RemoteSpace) -> None:
        for _ in range(5):
            space.try_act("helpdesk_ShowCurrentUser")
            space.try_act("billing_GetCharges", limit=3)
        space.try_act("finish")

    found = play_script(control, stroll, seed=PLAIN, faults="heavy", fault_seed=number)
    again = control.post(f"/v1/episodes/{found['manifest']['id']}/replay")
    assert again["differences"] == []
    replayed = control.get(f"/v1/episodes/{again['episode']}/trajectory")

    def kinds(record: dict[str, Any]) -> list[list[str]]:
        return [[fault["kind"] for fault in step["faults"]] for step in record["steps"]]

    assert kinds(replayed) == kinds(found)
    assert sum(map(bool, kinds(found))) >= 3


def test_faults_are_in_no_diff_and_end_with_the_episode(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    def stroll(space: RemoteSpace) -> None:
        control.post(f"/v1/sandboxes/{sandbox['id']}/marks", {"name": "stroll"})
        for _ in range(3):
            space.try_act("helpdesk_ShowCurrentUser")
        assert control.get(f"/v1/sandboxes/{sandbox['id']}/diff", since="stroll")["changes"] == []
        space.try_act("finish")

    play_script(control, stroll, seed=PLAIN, faults="heavy", sandbox=sandbox["id"])
    jobs = control.get(f"/v1/sandboxes/{sandbox['id']}/journal", after=0, limit=1_000_000)
    assert "core_randomstream" in {row["table"] for row in jobs["rows"]}
    plain = play_script(control, stroll, seed=PLAIN, sandbox=sandbox["id"])
    assert all(step["faults"] == [] for step in plain["steps"])


def test_an_own_clients_faults_are_in_its_record(control: ControlClient, seed: str) -> None:
    calls: Calls = [("helpdesk", False)] * 4
    number = seed_with(seed, calls, only_last(1, "drop"))
    body = {"task": "H05", "seed": PLAIN, "client": "own", "faults": "heavy"}
    started = control.post("/v1/episodes", {**body, "fault_seed": number})
    agent = OwnClient(control, started)
    assert agent.send("helpdesk", "GET", "/api/v2/users/me.json").status_code == 200
    with pytest.raises(httpx.RemoteProtocolError):
        agent.send("helpdesk", "GET", "/api/v2/users/me.json")
    assert agent.send("helpdesk", "GET", "/api/v2/users/me.json").status_code == 200
    found = agent.finish()
    agent.http.close()
    first, struck, third, _ = found["steps"]
    assert [first["faults"], third["faults"]] == [[], []]
    assert struck["step_kind"] == "fault"
    assert struck["observation"]["kind"] == "error"
    assert struck["faults"][0]["kind"] == "drop"
    assert found["manifest"]["outcome"] == "completed"


@pytest.mark.parametrize("applied", [False, True], ids=["lost", "applied"])
def test_looking_before_repeating_is_paid_as_if_nothing_had_happened(
    control: ControlClient, seed: str, oracle: dict[str, Any], applied: bool
) -> None:
    given = {step["act"]["tool"]: step["act"]["arguments"] for step in oracle["steps"]}
    charge = given[REFUND]["body"]["charge"]
    calls: Calls = [("helpdesk", False), ("billing", False), ("billing", True)]
    after: Calls = [("billing", False), ("billing", True), ("helpdesk", True), ("helpdesk", True)]
    number = seed_with(seed, [*calls, *after], only_last(2, "504", applied=applied))
    body = {"task": "H05", "seed": PLAIN, "client": "own", "faults": "heavy"}
    agent = OwnClient(control, control.post("/v1/episodes", {**body, "fault_seed": number}))
    ticket = f"/api/v2/tickets/{given['helpdesk_UpdateTicket']['ticket_id']}.json"
    agent.send("helpdesk", "GET", ticket)
    agent.send("billing", "GET", f"/v1/charges?customer={given['billing_GetCharges']['customer']}")
    assert agent.send("billing", "POST", "/v1/refunds", data={"charge": charge}).status_code == 504
    made = agent.send("billing", "GET", f"/v1/refunds?charge={charge}").json()["data"]
    assert bool(made) is applied
    if not made:
        agent.send("billing", "POST", "/v1/refunds", data={"charge": charge})
    for step in oracle["steps"]:
        if step["act"]["tool"] == "helpdesk_UpdateTicket":
            agent.send("helpdesk", "PUT", ticket, json=step["act"]["arguments"]["body"])
    found = agent.finish()
    agent.http.close()
    rewards = [step["reward"] for step in found["steps"]]
    refunded = [0.315, 0.0] if applied else [0.0, 0.0, 0.315]
    expected = [0.0525, 0.0525, *refunded, 0.14, 0.14]
    assert rewards[:-1] == pytest.approx(expected, abs=1e-9)
    assert found["manifest"]["success"] is True
    assert found["manifest"]["components"]["parts"]["efficiency"] == 1.0


@pytest.mark.browser
def test_a_browsers_page_shows_what_the_gateway_says(control: ControlClient, seed: str) -> None:
    calls: Calls = [("helpdesk", False)] * 3 + [("billing", False)] * 3
    number = seed_with(seed, calls, only_last(0, "502"), page=True)
    started = control.post(
        "/v1/episodes",
        {"task": "H05", "seed": PLAIN, "space": "browser", "faults": "heavy", "fault_seed": number},
    )
    space = RemoteSpace(control, started)
    url = started["apps"]["helpdesk"]["url"]
    assert "502" not in space.observe()["tree"]
    struck = space.try_act("browser_goto", url=f"{url}/agent/filters")
    assert struck["kind"] == "page"
    assert "502 Bad Gateway" in struck["tree"]
    passed = space.try_act("browser_goto", url=f"{url}/agent/filters")
    assert "502 Bad Gateway" not in passed["tree"]
    space.try_act("finish")
    found = control.get(f"/v1/episodes/{space.id}/trajectory")
    assert found["steps"][0]["step_kind"] == "fault"
    assert found["steps"][0]["faults"][0]["kind"] == "502"
    assert found["manifest"]["outcome"] == "completed"
    assert control.post(f"/v1/episodes/{space.id}/replay")["differences"] == []
