"""What goes wrong over what an agent sent is the agent's mistake; failures of ours stay ours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clones.core.requestlog import LoggedRequest
from clones.core.server import server
from sandlot.client import ControlClient, ControlError
from tests.live.test_own_client import Start, start

__all__ = ["start"]

ME = {"clone": "helpdesk", "method": "GET", "path": "/api/v2/users/me.json"}
NEW = {"clone": "helpdesk", "method": "POST", "path": "/api/v2/tickets.json"}


def nested(depth: int, inside: Any = 1) -> Any:
    """Return lists within lists."""
    found = inside
    for _ in range(depth):
        found = [found]
    return found


def http(**arguments: Any) -> dict[str, Any]:
    return {"tool": "http_request", "arguments": arguments}


def post(control: ControlClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Send JSON of ASCII alone, in which half a character can be escaped."""
    found: dict[str, Any] = control.request(
        "POST", path, content=json.dumps(body), headers={"Content-Type": "application/json"}
    )
    return found


BAD_ACTS = {
    "a length that is another than the body's": http(**ME, headers={"Content-Length": "5"}),
    "a length that is no number": http(**NEW, body={}, headers={"content-length": "x"}),
    "chunks that are none": http(**NEW, body="x", headers={"Transfer-Encoding": "chunked"}),
    "an upgrade": http(**ME, headers={"Connection": "upgrade", "Upgrade": "h2c"}),
    "an expectation": http(**NEW, body={}, headers={"Expect": "100-continue"}),
    "a header with a line break": http(**ME, headers={"X-A": "b\r\nX-B: c"}),
    "a header with a NUL": http(**ME, headers={"X-A": "\x00"}),
    "a header of no ASCII": http(**ME, headers={"é": "ü"}),
    "a header without a name": http(**ME, headers={"": "x"}),
    "headers that are a list": http(**ME, headers=[1]),
    "headers of 300 kB": http(**ME, headers={"X-A": "a" * 300_000}),
    "an address of 100 kB": http(clone="helpdesk", method="GET", path="/" + "a" * 100_000),
    "an address with a line break": http(clone="helpdesk", method="GET", path="/a\r\nb"),
    "a clone that is a list": http(clone=["helpdesk"], method="GET", path="/"),
    "a method that is an object": http(clone="helpdesk", method={"a": 1}, path="/"),
    "a body nested 260 deep": http(**NEW, body=nested(260)),
    "a body nested 900 deep": http(**NEW, body=nested(900)),
    "a form nested 99 deep": http(
        clone="billing", method="POST", path="/v1/customers", body=nested(97)
    ),
    "a body of 60 MB": http(**NEW, body="x" * 60_000_000),
    "a tool that takes nothing so deep": {"tool": "wait", "arguments": {"minutes": nested(260)}},
    "a tool of half a character": {"tool": "\ud800", "arguments": {}},
    "an argument of half a character": {
        "tool": "helpdesk_ShowTicket",
        "arguments": {"ticket_id": "\ud800"},
    },
    "an argument that is an object": {
        "tool": "helpdesk_ShowTicket",
        "arguments": {"ticket_id": {"a": [1]}},
    },
    "minutes without end": {"tool": "wait", "arguments": {"minutes": "1e999"}},
    "words that are a list": {"tool": "say", "arguments": {"text": ["a"]}},
    "evidence that is a number": {"tool": "finish", "arguments": {"evidence": 5}},
    "evidence of objects": {"tool": "finish", "arguments": {"evidence": [{}]}},
    "a reason that is an object": {"tool": "finish", "arguments": {"reason": {"a": 1}}},
}


def browse(act: str, **arguments: Any) -> dict[str, Any]:
    return {"tool": f"browser_{act}", "arguments": arguments}


def upload(*files: dict[str, Any]) -> dict[str, Any]:
    return browse("upload", ref="e99999", files=[{"name": "a.txt", **one} for one in files])


