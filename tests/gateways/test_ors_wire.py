"""What Open Reward Standard is answered, event by event, by whoever asks without its clients."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from sandlot.gateways.ors.wire import CHUNK, result_events
from tests.gateways.conftest import ServedEpisodes, serving_gateways
from tests.gateways.scripted import REWARD

TASK = {"task": "H05@1/kestrel-tiny/1/0000"}
SSE = {"Accept": "text/event-stream"}


def events(text: str) -> Iterator[tuple[str, str]]:
    """Return the events of a stream as clients of the standard read them."""
    for block in text.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if lines:
            fields = dict(line.split(":", 1) for line in lines)
            yield fields["event"].strip(), fields["data"].lstrip()


@dataclass(frozen=True, slots=True)
class Played:
    """What a call was answered with."""

    task_id: str
    result: dict[str, Any] | None
    error: str | None


def read(text: str) -> Played:
    """Return a call's answer from its events."""
    found = list(events(text))
    assert found[0][0] == "task_id"
    assert {name for name, _ in found[1:-1]} <= {"chunk"}
    last, told = found[-1]
    if last == "error":
        return Played(found[0][1], None, told)
    assert last == "end"
    return Played(found[0][1], json.loads("".join(data for _, data in found[1:])), None)


class Session:
    """One session, by hand."""

    def __init__(self, ors: httpx.Client, **body: Any) -> None:
        self.ors = ors
        self.id = ors.post("/create_session").json()["sid"]
        if body:
            made = self.post("/create", body)
            assert made.json() == {"sid": self.id}, made.text

    def post(self, path: str, body: Any = None) -> httpx.Response:
        """POST with the session's id."""
        return self.ors.post(path, json=body or {}, headers={"X-Session-ID": self.id})

    def get(self, path: str) -> httpx.Response:
        """GET with the session's id."""
        return self.ors.get(path, headers={"X-Session-ID": self.id})

    def call(self, name: str, **given: Any) -> Played:
        """Call a tool."""
        return read(self.post("/call", {"name": name, "input": given}).text)

    def output(self, name: str, **given: Any) -> dict[str, Any]:
        """Call a tool and return its output."""
        result = self.call(name, **given).result
        assert result is not None
        assert result["ok"], result
        found: dict[str, Any] = result["output"]
        return found


def test_the_server_tells_what_it_has(ors: httpx.Client) -> None:
    assert ors.get("/health").json() == {"status": "ok"}
    names = ["sandlot", "sandlot-browser", "h01", "h05", "h05-browser"]
    assert ors.get("/list_environments").json() == names
    splits = [{"name": name, "type": name} for name in ("train", "validation", "test")]
    for path in ("/splits", "/sandlot/splits", "/H05/splits", "/h05-BROWSER/splits"):
        assert ors.get(path).json() == splits
    assert ors.get("/h99/splits").status_code == 404


def test_tasks_follow_from_split_and_index(ors: httpx.Client, served: ServedEpisodes) -> None:
    assert ors.post("/num_tasks", json={"split": "train"}).json() == {"num_tasks": 40}
    assert ors.post("/H05/num_tasks", json={"split": "test"}).json() == {"num_tasks": 20}
    listed = ors.post("/h05/tasks", json={"split": "validation"}).json()
    assert listed["env_name"] == "h05"
    assert listed["tasks"][3] == {"task": "H05@1/kestrel-tiny/10000/0003", "space": "api"}
    one = ors.post("/h05/task", json={"split": "validation", "index": 3}).json()
    assert one == {"task": listed["tasks"][3], "env_name": "h05"}
    for body, part in (
        ({"start": 2, "stop": 4}, listed["tasks"][2:4]), ({"start": -2}, listed["tasks"][-2:]),
        ({"stop": 3}, listed["tasks"][:3]), ({"start": 30}, []),
    ):  # fmt: skip
        found = ors.post("/h05/task_range", json={"split": "validation", **body}).json()
        assert found == {"tasks": part, "env_name": "h05"}
    assert [ors.post("/task", json={"split": "train", "index": index}).json()["task"]["task"]
            for index in (0, 1, 2)] == [
        "H01@1/kestrel-tiny/1/0000", "H05@1/kestrel-tiny/1/0000", "H01@1/kestrel-tiny/1/0001",
    ]  # fmt: skip
    flat = ors.post("/h05-search_call/task", json={"split": "train", "index": 0}).json()["task"]
    assert (flat["space"], flat["surface"]) == ("api", "search_call")
    assert ors.get("/h05-none/splits").status_code == 404
    assert served.episodes.status == {}  # nothing was begun for any of it


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/num_tasks", {"split": "best"}, 400),
        ("/tasks", {"split": ""}, 400),
        ("/task", {"split": "train", "index": 40}, 400),
        ("/task", {"split": "train", "index": -1}, 400),
        ("/task", {"split": "train"}, 422),
        ("/task", {"split": "train", "index": 0, "more": 1}, 422),
        ("/nothing/task", {"split": "train", "index": 0}, 404),
        ("/score_group", {"candidates": []}, 400),
        ("/ping", {}, 400),
        ("/create", TASK, 400),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(
    ors: httpx.Client, path: str, body: dict[str, Any], status: int
) -> None:
    found = ors.post(path, json=body)
    assert found.status_code == status
    assert found.json()["detail"]


