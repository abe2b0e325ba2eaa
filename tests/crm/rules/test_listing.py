"""Rows of conditions and their logic, as conditions of SOQL."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from clones.crm.rules.listing import (
    Filter,
    FilterError,
    column_path,
    condition_text,
    list_view_of,
    logic_text,
    quoted_value,
    split_values,
    standard_views,
)
from clones.crm.rules.schema import standard_schema
from clones.crm.rules.soql import parse

ZONE = ZoneInfo("America/Los_Angeles")
SCHEMA = standard_schema()


@pytest.mark.parametrize(
    ("field", "operation", "value", "expected"),
    [
        ("Name", "equals", "Ash", "Name = 'Ash'"),
        ("Name", "Equals", "O'Hara\\", "Name = 'O\\'Hara\\\\'"),
        ("Name", "equals", "", "Name = null"),
        ("Name", "notEqual", "", "Name != null"),
        ("Type", "equals", "A,B", "(Type = 'A' OR Type = 'B')"),
        ("Type", "notEqual", 'A,"B,C"', "(Type != 'A' AND Type != 'B,C')"),
        ("Name", "contains", "50%_", "Name LIKE '%50\\%\\_%'"),
        ("Name", "startsWith", "A,B", "(Name LIKE 'A%' OR Name LIKE 'B%')"),
        ("Name", "notContain", "x", "(NOT (Name LIKE '%x%'))"),
        ("AnnualRevenue", "greaterOrEqual", "$1000", "AnnualRevenue >= 1000"),
        ("IsDeleted", "equals", "1", "IsDeleted = true"),
        ("CreatedDate", "equals", "last 7 days", "CreatedDate = LAST_N_DAYS:7"),
        ("CreatedDate", "equals", "THIS_WEEK", "CreatedDate = THIS_WEEK"),
        (
            "CreatedDate",
            "equals",
            "3/8/2026",
            "(CreatedDate >= 2026-03-08T08:00:00Z AND CreatedDate < 2026-03-09T07:00:00Z)",
        ),
        ("CreatedDate", "lessOrEqual", "2026-01-31", "CreatedDate < 2026-02-01T08:00:00Z"),
        ("Owner.Alias", "equals", "ada", "Owner.Alias = 'ada'"),
    ],
)
def test_rows_become_conditions(field: str, operation: str, value: str, expected: str) -> None:
    account = SCHEMA.objects["Account"]
    text = condition_text(account, Filter.read(field, operation, value), ZONE)
    assert text == expected
    parse(f"SELECT Id FROM Account WHERE {text}")


@pytest.mark.parametrize(
    ("field", "operation", "value"),
    [
        ("Nothing", "equals", "x"),
        ("Name", "near", "x"),
        ("AnnualRevenue", "equals", "much"),
        ("AnnualRevenue", "contains", "1"),
        ("IsDeleted", "equals", "perhaps"),
        ("CreatedDate", "equals", "2026-02-30"),
        ("CreatedDate", "equals", "0001-01-01"),
        ("CreatedDate", "equals", "9999-12-31"),
        ("CreatedDate", "equals", "13/1/2026"),
        ("Name", "equals", "x," * 1001),
    ],
)
def test_rows_that_cannot_be_meant(field: str, operation: str, value: str) -> None:
    with pytest.raises(FilterError):
        condition_text(SCHEMA.objects["Account"], Filter.read(field, operation, value), ZONE)


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        (None, "(a) AND (b) AND (c)"),
        ("1 AND 2 AND 3", "((a) AND (b) AND (c))"),
        ("1 or 2 and 3", "((a) OR ((b) AND (c)))"),
        ("(1 OR 2) AND NOT 3", "(((a) OR (b)) AND (NOT (c)))"),
        ("NOT (1 AND (2 OR 3))", "(NOT ((a) AND ((b) OR (c))))"),
    ],
)
def test_logic_joins_rows(logic: str | None, expected: str) -> None:
    assert logic_text(logic, ["a", "b", "c"]) == expected


@pytest.mark.parametrize(
    "logic",
    [
        "1",
        "1 AND 2 AND 4",
        "1 AND 2 AND",
        "(1 AND 2 AND 3",
        "1 2 3",
        "1 AND 0 AND 3",
        "1 XOR 2",
        "1 AND 2 AND 3)",
        "AND",
        "²",
        "(" * 300 + "1 AND 2 AND 3" + ")" * 300,
        "1 AND " * 300 + "2 AND 3",
    ],
)
def test_logic_that_cannot_be_meant(logic: str) -> None:
    with pytest.raises(FilterError):
        logic_text(logic, ["a", "b", "c"])


def test_values_stand_between_commas() -> None:
    values = ["a", "b, c", "", "d"]
    assert split_values(",".join(quoted_value(one) for one in values)) == values


@pytest.mark.parametrize(
    ("of", "name", "path"),
    [
        ("Account", "ACCOUNT.NAME", "Name"),
        ("Account", "ACCOUNT.ADDRESS1_STATE", "BillingState"),
        ("Account", "ACCOUNT.ADDRESS2_CITY", "ShippingCity"),
        ("Account", "CORE.USERS.ALIAS", "Owner.Alias"),
        ("Account", "name", "Name"),
        ("Contact", "ACCOUNT.NAME", "Account.Name"),
        ("Contact", "FULL_NAME", "Name"),
        ("Opportunity", "OPPORTUNITY.STAGE_NAME", "StageName"),
        ("Opportunity", "OPPORTUNITY.CLOSE_DATE", "CloseDate"),
        ("Case", "CASES.CASE_NUMBER", "CaseNumber"),
        ("Lead", "LEAD.COMPANY", "Company"),
        ("Account", "NOTHING.NAME", None),
        ("Account", "", None),
        ("Account", "Owner.Manager.Name", None),
    ],
)
def test_columns_have_the_names_of_metadata_too(of: str, name: str, path: str | None) -> None:
    assert column_path(SCHEMA.objects[of], name) == path


def test_standard_list_views_name_what_is_there() -> None:
    names = []
    for row, definition in standard_views():
        of = SCHEMA.objects[row["SobjectType"]]
        names.append((of.name, row["DeveloperName"]))
        view = list_view_of(definition, of)
        assert list(view.columns) == list(definition.get("columns") or view.columns)
        parse(view.query(of, ZONE))
    assert len(set(names)) == len(names) > 40
