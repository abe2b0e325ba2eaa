"""Grouped queries: what may be counted, grouped, kept and sorted, and how columns are named."""

from __future__ import annotations

from decimal import Decimal

import pytest

from clones.crm.rules.soql import SoqlError, plan_text
from clones.crm.rules.soql import plan as p
from tests.crm.rules.soql.memory import CONTEXT


def keys(query: str) -> list[str]:
    found = []
    for column in plan_text(query, CONTEXT).columns:
        assert isinstance(column, p.FieldColumn | p.ValueColumn)
        (key,) = column.keys
        found.append(key)
    return found


def refusal(query: str) -> str:
    with pytest.raises(SoqlError) as caught:
        plan_text(query, CONTEXT)
    assert caught.value.code == "MALFORMED_QUERY"
    return caught.value.text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT COUNT(Id) FROM Account", ["expr0"]),
        ("SELECT COUNT(Id), MAX(Name) biggest, min(Name) FROM Account",
         ["expr0", "biggest", "expr1"]),
        ("SELECT LeadSource, COUNT(Name) cnt FROM Lead GROUP BY LeadSource", ["LeadSource", "cnt"]),
        ("SELECT leadsource src FROM Lead GROUP BY LeadSource", ["src"]),
        ("SELECT Account.Name, COUNT(Id) FROM Contact GROUP BY Account.Name", ["Name", "expr0"]),
        ("SELECT Account.Name a, Owner.Name FROM Contact GROUP BY Account.Name, Owner.Name",
         ["a", "Name"]),
        (("SELECT CALENDAR_YEAR(CreatedDate), SUM(Amount) FROM Opportunity "
         "GROUP BY CALENDAR_YEAR(CreatedDate)"), ["expr0", "expr1"]),
        ("SELECT CALENDAR_YEAR(CloseDate) y, CloseDate FROM Opportunity GROUP BY CloseDate",
         ["y", "CloseDate"]),
        (("SELECT FORMAT(MIN(CloseDate)) earliest, toLabel(StageName) FROM Opportunity "
         "GROUP BY StageName"), ["earliest", "StageName"]),
        ("SELECT GROUPING(Status) g, Status, COUNT(Id) FROM Lead GROUP BY CUBE(Status, Rating)",
         ["g", "Status", "expr0"]),
    ],
)  # fmt: skip
def test_names_of_columns(query: str, expected: list[str]) -> None:
    assert keys(query) == expected


def test_count_alone_counts_rows() -> None:
    plan = plan_text("SELECT count() FROM Account WHERE Name != null LIMIT 5", CONTEXT)
    assert (plan.counts_rows, plan.groups, plan.limit) == (True, None, 5)
    assert plan_text("SELECT COUNT() n FROM Account", CONTEXT).counts_rows


def test_an_aggregate_without_group_by_is_one_group() -> None:
    plan = plan_text("SELECT COUNT(Id) FROM Account", CONTEXT)
    assert plan.groups == p.PlanGroups(())
    assert not plan.counts_rows


