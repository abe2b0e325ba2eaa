"""The settings of a desk: what administrators change there, and what the API then says."""

from __future__ import annotations

import re
from typing import Any

import pytest

from clones.tracker.models import ServiceDesk
from tests.tracker.desk_site import OPT_IN, Desk, open_desk
from tests.tracker.site import Site
from tests.tracker.test_mail_intake import send
from tests.tracker.web.conftest import visitor
from tests.tracker.web.desk_pages import (
    HOME,
    customer,
    fields_of,
    mailed,
    move,
    organization,
    portal,
)

SETTINGS = f"{HOME}/settings"
TYPES = f"{SETTINGS}/request-types"
SLAS = f"{SETTINGS}/slas"
CALENDARS = f"{SETTINGS}/calendars"
PAGES = (
    "request-types",
    "slas",
    "calendars",
    "email-settings",
    "portal-settings",
    "customer-permissions",
    "customer-notifications",
    "satisfaction-settings",
)


def form_of(desk: Desk, kind: str) -> dict[str, Any]:
    """Return the fields of a request type's form, by id."""
    body = desk.get(f"servicedesk/{desk.id}/requesttype/{kind}/field")
    return {one["fieldId"]: one for one in body["requestTypeFields"]}


def named(desk: Desk) -> list[str]:
    """Return the names of the desk's request types in their order."""
    found = desk.get(f"servicedesk/{desk.id}/requesttype")["values"]
    return [one["name"] for one in found]


@pytest.mark.parametrize("rest", PAGES)
def test_only_administrators_of_a_desk_come_to_its_settings(site: Site, rest: str) -> None:
    open_desk(site)
    page = visitor(site).get(f"{SETTINGS}/{rest}")
    assert all(f"{SETTINGS}/{one}" in page.links().values() for one in PAGES)
    assert visitor(site, "dev").get(f"{SETTINGS}/{rest}", 403).status == 403
    software = f"/jira/software/c/projects/LAS/settings/{rest}"
    assert visitor(site).get(software, 404).status == 404
    assert f"{SETTINGS}/{rest}" not in visitor(site, "dev").get(f"{HOME}/queues/custom/1").html


def test_request_types_are_made_placed_and_deleted(site: Site) -> None:
    desk, ada = open_desk(site), visitor(site)
    new = f"{TYPES}/new"
    form = ada.get(new).form("/new")
    page = ada.post(new, {**form, "name": "get it HELP"}, 400)
    assert "A request type with the name 'get it HELP' already exists." in page.said
    groups = desk.get(f"servicedesk/{desk.id}/requesttypegroup")["values"]
    first = groups[0]["id"]
    ada.post(new, {**form, "name": "Book a room", "description": "Rooms.", "groups": [first]})
    found = desk.get(f"servicedesk/{desk.id}/requesttype?groupId={first}")["values"]
    made = next(one for one in found if one["name"] == "Book a room")
    assert (made["description"], made["groupIds"]) == ("Rooms.", [first])
    assert "Book a room" in customer(site).get(portal(desk)).main
    at = f"{TYPES}/{made['id']}"
    before = [one["name"] for one in found]
    ada.post(f"{at}/move", {"way": "up", "group": first})
    after = desk.get(f"servicedesk/{desk.id}/requesttype?groupId={first}")["values"]
    assert [one["name"] for one in after] == [*before[:-2], before[-1], before[-2]]
    ada.change(at, at, name="Book a meeting room", help="Say when.", groups=[])
    found = desk.get(f"servicedesk/{desk.id}/requesttype/{made['id']}")
    assert (found["name"], found["helpText"]) == ("Book a meeting room", "Say when.")
    assert found["groupIds"] == []
    assert "Book a" not in customer(site).get(portal(desk)).main
    ada.change(f"{at}/delete", f"{at}/delete")
    assert "Book a meeting room" not in named(desk)


