"""A user's page: properties changed in place, identities, organizations, sessions, actions."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from clones.core import clock, ids
from clones.core.journal import act
from clones.core.models import Session
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain import people
from clones.helpdesk.domain.profile_fields import create_field
from clones.helpdesk.models import (
    Identity,
    Organization,
    OrganizationMembership,
    Ticket,
    User,
)
from tests.helpdesk.web.conftest import Office, Shown

OLGA = "olga@kestrel.example"


def page_of(office: Office, tab: str = "requested_tickets", key: int | None = None) -> str:
    return f"/agent/users/{key or office.keys.customer}/{tab}"


def save(office: Office, key: int | None = None, **changes: Any) -> Shown:
    """Open a user's page, change fields of its form, and save it."""
    key = key or office.keys.customer
    sent = office.get(page_of(office, key=key)).fields_of("User properties")
    return office.post(f"/agent/users/{key}", {**sent, **changes})


def wrote(office: Office, work: Callable[[], Any]) -> Any:
    with office.bound(), unit_of_work("write"), act(actor="test", label="arrange"):
        return work()


def by_api(office: Office, path: str) -> Any:
    """Read with the same session by the API."""
    answer = office.client.get(f"/api/v2/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def company(office: Office, name: str) -> int:
    def make() -> int:
        now = clock.now()
        return Organization.objects.create(
            id=ids.next_stamp(Organization), name=name, created_at=now, updated_at=now
        ).id

    return int(wrote(office, make))


def stranger(office: Office, name: str = "Nina Berg", email: str = "nina@else.example") -> int:
    return int(wrote(office, lambda: people.add_user(name=name, email=email, role="end-user").id))


def test_the_form_shows_what_is_known(ana: Office) -> None:
    page = ana.get(page_of(ana))
    sent = page.fields_of("User properties")
    assert sent["name"] == "Mara Voss"
    assert sent["phone"] == "+44 20 7946 0018"
    assert sent["organization"] == "Acme Works"
    assert sent["notes"] == "Prefers to be written to."
    assert sent["locale"] == "en-US"
    assert "role" in sent  # shown, though agents cannot change it
    assert 'data-test-id="user-profile-role" disabled' in page.html


def test_saving_an_untouched_form_changes_nothing(ana: Office) -> None:
    assert save(ana).status == 302
    assert ana.changes() == []
    assert "has not been changed" in ana.get(page_of(ana)).text


def test_properties_are_changed_and_the_api_says_the_same(ana: Office) -> None:
    shown = save(
        ana,
        name="Mara Voss-Lind",
        phone="+49 30 1",
        locale="de",
        time_zone="Berlin",
        tags="vip june",
        details="Buys lenses.",
        notes="First line\r\nsecond line",
        external_id="crm-9",
    )
    assert shown.status == 302
    assert shown.location == page_of(ana)
    assert "User has been updated" in ana.get(page_of(ana)).text
    user = by_api(ana, f"users/{ana.keys.customer}.json")["user"]
    assert user["name"] == "Mara Voss-Lind"
    assert (user["phone"], user["locale"], user["external_id"]) == ("+49 30 1", "de", "crm-9")
    assert (user["time_zone"], user["iana_time_zone"]) == ("Berlin", "Europe/Berlin")
    assert user["tags"] == ["june", "vip"]
    assert user["notes"] == "First line\nsecond line"
    assert user["organization_id"] is not None


def test_only_what_was_changed_is_written(ana: Office) -> None:
    sent = ana.get(page_of(ana)).fields_of("User properties")
    wrote(ana, lambda: User.objects.filter(id=ana.keys.customer).update(phone="+1 555"))
    ana.post(f"/agent/users/{ana.keys.customer}", {**sent, "notes": "Calls back."})
    user = ana.user(ana.keys.customer)
    assert (user.phone, user.notes) == ("+1 555", "Calls back.")


def test_a_refusal_is_shown_at_its_field_and_what_was_typed_stays(ana: Office) -> None:
    shown = save(ana, name=" ", details="Typed before.")
    assert shown.status == 422
    assert "Name: is too short (minimum is 1 characters)" in shown.text
    assert 'id="name-error"' in shown.html
    assert "Typed before." in shown.text
    assert ana.changes() == []


def test_an_organization_is_chosen_typed_cleared_or_refused(ana: Office) -> None:
    firm = company(ana, "Blue Harbour")
    save(ana, organization="Blue Harbour", organization_id=str(firm))
    assert ana.user(ana.keys.customer).organization_id == firm
    save(ana, organization="acme works", organization_id="")
    assert by_api(ana, f"users/{ana.keys.customer}.json")["user"]["organization_id"] != firm
    refused = save(ana, organization="Nowhere Ltd", organization_id="")
    assert refused.status == 422
    assert "Organization: is invalid" in refused.text
    save(ana, organization="", organization_id="")
    assert ana.user(ana.keys.customer).organization_id is None


def test_fields_of_the_account_are_shown_by_title_and_saved(ana: Office) -> None:
    def make() -> None:
        owner = User.objects.get(email=OLGA)
        for changes in (
            {
                "key": "tier",
                "title": "Support tier",
                "type": "dropdown",
                "custom_field_options": [{"name": "Gold", "value": "gold"}],
            },
            {"key": "beta", "title": "Beta tester", "type": "checkbox", "tag": "beta"},
            {"key": "seats", "title": "Seats", "type": "integer"},
        ):
            create_field("user", actor=owner, changes=changes)

    wrote(ana, make)
    assert "Support tier" in ana.get(page_of(ana)).text
    save(ana, user_fields_tier="gold", user_fields_beta="true", user_fields_seats="12")
    user = by_api(ana, f"users/{ana.keys.customer}.json")["user"]
    assert user["user_fields"] == {"tier": "gold", "beta": True, "seats": 12}
    assert {"beta", "gold"} <= set(user["tags"])
    refused = save(ana, user_fields_seats="many")
    assert refused.status == 422
    assert "Seats: is invalid" in refused.text
    assert 'id="user_fields_seats-error"' in refused.html
    sent = ana.get(page_of(ana)).fields_of("User properties")
    del sent["user_fields_beta"]
    ana.post(f"/agent/users/{ana.keys.customer}", sent)
    assert by_api(ana, f"users/{ana.keys.customer}.json")["user"]["user_fields"]["beta"] is False


def test_unverified_agents_do_not_change_agents_or_roles(ana: Office) -> None:
    colleague = ana.get(page_of(ana, key=ana.keys.colleague))
    assert 'data-test-id="profile-save-button"' not in colleague.html
    assert 'data-test-id="user-options-button"' not in colleague.html
    refused = ana.post(f"/agent/users/{ana.keys.colleague}", {"name": "X", "loaded": "{}"})
    assert refused.status == 302  # all its fields are off: nothing of it is taken
    save(ana, role="admin")
    assert ana.changes() == []


def test_admins_change_roles_and_access(office: Office) -> None:
    olga = office.sign_in(OLGA)
    save(olga, key=olga.keys.customer, role="agent")
    assert olga.user(olga.keys.customer).role == "agent"
    save(olga, key=olga.keys.customer, ticket_restriction="groups", alias="Ms V")
    user = by_api(olga, f"users/{olga.keys.customer}.json")["user"]
    assert (user["ticket_restriction"], user["alias"]) == ("groups", "Ms V")
    mine = by_api(olga, "users/me.json")["user"]["id"]
    assert 'data-test-id="user-profile-role" disabled' in olga.get(page_of(olga, key=mine)).html


def identities(office: Office) -> dict[str, tuple[bool, bool]]:
    with office.bound(), unit_of_work("read"):
        rows = Identity.objects.filter(user_id=office.keys.customer)
        return {row.value: (row.primary, row.verified) for row in rows}


def identity_id(office: Office, value: str) -> int:
    with office.bound(), unit_of_work("read"):
        return Identity.objects.get(user_id=office.keys.customer, value=value).id


def test_identities_are_added_verified_made_primary_and_removed(ana: Office) -> None:
    path = page_of(ana, "identities")
    change = f"{path}/change"
    added = {"do": "add", "type": "email", "value": "Mara@Home.example"}
    assert ana.post(change, added).location == path
    ana.post(change, {"do": "add", "type": "phone_number", "value": "+49 30 2"})
    page = ana.get(path)
    assert "mara@home.example" in page.text
    assert "+49 30 2" in page.text
    key = identity_id(ana, "mara@home.example")
    ana.post(change, {"do": "verify", "identity": key})
    ana.post(change, {"do": "primary", "identity": key})
    assert identities(ana)["mara@home.example"] == (True, True)
    assert by_api(ana, f"users/{ana.keys.customer}.json")["user"]["email"] == "mara@home.example"
    ana.post(change, {"do": "remove", "identity": identity_id(ana, "mara@acme.example")})
    assert "mara@acme.example" not in identities(ana)
    refused = ana.post(change, {"do": "remove", "identity": key})
    assert refused.status == 422
    assert "the primary identity cannot be deleted" in refused.text


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("ben@kestrel.example", "ben@kestrel.example is already being used by another user"),
        ("nowhere", "nowhere is not properly formatted"),
        ("", "Value: cannot be blank"),
    ],
)
def test_addresses_that_cannot_be_are_refused(ana: Office, value: str, said: str) -> None:
    path = page_of(ana, "identities")
    shown = ana.post(f"{path}/change", {"do": "add", "type": "email", "value": value})
    assert shown.status == 422
    assert said in shown.text
    assert f'name="value" value="{value}"' in shown.html
    assert ana.changes() == []


