"""Conditions become tests of resolved fields, with values of the fields' types."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest

from clones.crm.rules.soql import QueryContext, SoqlError, plan_text, whole_id
from clones.crm.rules.soql import plan as p
from clones.crm.rules.soql.strings import Exactly, LikePattern, like_pattern
from tests.crm.rules.soql.memory import CALENDAR, CONTEXT, ORG

D = Decimal
ACME = "001000000000001AAA"


def where(condition: str, of: str = "Account", context: QueryContext = CONTEXT) -> p.PlanNode:
    found = plan_text(f"SELECT Id FROM {of} WHERE {condition}", context).where
    assert found is not None
    return found


def refusal(condition: str, of: str = "Account") -> tuple[str, str]:
    with pytest.raises(SoqlError) as caught:
        where(condition, of)
    return caught.value.code, caught.value.text


def chain(name: str, of: str = "Account") -> p.Chain:
    field = ORG.field(of, name)
    assert field is not None
    return p.Chain(of, (), field)


def compare(name: str, operator: p.Ordering, value: p.PlanValue) -> p.Compare:
    return p.Compare(chain(name), operator, value)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("name = 'Acme'", compare("Name", "=", "Acme")),
        ("Name != 'Acme'", compare("Name", "!=", "Acme")),
        ("Name = ''", compare("Name", "=", None)),
        ("Name > 'M'", compare("Name", ">", "M")),
        ("Industry = null", compare("Industry", "=", None)),
        ("Industry <> null", compare("Industry", "!=", None)),
        ("Active__c = true", compare("Active__c", "=", True)),
        ("Active__c = null", compare("Active__c", "=", False)),
        ("Active__c != null", compare("Active__c", "!=", False)),
        ("AnnualRevenue >= -1.5", compare("AnnualRevenue", ">=", D("-1.5"))),
        ("NumberOfEmployees < 10", compare("NumberOfEmployees", "<", D(10))),
        ("Founded__c = 1998-02-03", compare("Founded__c", "=", date(1998, 2, 3))),
        ("CreatedDate > 2026-01-01T00:30:00+01:00",
         compare("CreatedDate", ">", datetime(2025, 12, 31, 23, 30, tzinfo=UTC))),
        ("CreatedDate > 2026-01-01T00:30:00.1239Z",
         compare("CreatedDate", ">", datetime(2026, 1, 1, 0, 30, 0, 123_000, tzinfo=UTC))),
        ("Opens__c = 09:30:00.000Z", compare("Opens__c", "=", time(9, 30))),
        ("Id = '001000000000001'", compare("Id", "=", ACME)),
        ("OwnerId = '005000000000001AAC'", compare("OwnerId", "=", "005000000000001AAA")),
        ("OwnerId = ''", compare("OwnerId", "=", None)),
        ("Id > '001000000000001'", compare("Id", ">", ACME)),
        ("Choices__c = 'b;a'", p.WholeSelection(chain("Choices__c"), ("b", "a"))),
        ("Choices__c != 'b'", p.WholeSelection(chain("Choices__c"), ("b",), negated=True)),
        ("Choices__c = null", compare("Choices__c", "=", None)),
        ("Choices__c INCLUDES ('a;b', 'c')",
         p.Includes(chain("Choices__c"), (("a", "b"), ("c",)))),
        ("Choices__c EXCLUDES ('a')", p.Includes(chain("Choices__c"), (("a",),), negated=True)),
        ("Name LIKE 'App_e%'",
         p.Like(chain("Name"), LikePattern((Exactly("App"), "one", Exactly("e"), "any")))),
        ("Industry IN ('A', null)", p.OneOf(chain("Industry"), ("A", None))),
        ("Industry NOT IN ('A')", p.OneOf(chain("Industry"), ("A",), negated=True)),
        ("NOT Name = 'a'", p.PlanNot(compare("Name", "=", "a"))),
        ("Name = 'a' OR (Name = 'b' AND Rate__c = 5)",
         p.PlanAny((compare("Name", "=", "a"),
                    p.PlanAll((compare("Name", "=", "b"), compare("Rate__c", "=", D(5))))))),
        ("CALENDAR_YEAR(CreatedDate) = 2026",
         p.Compare(p.Applied("CALENDAR_YEAR", chain("CreatedDate"), "int"), "=", D(2026))),
        ("DAY_ONLY(convertTimezone(CreatedDate)) = 2026-01-02",
         p.Compare(p.Applied("DAY_ONLY", p.Applied("convertTimezone", chain("CreatedDate"),
                                                   "datetime"), "date"), "=", date(2026, 1, 2))),
        ("toLabel(Industry) = 'Media'",
         p.Compare(p.Applied("toLabel", chain("Industry"), "string"), "=", "Media")),
        ("DISTANCE(Location__c, GEOLOCATION(37.5, -122), 'MI') < 20",
         p.Compare(p.Distance(chain("Location__c"), D("37.5"), D(-122), "mi"), "<", D(20))),
    ],
)  # fmt: skip
def test_a_condition(condition: str, expected: p.PlanNode) -> None:
    assert where(condition) == expected


@pytest.mark.parametrize(
    ("operator", "start", "end", "negated"),
    [
        ("=", date(2026, 11, 28), date(2026, 11, 29), False),
        ("!=", date(2026, 11, 28), date(2026, 11, 29), True),
        ("<", None, date(2026, 11, 28), False),
        ("<=", None, date(2026, 11, 29), False),
        (">", date(2026, 11, 29), None, False),
        (">=", date(2026, 11, 28), None, False),
    ],
)
def test_a_date_literal_is_a_stretch(
    operator: str, start: date | None, end: date | None, negated: bool
) -> None:
    expected = p.Within(chain("Founded__c"), start, end, negated)
    assert where(f"Founded__c {operator} TODAY") == expected


def test_of_a_datetime_the_stretch_is_of_moments_in_the_users_zone() -> None:
    today = p.Within(
        chain("CreatedDate"),
        datetime(2026, 11, 28, 8, tzinfo=UTC),
        datetime(2026, 11, 29, 8, tzinfo=UTC),
    )
    assert where("CreatedDate = TODAY") == today
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    assert where("CreatedDate IN (TODAY, 2026-01-01T00:00:00Z)") == p.OneOf(
        chain("CreatedDate"), (moment,), (today,)
    )


@pytest.mark.parametrize(
    ("raw", "sql"),
    [
        ("appl%", "appl%"),
        ("A_me", "A_me"),
        (r"Ter\%", r"Ter\%"),
        (r"Ter\%%", r"Ter\%%"),
        (r"a\_b\\c", r"a\_b\\c"),
        (r"it\'s", "it's"),
    ],
)
def test_a_pattern_for_sql(raw: str, sql: str) -> None:
    assert like_pattern(raw).for_sql() == sql


def test_an_amount_in_a_currency_needs_an_org_with_several() -> None:
    several = replace(CONTEXT, multi_currency=True)
    assert where("AnnualRevenue > USD5000", context=several) == compare(
        "AnnualRevenue", ">", p.Money("USD", D(5000))
    )
    assert refusal("AnnualRevenue > USD5000") == (
        "MALFORMED_QUERY", "unexpected token: 'USD5000'"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "field", "kind", "quotes"),
    [
        ("AnnualRevenue = '5'", "AnnualRevenue", "double", "should not"),
        ("Rate__c = '5'", "Rate__c", "double", "should not"),
        ("NumberOfEmployees = '5'", "NumberOfEmployees", "int", "should not"),
        ("NumberOfEmployees = USD5", "NumberOfEmployees", "int", "should not"),
        ("Founded__c = '2026-01-01'", "Founded__c", "date", "should not"),
        ("Founded__c = 2026-01-01T00:00:00Z", "Founded__c", "date", "should not"),
        ("CreatedDate > '2026-01-01'", "CreatedDate", "dateTime", "should not"),
        ("CreatedDate > 2026-01-01", "CreatedDate", "dateTime", "should not"),
        ("Active__c = 'true'", "Active__c", "boolean", "should not"),
        ("Opens__c = '9:00'", "Opens__c", "time", "should not"),
        ("Name = 5", "Name", "string", "should"),
        ("Name IN ('a', 5)", "Name", "string", "should"),
        ("OwnerId = 5", "OwnerId", "ID", "should"),
        ("Owner.Name = TODAY", "Owner.Name", "string", "should"),
        ("CALENDAR_YEAR(CreatedDate) = THIS_YEAR", "CALENDAR_YEAR(CreatedDate)", "int",
         "should not"),
        ("DAY_ONLY(CreatedDate) = TODAY", "DAY_ONLY(CreatedDate)", "date", "should not"),
    ],
)  # fmt: skip
def test_a_value_of_another_type(condition: str, field: str, kind: str, quotes: str) -> None:
    assert refusal(condition) == (
        "INVALID_FIELD",
        (
            f"value of filter criterion for field '{field}' must be of type {kind} and {quotes} be "
            "enclosed in quotes"
        ),
    )


@pytest.mark.parametrize(
    ("condition", "code", "text"),
    [
        ("Description = 'x'", "INVALID_FIELD",
         "field 'Description' can not be filtered in a query call"),
        ("Parent.Description LIKE 'x'", "INVALID_FIELD",
         "field 'Parent.Description' can not be filtered in a query call"),
        ("Id LIKE '001%'", "INVALID_QUERY_FILTER_OPERATOR", "invalid operator on id field"),
        ("OwnerId LIKE '001%'", "INVALID_QUERY_FILTER_OPERATOR", "invalid operator on id field"),
        ("Id = 'abc'", "INVALID_QUERY_FILTER_OPERATOR", "invalid ID field: abc"),
        ("AnnualRevenue LIKE '5%'", "INVALID_QUERY_FILTER_OPERATOR",
         "invalid operator LIKE on field 'AnnualRevenue'"),
        ("Active__c > true", "INVALID_QUERY_FILTER_OPERATOR",
         "invalid operator > on field 'Active__c'"),
        ("Choices__c LIKE 'a'", "INVALID_QUERY_FILTER_OPERATOR",
         "invalid operator LIKE on field 'Choices__c'"),
        ("Name INCLUDES ('a')", "INVALID_QUERY_FILTER_OPERATOR",
         "invalid operator INCLUDES on field 'Name'"),
        ("Name < null", "INVALID_QUERY_FILTER_OPERATOR", "invalid operator < on field 'Name'"),
        ("DISTANCE(Location__c, GEOLOCATION(1, 2), 'km') = 5", "INVALID_QUERY_FILTER_OPERATOR",
         "invalid operator = on field 'DISTANCE(Location__c, GEOLOCATION(1, 2), 'km')'"),
        ("DISTANCE(Name, GEOLOCATION(1, 2), 'km') < 5", "MALFORMED_QUERY",
         "field 'Name' must be of type location for function DISTANCE"),
        ("DISTANCE(Location__c, GEOLOCATION(91, 2), 'km') < 5", "MALFORMED_QUERY",
         "GEOLOCATION takes a latitude from -90 to 90 and a longitude from -180 to 180"),
        ("HOUR_IN_DAY(Founded__c) = 5", "MALFORMED_QUERY",
         "field 'Founded__c' must be of type dateTime for function HOUR_IN_DAY"),
        ("COUNT(Id) > 5", "MALFORMED_QUERY", "function COUNT is not allowed in WHERE"),
        ("FORMAT(Name) = 'x'", "MALFORMED_QUERY", "function FORMAT is not allowed in WHERE"),
        ("convertCurrency(AnnualRevenue) > 5", "MALFORMED_QUERY",
         "function convertCurrency is not allowed in WHERE"),
        (f"Name = '{'x' * 4001}'", "MALFORMED_QUERY",
         "String literals in a WHERE clause cannot be longer than 4000 characters."),
        (f"Name LIKE '{'x' * 4001}'", "MALFORMED_QUERY",
         "String literals in a WHERE clause cannot be longer than 4000 characters."),
    ],
)  # fmt: skip
def test_what_may_not_be_asked(condition: str, code: str, text: str) -> None:
    assert refusal(condition) == (code, text)


def test_a_string_may_have_4000_characters() -> None:
    assert where(f"Name = '{'x' * 4000}'") == compare("Name", "=", "x" * 4000)


def test_no_fiscal_functions_with_fiscal_years_of_the_orgs_own() -> None:
    own = replace(CONTEXT, calendar=replace(CALENDAR, custom_fiscal_years=True))
    with pytest.raises(SoqlError, match="FISCAL_YEAR is not supported with custom fiscal years"):
        where("FISCAL_YEAR(CreatedDate) = 2026", context=own)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("003q000000KvQ1t", "003q000000KvQ1tAAF"),
        ("7509H0000016GUX", "7509H0000016GUXQA2"),
        ("012000000000000", "012000000000000AAA"),
        ("012000000000000AAA", "012000000000000AAA"),
        ("01200000000000", None),
        ("0120000000000001", None),
        ("01200000000000é", None),
    ],
)
def test_an_id_of_15_or_18_characters(text: str, whole: str | None) -> None:
    assert whole_id(text) == whole


def test_a_semi_join() -> None:
    found = where("Id IN (SELECT AccountId FROM Contact c WHERE c.Email = null) AND Name = 'a'")
    account_id = chain("AccountId", "Contact")
    email = p.Compare(chain("Email", "Contact"), "=", None)
    join = p.InQuery(chain("Id"), p.InnerPlan("Contact", account_id, email))
    assert found == p.PlanAll((join, compare("Name", "=", "a")))


def test_an_anti_join_and_a_second_semi_join_within_and() -> None:
    found = where(
        "Id NOT IN (SELECT AccountId FROM Contact) AND (Name = 'a' AND OwnerId IN "
        "(SELECT ManagerId FROM User))"
    )
    assert isinstance(found, p.PlanAll)
    first, second = found.nodes
    assert isinstance(first, p.InQuery)
    assert first.negated
    assert isinstance(second, p.PlanAll)


def test_a_polymorphic_field_is_narrowed_to_the_object_whose_ids_are_asked() -> None:
    found = where("WhoId IN (SELECT Id FROM Contact)", "Task")
    assert isinstance(found, p.InQuery)
    assert found.narrowed == "Contact"
    other = where("Id IN (SELECT UserOrGroupId FROM GroupMember)", "Group")
    assert isinstance(other, p.InQuery)
    assert other.narrowed is None


NOT_UNDER_OR = "Semi join sub-selects are not allowed with the 'OR' operator"
AT_THE_TOP = (
    "Semi join sub-selects are only allowed at the top level WHERE expressions and not in nested "
    "WHERE expressions."
)
IN_CONTACT = "Id IN (SELECT AccountId FROM Contact)"


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (f"Name LIKE 'x%' OR {IN_CONTACT}", NOT_UNDER_OR),
        (f"Name = 'a' OR (Name = 'b' AND {IN_CONTACT})", NOT_UNDER_OR),
        (f"Name = 'a' AND (NOT {IN_CONTACT})", AT_THE_TOP),
        (f"{IN_CONTACT} AND {IN_CONTACT} AND {IN_CONTACT}",
         "Maximum 2 semi join sub-selects are allowed"),
        ("Id IN (SELECT ParentId FROM Account)",
         "The inner and outer selects should not be on the same object type"),
        ("Id IN (SELECT WhatId FROM Task)",
         "Entity 'Task' is not supported for semi join inner selects"),
        ("Parent.Id IN (SELECT AccountId FROM Contact)",
         "left operand field cannot have more than one level of relationships"),
        ("Account.Id IN (SELECT AccountId FROM Contact)",
         "left operand field cannot have more than one level of relationships"),
        ("Id IN (SELECT Account.Id FROM Contact)",
         "inner select field cannot have more than one level of relationships"),
        ("Id IN (SELECT Contact.AccountId FROM Contact)",
         "inner select field cannot have more than one level of relationships"),
        ("Name IN (SELECT AccountId FROM Contact)",
         "Semi join sub-selects can only query id fields, cannot use: 'Name'"),
        ("Id IN (SELECT LastName FROM Contact)",
         "Semi join sub-selects can only query id fields, cannot use: 'LastName'"),
        ("Id IN (SELECT COUNT(Id) FROM Contact)",
         "Semi join sub-selects can only query id fields, cannot use: 'COUNT(Id)'"),
        ("Id IN (SELECT Id FROM Contact)",
         ("The selected field 'Id' in the subquery and the left operand field in the where "
         "expression in the outer query 'Id' should point to the same object type")),
        ("Id IN (SELECT AccountId FROM Contact WHERE Id IN (SELECT ContactId FROM Case))",
         "Nesting of semi join sub-selects is not supported"),
    ],
)  # fmt: skip
def test_a_semi_join_that_may_not_be(condition: str, text: str) -> None:
    assert refusal(condition) == ("MALFORMED_QUERY", text)
