"""Parents that a body names by a value of theirs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import Org
from tests.crm.test_collections import of, rows

HERE = "/sobjects/Case"


def test_a_parent_is_named_by_a_value_that_finds_it(org: Org) -> None:
    eva = org.make("Contact", LastName="Holm", Email="eva@ash.example")
    jo = org.make("Contact", LastName="Ode", Email="jo@ash.example")
    id = org.make("Case", Subject="Broken", contact={"email": "EVA@ash.example"})
    assert org.show("Case", id)["ContactId"] == eva
    org.call("PATCH", f"{HERE}/{id}", {"Contact": {"Email": "jo@ash.example"}}, status=204)
    assert org.show("Case", id)["ContactId"] == jo
    org.call("PATCH", f"{HERE}/{id}", {"Contact": None}, status=204)
    assert org.show("Case", id)["ContactId"] is None
    (saved,) = org.call(
        "POST", "/composite/sobjects", {"records": [of("Case", Contact={"Id": eva[:15]})]}
    )
    assert org.show("Case", saved["id"])["ContactId"] == eva


def test_one_of_several_objects_is_named_by_its_attributes(org: Org) -> None:
    lead = org.make("Lead", LastName="A", Company="B", Email="a@b.example")
    who = {"attributes": {"type": "Lead"}, "Email": "a@b.example"}
    id = org.make("Task", Subject="Call", Who=who)
    assert org.show("Task", id)["WhoId"] == lead


@pytest.mark.parametrize(
    ("contact", "code", "message"),
    [
        (
            {"Email": "no@ash.example"},
            "INVALID_FIELD",
            "Foreign key external ID: no@ash.example not found for field Email in entity Contact",
        ),
        (
            {"LastName": "Holm"},
            "INVALID_FIELD",
            (
                "Field name provided, LastName does not match an External ID, Salesforce Id, or"
                " indexed field for Contact"
            ),
        ),
        ("eva", "JSON_PARSER_ERROR", None),
        ({}, "INVALID_FIELD", None),
        ({"Email": ["a"]}, "INVALID_FIELD", None),
        ({"Email": "a\0b"}, "INVALID_FIELD", None),
        ({"attributes": {"type": "Lead"}, "Email": "a@b.example"}, "INVALID_FIELD", None),
        ({"Email": "twins@ash.example"}, "DUPLICATE_EXTERNAL_ID", None),
    ],
)
def test_parents_that_are_not_found(org: Org, contact: Any, code: str, message: str | None) -> None:
    for name in ("Ash", "Elm"):
        org.make("Contact", LastName=name, Email="twins@ash.example")
    before = rows(org)
    error = org.refused("POST", HERE, {"Subject": "Broken", "Contact": contact})
    assert (error["status"], error["errorCode"]) == (400, code)
    assert message in (None, error["message"])
    assert rows(org) == before
