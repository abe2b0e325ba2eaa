"""The fields that every ticket has: what the catalogue declares of each is so everywhere."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import CharField

from clones.helpdesk.api.description import description
from clones.helpdesk.models import Ticket
from clones.helpdesk.rules.system_fields import (
    BY_NAME,
    SYSTEM_FIELDS,
    FieldInput,
    SystemField,
    arranged,
)
from tests.helpdesk.conftest import Desk

# Columns that are no field: what a ticket is, whom it is copied to, what others keep on it.
NO_FIELDS = {
    *("id", "description", "via", "custom_fields", "email_cc_ids", "follower_ids", "is_public"),
    *("via_followup_source_id", "sla_policy_id", "schedule_id", "deleted_at", "deleted_by_id"),
    *("created_at", "updated_at"),
}
BODY = """
    url id external_id via created_at updated_at generated_timestamp type subject raw_subject
    description priority status recipient requester_id submitter_id assignee_id organization_id
    group_id collaborator_ids follower_ids email_cc_ids forum_topic_id problem_id has_incidents
    is_public due_at tags custom_fields satisfaction_rating sharing_agreement_ids custom_status_id
    fields followup_ids ticket_form_id brand_id allow_channelback allow_attachments
    from_messaging_channel
""".split()
# Agents set these and nothing follows from it.
PLAIN = [
    item
    for item in SYSTEM_FIELDS
    if item.written and item.kind in ("text", "choice", "moment") and item.name != "status"
]
plain = pytest.mark.parametrize("item", PLAIN, ids=[item.name for item in PLAIN])


def values_of(item: SystemField) -> tuple[str, str]:
    """Return two values that a field can hold, the first less than the second."""
    if item.kind == "choice":
        first, *_, last = item.choices
        return first, last
    if item.kind == "moment":
        return "2026-07-01T09:00:00Z", "2026-07-02T09:00:00Z"
    return "aardvark", "zebra"


def found(desk: Desk, query: str) -> list[int]:
    results = desk.get(f"search.json?query=type:ticket {query}&sort_by=created_at")["results"]
    return sorted(ticket["id"] for ticket in results)


def preview(desk: Desk, column: str, *conditions: dict[str, Any]) -> list[dict[str, Any]]:
    everything = {"field": "status", "operator": "less_than", "value": "closed"}
    output = {"columns": [column], "sort_by": column, "sort_order": "asc"}
    view = {"all": [everything, *conditions], "output": output}
    rows: list[dict[str, Any]] = desk.post("views/preview", {"view": view}, status=200)["rows"]
    return rows


def test_every_column_of_tickets_is_declared_or_is_no_field() -> None:
    columns = {column.attname for column in Ticket._meta.concrete_fields}
    assert columns - NO_FIELDS == BY_NAME.keys()
    assert columns >= NO_FIELDS


@plain
def test_a_column_holds_all_that_its_field_may_be(item: SystemField) -> None:
    column = Ticket._meta.get_field(item.name)
    if isinstance(column, CharField):
        assert column.max_length is not None
        longest = max(map(len, item.choices)) if item.choices else item.limit
        assert longest <= column.max_length


def test_a_ticket_has_the_vendors_attributes_in_the_vendors_order(desk: Desk) -> None:
    later = [item.name for item in SYSTEM_FIELDS if item.shown and item.name not in BODY]
    assert list(desk.ticket()) == [*BODY, *later]
    assert list(desk.get("tickets.json")["tickets"][0]) == [*BODY, *later]


def test_bodies_take_the_written_fields_and_say_which_values_they_have() -> None:
    known = description()["components"]["schemas"]["TicketWrite"]["properties"]
    for item in SYSTEM_FIELDS:
        assert (item.name in known) == item.written, item.name
    assert known["type"]["description"] == "question, incident, problem or task."


@plain
def test_a_field_is_set_shown_and_audited(desk: Desk, item: SystemField) -> None:
    low, high = values_of(item)
    ticket = desk.ticket(**{item.name: low})
    assert ticket[item.name] == low
    answer = desk.put(f"tickets/{ticket['id']}.json", {"ticket": {item.name: high}})
    assert answer["ticket"][item.name] == high
    assert desk.get(f"tickets/{ticket['id']}.json")["ticket"][item.name] == high
    [event] = [event for event in answer["audit"]["events"] if event["type"] == "Change"]
    assert event["field_name"] == item.name
    assert (event["previous_value"], event["value"]) == (low, high)


@plain
def test_searches_find_a_field_by_its_keyword(desk: Desk, item: SystemField) -> None:
    low, high = values_of(item)
    ticket = desk.ticket(**{item.name: low})["id"]
    desk.ticket(**{item.name: high})
    assert item.search is not None
    if item.search.matching == "moment":
        low, high = low[:10], high[:10]
    assert found(desk, f"{item.search.keyword}:{low}") == [ticket]
    if item.search.matching in ("ranked", "moment"):
        assert found(desk, f"{item.search.keyword}<{high}") == [ticket]


@plain
def test_views_show_sort_and_filter_by_a_field(desk: Desk, item: SystemField) -> None:
    low, high = values_of(item)
    second = desk.ticket(**{item.name: high})["id"]
    first = desk.ticket(**{item.name: low})["id"]
    if item.column is not None:
        rows = preview(desk, item.column.name)
        assert [row["ticket"]["id"] for row in rows] == [first, second]
        assert [row[item.name] for row in rows] == [low, high]
    if item.rules is not None and item.rules.condition:
        for operator, wanted in (("is", [first]), ("is_not", [second])):
            condition = {"field": item.name, "operator": operator, "value": low}
            rows = preview(desk, "nice_id", condition)
            assert [row["ticket"]["id"] for row in rows] == wanted
        if item.ranked:
            condition = {"field": item.name, "operator": "greater_than", "value": low}
            [row] = preview(desk, "nice_id", condition)
            assert row["ticket"]["id"] == second


@plain
def test_rules_look_at_a_field_and_set_it(desk: Desk, item: SystemField) -> None:
    if item.rules is None:
        return
    defined = desk.get("triggers/definitions", by="olga")["definitions"]
    looked_at = {condition["subject"] for condition in defined["conditions_all"]}
    done = {action["subject"] for action in defined["actions"]}
    assert (item.name in looked_at, item.name in done) == (item.rules.condition, item.rules.action)
    low, high = values_of(item)
    created = {"field": "update_type", "operator": "is", "value": "Create"}
    condition = {"field": item.name, "operator": "is", "value": low}
    action = {"field": item.name, "value": high}
    trigger = {
        "title": "Raise",
        "conditions": {"all": [created, *([condition] if item.rules.condition else [])]},
        "actions": [action if item.rules.action else {"field": "set_tags", "value": "seen"}],
    }
    desk.post("triggers", {"trigger": trigger}, by="olga")
    ticket = desk.ticket(**{item.name: low})
    assert ticket[item.name] == high if item.rules.action else ticket["tags"] == ["seen"]


def test_an_order_must_name_what_there_is() -> None:
    assert list(arranged({"b": 1, "a": 2, "c": 3}, ("a",))) == ["a", "b", "c"]
    with pytest.raises(KeyError):
        arranged({"a": 1}, ("a", "misspelt"))


def test_what_has_no_choices_cannot_be_changed_in_bulk() -> None:
    with pytest.raises(ValueError, match="batch: bulk edits offer choices, and it has none"):
        SystemField("batch", "Batch", "text", input=FieldInput(bulk_editable=True))
