"""Graphs of requests: each is carried out whole or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import Org
from tests.crm.test_collections import names, rows
from tests.crm.test_composite import HALTED, part


def graph(name: str, *parts: dict[str, Any]) -> dict[str, Any]:
    """Return a graph."""
    return {"graphId": name, "compositeRequest": list(parts)}


def run(org: Org, *graphs: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the answers to graphs."""
    found: list[dict[str, Any]] = org.call("POST", "/composite/graph", {"graphs": list(graphs)})[
        "graphs"
    ]
    return found


def account(name: str, **values: Any) -> dict[str, Any]:
    """Return a part that makes an account."""
    return part(name, "POST", "/sobjects/Account", values)


def test_each_graph_is_carried_out_whole_or_not_at_all(org: Org) -> None:
    contact = part("eva", "POST", "/sobjects/Contact", {"LastName": "H", "AccountId": "@{a.id}"})
    good, bad = run(
        org,
        graph("1", account("a", Name="Ash"), contact),
        graph("2", account("a", Name="Birch"), account("b", Phone="1"), account("c", Name="C")),
    )
    assert list(good) == ["graphId", "graphResponse", "isSuccessful"]
    assert (good["graphId"], good["isSuccessful"], bad["isSuccessful"]) == ("1", True, False)
    made = good["graphResponse"]["compositeResponse"]
    assert [one["httpStatusCode"] for one in made] == [201, 201]
    eva = org.show("Contact", made[1]["body"]["id"])
    assert eva["AccountId"] == made[0]["body"]["id"]
    first, second, third = bad["graphResponse"]["compositeResponse"]
    assert first["body"] == third["body"] == [HALTED]
    assert second["body"][0]["errorCode"] == "REQUIRED_FIELD_MISSING"
    assert names(org) == ["Ash"]


def test_after_fifteen_failures_nothing_is_tried(org: Org) -> None:
    before = rows(org)
    graphs = [graph(f"g{at}", account("a", Phone="1")) for at in range(15)]
    found = run(org, *graphs, graph("last", account("a", Name="Ash")))
    (last,) = found[-1]["graphResponse"]["compositeResponse"]
    assert (found[-1]["isSuccessful"], last["body"]) == (False, [HALTED])
    assert rows(org) == before


@pytest.mark.parametrize(
    ("graphs", "code"),
    [
        ({}, "JSON_PARSER_ERROR"),
        ([{"graphId": "a"}], "JSON_PARSER_ERROR"),
        ([graph("a"), graph("a")], "INVALID_INPUT"),
        ([graph("-a")], "INVALID_INPUT"),
        ([graph("a", part("a", "GET", "/limits"))], "INVALID_INPUT"),
        ([graph("a", part("a", "POST", "/composite/sobjects", {"records": []}))], "INVALID_INPUT"),
        ([graph(f"g{at}") for at in range(76)], "LIMIT_EXCEEDED"),
        ([graph("a", *[account(f"a{at}", Name="A") for at in range(501)])], "LIMIT_EXCEEDED"),
        (
            [
                graph(
                    "a",
                    account("a0", Name="A"),
                    *[
                        account(f"a{at}", Name="A", ParentId=f"@{{a{at - 1}.id}}")
                        for at in range(1, 16)
                    ],
                )
            ],
            "LIMIT_EXCEEDED",
        ),
    ],
)
def test_unverified_what_is_no_graph_is_refused(org: Org, graphs: Any, code: str) -> None:
    """The limits are the vendor's, the words are ours."""
    error = org.refused("POST", "/composite/graph", {"graphs": graphs})
    assert (error["status"], error["errorCode"]) == (400, code)
    assert names(org) == []


def test_unverified_a_payload_has_fifteen_kinds_of_nodes(org: Org) -> None:
    """The limit is the vendor's, the words are ours."""
    kinds = [f"T{at}" for at in range(16)]
    parts = [part(f"a{at}", "POST", f"/sobjects/{kind}", {}) for at, kind in enumerate(kinds)]
    error = org.refused("POST", "/composite/graph", {"graphs": [graph("a", *parts)]})
    assert error["errorCode"] == "LIMIT_EXCEEDED"
    assert run(org, graph("a", *parts[:15]))[0]["isSuccessful"] is False
