"""What `include=` carries along: every name that the vendor gives, over all operations."""

from __future__ import annotations

import re
from typing import Any

import pytest

from clones.helpdesk.api.entry import operations
from tests.helpdesk.conftest import Desk
from tests.helpdesk.fidelity_pages import text_of

TICKETS = (
    "users groups organizations last_audits metric_sets dates sharing_agreements comment_count "
    "incident_counts ticket_forms metric_events slas"
)
USERS = "organizations groups identities roles abilities open_ticket_count"
MEMBERS = "users organizations"
PLACES = "users groups"
AUDITS = "users groups organizations tickets"
REQUESTS = "users groups organizations"
RULES = "permissions app_installation usage_1h usage_24h usage_7d usage_30d"
VIEWS = "permissions app_installation"
# Which names each operation takes, and how it is asked.
TAKES = f"""
GET tickets.json: {TICKETS}
GET tickets/recent.json: {TICKETS}
GET tickets/show_many.json?ids=[ticket]: {TICKETS}
GET tickets/[ticket].json: {TICKETS}
GET tickets/[ticket]/incidents.json: {TICKETS}
GET problems.json: {TICKETS}
POST problems/autocomplete.json: {TICKETS}
GET users/[rosa]/tickets/requested.json: {TICKETS}
GET users/[ana]/tickets/assigned.json: {TICKETS}
GET users/[tom]/tickets/ccd.json: {TICKETS}
GET organizations/900/tickets.json: {TICKETS}
GET views/[view]/tickets.json: {TICKETS}
GET views/[view]/execute.json: users groups organizations
GET incremental/tickets.json?start_time=0: {TICKETS.replace("last_audits ", "")}
GET incremental/tickets/cursor.json?start_time=0: {TICKETS.replace("last_audits ", "")}
GET incremental/tickets/sample.json?start_time=0: {TICKETS.replace("last_audits ", "")}
GET incremental/ticket_events.json?start_time=0: comment_events
GET incremental/users.json?start_time=0: {USERS}
GET incremental/users/cursor.json?start_time=0: {USERS}
GET incremental/organizations.json?start_time=0: abilities
GET users.json: {USERS}
GET users/me.json: {USERS}
GET users/search.json?query=a: {USERS}
GET users/autocomplete.json?name=ana: {USERS}
GET users/show_many.json?ids=[ana]: {USERS}
GET users/[rosa].json: {USERS}
GET organizations/900/users.json: {USERS}
GET groups/[group]/users.json: {USERS}
GET organizations.json: abilities
GET organizations/autocomplete.json?name=a: abilities
GET organizations/search.json?name=acme engraving: abilities
GET organizations/show_many.json?ids=900: abilities
GET organizations/900.json: abilities
GET users/[rosa]/organizations.json: abilities
GET organization_memberships.json: {MEMBERS}
GET organization_memberships/[place].json: {MEMBERS}
GET organizations/900/organization_memberships.json: {MEMBERS}
GET users/[rosa]/organization_memberships.json: {MEMBERS}
PUT users/[rosa]/organization_memberships/[place]/make_default.json: {MEMBERS}
GET groups.json: users
GET groups/assignable.json: users
GET groups/[group].json: users
GET users/[ana]/groups.json: users
GET group_memberships.json: {PLACES}
GET group_memberships/assignable.json: {PLACES}
GET group_memberships/[seat].json: {PLACES}
GET groups/[group]/memberships.json: {PLACES}
GET groups/[group]/memberships/assignable.json: {PLACES}
GET users/[ana]/group_memberships.json: {PLACES}
PUT users/[ana]/group_memberships/[seat]/make_default.json: {PLACES}
GET requests.json: {REQUESTS}
GET requests/open.json: {REQUESTS}
GET requests/solved.json: {REQUESTS}
GET requests/ccd.json: {REQUESTS}
GET requests/search.json?query=laser: {REQUESTS}
GET requests/[ticket].json: {REQUESTS}
GET users/[rosa]/requests.json: {REQUESTS}
GET organizations/900/requests.json: {REQUESTS}
GET ticket_audits.json: {AUDITS}
GET tickets/[ticket]/audits.json: {AUDITS}
GET tickets/[ticket]/audits/[audit].json: {AUDITS}
GET tickets/[ticket]/comments.json: users
GET macros.json: {RULES} categories
GET macros/active.json: {RULES} categories
GET macros/search.json?query=a: {RULES} categories
GET triggers.json: {RULES}
GET triggers/active.json: {RULES}
GET triggers/search.json?query=a: {RULES}
GET triggers/[trigger]/revisions.json: users
GET triggers/[trigger]/revisions/1.json: users
GET trigger_categories.json: rule_counts
GET automations.json: {RULES}
GET automations/active.json: {RULES}
GET automations/search.json?query=a: {RULES}
GET views.json: {VIEWS}
GET views/active.json: {VIEWS}
GET views/search.json?query=a: {VIEWS}
GET views/show_many.json?ids=[view]: {VIEWS}
GET routing/attributes.json: attribute_values
"""
# Take it as the lists that they count do, with nothing to show beside a number.
COUNTS = {"CountUsers", "CountSearchResults"}
# Have tests of their own: kinds in brackets, and records that not every desk has.
ELSEWHERE = {
    "ListSearchResults": "test_a_search_carries_along_what_is_asked_of_each_kind",
    "ListSideConversations": "tests/helpdesk/test_side_conversations.py",
    "ShowSideConversation": "tests/helpdesk/test_side_conversations.py",
    "ListSideConversationEvents": "tests/helpdesk/test_side_conversations.py",
}
# What stands inside of the records comes under these keys.
INSIDE = {
    "metric_sets": "metric_set",
    "incident_counts": "incident_count",
    "comment_events": "child_events",
}
LINES = [line.rpartition(": ")[::2] for line in TAKES.strip().splitlines()]


