"""Records with their children in one request: all are made, or none."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from tests.conftest import bind
from tests.crm.conftest import ADA, Org
from tests.crm.test_collections import names, rows


def node(kind: str, reference: str, **values: Any) -> dict[str, Any]:
    """Return a record of a tree."""
    return {"attributes": {"type": kind, "referenceId": reference}, **values}


def below(*nodes: dict[str, Any]) -> dict[str, Any]:
    """Return the records below another."""
    return {"records": list(nodes)}


def test_children_are_made_with_their_parents(org: Org) -> None:
    eva = node("Contact", "eva", LastName="Holm")
    case = node(
        "Case",
        "case",
        Subject="Broken",
        CaseComments=below(node("CaseComment", "word", CommentBody="Soon")),
    )
    ash = node("Account", "ash", Name="Ash", Contacts=below(eva), cases=below(case))
    body = below(ash, node("Account", "birch", Name="Birch"))
    found = org.call("POST", "/composite/tree/Account", body, status=201)
    assert found["hasErrors"] is False
    assert [one["referenceId"] for one in found["results"]] == [
        "ash",
        "birch",
        "eva",
        "case",
        "word",
    ]
    ids = {one["referenceId"]: one["id"] for one in found["results"]}
    assert org.show("Contact", ids["eva"])["AccountId"] == ids["ash"]
    assert org.show("Case", ids["case"])["AccountId"] == ids["ash"]
    assert org.show("CaseComment", ids["word"])["ParentId"] == ids["case"]


def test_nothing_is_made_if_something_is_wrong(org: Org) -> None:
    before = rows(org)
    wrong = node("Contact", "eva", LastName="Holm", Email="a@b")
    body = below(
        node("Account", "ash", Name="Ash", Contacts=below(wrong, node("Contact", "jo"))),
        node("Account", "birch", Name="Birch"),
    )
    found = org.call("POST", "/composite/tree/Account", body, status=400)
    assert found["hasErrors"] is True
    assert [one["referenceId"] for one in found["results"]] == ["eva", "jo"]
    assert found["results"][0]["errors"] == [
        {
            "statusCode": "INVALID_EMAIL_ADDRESS",
            "message": "Email: invalid email address: a@b",
            "fields": ["Email"],
        }
    ]
    assert rows(org) == before


def test_a_tree_is_planted_whole_whoever_asks(org: Org) -> None:
    from clones.crm.domain.saving.trees import Node, plant  # noqa: PLC0415 - it may not be there
    from clones.crm.rules.schema import standard_schema  # noqa: PLC0415 - it may not be there

    of, before = standard_schema().objects["Account"], rows(org)
    nodes = [Node(of, "a", {"Name": "Ash"}), Node(of, "b", {"Phone": "1"})]
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        refused = plant(nodes, actor=org.users[ADA])
    assert [node.reference for node, _ in refused] == ["b"]
    assert rows(org) == before


def test_a_tree_calls_no_two_records_alike(org: Org) -> None:
    body = below(node("Account", "a", Name="Ash"), node("Account", "a", Name="Birch"))
    found = org.call("POST", "/composite/tree/Account", body, status=400)
    assert found["results"] == [
        {
            "referenceId": "a",
            "errors": [
                {
                    "statusCode": "INVALID_INPUT",
                    "message": "Duplicate ReferenceId provided in the request.",
                    "fields": [],
                }
            ],
        }
    ]
    assert names(org) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        below(),
        below({"Name": "Ash"}),
        below({"attributes": {"type": "Account"}, "Name": "Ash"}),
        below(node("Account", "a", Name="Ash", Contacts=[])),
        below(node("Account", "a", Name="Ash", Contacts={"records": [[]]})),
        below(node("Account", "a", Name=["Ash"])),
    ],
)
def test_bodies_that_are_no_tree(org: Org, body: Any) -> None:
    error = org.refused("POST", "/composite/tree/Account", body)
    assert (error["status"], error["errorCode"]) == (400, "JSON_PARSER_ERROR")
    assert names(org) == []


def deep(levels: int) -> dict[str, Any]:
    """Return an account with accounts below each other."""
    found = node("Account", f"a{levels}", Name=f"A{levels}")
    return {**found, "ChildAccounts": below(deep(levels - 1))} if levels > 1 else found


def test_unverified_a_tree_has_limits(org: Org) -> None:
    """The limits are the vendor's, the words are ours."""
    here = "/composite/tree/Account"
    assert org.refused("POST", here, below(deep(6)))["errorCode"] == "LIMIT_EXCEEDED"
    many = below(*[node("Account", f"a{at}", Name="A") for at in range(201)])
    assert org.refused("POST", here, many)["errorCode"] == "LIMIT_EXCEEDED"
    other = below(node("Lead", "a", LastName="A", Company="B"))
    assert org.refused("POST", here, other)["errorCode"] == "INVALID_TYPE"
    assert names(org) == []
    org.call("POST", here, below(deep(5)), status=201)
    assert names(org) == ["A1", "A2", "A3", "A4", "A5"]
