"""Surfaces: which tools an agent has by each, and that all of them reach the same operations."""

from __future__ import annotations

import re
from random import Random
from typing import Any, get_args

import pytest

from clones.core.operations import Operation
from clones.core.vendors import clone_named, clones
from episodes import browser
from episodes.spaces.errors import BadCall
from episodes.spaces.surfaces import (
    Lookup,
    OperationRequest,
    RawRequest,
    ToolSurface,
    flat_name,
    surface_of,
)
from episodes.spaces.surfaces.app import app_operations
from episodes.spaces.surfaces.flat import operations_of
from episodes.spaces.surfaces.named_tools import NamedTool, tool_name
from sandlot.service import Act, Surface
from sandlot.spaces.surfaces import ON_SCREEN, SURFACES
from sandlot.trajectory import schema

ALL = frozenset(clone.name for clone in clones())
DESK = frozenset({"billing", "helpdesk"})


def surface(name: str, names: frozenset[str] = DESK, seed: int = 1) -> ToolSurface:
    """Return a surface."""
    return surface_of(name, names, Random(seed))


def names_of(found: ToolSurface) -> list[str]:
    """Return the names of a surface's tools."""
    return [tool["name"] for tool in found.tools()]


def found_by(text: str, names: frozenset[str] = ALL) -> list[str]:
    """Return the operations that an agent is told of, best first."""
    told = surface("search_call", names).request(
        Act(tool="find_operation", arguments={"text": text})
    )
    assert isinstance(told, Lookup)
    return [line.partition(":")[0] for line in told.text.splitlines() if line[:1] != " "]


def test_the_command_line_knows_them() -> None:
    assert get_args(Surface) == SURFACES
    assert schema.ON_SCREEN == ON_SCREEN


@pytest.mark.parametrize("name", get_args(Surface))
def test_tools_are_what_models_can_be_given(name: str) -> None:
    found = browser.tools(name) if name in ON_SCREEN else surface(name, ALL).tools()
    names = [tool["name"] for tool in found]
    assert len(set(names)) == len(names)
    for tool in found:
        if name != "flat":
            assert re.fullmatch(r"[a-z_0-9]{1,64}", tool["name"])
        assert tool["description"]
        assert tool["input_schema"]["type"] == "object"
        assert set(tool["input_schema"].get("required", ())) <= set(
            tool["input_schema"]["properties"]
        )


@pytest.mark.parametrize("name", sorted(clone.name for clone in clones() if clone.operations))
def test_an_app_has_25_to_40_tools_of_its_vendor(name: str) -> None:
    clone = clone_named(name)
    assert clone is not None
    assert clone.operations is not None
    assert 25 <= len(clone.app_tools) == len(set(clone.app_tools)) <= 40
    assert set(clone.app_tools) <= set(clone.operations.all)


def test_every_operation_can_be_a_tool_of_its_own() -> None:
    found = [NamedTool(operation) for operation in operations_of(ALL)]
    assert len({tool.name for tool in found}) == len(found)
    for tool in found:
        schema = tool.tool()["input_schema"]
        assert re.fullmatch(r"[a-z_0-9]+", tool.name)
        assert set(schema["required"]) <= set(schema["properties"])


def test_what_a_body_holds_is_an_argument_like_others() -> None:
    tools = {tool_name(one): NamedTool(one) for one in app_operations(ALL)}
    update = tools["helpdesk_update_ticket"]
    assert update.arguments({"ticket_id": 7, "status": "solved", "group_id": None}) == {
        "ticket_id": 7,
        "body": {"ticket": {"status": "solved", "group_id": None}},
    }
    # A body that is no one record gives its own fields, one of which is called `body` here.
    comment = tools["tracker_add_comment"]
    assert comment.arguments({"key": "A-1", "body": "x"}) == {"key": "A-1", "body": {"body": "x"}}
    assert tools["billing_get_charges"].arguments({"limit": 1}) == {"limit": 1}
    with pytest.raises(BadCall, match="tracker_add_comment has no argument 'text'"):
        comment.arguments({"text": "x"})


def test_tools_that_do_not_help_are_the_instances_own() -> None:
    helpful = set(names_of(surface("app")))
    five, ten, fifteen = (set(names_of(surface(f"app+{n}"))) - helpful for n in (5, 10, 15))
    assert (len(five), len(ten), len(fifteen)) == (5, 10, 15)
    assert five < ten < fifteen
    assert set(names_of(surface("app+5", seed=2))) - helpful != five
    assert set(names_of(surface("search_call+15"))) - {"call", "find_operation"} == fifteen
    # They are operations of these clones, and they stand among the others.
    of_clones = {tool_name(operation) for operation in operations_of(DESK)}
    assert fifteen <= of_clones
    assert names_of(surface("app+15")) == sorted(names_of(surface("app+15")))