def test_identities_of_agents_are_for_admins(ana: Office) -> None:
    path = page_of(ana, "identities", ana.keys.colleague)
    shown = ana.post(f"{path}/change", {"do": "add", "type": "email", "value": "b@else.example"})
    assert "only admins change agents" in shown.text
    assert ana.changes() == []


def test_a_user_joins_and_leaves_organizations(ana: Office) -> None:
    firm = company(ana, "Blue Harbour")
    path = page_of(ana, "organizations")
    given = {"do": "add", "organization": "Blue Harbour", "organization_id": firm}
    assert ana.post(f"{path}/change", given).location == path
    assert "Organizations (2)" in ana.get(path).text
    with ana.bound(), unit_of_work("read"):
        place = OrganizationMembership.objects.get(organization_id=firm).id
        old = OrganizationMembership.objects.exclude(id=place).get(user_id=ana.keys.customer).id
    ana.post(f"{path}/change", {"do": "default", "membership": place})
    assert ana.user(ana.keys.customer).organization_id == firm
    ana.post(f"{path}/change", {"do": "remove", "membership": old})
    assert "Acme Works" not in ana.get(path).text
    # Tickets that are not closed leave the organization with their requester.
    assert ana.ticket(ana.keys.charged).organization_id is None
    assert ana.ticket(ana.keys.closed).organization_id is not None
    again = ana.post(f"{path}/change", given)
    assert again.status == 422
    assert "User: has already been taken" in again.text