def test_the_groups_of_a_query() -> None:
    plan = plan_text(
        "SELECT Status, COUNT(Id) FROM Lead GROUP BY ROLLUP(Status, Rating) HAVING COUNT(Id) > 5 "
        "AND Status != 'x' AND GROUPING(Status) = 0 ORDER BY GROUPING(Status), COUNT(Id) DESC",
        CONTEXT,
    )
    assert plan.groups is not None
    status, rating = plan.groups.keys
    assert isinstance(status, p.Chain)
    assert isinstance(rating, p.Chain)
    assert (plan.groups.kind, status.field.name, rating.field.name) == (
        "rollup", "Status", "Rating"
    )  # fmt: skip
    assert isinstance(plan.groups.having, p.PlanAll)
    counted, kept, total = plan.groups.having.nodes
    assert isinstance(counted, p.Compare)
    assert isinstance(counted.left, p.Applied)
    assert (counted.left.name, counted.left.type, counted.value) == ("COUNT", "int", Decimal(5))
    assert kept == p.Compare(status, "!=", "x")
    assert isinstance(total, p.Compare)
    assert [(key.descending, key.nulls_last) for key in plan.order_by] == [
        (False, False), (True, False)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "type_"),
    [
        ("COUNT(Name)", "int"),
        ("COUNT_DISTINCT(OwnerId)", "int"),
        ("SUM(AnnualRevenue)", "currency"),
        ("SUM(NumberOfEmployees)", "double"),
        ("AVG(Rate__c)", "double"),
        ("MIN(Founded__c)", "date"),
        ("MAX(Industry)", "picklist"),
        ("MAX(CreatedDate)", "datetime"),
        ("FORMAT(MAX(CreatedDate))", "string"),
    ],
)
def test_the_type_of_an_aggregate(call: str, type_: str) -> None:
    (column,) = plan_text(f"SELECT {call} FROM Account", CONTEXT).columns
    assert isinstance(column, p.ValueColumn)
    assert (column.expression.type, column.text) == (type_, call)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        ("SUM(Founded__c)", "Founded__c"),
        ("AVG(Name)", "Name"),
        ("SUM(OwnerId)", "OwnerId"),
        ("MAX(Active__c)", "Active__c"),
        ("COUNT(Choices__c)", "Choices__c"),
        ("COUNT(Opens__c)", "Opens__c"),
        ("COUNT(BillingAddress)", "BillingAddress"),
        ("COUNT(Description)", "Description"),
        ("MIN(Parent.Active__c)", "Parent.Active__c"),
    ],
)
def test_what_is_not_aggregated(call: str, field: str) -> None:
    name = call.partition("(")[0]
    assert refusal(f"SELECT {call} FROM Account") == (
        f"field {field} does not support aggregate operator {name}"
    )


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("SELECT LeadSource, Name, COUNT(Id) FROM Lead GROUP BY LeadSource",
         "Field must be grouped or aggregated: Name"),
        ("SELECT Name, COUNT(Id) FROM Lead", "Field must be grouped or aggregated: Name"),
        ("SELECT Owner.Name FROM Lead GROUP BY Name",
         "Field must be grouped or aggregated: Owner.Name"),
        ("SELECT CALENDAR_YEAR(CreatedDate), Name FROM Lead GROUP BY CALENDAR_YEAR(CreatedDate)",
         "Field must be grouped or aggregated: Name"),
        ("SELECT CALENDAR_YEAR(CreatedDate) FROM Lead",
         "Field must be grouped or aggregated: CALENDAR_YEAR(CreatedDate)"),
        ("SELECT CALENDAR_MONTH(CreatedDate) FROM Lead GROUP BY CALENDAR_YEAR(CreatedDate)",
         "Field must be grouped or aggregated: CALENDAR_MONTH(CreatedDate)"),
        ("SELECT toLabel(Status) FROM Lead GROUP BY Rating",
         "Field must be grouped or aggregated: toLabel(Status)"),
        ("SELECT Status FROM Lead GROUP BY Status HAVING COUNT(Id) > 1 AND City LIKE 'San%'",
         "Field must be grouped or aggregated: City"),
        ("SELECT StageName, COUNT(Id) FROM Opportunity GROUP BY StageName ORDER BY CloseDate",
         "Ordered field must be grouped or aggregated: CloseDate"),
        ("SELECT COUNT() FROM Lead ORDER BY Name",
         "Ordered field must be grouped or aggregated: Name"),
        ("SELECT Name FROM Lead ORDER BY COUNT(Id)",
         "Ordered field must be grouped or aggregated: COUNT(Id)"),
        ("SELECT Id, COUNT(Id) FROM Lead GROUP BY Id",
         "Grouped field should not be aggregated: Id"),
        ("SELECT Id FROM Lead GROUP BY Id HAVING COUNT(Id) > 1",
         "Grouped field should not be aggregated: Id"),
        ("SELECT Status a, Rating A FROM Lead GROUP BY Status, Rating", "duplicate alias: A"),
        ("SELECT Owner.Name, Name FROM Lead GROUP BY Owner.Name, Name", "duplicate alias: Name"),
        ("SELECT COUNT(Id) FROM Account GROUP BY Description",
         "field 'Description' can not be grouped in a query call"),
        ("SELECT COUNT(Id) FROM Account GROUP BY Choices__c",
         "field 'Choices__c' can not be grouped in a query call"),
        ("SELECT COUNT(Id) FROM Contact GROUP BY Account.AnnualRevenue",
         "field 'Account.AnnualRevenue' can not be grouped in a query call"),
        ("SELECT COUNT(Id) FROM Lead GROUP BY CUBE(Status, Rating, City, Name)",
         "GROUP BY CUBE takes at most 3 fields"),
        ("SELECT GROUPING(Status) FROM Lead GROUP BY Status",
         "GROUPING() takes a field of GROUP BY ROLLUP or GROUP BY CUBE"),
        ("SELECT GROUPING(City) FROM Lead GROUP BY ROLLUP(Status)",
         "GROUPING() takes a field of GROUP BY ROLLUP or GROUP BY CUBE"),
        ("SELECT COUNT(), Name FROM Lead", "COUNT() must be the only thing selected"),
        ("SELECT COUNT() FROM Lead GROUP BY Name", "COUNT() must be the only thing selected"),
        ("SELECT COUNT(Id) FROM Lead GROUP BY COUNT(Id)",
         "function COUNT is not allowed in GROUP BY"),
        ("SELECT FIELDS(STANDARD), COUNT(Id) FROM Lead",
         "The SOQL FIELDS function cannot be used in a grouped query"),
        ("SELECT COUNT(Id), (SELECT Id FROM Contacts) FROM Account",
         "Child subqueries cannot be used in a grouped query"),
        ("SELECT COUNT(Id), TYPEOF What WHEN Case THEN Id END FROM Task",
         "TYPEOF cannot be used in a query with functions"),
        ("SELECT toLabel(Subject), TYPEOF What WHEN Case THEN Id END FROM Task",
         "TYPEOF cannot be used in a query with functions"),
        ("SELECT Id, (SELECT COUNT(Id) FROM Contacts) FROM Account",
         "only root queries support aggregate expressions"),
        ("SELECT Id, (SELECT COUNT() FROM Contacts) FROM Account",
         "only root queries support aggregate expressions"),
        ("SELECT Status FROM Lead GROUP BY Status HAVING Status IN (SELECT Name FROM Group)",
         "Semi join sub-selects are not allowed in HAVING"),
    ],
)  # fmt: skip
def test_what_is_not_of_groups(query: str, text: str) -> None:
    assert refusal(query) == text


def test_the_place_of_an_ungrouped_field_is_shown() -> None:
    with pytest.raises(SoqlError) as caught:
        plan_text("SELECT Status, Name FROM Lead GROUP BY Status", CONTEXT)
    assert caught.value.message == (
        "\nSELECT Status, Name FROM Lead GROUP BY Status\n               ^\n"
        "ERROR at Row:1:Column:16\nField must be grouped or aggregated: Name"
    )