@pytest.mark.parametrize("operation", app_operations(ALL), ids=flat_name)
def test_all_surfaces_ask_for_the_same(operation: Operation) -> None:
    arguments = dict.fromkeys(operation.parameters, "1")
    acts = {
        "flat": Act(tool=flat_name(operation), arguments=arguments),
        "search_call": Act(
            tool="call", arguments={"operation": flat_name(operation), "arguments": arguments}
        ),
        "app": Act(tool=tool_name(operation), arguments=arguments),
    }
    for name, act in acts.items():
        asked = surface(name, ALL).request(act)
        assert isinstance(asked, OperationRequest)
        assert asked.operation is operation
        sent = {part: value for part, value in asked.arguments.items() if part != "body"}
        assert sent == arguments


def test_a_request_is_sent_where_its_path_lies() -> None:
    http = surface("http")
    asked = http.request(
        Act(tool="request", arguments={"method": "GET", "path": "/v1/charges", "query": {"a": 1}})
    )
    assert asked == RawRequest("billing", "GET", "/v1/charges", {"a": 1})
    for path in ("/rest/api/3/myself", "/agent", "v1/charges", ""):
        with pytest.raises(BadCall, match="no API lies at"):
            http.request(Act(tool="request", arguments={"method": "GET", "path": path}))
    with pytest.raises(BadCall, match="path or in query"):
        http.request(
            Act(
                tool="request",
                arguments={"method": "GET", "path": "/v1/charges?a=1", "query": {"b": 1}},
            )
        )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("give money back on a charge", "billing_PostRefunds"),
        ("list the comments of a ticket", "helpdesk_ListTicketComments"),
        ("update a ticket", "helpdesk_UpdateTicket"),
        ("search issues by JQL", "tracker_searchAndReconsileIssuesUsingJql"),
        ("move issues to a sprint", "tracker_agile.moveIssuesToSprintAndRank"),
        ("merge tickets", "helpdesk_MergeTicketsIntoTargetTicket"),
        ("approve a request", "tracker_desk.answerApproval"),
        ("release a version", "tracker_updateVersion"),
        ("assign an issue", "tracker_assignIssue"),
        ("create a macro", "helpdesk_CreateMacro"),
        ("reorder SLA policies", "helpdesk_ReorderSLAPolicies"),
        ("customers by email", "billing_GetCustomers"),
        ("helpdesk_UpdateTicket", "helpdesk_UpdateTicket"),
        ("doTransition", "tracker_doTransition"),
    ],
)
def test_what_is_asked_for_is_among_the_first_found(text: str, wanted: str) -> None:
    assert wanted in found_by(text)[:4]


def test_finding_is_the_same_each_time_and_short() -> None:
    asked = Act(tool="find_operation", arguments={"text": "change who a ticket is assigned to"})
    first, again = surface("search_call", ALL).request(asked), surface("search_call").request(asked)
    assert isinstance(first, Lookup)
    assert isinstance(again, Lookup)
    assert first == surface("search_call", ALL).request(asked)
    assert len(first.text) < 12_000
    # Of clones that the agent has no account in it is told nothing.
    assert "tracker_" not in again.text
    assert found_by("xyzzy") == ["no operation was found"]


def test_an_answer_has_what_a_call_needs() -> None:
    told = surface("search_call").request(
        Act(tool="find_operation", arguments={"text": "billing_PostRefunds"})
    )
    assert isinstance(told, Lookup)
    name, summary, body, *_ = told.text.splitlines()
    assert name == "billing_PostRefunds: POST /v1/refunds"
    assert summary.startswith("  Give money back")
    assert "charge: string" in body
    assert "reason: duplicate|fraudulent" in body


@pytest.mark.parametrize(
    ("name", "tool", "arguments", "said"),
    [
        ("search_call", "helpdesk_ShowTicket", {}, "there is no tool 'helpdesk_ShowTicket'"),
        ("search_call", "call", {}, "there is no operation None"),
        ("search_call", "call", {"operation": "tracker_getIssue"}, "look it up"),
        ("search_call", "call", {"operation": ["x"]}, "there is no operation"),
        (
            "search_call",
            "call",
            {"operation": "helpdesk_ListTickets", "arguments": "all"},
            "arguments must be an object",
        ),
        ("search_call", "call", {"operation": "helpdesk_ListTickets", "x": 1}, "no argument 'x'"),
        ("search_call", "find_operation", {}, "needs a text"),
        ("search_call", "find_operation", {"text": 3}, "needs a text"),
        ("search_call", "find_operation", {"text": "a", "n": 3}, "no argument 'n'"),
        ("app", "tracker_get_issue", {"issueIdOrKey": "A-1"}, "there is no tool"),
        ("app", "helpdesk_ShowTicket", {"ticket_id": 1}, "there is no tool"),
        ("app", "helpdesk_show_ticket", {"id": 1}, "has no argument 'id'"),
        ("app+5", "call", {}, "there is no tool"),
        ("http", "http_request", {}, "there is no tool"),
        ("http", "request", {}, "None is no method"),
        ("http", "request", {"method": "GET", "path": "/v1/x", "clone": "a"}, "no argument"),
        ("http", "request", {"method": "GET", "path": "/v1/x", "query": 3}, "must be an object"),
        ("http", "request", {"method": "GET", "path": "/v1/x", "headers": 3}, "must be an object"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(
    name: str, tool: str, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadCall, match=said) as refused:
        surface(name).request(Act(tool=tool, arguments=arguments))
    assert "\n" not in str(refused.value)
