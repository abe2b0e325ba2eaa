"""Admin Center: team members, roles, fields of people, brands, addresses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpdesk.web.admin_seat import Seat, form_of, rows
from tests.helpdesk.web.conftest import AGENT, Office

MEMBERS = "/admin/people/team/members"
ROLES = "/admin/people/team/roles"


@pytest.fixture
def olga(office: Office) -> Seat:
    """The small desk with its owner signed in."""
    return Seat(office)


@pytest.mark.parametrize(
    "path",
    [
        MEMBERS,
        f"{MEMBERS}/new",
        ROLES,
        f"{ROLES}/new",
        "/admin/people/configuration/user_fields",
        "/admin/people/configuration/satisfaction",
        "/admin/objects-rules/tickets/ticket-fields",
        "/admin/objects-rules/tickets/ticket-forms/new",
        "/admin/objects-rules/omnichannel-routing/routing-configuration",
        "/admin/account/settings",
        "/admin/apps-integrations/apis/api-tokens",
        "/admin/apps-integrations/webhooks/webhooks",
    ],
)
def test_only_admins_open_them(ana: Office, path: str) -> None:
    assert ana.get(path).status == 403
    assert ana.post(path, {"name": "Hers"}).status == 403
    assert ana.changes() == []


def test_the_team_is_listed_searched_and_filtered(olga: Seat) -> None:
    page = olga.get(MEMBERS)
    for name in ("Olga Owens", "Ana Lima", "Ben Okafor", "Billing, Support"):
        assert name in page.text
    assert "Mara Voss" not in page.text
    assert "Ana Lima" not in olga.get(MEMBERS, q="ben@").text
    assert "Ana Lima" not in olga.get(MEMBERS, role="admin").text
    assert "No team members" in olga.get(MEMBERS, status="suspended").text


def test_a_team_member_is_invited_changed_and_shown_by_the_api(olga: Seat) -> None:
    sent: dict[str, Any] = {
        "name": "Cleo Park",
        "email": "cleo@kestrel.example",
        "role": "agent",
    }
    sent |= {"groups": [str(olga.keys.billing)], "ticket_restriction": "groups"}
    place = olga.save(f"{MEMBERS}/new", sent)
    key = place.rpartition("/")[2]
    shown = olga.api(f"users/{key}.json")["user"]
    assert (shown["email"], shown["role"]) == ("cleo@kestrel.example", "agent")
    assert (shown["ticket_restriction"], shown["default_group_id"]) == (
        "groups",
        olga.keys.billing,
    )
    groups = olga.api(f"users/{key}/group_memberships.json")["group_memberships"]
    assert [item["group_id"] for item in groups] == [olga.keys.billing]
    made = olga.save(f"{ROLES}/new", {"name": "Refunds"})
    role = made.rpartition("/")[2]
    olga.change(place, custom_role_id=role, ticket_restriction="", alias="CP")
    shown = olga.api(f"users/{key}.json")["user"]
    assert (shown["custom_role_id"], shown["ticket_restriction"]) == (int(role), None)
    assert (shown["alias"], shown["name"]) == ("CP", "Cleo Park")
    assert "Refunds" in olga.get(MEMBERS, q="cleo").text
    olga.change(place, role="admin")
    assert olga.api(f"users/{key}.json")["user"]["role"] == "admin"


def test_invitations_that_cannot_be_say_why_and_keep_what_was_typed(olga: Seat) -> None:
    for email, said in (
        ("", "Email: cannot be blank"),
        (AGENT, "Email: ana@kestrel.example is already being used by another user"),
        ("nobody", "Email:"),
    ):
        page = olga.refused(f"{MEMBERS}/new", {"name": "Dora", "email": email, "role": "agent"})
        assert said in page.text
        assert page.field("name") == "Dora"
    assert olga.office.changes() == []


def test_a_member_is_suspended_and_let_in_again(olga: Seat) -> None:
    place = f"{MEMBERS}/{olga.keys.agent}"
    assert "Suspend Ana Lima?" in olga.get(f"{place}/suspend").text
    olga.save(f"{place}/suspend")
    assert olga.api(f"users/{olga.keys.agent}.json")["user"]["suspended"] is True
    assert "Ana Lima (suspended)" in olga.get(place).text
    assert "Ana Lima" in olga.get(MEMBERS, status="suspended").text
    olga.save(f"{place}/suspend")
    assert olga.api(f"users/{olga.keys.agent}.json")["user"]["suspended"] is False


def test_a_downgraded_member_leaves_groups_and_tickets(olga: Seat) -> None:
    key = olga.keys.agent
    assert olga.save(f"{MEMBERS}/{key}/downgrade") == MEMBERS
    shown = olga.api(f"users/{key}.json")["user"]
    assert (shown["role"], shown["default_group_id"]) == ("end-user", None)
    assert olga.api(f"users/{key}/group_memberships.json")["group_memberships"] == []
    assert olga.office.ticket(olga.keys.broken).assignee_id not in (None, key)
    assert olga.office.ticket(olga.keys.closed).assignee_id == key
    assert olga.office.get(f"{MEMBERS}/{key}").status == 404


def test_unverified_nobody_takes_the_desk_from_themselves(olga: Seat) -> None:
    place = olga.get("/admin").html
    assert "Team members" in place
    own = next(
        item["id"] for item in olga.api("users.json?role=admin")["users"] if item["role"] == "admin"
    )
    form = form_of(olga.get(f"{MEMBERS}/{own}"))
    assert (
        "cannot change your own role"
        in olga.refused(f"{MEMBERS}/{own}", {**form, "role": "agent"}).text
    )
    for verb in ("suspend", "downgrade"):
        assert "You cannot" in olga.refused(f"{MEMBERS}/{own}/{verb}").text
    assert olga.office.changes() == []


def test_unverified_a_member_keeps_a_group(olga: Seat) -> None:
    place = f"{MEMBERS}/{olga.keys.agent}"
    form = form_of(olga.get(place))
    assert "needs one" in olga.refused(place, {**form, "groups": []}).text
    olga.change(place, groups=[str(olga.keys.billing)])
    assert olga.api(f"users/{olga.keys.agent}.json")["user"]["default_group_id"] == (
        olga.keys.billing
    )


def test_a_role_is_made_changed_cloned_and_deleted(olga: Seat) -> None:
    sent = {"name": "Refunds", "description": "Money", "right_ticket_access": "within-groups"}
    place = olga.save(f"{ROLES}/new", {**form_of(olga.get(f"{ROLES}/new")), **sent})
    key = place.rpartition("/")[2]
    shown = olga.api(f"custom_roles/{key}.json")["custom_role"]
    assert (shown["name"], shown["description"]) == ("Refunds", "Money")
    assert shown["configuration"]["ticket_access"] == "within-groups"
    assert shown["configuration"]["ticket_deletion"] is False
    olga.change(place, right_ticket_deletion="true", name="Refunds desk")
    shown = olga.api(f"custom_roles/{key}.json")["custom_role"]
    assert (shown["name"], shown["configuration"]["ticket_deletion"]) == ("Refunds desk", True)
    clone = form_of(olga.get(f"{place}/clone"))
    assert (clone["name"], clone["right_ticket_deletion"]) == ("Refunds desk (copy)", "true")
    olga.save(f"{ROLES}/new", clone)
    olga.change(f"{MEMBERS}/{olga.keys.agent}", custom_role_id=key)
    assert "agents are assigned to this role" in olga.refused(f"{place}/delete").text
    other = next(
        item for item in olga.api("custom_roles.json")["custom_roles"] if "copy" in item["name"]
    )
    assert olga.save(f"{ROLES}/{other['id']}/delete") == ROLES
    assert olga.ask(f"custom_roles/{other['id']}.json").status_code == 404


def test_what_roles_refuse_is_said(olga: Seat) -> None:
    page = olga.refused(f"{ROLES}/new", {"name": "", "description": "Kept"})
    assert "cannot be blank" in page.text
    assert "Kept" in page.html
    admin = next(
        item for item in olga.api("custom_roles.json")["custom_roles"] if item["name"] == "Admin"
    )
    place = f"{ROLES}/{admin['id']}"
    assert "system roles cannot be changed" in olga.refused(place, form_of(olga.get(place))).text
    assert 'data-test-id="admin-delete"' not in olga.get(place).html


@pytest.mark.parametrize("owner", ["user", "organization"])
def test_fields_of_people_are_made_changed_ordered_and_deleted(olga: Seat, owner: str) -> None:
    base = f"/admin/people/configuration/{owner}_fields"
    assert "Drop-down" in olga.get(f"{base}/new").text
    form = {"title": "Tier", "key": "tier", "description": "Which"}
    options = rows("option", {"name": "Gold"}, {"name": "Silver", "value": "tier_silver"})
    place = olga.save(f"{base}/new?type=dropdown", {**form, **options})
    key = place.rpartition("/")[2]
    shown = olga.api(f"{owner}_fields/{key}.json")[f"{owner}_field"]
    assert (shown["title"], shown["key"], shown["type"]) == ("Tier", "tier", "dropdown")
    values = [item["value"] for item in shown["custom_field_options"]]
    assert values == ["gold", "tier_silver"]
    second = olga.save(f"{base}/new?type=text", {"title": "Nick", "key": "nick"})
    olga.save(f"{base}/order", {"up": second.rpartition("/")[2]})
    listed = [item["key"] for item in olga.api(f"{owner}_fields.json")[f"{owner}_fields"]]
    assert listed[-2:] == ["nick", "tier"]
    page = olga.post(place, {**form_of(olga.get(place)), "do": "option:up:1"})
    assert (page.status, page.field("option-0-name")) == (200, "Silver")
    olga.change(place, **rows("option", {"name": "Silver", "value": "tier_silver"}))
    shown = olga.api(f"{owner}_fields/{key}.json")[f"{owner}_field"]
    assert [item["name"] for item in shown["custom_field_options"]] == ["Silver"]
    olga.save(f"{place}/status")
    assert olga.api(f"{owner}_fields/{key}.json")[f"{owner}_field"]["active"] is False
    assert olga.save(f"{place}/delete") == base
    assert olga.ask(f"{owner}_fields/{key}.json").status_code == 404
    page = olga.refused(f"{base}/new?type=text", {"title": "Nick 2", "key": "nick"})
    assert "Key: has already been taken" in page.text
    assert page.field("title") == "Nick 2"


def test_brands_and_their_addresses(olga: Seat) -> None:
    base, mail = "/admin/account/brand-management/brands", "/admin/channels/talk-and-email/email"
    form = {"name": "Outlet", "subdomain": "outlet", "active": "true"}
    place = olga.save(f"{base}/new", form)
    key = place.rpartition("/")[2]
    shown = olga.api(f"brands/{key}.json")["brand"]
    assert (shown["name"], shown["subdomain"], shown["active"]) == ("Outlet", "outlet", True)
    taken = olga.refused(f"{base}/new", {**form, "name": "Other"})
    assert "Subdomain: has already been taken" in taken.text
    assert taken.field("name") == "Other"
    address = olga.save(
        f"{mail}/new", {"email": "Outlet@kestrel.example", "name": "Outlet", "brand_id": key}
    )
    shown = olga.api(f"recipient_addresses/{address.rpartition('/')[2]}.json")
    assert shown["recipient_address"]["email"] == "outlet@kestrel.example"
    assert shown["recipient_address"]["brand_id"] == int(key)
    assert "Outlet" in olga.get(mail, q="outlet@").text
    olga.change(address, default="true")
    assert "default support address cannot be deleted" in olga.refused(f"{place}/delete").text
    olga.change(place, default="true")
    settings = olga.api("account/settings.json")["settings"]
    assert settings["brands"]["default_brand_id"] == int(key)
    form = form_of(olga.get(place))
    form.pop("default")
    assert "another brand must become" in olga.refused(place, form).text


def test_account_settings_are_those_of_the_api(olga: Seat) -> None:
    made = olga.save(
        "/admin/account/brand-management/brands/new",
        {"name": "Outlet", "subdomain": "outlet", "active": "true"},
    )
    key = made.rpartition("/")[2]
    olga.change("/admin/account/settings", default_brand_id=key)
    settings = olga.api("account/settings.json")["settings"]
    assert settings["brands"]["default_brand_id"] == int(key)
    page = olga.refused("/admin/account/settings", {"default_brand_id": "1"})
    assert "Brand: is invalid" in page.text
    reasons = olga.api("satisfaction_reasons.json")["reasons"]
    page = olga.get("/admin/people/configuration/satisfaction")
    assert all(item["value"] in page.text for item in reasons)