def test_headings_of_the_portal_are_made_named_placed_and_deleted(site: Site) -> None:
    desk, ada = open_desk(site), visitor(site)
    groups = f"{SETTINGS}/request-type-groups"

    def headings() -> list[str]:
        found = desk.get(f"servicedesk/{desk.id}/requesttypegroup")["values"]
        return [one["name"] for one in found]

    ada.change(f"{groups}/new", f"{groups}/new", name="Rooms")
    assert headings()[-1] == "Rooms"
    assert "already exists" in ada.post(f"{groups}/new", {"name": "rooms"}, 400).text
    made = desk.get(f"servicedesk/{desk.id}/requesttypegroup")["values"][-1]["id"]
    ada.change(f"{groups}/{made}", f"{groups}/{made}", name="Meeting rooms")
    ada.post(f"{groups}/{made}/move", {"way": "up"})
    assert headings()[-2] == "Meeting rooms"
    ada.change(f"{groups}/{made}/delete", f"{groups}/{made}/delete")
    assert "Meeting rooms" not in headings()
    # What stood under a heading that goes is no longer shown.
    first = desk.get(f"servicedesk/{desk.id}/requesttypegroup")["values"][0]["id"]
    kind = desk.get(f"servicedesk/{desk.id}/requesttype/{desk.types['Get IT help']}")
    assert kind["groupIds"] == [first]
    ada.change(f"{groups}/{first}/delete", f"{groups}/{first}/delete")
    kind = desk.get(f"servicedesk/{desk.id}/requesttype/{kind['id']}")
    assert kind["groupIds"] == []
    assert "Get IT help" not in customer(site).get(portal(desk)).main


def test_the_form_of_a_request_type_is_changed(site: Site) -> None:
    desk, ada = open_desk(site), visitor(site)
    kind = desk.types["Get IT help"]
    at = f"{TYPES}/{kind}"
    assert list(form_of(desk, kind)) == ["summary", "description", "priority", "attachment"]
    ada.post(f"{at}/fields", {"field": "duedate"})
    assert list(form_of(desk, kind))[-1] == "duedate"
    summary = ada.get(at).links("Edit field Summary")["Edit field Summary"]
    ada.post(f"{summary}/place", {"way": "down"})
    assert list(form_of(desk, kind))[:2] == ["description", "summary"]
    ada.post(f"{summary}/place", {"way": "remove"})
    assert "The summary cannot be removed" in ada.get(at).part("flag")
    assert "summary" in form_of(desk, kind)
    edit = ada.get(at).links("Edit field Due date")["Edit field Due date"]
    ada.change(edit, edit, name="When?", help="A day.", required="on")
    field = form_of(desk, kind)["duedate"]
    assert (field["name"], field["description"], field["required"]) == ("When?", "A day.", True)
    refused = desk.ask(status=400)
    assert refused["errorMessage"] == "When? is required."
    page = ada.get(at)
    form = page.form("/statuses")
    label = 'aria-label="Name of Waiting for support for customers"'
    status = page.html.partition(label)[0].rpartition('name="')[2].partition('"')[0]
    assert form[status] == "Waiting for support"
    ada.post(f"{at}/statuses", {**form, status: "We are at it"})
    made = desk.ask(values={"duedate": "2026-07-01"})
    assert made["currentStatus"]["status"] == "We are at it"
    ada.post(f"{edit}/place", {"way": "remove"})
    assert "duedate" not in form_of(desk, kind)


def test_goals_of_promises_are_changed(site: Site) -> None:
    desk, ada = open_desk(site), visitor(site)
    key = desk.ask(values={"priority": {"name": "Low"}})["issueKey"]

    def goal() -> str:
        found = desk.get(f"request/{key}/sla")["values"][0]["ongoingCycle"]
        return str(found["goalDuration"]["friendly"])

    assert goal() == "8h"
    page = ada.get(SLAS)
    assert "priority = Highest 2h Sample 9-5 Calendar" in page.main
    links = [link for label, link in page.links("Edit goal").items() if "first response" in label]
    last = links[-1]
    ada.change(last, last, duration="6h 30m", calendar="")
    assert goal() == "6h 30m"
    cycle = desk.get(f"request/{key}/sla")["values"][0]["ongoingCycle"]
    assert cycle["withinCalendarHours"] is True
    add = page.links("Add goal to Time to first response")["Add goal to Time to first response"]
    page = ada.post(add, {"jql": "priority =", "duration": "1h", "calendar": ""}, 400)
    assert page.form("/goals/new")["jql"] == "priority ="
    page = ada.post(add, {"jql": "priority = Low", "duration": "soon", "calendar": ""}, 400)
    assert "Enter a time as 4h 30m." in page.said
    ada.post(add, {"jql": "priority = Low", "duration": "1h", "calendar": ""})
    assert goal() == "1h"
    page = ada.get(SLAS)
    place = [link for label, link in page.links("Edit goal").items() if "first response" in label][
        -2
    ]
    # Nothing comes below the goal for all remaining requests.
    label = 'aria-label="Move goal 3 of Time to first response down"'
    assert page.html.partition(label)[2].startswith(" disabled>")
    ada.post(f"{place}/place", {"way": "remove"})
    assert goal() == "6h 30m"


