"""Tags of people and organizations on the tickets that are theirs."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.inbound import receive_mail, receive_message
from clones.helpdesk.domain.values import Mail
from clones.helpdesk.models import Audit, Organization, Ticket, User
from tests.helpdesk.conftest import Desk

OTHER = 901


@pytest.fixture(autouse=True)
def tagged(desk: Desk) -> None:
    """Rosa is a VIP of Acme, a dealer; Tom writes for Brook, and the agent Ben is new."""
    with desk.writing():
        acme = Organization.objects.get(id=900)
        made = {"created_at": acme.created_at, "updated_at": acme.updated_at}
        brook = Organization.objects.create(id=OTHER, name="Brook", tags=["school"], **made)
        Organization.objects.filter(id=900).update(tags=["dealer"])
        User.objects.filter(id=desk.ids["rosa"]).update(tags=["vip", "loud"])
        User.objects.filter(id=desk.ids["ben"]).update(tags=["trainee"])
        User.objects.filter(id=desk.ids["tom"]).update(tags=["loud"], organization=brook)


def tags_of(desk: Desk, key: int) -> Any:
    return desk.get(f"tickets/{key}/tags.json")["tags"]


def test_a_ticket_by_the_api_has_the_tags_of_its_requester_and_organization(desk: Desk) -> None:
    made = desk.post(
        "tickets.json",
        {
            "ticket": {
                "requester_id": desk.ids["rosa"],
                "subject": "s",
                "comment": {"body": "b"},
                "tags": ["laser", "vip"],
            }
        },
    )
    assert made["ticket"]["tags"] == ["dealer", "laser", "loud", "vip"]
    event = next(e for e in made["audit"]["events"] if e.get("field_name") == "tags")
    assert (event["type"], event["value"]) == ("Create", ["dealer", "laser", "loud", "vip"])


def test_so_has_a_request_a_mail_a_bulk_ticket_and_a_strangers_none(desk: Desk) -> None:
    asked = {"request": {"subject": "s", "comment": {"body": "b"}}}
    key = desk.post("requests.json", asked, by="rosa")["request"]["id"]
    assert tags_of(desk, key) == ["dealer", "loud", "vip"]
    many = {"tickets": [{"requester_id": desk.ids["ben"], "comment": {"body": "b"}}]}
    desk.post("tickets/create_many.json", many, status=200)
    desk.drain()
    with desk.writing():
        assert Ticket.objects.latest("id").tags == ["trainee"]
        rosa = User.objects.get(id=desk.ids["rosa"])
        assert receive_mail(author=rosa, subject="s", body="b").ticket.tags == [
            "dealer",
            "loud",
            "vip",
        ]
        audit = receive_message(Mail("new@nowhere.example", "New", "s", "b"))
        assert isinstance(audit, Audit)
        assert audit.ticket.tags == []


def test_triggers_see_them(desk: Desk) -> None:
    rule = {
        "title": "Dealers first",
        "all": [
            {"field": "update_type", "operator": "is", "value": "Create"},
            {"field": "current_tags", "operator": "includes", "value": "dealer"},
        ],
        "actions": [{"field": "priority", "value": "high"}],
    }
    desk.post("triggers.json", {"trigger": rule}, by="olga")
    assert desk.ticket()["priority"] == "high"
    assert desk.ticket(requester_id=desk.ids["tom"])["priority"] is None


def test_of_several_organizations_the_tickets_own_counts(desk: Desk) -> None:
    more = {"organization_membership": {"user_id": desk.ids["rosa"], "organization_id": OTHER}}
    desk.post("organization_memberships.json", more, by="olga")
    assert desk.ticket(organization_id=OTHER)["tags"] == ["loud", "school", "vip"]
    assert desk.ticket()["tags"] == ["dealer", "loud", "vip"]


def test_another_requester_brings_other_tags(desk: Desk) -> None:
    key = desk.ticket(tags=["laser"])["id"]
    sent = {"ticket": {"requester_id": desk.ids["tom"]}}
    answer = desk.put(f"tickets/{key}.json", sent)
    assert answer["ticket"]["tags"] == ["laser", "loud", "school"]
    change = next(e for e in answer["audit"]["events"] if e.get("field_name") == "tags")
    assert change["previous_value"] == ["dealer", "laser", "loud", "vip"]


def test_another_organization_brings_its_own_and_leaves_the_requesters(desk: Desk) -> None:
    more = {"organization_membership": {"user_id": desk.ids["rosa"], "organization_id": OTHER}}
    desk.post("organization_memberships.json", more, by="olga")
    key = desk.ticket()["id"]
    moved = desk.put(f"tickets/{key}.json", {"ticket": {"organization_id": OTHER}})
    assert moved["ticket"]["tags"] == ["loud", "school", "vip"]
    nowhere = desk.put(f"tickets/{key}.json", {"ticket": {"organization_id": None}})
    assert nowhere["ticket"]["tags"] == ["loud", "vip"]


def test_other_updates_and_later_changes_of_profiles_bring_none(desk: Desk) -> None:
    key = desk.ticket()["id"]
    desk.put(f"tickets/{key}/tags.json", {"tags": ["more"]})
    desk.call("DELETE", f"tickets/{key}/tags.json", {"tags": ["vip"]})
    desk.put(f"users/{desk.ids['rosa']}.json", {"user": {"tags": ["calm"]}})
    answer = desk.put(f"tickets/{key}.json", {"ticket": {"priority": "low"}})
    assert answer["ticket"]["tags"] == ["dealer", "loud", "more"]
    assert desk.ticket()["tags"] == ["calm", "dealer"]


def test_unverified_imported_tickets_keep_the_tags_they_are_given(desk: Desk) -> None:
    past = {
        "requester_id": desk.ids["rosa"],
        "subject": "s",
        "tags": ["old"],
        "comments": [{"value": "b", "author_id": desk.ids["rosa"]}],
    }
    made = desk.post("imports/tickets.json", {"ticket": past}, by="olga")["ticket"]
    assert made["tags"] == ["old"]
    with desk.bound(), unit_of_work("read"):
        assert Ticket.objects.get(id=made["id"]).tags == ["old"]
