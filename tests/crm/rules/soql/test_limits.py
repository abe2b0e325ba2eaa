"""Order, limits and the vendor's bounds on what one query may ask."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clones.crm.rules.soql import Plan, SoqlError, plan_text
from clones.crm.rules.soql.plan import SortKey
from tests.crm.rules.soql.memory import CONTEXT, ORG, MemorySchema, field_of


def plan(query: str) -> Plan:
    return plan_text(query, CONTEXT)


def refusal(query: str, version: float = 67.0) -> tuple[str, str]:
    with pytest.raises(SoqlError) as caught:
        plan_text(query, replace(CONTEXT, version=version))
    return caught.value.code, caught.value.text


@pytest.mark.parametrize(
    ("written", "descending", "nulls_last"),
    [
        ("Name", False, False),
        ("Name DESC", True, False),
        ("Name ASC NULLS LAST", False, True),
        ("Name DESC NULLS FIRST", True, False),
        ("ParentId NULLS LAST", False, False),
        ("Parent.Name NULLS LAST", False, True),
        ("DISTANCE(Location__c, GEOLOCATION(1, 2), 'km') DESC", True, False),
    ],
)
def test_nulls_come_first_and_always_do_of_a_reference(
    written: str, descending: bool, nulls_last: bool
) -> None:
    (key,) = plan(f"SELECT Id FROM Account ORDER BY {written}").order_by
    assert key == SortKey(key.expression, descending, nulls_last)


@pytest.mark.parametrize("field", ["Description", "Choices__c", "Parent.Notes__c"])
def test_what_is_not_sorted(field: str) -> None:
    assert refusal(f"SELECT Id FROM Account ORDER BY {field}") == (
        "MALFORMED_QUERY", f"field '{field}' can not be sorted in a query call"
    )  # fmt: skip


def test_each_key_has_its_own_direction() -> None:
    keys = plan("SELECT Id FROM Account ORDER BY Type ASC, Name DESC, Industry").order_by
    assert [key.descending for key in keys] == [False, True, False]


def test_amounts_are_not_sorted_as_they_are_converted() -> None:
    code, text = refusal("SELECT Id FROM Opportunity ORDER BY convertCurrency(Amount)")
    assert (code, text) == (
        "MALFORMED_QUERY", "function convertCurrency is not allowed in ORDER BY"
    )  # fmt: skip


def test_what_else_a_plan_says() -> None:
    found = plan(
        "SELECT Id FROM Account USING SCOPE Mine WITH SECURITY_ENFORCED LIMIT 7 OFFSET 2000 "
        "FOR VIEW UPDATE TRACKING"
    )
    assert (found.object.name, found.scope, found.limit, found.offset) == (
        "Account", "mine", 7, 2000
    )  # fmt: skip
    assert (found.purposes, found.updates) == (("VIEW",), ("TRACKING",))
    assert plan("SELECT Id FROM Account").scope == "everything"


def test_an_offset_is_bounded() -> None:
    with pytest.raises(SoqlError) as caught:
        plan("SELECT Id FROM Account OFFSET 2001")
    assert (caught.value.code, caught.value.message) == (
        "NUMBER_OUTSIDE_VALID_RANGE", "Maximum SOQL offset allowed is 2000"
    )  # fmt: skip


def test_two_long_texts_make_pages_shorter() -> None:
    assert plan("SELECT Notes__c, Description FROM Account").batch_limit == 2000
    assert plan("SELECT Notes__c, More__c FROM Account").batch_limit == 200


def test_five_parents_in_a_row() -> None:
    path = "Parent." * 5
    assert plan(f"SELECT {path}Name FROM Account").columns
    assert refusal(f"SELECT {path}Parent.Name FROM Account") == (
        "MALFORMED_QUERY",
        f"field path '{path}Parent' has more than 5 levels of relationships",
    )


def test_twenty_children() -> None:
    children = ", ".join(["(SELECT Id FROM Contacts)"] * 20)
    assert plan(f"SELECT {children} FROM Account").columns
    assert refusal(f"SELECT {children}, (SELECT Id FROM Cases) FROM Account") == (
        "MALFORMED_QUERY", "A query can have at most 20 child subqueries"
    )  # fmt: skip


@pytest.mark.parametrize(("version", "levels"), [(57.0, 2), (58.0, 5)])
def test_levels_of_children(version: float, levels: int) -> None:
    query = "SELECT Id FROM {}"
    for _ in range(levels - 1):
        query = f"SELECT ({query.format('ChildAccounts')}) FROM {{}}"
    context = replace(CONTEXT, version=version)
    assert plan_text(query.format("Account"), context).columns
    deeper = f"SELECT ({query.format('ChildAccounts')}) FROM Account"
    assert refusal(deeper, version) == (
        "MALFORMED_QUERY", f"A query can have at most {levels} levels of child subqueries"
    )  # fmt: skip


def test_an_offset_of_children_needs_one_parent() -> None:
    children = "(SELECT Id FROM Contacts OFFSET 5)"
    assert plan(f"SELECT {children} FROM Account LIMIT 1").columns
    code, text = refusal(f"SELECT {children} FROM Account LIMIT 2")
    assert (code, text.split()[0]) == ("MALFORMED_QUERY", "OFFSET")


def test_55_parent_relationships() -> None:
    lines = [f"P{number}Id reference P{number}>Account" for number in range(56)]
    fields = [*ORG.fields("Contact"), *map(field_of, lines)]
    schema = MemorySchema(ORG.objects, {**ORG.described, "Contact": fields}, ORG.children)
    context = replace(CONTEXT, schema=schema)
    paths = [f"P{number}.Name, P{number}.Industry" for number in range(56)]
    assert plan_text(f"SELECT {', '.join(paths[:55])} FROM Contact", context).columns
    with pytest.raises(SoqlError, match="maximum number of parent relationships"):
        plan_text(f"SELECT {', '.join(paths)} FROM Contact", context)


def test_32_keys_to_sort_by() -> None:
    assert plan(f"SELECT Id FROM Account ORDER BY {', '.join(['Name'] * 32)}").columns
    code, _ = refusal(f"SELECT Id FROM Account ORDER BY {', '.join(['Name'] * 33)}")
    assert code == "MALFORMED_QUERY"


@pytest.mark.parametrize(
    "condition",
    [
        "LinkedEntityId = '001000000000001'",
        "ContentDocumentId IN ('001000000000001')",
        "Id = '06A000000000001' AND IsDeleted = false",
    ],
)
def test_links_of_documents_are_asked_by_record(condition: str) -> None:
    assert plan(f"SELECT Id FROM ContentDocumentLink WHERE {condition}").columns


@pytest.mark.parametrize(
    "ending",
    [
        "",
        "WHERE IsDeleted = false",
        "WHERE LinkedEntityId != '001000000000001'",
        "WHERE LinkedEntityId NOT IN ('001000000000001')",
        "WHERE Id = null OR LinkedEntityId = '001000000000001'",
    ],
)
def test_and_not_otherwise(ending: str) -> None:
    code, text = refusal(f"SELECT Id FROM ContentDocumentLink {ending}")
    assert code == "MALFORMED_QUERY"
    assert text.startswith("Implementation restriction: ContentDocumentLink requires a filter")
