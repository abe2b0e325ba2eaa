"""Fields of tickets: made, changed, ordered, removed, and what becomes of their values."""

from __future__ import annotations

from typing import Any

from django.test import Client

from clones.helpdesk.domain.ticket_fields import TYPES
from clones.helpdesk.models import Ticket, TicketField
from tests.helpdesk.conftest import Desk

PIES = [{"name": "Apple Pie", "value": "apple"}, {"name": "Pecan Pie", "value": "pecan"}]

CREAM = [{"name": "Cream", "value": "cream"}]


def field(desk: Desk, **given: Any) -> Any:
    body = {"title": "Pie", "type": "tagger", **given}
    if body["type"] in ("tagger", "multiselect"):
        body.setdefault("custom_field_options", PIES)
    return desk.post("ticket_fields.json", {"ticket_field": body}, by="olga")["ticket_field"]


def shown(desk: Desk, key: int) -> Any:
    return desk.get(f"ticket_fields/{key}.json")["ticket_field"]


def value(ticket: Any, key: int) -> Any:
    found = [item["value"] for item in ticket["custom_fields"] if item["id"] == key]
    return found[0] if found else "absent"


def refused(desk: Desk, method: str, path: str, body: Any = None) -> tuple[int, str, str]:
    answer = desk.call(method, path, body, by="olga")
    [(attribute, [problem])] = answer.body["details"].items()
    return answer.status, attribute, problem["description"]


