"""An organization's page, new organizations, and the lists of people and organizations."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain import people
from clones.helpdesk.models import Organization, OrganizationMembership
from tests.helpdesk.web.conftest import Office, Shown
from tests.helpdesk.web.test_user_page import OLGA, by_api, company, stranger, wrote


def firm_of(office: Office) -> int:
    return int(office.user(office.keys.customer).organization_id or 0)


def save(office: Office, **changes: Any) -> Shown:
    path = f"/agent/organizations/{firm_of(office)}"
    sent = office.get(path).fields_of("Organization properties")
    return office.post(path, {**sent, **changes})


def test_admins_change_an_organization(office: Office) -> None:
    olga = office.sign_in(OLGA)
    shown = save(
        olga,
        name="Acme Works GmbH",
        domain_names="acme.example acme.test",
        group_id=str(olga.keys.billing),
        shared_tickets="true",
        tags="gold",
        details="Since 2019.",
        notes="Pays late.",
        external_id="erp-7",
    )
    assert shown.location == f"/agent/organizations/{firm_of(olga)}"
    found = by_api(olga, f"organizations/{firm_of(olga)}.json")["organization"]
    assert found["name"] == "Acme Works GmbH"
    assert found["domain_names"] == ["acme.example", "acme.test"]
    assert (found["group_id"], found["shared_tickets"]) == (olga.keys.billing, True)
    assert (found["tags"], found["details"], found["notes"]) == (
        ["gold"],
        "Since 2019.",
        "Pays late.",
    )
    assert found["external_id"] == "erp-7"
    sent = olga.get(f"/agent/organizations/{firm_of(olga)}").fields_of("Organization properties")
    assert sent["shared_tickets"] == "true"


def test_a_refusal_keeps_what_was_typed(office: Office) -> None:
    olga = office.sign_in(OLGA)
    company(olga, "Blue Harbour")
    taken = save(olga, name="blue harbour", details="Typed.")
    assert taken.status == 422
    assert "Name: has already been taken" in taken.text
    assert "Typed." in taken.text
    assert 'id="name-error"' in taken.html
    assert "Domain names: nodots is invalid" in save(olga, domain_names="nodots").text
    with olga.bound(), unit_of_work("read"):
        kept = Organization.objects.get(id=firm_of(olga))
        assert (kept.name, kept.domain_names) == ("Acme Works", ["acme.example"])


def test_agents_change_notes_and_tags_only(ana: Office) -> None:
    page = ana.get(f"/agent/organizations/{firm_of(ana)}")
    assert 'data-test-id="organization-options-button"' not in page.html
    shown = save(ana, name="Stolen", notes="Call Mara first.", tags="vip calm")
    assert shown.status == 302
    found = by_api(ana, f"organizations/{firm_of(ana)}.json")["organization"]
    assert (found["name"], found["notes"]) == ("Acme Works", "Call Mara first.")
    assert found["tags"] == ["calm", "vip"]
    for what in ("delete", "merge"):
        assert ana.get(f"/agent/organizations/{firm_of(ana)}/{what}").status == 403


def test_people_are_added_and_taken_out(ana: Office) -> None:
    other = stranger(ana)
    path = f"/agent/organizations/{firm_of(ana)}/users"
    assert "Mara Voss" in ana.get(path).text
    unknown = ana.post(path, {"do": "add", "person": "Nobody Known"})
    assert unknown.status == 422
    assert 'value="Nobody Known"' in unknown.html
    ana.post(path, {"do": "add", "person": "nina@else.example"})
    assert "Users (2)" in ana.get(path).text
    assert ana.user(other).organization_id == firm_of(ana)
    again = ana.post(path, {"do": "add", "person": "nina@else.example"})
    assert "User: has already been taken" in again.text
    with ana.bound(), unit_of_work("read"):
        place = OrganizationMembership.objects.get(user_id=other).id
    ana.post(path, {"do": "remove", "membership": place})
    assert ana.user(other).organization_id is None
    assert ana.post(path, {"do": "remove", "membership": place}).status == 404


def test_people_of_an_organization_come_in_pages(ana: Office) -> None:
    firm = firm_of(ana)

    def fill() -> None:
        organization = Organization.objects.get(id=firm)
        for number in range(31):
            people.add_user(
                name=f"Person {number:02d}",
                email=f"p{number}@acme.example",
                role="end-user",
                organization=organization,
            )

    wrote(ana, fill)
    path = f"/agent/organizations/{firm}/users"
    assert "Page 1 of 2" in ana.get(path).text
    assert "Person 30" in ana.get(path, page="2").text


def test_an_organization_is_deleted_after_asking(office: Office) -> None:
    olga = office.sign_in(OLGA)
    firm = firm_of(olga)
    path = f"/agent/organizations/{firm}/delete"
    assert "1 user and 3 tickets" in olga.get(path).text
    assert olga.changes() == []
    assert olga.post(path).location == "/agent/organizations"
    assert "Organization has been deleted" in olga.get("/agent/organizations").text
    assert olga.user(olga.keys.customer).organization_id is None
    assert olga.get(f"/agent/organizations/{firm}").status == 404


def test_organizations_are_merged(office: Office) -> None:
    olga = office.sign_in(OLGA)
    winner, loser = company(olga, "Blue Harbour"), firm_of(olga)
    path = f"/agent/organizations/{loser}/merge"
    assert "Blue Harbour stays" in olga.get(path, into="Blue Harbour").text
    assert olga.get(path, into="Nowhere").status == 422
    with_self = olga.post(path, {"into": "Acme Works"})
    assert "Winner: is the organization itself" in with_self.text
    done = olga.post(path, {"into": "Blue Harbour", "into_id": winner})
    assert done.location == f"/agent/organizations/{winner}"
    assert olga.user(olga.keys.customer).organization_id == winner
    assert olga.ticket(olga.keys.charged).organization_id == winner
    assert "Users (1)" in olga.get(f"/agent/organizations/{winner}").text


def test_admins_create_organizations(office: Office) -> None:
    olga = office.sign_in(OLGA)
    assert "header-toolbar-add-menu-new-organization" in olga.get("/agent/dashboard").html
    made = olga.post(
        "/agent/organizations/new",
        {"name": "Northwind", "domain_names": "northwind.example", "tags": "new"},
    )
    assert made.status == 302
    key = int(made.location.rpartition("/")[2])
    found = by_api(olga, f"organizations/{key}.json")["organization"]
    assert (found["name"], found["domain_names"]) == ("Northwind", ["northwind.example"])
    blank = olga.post("/agent/organizations/new", {"name": "", "details": "Typed."})
    assert blank.status == 422
    assert "Name: cannot be blank" in blank.text
    assert "Typed." in blank.text


def test_agents_do_not_create_organizations(ana: Office) -> None:
    assert "header-toolbar-add-menu-new-organization" not in ana.get("/agent/dashboard").html
    assert ana.get("/agent/organizations/new").status == 403
    assert ana.post("/agent/organizations/new", {"name": "X"}).status == 403
    assert ana.changes() == []


def test_the_list_of_people_is_filtered(ana: Office) -> None:
    stranger(ana)
    assert "Nina Berg" in ana.get("/agent/customers").text
    staff = ana.get("/agent/customers", role="agent").text
    assert "Ben Okafor" in staff
    assert "Mara Voss" not in staff
    firm = ana.get("/agent/customers", organization="Acme Works").text
    assert "Mara Voss" in firm
    assert "Nina Berg" not in firm
    assert "Nobody here" in ana.get("/agent/customers", organization="Nowhere").text
    assert "Nobody here" in ana.get("/agent/customers", access="suspended").text
    ana.post(f"/agent/users/{ana.keys.customer}/access", {"suspended": "1"})
    assert "Mara Voss" in ana.get("/agent/customers", access="suspended").text
    assert "Mara Voss" not in ana.get("/agent/customers", access="allowed").text


@pytest.mark.parametrize("name", ["q", "organization"])
def test_a_null_byte_is_a_letter_that_no_name_has(ana: Office, name: str) -> None:
    given = {"q": "Mara\x00", "organization": "Acme\x00 Works"}[name]
    assert "Nobody here" in ana.get("/agent/customers", **{name: given}).text
    assert "Acme Works" not in ana.get("/agent/organizations", q="\x00Acme").text


def test_organizations_are_suggested(ana: Office) -> None:
    page = ana.get("/agent/suggestions/organizations", q="wor")
    assert page.html.startswith('<li role="option" data-value="Acme Works"')
    assert ana.get("/agent/suggestions/organizations", q="").html == ""
