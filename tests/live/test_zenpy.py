"""An unmodified `zenpy` works a support agent's shift; every write of it stands in the journal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sandlot.client import ControlClient
from tests.clients import client_python, run_client
from tests.live.conftest import account

REQUIREMENTS = ("zenpy==2.0.57",)
SCRIPT = Path(__file__).with_name("zenpy_shift.py")

# What each write of the shift must have changed, by resource and call.
WRITES = {
    ("users", "create"): {"helpdesk_user", "helpdesk_identity"},
    ("users", "update"): {"helpdesk_user"},
    ("users", "move"): {"helpdesk_user", "helpdesk_organizationmembership"},
    ("tickets", "create"): {"helpdesk_ticket", "helpdesk_comment", "helpdesk_audit"},
    ("tickets", "comment and update"): {"helpdesk_ticket", "helpdesk_comment", "helpdesk_audit"},
    ("tickets", "solve"): {"helpdesk_ticket", "helpdesk_audit"},
    ("tickets", "delete"): {"helpdesk_ticket"},
    ("tags", "add"): {"helpdesk_ticket"},
    ("tags", "delete"): {"helpdesk_ticket"},
    ("attachments", "upload"): {"helpdesk_upload", "core_blob"},
    ("attachments", "on comment"): {"helpdesk_comment", "helpdesk_attachment"},
    ("organizations", "create"): {"helpdesk_organization"},
    ("organizations", "update"): {"helpdesk_organization"},
    ("job statuses", "create many"): {"helpdesk_jobstatus"},
}


@pytest.fixture(scope="module")
def shift(control: ControlClient) -> dict[str, Any]:
    """Work the shift once; return its calls and the journal of its sandbox."""
    sandbox = control.post("/v1/sandboxes", {"size": "tiny"})
    admin = account(sandbox, "helpdesk", "admin")
    before = control.get(f"/v1/sandboxes/{sandbox['id']}/journal", after=0, limit=1_000_000)
    python = client_python("zenpy", REQUIREMENTS)
    done = run_client(
        python,
        SCRIPT,
        sandbox["origin"].removeprefix("http://"),
        admin["email"],
        admin["api_token"],
    )
    assert done.returncode == 0, done.stderr
    calls = [json.loads(line) for line in done.stdout.splitlines()]
    after = before["rows"][-1]["seq"] if before["rows"] else 0
    journal = control.get(f"/v1/sandboxes/{sandbox['id']}/journal", after=after, limit=1_000_000)
    requests = control.get(f"/v1/sandboxes/{sandbox['id']}/requests")["requests"]
    control.delete(f"/v1/sandboxes/{sandbox['id']}")
    return {"calls": calls, "journal": journal, "requests": requests}


def result_of(shift: dict[str, Any], resource: str, call: str) -> Any:
    for entry in shift["calls"]:
        if (entry["resource"], entry["call"]) == (resource, call):
            return entry["result"]
    raise KeyError((resource, call))


def test_the_shift_is_long_and_broad(shift: dict[str, Any]) -> None:
    assert len(shift["calls"]) >= 40
    assert len(shift["requests"]) >= 40
    assert len({entry["resource"] for entry in shift["calls"]}) >= 12


def test_refusals_are_the_vendors(shift: dict[str, Any]) -> None:
    assert result_of(shift, "tickets", "create without a word") == ["APIException", 422]
    assert result_of(shift, "tickets", "show what is not there") == ["RecordNotFound", 404]
    assert result_of(shift, "tickets", "show a deleted one") == ["RecordNotFound", 404]


def test_both_ways_of_paging_reach_every_page(shift: dict[str, Any]) -> None:
    assert result_of(shift, "tickets", "list by cursor") == 120
    assert result_of(shift, "tickets", "list by offset") == 120
    assert result_of(shift, "users", "list by cursor") == 150
    paths = [entry["path"] for entry in shift["requests"] if entry["operation"] == "ListTickets"]
    assert len(paths) >= 4


def test_what_was_written_is_what_is_read(shift: dict[str, Any]) -> None:
    assert result_of(shift, "comments", "list") == [
        "The cut is off by 2 mm.",
        "Have you cleaned the rails?",
    ]
    assert result_of(shift, "tags", "of ticket") == ["alignment", "x_axis"]
    assert result_of(shift, "attachments", "on comment") == ["drawing.txt"]
    assert result_of(shift, "tickets", "solve") == "solved"


def test_every_write_stands_in_the_journal(shift: dict[str, Any]) -> None:
    writes = {(entry["resource"], entry["call"]) for entry in shift["calls"] if entry["write"]}
    assert writes == set(WRITES)
    touched = {row["table"] for row in shift["journal"]["rows"]}
    assert set().union(*WRITES.values()) <= touched
    acts = {act["id"]: act for act in shift["journal"]["acts"]}
    own = [row for row in shift["journal"]["rows"] if row["table"].startswith("helpdesk_")]
    logged = {entry["id"] for entry in shift["requests"]}
    assert own
    for row in own:
        act = acts[row["act"]]
        while act["request"] is None:
            act = acts[act["cause"]]
        assert act["request"] in logged
