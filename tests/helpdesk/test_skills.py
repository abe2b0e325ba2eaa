"""Skills: their kinds, which tickets get them, who has them, and which tickets match whom."""

from __future__ import annotations

from typing import Any

from tests.helpdesk.conftest import Answer, Desk

NOWHERE = "15821cba-7326-11e8-b07e-950ba849aa27"


def kind(desk: Desk, name: str = "Language") -> str:
    made = desk.post("routing/attributes.json", {"attribute": {"name": name}}, by="olga")
    return str(made["attribute"]["id"])


def skill(desk: Desk, of: str, name: str, **given: Any) -> str:
    body = {"attribute_value": {"name": name, **given}}
    made = desk.post(f"routing/attributes/{of}/values.json", body, by="olga")
    return str(made["attribute_value"]["id"])


def urgent(value: str = "urgent") -> dict[str, Any]:
    return {"all": [{"subject": "priority", "operator": "is", "value": value}]}


def give(desk: Desk, path: str, *keys: str, by: str = "olga") -> Answer:
    body = {"attribute_value_ids": list(keys)}
    return desk.call("POST", f"routing/{path}/instance_values.json", body, by=by)


def held(desk: Desk, path: str) -> list[str]:
    found = desk.get(f"routing/{path}/instance_values.json")["attribute_values"]
    return [item["id"] for item in found]


def agent(desk: Desk, name: str = "ana") -> str:
    return f"agents/{desk.ids[name]}"


def names(desk: Desk, of: str) -> list[str]:
    found = desk.get(f"routing/attributes/{of}/values.json")["attribute_values"]
    return [item["name"] for item in found]


