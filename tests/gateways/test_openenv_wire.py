"""What OpenEnv is answered, frame by frame, by whoever asks without its clients."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from socket import SHUT_RDWR
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from tests.gateways.conftest import ServedEpisodes, serving_gateways
from tests.gateways.scripted import REWARD

TASK = "H05@1/kestrel-tiny/1/0000"
PATIENCE = 30.0


class Player:
    """A client of OpenEnv, by hand."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, type: str, data: Any = None) -> None:
        """Send a frame."""
        self.socket.send(json.dumps({"type": type} | ({} if data is None else {"data": data})))

    def ask(self, type: str, data: Any = None) -> dict[str, Any]:
        """Send a frame and return its answer."""
        self.send(type, data)
        return self.answer()

    def answer(self) -> dict[str, Any]:
        """Return the next answer."""
        found: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        return found

    def observed(self, type: str, data: Any = None) -> dict[str, Any]:
        """Send a frame and return what was observed."""
        found = self.ask(type, data)
        assert found["type"] == "observation", found
        told: dict[str, Any] = found["data"]
        return told

    def reset(self, **data: Any) -> dict[str, Any]:
        """Begin an episode."""
        return self.observed("reset", data)

    def step(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Take one step."""
        return self.observed("step", {"tool": tool, "arguments": arguments})

    def refused(self, type: str, data: Any = None) -> tuple[str, str]:
        """Send a frame and return why it was not carried out: code and sentence."""
        return code_of(self.ask(type, data))


def code_of(frame: dict[str, Any]) -> tuple[str, str]:
    """Return code and sentence of an error, which never has a number."""
    assert frame["type"] == "error", frame
    assert frame["data"].keys() == {"message", "code"}
    return frame["data"]["code"], frame["data"]["message"]


@contextmanager
def playing(served: ServedEpisodes, environment: str = "h05", **more: Any) -> Iterator[Player]:
    """Connect for the length of a block."""
    with served.socket(environment, **more) as socket:
        yield Player(socket)


@pytest.fixture
def player(served: ServedEpisodes) -> Iterator[Player]:
    """A client of the environment of one family."""
    with playing(served) as found:
        yield found


@pytest.fixture
def http(served: ServedEpisodes) -> Iterator[httpx.Client]:
    """An HTTP client."""
    with served.openenv() as found:
        yield found


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_server_tells_what_it_has(http: httpx.Client, served: ServedEpisodes) -> None:
    assert http.get("/H05/health").json() == {"status": "healthy"}
    assert http.get("/h05/list_environments").json() == ["h05"]
    told = http.get("/h05/metadata").json()
    assert (told["name"], told["description"]) == ("h05", "H05: H05. Played in the space api.")
    assert "2 families" in http.get("/sandlot/metadata").json()["description"]
    flat = http.get("/h05-search_call/metadata").json()
    assert "surface search_call" in flat["description"]
    schema = http.get("/h05/schema").json()
    assert schema.keys() == {"action", "observation", "reset_observation", "state"}
    # Of these some clients ask for tools before anything else.
    assert schema["action"]["title"] not in ("Action", "CallToolAction", "ListToolsAction")
    assert http.get("/h05/state").json()["episode_id"] is None
    described = http.get("/h05/openapi.json").json()
    assert described["info"]["version"].startswith("1.")
    for path, methods in described["paths"].items():
        for method in methods:
            found = http.request(method, f"/h05{path}", json={"split": "train", "index": 0})
            assert found.status_code in (200, 422, 501), path
    assert served.episodes.status == {}  # nothing was begun for any of it


def test_tasks_are_those_of_every_gateway(http: httpx.Client) -> None:
    one = {"split": "validation", "index": 3}
    assert http.post("/h05/H05/task", json=one).json() == {
        "task": {"task": "H05@1/kestrel-tiny/10000/0003", "space": "api"},
        "env_name": "h05",
    }
    counted = http.post("/sandlot/sandlot/num_tasks", json={"split": "train"}).json()
    assert counted == {"num_tasks": 40}
    assert http.get("/h05/h05/splits").json()[0] == {"name": "train", "type": "train"}
    assert http.post("/h05/h05/task", json={"split": "train", "index": 20}).status_code == 400
    for path in ("/h05/h01/splits", "/h99/h99/splits"):
        assert http.get(path).status_code == 404


@pytest.mark.parametrize("path", ["reset", "step"])
def test_an_episode_by_single_requests_is_refused(http: httpx.Client, path: str) -> None:
    found = http.post(f"/h05/{path}", json={})
    assert found.status_code == 501
    assert "/openenv/h05/ws" in found.json()["detail"]
    assert "WebSocket" in found.json()["detail"]


def test_an_episode_is_played_and_paid_once(player: Player, served: ServedEpisodes) -> None:
    assert player.refused("step", {"tool": "echo"})[0] == "EXECUTION_ERROR"
    assert player.ask("state") == {
        "type": "state",
        "data": {"episode_id": None, "step_count": 0, "episode": None, "task": None,
                 "status": None, "max_steps": None},
    }  # fmt: skip
    begun = player.reset(split="train", index=1, episode_id="mine")
    assert (begun["reward"], begun["done"]) == (None, False)
    assert "Do H05@1/kestrel-tiny/1/0001." in begun["observation"]["text"]
    assert {tool["name"] for tool in begun["observation"]["available_tools"]} >= {"echo", "finish"}
    first = player.step("echo", text="hello")
    assert (first["reward"], first["done"], first["observation"]["step"]) == (None, False, 1)
    assert json.loads(first["observation"]["text"])["text"] == "hello"
    assert first["metadata"] == first["observation"]["metadata"]
    assert player.step("picture")["observation"]["screenshot"]
    mistaken = player.step("no_such_tool")  # a model's mistake is a step like any other
    assert (mistaken["observation"]["error"], mistaken["observation"]["step"]) == (True, 3)
    by_name = {"type": "call_tool", "tool_name": "finish", "arguments": {}, "metadata": {}}
    last = player.observed("step", by_name)
    assert (last["reward"], last["done"]) == (REWARD, True)
    assert last["observation"]["metadata"]["success"] is True
    assert last["observation"]["truncated"] is False
    assert player.refused("step", {"tool": "finish"})[0] == "EXECUTION_ERROR"
    state = player.ask("state")["data"]
    assert (state["episode_id"], state["step_count"]) == ("mine", 4)
    assert (state["episode"], state["status"]) == ("ep-000001", "completed")
    assert len(served.episodes.acts) == 4


def test_a_reset_names_its_task(served: ServedEpisodes) -> None:
    with playing(served, "sandlot") as player:
        for asked, task in (
            ({"index": 2}, "H01@1/kestrel-tiny/1/0001"),
            ({"split": "validation", "index": 1}, "H05@1/kestrel-tiny/10000/0000"),
            ({"seed": 43}, "H05@1/kestrel-tiny/1/0001"),
            ({"seed": 43, "split": "test"}, "H05@1/kestrel-tiny/20000/0001"),
            ({"task": TASK, "max_steps": 7}, TASK),
            ({"task": "H05", "seed": 4}, "H05"),
        ):
            told = player.reset(**asked)["metadata"]
            assert (told["task"], told["max_steps"]) == (task, asked.get("max_steps", 20))
        assert player.reset()["metadata"]["task"].startswith("H0")
    wait_for(lambda: served.episodes.running() == [])  # each reset ends what was before it
    assert set(served.episodes.status.values()) == {"abandoned"}


@pytest.mark.parametrize(
    "data",
    [
        {"split": "best", "index": 0},
        {"index": 20},
        {"index": "first"},
        {"seed": -1},
        {"task": "H99"},
        {"task": TASK, "index": 1},
        {"max_steps": 0},
        {"sandbox": "sb-1"},
    ],
)
def test_a_task_that_cannot_be_played_is_refused(player: Player, data: dict[str, Any]) -> None:
    code, message = player.refused("reset", data)
    assert (code, bool(message)) == ("VALIDATION_ERROR", True)
    assert player.reset()["done"] is False  # it may try again


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "INVALID_JSON"),
        ("[1]", "INVALID_JSON"),
        (b"\x00", "INVALID_JSON"),
        ('{"type": "jump"}', "UNKNOWN_TYPE"),
        ('{"data": {}}', "UNKNOWN_TYPE"),
        ('{"type": ["reset"]}', "UNKNOWN_TYPE"),
        ('{"type": "reset", "data": 3}', "VALIDATION_ERROR"),
        ('{"type": "step", "data": {"action": "echo"}}', "VALIDATION_ERROR"),
        ('{"type": "step", "data": {"tool": "echo", "arguments": []}}', "VALIDATION_ERROR"),
    ],
)
def test_what_is_no_frame_is_refused(player: Player, text: str | bytes, code: str) -> None:
    player.socket.send(text)
    assert code_of(player.answer())[0] == code
    assert player.ask("state")["type"] == "state"


def test_a_limit_of_steps_ends_it_with_a_score(player: Player) -> None:
    player.reset(max_steps=2)
    assert player.step("echo")["reward"] is None
    last = player.step("echo")
    assert (last["reward"], last["done"]) == (REWARD, True)
    assert (last["observation"]["truncated"], last["metadata"]["terminated"]) == (True, False)


@pytest.mark.parametrize("tool", ["fail", "crash"])
def test_a_failure_of_ours_has_no_number_and_ends_the_episode(
    player: Player, served: ServedEpisodes, tool: str
) -> None:
    player.reset()
    player.step("echo")
    code, message = player.refused("step", {"tool": tool})
    assert (code, "environment failed" in message) == ("EXECUTION_ERROR", True)
    for type, data in (("step", {"tool": "echo"}), ("state", None)):
        assert player.refused(type, data)[0] == "SESSION_ERROR"
    assert served.episodes.running() == []
    assert player.reset()["metadata"]["episode"] == "ep-000002"


def test_an_episode_that_cannot_begin_has_no_number(player: Player) -> None:
    code, message = player.refused("reset", {"task": TASK, "seed": 8})
    assert (code, "cannot begin" in message) == ("FACTORY_ERROR", True)
    assert player.refused("step", {"tool": "echo"})[0] == "SESSION_ERROR"


def test_a_bug_of_ours_ends_the_session_and_has_no_number(
    player: Player, served: ServedEpisodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.reset()
    monkeypatch.delattr("sandlot.gateways.openenv.connections.step_frame")
    code, message = player.refused("step", {"tool": "echo"})
    assert (code, "environment failed" in message) == ("EXECUTION_ERROR", True)
    assert code_of(player.answer())[0] == "SESSION_ERROR"
    with pytest.raises(ConnectionClosed):
        player.answer()
    assert served.episodes.running() == []


def test_frames_are_answered_in_turn(player: Player, served: ServedEpisodes) -> None:
    player.send("reset", {"task": TASK, "seed": 9})
    for number in range(100):  # more than are read ahead
        player.send("step", {"tool": "echo", "arguments": {"text": str(number)}})
    player.send("step", {"tool": "finish"})
    assert player.answer()["data"]["observation"]["step"] == 0
    for number in range(100):
        told = player.answer()["data"]
        assert json.loads(told["observation"]["text"])["text"] == str(number)
        assert told["reward"] is None
    assert player.answer()["data"]["reward"] == REWARD
    assert served.episodes.most_at_once == 1


def test_signs_of_life_are_answered_while_a_step_works(
    player: Player, served: ServedEpisodes
) -> None:
    player.reset()
    player.send("step", {"tool": "sleep", "arguments": {"seconds": 2.0}})
    wait_for(lambda: served.episodes.at_once == 1)
    player.send("state")
    assert player.socket.ping().wait(PATIENCE)
    assert served.episodes.at_once == 1
    assert player.answer()["type"] == "observation"
    assert player.answer()["type"] == "state"


@pytest.mark.parametrize(
    "leave",
    [
        lambda player: player.socket.close(),
        lambda player: player.send("close"),
        lambda player: player.socket.socket.shutdown(SHUT_RDWR),
    ],
    ids=["close", "say so", "drop"],
)
def test_who_leaves_leaves_no_episode(
    served: ServedEpisodes, leave: Callable[[Player], None]
) -> None:
    with playing(served) as player:
        player.reset()
        leave(player)
        wait_for(lambda: served.episodes.status == {"ep-000001": "abandoned"})


def test_who_leaves_in_the_middle_of_a_step_has_it_once(served: ServedEpisodes) -> None:
    with playing(served) as player:
        player.reset()
        player.send("step", {"tool": "sleep", "arguments": {"seconds": 0.5}})
        player.send("step", {"tool": "echo"})
        wait_for(lambda: served.episodes.at_once == 1)
    wait_for(lambda: served.episodes.at_once == 0 and served.episodes.running() == [])
    assert [act.tool for _, act in served.episodes.acts] == ["sleep"]


def test_more_sessions_than_may_be_are_refused_in_a_sentence() -> None:
    with serving_gateways(capacity=2) as served, ExitStack() as stack:
        held = [stack.enter_context(playing(served)) for _ in range(10)]
        for player in held[:2]:
            player.reset()
        code, message = held[2].refused("reset", {})
        assert (code, "--gateway-sessions" in message) == ("CAPACITY_REACHED", True)
        with playing(served) as more:
            assert code_of(more.answer())[0] == "CAPACITY_REACHED"
            with pytest.raises(ConnectionClosed):
                more.answer()
        assert held[0].step("finish")["done"]  # an episode that is over holds no place
        held[2].reset()
        assert held[3].refused("reset", {})[0] == "CAPACITY_REACHED"
        held[1].reset()  # its own place is free for its next one


def test_who_says_nothing_is_told_that_it_is_over() -> None:
    with (
        serving_gateways(idle_seconds=0.8) as served,
        playing(served) as left,
        playing(served) as kept,
    ):
        left.reset()
        kept.reset()
        for _ in range(12):
            time.sleep(0.15)
            kept.ask("state")
        assert served.episodes.status == {"ep-000001": "abandoned", "ep-000002": "running"}
        assert served.episodes.heard[-1] == "ep-000002"
        assert code_of(left.answer())[0] == "SESSION_ERROR"
        with pytest.raises(ConnectionClosed):
            left.answer()


def test_the_end_of_a_server_waits_for_steps_and_leaves_no_episode() -> None:
    with ExitStack() as last:
        with serving_gateways() as served:
            player, idle = (last.enter_context(playing(served)) for _ in range(2))
            player.reset()
            idle.reset()
            player.send("step", {"tool": "sleep", "arguments": {"seconds": 1.0}})
            player.send("step", {"tool": "echo"})
            wait_for(lambda: served.episodes.at_once == 1)
        assert player.answer()["type"] == "observation"
        assert code_of(player.answer())[0] == "SESSION_ERROR"  # what was in line is not done
        with pytest.raises(ConnectionClosed):
            player.answer()
        with pytest.raises(ConnectionClosed):
            idle.answer()
    assert [act.tool for _, act in served.episodes.acts] == ["sleep"]
    assert served.episodes.running() == []


def test_long_frames_are_taken_and_one_beyond_the_bound_ends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sandlot.cli.gateways.LONGEST", 9_000_000)
    with serving_gateways() as served, playing(served) as player:
        player.reset()
        told = player.step("repeat", text="abc ", times=2_000_000)
        assert len(json.loads(told["observation"]["text"])["text"]) == 8_000_000
        with pytest.raises(ConnectionClosed):
            player.step("echo", text="x" * 9_000_000)
        wait_for(lambda: served.episodes.running() == [])


def rpc(http: httpx.Client, method: str, **params: Any) -> dict[str, Any]:
    """Ask by JSON-RPC over HTTP."""
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    answer = http.post("/h05/mcp", json=message)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    assert found["id"] == 7
    return found


def test_a_session_by_mcp_is_played_by_both(http: httpx.Client, served: ServedEpisodes) -> None:
    sid = rpc(http, "openenv/session/create")["result"]["session_id"]
    assert "error" in rpc(http, "tools/call", session_id=sid, name="echo")
    query = f"?session_id={sid}"
    for number in (1, 2):  # a connection that is lost leaves it as it is
        with playing(served, query=query) as player:
            episode = player.reset()["metadata"]["episode"]
            assert episode == f"ep-{number:06d}"
    tools = rpc(http, "tools/list", session_id=sid)["result"]["tools"]
    assert {tool["name"] for tool in tools} >= {"echo", "finish"}
    said = rpc(http, "tools/call", session_id=sid, name="echo", arguments={"text": "hello"})
    assert json.loads(said["result"]["content"][0]["text"])["text"] == "hello"
    assert http.get(f"/h05/state?session_id={sid}").json()["step_count"] == 1
    with playing(served, query=query) as player:
        told = player.ask("mcp", {"id": 1, "method": "tools/call", "params": {"name": "no_tool"}})
        assert (told["type"], told["data"]["result"]["isError"]) == ("mcp", True)
        assert player.step("finish")["reward"] == REWARD
        assert "is over" in rpc(http, "tools/call", session_id=sid, name="echo")["error"]["message"]
        assert rpc(http, "openenv/session/close", session_id=sid)["result"]["closed"] is True
        assert code_of(player.answer())[0] == "SESSION_ERROR"
    assert rpc(http, "tools/list", session_id=sid)["error"]["code"] == -32000
    with playing(served, query=query) as player:
        assert code_of(player.answer())[0] == "SESSION_ERROR"


def test_what_is_no_message_of_mcp_is_refused(http: httpx.Client, served: ServedEpisodes) -> None:
    for body, code in (("{", -32700), ("{}", -32600), ('{"method": "x", "params": 3}', -32602)):
        answer = http.post("/h05/mcp", content=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (200, code)
    assert rpc(http, "resources/list")["error"]["code"] == -32601
    assert rpc(http, "openenv/session/close")["error"]["code"] == -32602
    assert rpc(http, "tools/call", name=3)["error"]["code"] == -32602
    assert rpc(http, "tools/list", session_id="never")["error"]["code"] == -32602
    assert {tool["name"] for tool in rpc(http, "tools/list")["result"]["tools"]} >= {"finish"}
    assert served.episodes.status == {"ep-000001": "abandoned"}  # whose tools they were


def test_a_failure_of_ours_by_mcp_has_no_number(http: httpx.Client, served: ServedEpisodes) -> None:
    sid = rpc(http, "openenv/session/create")["result"]["session_id"]
    with playing(served, query=f"?session_id={sid}") as player:
        player.reset()
        failed = rpc(http, "tools/call", session_id=sid, name="fail")
        assert "environment failed" in failed["error"]["message"]
        assert player.refused("step", {"tool": "echo"})[0] == "SESSION_ERROR"


def test_who_names_no_environment_is_told_which_there_are(served: ServedEpisodes) -> None:
    with playing(served, "h99") as player:
        code, message = code_of(player.answer())
        assert (code, "'h05'" in message) == ("SESSION_ERROR", True)
        with pytest.raises(ConnectionClosed):
            player.answer()


def test_beyond_the_machine_a_key_is_asked_for() -> None:
    key = {"Authorization": "Bearer secret"}
    with serving_gateways(keyed=True) as served, served.openenv() as http:
        assert http.get("/h05/health").status_code == 200
        assert http.get("/h05/metadata").status_code == 401
        assert http.get("/h05/metadata", headers=key).status_code == 200
        with pytest.raises(InvalidStatus):
            served.socket()
        with playing(served, additional_headers=key) as player:
            assert player.reset()["done"] is False


def test_threads_of_many_clients_do_not_meet(served: ServedEpisodes) -> None:
    found = dict[int, list[Any]]()

    def play(number: int) -> None:
        with playing(served) as player:
            player.reset(index=number)
            told = [player.step("echo", text=f"{number} {step}") for step in range(10)]
            found[number] = [
                *(json.loads(each["observation"]["text"])["text"] for each in told),
                player.step("finish")["reward"],
            ]

    threads = [threading.Thread(target=play, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(8):
        assert found[number] == [*(f"{number} {step}" for step in range(10)), REWARD]
