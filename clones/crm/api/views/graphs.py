"""Graphs of requests: each graph is carried out whole or not at all, whatever becomes of others."""

from __future__ import annotations

import re
from typing import Any, Final

from clones.core.operations import Call
from clones.crm.api.bodies import items, mapping, text
from clones.crm.api.operations import versioned
from clones.crm.api.subrequests import Asked, halted, run_in_turn
from clones.crm.api.views.composite import present_results, read_parts
from clones.crm.errors import CrmError
from clones.crm.rules.answer_references import names_in

MOST_GRAPHS, MOST_NODES, MOST_KINDS, DEEPEST, MOST_FAILURES = 75, 500, 15, 15, 14
_GRAPH_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}", re.ASCII)
# What a node may be: a new record, a record by its id, or one by a value of its own.
_NODE: Final = re.compile(r"/sobjects/([^/]+)(/[^/]+){0,2}")

Parts = list[tuple[str, Asked]]


@versioned(
    "PostGraph", "POST", "/composite/graph", summary="Carry out graphs of requests.", body=Any
)
def run_graphs(call: Call) -> dict[str, Any]:
    """Answer with the answers of each graph, and whether it was carried out."""
    graphs = _graphs(call.body)
    answered: list[dict[str, Any]] = []
    failures = 0
    for name, parts in graphs:
        if failures > MOST_FAILURES:
            results, is_successful = [halted() for _ in parts], False
        else:
            results, is_successful = run_in_turn(call.request, parts, all_or_none=True)
        failures += not is_successful
        answered.append(
            {
                "graphId": name,
                "graphResponse": present_results(parts, results),
                "isSuccessful": is_successful,
            }
        )
    return {"graphs": answered}


def _graphs(body: Any) -> list[tuple[str, Parts]]:
    found: dict[str, Parts] = {}
    given = items(body, "graphs", "composite graph request")
    _hold("graphs", len(given), MOST_GRAPHS)
    for one in given:
        graph = mapping(one, "graph")
        name = text(graph.get("graphId"), "graphId")
        if _GRAPH_ID.fullmatch(name) is None:
            raise CrmError(f"Invalid graphId: {name[:200]}", code="INVALID_INPUT")
        if name in found:
            raise CrmError(f"Duplicate graphId: {name}", code="INVALID_INPUT")
        found[name] = read_parts(items(graph, "compositeRequest", "graph"))
        _hold("levels in a graph", _depth(found[name]), DEEPEST)
    nodes = [asked for parts in found.values() for _, asked in parts]
    _hold("nodes", len(nodes), MOST_NODES)
    _hold("different nodes", len({_kind(asked) for asked in nodes}), MOST_KINDS)
    return list(found.items())


def _kind(asked: Asked) -> tuple[str, str, str]:
    """Return what makes nodes different: version, method and object."""
    node = _NODE.fullmatch(asked.resource)
    if node is None:
        raise CrmError(
            f"The URL {asked.url[:500]} cannot be used in a composite graph", code="INVALID_INPUT"
        )
    return asked.url.partition("/sobjects/")[0], asked.method, node[1].lower()


def _depth(parts: Parts) -> int:
    """Return how many nodes stand one after the other at most, each using the one before it."""
    depths: dict[str, int] = {}
    for name, asked in parts:
        used = {*names_in(asked.url), *names_in(asked.body)}
        depths[name] = 1 + max((depths.get(one, 0) for one in used), default=0)
    return max(depths.values(), default=0)


def _hold(what: str, number: int, most: int) -> None:
    if number > most:
        raise CrmError(
            f"The number of {what} is {number}, the limit is {most}", code="LIMIT_EXCEEDED"
        )
