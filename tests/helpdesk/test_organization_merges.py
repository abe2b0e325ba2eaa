"""Merging organizations."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.domain.organization_merging import start_merge
from clones.helpdesk.models import Organization, User
from tests.helpdesk.conftest import Desk


def _make(desk: Desk, name: str, **values: Any) -> int:
    body = {"organization": {"name": name, **values}}
    return int(desk.post("organizations.json", body, by="olga")["organization"]["id"])


def _join(desk: Desk, user: int, organization: int) -> None:
    place = {"user_id": user, "organization_id": organization}
    desk.post("organization_memberships.json", {"organization_membership": place})


def _merge(desk: Desk, loser: int, winner: int, status: int = 200) -> Any:
    body = {"organization_merge": {"winner_id": winner}}
    path = f"organizations/{loser}/merge.json"
    answer = desk.post(path, body, by="olga", status=status)
    return answer.get("organization_merge", answer)


def test_people_tickets_and_domains_move_to_the_winner(desk: Desk) -> None:
    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    beta = _make(desk, "Beta", domain_names=["beta.example"], notes="kept")
    _join(desk, rosa, beta)
    _join(desk, tom, 900)
    ticket = desk.ticket()["id"]
    closed = desk.ticket(status="closed", assignee_id=desk.ids["ana"])["id"]
    merge = _merge(desk, 900, beta)
    assert (merge["loser_id"], merge["winner_id"], merge["status"]) == (900, beta, "new")
    desk.drain()
    shown = desk.get(f"organization_merges/{merge['id']}.json", by="olga")["organization_merge"]
    assert shown == {**merge, "status": "complete"}
    assert merge["url"].endswith(f"/api/v2/organization_merges/{merge['id']}.json")
    assert desk.call("GET", "organizations/900.json").status == 404
    kept = desk.get(f"organizations/{beta}.json")["organization"]
    assert kept["domain_names"] == ["beta.example", "acme.example"]
    assert kept["notes"] == "kept"
    for user in (rosa, tom):
        assert desk.get(f"users/{user}.json")["user"]["organization_id"] == beta
        places = desk.get(f"users/{user}/organization_memberships.json")
        assert [
            (item["organization_id"], item["default"])
            for item in places["organization_memberships"]
        ] == [(beta, True)]
    for key in (ticket, closed):
        assert desk.get(f"tickets/{key}.json")["ticket"]["organization_id"] == beta
    event = desk.get(f"tickets/{ticket}/audits.json")["audits"][-1]["events"][0]
    assert (event["field_name"], event["value"]) == ("organization_id", str(beta))


def test_the_merges_of_an_organization_are_listed_in_pages(desk: Desk) -> None:
    winner = _make(desk, "Winner")
    made = []
    for name in ("One", "Two"):
        made.append(_merge(desk, _make(desk, name), winner))
        desk.drain()
    path = f"organizations/{winner}/merges.json"
    listed = desk.get(path, by="olga")["organization_merges"]
    assert [item["id"] for item in listed] == [item["id"] for item in made]
    assert {item["status"] for item in listed} == {"complete"}
    page = desk.get(f"{path}?page[size]=1", by="olga")
    assert page["meta"]["has_more"] is True
    following = desk.get(page["links"]["next"].partition("/api/v2/")[2], by="olga")
    assert [item["id"] for item in following["organization_merges"]] == [made[1]["id"]]
    lost = desk.get(f"organizations/{made[0]['loser_id']}/merges.json", by="olga")
    assert [item["id"] for item in lost["organization_merges"]] == [made[0]["id"]]
    assert desk.get("organizations/900/merges.json", by="olga")["organization_merges"] == []


def test_a_merge_whose_winner_is_gone_meanwhile_is_an_error(desk: Desk) -> None:
    loser, winner = _make(desk, "Loser"), _make(desk, "Winner")
    with desk.writing():
        merge = start_merge(
            Organization.objects.get(id=loser),
            Organization.objects.get(id=winner),
            actor=User.objects.get(id=desk.ids["olga"]),
            client=None,
        )
    path = f"organization_merges/{merge.id}.json"
    assert desk.get(path, by="olga")["organization_merge"]["status"] == "new"
    desk.call("DELETE", f"organizations/{winner}.json", by="olga")
    desk.drain()
    shown = desk.get(path, by="olga")["organization_merge"]
    assert shown["status"] == "error"
    assert desk.get(f"organizations/{loser}.json")["organization"]["name"] == "Loser"


def test_merges_of_organizations_are_the_admins_and_need_two(desk: Desk) -> None:
    beta = _make(desk, "Beta")
    body = {"organization_merge": {"winner_id": beta}}
    assert desk.call("POST", "organizations/900/merge.json", body, by="ana").status == 403
    assert _merge(desk, beta, beta, status=422)["error"] == "RecordInvalid"
    assert _merge(desk, 1, beta, status=404)["error"] == "RecordNotFound"
    assert _merge(desk, beta, 1, status=404)["error"] == "RecordNotFound"
    assert desk.call("POST", f"organizations/{beta}/merge.json", {}, by="olga").status == 400
    for path in ("organization_merges/x.json", "organizations/1/merges.json"):
        assert desk.call("GET", path, by="olga").status == 404
        assert desk.call("GET", path, by="ana").status == 403
    job = desk.post("users/create_many.json", {"users": [{"name": "x"}]}, by="olga", status=200)
    other = f"organization_merges/{job['job_status']['id']}.json"
    assert desk.call("GET", other, by="olga").status == 404