def test_access_is_suspended_and_given_back(ana: Office) -> None:
    path = f"/agent/users/{ana.keys.customer}/access"
    assert ana.post(path, {"suspended": "1"}).status == 302
    page = ana.get(page_of(ana))
    assert "Suspended" in page.text
    assert "Unsuspend access" in page.text
    assert by_api(ana, f"users/{ana.keys.customer}.json")["user"]["suspended"] is True
    ana.post(path, {"suspended": "0"})
    assert ana.user(ana.keys.customer).suspended is False
    assert ana.post(f"/agent/users/{ana.keys.agent}/access", {"suspended": "1"}).status == 422
    refused = ana.post(f"/agent/users/{ana.keys.colleague}/access", {"suspended": "1"})
    assert "only admins change agents" in refused.text


def test_users_are_merged_after_a_look_at_both(ana: Office) -> None:
    other = stranger(ana)
    path = f"/agent/users/{ana.keys.customer}/merge"
    assert 'name="into"' in ana.get(path).html
    unknown = ana.get(path, into="Nobody Known")
    assert unknown.status == 422
    assert 'value="Nobody Known"' in unknown.html
    look = ana.get(path, into="nina@else.example")
    assert "This user stays Nina Berg" in unescape(look.text).replace(" NB", "")
    assert ana.changed("helpdesk_ticket") == []
    given = {"into": "nina@else.example", "into_id": other}
    done = ana.post(path, given)
    assert done.location == page_of(ana, key=other)
    assert ana.ticket(ana.keys.charged).requester_id == other
    assert ana.user(ana.keys.customer).active is False
    page = ana.get(page_of(ana, key=other))
    assert "mara@acme.example" in page.text
    assert "Requested tickets (3)" in page.text
    assert by_api(ana, f"users/{ana.keys.customer}.json")["user"]["active"] is False


