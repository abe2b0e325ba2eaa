"""Records with their children in one request: all are made, or none."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.crm.api.bodies import items, mapping, object_of, text, unreadable
from clones.crm.api.operations import versioned
from clones.crm.api.presenters.saved import present_fault
from clones.crm.api.views.describes import named_object
from clones.crm.domain.saving.trees import Node, plant
from clones.crm.errors import CrmError, RecordError
from clones.crm.rules.schema import SObject

MOST, MOST_LEVELS, MOST_TYPES = 200, 5, 5
_KIND: Final = "tree request"


@versioned(
    "PostTree",
    "POST",
    "/composite/tree/{object}",
    summary="Make records with their children.",
    body=Any,
    status=201,
)
def make_tree(call: Call) -> Reply:
    """Answer with the id of each record, those of a level before those below."""
    nodes = _nodes(named_object(call), items(call.body, "records", _KIND))
    _check(nodes)
    refused = _alike(nodes) or plant(nodes, actor=call.actor.subject)
    if refused:
        results = [
            {"referenceId": node.reference, "errors": [present_fault(error)]}
            for node, error in refused
        ]
        return Reply({"hasErrors": True, "results": results}, 400)
    made = [{"referenceId": node.reference, "id": node.id} for node in nodes]
    return Reply({"hasErrors": False, "results": made}, 201)


def _nodes(of: SObject, given: list[Any]) -> list[Node]:
    """Return the records of a tree, those of a level before those below.

    Raises:
        UnreadableBody: a record is not what it has to be.
        CrmError: a record is of another object than its place.
    """
    found: list[Node] = []
    waiting: list[tuple[Any, SObject, Node | None, str | None]] = [
        (record, of, None, None) for record in given
    ]
    while waiting:
        below = []
        for record, expected, parent, link in waiting:
            node, children = _node(mapping(record, _KIND), expected, parent, link)
            found.append(node)
            below += children
        waiting = below
    return found


def _node(
    record: dict[str, Any], of: SObject, parent: Node | None, link: str | None
) -> tuple[Node, list[tuple[Any, SObject, Node | None, str | None]]]:
    said_of = object_of(record, of.schema)
    if said_of is not of:
        raise CrmError(
            f"The type of a record is {said_of.name}, where {of.name} is expected",
            code="INVALID_TYPE",
        )
    node = Node(of, text(record["attributes"].get("referenceId"), "referenceId"), {}, parent, link)
    said: dict[str, Any] = {}
    children: list[tuple[Any, SObject, Node | None, str | None]] = []
    for name, value in record.items():
        child = of.schema.child(of, name)
        if child is None or of.field(name) is not None:
            said[name] = value
            continue
        below = items(value, "records", _KIND)
        children.extend((one, child.child, node, child.field.name) for one in below)
    node.said = said
    return node, children


def _check(nodes: list[Node]) -> None:
    """See that a tree is no larger than one request takes.

    Raises:
        CrmError: it is.
    """
    if not nodes:
        raise unreadable("records", None)
    for what, number, most in (
        ("records", len(nodes), MOST),
        ("levels", nodes[-1].level, MOST_LEVELS),
        ("types", len({node.of.name for node in nodes}), MOST_TYPES),
    ):
        if number > most:
            raise CrmError(
                f"The number of {what} in a tree is {number}, the limit is {most}",
                code="LIMIT_EXCEEDED",
            )


def _alike(nodes: list[Node]) -> list[tuple[Node, CrmError]]:
    """Return the records that are called as one before them."""
    seen: set[str] = set()
    found: list[tuple[Node, CrmError]] = []
    for node in nodes:
        if node.reference in seen:
            error = RecordError("INVALID_INPUT", "Duplicate ReferenceId provided in the request.")
            found.append((node, error))
        seen.add(node.reference)
    return found