@pytest.mark.parametrize(
    "body",
    [
        {"split": "train", "index": 99},
        {"split": "best", "index": 0},
        {"task_spec": {"task": "H99"}},
        {"task_spec": {"task": "H01", "space": "browser"}},
        {"task_spec": {"task": "H05", "sandbox": "sb-1"}},
        {"task_spec": {"task": "H05", "max_steps": 0}},
    ],
)
def test_a_task_that_cannot_be_played_is_refused(ors: httpx.Client, body: dict[str, Any]) -> None:
    session = Session(ors)
    found = session.post("/create", body)
    assert (found.status_code, bool(found.json()["detail"])) == (400, True)
    session.post("/create", {"task_spec": TASK}).raise_for_status()  # it may try again


@pytest.mark.parametrize(
    "body",
    [{}, {"split": "train"}, {"task_spec": TASK, "split": "train", "index": 0}, {"secrets": {}}],
)
def test_a_session_is_told_one_task(ors: httpx.Client, body: dict[str, Any]) -> None:
    assert Session(ors).post("/create", body).status_code == 422


def test_a_session_opens_in_both_forms(ors: httpx.Client) -> None:
    told = ors.post("/create_session", headers=SSE)
    assert told.headers["content-type"].startswith("text/event-stream")
    (first, sid), last = events(told.text)
    assert (first, last) == ("task_id", ("end", ""))
    assert ors.post("/ping", headers={"X-Session-ID": sid}).json() == {"status": "ok"}
    assert ors.post("/create_session").headers["content-type"] == "application/json"
    for path in ("/delete_session", "/delete", "/delete_session"):
        assert ors.post(path, headers={"X-Session-ID": sid}).json() == {"sid": sid}
    assert ors.post("/ping", headers={"X-Session-ID": sid}).status_code == 410
    assert ors.post("/ping", headers={"X-Session-ID": "never"}).status_code == 404


def test_an_episode_is_played_and_paid_once(ors: httpx.Client, served: ServedEpisodes) -> None:
    session = Session(ors, split="train", index=1, env_name="H05")
    (block,) = session.get("/H05/prompt").json()
    assert "Do H05@1/kestrel-tiny/1/0001." in block["text"]
    (message,) = session.get("/messages").json()
    assert (message["role"], message["blocks"]) == ("user", [block])
    tools = session.get("/task_tools").json()
    assert tools["supports_score_group"] is True
    first = session.output("echo", text="hello")
    assert (first["reward"], first["finished"]) == (None, False)
    assert first["metadata"] == {"episode": "ep-000001", "step": 1, "status": "running"}
    assert json.loads(first["blocks"][0]["text"])["text"] == "hello"
    assert session.output("picture")["blocks"][1]["mimeType"] == "image/png"
    last = session.output("finish")
    assert (last["reward"], last["finished"]) == (REWARD, True)
    assert (last["metadata"]["success"], last["metadata"]["truncated"]) == (True, False)
    again = session.call("finish").result
    assert again is not None
    assert (again["ok"], again["reason"]) == (False, "episode_finished")
    assert len(served.episodes.acts) == 3


@pytest.mark.parametrize("path", ["/task_tools", "/prompt", "/messages", "/call"])
def test_who_creates_without_a_name_plays_where_it_asks(
    ors: httpx.Client, served: ServedEpisodes, path: str
) -> None:
    """`ors-sdk` names the environment in its paths only."""
    session = Session(ors, split="train", index=1)
    assert session.post("/create", {"split": "train", "index": 2}).status_code == 400
    body = {"name": "echo", "input": {}}
    place = f"/h05{path}"
    found = session.post(place, body) if path == "/call" else session.get(place)
    assert found.status_code == 200
    session.get("/prompt")
    tasks = [request.task for request in served.episodes.requests.values()]
    assert tasks == ["H05@1/kestrel-tiny/1/0001"]


def test_a_limit_of_steps_ends_it_with_a_score(ors: httpx.Client) -> None:
    session = Session(ors, task_spec={**TASK, "max_steps": 2})
    assert session.output("echo")["reward"] is None
    last = session.output("no_such_tool")  # a model's mistake is a step like any other
    assert (last["reward"], last["finished"], last["metadata"]["truncated"]) == (REWARD, True, True)