def test_a_merge_that_cannot_be_says_why(ana: Office) -> None:
    path = f"/agent/users/{ana.keys.customer}/merge"
    with_self = ana.post(path, {"into": "mara@acme.example"})
    assert with_self.status == 422
    assert "cannot be merged with themselves" in with_self.text
    with_agent = ana.post(path, {"into": "ben@kestrel.example"})
    assert "is not an active end user" in with_agent.text
    assert ana.get(f"/agent/users/{ana.keys.colleague}/merge").status == 403


def test_a_user_is_deleted_after_asking_and_erased_by_admins(office: Office) -> None:
    ana = office.sign_in()
    path = f"/agent/users/{ana.keys.customer}"
    assert "3 requested" in ana.get(f"{path}/delete").text
    assert ana.changes() == []
    assert ana.post(f"{path}/delete").location == page_of(ana)
    page = ana.get(page_of(ana))
    assert "Deleted" in page.text
    assert 'data-test-id="profile-save-button"' not in page.html
    assert "Mara Voss" not in ana.get("/agent/customers").text
    assert ana.get(f"{path}/erase").status == 403
    assert ana.get(f"/agent/users/{ana.keys.colleague}/delete").status == 403
    olga = Office(office.row, office.keys).sign_in(OLGA)
    assert "Permanently delete" in olga.get(page_of(olga)).text
    olga.post(f"{path}/erase")
    user = olga.user(olga.keys.customer)
    assert (user.name, user.email) == ("Permanently Deleted User", None)
    assert olga.ticket(olga.keys.charged).requester_id == user.id


def test_sessions_are_seen_and_ended_by_admins_and_their_owner(office: Office) -> None:
    ana = office.sign_in()
    assert ana.get(page_of(ana, "security", ana.keys.colleague)).status == 302
    own = ana.get(page_of(ana, "security", ana.keys.agent))
    assert "Active sessions 1" in own.text
    assert "Change password" in own.text
    olga = Office(office.row, office.keys).sign_in(OLGA)
    path = page_of(olga, "security", olga.keys.agent)
    assert "Change password" not in olga.get(path).text
    with olga.bound(), unit_of_work("read"):
        session = Session.objects.get(account__subject=str(olga.keys.agent), ended_at=None).id
    olga.post(f"{path}/change", {"do": "end", "session": session})
    assert "Nobody is signed in" in olga.get(path).text
    assert "unauthenticated" in ana.get("/agent/dashboard").location