def test_a_kind_of_skill_is_made_shown_renamed_and_removed(desk: Desk) -> None:
    answer = desk.call("POST", "routing/attributes.json", {"attribute": {"name": " Language "}})
    made = answer.body["attribute"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert set(made) == {"url", "id", "name", "created_at", "updated_at"}
    assert made["url"].endswith(f"/api/v2/routing/attributes/{made['id']}.json")
    path = f"routing/attributes/{made['id']}.json"
    assert desk.get(path, by="olga")["attribute"] == made
    assert made["name"] == "Language"
    desk.put(path, {"attribute": {"name": "Lingua"}}, by="olga")
    assert desk.get(path, by="olga")["attribute"]["name"] == "Lingua"
    assert desk.call("DELETE", path, by="olga").status == 204
    gone = desk.call("GET", path, by="olga")
    assert (gone.status, gone.body) == (
        404,
        {"error": "RecordNotFound", "description": "Not found"},
    )
    assert desk.call("PUT", path, {"attribute": {"name": "x"}}, by="olga").status == 404
    assert desk.call("DELETE", path, by="olga").status == 404


def test_kinds_of_skills_come_in_both_pagings_with_their_skills(desk: Desk) -> None:
    first, second, third = (kind(desk, name) for name in ("Language", "Product", "Region"))
    french = skill(desk, first, "French")
    page = desk.get("routing/attributes.json?per_page=2&include=attribute_values")
    assert [item["id"] for item in page["attributes"]] == [first, second]
    assert (page["count"], page["previous_page"]) == (3, None)
    assert [item["id"] for item in page["attribute_values"]] == [french]
    rest = desk.get("routing/attributes.json?per_page=2&page=2")
    assert [item["id"] for item in rest["attributes"]] == [third]
    assert "attribute_values" not in rest
    cut = desk.get("routing/attributes.json?page[size]=2")
    assert (len(cut["attributes"]), cut["meta"]["has_more"]) == (2, True)
    after = cut["meta"]["after_cursor"]
    more = desk.get(f"routing/attributes.json?page[size]=2&page[after]={after}")
    assert [item["id"] for item in more["attributes"]] == [third]
    assert desk.call("GET", "routing/attributes.json?page[size]=101").status == 400


def test_a_skill_is_made_shown_renamed_and_removed(desk: Desk) -> None:
    of, other = kind(desk), kind(desk, "Product")
    body = {"attribute_value": {"name": "French"}}
    answer = desk.call("POST", f"routing/attributes/{of}/values.json", body, by="olga")
    made = answer.body["attribute_value"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert set(made) == {"url", "id", "name", "attribute_id", "created_at", "updated_at"}
    path = f"routing/attributes/{of}/values/{made['id']}.json"
    assert desk.get(path)["attribute_value"] == made
    assert (made["attribute_id"], names(desk, of), names(desk, other)) == (of, ["French"], [])
    answer = desk.call("PATCH", path, {"attribute_value": {"name": "German"}}, by="olga")
    assert (answer.status, answer.body["attribute_value"]["name"]) == (200, "German")
    assert names(desk, of) == ["German"]
    wrong = f"routing/attributes/{other}/values/{made['id']}.json"
    for method in ("GET", "PATCH", "DELETE"):
        found = desk.call(method, wrong, {"attribute_value": {"name": "x"}}, by="olga")
        assert (found.status, found.body["error"]) == (404, "RecordNotFound")
    assert desk.call("DELETE", path).status == 204
    assert (names(desk, of), desk.call("GET", path).status) == ([], 404)
    missing = f"routing/attributes/{NOWHERE}/values.json"
    assert desk.call("GET", missing).status == 404
    assert desk.call("POST", missing, body, by="olga").status == 404


def test_names_are_there_and_conditions_can_be(desk: Desk) -> None:
    of = kind(desk)
    value = skill(desk, of, "French")
    one, two = f"routing/attributes/{of}.json", f"routing/attributes/{of}/values/{value}.json"
    values = f"routing/attributes/{of}/values.json"

    def refused(method: str, path: str, name: str, given: Any) -> dict[str, Any]:
        answer = desk.call(method, path, {name: given}, by="olga")
        assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
        assert answer.body["description"] == "Record validation errors"
        found: dict[str, Any] = answer.body["details"]
        return found

    blank = {"name": [{"description": "Name: cannot be blank", "error": "BlankValue"}]}
    assert refused("POST", "routing/attributes.json", "attribute", {}) == blank
    assert refused("PUT", one, "attribute", {"name": " "}) == blank
    assert refused("POST", values, "attribute_value", {"name": ""}) == blank
    assert refused("PATCH", two, "attribute_value", {"name": ""}) == blank
    [problem] = refused("PATCH", two, "attribute_value", {"name": "x" * 256})["name"]
    assert problem["error"] == "ValueTooLong"
    unknown = {"name": "German", "conditions": {"any": [{"subject": "colour", "value": "red"}]}}
    assert list(refused("POST", values, "attribute_value", unknown)) == ["conditions"]
    assert names(desk, of) == ["French"]
    answer = desk.call("POST", values, {}, by="olga")
    assert (answer.status, answer.body["error"]) == (400, "RequiredParameterMissing")


def test_a_key_that_is_not_known_is_warned_of(desk: Desk) -> None:
    body = {"attribute": {"name": "Language", "colour": "red"}}
    answer = desk.call("POST", "routing/attributes.json", body, by="olga")
    assert '"attribute.colour"' in answer.headers["x-zendesk-api-warn"]


def test_a_new_ticket_gets_the_skills_whose_conditions_it_meets(desk: Desk) -> None:
    of = kind(desk)
    hot = skill(desk, of, "Hot", conditions=urgent())
    either = {
        "any": [
            {"subject": "current_tags", "operator": "includes", "value": "vip"},
            {"field": "subject_includes_word", "operator": "includes", "value": "laser"},
        ]
    }
    laser = skill(desk, of, "Laser", conditions=either)
    skill(desk, of, "Never by itself")
    first = desk.ticket(priority="urgent")["id"]
    assert set(held(desk, f"tickets/{first}")) == {hot, laser}
    second = desk.ticket(subject="Printer", priority="low")["id"]
    assert held(desk, f"tickets/{second}") == []
    desk.put(f"tickets/{second}.json", {"ticket": {"priority": "urgent"}})
    assert held(desk, f"tickets/{second}") == [], "skills come when a ticket is created"
    path = f"routing/attributes/{of}/values/{hot}.json"
    desk.call("PATCH", path, {"attribute_value": {"conditions": urgent("low")}}, by="olga")
    assert held(desk, f"tickets/{desk.ticket(subject='Printer', priority='low')['id']}") == [hot]
    desk.call("PATCH", path, {"attribute_value": {"conditions": {"all": []}}}, by="olga")
    assert held(desk, f"tickets/{desk.ticket(subject='Printer', priority='low')['id']}") == []


def test_skills_follow_what_triggers_made_of_a_ticket(desk: Desk) -> None:
    hot = skill(desk, kind(desk), "Hot", conditions=urgent())
    trigger = {
        "title": "All is urgent",
        "conditions": {"all": [{"field": "update_type", "operator": "is", "value": "Create"}]},
        "actions": [{"field": "priority", "value": "urgent"}],
    }
    desk.post("triggers.json", {"trigger": trigger}, by="olga")
    assert held(desk, f"tickets/{desk.ticket()['id']}") == [hot]


def test_an_agent_has_the_skills_that_were_set_last(desk: Desk) -> None:
    of = kind(desk)
    french, german = skill(desk, of, "French"), skill(desk, of, "German")
    assert held(desk, agent(desk)) == []
    answer = give(desk, agent(desk), french, german, french)
    assert answer.status == 200
    assert [item["id"] for item in answer.body["attribute_values"]] == [french, german]
    give(desk, agent(desk), german)
    assert held(desk, agent(desk)) == [german]
    assert held(desk, agent(desk, "ben")) == []
    path = f"routing/attributes/{of}/values/{german}.json"
    desk.call("DELETE", path)
    assert held(desk, agent(desk)) == []
    for path in (agent(desk, "rosa"), "agents/5"):
        assert give(desk, path, french).status == 404
        assert desk.call("GET", f"routing/{path}/instance_values.json").status == 404
    answer = desk.call("POST", f"routing/{agent(desk)}/instance_values.json", {}, by="olga")
    assert (answer.status, answer.body["error"]) == (400, "RequiredParameterMissing")


def test_a_ticket_has_the_skills_that_were_set_last(desk: Desk) -> None:
    of = kind(desk)
    french, german = skill(desk, of, "French"), skill(desk, of, "German")
    path = f"tickets/{desk.ticket()['id']}"
    assert give(desk, path, french, NOWHERE).status == 200
    assert held(desk, path) == [french], "what is no skill is left out"
    assert give(desk, path, german, french).status == 200
    assert held(desk, path) == [french, german]
    desk.call("DELETE", f"routing/attributes/{of}.json", by="olga")
    assert held(desk, path) == []
    assert give(desk, "tickets/99999", french).status == 404
    assert desk.call("GET", "routing/tickets/99999/instance_values.json").status == 404


def test_tickets_match_agents_who_have_all_their_skills(desk: Desk) -> None:
    of = kind(desk)
    french, german = skill(desk, of, "French"), skill(desk, of, "German")
    keys = [desk.ticket()["id"] for _ in range(3)]
    give(desk, f"tickets/{keys[0]}", french)
    give(desk, f"tickets/{keys[1]}", french, german)
    give(desk, f"tickets/{keys[2]}", german)
    give(desk, agent(desk), french)
    path = f"routing/requirements/fulfilled.json?ticket_ids={','.join(map(str, keys))},99999"
    assert desk.get(path) == {"fulfilled_ticket_ids": [keys[0]]}
    give(desk, agent(desk), french, german)
    assert desk.get(path) == {"fulfilled_ticket_ids": keys}
    assert desk.get(path, by="ben") == {"fulfilled_ticket_ids": []}
    answer = desk.call("GET", "routing/requirements/fulfilled.json")
    assert (answer.status, answer.body["error"]) == (400, "RequiredParameterMissing")
    assert desk.call("GET", "routing/requirements/fulfilled.json?ticket_ids=x").status == 400


def test_a_view_that_goes_by_skills_shows_agents_what_they_match(desk: Desk) -> None:
    french = skill(desk, kind(desk), "French")
    rule = {"title": "Open work", "all": [{"field": "status", "operator": "is", "value": "new"}]}
    view = desk.post("views.json", {"view": rule}, by="olga")["view"]["id"]
    plain, hard = desk.ticket(), desk.ticket()
    give(desk, f"tickets/{hard['id']}", french)
    give(desk, agent(desk), french)

    def seen(by: str) -> set[int]:
        found = desk.get(f"views/{view}/tickets.json", by=by)["tickets"]
        count = desk.get(f"views/{view}/count.json", by=by)["view_count"]["value"]
        assert count == len(found)
        return {item["id"] for item in found}

    assert seen("ben") == seen("ana") == {plain["id"], hard["id"]}
    given = {"settings": {"rule": {"skill_based_filtered_views": [view]}}}
    answer = desk.put("account/settings.json", given, by="olga")
    assert answer["settings"]["rule"]["skill_based_filtered_views"] == [view]
    assert (seen("ana"), seen("ben")) == ({plain["id"], hard["id"]}, {plain["id"]})
    given = {"settings": {"rule": {"skill_based_filtered_views": [5]}}}
    assert desk.put("account/settings.json", given, by="olga", status=422)["details"]
    assert desk.call("PUT", "account/settings.json", given).status == 403


def test_conditions_of_skills_look_at_a_ticket_alone(desk: Desk) -> None:
    found = desk.get("routing/attributes/definitions.json", by="olga")["definitions"]
    assert set(found) == {"conditions_all", "conditions_any"}
    subjects = [item["subject"] for item in found["conditions_all"]]
    assert {"priority", "current_tags", "group_id"} < set(subjects)
    assert {"update_type", "comment_is_public"}.isdisjoint(subjects)
    assert {"subject": "priority", "title": "Priority"} in found["conditions_any"]


def test_exports_tell_what_became_of_skills(desk: Desk) -> None:
    of = kind(desk)
    french = skill(desk, of, "French")
    ticket = desk.ticket()["id"]
    give(desk, agent(desk), french)
    give(desk, f"tickets/{ticket}", french)
    give(desk, agent(desk))
    desk.put(f"routing/attributes/{of}.json", {"attribute": {"name": "Lingua"}}, by="olga")
    desk.call("DELETE", f"routing/attributes/{of}.json", by="olga")
    desk.advance(minutes=2)

    def told(stream: str) -> list[dict[str, Any]]:
        page = desk.get(f"incremental/routing/{stream}.json", by="olga")
        rows: list[dict[str, Any]] = page[stream]
        assert page["count"] == len(rows)
        assert page["end_time"] > 0
        rest = desk.get(page["next_page"].partition("/api/v2/")[2], by="olga")
        assert (rest["count"], rest[stream]) == (0, [])
        assert rest["next_page"] == page["next_page"]
        return rows

    rows = told("attributes")
    assert [row["type"] for row in rows] == ["create", "update", "delete"]
    assert [row["name"] for row in rows] == ["Language", "Lingua", "Lingua"]
    assert {row["id"] for row in rows} == {of}
    rows = told("attribute_values")
    assert [(row["type"], row["id"], row["attribute_id"]) for row in rows] == [
        ("create", french, of),
        ("delete", french, of),
    ]
    rows = told("instance_values")
    assert [(row["type"], row["instance_id"]) for row in rows] == [
        ("associate_agent", str(desk.ids["ana"])),
        ("associate_ticket", str(ticket)),
        ("unassociate_agent", str(desk.ids["ana"])),
        ("unassociate_ticket", str(ticket)),
    ]
    assert (rows[0]["id"], rows[1]["id"]) == (rows[2]["id"], rows[3]["id"])
    assert {row["attribute_value_id"] for row in rows} == {french}
    assert set(rows[0]) == {"id", "type", "time", "attribute_value_id", "instance_id"}


def test_a_cursor_that_no_routing_export_gave_is_refused(desk: Desk) -> None:
    for stream in ("attributes", "attribute_values", "instance_values"):
        path = f"incremental/routing/{stream}.json"
        assert desk.call("GET", f"{path}?cursor=x", by="olga").status == 400
        assert desk.call("GET", path).status == 403


def test_admins_keep_skills_and_agents_read_them(desk: Desk) -> None:
    of = kind(desk)
    value = skill(desk, of, "French")
    ticket = desk.ticket()["id"]
    one, two = f"routing/attributes/{of}.json", f"routing/attributes/{of}/values/{value}.json"
    calls: list[tuple[str, str, Any]] = [
        ("GET", one, None),
        ("GET", "routing/attributes/definitions.json", None),
        ("PUT", one, {"attribute": {"name": "x"}}),
        ("DELETE", one, None),
        ("POST", f"routing/attributes/{of}/values.json", {"attribute_value": {"name": "x"}}),
        ("PATCH", two, {"attribute_value": {"name": "x"}}),
        ("POST", f"routing/{agent(desk)}/instance_values.json", {"attribute_value_ids": [value]}),
        ("POST", f"routing/tickets/{ticket}/instance_values.json", {"attribute_value_ids": []}),
    ]
    for method, path, body in calls:
        answer = desk.call(method, path, body)
        assert (answer.status, answer.body["error"]["title"]) == (403, "Forbidden"), (method, path)
    reads = [
        "routing/attributes.json",
        f"routing/attributes/{of}/values.json",
        two,
        f"routing/{agent(desk)}/instance_values.json",
        f"routing/tickets/{ticket}/instance_values.json",
        f"routing/requirements/fulfilled.json?ticket_ids={ticket}",
    ]
    for path in reads:
        assert desk.call("GET", path).status == 200, path
        assert desk.call("GET", path, by="rosa").status == 403, path
        assert desk.call("GET", path, by=None).status == 401, path
    assert desk.call("POST", "routing/attributes.json", {"attribute": {}}, by="rosa").status == 403
    assert desk.call("DELETE", two, by="rosa").status == 403
    assert names(desk, of) == ["French"]


def test_unverified_names_of_skills_are_used_once(desk: Desk) -> None:
    of, other = kind(desk), kind(desk, "Product")
    skill(desk, of, "French")
    skill(desk, other, "French")
    body: dict[str, Any] = {"attribute": {"name": "language"}}
    details = desk.call("POST", "routing/attributes.json", body, by="olga").body["details"]
    assert details["name"][0]["error"] == "DuplicateValue"
    body = {"attribute_value": {"name": "FRENCH"}}
    answer = desk.call("POST", f"routing/attributes/{of}/values.json", body, by="olga")
    assert (answer.status, answer.body["details"]["name"][0]["error"]) == (422, "DuplicateValue")


def test_unverified_agents_make_kinds_of_skills_and_delete_skills(desk: Desk) -> None:
    made = desk.post("routing/attributes.json", {"attribute": {"name": "Language"}}, by="ana")
    of = made["attribute"]["id"]
    value = skill(desk, of, "French")
    assert desk.call("DELETE", f"routing/attributes/{of}/values/{value}.json").status == 204
    assert names(desk, of) == []


def test_unverified_an_agents_unknown_skill_is_refused_and_nothing_set(desk: Desk) -> None:
    french = skill(desk, kind(desk), "French")
    answer = give(desk, agent(desk), french, NOWHERE)
    assert (answer.status, answer.body["error"]) == (404, "RecordNotFound")
    assert held(desk, agent(desk)) == []


def test_unverified_a_ticket_without_skills_matches_everybody(desk: Desk) -> None:
    key = desk.ticket()["id"]
    path = f"routing/requirements/fulfilled.json?ticket_ids={key}"
    assert desk.get(path, by="ben") == {"fulfilled_ticket_ids": [key]}


def test_unverified_an_empty_export_has_neither_end_nor_next(desk: Desk) -> None:
    body = desk.get("incremental/routing/attributes.json", by="olga")
    assert body == {"attributes": [], "count": 0, "end_time": None, "next_page": None}


def test_unverified_conditions_of_skills_name_a_subject(desk: Desk) -> None:
    hot = skill(desk, kind(desk), "Hot", conditions=urgent())
    assert held(desk, f"tickets/{desk.ticket(priority='urgent')['id']}") == [hot]


def test_unverified_a_view_by_skills_is_so_for_admins_too(desk: Desk) -> None:
    rule = {"title": "New", "all": [{"field": "status", "operator": "is", "value": "new"}]}
    view = desk.post("views.json", {"view": rule}, by="olga")["view"]["id"]
    give(desk, f"tickets/{desk.ticket()['id']}", skill(desk, kind(desk), "French"))
    given = {"settings": {"rule": {"skill_based_filtered_views": [view]}}}
    desk.put("account/settings.json", given, by="olga")
    assert desk.get(f"views/{view}/tickets.json", by="olga")["tickets"] == []


def test_skills_of_many_agents_are_listed_and_changed_at_once(desk: Desk) -> None:
    of = kind(desk)
    french, german, dutch = (skill(desk, of, name) for name in ("French", "German", "Dutch"))
    ana, ben, rosa = (desk.ids[name] for name in ("ana", "ben", "rosa"))
    give(desk, agent(desk), french)
    give(desk, agent(desk, "ben"), german)
    path = "routing/agents/instance_values"

    def change(action: str, keys: list[str], *people: int) -> list[Any]:
        values = [{"id": key, "agent_skill_priority": "NORMAL"} for key in keys]
        job = {"action": action, "attributes": {"attribute_values": values}, "items": people}
        made = desk.post(f"{path}/job", {"job": job}, by="olga", status=200)["job_status"]
        assert made["job_type"] == "Bulk upsert/update/delete agent instance values"
        desk.drain()
        found = desk.get(f"job_statuses/{made['id']}", by="olga")["job_status"]["results"]
        return list(found)

    def stand() -> tuple[set[str], set[str]]:
        return set(held(desk, agent(desk))), set(held(desk, agent(desk, "ben")))

    results = change("upsert", [dutch, french], ana, rosa, ben)
    assert [item.get("status") for item in results] == ["Updated", None, "Updated"]
    assert stand() == ({french, dutch}, {french, german, dutch})
    change("delete", [french], ana, ben)
    assert stand() == ({dutch}, {german, dutch})
    assert "error" in change("update", ["no-skill"], ana)[0]
    change("update", [german], ana)
    assert stand() == ({german}, {german, dutch})

    page = desk.get(f"{path}?filter[agent_ids]={ana},{ben}&page[size]=2", by="olga")
    assert (page["count"], page["next_page"], page["meta"]["has_more"]) == (2, None, True)
    after = page["meta"]["after_cursor"]
    more = desk.get(
        f"{path}?filter[agent_ids]={ana},{ben}&page[size]=2&page[after]={after}", by="olga"
    )
    rows = [*page["instance_values"], *more["instance_values"]]
    assert {(row["agent_id"], row["name"]) for row in rows} == {
        (ana, "German"),
        (ben, "German"),
        (ben, "Dutch"),
    }
    one = rows[0]
    assert (one["attribute_id"], one["agent_skill_priority"]) == (of, "NORMAL")
    assert one["attribute_value_id"] in (german, dutch)
    refused = {"job": {"action": "odd", "attributes": {"attribute_values": []}, "items": [ana]}}
    assert desk.call("POST", f"{path}/job", refused, by="olga").status == 400
    many = {"job": {**refused["job"], "action": "delete", "items": [1] * 101}}
    assert desk.call("POST", f"{path}/job", many, by="olga").status == 400
    assert desk.call("POST", f"{path}/job", many).status == 403
    assert desk.call("GET", path, by="olga").body["error"]["title"] == "Invalid attribute"
    assert desk.call("GET", f"{path}?filter[agent_ids]={ana}").status == 403