def test_tools_are_known_before_an_episode(ors: httpx.Client, served: ServedEpisodes) -> None:
    found = ors.get("/h05/tools").json()["tools"]
    assert {tool["name"] for tool in found} >= {"echo", "finish"}
    # Clients write Python functions, and none of Python's has an argument `from`.
    (records,) = [tool for tool in found if tool["name"] == "records"]
    assert set(records["input_schema"]["properties"]) == {"to"}
    assert ors.get("/H05/tools").json()["tools"] == found
    assert served.episodes.status == {"ep-000001": "abandoned"}


@pytest.mark.parametrize("tool", ["fail", "crash"])
def test_a_failure_of_ours_has_no_number_and_ends_the_session(
    ors: httpx.Client, served: ServedEpisodes, tool: str
) -> None:
    session = Session(ors, task_spec=TASK)
    session.output("echo")
    played = session.call(tool)
    assert played.result is None
    assert "environment failed" in (played.error or "")
    for path in ("/call", "/ping"):
        gone = session.post(path, {"name": "echo", "input": {}})
        assert (gone.status_code, "reward" in gone.text) == (410, False)
    assert session.get("/prompt").status_code == 410
    assert served.episodes.running() == []


def test_an_episode_that_cannot_begin_has_no_number(ors: httpx.Client) -> None:
    session = Session(ors, task_spec={**TASK, "seed": 8})
    gone = session.get("/prompt")
    assert (gone.status_code, "cannot begin" in gone.text) == (410, True)
    assert session.post("/call", {"name": "echo", "input": {}}).status_code == 410


def test_who_asks_while_it_begins_waits_in_the_stream(ors: httpx.Client) -> None:
    session = Session(ors, task_spec={**TASK, "seed": 9})
    assert session.output("echo", text="at last")["finished"] is False
    assert session.post("/create", {"task_spec": TASK}).status_code == 400  # it has its own


def test_prompts_of_what_begins_slowly_are_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, ors: httpx.Client
) -> None:
    monkeypatch.setattr("sandlot.gateways.ors.app.BEGINNING", 0.1)
    session = Session(ors, task_spec={**TASK, "seed": 9})
    early = session.get("/prompt")
    assert early.status_code == 503
    assert early.headers["X-Backend-State"] == "starting"
    assert early.headers["Retry-After"] == "2"
    session.output("echo")
    assert session.get("/prompt").status_code == 200


def test_a_lost_connection_is_taken_up_and_nothing_repeated(
    ors: httpx.Client, served: ServedEpisodes
) -> None:
    session = Session(ors, task_spec=TASK)
    body = {"name": "sleep", "input": {"seconds": 1.0, "text": "slept"}}
    with ors.stream("POST", "/call", json=body, headers={"X-Session-ID": session.id}) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: task_id"
        task_id = next(lines).removeprefix("data: ")
    for _ in range(2):  # once while it is under way, once when it is done
        again = read(session.post("/call", {**body, "task_id": task_id}).text)
        assert again.task_id == task_id
        assert again.result is not None
        assert json.loads(again.result["output"]["blocks"][0]["text"])["text"] == "slept"
    assert [act.tool for _, act in served.episodes.acts] == ["sleep"]
    other = Session(ors, task_spec=TASK)
    for whose, id in ((session, "0" * 32), (other, task_id)):
        unknown = whose.post("/call", {**body, "task_id": id}).text
        assert next(iter(events(unknown)))[0] == "error"
    assert len(served.episodes.acts) == 1


def test_signs_of_life_come_while_a_call_works(
    monkeypatch: pytest.MonkeyPatch, ors: httpx.Client
) -> None:
    monkeypatch.setattr("sandlot.gateways.ors.calls.SIGN_OF_LIFE", 0.1)
    session = Session(ors, task_spec=TASK)
    text = session.post("/call", {"name": "sleep", "input": {"seconds": 0.5}}).text
    assert text.count(": ping\n\n") >= 2
    assert read(text).result is not None


def test_acts_of_a_session_are_taken_in_turn_and_the_last_one_is_alone(
    ors: httpx.Client, served: ServedEpisodes
) -> None:
    session = Session(ors, task_spec=TASK)
    session.get("/prompt")
    results = list[Played]()

    def ask(name: str, seconds: float) -> None:
        results.append(session.call(name, seconds=seconds))

    asking = [threading.Thread(target=ask, args=("sleep", 0.3)) for _ in range(3)]
    asking.append(threading.Thread(target=ask, args=("finish", 0.0)))
    asking.append(threading.Thread(target=ask, args=("sleep", 0.0)))
    for thread in asking:
        thread.start()
        time.sleep(0.05)
    for thread in asking:
        thread.join()
    assert served.episodes.most_at_once == 1
    assert [act.tool for _, act in served.episodes.acts] == ["sleep", "sleep", "sleep", "finish"]
    refused = [each.result for each in results if each.result and not each.result["ok"]]
    assert [each["reason"] for each in refused] == ["episode_finished"]
    paid = [each.result["output"]["reward"] for each in results if each.result not in refused
            and each.result]  # fmt: skip
    assert sorted(paid, key=str) == [REWARD, None, None, None]


