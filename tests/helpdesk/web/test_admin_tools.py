"""Automations, views, SLAs and macros by page: the API shows the same, and they work."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import SlaClock
from tests.helpdesk.web.conftest import AGENT, Office
from tests.helpdesk.web.rules_pages import (
    AUTOMATIONS,
    GROUP_SLAS,
    MACROS,
    OWNER,
    SLAS,
    TRIGGERS,
    VIEWS,
    advance,
    api,
    call,
    key_of,
    write_ticket,
)


@pytest.fixture
def olga(office: Office) -> Office:
    """The small desk with its owner signed in."""
    return office.sign_in(OWNER)


def test_an_automation_made_by_page_runs_at_the_next_sweep(olga: Office) -> None:
    sent = {
        "title": "Raise what waits",
        "all-0-field": "status",
        "all-0-operator": "is",
        "all-0-value": "open",
        "all-1-field": "OPEN",
        "all-1-operator": "greater_than",
        "all-1-value": "2",
        "actions-0-field": "priority",
        "actions-0-value": "high",
    }
    page = olga.post(f"{AUTOMATIONS}/new", sent)
    assert page.status == 422
    assert "must have a condition that is true only once" in page.text
    assert olga.changes() == []
    sent = {
        **sent,
        "all-2-field": "priority",
        "all-2-operator": "is_not",
        "all-2-value": "high",
    }
    made = olga.post(f"{AUTOMATIONS}/new", sent)
    assert made.status == 302, made.text
    shown = api(olga, f"automations/{key_of(made.location)}")["automation"]
    assert shown["conditions"]["all"][1] == {
        "field": "OPEN",
        "operator": "greater_than",
        "value": "2",
    }
    assert shown["actions"] == [{"field": "priority", "value": "high"}]
    ticket = write_ticket(olga, status="open")
    assert ticket["priority"] is None
    advance(olga, hours=5)
    assert api(olga, f"tickets/{ticket['id']}")["ticket"]["priority"] == "high"
    keys = [item["id"] for item in api(olga, "automations")["automations"]]
    assert keys[-1] == shown["id"]
    olga.post(f"{AUTOMATIONS}/change", {"up": shown["id"]})
    moved = [item["id"] for item in api(olga, "automations")["automations"]]
    assert moved[-2] == shown["id"]
    olga.post(f"{AUTOMATIONS}/change", {"ids": [shown["id"]], "deactivate": "1"})
    assert api(olga, f"automations/{shown['id']}")["automation"]["active"] is False
    assert olga.post(f"{AUTOMATIONS}/delete?ids={shown['id']}").status == 302
    assert call(olga, "GET", f"automations/{shown['id']}")[0] == 404


def view_form(**values: Any) -> dict[str, Any]:
    """Return the form of a view."""
    return {
        "title": "Urgent billing",
        "description": "First thing in the morning",
        "all-0-field": "status",
        "all-0-operator": "less_than",
        "all-0-value": "solved",
        "columns-0": "subject",
        "columns-2": "requester",
        "columns-3": "priority",
        "group_by": "status",
        "group_order": "asc",
        "sort_by": "created",
        "sort_order": "asc",
        "access": "everyone",
        **values,
    }


def test_a_view_made_by_page_lists_what_its_preview_showed(olga: Office) -> None:
    sent = view_form(**{"any-0-field": "current_tags", "any-0-value": "billing"})
    page = olga.post(f"{VIEWS}/new", {**sent, "preview": "1"})
    assert page.status == 200
    assert "1 ticket matches" in page.text
    assert "Charged twice for June" in page.text
    assert olga.changes() == []
    made = olga.post(f"{VIEWS}/new", sent)
    assert made.status == 302, made.text
    key = key_of(made.location)
    shown = api(olga, f"views/{key}")["view"]
    columns = [column["id"] for column in shown["execution"]["columns"]]
    assert columns == ["subject", "requester", "priority"]
    execution = {
        name: shown["execution"][name]
        for name in ("group_by", "group_order", "sort_by", "sort_order")
    }
    assert execution == {
        "group_by": "status",
        "group_order": "asc",
        "sort_by": "created",
        "sort_order": "asc",
    }
    assert (shown["restriction"], shown["description"]) == (None, "First thing in the morning")
    assert shown["conditions"]["any"] == [
        {"field": "current_tags", "operator": "includes", "value": "billing"}
    ]
    tickets = api(olga, f"views/{key}/tickets")["tickets"]
    assert [ticket["id"] for ticket in tickets] == [olga.keys.charged]
    assert "Charged twice for June" in olga.get(f"/agent/filters/{key}").text
    assert "Urgent billing" in olga.get(VIEWS, access="shared").text
    assert "Urgent billing" not in olga.get(VIEWS, access="personal").text
    group = {"access": "groups", "group_ids": [str(olga.keys.billing)]}
    olga.post(f"{VIEWS}/{key}", view_form(**group))
    assert call(olga, "GET", f"views/{key}", by=AGENT)[1]["view"]["restriction"] == {
        "type": "Group",
        "id": olga.keys.billing,
        "ids": [olga.keys.billing],
    }


def test_views_are_refused_in_the_domains_words(olga: Office) -> None:
    page = olga.post(f"{VIEWS}/new", view_form(**{"all-0-field": "current_tags"}))
    assert page.status == 422
    assert "must have at least one condition on status, type, group" in page.text
    nothing = {"columns-0": "", "columns-2": "", "columns-3": ""}
    page = olga.post(f"{VIEWS}/new", view_form(**nothing))
    assert (page.status, "must have at least one column" in page.text) == (422, True)
    page = olga.post(f"{VIEWS}/new", view_form(access="groups"))
    assert (page.status, "Restriction: is invalid" in page.text) == (422, True)
    assert olga.changes() == []


def test_agents_keep_their_own_views_and_macros_only(office: Office) -> None:
    ana = office.sign_in()
    assert "Add view" in ana.get(f"/agent/filters/{api(ana, 'views')['views'][0]['id']}").text
    made = ana.post(f"{VIEWS}/new", view_form())
    assert made.status == 302, made.text
    key = key_of(made.location)
    mine = {"type": "User", "id": ana.keys.agent}
    assert call(ana, "GET", f"views/{key}", by=AGENT)[1]["view"]["restriction"] == mine
    macro = {"title": "Mine", "actions-0-field": "priority", "actions-0-value": "low"}
    made = ana.post(f"{MACROS}/new", macro)
    assert made.status == 302, made.text
    shown = call(ana, "GET", f"macros/{key_of(made.location)}", by=AGENT)[1]["macro"]
    assert shown["restriction"] == mine
    listed = ana.get(VIEWS)
    assert "Urgent billing" in listed.text
    assert "Unassigned tickets" not in listed.text
    assert "Triggers" not in listed.text
    before = ana.changes()
    shared = api(ana, "views")["views"][0]["id"]
    assert ana.get(f"{VIEWS}/{shared}").status == 404
    assert ana.post(f"{VIEWS}/{shared}", view_form()).status == 404
    ana.post(f"{VIEWS}/delete?ids={shared}")
    ana.post(f"{VIEWS}/change", {"up": shared})
    assert ana.post(f"{VIEWS}/change", {"ids": [shared], "deactivate": "1"}).status == 403
    assert ana.get(f"{MACROS}/{ana.keys.macro}").status == 404
    assert ana.changes() == before
    asked = ana.post(f"{VIEWS}/change", {"ids": [key], "delete": "1"})
    assert ana.post(asked.location).status == 302
    assert call(ana, "GET", f"views/{key}", by=AGENT)[0] == 404


def test_a_role_may_leave_agents_without_views_of_their_own(office: Office) -> None:
    ana = office.sign_in()
    body = {"name": "Reader", "configuration": {"view_access": "readonly"}}
    status, made = call(ana, "POST", "custom_roles", {"custom_role": body})
    assert status == 200, made
    change = {"user": {"custom_role_id": made["custom_role"]["id"]}}
    status, said = call(ana, "PUT", f"users/{ana.keys.agent}", change)
    assert status == 200, said
    before = ana.changes()
    for path in (VIEWS, f"{VIEWS}/new", f"{VIEWS}/change", f"{VIEWS}/delete"):
        assert ana.get(path).status == 403
        assert ana.post(path, view_form()).status == 403
    view = {"title": "Mine", "all": [{"field": "status", "operator": "is", "value": "open"}]}
    mine = {"type": "User", "id": ana.keys.agent}
    body = {"view": {**view, "restriction": mine}}
    assert call(ana, "POST", "views", body, by=AGENT)[0] == 403
    assert ana.changes() == before
    pane = ana.get(f"/agent/filters/{api(ana, 'views')['views'][0]['id']}").text
    assert "Add view" not in pane
    assert "Manage macros" in pane
    assert ana.get(MACROS).status == 200


def test_a_policy_made_by_page_sets_targets(olga: Office) -> None:
    sent = {
        "title": "Urgent first",
        "description": "Everything urgent",
        "all-0-field": "type",
        "all-0-operator": "is",
        "all-0-value": "incident",
        "target-urgent-first_reply_time-hours": "1",
        "target-urgent-first_reply_time-minutes": "30",
        "target-urgent-agent_work_time-hours": "8",
        "counted-urgent": "business",
        "target-low-first_reply_time-hours": "48",
        "counted-low": "calendar",
    }
    page = olga.post(f"{SLAS}/new", {**sent, "target-low-first_reply_time-hours": "soon"})
    assert page.status == 422
    assert "Policy metrics: low first reply time is invalid" in page.text
    assert page.field("target-low-first_reply_time-hours") == "soon"
    zero = {**sent, "target-low-first_reply_time-hours": "0"}
    assert "Policy metrics: is invalid" in olga.post(f"{SLAS}/new", zero).text
    assert olga.changes() == []
    made = olga.post(f"{SLAS}/new", sent)
    assert made.status == 302, made.text
    path = f"slas/policies/{key_of(made.location)}"
    shown = api(olga, path)["sla_policy"]
    assert shown["filter"] == {
        "all": [{"field": "type", "operator": "is", "value": "incident"}],
        "any": [],
    }
    urgent = {"priority": "urgent", "business_hours": True}
    targets = [
        {"priority": "low", "metric": "first_reply_time", "target": 2880, "business_hours": False},
        {**urgent, "metric": "first_reply_time", "target": 90},
        {**urgent, "metric": "agent_work_time", "target": 480},
    ]
    assert shown["policy_metrics"] == targets
    given = {"priority": "urgent", "type": "incident"}
    status, ticket = call(
        olga,
        "POST",
        "requests",
        {"request": {"subject": "Fire", "comment": {"body": "It burns"}, **given}},
        by="mara@acme.example",
    )
    assert status == 201, ticket
    key = ticket["request"]["id"]
    call(olga, "PUT", f"tickets/{key}", {"ticket": given})
    with olga.bound(), unit_of_work("read"):
        clocks = SlaClock.objects.filter(ticket_id=key, metric="first_reply_time")
        assert [item.target_minutes for item in clocks] == [90]
    saved = olga.post(made.location, olga.get(made.location).fields("admin-form"))
    assert saved.status == 302
    assert api(olga, path)["sla_policy"]["policy_metrics"] == targets
    other = key_of(olga.post(f"{SLAS}/new", {**sent, "title": "Second"}).location)
    olga.post(f"{SLAS}/change", {"up": other})
    order = [item["title"] for item in api(olga, "slas/policies")["sla_policies"]]
    assert order == ["Second", "Urgent first"]
    olga.post(f"{SLAS}/delete?ids={other}")
    assert len(api(olga, "slas/policies")["sla_policies"]) == 1


def test_a_copy_of_a_policy_begins_with_its_targets(olga: Office) -> None:
    times = {"target-high-next_reply_time-hours": "1", "target-high-next_reply_time-minutes": "30"}
    condition = {"all-0-field": "type", "all-0-operator": "is", "all-0-value": "incident"}
    made = olga.post(f"{SLAS}/new", {"title": "High", **condition, **times})
    copy = olga.get(f"{SLAS}/new", clone=key_of(made.location))
    assert copy.field("title") == "Copy of High"
    assert {name: copy.field(name) for name in times} == times


def test_unverified_a_policy_counts_by_one_kind_of_hours_per_priority(olga: Office) -> None:
    metrics = [
        {"priority": "high", "metric": "next_reply_time", "target": 61, "business_hours": True},
        {"priority": "high", "metric": "first_reply_time", "target": 30, "business_hours": False},
    ]
    policy = {
        "title": "Mixed",
        "filter": {"all": [{"field": "status", "operator": "is", "value": "open"}], "any": []},
        "policy_metrics": metrics,
    }
    made = call(olga, "POST", "slas/policies", {"sla_policy": policy})[1]["sla_policy"]
    path = f"{SLAS}/{made['id']}"
    assert olga.post(path, olga.get(path).fields("admin-form")).status == 302
    after = api(olga, f"slas/policies/{made['id']}")["sla_policy"]
    assert (after["policy_metrics"], after["filter"]) == (metrics, policy["filter"])
    sent = {**olga.get(path).fields("admin-form"), "counted-high": "business"}
    assert olga.post(path, sent).status == 302
    after = api(olga, f"slas/policies/{made['id']}")["sla_policy"]
    assert [item["business_hours"] for item in after["policy_metrics"]] == [True, True]


def test_a_list_without_states_passes_over_their_buttons(olga: Office) -> None:
    met = {"priority": "high", "metric": "first_reply_time", "target": 60, "business_hours": False}
    policy = {
        "title": "Gold",
        "filter": {"all": [{"field": "priority", "operator": "is", "value": "high"}], "any": []},
        "policy_metrics": [met],
    }
    made = call(olga, "POST", "slas/policies", {"sla_policy": policy})[1]["sla_policy"]
    path = "/admin/objects-rules/rules/slas"
    before = olga.changed("helpdesk_slapolicy")
    answer = olga.post(f"{path}/change", {"ids": str(made["id"]), "deactivate": "1"})
    assert (answer.status, answer.location.partition("?")[0]) == (302, path)
    assert olga.changed("helpdesk_slapolicy") == before


def test_a_policy_of_groups_made_by_page(olga: Office) -> None:
    sent = {
        "title": "Billing owns a day",
        "all-0-field": "group_id",
        "all-0-operator": "includes",
        "all-0-values": [str(olga.keys.billing)],
        "target-normal-group_ownership_time-hours": "24",
    }
    made = olga.post(f"{GROUP_SLAS}/new", sent)
    assert made.status == 302, made.text
    path = f"group_slas/policies/{key_of(made.location)}"
    shown = api(olga, path)["group_sla_policy"]
    assert shown["filter"]["all"] == [
        {"field": "group_id", "operator": "includes", "value": [olga.keys.billing]}
    ]
    targets = [
        {
            "priority": "normal",
            "metric": "group_ownership_time",
            "target": 86_400,
            "business_hours": False,
        }
    ]
    assert shown["policy_metrics"] == targets
    saved = olga.post(made.location, olga.get(made.location).fields("admin-form"))
    assert saved.status == 302, saved.text
    again = api(olga, path)["group_sla_policy"]
    assert (again["filter"], again["policy_metrics"]) == (shown["filter"], targets)
    ticket = write_ticket(olga, priority="normal", group_id=olga.keys.billing)
    with olga.bound(), unit_of_work("read"):
        clock = SlaClock.objects.get(ticket_id=ticket["id"], metric="group_ownership_time")
        assert clock.target_minutes == 1440
    olga.post(f"{GROUP_SLAS}/delete?ids={shown['id']}")
    assert call(olga, "GET", path)[0] == 404


def test_a_macro_made_by_page_fills_a_tickets_form(olga: Office) -> None:
    html = "<p>Hello <b>{{ticket.requester.first_name}}</b></p>"
    sent = {
        "title": "Warranty::Ask for the serial number",
        "description": "Within two years",
        "access": "everyone",
        "actions-0-field": "comment_value_html",
        "actions-0-value": html,
        "actions-1-field": "comment_mode_is_public",
        "actions-1-value": "false",
        "actions-2-field": "current_tags",
        "actions-2-value": "warranty serial",
        "actions-3-field": f"custom_fields_{olga.keys.product}",
        "actions-3-value": "area_laser",
    }
    made = olga.post(f"{MACROS}/new", sent)
    assert made.status == 302, made.text
    key = key_of(made.location)
    shown = api(olga, f"macros/{key}")["macro"]
    assert shown["actions"] == [
        {"field": "comment_value_html", "value": html},
        {"field": "comment_mode_is_public", "value": "false"},
        {"field": "current_tags", "value": "warranty serial"},
        {"field": f"custom_fields_{olga.keys.product}", "value": "area_laser"},
    ]
    ticket = olga.keys.charged
    result = api(olga, f"tickets/{ticket}/macros/{key}/apply")["result"]["ticket"]
    assert "<b>Mara</b>" in result["comment"]["html_body"]
    assert result["comment"]["public"] is False
    page = olga.post(f"/agent/previews/tickets/{ticket}", {"macro_id": key})
    assert "warranty" in page.field("tags")
    listed = olga.get(MACROS, category="Warranty")
    body = listed.html.partition("<tbody")[2]
    assert "Ask for the serial number" in body
    assert "Take it!" not in body
    refused = olga.post(f"{MACROS}/new", {**sent, "title": ""})
    assert (refused.status, "Title: cannot be blank" in refused.text) == (422, True)
    assert "Warranty" in olga.get(f"{MACROS}/new", clone=key).field("title")
    olga.post(f"{MACROS}/change", {"ids": [key], "deactivate": "1"})
    assert "Warranty::" not in olga.get(f"/agent/tickets/{ticket}").text
    olga.post(f"{MACROS}/change", {"ids": [key], "activate": "1"})
    assert "Warranty::" in olga.get(f"/agent/tickets/{ticket}").text


def test_forms_need_their_token(olga: Office) -> None:
    for path in (f"{TRIGGERS}/new", f"{VIEWS}/new", f"{MACROS}/change", f"{SLAS}/new"):
        assert olga.post(path, {"authenticity_token": "wrong"}).status == 403
    assert olga.changes() == []


def test_unverified_what_editors_offer_and_begin_with(olga: Office) -> None:
    page = olga.get(f"{AUTOMATIONS}/new")
    for label in ("Hours since open", "Hours until due date", "Tags", "Serial number"):
        assert label in page.text
    choices = page.html.partition('data-pattern="conditions:"')[2].partition("</template>")[0]
    for absent in ("update_type", "comment_is_public", "until_sla_next_breach_at"):
        assert f'value="{absent}"' not in choices
    assert 'value="is_business_hours"' not in page.html
    copy = olga.get(f"{MACROS}/new", clone=str(olga.keys.macro))
    assert copy.field("title") == "Copy of Refund::Duplicate charge"
    assert olga.changes() == []
