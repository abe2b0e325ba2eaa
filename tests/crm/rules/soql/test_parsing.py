"""A query is read into nodes, whatever the case of its keywords, with the vendor's precedence."""

from __future__ import annotations

import pytest

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql import parse, print_query


def path(text: str) -> n.FieldPath:
    return n.FieldPath(tuple(text.split(".")))


def call(name: str, *arguments: n.Argument) -> n.FunctionCall:
    return n.FunctionCall(name, arguments)


def text(raw: str) -> n.StringValue:
    return n.StringValue(raw)


def equals(name: str, value: n.LiteralValue) -> n.Comparison:
    return n.Comparison(path(name), "=", value)


ACCOUNT = (n.Source(path("Account")),)
ID = (n.SelectedField(path("Id")),)
A, B, C = (equals(name, text("x")) for name in "abc")


def where(condition: str) -> n.Condition | None:
    return parse(f"SELECT Id FROM Account WHERE {condition}").where


def test_the_whole_of_a_query() -> None:
    found = parse(
        "select Name, count(Id) n from Account a using scope mine where a.Name like 'A%' "
        "with security_enforced group by rollup(Name, CALENDAR_YEAR(CreatedDate)) "
        "having count(Id) > 1 order by count(Id) desc nulls last, Name limit 10 offset 5 "
        "for view for reference update tracking, viewstat"
    )
    assert found == n.Query(
        select=(
            n.SelectedField(path("Name")),
            n.SelectedCall(call("COUNT", path("Id")), "n"),
        ),
        sources=(n.Source(path("Account"), "a"),),
        scope="mine",
        where=n.Comparison(path("a.Name"), "LIKE", text("A%")),
        security_enforced=True,
        group_by=n.GroupBy(
            (path("Name"), call("CALENDAR_YEAR", path("CreatedDate"))),
            "rollup",
            n.Comparison(call("COUNT", path("Id")), ">", n.NumberValue("1")),
        ),
        order_by=(
            n.OrderItem(call("COUNT", path("Id")), descending=True, nulls="LAST"),
            n.OrderItem(path("Name")),
        ),
        limit=10,
        offset=5,
        purposes=("VIEW", "REFERENCE"),
        updates=("TRACKING", "VIEWSTAT"),
    )


def test_what_may_be_selected() -> None:
    found = parse(
        "SELECT Owner.Name, FIELDS(custom), (SELECT Id FROM Account.Contacts c LIMIT 1 OFFSET 2), "
        "TYPEOF What WHEN Account THEN Phone, Name WHEN Case THEN Subject ELSE Name END, "
        "FORMAT(convertCurrency(Amount)) shown, convertTimezone FROM Task"
    )
    assert found.select == (
        n.SelectedField(path("Owner.Name")),
        n.SelectedGroup("CUSTOM"),
        n.ChildSelect(
            n.Query(ID, (n.Source(path("Account.Contacts"), "c"),), limit=1, offset=2),
        ),
        n.TypeOf(
            path("What"),
            (
                n.TypeBranch(path("Account"), (path("Phone"), path("Name"))),
                n.TypeBranch(path("Case"), (path("Subject"),)),
            ),
            (path("Name"),),
        ),
        n.SelectedCall(call("FORMAT", call("convertCurrency", path("Amount"))), "shown"),
        n.SelectedField(path("convertTimezone")),
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a = 'x' AND b = 'x' AND c = 'x'", n.AllOf((A, B, C))),
        ("a = 'x' OR (b = 'x' AND c = 'x')", n.AnyOf((A, n.AllOf((B, C))))),
        ("NOT a = 'x'", n.Negation(A)),
        ("(NOT a = 'x') AND b = 'x'", n.AllOf((n.Negation(A), B))),
        ("NOT (NOT (a = 'x' OR b = 'x'))", n.Negation(n.Negation(n.AnyOf((A, B))))),
        ("((a = 'x'))", A),
        ("a <> null", n.Comparison(path("a"), "!=", n.NullValue())),
        ("a IN ('x', null)", n.InList(path("a"), (text("x"), n.NullValue()))),
        ("a NOT IN (1)", n.InList(path("a"), (n.NumberValue("1"),), negated=True)),
        ("a INCLUDES ('x;y', 'z')", n.SelectionTest(path("a"), (text("x;y"), text("z")))),
        ("a EXCLUDES ('x')", n.SelectionTest(path("a"), (text("x"),), negated=True)),
        ("a = USD-500.25", equals("a", n.CurrencyValue("USD", "-500.25"))),
        ("a = usd5000", equals("a", n.CurrencyValue("USD", "5000"))),
        ("a = -1.5", equals("a", n.NumberValue("-1.5"))),
        ("a = True", equals("a", n.BooleanValue(value=True))),
        ("a = 2026-11-30", equals("a", n.DateValue("2026-11-30"))),
        ("a = 2026-11-30T10:00:00+0200", equals("a", n.DateTimeValue("2026-11-30T10:00:00+0200"))),
        ("a = 10:00:00.000Z", equals("a", n.TimeValue("10:00:00.000Z"))),
        ("a = this_fiscal_quarter", equals("a", n.DateLiteral("THIS_FISCAL_QUARTER"))),
        ("a = LAST_N_DAYS:30", equals("a", n.DateLiteral("LAST_N_DAYS", 30))),
    ],
)
def test_conditions(written: str, expected: n.Condition) -> None:
    assert where(written) == expected