WORDS = "+".join(f"w{number}" for number in range(1_500))
# What is done, and how what the agent is told begins; "" where it just sees a page.
BAD_ACTS_IN_A_BROWSER = {
    "a file of 60 MB": (upload({"text": "x" * 60_000_000}), "bad_arguments"),
    "files of 80 MB": (upload(*[{"text": "€" * 10_000_000}] * 3), "bad_arguments"),
    "files of 54 MB whose characters are few": (
        upload(*[{"text": "\u00e9" * 9_000_000}] * 3),
        "bad_arguments",
    ),
    "files of 60 MB as base64": (upload(*[{"base64": "eHh4" * 6_000_000}] * 3), "bad_arguments"),
    "a file of half a character": (upload({"text": "\ud800"}), "stale_ref"),
    "a file without a name": (browse("upload", ref="e1", files=[{"text": ""}]), "bad_arguments"),
    "a file of another name": (
        browse("upload", ref="e1", files=[{"name": "\x00", "text": ""}]),
        "bad_arguments",
    ),
    "a file that is a number": (browse("upload", ref="e1", files=[5]), "bad_arguments"),
    "an address of 8,000 characters": (browse("goto", url="/agent/" + "a" * 7_900), ""),
    "an address of 100 kB": (browse("goto", url="/" + "a" * 100_000), "bad_arguments"),
    "a search of 1,500 words": (browse("goto", url=f"/agent/search?q={WORDS}"), ""),
    "an address with NUL": (browse("goto", url="/agent/search?q=%00&\x00=1"), ""),
    "an address with a broken escape": (browse("goto", url="/agent/%zz%ff?%e0=%"), ""),
    "an address of no scheme": (browse("goto", url="http://["), "bad_url"),
    "an address with a port beyond all": (browse("goto", url="http://a:99999/"), "bad_url"),
    "an address of a script": (browse("goto", url="javascript:alert(1)"), "bad_url"),
    "an address that is a list": (browse("goto", url=["/"]), "bad_arguments"),
    "a tab of a long address": (browse("tab", do="new", url="/" + "a" * 7_900), ""),
    "a tab beyond all": (browse("tab", do="switch", index=10**30), "no_such_tab"),
    "a key that is none": (browse("press", key="Hyper+q"), "no_such_key"),
    "a key of nothing": (browse("press", key="+"), ""),
    "keys of modifiers alone": (browse("press", key="Control+"), "no_such_key"),
    "a key of many characters": (browse("press", key="abc"), "no_such_key"),
    "a key of another script": (browse("press", key="語"), ""),
    "a key of half a character": (browse("press", key="\ud800"), ""),
    "a key of NUL": (browse("press", key="\x00"), "no_such_key"),
    "a key that is a number": (browse("press", key=5), "bad_arguments"),
    "a ref that is no ref": (browse("click", ref="a >> b"), "stale_ref"),
    "a name of half a character": (
        browse("click", target={"role": "button", "name": "\ud800"}),
        "stale_ref",
    ),
    "a frame beyond all": (
        browse("click", target={"role": "button", "frame": [10**30]}),
        "stale_ref",
    ),
    "pixels without end": (browse("scroll", direction="down", pixels=10**30), "bad_arguments"),
    "a text without end": (browse("type", ref="e1", text="x" * 200_000), "bad_arguments"),
    "an act that there is not": (browse("evaluate", script="1"), ""),
    "nested arguments": (browse("goto", url="/", accept_dialog=nested(90)), "bad_arguments"),
}


@pytest.fixture(scope="module")
def playing(control: ControlClient) -> Any:
    """An episode in which all the mistakes are made."""
    found = control.post("/v1/episodes", {"task": "H05", "seed": 13, "max_steps": 200})
    yield found
    control.post(f"/v1/episodes/{found['id']}/abandon")


@pytest.mark.parametrize("name", BAD_ACTS)
def test_what_cannot_be_sent_or_written_down_is_the_agents_mistake(
    control: ControlClient, playing: dict[str, Any], name: str
) -> None:
    result = post(control, f"/v1/episodes/{playing['id']}/act", BAD_ACTS[name])
    assert result["status"] == "running", result
    observation = result["observation"]
    assert observation["kind"] == "error" or 400 <= observation["status"] < 500


@pytest.fixture(scope="module")
def browsing(control: ControlClient) -> Any:
    """An episode in a browser in which all the mistakes are made."""
    body = {"task": "H05", "seed": 13, "space": "browser", "max_steps": 200}
    found = control.post("/v1/episodes", body)
    yield found
    control.post(f"/v1/episodes/{found['id']}/abandon")


@pytest.mark.browser
@pytest.mark.parametrize("name", BAD_ACTS_IN_A_BROWSER)
def test_what_a_browser_cannot_do_is_the_agents_mistake(
    control: ControlClient, browsing: dict[str, Any], name: str
) -> None:
    act, told = BAD_ACTS_IN_A_BROWSER[name]
    result = post(control, f"/v1/episodes/{browsing['id']}/act", act)
    assert result["status"] == "running", result
    observation = result["observation"]
    said = [*observation.get("notes", []), observation.get("text") or ""]
    assert observation["kind"] in ("page", "error")
    assert not told or said[0].startswith(told), said


