"""What is no query is refused in the vendor's words, with the place where it goes wrong."""

from __future__ import annotations

import pytest

from clones.crm.rules.soql import SoqlError, parse
from clones.crm.rules.soql.errors import no_object
from clones.crm.rules.soql.nodes import TextSpan


def refusal(query: str) -> SoqlError:
    with pytest.raises(SoqlError) as caught:
        parse(query)
    return caught.value


@pytest.mark.parametrize(
    ("query", "token", "column"),
    [
        ("SELECT Id FORM Account", "FORM", 11),
        ("SELECT Id, FROM Account", "FROM", 12),
        ("SELECT FROM Account", "SELECT FROM", 8),
        ("SELECT * FROM Account", "*", 8),
        ("SELECT Id FROM Account WHERE", "<EOF>", 29),
        ("SELECT Id FROM Account WHERE a = 1 AND b = 2 OR c = 3", "OR", 46),
        ("SELECT Id FROM Account WHERE a = 1 OR b = 2 AND c = 3", "AND", 45),
        ("SELECT Id FROM Account WHERE NOT a = 1 AND b = 2", "AND", 40),
        ("SELECT Id FROM Account WHERE a = 1 AND NOT b = 2", "NOT", 40),
        ("SELECT Id FROM Account WHERE a IS NULL", "IS", 32),
        ("SELECT Id FROM Account WHERE a = b", "b", 34),
        ('SELECT Id FROM Account WHERE a = "x"', '"', 34),
        ("SELECT Id FROM Account WHERE 'a' = 'x'", "'a'", 30),
        ("SELECT Id FROM Account WHERE a = 'x", "'", 34),
        ("SELECT Id FROM Account WHERE a = '''", "'", 36),
        ("SELECT Id FROM Account WHERE a LIKE 5", "5", 37),
        ("SELECT Id FROM Account WHERE a LIKE null", "NULL", 37),
        ("SELECT Id FROM Account WHERE a IN ()", "a IN ()", 36),
        ("SELECT Id FROM Account WHERE a IN 'x'", "'x'", 35),
        ("SELECT Id FROM Account WHERE (a = 1", "<EOF>", 36),
        ("SELECT Id FROM Account WHERE a = 1)", ")", 35),
        ("SELECT Id FROM Account USING everything", "everything", 30),
        ("SELECT Id FROM Account LIMIT -1", "-1", 30),
        ("SELECT Id FROM Account LIMIT 1.5", ".5", 31),
        ("SELECT Id FROM Account LIMIT 2147483648", "2147483648", 30),
        ("SELECT Id FROM Account OFFSET 5 LIMIT 5", "LIMIT", 33),
        ("SELECT Id FROM Account HAVING COUNT(Id) > 1", "HAVING", 24),
        ("SELECT Id FROM Account GROUP BY ROLLUP(a), b", ",", 42),
        ("SELECT Nothing(Id) FROM Account", "(", 15),
        ("SELECT COUNT(Id, Name) FROM Account", ",", 13),
        ("SELECT GEOLOCATION(1, 2) FROM Account", "(", 19),
        ("SELECT convertTimezone(CreatedDate) FROM Account", "(", 23),
        ("SELECT convertCurrency(CALENDAR_YEAR(CreatedDate)) FROM Account", "(", 37),
        ("SELECT (SELECT Id FROM Contacts GROUP BY Id) FROM Account", "GROUP", 33),
        ("SELECT (SELECT Id FROM Contacts USING SCOPE mine) FROM Account", "USING", 33),
        ("SELECT Id FROM Account WHERE a = LAST_N_DAYS", "LAST_N_DAYS", 34),
        ("SELECT Id FROM Account WHERE a = LAST_N_DAYS:x", "LAST_N_DAYS", 34),
        ("SELECT Id FROM Account FOR", "<EOF>", 27),
        ("SELECT Id FROM Account WITH USER_MODE", "USER_MODE", 29),
        ("SELECT COUNT(Id) AS n FROM Account", "AS", 18),
        ("SELECT convertCurrency(SUM(Amount)) FROM Opportunity", "(", 27),
        ("SELECT Id FROM Task WHERE TYPEOF What WHEN Account THEN Name END = 'x'", "What", 34),
        (
            "SELECT TYPEOF What WHEN Account THEN TYPEOF Owner WHEN User THEN Id END END FROM Task",
            "Owner",
            45,
        ),
    ],
)
def test_a_token_that_may_not_stand_there(query: str, token: str, column: int) -> None:
    error = refusal(query)
    assert (error.code, error.text) == ("MALFORMED_QUERY", f"unexpected token: '{token}'")
    assert error.message == (
        f"\n{query}\n{' ' * (column - 1)}^\nERROR at Row:1:Column:{column}\n{error.text}"
    )


