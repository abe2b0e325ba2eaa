"""Admin Center's triggers: what the pages write is what the API shows, and it fires."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Trigger, TriggerCategory
from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.rules_pages import (
    AUTOMATIONS,
    GROUP_SLAS,
    MACROS,
    OWNER,
    SLAS,
    TRIGGERS,
    VIEWS,
    api,
    call,
    key_of,
    write_ticket,
)


@pytest.fixture
def olga(office: Office) -> Office:
    """The small desk with its owner signed in."""
    return office.sign_in(OWNER)


def escalation(office: Office, **values: Any) -> dict[str, Any]:
    """Return the form of a trigger."""
    return {
        "title": "Escalate urgent",
        "description": "For the night shift",
        "category_id": str(api(office, "trigger_categories")["trigger_categories"][0]["id"]),
        "all-0-field": "priority",
        "all-0-operator": "is",
        "all-0-value": "urgent",
        "any-0-field": "current_tags",
        "any-0-operator": "includes",
        "any-0-value": "fire smoke",
        "any-1-field": "status",
        "any-1-operator": "changed",
        "any-1-value": "open",
        "actions-0-field": "group_id",
        "actions-0-value": str(office.keys.billing),
        "actions-1-field": "notification_user",
        "actions-1-value": "requester_id",
        "actions-1-subject": "Heard: {{ticket.title}}",
        "actions-1-body": "We are\r\non it.",
        **values,
    }


def test_a_trigger_made_by_page_is_what_the_api_shows_and_fires(olga: Office) -> None:
    made = olga.post(f"{TRIGGERS}/new", escalation(olga))
    assert made.status == 302, made.text
    shown = api(olga, f"triggers/{key_of(made.location)}")["trigger"]
    assert (shown["title"], shown["description"]) == ("Escalate urgent", "For the night shift")
    assert shown["conditions"] == {
        "all": [{"field": "priority", "operator": "is", "value": "urgent"}],
        "any": [
            {"field": "current_tags", "operator": "includes", "value": "fire smoke"},
            {"field": "status", "operator": "changed", "value": None},
        ],
    }
    assert shown["actions"] == [
        {"field": "group_id", "value": str(olga.keys.billing)},
        {
            "field": "notification_user",
            "value": ["requester_id", "Heard: {{ticket.title}}", "We are\non it."],
        },
    ]
    assert "Escalate urgent has been saved" in olga.get(made.location).text
    ticket = write_ticket(olga, priority="urgent", tags=["smoke"])
    assert ticket["group_id"] == olga.keys.billing
    events = api(olga, f"tickets/{ticket['id']}/audits")["audits"][0]["events"]
    subjects = [event["subject"] for event in events if event["type"] == "Notification"]
    assert "Heard: {{ticket.title}}" in subjects
    calm = write_ticket(olga, priority="urgent", status="open", tags=["calm"])
    assert calm["group_id"] == olga.keys.billing
    assert write_ticket(olga, priority="low", tags=["smoke"])["group_id"] != olga.keys.billing


def test_a_trigger_is_changed_by_page(olga: Office) -> None:
    made = olga.post(f"{TRIGGERS}/new", escalation(olga))
    page = olga.get(made.location)
    sent = {**page.fields("admin-form"), "all-0-value": "high", "any-0-value": "fire"}
    assert olga.post(made.location, sent).status == 302
    shown = api(olga, f"triggers/{key_of(made.location)}")["trigger"]
    assert shown["conditions"]["all"][0]["value"] == "high"
    assert shown["conditions"]["any"][0]["value"] == "fire"
    with olga.bound(), unit_of_work("read"):
        assert Trigger.objects.get(id=shown["id"]).revision == 2


KINDS = (
    (TRIGGERS, "triggers", "trigger"),
    (AUTOMATIONS, "automations", "automation"),
    (VIEWS, "views", "view"),
    (MACROS, "macros", "macro"),
)


def test_rules_that_come_with_an_account_are_saved_as_they_were(olga: Office) -> None:
    for address, resource, name in KINDS:
        rules = api(olga, resource)[resource]
        assert rules
        for before in rules:
            path = f"{address}/{before['id']}"
            sent = olga.post(path, olga.get(path).fields("admin-form"))
            assert sent.status == 302, sent.text
            after = api(olga, f"{resource}/{before['id']}")[name]
            for item in (before, after):
                item.pop("updated_at")
            assert after == before


def test_what_no_row_can_choose_is_kept(olga: Office) -> None:
    conditions = {
        "all": [
            {"field": "organization.custom_fields.plan", "operator": "is", "value": "gold"},
            {"field": "group_id", "operator": "is", "value": "999"},
            {"field": "assignee_id", "operator": "includes", "value": ["current_user", "7"]},
        ],
        "any": [],
    }
    actions = [
        {"field": "notification_target", "value": ["5", "text"]},
        {"field": "comment_value", "value": ["channel:all", "A text"]},
        {"field": "notification_webhook", "value": ["01H", [["a", "b"]]]},
        {"field": "status", "value": "open"},
    ]
    body = {"trigger": {"title": "Odd", "conditions": conditions, "actions": actions}}
    status, made = call(olga, "POST", "triggers", body)
    assert status == 201, made
    path = f"{TRIGGERS}/{made['trigger']['id']}"
    page = olga.get(path)
    assert "999 (not available)" in page.text
    sent = olga.post(path, {**page.fields("admin-form"), "title": "Odd and renamed"})
    assert sent.status == 302, sent.text
    shown = api(olga, f"triggers/{made['trigger']['id']}")["trigger"]
    assert (shown["title"], shown["conditions"], shown["actions"]) == (
        "Odd and renamed",
        conditions,
        actions,
    )


def test_rows_come_and_go_without_scripts_and_nothing_is_written(olga: Office) -> None:
    sent = escalation(olga, add="actions")
    page = olga.post(f"{TRIGGERS}/new", sent)
    assert page.status == 200
    fields = page.fields("admin-form")
    assert fields["actions-2-field"] == ""
    assert fields["title"] == "Escalate urgent"
    chosen = {**fields, "actions-2-field": "type", "refresh": "1"}
    page = olga.post(f"{TRIGGERS}/new", chosen)
    assert page.fields("admin-form")["actions-2-value"] == ""
    assert "Incident" in page.html.partition('name="actions-2-value"')[2].partition("</select>")[0]
    page = olga.post(f"{TRIGGERS}/new", {**page.fields("admin-form"), "remove": "any-0"})
    fields = page.fields("admin-form")
    assert fields["any-0-field"] == "status"
    assert "any-1-field" not in fields
    assert olga.changes() == []


def test_conditions_name_people_and_organizations(olga: Office) -> None:
    sent = escalation(
        olga,
        **{
            "all-0-field": "requester_id",
            "all-0-value": "Mara Voss <mara@acme.example>",
            "any-0-field": "organization_id",
            "any-0-operator": "is_not",
            "any-0-value": "acme works",
        },
    )
    made = olga.post(f"{TRIGGERS}/new", sent)
    assert made.status == 302, made.text
    shown = api(olga, f"triggers/{key_of(made.location)}")["trigger"]["conditions"]
    organization = api(olga, f"users/{olga.keys.customer}")["user"]["organization_id"]
    assert shown["all"][0]["value"] == str(olga.keys.customer)
    assert shown["any"][0]["value"] == str(organization)
    page = olga.get(made.location)
    assert "Mara Voss &lt;mara@acme.example&gt;" in page.html
    assert "Acme Works" in olga.get("/agent/suggestions/organizations", q="acm").text
    offered = olga.get("/agent/suggestions/rule-requesters", q="assig").text
    assert "(assignee)" in offered


def test_several_values_are_chosen_for_operators_that_take_them(olga: Office) -> None:
    sent = escalation(
        olga,
        **{
            "all-0-field": "group_id",
            "all-0-operator": "includes",
            "all-0-values": [str(olga.keys.billing), "current_groups"],
        },
    )
    made = olga.post(f"{TRIGGERS}/new", sent)
    shown = api(olga, f"triggers/{key_of(made.location)}")["trigger"]["conditions"]
    assert shown["all"][0] == {
        "field": "group_id",
        "operator": "includes",
        "value": [str(olga.keys.billing), "current_groups"],
    }


REFUSALS: list[tuple[dict[str, str], str]] = [
    ({"title": " "}, "Title: cannot be blank"),
    (
        {"actions-0-field": "", "actions-1-field": ""},
        "Actions: must have at least one action",
    ),
    (
        {"all-0-field": "", "any-0-field": "", "any-1-field": ""},
        "Conditions: must have at least one condition",
    ),
    ({"all-0-field": "shoe_size"}, "Conditions: shoe_size is not a valid field"),
    ({"actions-0-field": "explode"}, "Actions: explode is not a valid action"),
    (
        {"all-0-field": "requester_id", "all-0-value": "Nobody"},
        "Requester: Nobody is not there",
    ),
    ({"category_id": "12"}, "Category: is invalid"),
    ({"category_id": "9" * 30}, "category_id must be"),
    ({"all-0-field": "status"}, "Status: select a value"),
    ({"all-0-operator": "includes", "all-0-value": ""}, "Priority: select a value"),
]


def test_refusals_are_said_and_keep_what_was_typed(olga: Office) -> None:
    for changes, said in REFUSALS:
        page = olga.post(f"{TRIGGERS}/new", escalation(olga, **changes))
        assert page.status == 422
        assert said in page.text
        assert "For the night shift" in page.html
    assert olga.changes() == []


def test_a_refused_row_is_the_one_that_is_marked(olga: Office) -> None:
    page = olga.post(f"{TRIGGERS}/new", escalation(olga, **{"any-0-field": "shoe_size"}))
    form = page.html.partition('id="admin-form"')[2].partition("</form>")[0]
    rows = form.split('data-test-id="rule-row"')[1:]
    marked = [number for number, row in enumerate(rows) if "is not a valid field" in row]
    assert marked == [1]


def test_triggers_are_moved_switched_cloned_and_deleted(olga: Office) -> None:
    keys = [item["id"] for item in api(olga, "triggers")["triggers"]]

    def order() -> list[int]:
        return [item["id"] for item in api(olga, "triggers")["triggers"]]

    change = f"{TRIGGERS}/change"
    assert olga.post(change, {"down": keys[0]}).location == TRIGGERS
    assert order()[:2] == [keys[1], keys[0]]
    olga.post(change, {"up": keys[0]})
    assert order() == keys
    olga.post(change, {"up": keys[0]})
    assert order() == keys
    olga.post(change, {"order": f"{keys[2]},{keys[0]}"})
    assert order()[:3] == [keys[2], keys[1], keys[0]]
    olga.post(change, {"ids": [keys[0], keys[1]], "deactivate": "1"})
    inactive = {item["id"] for item in api(olga, "triggers?active=false")["triggers"]}
    assert inactive >= {keys[0], keys[1]}
    page = olga.get(TRIGGERS, state="inactive")
    assert page.html.count('data-test-id="generic-table-row"') == len(inactive)
    olga.post(change, {"ids": [keys[0]], "activate": "1"})
    assert api(olga, f"triggers/{keys[0]}")["trigger"]["active"] is True
    assert "Select at least one first" in olga.post(change, {"activate": "1"}).text
    copy = olga.get(f"{TRIGGERS}/new", clone=str(keys[0])).fields("admin-form")
    assert copy["title"].startswith("Copy of ")
    made = olga.post(f"{TRIGGERS}/new", copy)
    new, old = (api(olga, f"triggers/{key}")["trigger"] for key in (key_of(made.location), keys[0]))
    assert (new["conditions"], new["actions"]) == (old["conditions"], old["actions"])
    asked = olga.post(change, {"ids": [new["id"]], "delete": "1"})
    assert "Delete Copy of" in olga.get(asked.location).text
    assert olga.post(asked.location).location == TRIGGERS
    assert call(olga, "GET", f"triggers/{new['id']}")[0] == 404


def test_the_list_is_searched(olga: Office) -> None:
    page = olga.get(TRIGGERS, q="assignment")
    assert "Notify assignee of assignment" in page.text
    assert "received request" not in page.html.partition("<tbody")[2]


def test_categories_are_kept_by_page(olga: Office) -> None:
    made = olga.post(f"{TRIGGERS}/categories/new", {"name": "Routing"})
    assert made.status == 302
    found = api(olga, "trigger_categories")["trigger_categories"]
    assert [item["name"] for item in found][-1] == "Routing"
    key = found[-1]["id"]
    assert "Routing" in olga.get(TRIGGERS).text
    olga.post(f"{TRIGGERS}/categories", {"up": key})
    assert api(olga, "trigger_categories")["trigger_categories"][-2]["id"] == key
    olga.post(f"{TRIGGERS}/categories/{key}", {"name": "First"})
    assert api(olga, f"trigger_categories/{key}")["trigger_category"]["name"] == "First"
    page = olga.post(f"{TRIGGERS}/categories/{key}", {"name": " "})
    assert (page.status, "Name cannot be blank" in page.text) == (422, True)
    other = next(item["id"] for item in found if item["id"] != key)
    page = olga.post(f"{TRIGGERS}/categories/{other}/delete")
    assert "A category with active triggers cannot be deleted." in page.text
    assert olga.post(f"{TRIGGERS}/categories/{key}/delete").status == 302
    with olga.bound(), unit_of_work("read"):
        assert not TriggerCategory.objects.filter(id=int(key)).exists()


def test_business_rules_are_for_admins(ana: Office) -> None:
    for address in (TRIGGERS, AUTOMATIONS, SLAS, GROUP_SLAS):
        for path in (address, f"{address}/new", f"{address}/change", f"{address}/delete"):
            assert ana.get(path).status == 403
            assert ana.post(path, {"title": "Hers"}).status == 403
    assert ana.get(f"{TRIGGERS}/categories").status == 403
    assert ana.changes() == []


def test_the_history_of_a_trigger_can_be_read_and_compared(olga: Office) -> None:
    place = olga.post(f"{TRIGGERS}/new", escalation(olga)).location
    form = olga.get(place).fields("admin-form")
    olga.post(place, {**form, "title": "Escalate", "all-0-value": "high"})
    olga.post(place, {**olga.get(place).fields("admin-form"), "any-0-value": "fire"})
    assert f'href="{place}/revisions">Revision history' in olga.get(place).html
    latest = olga.get(f"{place}/revisions")
    assert [f"revision-{number}" in latest.html for number in (1, 2, 3, 4)] == [True] * 3 + [False]
    assert "Current version" in latest.text
    assert "fire smoke</del>" in latest.html
    assert "fire</ins>" in latest.html
    assert "Escalate urgent" not in latest.text
    assert "<del>Escalate urgent</del>" in olga.get(f"{place}/revisions/2").html
    both = olga.get(f"{place}/revisions/3", against="1").html
    assert "<ins>Escalate</ins>" in both
    assert "fire smoke</del>" in both
    plain = olga.get(f"{place}/revisions/1", changes="hide")
    assert "<del>" not in plain.html
    assert "Escalate urgent" in plain.text
    assert "Urgent" in plain.text
    assert olga.get(f"{place}/revisions/9").status == 404