def test_a_password_is_changed_by_its_owner(office: Office) -> None:
    ana = office.sign_in()
    path = page_of(ana, "security", ana.keys.agent)
    given = {"do": "password", "previous_password": "wrong", "password": "a-new-one"}
    assert "Previous password: is wrong" in ana.post(f"{path}/change", given).text
    given["previous_password"] = ana.passwords["ana@kestrel.example"]
    short = ana.post(f"{path}/change", {**given, "password": "abc"})
    assert "must be at least 5 characters" in short.text
    assert "abc" not in re.findall(r'value="([^"]*)"', short.html)
    assert ana.post(f"{path}/change", given).status == 302
    office.client = office.browser()
    office.passwords["ana@kestrel.example"] = "a-new-one"
    assert office.sign_in().get("/agent/dashboard").status == 200


def test_actions_need_the_token(ana: Office) -> None:
    for path in ("", "/access", "/delete", "/merge", "/identities/change", "/notes"):
        address = f"/agent/users/{ana.keys.customer}{path}"
        assert ana.client.post(address, {"suspended": "1"}).status_code == 403
    assert ana.changes() == []


def test_notes_are_changed_beside_a_ticket(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    assert "Prefers to be written to." in page.text
    path = f"/agent/users/{ana.keys.customer}/notes"
    given = {"notes": "Likes calls.", "ticket": ana.keys.charged, "authenticity_token": ana.token}
    part = ana.client.post(path, given, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert "Saved" in part.content.decode()
    assert "<html" not in part.content.decode()
    assert ana.user(ana.keys.customer).notes == "Likes calls."
    plain = ana.post(path, {"notes": "", "ticket": ana.keys.charged})
    assert plain.location == f"/agent/tickets/{ana.keys.charged}"
    assert not by_api(ana, f"users/{ana.keys.customer}.json")["user"]["notes"]
    refused = ana.post(f"/agent/users/{ana.keys.colleague}/notes", {"notes": "x"})
    assert refused.status == 422
    assert "only admins change agents" in refused.text


def test_the_history_of_a_customer_leads_on(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    history = page.html.partition("customer-context-interaction-history")[2]
    assert f'href="/agent/tickets/{ana.keys.broken}"' in history
    assert f'href="/agent/tickets/{ana.keys.closed}"' in history
    with ana.bound(), unit_of_work("read"):
        assert Ticket.objects.filter(requester_id=ana.keys.customer).count() == 3


# New users


def test_a_user_is_created(ana: Office) -> None:
    assert 'data-test-id="header-toolbar-add-menu-new-user"' in ana.get("/agent/dashboard").html
    assert ana.get("/agent/users/new").status == 200
    made = ana.post(
        "/agent/users/new", {"name": "Ida Holm", "email": "ida@acme.example", "role": "end-user"}
    )
    assert made.status == 302
    assert "User has been created" in ana.get(made.location).text
    [found] = by_api(ana, "users/search.json?query=ida@acme.example")["users"]
    assert found["name"] == "Ida Holm"
    assert found["organization_id"] == ana.user(ana.keys.customer).organization_id


def test_a_user_that_cannot_be_is_refused_and_the_form_kept(ana: Office) -> None:
    taken = {"name": "Ida Holm", "email": "ben@kestrel.example", "role": "end-user"}
    shown = ana.post("/agent/users/new", taken)
    assert shown.status == 422
    assert "is already being used by another user" in shown.text
    assert shown.field("name") == "Ida Holm"
    assert 'id="email-error"' in shown.html
    refused = ana.post("/agent/users/new", {"name": "Ida", "role": "agent"})
    assert "only admins create agents" in refused.text
    assert ana.changes() == []


def test_admins_make_agents(office: Office) -> None:
    olga = office.sign_in(OLGA)
    olga.post("/agent/users/new", {"name": "Kai", "email": "kai@kestrel.example", "role": "agent"})
    [found] = by_api(olga, "users/search.json?query=kai@kestrel.example")["users"]
    assert found["role"] == "agent"