@pytest.mark.parametrize(
    ("text", "times"),
    [("abc ", 75_000), (" ", 300_000), ('ä\n\u2028 \\" ', 40_000), ("0123456789abcdef", 524_288)],
)
def test_long_results_arrive_whole(ors: httpx.Client, text: str, times: int) -> None:
    session = Session(ors, task_spec=TASK)
    output = session.output("repeat", text=text, times=times)
    assert json.loads(output["blocks"][0]["text"])["text"] == text * times


def test_no_piece_begins_or_ends_with_a_blank() -> None:
    result = json.dumps({"a": " " * 3 * CHUNK, "b": "x y" * CHUNK}, separators=(",", ":"))
    pieces = [part.decode().split("data: ", 1)[1].removesuffix("\n\n") for part in
              result_events(result)]  # fmt: skip
    assert all(piece == piece.strip() for piece in pieces)
    assert max(map(len, pieces)) < CHUNK + 20
    assert json.loads("".join(pieces)) == json.loads(result)


def test_a_long_request_is_taken_and_one_beyond_the_bound_refused(
    monkeypatch: pytest.MonkeyPatch, ors: httpx.Client
) -> None:
    session = Session(ors, task_spec=TASK)
    text = "x" * 8_000_000
    assert len(session.output("echo", text=text)["blocks"][0]["text"]) > len(text)
    monkeypatch.setattr("sandlot.gateways.bodies.LONGEST", 1000)
    assert session.post("/call", {"name": "echo", "input": {"text": text}}).status_code == 413


def test_more_sessions_than_may_be_are_refused_in_a_sentence() -> None:
    with serving_gateways(capacity=2) as served, served.ors() as ors:
        held = [Session(ors, task_spec=TASK) for _ in range(2)]
        third = Session(ors)
        refused = third.post("/create", {"task_spec": TASK})
        assert refused.status_code == 503
        assert "--gateway-sessions" in refused.json()["detail"]
        assert "X-Backend-State" not in refused.headers
        assert held[0].output("finish")["finished"]  # an episode that is over holds no place
        third.post("/create", {"task_spec": TASK}).raise_for_status()
        for _ in range(7):
            Session(ors)
        assert ors.post("/create_session").status_code == 503
        held[0].post("/delete")
        assert ors.post("/create_session").status_code == 200


def test_a_session_that_nobody_asks_for_ends() -> None:
    with serving_gateways(idle_seconds=0.8) as served, served.ors() as ors:
        left, kept = Session(ors, task_spec=TASK), Session(ors, task_spec=TASK)
        left.get("/prompt")
        kept.get("/prompt")
        for _ in range(12):
            time.sleep(0.15)
            kept.post("/ping").raise_for_status()
        assert served.episodes.status == {"ep-000001": "abandoned", "ep-000002": "running"}
        assert served.episodes.heard[-1] == "ep-000002"
        assert left.post("/ping").status_code == 410


def test_the_end_of_a_server_waits_for_acts_and_leaves_no_episode() -> None:
    found = list[Played]()
    with ExitStack() as last:
        with serving_gateways() as served:
            ors = last.enter_context(served.ors())
            session = Session(ors, task_spec=TASK)
            Session(ors, task_spec=TASK).get("/prompt")
            session.get("/prompt")
            asking = threading.Thread(
                target=lambda: found.append(session.call("sleep", seconds=1.0))
            )
            asking.start()
            while not served.episodes.most_at_once:
                assert asking.is_alive()
                time.sleep(0.02)
        asking.join()
    assert found[0].result is not None
    assert served.episodes.running() == []


def test_an_episode_that_ended_elsewhere_is_gone(ors: httpx.Client, served: ServedEpisodes) -> None:
    session = Session(ors, task_spec=TASK)
    session.get("/prompt")
    served.episodes.abandon("ep-000001")
    assert "is over" in (session.call("echo").error or "")
    assert session.post("/ping").status_code == 410


@pytest.mark.parametrize(
    "headers", [{"X-API-Key": "secret"}, {"Authorization": "Bearer secret"}], ids=str
)
def test_beyond_the_machine_a_key_is_asked_for(headers: dict[str, str]) -> None:
    with serving_gateways(keyed=True) as served, served.ors() as ors:
        assert ors.get("/health").status_code == 200
        assert ors.get("/splits").status_code == 401
        assert ors.get("/splits", headers={"X-API-Key": "wrong"}).status_code == 401
        assert ors.get("/splits", headers=headers).status_code == 200
        assert ors.get("/splits?key=secret").status_code == 200
