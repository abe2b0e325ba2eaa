"""Approvals: who is asked, what their answer does, what else ends the waiting."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import Approval
from tests.tracker.conftest import Site
from tests.tracker.desk_site import Desk, open_desk

APPROVERS = "customfield_10003"
KIND = "Request new hardware"


def hardware(desk: Desk, *approvers: str) -> str:
    """Ask for something that must be approved."""
    people = [{"accountId": desk.site.ids[login]} for login in approvers]
    values: dict[str, Any] = {"description": "It is old."} | ({APPROVERS: people} if people else {})
    key: str = desk.ask("A laptop", kind=KIND, values=values)["issueKey"]
    return key


def searched(site: Site, jql: str) -> list[str]:
    """Return the keys that a query finds."""
    body = {"jql": f"project = IT AND {jql}", "fields": ["summary"]}
    return [one["key"] for one in site.post("search/jql", body, by="dev", status=200)["issues"]]


def one(desk: Desk, key: str, by: str = "dev") -> dict[str, Any]:
    """Return the one approval of a request."""
    [found] = desk.get(f"request/{key}/approval", by=by)["values"]
    assert desk.get(f"request/{key}/approval/{found['id']}", by=by) == found
    return dict(found)


@pytest.mark.parametrize(
    ("decision", "final", "status", "resolution"),
    [
        ("approve", "approved", "Waiting for support", None),
        ("decline", "declined", "Closed", {"name": "Won't Do"}),
    ],
)
def test_the_answer_of_an_approver_moves_the_request_on(
    site: Site, decision: str, final: str, status: str, resolution: Any
) -> None:
    desk = open_desk(site)
    key = hardware(desk, "dana")
    assert (
        desk.get(f"request/{key}", by="cara")["currentStatus"]["status"] == "Waiting for approval"
    )
    asked = one(desk, key)
    assert (asked["name"], asked["finalDecision"]) == ("Waiting for approval", "pending")
    assert asked["canAnswerApproval"] is False
    assert [
        (who["approver"]["accountId"], who["approverDecision"]) for who in asked["approvers"]
    ] == [(site.ids["dana"], "pending")]
    assert one(desk, key, by="dana")["canAnswerApproval"] is True
    path = f"request/{key}/approval/{asked['id']}"
    # Whoever is asked sees the request, though they are neither customer nor agent.
    query = "requestOwnership=APPROVER&approvalStatus=MY_PENDING_APPROVAL"
    assert desk.get(f"request?{query}", by="dana")["size"] == 1
    assert desk.error(desk.post(path, {"decision": decision}, by="cara", status=403)) == (
        "You are not an approver of this request.",
        "sd.approval.error.not.approver",
    )
    assert desk.error(desk.post(path, {"decision": "maybe"}, by="dana", status=400))[0] == (
        "The decision must be either 'approve' or 'decline'."
    )
    assert searched(site, "approvals = pending()") == [key]
    done = desk.post(path, {"decision": decision}, by="dana", status=200)
    assert searched(site, "approvals = pending()") == []
    assert (done["finalDecision"], done["canAnswerApproval"]) == (final, False)
    assert done["approvers"][0]["approverDecision"] == final
    assert done["completedDate"]["friendly"].startswith("Today")
    fields = site.get(f"issue/{key}", by="dev")["fields"]
    assert fields["status"]["name"] == status
    assert (fields["resolution"] or {}).get("name") == (resolution or {}).get("name")
    shown = [value for value in fields.values() if isinstance(value, list) and value]
    assert [done | {"canAnswerApproval": False}] in shown
    history = site.get(f"issue/{key}/changelog", by="dev")["values"]
    assert history[-1]["author"]["accountId"] == site.ids["dana"]
    again = desk.post(path, {"decision": decision}, by="dana", status=400)
    assert desk.error(again)[1] == "sd.approval.error.already.answered"
    assert desk.get(f"request?{query}", by="dana")["size"] == 0
    history_query = "requestOwnership=APPROVER&approvalStatus=MY_HISTORY_APPROVAL"
    assert desk.get(f"request?{history_query}", by="dana")["size"] == 1


def test_unverified_one_who_declines_decides(site: Site) -> None:
    desk = open_desk(site)
    key = hardware(desk, "dana", "ada")
    asked = one(desk, key)
    page = desk.get(f"request/{key}/approval?limit=1&start=1")
    assert (page["values"], page["isLastPage"]) == ([], True)
    done = desk.post(
        f"request/{key}/approval/{asked['id']}", {"decision": "decline"}, by="ada", status=200
    )
    assert done["finalDecision"] == "declined"
    assert [who["approverDecision"] for who in done["approvers"]] == ["pending", "declined"]


def test_who_approves_decides_only_once_enough_have(site: Site) -> None:
    desk = open_desk(site)
    key = hardware(desk, "dana", "ada")
    asked = one(desk, key)
    with site.writing():
        Approval.objects.update(needed=2)
    path = f"request/{key}/approval/{asked['id']}"
    waiting = desk.post(path, {"decision": "approve"}, by="ada", status=200)
    assert waiting["finalDecision"] == "pending"
    assert desk.get(f"request/{key}")["currentStatus"]["status"] == "Waiting for approval"
    done = desk.post(path, {"decision": "approve"}, by="dana", status=200)
    assert done["finalDecision"] == "approved"
    assert desk.get(f"request/{key}")["currentStatus"]["status"] == "Waiting for support"


def test_approvers_may_be_named_later_and_only_a_decision_leads_on(site: Site) -> None:
    desk = open_desk(site)
    key = hardware(desk)
    assert one(desk, key)["approvers"] == []
    people = [{"accountId": site.ids["dana"]}]
    site.put(f"issue/{key}", {"fields": {APPROVERS: people}}, by="dev")
    assert [who["approver"]["accountId"] for who in one(desk, key)["approvers"]] == [
        site.ids["dana"]
    ]
    site.put(f"issue/{key}", {"fields": {APPROVERS: []}}, by="dev")
    assert one(desk, key)["approvers"] == []
    # To withdraw the request ends the waiting without an answer.
    offered = desk.get(f"request/{key}/transition", by="cara")["values"]
    assert offered == [{"id": "131", "name": "Withdraw"}]
    desk.post(f"request/{key}/transition", {"id": "131"}, by="cara", status=204)
    assert desk.get(f"request/{key}/approval", by="cara")["values"] == []
    with site.store():
        assert not Approval.objects.exists()
    gone = desk.get(f"request/{key}/approval/1", status=404)
    assert desk.error(gone)[0] == (
        "The approval does not exist or you do not have permission to view it."
    )