def keys_of(desk: Desk) -> dict[str, Any]:
    """Return what the addresses name."""
    problem = desk.ticket(
        type="problem",
        priority="high",
        status="open",
        assignee_id=desk.ids["ana"],
        email_ccs=[{"user_id": desk.ids["tom"]}],
    )
    desk.ticket(type="incident", problem_id=problem["id"])
    actions = [{"field": "priority", "value": "high"}]
    desk.post("macros.json", {"macro": {"title": "A macro", "actions": actions}}, by="olga")
    audits = desk.get(f"tickets/{problem['id']}/audits.json")["audits"]
    seat = desk.get(f"users/{desk.ids['ana']}/group_memberships.json")["group_memberships"][0]
    place = desk.get(f"users/{desk.ids['rosa']}/organization_memberships.json")
    desk.advance(minutes=5)
    return {
        **desk.ids,
        "ticket": problem["id"],
        "audit": audits[0]["id"],
        "seat": seat["id"],
        "group": seat["group_id"],
        "place": place["organization_memberships"][0]["id"],
        "view": next(
            view["id"]
            for view in desk.get("views.json", by="olga")["views"]
            if desk.get(f"views/{view['id']}/tickets.json", by="olga")["tickets"]
        ),
        "trigger": desk.get("triggers.json")["triggers"][0]["id"],
    }


def keys_in(body: Any) -> set[str]:
    """Return the keys of an answer: its own, and those of its first records."""
    found = set(body)
    for value in body.values():
        first = value[0] if isinstance(value, list) and value else value
        found |= set(first) if isinstance(first, dict) else set()
    return found


def test_the_table_has_every_operation_that_takes_it() -> None:
    # The help center's have a table of their own: test_help_center_sideloads.py.
    taking = {
        found.id
        for found in operations().all.values()
        if found.query is not None and "include" in found.query.model_fields
        if not found.path.startswith("/api/v2/help_center/")
    }
    tried = {operation_at(*address.split(" ", 1)) for address, _ in LINES}
    assert tried | COUNTS | ELSEWHERE.keys() == taking


def operation_at(method: str, path: str) -> str:
    """Return the operation that an address of the table is of."""
    segments = path.partition("?")[0].removesuffix(".json").split("/")
    methods, _ = operations()._find(["api", "v2", *segments])
    assert methods is not None, path
    return methods[method].id


def test_every_name_is_carried_along_where_it_is_asked_for(desk: Desk) -> None:
    keys = keys_of(desk)
    # A test that calls everything vouches for nothing: each is looked at by what it adds.
    for address, names in LINES:
        method, path = re.sub(r"\[(\w+)\]", lambda m: str(keys[m[1]]), address).split(" ", 1)
        body = {"text": "laser"} if method == "POST" else None
        mark = "&" if "?" in path else "?"
        by = {"requests": "rosa", "tickets/recent": "ana"}.get(path.partition(".")[0], "olga")
        for name in names.split():
            answer = desk.call(method, f"{path}{mark}include={name}", body, by=by)
            assert answer.status == 200, (address, name, answer.body)
            assert INSIDE.get(name, name) in keys_in(answer.body), (address, name)


