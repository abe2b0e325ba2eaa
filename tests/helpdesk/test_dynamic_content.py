"""Texts in several languages: kept through the API, and read by everybody in their own."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.models import Message
from clones.helpdesk.domain.notifications import placeholder_values
from clones.helpdesk.models import Ticket, User
from clones.helpdesk.rules import dynamic_content as rules
from tests.helpdesk.conftest import Desk
from tests.helpdesk.mails import said_in
from tests.helpdesk.test_account import speak
from tests.helpdesk.test_rules import CREATED, action, condition, rule

PATH = "dynamic_content/items"
NOT_FOUND = {"error": "RecordNotFound", "description": "Not found"}
ENGLISH, SPANISH, GERMAN = 1, 2, 8


@pytest.fixture(autouse=True)
def languages(desk: Desk) -> None:
    """Let Rosa read Spanish and Tom German: then the account has these languages."""
    speak(desk, "rosa", "es")
    speak(desk, "tom", "de")


def text(locale: int, content: str, **given: Any) -> dict[str, Any]:
    return {"locale_id": locale, "content": content, **given}


def item(desk: Desk, name: str = "Snowboard Problem", *variants: dict[str, Any]) -> Any:
    found = list(variants) or [text(ENGLISH, "Hello"), text(SPANISH, "Hola")]
    body = {"item": {"name": name, "default_locale_id": ENGLISH, "variants": found}}
    return desk.post(f"{PATH}.json", body, by="olga")["item"]


def shown(desk: Desk, key: int) -> Any:
    return desk.get(f"{PATH}/{key}.json", by="olga")["item"]


def details(answer: Any) -> dict[str, str]:
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    return {name: items[0]["description"] for name, items in answer.body["details"].items()}


def mails(desk: Desk, about: int) -> dict[str, tuple[str, str]]:
    with desk.bound():
        found = Message.objects.filter(about=f"helpdesk.ticket:{about}").order_by("id")
        return {to: (one.subject, said_in(one)) for one in found for to in one.recipients}


def test_an_item_is_made_shown_renamed_and_removed(desk: Desk) -> None:
    variants = [text(ENGLISH, "Hello", default=True), text(SPANISH, "Hola", active=False)]
    body = {"item": {"name": "Snowboard Problem", "default_locale_id": 1, "variants": variants}}
    answer = desk.call("POST", f"{PATH}.json", body, by="olga")
    made = answer.body["item"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert (made["placeholder"], made["default_locale_id"]) == ("{{dc.snowboard_problem}}", 1)
    assert made["outdated"] is False
    first, second = made["variants"]
    assert first == {
        "url": f"{made['url'].removesuffix('.json')}/variants/{first['id']}.json",
        "id": first["id"],
        "content": "Hello",
        "locale_id": 1,
        "outdated": False,
        "active": True,
        "default": True,
        "created_at": made["created_at"],
        "updated_at": made["created_at"],
    }
    assert (second["locale_id"], second["active"], second["default"]) == (2, False, False)
    assert shown(desk, made["id"]) == made
    desk.advance(minutes=1)
    renamed = {"item": {"name": "New name", "default_locale_id": 2}}
    answer = desk.call("PUT", f"{PATH}/{made['id']}.json", renamed, by="olga")
    assert (answer.status, answer.body["item"]) == (200, shown(desk, made["id"]))
    assert '"item.default_locale_id"' in answer.headers["x-zendesk-api-warn"]
    after = shown(desk, made["id"])
    assert after == {**made, "name": "New name", "updated_at": after["updated_at"]}
    assert after["updated_at"] > made["updated_at"]
    assert desk.call("DELETE", f"{PATH}/{made['id']}.json", by="olga").status == 204
    gone = desk.call("GET", f"{PATH}/{made['id']}.json", by="olga")
    assert (gone.status, gone.body) == (404, NOT_FOUND)


def test_items_are_listed_in_both_kinds_of_pages(desk: Desk) -> None:
    keys = [item(desk, name)["id"] for name in ("c", "a", "b")]
    found = desk.get(f"{PATH}.json", by="olga")
    assert ([one["id"] for one in found["items"]], found["count"]) == (keys, 3)
    assert found["next_page"] is None
    page = desk.get(f"{PATH}.json?per_page=2&page=2", by="olga")
    assert [one["id"] for one in page["items"]] == keys[2:]
    page = desk.get(f"{PATH}.json?page[size]=2", by="olga")
    assert ([one["id"] for one in page["items"]], page["meta"]["has_more"]) == (keys[:2], True)
    after = page["meta"]["after_cursor"]
    page = desk.get(f"{PATH}.json?page[size]=2&page[after]={after}", by="olga")
    assert [one["id"] for one in page["items"]] == keys[2:]
    refused = desk.call("GET", f"{PATH}.json?page[size]=101", by="olga")
    assert refused.body["errors"][0]["code"] == "InvalidPaginationParameter"


def test_items_are_found_by_what_placeholders_call_them(desk: Desk) -> None:
    first, second = item(desk, "Item one"), item(desk, "Item two")
    item(desk, "Item three")
    path = f"{PATH}/show_many.json?identifiers=item_two,item_one,nothing,a%00b"
    found = desk.get(path, by="olga")
    assert (found["items"], found["count"], found["next_page"]) == ([first, second], 2, None)
    assert desk.get(f"{path}&per_page=1", by="olga")["items"] == [first]
    assert desk.get(f"{PATH}/show_many.json", by="olga")["items"] == []
    many = ",".join(f"i{number}" for number in range(101))
    refused = desk.call("GET", f"{PATH}/show_many.json?identifiers={many}", by="olga")
    assert (refused.status, refused.body["error"]) == (400, "TooManyValues")


def test_unverified_items_are_found_by_whole_placeholders_too(desk: Desk) -> None:
    made = item(desk, "Item one")
    for name in ("dc.item_one", "%7B%7Bdc.item_one%7D%7D"):
        found = desk.get(f"{PATH}/show_many.json?identifiers={name}", by="olga")["items"]
        assert found == [made]


def test_variants_are_made_shown_changed_and_removed(desk: Desk) -> None:
    key = item(desk, "Greeting", text(ENGLISH, "Hello"))["id"]
    path = f"{PATH}/{key}/variants"
    answer = desk.call("POST", f"{path}.json", {"variant": text(GERMAN, "Hallo")}, by="olga")
    made = answer.body["variant"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert (made["content"], made["default"], made["active"]) == ("Hallo", False, True)
    listed = desk.get(f"{path}.json", by="olga")
    assert [one["locale_id"] for one in listed["variants"]] == [1, 8]
    assert listed["variants"] == shown(desk, key)["variants"]
    page = desk.get(f"{path}.json?page[size]=1", by="olga")
    assert ([one["locale_id"] for one in page["variants"]], page["meta"]["has_more"]) == ([1], True)
    assert desk.get(f"{path}.json?per_page=1&page=2", by="olga")["variants"] == [made]
    one = f"{path}/{made['id']}.json"
    assert desk.get(one, by="olga")["variant"] == made
    body = {"variant": {"content": "Guten Tag", "active": False}}
    changed = desk.put(one, body, by="olga")["variant"]
    assert (changed["content"], changed["active"]) == ("Guten Tag", False)
    assert desk.get(one, by="olga")["variant"] == changed
    assert desk.call("DELETE", one, by="olga").status == 204
    for method in ("GET", "PUT", "DELETE"):
        gone = desk.call(method, one, body, by="olga")
        assert (gone.status, gone.body) == (404, NOT_FOUND)
    assert [one["locale_id"] for one in shown(desk, key)["variants"]] == [1]


def test_several_variants_are_made_or_changed_all_or_none(desk: Desk) -> None:
    key = item(desk, "Greeting", text(ENGLISH, "Hello"))["id"]
    path = f"{PATH}/{key}/variants"
    body = {"variants": [text(SPANISH, "Hola"), text(GERMAN, "Hallo", active=False)]}
    made = desk.post(f"{path}/create_many.json", body, by="olga")["variants"]
    assert [(one["content"], one["active"]) for one in made] == [("Hola", True), ("Hallo", False)]
    assert shown(desk, key)["variants"][1:] == made
    changes = [{"id": made[1]["id"], "active": True}, {"id": made[0]["id"], "content": "Buenas"}]
    found = desk.put(f"{path}/update_many.json", {"variants": changes}, by="olga")["variants"]
    assert [one["id"] for one in found] == [made[1]["id"], made[0]["id"]]
    after = shown(desk, key)["variants"]
    assert [(one["content"], one["active"]) for one in after[1:]] == [
        ("Buenas", True),
        ("Hallo", True),
    ]
    for wrong, status in (
        ([{"id": made[0]["id"], "content": "x"}, {"id": 17, "content": "y"}], 404),
        ([{"id": made[0]["id"], "content": "x"}, {"content": "y"}], 400),
        ([{"id": 2**63, "content": "x"}], 400),
        ([{"id": made[0]["id"], "content": "x"}, {"id": made[1]["id"], "content": ""}], 422),
    ):
        desk.put(f"{path}/update_many.json", {"variants": wrong}, by="olga", status=status)
    many = {"variants": [text(SPANISH, "x")] * 101}
    for method, name in (("POST", "create_many"), ("PUT", "update_many")):
        refused = desk.call(method, f"{path}/{name}.json", many, by="olga")
        assert (refused.status, refused.body["error"]) == (400, "TooManyValues")
        refused = desk.call(method, f"{path}/{name}.json", {}, by="olga")
        assert (refused.status, refused.body["error"]) == (400, "RequiredParameterMissing")
    twice = {"variants": [text(16, "Salut"), text(SPANISH, "Hola")]}
    refused = desk.call("POST", f"{path}/create_many.json", twice, by="olga")
    assert details(refused)
    assert shown(desk, key)["variants"] == after


def test_a_new_default_text_makes_the_others_outdated(desk: Desk) -> None:
    made = item(desk, "a", text(ENGLISH, "Hello"), text(SPANISH, "Hola"), text(GERMAN, "Hallo"))
    english, spanish, german = (one["id"] for one in made["variants"])
    path = f"{PATH}/{made['id']}/variants"

    def outdated() -> list[int]:
        found = shown(desk, made["id"])
        old = [one["locale_id"] for one in found["variants"] if one["outdated"]]
        assert found["outdated"] is bool(old)
        return old

    desk.put(f"{path}/{english}.json", {"variant": {"content": "Hello"}}, by="olga")
    assert outdated() == []
    desk.put(f"{path}/{english}.json", {"variant": {"content": "Hello you"}}, by="olga")
    assert outdated() == [SPANISH, GERMAN]
    desk.put(f"{path}/{spanish}.json", {"variant": {"content": "Hola tú"}}, by="olga")
    assert outdated() == [GERMAN]
    changes = [{"id": spanish, "content": "Oye"}, {"id": english, "content": "Hey"}]
    desk.put(f"{path}/update_many.json", {"variants": changes}, by="olga")
    assert outdated() == [GERMAN]
    desk.put(f"{path}/{german}.json", {"variant": {"default": True}}, by="olga")
    assert outdated() == []


def test_one_active_variant_is_the_default(desk: Desk) -> None:
    made = item(desk)
    english, spanish = (one["id"] for one in made["variants"])
    path = f"{PATH}/{made['id']}/variants"
    for change in ({"default": False}, {"active": False}):
        refused = desk.call("PUT", f"{path}/{english}.json", {"variant": change}, by="olga")
        assert list(details(refused)) == list(change)
    refused = desk.call("DELETE", f"{path}/{english}.json", by="olga")
    assert list(details(refused)) == ["base"]
    assert shown(desk, made["id"])["variants"] == made["variants"]
    found = desk.put(f"{path}/{spanish}.json", {"variant": {"default": True}}, by="olga")
    assert found["variant"]["default"] is True
    after = shown(desk, made["id"])
    assert after["default_locale_id"] == SPANISH
    assert [one["default"] for one in after["variants"]] == [False, True]
    body = {"variant": text(GERMAN, "Hallo", default=True)}
    desk.post(f"{path}.json", body, by="olga")
    after = shown(desk, made["id"])
    assert [one["default"] for one in after["variants"]] == [False, False, True]
    assert desk.call("DELETE", f"{path}/{english}.json", by="olga").status == 204


def test_unverified_words_of_refusals(desk: Desk) -> None:
    made = item(desk, "Greeting")
    english = text(ENGLISH, "Hello")
    fit = {"name": "n", "default_locale_id": ENGLISH, "variants": [english]}
    taken = "has already been taken"
    cases: list[tuple[dict[str, Any], dict[str, str]]] = [
        ({"name": " "}, {"name": "Name: cannot be blank"}),
        ({"name": "???"}, {"name": "Name: is invalid"}),
        ({"name": "greeting"}, {"name": f"Name: {taken}"}),
        ({"name": "Greeting!"}, {"placeholder": f"Placeholder: {taken}"}),
        (
            {"default_locale_id": 16},
            {"default_locale_id": "Default locale: is not an active locale"},
        ),
        (
            {"variants": []},
            {"variants": "Variants: must have one default, in the default locale"},
        ),
        (
            {"variants": [english, text(SPANISH, "Hola", default=True)]},
            {"variants": "Variants: must have one default, in the default locale"},
        ),
        ({"variants": [english, english]}, {"locale_id": f"Locale: {taken}"}),
        (
            {"variants": [english, text(16, "Salut")]},
            {"locale_id": "Locale: is not an active locale"},
        ),
        ({"variants": [text(ENGLISH, " ")]}, {"content": "Content: cannot be blank"}),
        (
            {"variants": [text(ENGLISH, "x", active=False)]},
            {"active": "Active: the default variant cannot be deactivated"},
        ),
    ]
    for given, expected in cases:
        refused = desk.call("POST", f"{PATH}.json", {"item": {**fit, **given}}, by="olga")
        assert details(refused) == expected, given
    other = item(desk, "Other")
    refused = desk.call("PUT", f"{PATH}/{other['id']}.json", {"item": made}, by="olga")
    assert details(refused) == {"name": f"Name: {taken}"}
    path = f"{PATH}/{made['id']}/variants"
    for one, expected in (
        (text(SPANISH, "Hola"), {"locale_id": f"Locale: {taken}"}),
        ({"content": "Hallo"}, {"locale_id": "Locale: is not an active locale"}),
        ({"locale_id": GERMAN}, {"content": "Content: cannot be blank"}),
    ):
        assert details(desk.call("POST", f"{path}.json", {"variant": one}, by="olga")) == expected
    refused = desk.call("DELETE", f"{path}/{made['variants'][0]['id']}.json", by="olga")
    assert details(refused) == {"base": "The default variant cannot be deleted"}
    assert [one["name"] for one in desk.get(f"{PATH}.json", by="olga")["items"]] == [
        "Greeting",
        "Other",
    ]
    assert shown(desk, made["id"]) == made


def test_admins_and_agents_with_the_right_keep_texts(desk: Desk) -> None:
    made = item(desk)
    key, second = made["id"], made["variants"][1]["id"]
    one, variants = f"{PATH}/{key}", f"{PATH}/{key}/variants"
    body: dict[str, Any] = {
        "item": {"name": "x"},
        "variant": text(GERMAN, "x"),
        "variants": [text(GERMAN, "x", id=second)],
    }
    calls = [
        ("GET", PATH),
        ("GET", f"{PATH}/show_many"),
        ("POST", PATH),
        ("GET", one),
        ("PUT", one),
        ("DELETE", one),
        ("GET", variants),
        ("POST", variants),
        ("POST", f"{variants}/create_many"),
        ("PUT", f"{variants}/update_many"),
        ("GET", f"{variants}/{second}"),
        ("PUT", f"{variants}/{second}"),
        ("DELETE", f"{variants}/{second}"),
    ]
    for method, path in calls:
        for who in ("ana", "rosa"):
            assert desk.call(method, f"{path}.json", body, by=who).status == 403, (path, who)
        assert desk.call(method, f"{path}.json", body, by=None).status == 401, path
        missing = path.replace(str(key), "17")
        if missing != path:
            answer = desk.call(method, f"{missing}.json", body, by="olga")
            assert (answer.status, answer.body) == (404, NOT_FOUND), path
    assert desk.get(f"{PATH}.json", by="olga")["items"] == [made]
    given = {"name": "Writer", "configuration": {"manage_dynamic_content": True}}
    role = desk.post("custom_roles.json", {"custom_role": given}, by="olga", status=200)
    with desk.writing():
        User.objects.filter(id=desk.ids["ben"]).update(custom_role=role["custom_role"]["id"])
    body = {"item": {"name": "y", "default_locale_id": 1, "variants": [text(ENGLISH, "y")]}}
    assert desk.post(f"{PATH}.json", body, by="ben")["item"]["name"] == "y"
    assert len(desk.get(f"{PATH}.json", by="ben")["items"]) == 2


def test_readers_of_different_languages_get_a_message_each(desk: Desk) -> None:
    item(desk, "Hi", text(ENGLISH, "Hi {{ticket.requester.first_name}}"), text(SPANISH, "Hola"))
    item(desk, "Bye", text(ENGLISH, "Bye"), text(GERMAN, "Tschau"))
    told = ["requester_and_ccs", "{{dc.bye}}!", "{{ dc.hi }}, {{dc.bye}}{{dc.gone}}"]
    rule(desk, "trigger", all=[CREATED], actions=[action("notification_user", told)])
    people = [{"user_id": desk.ids[name]} for name in ("tom", "ben")]
    ticket = desk.ticket(email_ccs=people)["id"]
    found = mails(desk, ticket)
    assert found["rosa@acme.example"] == ("Bye!", "Hola, Bye")
    assert found["tom@acme.example"] == ("Tschau!", "Hi Rosa, Tschau")
    assert found["ben@desk.example"] == ("Bye!", "Hi Rosa, Bye")
    audit = desk.get(f"tickets/{ticket}/audits.json")["audits"][0]
    notice = [event for event in audit["events"] if event.get("subject") == told[1]]
    assert [event["body"] for event in notice] == [told[2]]
    assert len(notice[0]["recipients"]) == 3


def test_automations_write_in_the_readers_language(desk: Desk) -> None:
    item(desk, "Bye", text(ENGLISH, "Bye"), text(SPANISH, "Adiós"))
    rule(
        desk,
        "automation",
        all=[condition("status", "less_than", "solved"), condition("NEW", "is", 1)],
        actions=[action("notification_user", ["requester_id", "{{dc.bye}}", "{{dc.bye}}"])],
    )
    ticket = desk.ticket()["id"]
    desk.advance(hours=2)
    assert mails(desk, ticket)["rosa@acme.example"] == ("Adiós", "Adiós")


def test_macros_speak_the_requesters_language(desk: Desk) -> None:
    item(desk, "Hi", text(ENGLISH, "Hi"), text(SPANISH, "Hola {{ticket.requester.first_name}}"))
    actions = [action("comment_value", "{{dc.hi}}, #{{ticket.id}}")]
    body = {"macro": {"title": "{{dc.hi}}", "actions": actions}}
    macro = desk.post("macros.json", body, by="olga")["macro"]
    assert (macro["title"], macro["raw_title"]) == ("Hi", "{{dc.hi}}")
    for who, said in (("rosa", "Hola Rosa"), ("tom", "Hi")):
        ticket = desk.ticket(requester_id=desk.ids[who])["id"]
        result = desk.get(f"tickets/{ticket}/macros/{macro['id']}/apply.json")["result"]
        assert result["ticket"]["comment"]["body"] == f"{said}, #{ticket}"


def test_inactive_variants_and_other_languages_read_the_default(desk: Desk) -> None:
    made = item(desk)
    body = {"ticket_field": {"title": "{{dc.snowboard_problem}}"}}
    field = desk.post("ticket_fields.json", body, by="olga")["ticket_field"]["id"]

    def title(by: str) -> str:
        return str(desk.get(f"ticket_fields/{field}.json", by=by)["ticket_field"]["title"])

    speak(desk, "ana", "es")
    speak(desk, "ben", "fr")
    assert [title("ana"), title("ben"), title("olga")] == ["Hola", "Hello", "Hello"]
    path = f"{PATH}/{made['id']}/variants/{made['variants'][1]['id']}.json"
    desk.put(path, {"variant": {"active": False}}, by="olga")
    assert title("ana") == "Hello"


def test_fields_options_forms_and_statuses_are_read_in_the_readers_language(desk: Desk) -> None:
    item(desk, "T")
    speak(desk, "ana", "es")
    raw = "{{dc.t}}"
    options = [{"name": "x", "raw_name": f"{raw}::a", "value": "one"}]
    given = {"type": "tagger", "title": "x", "raw_title": raw, "custom_field_options": options}
    made = desk.post("ticket_fields.json", {"ticket_field": given}, by="olga")["ticket_field"]
    assert (made["title"], made["raw_title"]) == ("Hello", raw)
    field = desk.get(f"ticket_fields/{made['id']}.json")["ticket_field"]
    named = [
        field[f"{before}title{after}"] for before in ("", "raw_") for after in ("", "_in_portal")
    ]
    assert named == ["Hola", "Hola", raw, raw]
    (option,) = field["custom_field_options"]
    assert (option["name"], option["raw_name"]) == ("Hola::a", f"{raw}::a")
    listed = desk.get(f"ticket_fields/{made['id']}/options.json")["custom_field_options"]
    assert [one["name"] for one in listed] == ["Hola::a"]
    body: dict[str, Any] = {"ticket_form": {"raw_name": raw, "raw_display_name": f"{raw}!"}}
    made = desk.post("ticket_forms.json", body, by="olga")["ticket_form"]
    form = desk.get(f"ticket_forms/{made['id']}.json")["ticket_form"]
    assert (form["name"], form["raw_name"]) == ("Hola", raw)
    assert (form["display_name"], form["raw_display_name"]) == ("Hola!", f"{raw}!")
    body = {"custom_status": {"status_category": "open", "agent_label": raw}}
    made = desk.post("custom_statuses.json", body, by="olga")["custom_status"]
    status = desk.get(f"custom_statuses/{made['id']}.json")["custom_status"]
    assert (status["agent_label"], status["raw_agent_label"]) == ("Hola", raw)


def test_unverified_a_raw_text_counts_if_it_comes_alone_or_refers_to_others(desk: Desk) -> None:
    item(desk, "T")
    body: dict[str, Any] = {"ticket_field": {"title": "Plain"}}
    made = desk.post("ticket_fields.json", body, by="olga")["ticket_field"]
    path = f"ticket_fields/{made['id']}.json"
    for given, raw in (
        ({**made, "title": "Changed"}, "Changed"),
        ({"raw_title": "Alone"}, "Alone"),
        ({"title": "Hello", "raw_title": "{{dc.t}}"}, "{{dc.t}}"),
        ({"title": "Back", "raw_title": None}, "Back"),
    ):
        desk.put(path, {"ticket_field": given}, by="olga")
        assert desk.get(path)["ticket_field"]["raw_title"] == raw


def test_unverified_references_to_nothing_stay_in_titles_and_go_from_messages(desk: Desk) -> None:
    key = item(desk, "T", text(ENGLISH, "T {{dc.inner}}"))["id"]
    item(desk, "Inner", text(ENGLISH, "never seen"))
    body = {"ticket_field": {"title": "{{dc.t}} {{dc.gone}}"}}
    field = desk.post("ticket_fields.json", body, by="olga")["ticket_field"]
    assert field["title"] == "T {{dc.inner}} {{dc.gone}}"
    told = ["requester_id", "s", "[{{dc.t}}]"]
    rule(desk, "trigger", all=[CREATED], actions=[action("notification_user", told)])
    assert mails(desk, desk.ticket()["id"])["rosa@acme.example"] == ("s", "[T ]")
    assert desk.call("DELETE", f"{PATH}/{key}.json", by="olga").status == 204
    again = desk.get(f"ticket_fields/{field['id']}.json")["ticket_field"]
    assert again["title"] == "{{dc.t}} {{dc.gone}}"
    assert mails(desk, desk.ticket()["id"])["rosa@acme.example"] == ("s", "[]")


def test_unverified_readers_of_another_country_read_the_default(desk: Desk) -> None:
    made = item(desk, "T", text(ENGLISH, "Color"), text(SPANISH, "Tono"))
    path = f"{PATH}/{made['id']}/variants/{made['variants'][1]['id']}.json"
    desk.put(path, {"variant": {"default": True}}, by="olga")
    body = {"ticket_field": {"title": "{{dc.t}}"}}
    field = desk.post("ticket_fields.json", body, by="olga")["ticket_field"]
    speak(desk, "ana", "en-GB")
    shown_to_ana = desk.get(f"ticket_fields/{field['id']}.json")["ticket_field"]
    assert (field["title"], shown_to_ana["title"]) == ("Color", "Tono")


def test_unverified_a_language_can_be_exchanged_for_a_free_one(desk: Desk) -> None:
    made = item(desk)
    path = f"{PATH}/{made['id']}/variants/{made['variants'][0]['id']}.json"
    desk.put(path, {"variant": {"locale_id": GERMAN}}, by="olga")
    assert shown(desk, made["id"])["default_locale_id"] == GERMAN
    refused = desk.call("PUT", path, {"variant": {"locale_id": SPANISH}}, by="olga")
    assert list(details(refused)) == ["locale_id"]


def test_unverified_webhooks_are_told_in_the_requesters_language(desk: Desk) -> None:
    item(desk, "Hi", text(ENGLISH, "Hi"), text(SPANISH, "Hola {{ticket.id}}"))
    key = desk.ticket()["id"]
    with desk.bound():
        values = placeholder_values(Ticket.objects.get(id=key), actor=None, wanted={"dc.hi"})
    assert values["dc.hi"] == f"Hola {key}"


def test_what_placeholders_are_called() -> None:
    assert rules.identifier_of("Snowboard  Problem (2)!") == "snowboard_problem_2"
    assert rules.identifier_of("日本語") == ""
    names = [rules.bare(name) for name in ("{{dc.a_b}}", "{{ dc.a_b }}", "dc.a_b", " a_b")]
    assert set(names) == {"a_b"}


def test_unverified_what_rules_can_say_is_told_in_the_readers_language(desk: Desk) -> None:
    item(desk)
    speak(desk, "ana", "es")
    field = {"type": "tagger", "title": "{{dc.snowboard_problem}}"}
    options = [{"name": "{{dc.snowboard_problem}}!", "value": "board"}]
    made = desk.post(
        "ticket_fields.json",
        {"ticket_field": {**field, "custom_field_options": options}},
        by="olga",
    )["ticket_field"]
    name = f"custom_fields_{made['id']}"
    for who, word in (("olga", "Hello"), ("ana", "Hola")):
        found = desk.get("triggers/definitions.json", by=who)["definitions"]
        for part in ("actions", "conditions_all"):
            (told,) = [each for each in found[part] if each["subject"] == name]
            assert told["title"] == word
            assert f"{word}!" in {value["title"] for value in told["values"]}
    (older,) = [
        each for each in desk.get("macros/actions.json")["actions"] if each["value"] == name
    ]
    assert older["title_for_field"] == "Hola"
