"""Admin Center: who gets in, and groups."""

from __future__ import annotations

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Group, GroupMembership
from tests.helpdesk.web.conftest import Office

OWNER = "olga@kestrel.example"
GROUPS = "/admin/people/team/groups"


@pytest.fixture
def olga(office: Office) -> Office:
    """The small desk with its owner signed in."""
    return office.sign_in(OWNER)


def test_only_admins_get_in(ana: Office) -> None:
    assert ana.get("/admin").status == 403
    assert ana.get(GROUPS).status == 403
    assert ana.post(f"{GROUPS}/new", {"name": "Hers"}).status == 403
    assert ana.changes() == []
    assert "Admin Center" not in ana.get("/agent/dashboard").text


def test_the_rail_leads_admins_in(olga: Office) -> None:
    assert 'data-test-id="admin_icon"' in olga.get("/agent/dashboard").html
    page = olga.get("/admin")
    assert page.status == 200
    assert "Groups" in page.text


def test_a_group_is_made_changed_and_deleted(olga: Office) -> None:
    sent = {
        "name": "Returns",
        "description": "Machines that come back",
        "is_public": "true",
        "members": [str(olga.keys.agent), str(olga.keys.colleague)],
    }
    made = olga.post(f"{GROUPS}/new", sent)
    assert made.status == 302
    page = olga.get(made.location)
    assert "Returns has been saved" in page.text
    assert page.field("name") == "Returns"
    with olga.bound(), unit_of_work("read"):
        group = Group.objects.get(name="Returns")
        people = set(GroupMembership.objects.filter(group=group).values_list("user", flat=True))
    assert (group.description, group.is_public) == ("Machines that come back", True)
    assert people == {olga.keys.agent, olga.keys.colleague}
    changed = {"name": "Returns desk", "members": [str(olga.keys.colleague)]}
    assert olga.post(made.location, changed).status == 302
    with olga.bound(), unit_of_work("read"):
        group.refresh_from_db()
        members = list(GroupMembership.objects.filter(group=group).values_list("user", flat=True))
    assert (group.name, group.is_public) == ("Returns desk", False)
    assert members == [olga.keys.colleague]
    asked = olga.get(f"{made.location}/delete")
    assert "Delete group Returns desk?" in asked.text
    assert olga.post(f"{made.location}/delete").location == GROUPS
    assert olga.get(made.location).status == 404
    assert "Returns desk has been deleted" in olga.get(GROUPS).text


def test_a_refusal_keeps_what_was_typed(olga: Office) -> None:
    page = olga.post(
        f"{GROUPS}/new", {"name": "Billing", "description": "Twice", "members": ["12"]}
    )
    assert page.status == 422
    assert "Name: has already been taken" in page.text
    assert page.field("name") == "Billing"
    assert "Twice" in page.html
    assert olga.changes() == []


def test_the_list_of_groups_is_searched(olga: Office) -> None:
    page = olga.get(GROUPS, q="bill")
    assert "Billing" in page.text
    assert "Support" not in page.html.partition("<tbody>")[2]