def test_a_field_can_be_filled_as_soon_as_it_is_made(desk: Desk) -> None:
    answer = desk.call("POST", "ticket_fields.json", {"ticket_field": {"title": "PO"}}, by="olga")
    made = answer.body["ticket_field"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert (made["type"], made["position"], made["removable"]) == ("text", 9999, True)
    assert (made["description"], made["title_in_portal"]) == ("PO", "PO")
    assert shown(desk, made["id"]) == made
    assert made["id"] in [item["id"] for item in desk.get("ticket_fields.json")["ticket_fields"]]
    ticket = desk.ticket(custom_fields=[{"id": made["id"], "value": "4711"}])
    assert value(desk.get(f"tickets/{ticket['id']}.json")["ticket"], made["id"]) == "4711"


def test_a_drop_down_puts_its_tags_on_tickets(desk: Desk) -> None:
    made = field(desk)
    names = [(option["name"], option["value"]) for option in made["custom_field_options"]]
    assert names == [("Apple Pie", "apple"), ("Pecan Pie", "pecan")]
    ticket = desk.ticket(custom_fields=[{"id": made["id"], "value": "pecan"}])
    assert ticket["tags"] == ["pecan"]


def test_a_field_without_what_its_type_needs_is_refused(desk: Desk) -> None:
    def wrong(**given: Any) -> tuple[int, str, str]:
        body = {"ticket_field": {"title": "t", **given}}
        return refused(desk, "POST", "ticket_fields.json", body)

    assert wrong(title=" ") == (422, "title", "Title: cannot be blank")
    assert wrong(type="lookup") == (422, "type", "Type: lookup is not a valid type")
    needs_one = "Field options: must contain at least one option"
    assert wrong(type="tagger") == (422, "field_options", needs_one)
    assert wrong(type="regexp")[:2] == (422, "regexp_for_validation")
    assert desk.get("ticket_fields/count.json")["count"]["value"] == 8


def test_a_tag_belongs_to_one_field(desk: Desk) -> None:
    field(desk)
    again = {"ticket_field": {"title": "x", "type": "multiselect", "custom_field_options": PIES}}
    assert refused(desk, "POST", "ticket_fields.json", again)[:2] == (422, "field_options")
    box = {"ticket_field": {"title": "Box", "type": "checkbox", "tag": "apple"}}
    assert refused(desk, "POST", "ticket_fields.json", box)[:2] == (422, "tag")


def test_agents_read_fields_and_do_not_write_them(desk: Desk) -> None:
    key = field(desk)["id"]
    body = {"ticket_field": {"title": "Mine"}}
    assert desk.call("POST", "ticket_fields.json", body, by="ana").status == 403
    assert desk.call("PUT", f"ticket_fields/{key}.json", body, by="ana").status == 403
    assert desk.call("DELETE", f"ticket_fields/{key}.json", by="ana").status == 403
    assert shown(desk, key)["title"] == "Pie"


def test_a_change_keeps_the_type_and_takes_the_portals_title_along(desk: Desk) -> None:
    key = field(desk, type="text")["id"]
    given = {"title": "Cake", "type": "date", "required": True, "agent_description": "Ask."}
    desk.put(f"ticket_fields/{key}.json", {"ticket_field": given}, by="olga")
    found = shown(desk, key)
    assert (found["type"], found["title"], found["title_in_portal"]) == ("text", "Cake", "Cake")
    assert (found["required"], found["agent_description"]) == (True, "Ask.")
    assert found["description"] == "Pie"


def test_an_inactive_field_takes_no_values(desk: Desk) -> None:
    key = field(desk, type="text")["id"]
    desk.put(f"ticket_fields/{key}.json", {"ticket_field": {"active": False}}, by="olga")
    ticket = desk.ticket(custom_fields=[{"id": key, "value": "x"}])
    assert value(ticket, key) == "absent"
    desk.put(f"ticket_fields/{key}.json", {"ticket_field": {"active": True}}, by="olga")
    assert value(desk.get(f"tickets/{ticket['id']}.json")["ticket"], key) is None


def test_fields_that_every_ticket_needs_stay(desk: Desk) -> None:
    system = {item["type"]: item["id"] for item in desk.get("ticket_fields.json")["ticket_fields"]}
    off = {"ticket_field": {"active": False}}
    path = f"ticket_fields/{system['status']}.json"
    assert refused(desk, "PUT", path, off) == (422, "base", "Status: cannot be deactivated")
    assert refused(desk, "DELETE", f"ticket_fields/{system['priority']}.json")[0] == 422
    desk.put(f"ticket_fields/{system['priority']}.json", off, by="olga")
    assert shown(desk, system["priority"])["active"] is False


def test_a_choice_that_is_left_out_leaves_tickets_and_macros_but_its_tag_stays(
    desk: Desk,
) -> None:
    made = field(desk)
    key = made["id"]
    apple = desk.ticket(custom_fields=[{"id": key, "value": "apple"}])["id"]
    pecan = desk.ticket(custom_fields=[{"id": key, "value": "pecan"}])["id"]
    actions = [
        {"field": f"custom_fields_{key}", "value": "apple"},
        {"field": "priority", "value": "low"},
    ]
    macro = {"macro": {"title": "Baked", "actions": actions}}
    macro_id = desk.post("macros.json", macro, by="olga")["macro"]["id"]
    kept = [{"name": "Pecan", "value": "pecan"}, {"name": "Plum", "value": "plum"}]
    desk.put(
        f"ticket_fields/{key}.json", {"ticket_field": {"custom_field_options": kept}}, by="olga"
    )
    ticket = desk.get(f"tickets/{apple}.json")["ticket"]
    assert (value(ticket, key), ticket["tags"]) == (None, ["apple"])
    assert value(desk.get(f"tickets/{pecan}.json")["ticket"], key) == "pecan"
    assert desk.get(f"macros/{macro_id}.json")["macro"]["actions"] == actions[1:]
    options = desk.get(f"ticket_fields/{key}/options.json")["custom_field_options"]
    assert [(item["name"], item["value"]) for item in options] == [
        ("Pecan", "pecan"),
        ("Plum", "plum"),
    ]
    assert options[0]["id"] == made["custom_field_options"][1]["id"]


def test_a_removed_field_takes_its_values_along_and_leaves_the_tags(desk: Desk) -> None:
    key = field(desk, type="multiselect")["id"]
    form = desk.get("ticket_forms.json")["ticket_forms"][0]
    ids = {"ticket_form": {"ticket_field_ids": [*form["ticket_field_ids"], key]}}
    desk.put(f"ticket_forms/{form['id']}.json", ids, by="olga")
    ticket = desk.ticket(custom_fields=[{"id": key, "value": ["apple", "pecan"]}])["id"]
    answer = desk.call("DELETE", f"ticket_fields/{key}.json", by="olga")
    assert (answer.status, answer.raw) == (204, b"")
    assert desk.call("GET", f"ticket_fields/{key}.json").status == 404
    found = desk.get(f"tickets/{ticket}.json")["ticket"]
    assert (value(found, key), found["tags"]) == ("absent", ["apple", "pecan"])
    after = desk.get(f"ticket_forms/{form['id']}.json")["ticket_form"]["ticket_field_ids"]
    assert after == form["ticket_field_ids"]
    # A new field with the same tags begins empty.
    again = field(desk, type="multiselect")["id"]
    assert value(desk.get(f"tickets/{ticket}.json")["ticket"], again) is None


def test_a_field_that_a_condition_needs_is_neither_deleted_nor_deactivated(desk: Desk) -> None:
    parent, child = field(desk)["id"], field(desk, title="Size", type="text")["id"]
    form = desk.get("ticket_forms.json")["ticket_forms"][0]
    asked = {"type": "ALL_STATUSES"}
    condition = {
        "parent_field_id": parent,
        "value": "apple",
        "child_fields": [{"id": child, "is_required": True, "required_on_statuses": asked}],
    }
    given = {
        "ticket_field_ids": [*form["ticket_field_ids"], parent, child],
        "agent_conditions": [condition],
    }
    desk.put(f"ticket_forms/{form['id']}.json", {"ticket_form": given}, by="olga")
    off = {"ticket_field": {"active": False}}
    for key in (parent, child):
        assert refused(desk, "DELETE", f"ticket_fields/{key}.json")[:2] == (422, "base")
        assert refused(desk, "PUT", f"ticket_fields/{key}.json", off)[:2] == (422, "base")
    bare: dict[str, Any] = {"ticket_form": {"agent_conditions": []}}
    desk.put(f"ticket_forms/{form['id']}.json", bare, by="olga")
    assert desk.call("DELETE", f"ticket_fields/{child}.json", by="olga").status == 204


def test_choices_are_added_and_changed_one_by_one(desk: Desk) -> None:
    key = field(desk)["id"]
    path = f"ticket_fields/{key}/options.json"
    plum = {"custom_field_option": {"name": "Plum", "value": "plum", "position": 0}}
    answer = desk.call("POST", path, plum, by="olga")
    assert (answer.status, answer.headers["Location"]) == (201, f"/api/v2/{path}")
    made = answer.body["custom_field_option"]
    assert (made["name"], made["value"], made["position"]) == ("Plum", "plum", 0)
    assert desk.get(f"ticket_fields/{key}/options/{made['id']}.json") == answer.body
    ticket = desk.ticket(custom_fields=[{"id": key, "value": "plum"}])["id"]
    renamed = {"custom_field_option": {"id": made["id"], "name": "Plum Pie"}}
    answer = desk.call("POST", path, renamed, by="olga")
    assert (answer.status, answer.body["custom_field_option"]["name"]) == (200, "Plum Pie")
    assert value(desk.get(f"tickets/{ticket}.json")["ticket"], key) == "plum"
    page = desk.get(f"{path}?per_page=2&page=2")
    assert ([item["value"] for item in page["custom_field_options"]], page["count"]) == (
        ["pecan"],
        3,
    )
    double = {"custom_field_option": {"name": "Other", "value": "apple"}}
    assert refused(desk, "POST", path, double)[:2] == (422, "field_options")


def test_a_choice_with_another_tag_is_another_value(desk: Desk) -> None:
    made = field(desk)
    key, option = made["id"], made["custom_field_options"][0]["id"]
    ticket = desk.ticket(custom_fields=[{"id": key, "value": "apple"}])["id"]
    changed = {"custom_field_option": {"id": option, "name": "Apple Pie", "value": "pippin"}}
    desk.post(f"ticket_fields/{key}/options.json", changed, by="olga", status=200)
    found = desk.get(f"tickets/{ticket}.json")["ticket"]
    assert (value(found, key), found["tags"]) == (None, ["apple"])


def test_a_choice_is_removed_and_the_last_one_stays(desk: Desk) -> None:
    made = field(desk)
    key = made["id"]
    first, second = (option["id"] for option in made["custom_field_options"])
    ticket = desk.ticket(custom_fields=[{"id": key, "value": "apple"}])["id"]
    path = f"ticket_fields/{key}/options"
    assert desk.call("DELETE", f"{path}/{first}.json", by="ana").status == 403
    assert desk.call("DELETE", f"{path}/{first}.json", by="olga").status == 204
    assert desk.call("GET", f"{path}/{first}.json").status == 404
    assert desk.call("DELETE", f"{path}/{first}.json", by="olga").status == 404
    assert value(desk.get(f"tickets/{ticket}.json")["ticket"], key) is None
    assert refused(desk, "DELETE", f"{path}/{second}.json")[:2] == (422, "field_options")


def test_tags_that_older_fields_have_stay_as_they_are(desk: Desk) -> None:
    key, other = field(desk)["id"], field(desk, title="Other", custom_field_options=CREAM)["id"]
    old = [
        {"id": 1, "name": "Apple", "value": "Apple Pie"},
        {"id": 2, "name": "Cream", "value": "cream"},
    ]
    made = desk.ticket()["id"]
    with desk.writing():
        TicketField.objects.filter(id=key).update(options=old)
        ticket = Ticket.objects.get(id=made)
        ticket.custom_fields = {str(key): "Apple Pie"}
        ticket.save()
    plum = {"custom_field_option": {"name": "Plum", "value": "Plum "}}
    desk.post(f"ticket_fields/{key}/options.json", plum, by="olga")
    options = desk.get(f"ticket_fields/{key}/options.json")["custom_field_options"]
    assert [item["value"] for item in options] == ["Apple Pie", "cream", "plum"]
    assert value(desk.get(f"tickets/{ticket.id}.json")["ticket"], key) == "Apple Pie"
    taken = {"custom_field_option": {"name": "Plum", "value": "plum"}}
    path = f"ticket_fields/{other}/options.json"
    assert refused(desk, "POST", path, taken)[:2] == (422, "field_options")


def test_fields_take_the_order_given_and_the_others_follow(desk: Desk) -> None:
    before = [item["id"] for item in desk.get("ticket_fields.json")["ticket_fields"]]
    wanted = {"ticket_field_ids": [before[4], before[1]]}
    answer = desk.call("PUT", "ticket_fields/reorder.json", wanted, by="olga")
    assert (answer.status, answer.raw) == (200, b"")
    rest = [key for key in before if key not in wanted["ticket_field_ids"]]
    after = desk.get("ticket_fields.json")["ticket_fields"]
    assert [item["id"] for item in after] == [*wanted["ticket_field_ids"], *rest]
    assert desk.call("PUT", "ticket_fields/reorder.json", wanted, by="ana").status == 403
    assert desk.call("PUT", "ticket_fields/reorder.json", {}, by="olga").status == 400


def test_unverified_an_order_of_unknown_fields_is_refused_as_a_whole(desk: Desk) -> None:
    before = [item["id"] for item in desk.get("ticket_fields.json")["ticket_fields"]]
    wanted = {"ticket_field_ids": [before[3], 1]}
    assert desk.call("PUT", "ticket_fields/reorder.json", wanted, by="olga").status == 404
    after = [item["id"] for item in desk.get("ticket_fields.json")["ticket_fields"]]
    assert after == before


def test_unverified_words_of_refusals(desk: Desk) -> None:
    key = field(desk)["id"]
    bad = {"ticket_field": {"custom_field_options": [{"name": "Two", "value": "two words"}]}}
    assert refused(desk, "PUT", f"ticket_fields/{key}.json", bad) == (
        422,
        "field_options",
        "Field options: Two is invalid",
    )
    texts = field(desk, title="Plain", type="text")["id"]
    one = {"custom_field_option": {"name": "One", "value": "one"}}
    assert desk.call("POST", f"ticket_fields/{texts}/options.json", one, by="olga").status == 422


def test_fields_of_every_type_stand_on_the_agents_page(desk: Desk) -> None:
    keys = {}
    for kind in TYPES:
        extra: dict[str, Any] = {"regexp_for_validation": "[0-9]+"} if kind == "regexp" else {}
        if kind == "multiselect":
            extra["custom_field_options"] = CREAM
        keys[kind] = field(desk, title=f"Title of {kind}", type=kind, **extra)["id"]
    form = desk.get("ticket_forms.json")["ticket_forms"][0]
    ids = {"ticket_form": {"ticket_field_ids": [*form["ticket_field_ids"], *keys.values()]}}
    desk.put(f"ticket_forms/{form['id']}.json", ids, by="olga")
    ticket = desk.ticket()["id"]
    page = browser(desk)
    for kind in TYPES:
        assert f"Title of {kind}" in opened(page, f"/agent/tickets/{ticket}")
    assert ">Pecan Pie<" in opened(page, f"/agent/tickets/{ticket}")
    desk.call("DELETE", f"ticket_fields/{keys['date']}.json", by="olga")
    off = {"ticket_field": {"active": False}}
    desk.put(f"ticket_fields/{keys['text']}.json", off, by="olga")
    left = opened(page, f"/agent/tickets/{ticket}")
    assert "Title of date" not in left
    assert "Title of text<" not in left
    assert "Title of decimal" in left


def test_what_names_a_removed_field_goes_on_working(desk: Desk) -> None:
    key = field(desk)["id"]
    name = f"custom_fields_{key}"
    unsolved = [{"field": "status", "operator": "less_than", "value": "solved"}]
    view = {"title": "Pies", "all": unsolved, "output": {"columns": ["subject", name]}}
    view_id = desk.post("views.json", {"view": view}, by="olga")["view"]["id"]
    rule = {
        "title": "Pies",
        "any": [
            {"field": name, "operator": "is", "value": "apple"},
            {"field": "update_type", "operator": "is", "value": "Create"},
        ],
        "actions": [{"field": name, "value": "pecan"}, {"field": "priority", "value": "high"}],
    }
    desk.post("triggers.json", {"trigger": rule}, by="olga")
    assert value(desk.ticket(), key) == "pecan"
    assert desk.call("DELETE", f"ticket_fields/{key}.json", by="olga").status == 204
    ticket = desk.ticket()
    assert (ticket["priority"], ticket["tags"]) == ("high", [])
    assert len(desk.get(f"views/{view_id}/execute.json")["rows"]) == 2
    page = browser(desk)
    assert "Laser does not start" in opened(page, f"/agent/filters/{view_id}")
    assert "Laser does not start" in opened(page, f"/agent/tickets/{ticket['id']}?events=1")


def browser(desk: Desk) -> Client:
    """Return a browser at which Ana is signed in."""
    found = Client(headers={"host": f"helpdesk.{desk.row.id}.localhost:8800"})
    card = desk.cards["ana"]
    form = {"email": card.login, "password": card.secrets["password"], "return_to": "/agent"}
    assert found.post("/auth/v2/login/signin", form).status_code == 302
    return found


def opened(page: Client, path: str) -> str:
    answer = page.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()
