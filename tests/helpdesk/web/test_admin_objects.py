"""Admin Center: fields, forms, statuses, schedules, tags, texts in languages, workspaces."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.helpdesk.web.admin_seat import Seat, form_of, rows
from tests.helpdesk.web.conftest import Office

TICKETS = "/admin/objects-rules/tickets"
FIELDS = f"{TICKETS}/ticket-fields"
FORMS = f"{TICKETS}/ticket-forms"
STATUSES = f"{TICKETS}/ticket-statuses"
SCHEDULES = "/admin/objects-rules/rules/schedules"
TOOLS = "/admin/workspaces/agent-workspace"


@pytest.fixture
def olga(office: Office) -> Seat:
    """The small desk with its owner signed in."""
    return Seat(office)


def field(olga: Seat, key: object) -> Any:
    return olga.api(f"ticket_fields/{key}.json")["ticket_field"]


def form(olga: Seat, key: object) -> Any:
    return olga.api(f"ticket_forms/{key}.json")["ticket_form"]


def last(place: str) -> str:
    return place.rpartition("/")[2]


def test_a_drop_down_is_made_and_its_options_are_kept_in_order(olga: Seat) -> None:
    assert "Regex" in olga.get(f"{FIELDS}/new").text
    blank = form_of(olga.get(f"{FIELDS}/new?type=tagger"))
    options = rows(
        "option", {"name": "Late"}, {"name": "Broken", "value": "why_broken", "default": "true"}
    )
    sent = {**blank, "title": "Reason", "agent_description": "Why", "required": "true", **options}
    place = olga.save(f"{FIELDS}/new?type=tagger", sent)
    shown = field(olga, last(place))
    assert (shown["title"], shown["type"], shown["required"]) == ("Reason", "tagger", True)
    assert (shown["agent_description"], shown["title_in_portal"]) == ("Why", "Reason")
    assert [(item["name"], item["value"]) for item in shown["custom_field_options"]] == [
        ("Late", "late"),
        ("Broken", "why_broken"),
    ]
    assert [item["default"] for item in shown["custom_field_options"]] == [False, True]
    page = olga.post(place, {**form_of(olga.get(place)), "do": "option:down:0"})
    assert page.field("option-0-name") == "Broken"
    page = olga.post(place, {**form_of(page), "do": "option:add"})
    assert page.field("option-count") == "3"
    assert field(olga, last(place)) == shown, "buttons of rows save nothing"
    olga.save(place, {**form_of(page), "option-2-name": "Lost"})
    kept = field(olga, last(place))["custom_field_options"]
    assert [item["name"] for item in kept] == ["Broken", "Late", "Lost"]
    ids = {item["name"]: item["id"] for item in shown["custom_field_options"]}
    assert {item["name"]: item["id"] for item in kept[:2]} == ids
    page = olga.refused(place, {**form_of(olga.get(place)), **rows("option")})
    assert "must contain at least one option" in page.text


def test_fields_of_each_kind_keep_what_is_theirs(olga: Seat) -> None:
    place = olga.save(f"{FIELDS}/new?type=checkbox", {"title": "VIP", "tag": "is_vip"})
    assert field(olga, last(place))["tag"] == "is_vip"
    page = olga.refused(f"{FIELDS}/new?type=regexp", {"title": "Serial", "description": "Kept"})
    assert "Regexp for validation: cannot be blank" in page.text
    assert "Kept" in page.html
    sent = {"title": "Serial", "regexp_for_validation": "K-[0-9]+", "visible_in_portal": "true"}
    place = olga.save(f"{FIELDS}/new?type=regexp", sent)
    shown = field(olga, last(place))
    assert (shown["regexp_for_validation"], shown["visible_in_portal"]) == ("K-[0-9]+", True)
    assert olga.office.get(f"{FIELDS}/new", type="lookup").status == 200, "no such kind: choose"


def test_fields_are_listed_moved_switched_and_deleted(olga: Seat) -> None:
    product, serial = olga.keys.product, olga.keys.serial
    assert "Product area" in olga.get(FIELDS, q="product").text
    assert "Product area" not in olga.get(FIELDS, type="text").html.partition("<tbody>")[2]
    buttons = re.findall(r'name="(up|down)" value="([^"]*)"', olga.get(FIELDS).html)
    assert {("up", str(serial)), ("down", str(product))} <= set(buttons)
    for narrowed in ({"q": "e"}, {"status": "active"}):
        assert "Move" not in olga.get(FIELDS, **narrowed).html, "a part of a list is not ordered"
    olga.save(f"{FIELDS}/order", {"up": str(serial)})
    listed = [item["id"] for item in olga.api("ticket_fields.json")["ticket_fields"]]
    assert listed.index(serial) == listed.index(product) - 1
    olga.save(f"{FIELDS}/{serial}/status")
    assert field(olga, serial)["active"] is False
    assert "Serial number" in olga.get(FIELDS, status="inactive").text
    assert olga.save(f"{FIELDS}/{serial}/delete") == FIELDS
    assert olga.ask(f"ticket_fields/{serial}.json").status_code == 404
    subject = next(
        item
        for item in olga.api("ticket_fields.json")["ticket_fields"]
        if item["type"] == "subject"
    )
    page = olga.get(f"{FIELDS}/{subject['id']}")
    assert 'data-test-id="admin-delete"' not in page.html
    assert (
        "system fields cannot be deleted" in olga.refused(f"{FIELDS}/{subject['id']}/delete").text
    )


def test_a_form_has_the_fields_it_is_given_in_their_order(olga: Seat) -> None:
    product, serial = olga.keys.product, olga.keys.serial
    page = olga.get(f"{FORMS}/new")
    added = {**form_of(page), "name": "Returns", "add_field": str(serial), "do": "field:add"}
    page = olga.post(f"{FORMS}/new", added)
    assert (page.status, page.field("name")) == (200, "Returns")
    page = olga.post(
        f"{FORMS}/new", {**form_of(page), "add_field": str(product), "do": "field:add"}
    )
    count = int(page.field("field-count"))
    page = olga.post(f"{FORMS}/new", {**form_of(page), "do": f"field:up:{count - 1}"})
    sent = {**form_of(page), "display_name": "Send it back", "active": "true"}
    place = olga.save(f"{FORMS}/new", sent)
    shown = form(olga, last(place))
    assert shown["ticket_field_ids"][-2:] == [product, serial]
    assert (shown["display_name"], shown["active"]) == ("Send it back", True)
    page = olga.post(place, {**form_of(olga.get(place)), "do": f"field:remove:{count - 1}"})
    olga.save(place, form_of(page))
    assert form(olga, last(place))["ticket_field_ids"] == shown["ticket_field_ids"][:-1]
    brand = olga.api("brands.json")["brands"][0]["id"]
    without = form_of(olga.get(place))
    without.pop("in_all_brands")
    olga.save(place, {**without, "restricted_brand_ids": [str(brand)]})
    shown = form(olga, last(place))
    assert (shown["in_all_brands"], shown["restricted_brand_ids"]) == (False, [brand])


def test_forms_are_cloned_moved_made_default_and_deleted(olga: Seat) -> None:
    default = olga.api("ticket_forms.json")["ticket_forms"][0]["id"]
    place = olga.save(f"{FORMS}/{default}/clone")
    assert form(olga, last(place))["name"] == "[Clone] Default Ticket Form"
    olga.save(f"{FORMS}/order", {"up": last(place)})
    listed = [item["id"] for item in olga.api("ticket_forms.json")["ticket_forms"]]
    assert listed == [int(last(place)), default]
    olga.change(place, default="true", name="Standard")
    assert form(olga, default)["default"] is False
    left = form_of(olga.get(place))
    left.pop("default")
    assert "another form must become the default one" in olga.refused(place, left).text
    assert "default ticket form cannot be deleted" in olga.refused(f"{place}/delete").text
    assert olga.save(f"{FORMS}/{default}/delete") == FORMS
    assert olga.ask(f"ticket_forms/{default}.json").status_code == 404


def child(key: int, when: str, statuses: str = "") -> dict[str, Any]:
    return rows("child", {"id": str(key), "when": when, "statuses": statuses})


@pytest.mark.parametrize("audience", ["agents", "end-users"])
def test_conditions_say_which_fields_show_when(olga: Seat, audience: str) -> None:
    product, serial = olga.keys.product, olga.keys.serial
    key = olga.api("ticket_forms.json")["ticket_forms"][0]["id"]
    base = f"{FORMS}/{key}/conditions/{audience}"
    assert "Add condition on Product area" in olga.get(base).text
    kind = "agent_conditions" if audience == "agents" else "end_user_conditions"
    when = "SOME_STATUSES" if audience == "agents" else "true"
    sent = {"value": "area_laser", **child(serial, when, "pending")}
    page = olga.get(f"{base}/new/{product}")
    added = {**form_of(page), "value": "area_laser", "add_field": str(serial), "do": "child:add"}
    page = olga.post(f"{base}/new/{product}", added)
    assert (page.field("child-0-id"), form_of(page)["value"]) == (str(serial), "area_laser")
    olga.save(f"{base}/new/{product}", {**form_of(page), **sent})
    expected: dict[str, Any] = {"id": serial, "is_required": True}
    if audience == "agents":
        expected["required_on_statuses"] = {"type": "SOME_STATUSES", "statuses": ["pending"]}
    found = form(olga, key)[kind]
    assert found == [
        {"parent_field_id": product, "value": "area_laser", "child_fields": [expected]}
    ]
    assert "Laser head" in olga.get(base).text
    kept = form_of(olga.get(f"{base}/0"))
    olga.save(f"{base}/0", kept)
    assert form(olga, key)[kind] == found, "a form sent untouched changes nothing"
    assert "has a condition already" in olga.refused(f"{base}/new/{product}", sent).text
    blank = olga.refused(f"{base}/new/{product}", {**sent, "value": ""})
    assert "Value: cannot be blank" in blank.text
    lonely = {"value": "area_billing", "child-count": "0"}
    assert "child fields are needed" in olga.refused(f"{base}/new/{product}", lonely).text
    if audience == "agents":
        page = olga.refused(f"{base}/0", {**sent, **child(serial, when)})
        assert "names no status" in page.text
    never = "NO_STATUSES" if audience == "agents" else "false"
    olga.save(f"{base}/0", {"value": "area_billing", **child(serial, never)})
    changed = form(olga, key)[kind][0]
    assert (changed["value"], changed["child_fields"][0]["is_required"]) == ("area_billing", False)
    refused = olga.refused(f"{FIELDS}/{serial}/delete")
    assert "while the form Default Ticket Form has conditions on it" in refused.text
    olga.save(f"{base}/0/delete")
    assert form(olga, key)[kind] == []
    assert olga.office.get(f"{base}/0").status == 404


def test_unverified_drop_downs_and_checkboxes_can_be_depended_on(olga: Seat) -> None:
    key = olga.api("ticket_forms.json")["ticket_forms"][0]["id"]
    box = last(olga.save(f"{FIELDS}/new?type=checkbox", {"title": "VIP"}))
    page = form_of(olga.get(f"{FORMS}/{key}"))
    added = olga.post(f"{FORMS}/{key}", {**page, "add_field": box, "do": "field:add"})
    olga.save(f"{FORMS}/{key}", form_of(added))
    base = f"{FORMS}/{key}/conditions/agents"
    text = olga.get(base).text
    assert "Add condition on VIP" in text
    assert "Add condition on Serial number" not in text
    sent = {"value": "true", **child(olga.keys.serial, "NO_STATUSES")}
    olga.save(f"{base}/new/{box}", sent)
    found = form(olga, key)["agent_conditions"]
    assert [item["value"] for item in found] == [True]


def test_a_condition_hides_and_shows_the_field_on_the_ticket(olga: Seat) -> None:
    product, serial = olga.keys.product, olga.keys.serial
    key = olga.api("ticket_forms.json")["ticket_forms"][0]["id"]
    sent = {"value": "area_laser", **child(serial, "NO_STATUSES")}
    olga.save(f"{FORMS}/{key}/conditions/agents/new/{product}", sent)
    ticket = f"/agent/tickets/{olga.keys.charged}"
    assert "Serial number" not in olga.get(ticket).text
    olga.office.send_ticket(olga.keys.charged, **{f"custom_fields_{product}": "area_laser"})
    assert "Serial number" in olga.get(ticket).text


def test_statuses_are_made_changed_and_made_default(olga: Seat) -> None:
    page = olga.get(STATUSES)
    assert re.search(r"New \(default\).*Open \(default\).*Pending", page.text)
    sent = {"status_category": "open", "agent_label": "In repair", "active": "true"}
    place = olga.save(f"{STATUSES}/new", sent)

    def shown() -> Any:
        return olga.api(f"custom_statuses/{last(place)}.json")["custom_status"]

    assert (shown()["agent_label"], shown()["end_user_label"]) == ("In repair", "In repair")
    olga.change(place, end_user_label="Being repaired", description="On the bench")
    assert (shown()["end_user_label"], shown()["description"]) == ("Being repaired", "On the bench")
    olga.save(f"{place}/default")
    assert shown()["default"] is True
    left = form_of(olga.get(place))
    left.pop("active")
    assert "a default status cannot be deactivated" in olga.refused(place, left).text
    before = next(
        item
        for item in olga.api("custom_statuses.json")["custom_statuses"]
        if item["status_category"] == "open" and not item["default"]
    )
    form = form_of(olga.get(f"{STATUSES}/{before['id']}"))
    form.pop("active")
    olga.save(f"{STATUSES}/{before['id']}", form)
    assert "Inactive" in olga.get(STATUSES, category="open", status="inactive").text
    for category, label, said in (
        ("new", "Fresh", "new has one status only"),
        ("open", "", "Agent label: cannot be blank"),
    ):
        sent = {"status_category": category, "agent_label": label, "end_user_label": "Kept"}
        page = olga.refused(f"{STATUSES}/new", sent)
        assert said in page.text
        assert page.field("end_user_label") == "Kept"


def test_schedules_have_hours_and_holidays(olga: Seat) -> None:
    blank = form_of(olga.get(f"{SCHEDULES}/new"))
    sent = {**blank, "name": "Europe", "time_zone": "Berlin"}
    sent |= rows(
        "hours",
        {"day": "1", "start": "08:30", "end": "12:00"},
        {"day": "6", "start": "20:00", "end": "24:00"},
    )
    sent |= rows("holiday", {"id": "", "name": "May Day", "start_date": "2026-05-01"})
    place = olga.save(f"{SCHEDULES}/new", sent)
    base = f"business_hours/schedules/{last(place)}"
    shown = olga.api(f"{base}.json")["schedule"]
    assert (shown["name"], shown["time_zone"]) == ("Europe", "Berlin")
    assert shown["intervals"] == [
        {"start_time": 1950, "end_time": 2160},
        {"start_time": 9840, "end_time": 10080},
    ]
    holiday = olga.api(f"{base}/holidays.json")["holidays"][0]
    assert (holiday["start_date"], holiday["end_date"]) == ("2026-05-01", "2026-05-01")
    kept = form_of(olga.get(place))
    assert (kept["hours-1-day"], kept["hours-1-end"]) == ("6", "24:00")
    olga.save(place, {**kept, "holiday-0-end_date": "2026-05-02"})
    again = olga.api(f"{base}/holidays.json")["holidays"]
    assert [(item["id"], item["end_date"]) for item in again] == [(holiday["id"], "2026-05-02")]
    page = olga.post(place, {**kept, "do": "holiday:remove:0"})
    olga.save(place, form_of(page))
    assert olga.api(f"{base}/holidays.json")["holidays"] == []
    for change, said in (
        ({"hours-0-start": "noon"}, "times are written as 09:00"),
        ({"hours-0-end": "08:00"}, "must start before they end"),
        ({"name": ""}, "Name: cannot be blank"),
    ):
        assert said in olga.refused(place, {**kept, **change}).text
    assert olga.save(f"{place}/delete") == SCHEDULES
    assert olga.ask(f"{base}.json").status_code == 404


def test_tags_are_counted_and_lead_to_their_tickets(olga: Seat) -> None:
    page = olga.get(f"{TICKETS}/tags")
    body = page.html.partition("<tbody>")[2]
    shown = re.findall(r'<a class="link" href="([^"]*)">([^<]*)</a></td><td[^>]*>(\d+)', body)
    counts = {item["name"]: item["count"] for item in olga.api("tags.json")["tags"]}
    assert {name: int(count) for _, name, count in shown} == counts
    address = next(address for address, name, _ in shown if name == "billing")
    assert "Charged twice for June" in olga.get(address.replace("&amp;", "&")).text
    assert "No tags" in olga.get(f"{TICKETS}/tags", q="nothing").text


def test_dynamic_content_is_kept_in_languages(olga: Seat) -> None:
    base = f"{TOOLS}/dynamic-content"
    sent = {"name": "Greeting", "locale_id": "1", "content": "Hello"}
    place = olga.save(f"{base}/new", sent)
    item = olga.api(f"dynamic_content/items/{last(place)}.json")["item"]
    assert (item["placeholder"], item["variants"][0]["content"]) == ("{{dc.greeting}}", "Hello")
    assert "has already been taken" in olga.refused(f"{base}/new", sent).text
    variant = item["variants"][0]["id"]
    olga.change(f"{place}/variants/{variant}", content="Good day")
    item = olga.api(f"dynamic_content/items/{last(place)}.json")["item"]
    assert item["variants"][0]["content"] == "Good day"
    again = {"locale_id": "1", "content": "Again", "active": "true"}
    page = olga.refused(f"{place}/variants/new", again)
    assert "Locale: has already been taken" in page.text
    assert "Again" in page.html
    refused = olga.refused(f"{place}/variants/{variant}/delete")
    assert "default variant cannot be deleted" in refused.text
    olga.save(place, {"name": "Salutation"})
    assert "Salutation" in olga.get(base).text
    assert olga.save(f"{place}/delete") == base
    assert olga.ask(f"dynamic_content/items/{last(place)}.json").status_code == 404


def test_a_second_language_is_added_and_deleted(olga: Seat) -> None:
    language = {"user": {"locale": "de"}}
    answer = olga.ask(f"users/{olga.keys.agent}.json", method="PUT", body=language)
    assert answer.status_code == 200
    place = olga.save(
        f"{TOOLS}/dynamic-content/new", {"name": "Hi", "locale_id": "1", "content": "Hello"}
    )
    olga.save(f"{place}/variants/new", {"locale_id": "8", "content": "Guten Tag", "active": "true"})
    path = f"dynamic_content/items/{last(place)}/variants.json"
    shown = olga.api(path)["variants"]
    assert [(item["locale_id"], item["content"]) for item in shown] == [
        (1, "Hello"),
        (8, "Guten Tag"),
    ]
    assert "Deutsch" in olga.get(place).text
    olga.save(f"{place}/variants/{shown[1]['id']}/delete")
    assert len(olga.api(path)["variants"]) == 1


def test_workspaces_have_conditions_a_form_and_macros(olga: Seat) -> None:
    base = f"{TOOLS}/contextual-workspaces"
    key = olga.api("ticket_forms.json")["ticket_forms"][0]["id"]
    sent = {
        "title": "Refunds",
        "activated": "true",
        "ticket_form_id": str(key),
        "macros": [str(olga.keys.macro)],
        "all-0-field": "priority",
        "all-0-operator": "is",
        "all-0-value": "urgent",
    }
    place = olga.save(f"{base}/new", sent)
    shown = olga.api(f"workspaces/{last(place)}.json")["workspace"]
    assert (shown["title"], shown["activated"], shown["ticket_form_id"]) == ("Refunds", True, key)
    assert shown["conditions"]["all"] == [
        {"field": "priority", "operator": "is", "value": "urgent"}
    ]
    assert [item["id"] for item in shown["selected_macros"]] == [olga.keys.macro]
    page = olga.refused(f"{base}/new", {"title": "Empty", "activated": "true"})
    assert "must have at least one condition" in page.text
    assert page.field("title") == "Empty"
    second = olga.save(f"{base}/new", {**sent, "title": "Repairs"})
    olga.save(f"{base}/order", {"up": last(second)})
    listed = [item["title"] for item in olga.api("workspaces.json")["workspaces"]]
    assert listed == ["Repairs", "Refunds"]
    olga.save(place, {**sent, "title": "Refunds now", "activated": ""})
    assert "Refunds now" in olga.get(base, status="inactive").text
    assert olga.save(f"{base}/delete?ids={last(second)}") == base
    assert olga.ask(f"workspaces/{last(second)}.json").status_code == 404