@pytest.mark.parametrize("query", ["invalid", "SELECTId FROM Account", "", "update x"])
def test_what_does_not_even_begin_is_refused_without_an_excerpt(query: str) -> None:
    error = refusal(query)
    if query:
        assert error.message == f"unexpected token: '{query.split(maxsplit=1)[0]}'"
    else:
        assert error.message.endswith("unexpected token: '<EOF>'")


@pytest.mark.parametrize("clause", ["LIMIT 5", "GROUP BY x", "ORDER BY x", "OFFSET 2", "FOR VIEW"])
def test_a_semi_join_has_no_clauses(clause: str) -> None:
    error = refusal(f"SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact {clause})")
    assert error.text == f"missing value at '{clause.split(maxsplit=1)[0]}'"


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("SELECT Id FROM A WHERE a = :x", "Bind variables only allowed in Apex code"),
        ("SELECT Id FROM A ALL ROWS", "ALL ROWS not allowed in this context"),
        ("SELECT Id FROM A WHERE a = 'x\\q'", "Illegal character sequence '\\q' in string literal"),
        ("SELECT Id FROM A WHERE a > 2020-12-12t12:12:00-25:00",
         "Invalid datetime: 2020-12-12t12:12:00-25:00"),
        ("SELECT Id FROM A WHERE a > 2020-52-12T12:12:00Z",
         "Invalid datetime: 2020-52-12T12:12:00Z"),
        ("SELECT Id FROM A WHERE a > 2020-12-12T12:12:00", "Invalid datetime: 2020-12-12T12:12:00"),
        ("SELECT Id FROM A WHERE a > 2026-02-30", "Invalid date: 2026-02-30"),
        ("SELECT Id FROM A WHERE a > 1699-12-30", "Invalid date: 1699-12-30"),
        ("SELECT Id FROM A WHERE a > 4001-01-01", "Invalid date: 4001-01-01"),
        ("SELECT Id FROM A WHERE a = 25:00:00Z", "Invalid time: 25:00:00Z"),
        ("SELECT FIELDS(some) FROM A",
         ("The SOQL FIELDS function only supports arguments of (all), (custom), (standard); (some) "
          "is not supported.")),
        ("SELECT DISTANCE(L, GEOLOCATION(1, 2), 'm') FROM A",
         "Invalid distance unit: m. Valid unit: mi, km"),
        ("SELECT Id from $casecomment", "line 1:15 unexpected token: '$'"),
        ("SELECT Id FROM A WHERE a = é", "line 1:27 unexpected token: 'é'"),
        ("SELECT Id FROM A" + " " * 100_000,
         "SOQL statements cannot be longer than 100000 characters."),
        ("SELECT Id FROM A WHERE " + "(" * 101 + "a = 1" + ")" * 101,
         "The query is nested more than 100 levels deep"),
    ],
)  # fmt: skip
def test_what_else_is_wrong(query: str, text: str) -> None:
    error = refusal(query)
    assert (error.code, error.text) == ("MALFORMED_QUERY", text)


def test_rows_are_counted_and_only_that_of_the_place_is_shown() -> None:
    error = refusal("SELECT Id\nFROM Account\nWHERE a = 1 b = 2\nLIMIT 1")
    assert error.message == (
        "\nWHERE a = 1 b = 2\n            ^\nERROR at Row:3:Column:13\nunexpected token: 'b'"
    )


def test_of_a_long_row_whole_words_around_the_place_are_shown() -> None:
    names = ", ".join(f"Field_{number}__c" for number in range(100, 120))
    query = f"SELECT {names} FROM Account WHERE {names}"
    error = refusal(query)
    shown, caret, place, _ = error.message[1:].split("\n")
    assert error.at is not None
    assert place == f"ERROR at Row:1:Column:{error.at.column}"
    assert len(shown) < 100
    assert shown in query
    assert shown[len(caret) - 1 :].startswith(query[error.at.start : error.at.end])
    assert (shown.split(",")[0], shown[-12:]) == (
        "Field_119__c FROM Account WHERE Field_100__c", "Field_103__c"
    )  # fmt: skip


def test_an_error_is_shown_in_the_query_that_it_is_about() -> None:
    place = TextSpan(20, 25, 1, 21)
    error = no_object("XYZZY", place).within("select count() from XYZZY")
    assert error.code == "INVALID_TYPE"
    assert error.message == (
        "\nselect count() from XYZZY\n                    ^\nERROR at Row:1:Column:21\n"
        "sObject type 'XYZZY' is not supported. If you are attempting to use a custom object, be "
        "sure to append the '__c' after the entity name. Please reference your WSDL or the "
        "describe call for the appropriate names."
    )
    assert str(error) == f"INVALID_TYPE: {error.message}"
