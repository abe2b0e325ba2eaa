"""Customers and organizations: who may ask a desk, and what is kept with them."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import Organization, ServiceDesk
from tests.tracker.conftest import Site
from tests.tracker.desk_site import OPT_IN, open_desk

NO_FIRM = (
    "The organization does not exist or you do not have permission to view it.",
    "sd.organisation.error.not.found",
)


def test_agents_make_customers_who_can_then_ask(site: Site) -> None:
    desk = open_desk(site)
    body = {"email": "Rosa@Firm.example", "displayName": "Rosa Diaz"}
    made = desk.post("customer", body)
    assert (made["emailAddress"], made["displayName"]) == ("rosa@firm.example", "Rosa Diaz")
    assert made["accountId"].startswith("qm:")
    assert set(made["_links"]) == {"jiraRest", "avatarUrls", "self"}
    assert site.get(f"user?accountId={made['accountId']}")["accountType"] == "customer"
    named = desk.post("customer", {"email": "x@firm.example", "fullName": "Old Way"})
    assert named["displayName"] == "Old Way"
    taken = desk.post("customer", body, status=400)
    assert desk.error(taken) == (
        "An account already exists for this email.",
        "sd.admin.people.create.customer.error.email.exists",
    )
    desk.post("customer?strictConflictStatusCode=true", body, status=409)
    wrong = desk.post("customer", {"email": "nobody", "displayName": "X"}, status=400)
    assert desk.error(wrong)[0] == "The email address is not valid."
    refused = desk.post("customer", body, by="cara", status=403)
    assert desk.error(refused)[0] == "You do not have permission to create customers."
    # Admins take the access of customers, and of nobody else.
    path = "customer/user/{}/revoke-portal-only-access"
    desk.put(path.format(made["accountId"]), by="ada")
    assert site.get(f"user?accountId={made['accountId']}")["active"] is False
    for account, by, status, text in (
        (site.ids["dana"], "ada", 400, "The user does not have a portal-only account."),
        (site.ids["cara"], "dev", 403, "Only site administrators can revoke access."),
        ("nobody", "ada", 404, "The user with the accountId 'nobody' does not exist."),
    ):
        assert desk.error(desk.put(path.format(account), by=by, status=status))[0] == text


def test_a_desk_has_customers(site: Site) -> None:
    desk = open_desk(site)
    path = f"servicedesk/{desk.id}/customer"
    desk.customer("otto", "Otto Lund")
    desk.post(path, {"accountIds": [site.ids["guest"], site.ids["cara"]]}, status=204)
    page = desk.get(path, **OPT_IN)
    assert [one["displayName"] for one in page["values"]] == ["Cara Holm", "Guy Est", "Otto Lund"]
    assert desk.get(f"{path}?query=otto", **OPT_IN)["size"] == 1
    assert desk.get(f"{path}?limit=1&start=2", **OPT_IN)["values"] == page["values"][2:]
    assert desk.get("servicedesk", by="guest")["size"] == 1
    desk.delete(path, {"accountIds": [site.ids["guest"]]}, **OPT_IN)
    assert desk.get("servicedesk", by="guest")["size"] == 0
    desk.get(path, status=412)
    refused = desk.post(path, {"accountIds": [site.ids["guest"]]}, by="cara", status=403)
    assert desk.error(refused)[1] == "sd.customer.manage.error.permission"
    assert desk.error(desk.post(path, {}, status=400))[0] == (
        "You must provide at least one accountId."
    )
    with site.writing():
        ServiceDesk.objects.update(access="open")
    open_to_all = desk.delete(path, {"accountIds": [site.ids["cara"]]}, status=400, **OPT_IN)
    assert desk.error(open_to_all)[1] == "sd.customer.remove.error.open.access"


def test_organizations_hold_customers_and_may_ask_desks(site: Site) -> None:
    desk = open_desk(site)
    with site.writing():
        ServiceDesk.objects.get().customers.all().delete()
    made = desk.post("organization", {"name": "Acme Engraving"})
    assert desk.post("organization", {"name": "acme engraving"})["id"] == made["id"]
    other = desk.post("organization", {"name": "Zenith"})
    assert made == desk.get(f"organization/{made['id']}")
    assert (made["name"], made["scimManaged"]) == ("Acme Engraving", False)
    people = {"accountIds": [site.ids["cara"], site.ids["guest"]]}
    desk.post(f"organization/{made['id']}/user", people, status=204)
    users = desk.get(f"organization/{made['id']}/user")["values"]
    assert [one["accountId"] for one in users] == sorted(people["accountIds"])
    assert desk.get(f"organization/{made['id']}/user?limit=1")["isLastPage"] is False
    desk.delete(f"organization/{made['id']}/user", {"accountIds": [site.ids["guest"]]})
    assert desk.get(f"organization/{made['id']}/user")["size"] == 1
    # Through it, its people may ask a desk.
    assert desk.get("servicedesk", by="cara")["size"] == 0
    path = f"servicedesk/{desk.id}/organization"
    for _ in range(2):
        desk.post(path, {"organizationId": int(made["id"])}, status=204)
    assert desk.get("servicedesk", by="cara")["size"] == 1
    assert [one["name"] for one in desk.get(path)["values"]] == ["Acme Engraving"]
    assert desk.get(f"{path}?accountId={site.ids['guest']}")["values"] == []
    desk.delete(path, {"organizationId": int(made["id"])})
    assert desk.get("servicedesk", by="cara")["size"] == 0
    # Agents see all of them, others their own.
    assert [one["id"] for one in desk.get("organization")["values"]] == [made["id"], other["id"]]
    assert [one["id"] for one in desk.get("organization", by="cara")["values"]] == [made["id"]]
    assert desk.get(f"organization?accountId={site.ids['cara']}")["size"] == 1
    assert desk.error(desk.get(f"organization/{other['id']}", by="cara", status=404)) == NO_FIRM
    desk.delete(f"organization/{made['id']}", by="ada")
    with site.store():
        assert list(Organization.objects.values_list("name", flat=True)) == ["Zenith"]


@pytest.mark.parametrize(
    ("method", "path", "body", "by", "status", "text"),
    [
        ("POST", "organization", {"name": "X"}, "cara", 403, "You need to be an agent"),
        ("POST", "organization", {"name": " "}, "dev", 400, "The organization name must have"),
        ("POST", "organization", {}, "dev", 400, "name is required."),
        ("GET", "organization?accountId=x", None, "cara", 403, "You need to be an agent"),
        ("DELETE", "organization/1", None, "dev", 403, "Only Jira administrators"),
        ("DELETE", "organization/99", None, "ada", 404, NO_FIRM[0]),
        ("GET", "organization/1/user", None, "cara", 403, "You need to be an agent"),
        ("POST", "organization/1/user", {"accountIds": ["x"]}, "dev", 404, "The user with"),
        ("POST", "organization/1/user", {"accountIds": []}, "dev", 400, "You must provide"),
        ("DELETE", "organization/1/user", {"accountIds": ["x"]}, "dev", 404, "The user with"),
        ("GET", "servicedesk/1/organization", None, "cara", 403, "Only agents of this service"),
        ("POST", "servicedesk/1/organization", {"organizationId": 1}, "cara", 403, "Only agents"),
        ("POST", "servicedesk/1/organization", {"organizationId": 99}, "dev", 404, NO_FIRM[0]),
        ("DELETE", "servicedesk/1/organization", {"organizationId": 99}, "dev", 404, NO_FIRM[0]),
    ],
)
def test_unverified_what_is_refused_of_organizations(
    site: Site, method: str, path: str, body: Any, by: str, status: int, text: str
) -> None:
    desk = open_desk(site)
    assert desk.post("organization", {"name": "Acme"})["id"] == "1"
    answer = desk.call(method, path, body, by=by)
    assert answer.status == status, answer.body
    assert desk.error(answer.body)[0].startswith(text)


def test_integrations_keep_things_with_organizations(site: Site) -> None:
    desk = open_desk(site)
    path = f"organization/{desk.post('organization', {'name': 'Acme'})['id']}/property"
    desk.put(f"{path}/crm", b'{"id": 5}', status=201)
    desk.put(f"{path}/crm", b'{"id": 6}', status=200)
    assert [one["key"] for one in desk.get(path)["keys"]] == ["crm"]
    assert desk.get(f"{path}/crm") == {"key": "crm", "value": {"id": 6}}
    refused = desk.put(f"{path}/crm", b"{", status=400)
    assert desk.error(refused)[0] == "The property value must be a valid JSON."
    desk.delete(f"{path}/crm")
    gone = desk.get(f"{path}/crm", status=404)
    assert desk.error(gone)[0] == "The property with key 'crm' does not exist."
    desk.delete(f"{path}/crm", status=404)
    assert desk.error(desk.get(path, by="cara", status=404)) == NO_FIRM