def test_mistakes_that_no_record_can_hold_are_made_again_by_a_replay(
    control: ControlClient,
) -> None:
    started = control.post("/v1/episodes", {"task": "H05", "seed": 13})
    for name in ("a body nested 260 deep", "a length that is another than the body's"):
        control.post(f"/v1/episodes/{started['id']}/act", BAD_ACTS[name])
    control.post(f"/v1/episodes/{started['id']}/finish", {"arguments": {}})
    again = control.post(f"/v1/episodes/{started['id']}/replay")
    assert again["equal"] is True, again


@pytest.mark.parametrize(
    "answer", [nested(90), {"a": {"b": None}}, "x" * 100_000, -1, False, ["\ud800", 1e308], {}]
)
def test_an_answer_of_any_form_is_scored(control: ControlClient, answer: Any) -> None:
    started = control.post("/v1/episodes", {"task": "H05", "seed": 13})
    done = {"status": "done", "answer": answer, "reason": "x", "evidence": ["y"]}
    result = post(control, f"/v1/episodes/{started['id']}/finish", {"arguments": done})
    assert result["status"] == "completed", result


def failed_request(sandbox: str, at: float) -> LoggedRequest:
    """Return a request at which the data plane failed."""
    return LoggedRequest(
        id=f"made-{at}",
        at=at,
        sandbox=sandbox,
        generation=1,
        clone="helpdesk",
        account=None,
        operation=None,
        method="GET",
        path="/api/v2/tickets/1.json",
        status=500,
        milliseconds=1.0,
        position=None,
        step=None,
        fault="harness_5xx",
    )


def test_a_failure_between_the_acts_of_an_own_client_is_ours(
    control: ControlClient, start: Start
) -> None:
    agent = start(keep_sandbox=True)
    agent.send("helpdesk", "GET", "/api/v2/users/me.json")
    row = server().registry.get(agent.episode["sandbox"])
    entries = server().requests.read(row.id)
    server().requests.write(failed_request(row.id, entries[-1].at))
    found = agent.finish()
    assert found["manifest"]["outcome"] == "harness_error"
    assert found["manifest"]["error"]["type"] == "harness_5xx"
    assert found["manifest"]["reward"] is None
    control.delete(f"/v1/sandboxes/{row.id}")


def test_a_failure_before_the_episode_is_none_of_its(control: ControlClient) -> None:
    sandbox = control.post("/v1/sandboxes", {"size": "tiny"})
    entry = failed_request(sandbox["id"], 1.0)
    server().requests.write(entry)
    body = {"task": "H05", "seed": 13, "sandbox": sandbox["id"]}
    started = control.post("/v1/episodes", body)
    result = control.post(f"/v1/episodes/{started['id']}/finish", {"arguments": {}})
    assert result["status"] == "completed"
    control.delete(f"/v1/sandboxes/{sandbox['id']}")


def test_an_episode_of_which_a_request_was_not_logged_has_no_numbers(
    control: ControlClient, start: Start
) -> None:
    agent = start(keep_sandbox=True)
    server().requests.note_lost(agent.episode["sandbox"])
    found = agent.finish()
    assert found["manifest"]["error"]["type"] == "harness_unlogged"
    assert found["manifest"]["reward"] is None
    # The next one in the same sandbox has lost nothing.
    body = {"task": "H05", "seed": 13, "sandbox": agent.episode["sandbox"]}
    started = control.post("/v1/episodes", body)
    result = control.post(f"/v1/episodes/{started['id']}/finish", {"arguments": {}})
    assert result["status"] == "completed"
    control.delete(f"/v1/sandboxes/{agent.episode['sandbox']}")


@pytest.mark.in_turn
def test_json_that_no_body_can_be_is_refused_at_the_door(
    control: ControlClient, playing: dict[str, Any]
) -> None:
    text = b'{"tool": "wait", "arguments": {"minutes": ' + b"[" * 50_000 + b"]" * 50_000 + b"}}"
    with pytest.raises(ControlError) as refused:
        control.request("POST", f"/v1/episodes/{playing['id']}/act", content=text)
    assert refused.value.status in (400, 422)