def test_users_carry_their_identities_roles_and_abilities(desk: Desk) -> None:
    desk.ticket()
    desk.ticket(status="solved", assignee_id=desk.ids["ana"])
    names = "identities,roles,abilities,open_ticket_count,organizations"
    found = desk.get(f"users/{desk.ids['rosa']}.json?include={names}")
    assert [row["value"] for row in found["identities"]] == ["rosa@acme.example"]
    assert found["organizations"][0]["id"] == 900
    assert found["open_ticket_count"] == {str(desk.ids["rosa"]): 1}
    assert found["abilities"][0] == {
        "url": found["user"]["url"],
        "user_id": desk.ids["rosa"],
        "can_edit": True,
        "can_edit_password": False,
        "can_manage_identities_of": True,
        "can_verify_identities": True,
    }
    everyone = desk.get("users.json?include=identities,abilities")
    assert len(everyone["abilities"]) == len(everyone["users"]) == 5
    assert {row["user_id"] for row in everyone["identities"]} == set(desk.ids.values())
    own = desk.get("users/me.json?include=abilities", by="rosa")["abilities"]
    assert [row["user_id"] for row in own] == [desk.ids["rosa"]]
    assert "abilities" not in desk.get("users/me.json?include=abilities", by=None)


def test_an_export_of_users_carries_all_identities(desk: Desk) -> None:
    desk.post(
        f"users/{desk.ids['rosa']}/identities.json",
        {"identity": {"type": "email", "value": "rosa@home.example"}},
    )
    desk.advance(minutes=5)
    found = desk.get("incremental/users/cursor.json?start_time=0&include=identities", by="olga")
    values = {row["value"] for row in found["identities"]}
    assert {"rosa@acme.example", "rosa@home.example"} <= values


def test_rules_say_how_often_they_were_used_and_what_may_be_done_with_them(desk: Desk) -> None:
    actions = [{"field": "priority", "value": "high"}]
    macro = desk.post("macros.json", {"macro": {"title": "Up", "actions": actions}}, by="olga")
    key = macro["macro"]["id"]
    desk.ticket(macro_ids=[key])
    desk.advance(hours=2)
    desk.ticket(macro_ids=[key])
    listed = desk.get("macros.json?include=usage_1h,usage_24h,permissions", by="olga")["macros"]
    found = {row["id"]: row for row in listed}[key]
    assert (found["usage_1h"], found["usage_24h"]) == (1, 2)
    assert found["permissions"] == {"can_edit": True, "can_delete": True}
    triggers = desk.get("triggers.json?include=usage_7d,permissions")["triggers"]
    assert max(row["usage_7d"] for row in triggers) >= 2
    assert {row["permissions"]["can_edit"] for row in triggers} == {False}


def test_headings_of_triggers_count_what_stands_under_them(desk: Desk) -> None:
    found = desk.get("trigger_categories.json?include=rule_counts")
    every = desk.get("triggers.json")["triggers"]
    counts = {row["category_id"]: row for row in found["rule_counts"]}
    assert sum(row["active_count"] + row["inactive_count"] for row in counts.values()) == len(every)


@pytest.mark.parametrize("names", ["tickets(users,groups)", "tickets(users),tickets(groups)"])
def test_a_search_carries_along_what_is_asked_of_each_kind(desk: Desk, names: str) -> None:
    desk.ticket()
    found = desk.get(f"search.json?query=type:ticket laser&include={names}")
    assert [row["result_type"] for row in found["results"]] == ["ticket"]
    assert desk.ids["rosa"] in {row["id"] for row in found["users"]}
    assert "groups" in found
    people = desk.get("search.json?query=type:user rosa&include=users(identities)")
    assert [row["user_id"] for row in people["identities"]] == [desk.ids["rosa"]]


def test_what_is_not_carried_along_is_listed() -> None:
    text = text_of("helpdesk-sideloads.md")
    for name in ("`ticket_fields`", "`users`", "sharing_agreements"):
        assert name in text


def test_unverified_abilities(desk: Desk) -> None:
    own = desk.get("organizations/900.json?include=abilities")["abilities"][0]
    assert (own["organization_id"], own["can_edit"], own["can_delete"]) == (900, True, False)
    colleague = desk.get(f"users/{desk.ids['ben']}.json?include=abilities")["abilities"][0]
    assert (colleague["can_edit"], colleague["can_verify_identities"]) == (False, False)