def test_a_semi_join_and_an_anti_join() -> None:
    inner = n.InnerSelect(path("AccountId"), n.Source(path("Contact"), "c"), A)
    assert where("Id IN (SELECT AccountId FROM Contact c WHERE a = 'x')") == n.SemiJoin(
        path("Id"), inner
    )
    found = where("Id NOT IN (SELECT AccountId FROM Contact c WHERE a = 'x') AND b = 'x'")
    assert found == n.AllOf((n.SemiJoin(path("Id"), inner, negated=True), B))


def test_a_distance() -> None:
    place = call("GEOLOCATION", n.NumberValue("37.7"), n.NumberValue("-122.4"))
    distance = call("DISTANCE", path("Location__c"), place, text("mi"))
    assert where("DISTANCE(Location__c, GEOLOCATION(37.7, -122.4), 'mi') < 20") == n.Comparison(
        distance, "<", n.NumberValue("20")
    )


def test_data_categories() -> None:
    found = parse("SELECT Id FROM A WITH DATA CATEGORY G__c AT (a__c, b__c) AND P__c above x__c")
    assert found.data_categories == (
        n.DataCategory("G__c", "AT", ("a__c", "b__c")),
        n.DataCategory("P__c", "ABOVE", ("x__c",)),
    )


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (r"it\'s \"x\" \\ ", 'it\'s "x" \\ '),
        (r"a\nb\Rc\td\be\f", "a\nb\rc\td\be\f"),
        (r"50\% \_", "50% _"),
        (r"\u00e9\U0041", "éA"),
        ("// no /* comment", "// no /* comment"),
    ],
)
def test_escapes_of_a_string(raw: str, expected: str) -> None:
    found = where(f"a = '{raw}'")
    assert isinstance(found, n.Comparison)
    assert found.value == text(raw)
    assert isinstance(found.value, n.StringValue)
    assert found.value.text == expected


@pytest.mark.parametrize(
    "query",
    [
        "SELECT Group.Name, Format, Limit__c, Data, Type, Name FROM Group",
        "SELECT Id FROM Order ORDER BY Id",
        "SELECT typeof, Fields FROM A",
        "SELECT Count(), Cube FROM A GROUP BY Cube, Rollup",
        "SELECT Id FROM Group WHERE Group.Type = 'Queue'",
        "SELECT Today FROM A WHERE Today = TODAY",
        "SELECT END, View FROM A WHERE At = 'x'",
    ],
)
def test_most_keywords_are_names_elsewhere(query: str) -> None:
    assert parse(print_query(parse(query))) == parse(query)


def test_comments_and_any_blanks_between_words() -> None:
    found = parse("\nSELECT\tId // the key\n,Name /* and\nmore */FROM(\n".replace("(", " Account"))
    assert found == n.Query((*ID, n.SelectedField(path("Name"))), ACCOUNT)


def test_parts_know_where_they_stand() -> None:
    found = parse("SELECT Id,\n  Owner.Name\nFROM Account")
    item = found.select[1]
    assert isinstance(item, n.SelectedField)
    assert item.path.span == n.TextSpan(13, 23, 2, 3)
    assert found.sources[0].path.span == n.TextSpan(29, 36, 3, 6)