def test_promises_are_made_changed_and_deleted(site: Site) -> None:
    desk, ada = open_desk(site), visitor(site)
    new = f"{SLAS}/new"
    page = ada.post(new, {"name": "Time to assign"}, 400)
    assert "Choose at least one condition that starts the clock." in page.said
    sent = {"start": ["Issue Created"], "stop": ["Assignee: From Unassigned"]}
    ada.post(new, {"name": "Time to assign", **sent})
    page = ada.get(SLAS)
    add = page.links("Add goal to Time to assign")["Add goal to Time to assign"]
    ada.post(add, {"jql": "", "duration": "2h", "calendar": ""})
    key = desk.ask()["issueKey"]
    found = {one["name"]: one for one in desk.get(f"request/{key}/sla")["values"]}
    assert found["Time to assign"]["ongoingCycle"]["goalDuration"]["friendly"] == "2h"
    body = {"jql": '"Time to assign" = running()', "fields": ["summary"]}
    assert [one["key"] for one in site.post("search/jql", body, status=200)["issues"]] == [key]
    edit = ada.get(SLAS).links("Edit Time to assign")["Edit Time to assign"]
    form = ada.get(edit).form(edit)
    assert (form["start"], form["stop"]) == (["Issue Created"], ["Assignee: From Unassigned"])
    ada.post(edit, {**form, "pause": ["Resolution: Not Set"], "stop": ["Resolution: Set"]})
    site.put(f"issue/{key}/assignee", {"accountId": site.ids["dev"]}, by="dev")
    found = {one["name"]: one for one in desk.get(f"request/{key}/sla")["values"]}
    assert found["Time to assign"]["ongoingCycle"]["paused"] is True
    ada.change(f"{edit}/delete", f"{edit}/delete")
    assert "Time to assign" not in {one["name"] for one in desk.get(f"request/{key}/sla")["values"]}
    site.advance(4 * 3600)  # no timer of it is left


def test_calendars_are_made_changed_and_deleted(site: Site) -> None:
    desk, ada = open_desk(site), visitor(site)
    key = desk.ask()["issueKey"]
    edit = ada.get(CALENDARS).links("Edit Sample")["Edit Sample 9-5 Calendar"]
    page = ada.post(edit, {**ada.get(edit).form(edit), "hours-MONDAY": "nine to five"}, 400)
    assert "Enter hours as 09:00-17:00." in page.said
    # It is 10:00 in New York: from now on the desk works until noon.
    ada.change(edit, edit, **{"hours-TUESDAY": "09:00-12:00"})
    site.advance(6 * 3600)
    cycle = desk.get(f"request/{key}/sla")["values"][0]["ongoingCycle"]
    assert cycle["elapsedTime"]["friendly"] == "1h 59m"
    assert cycle["withinCalendarHours"] is False
    holiday = f"{edit}/holidays/new"
    assert (
        "Enter a date as 2026-12-25."
        in ada.post(holiday, {"name": "Fair", "date": "soon"}, 400).said
    )
    ada.post(holiday, {"name": "Fair", "date": "2026-06-17"})
    assert "Fair 2026-06-17" in ada.get(CALENDARS).main
    site.advance(24 * 3600)  # a day on which nobody works
    cycle = desk.get(f"request/{key}/sla")["values"][0]["ongoingCycle"]
    assert cycle["elapsedTime"]["friendly"] == "1h 59m"
    ada.change(CALENDARS, f"{edit}/holidays/remove")
    assert "Fair" not in ada.get(CALENDARS).main
    page = ada.post(f"{edit}/delete", {}, 400)
    assert "This calendar is used by an SLA" in page.text
    new = f"{CALENDARS}/new"
    ada.change(new, new, **{"name": "Nights", "zone": "UTC", "hours-MONDAY": "22:00-23:00"})
    made = ada.get(CALENDARS).links("Edit Nights")["Edit Nights"]
    ada.change(f"{made}/delete", f"{made}/delete")
    assert ada.get(CALENDARS).links("Edit Nights") == {}


def test_the_portal_says_what_its_settings_say(site: Site) -> None:
    desk, ada = open_desk(site), visitor(site)
    at = f"{SETTINGS}/portal-settings"
    assert "must have between 1 and 255" in ada.post(at, {"name": " "}, 400).text
    ada.change(at, at, name="Help & more", announcement="We are closed on Friday.")
    page = customer(site).get(portal(desk))
    assert "Help & more" in page.text
    assert "We are closed on Friday." in page.main
    at = f"{SETTINGS}/customer-permissions"
    desk.get("servicedesk/IT", by="guest", status=404)
    ada.change(at, at, access="open")
    assert desk.get("servicedesk/IT", by="guest")["id"] == desk.id
    assert ada.post(at, {"access": "nobody"}, 400).said
    ada.change(at, at, access="restricted")
    desk.get("servicedesk/IT", by="guest", status=404)


def test_customers_are_told_and_asked_as_the_settings_say(site: Site) -> None:
    desk, ada = open_desk(site), visitor(site)
    at = f"{SETTINGS}/customer-notifications"
    form = ada.get(at).form("/customer-notifications")
    assert "created" in form["told"]
    key = desk.ask()["issueKey"]
    assert mailed(site) == [("Cara Holm", "Just confirming that we got your request.")]
    ada.post(at, {**form, "told": [one for one in form["told"] if one != "created"]})
    desk.ask()
    assert mailed(site) == []
    assert "created" not in ada.get(at).form("/customer-notifications")["told"]
    move(site, key, "Resolve this issue", resolution={"name": "Done"})
    assert fields_of(site, key)["resolution"]["name"] == "Done"
    assert mailed(site) == [("Cara Holm", "Your request was resolved.")]
    at = f"{SETTINGS}/satisfaction-settings"
    ada.change(at, at)
    body = {"rating": 5, "type": "csat"}
    path = f"request/{key}/feedback"
    assert desk.error(desk.post(path, body, by="cara", status=400, **OPT_IN)) == (
        "Feedback is not enabled for this service desk.",
        "sd.feedback.error.disabled",
    )
    assert "How was our service" not in customer(site).get(portal(desk, key)).main
    ada.change(at, at)
    desk.post(path, body, by="cara", **OPT_IN)
    assert "5.0 of 5 on average, 1 rating" in ada.get(at).main


def test_agents_let_customers_and_organizations_in(site: Site) -> None:
    desk, dev = open_desk(site), visitor(site, "dev")
    at = f"{HOME}/customers"
    assert "Cara Holm" in dev.get(at).main
    page = dev.post(f"{at}/add", {"emails": "nobody"}, 400)
    assert "The email address is not valid." in page.said
    dev.post(f"{at}/add", {"emails": "new@firm.example, guest@site.example"})
    found = desk.get(f"servicedesk/{desk.id}/customer", **OPT_IN)["values"]
    assert {"new@firm.example", "guest@site.example"} < {one["emailAddress"] for one in found}
    assert "new@firm.example" not in dev.get(at, query="cara").main
    dev.change(f"{at}?query=cara", f"{at}/{site.ids['cara']}/remove")
    desk.get("servicedesk/IT", by="cara", status=404)
    add = f"{at}/organizations/add"
    dev.change(add, add, name="Northwind")
    [firm] = desk.get(f"servicedesk/{desk.id}/organization")["values"]
    assert firm["name"] == "Northwind"
    there = dev.get(at).links("Northwind")["Northwind"]
    dev.post(f"{there}/add", {"emails": "cara@site.example"})
    assert desk.get("servicedesk/IT", by="cara")["id"] == desk.id
    dev.change(there, f"{there}/{site.ids['cara']}/remove")
    people = desk.get(f"organization/{firm['id']}/user")["values"]
    assert people == []
    dev.post(f"{there}/remove")
    assert desk.get(f"servicedesk/{desk.id}/organization")["values"] == []
    assert organization(desk, "Northwind", "cara") == firm["id"]


def test_the_desk_says_where_customers_mail_to_and_what_that_becomes(site: Site) -> None:
    desk, ada = open_desk(site), visitor(site)
    at = f"{SETTINGS}/email-settings"
    page = ada.get(at)
    assert "Customers raise requests by writing to it@tracker.example." in page.main
    assert page.form(at)["type"] == ""
    kinds = {desk.types[name]: name for name in desk.types}
    first = mail_of(site, desk)
    other = next(one for one in re.findall(r'<option value="(\d+)"', page.html) if one != first)
    ada.change(at, at, type=other)
    assert ada.get(at).form(at)["type"] == other
    assert mail_of(site, desk) == other, kinds[other]
    page = ada.post(at, {"type": "4711"}, 400)
    assert page.said == ["Choose a request type whose form a mail fills."]
    ada.change(at, at, type="")
    assert mail_of(site, desk) == first
    with site.writing():
        ServiceDesk.objects.update(email="Help@firm.example")
    assert "writing to help@firm.example." in ada.get(at).main


def mail_of(site: Site, desk: Desk) -> str:
    """Send mail to the desk and return the id of the type of the request that it became."""
    send(site, "Cara Holm <cara@site.example>", "It does not print", "Since today.")
    found: str = desk.get("request", by="cara")["values"][0]["requestTypeId"]
    return found
