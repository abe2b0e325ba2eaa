"""What is no query is refused in the service's words, with the place where it goes wrong."""

from __future__ import annotations

import pytest

from clones.tracker.rules.jql import JqlError, JqlSyntaxError, misuses, parse

HEAD = "Error in the JQL Query: "
OPERAND_HEAD = "Error in JQL Query: "
OPERATORS = (
    "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and "
    "'IS NOT'."
)
SEQUENCES = "The valid escape sequences are \\', \\\", \\t, \\n, \\r, \\\\, '\\ ' and \\uXXXX."


def refusal(query: str) -> str:
    with pytest.raises(JqlSyntaxError) as caught:
        parse(query)
    (text,) = caught.value.texts
    return text


def place(line: int, column: int) -> str:
    return f" (line {line}, character {column})"


@pytest.mark.parametrize(
    ("query", "got", "column"),
    [
        ("invalid query", "query", 9),
        ("status Done", "Done", 8),
        ("status ! in (Done)", "!", 8),
        ("status (Done)", "(", 8),
        ("status isnot empty", "isnot", 8),
        ("status Done and a = b", "Done", 8),
        ("a = b and not c and d = e", "and", 17),
        ("issue.property[a] b = c", "b", 19),
        ("issue.property[a]..b = c", "..b", 18),
    ],
)
def test_an_operator_is_missing(query: str, got: str, column: int) -> None:
    expected = f"Expecting operator but got '{got}'. {OPERATORS}"
    assert refusal(query) == HEAD + expected + place(1, column)


@pytest.mark.parametrize("query", ["status", "a = b and\nstatus", "not status", '"Two words"'])
def test_an_operator_is_missing_at_the_end(query: str) -> None:
    assert refusal(query) == f"{HEAD}Expecting operator before the end of the query. {OPERATORS}"


@pytest.mark.parametrize(
    ("query", "got", "column"),
    [
        ("project = or", "or", 11),
        ("project = CF", "CF", 11),
        ("project = AUT and status = = Done", "=", 28),
        ("updated > = now()", "=", 11),
        ("assignee in in (a)", "in", 13),
        ("labels in ()", ")", 12),
        ("labels in (a, )", ")", 15),
        ("labels in (a, (, b))", ",", 16),
        ("status in (,", ",", 12),
        ("status was by jane", "by", 12),
        ("a is not !b", "!", 10),
        ("a was !b", "!", 7),
    ],
)
def test_an_operand_is_missing(query: str, got: str, column: int) -> None:
    """The service lost a word here: these sentences begin with `Error in JQL Query`."""
    expected = (
        f"Expecting either a value, list or function but got '{got}'. You must surround '{got}' in "
        "quotation marks to use it as a value."
    )
    assert refusal(query) == OPERAND_HEAD + expected + place(1, column)


@pytest.mark.parametrize(
    "query", ["project =", "a in", "a not in", "a was", "a was not in", "a in (b,", "a is not"]
)
def test_an_operand_is_missing_at_the_end(query: str) -> None:
    expected = "Expecting either a value, list or function before the end of the query."
    assert refusal(query) == OPERAND_HEAD + expected


@pytest.mark.parametrize(
    ("query", "got", "column"),
    [
        ("= value", "=", 1),
        ("and a = b", "and", 1),
        ("a = b and or c = d", "or", 11),
        ("not = b", "=", 5),
        ("order by asc", "asc", 10),
        ("a = b order by c, desc", "desc", 19),
        (", a = b", ",", 1),
        ("order by by", "by", 10),
    ],
)
def test_a_field_is_missing(query: str, got: str, column: int) -> None:
    expected = (
        f"Expecting a field name but got '{got}'. You must surround '{got}' in quotation marks to "
        "use it as a field name."
    )
    assert refusal(query) == HEAD + expected + place(1, column)


@pytest.mark.parametrize(
    "query", ["a = b and", "not", "(", "order by", "order by a,", "a = b or !"]
)
def test_a_field_is_missing_at_the_end(query: str) -> None:
    assert refusal(query) == f"{HEAD}Expecting a field name at the end of the query."


@pytest.mark.parametrize(
    ("query", "sentence", "column"),
    [
        ("[78] = q", "Expecting a field name but got '['. Did you mean 'cf['?", 1),
        ("a = b c = d", "Expecting either 'OR' or 'AND' but got 'c'.", 7),
        ("a = b !c = d", "Expecting either 'OR' or 'AND' but got '!'.", 7),
        ('a = "x \'y" z', "Expecting either 'OR' or 'AND' but got 'z'.", 12),
        ("a = b, c", "Expecting either 'OR' or 'AND' but got ','.", 6),
        ("labels in (a))", "Expecting either 'OR' or 'AND' but got ')'.", 14),
        ("(a = b c = d)", "Expecting ')' but got 'c'.", 8),
        ("a in ((b) c)", "Expecting ')' but got 'c'.", 11),
        ("a = b order c", "Expecting 'by' but got 'c'.", 13),
        ("order by a b", "Expecting either 'ASC' or 'DESC' but got 'b'.", 12),
        ('order by a "asc"', "Expecting either 'ASC' or 'DESC' but got 'asc'.", 12),
        ("order by a desc b", "Expecting ',' but got 'b'.", 17),
        ("a not is empty", "Expecting 'IN' but got 'is'.", 7),
        ("a is !empty", "Expecting 'NOT' but got '!'.", 6),
        ("cf = a", "Expecting '[' but got '='.", 4),
        ("cf[12 = a", "Expecting ']' but got '='.", 7),
        ("cf[] = a", "Expecting a custom field id (a positive number) but got ']'.", 4),
        ("cf[x12] = a", "Expecting a custom field id (a positive number) but got 'x12'.", 4),
        ("cf[-12] = a", "Expecting a custom field id (a positive number) but got '-12'.", 4),
        ("a = f(b c)", "Expecting ')' or ',' but got 'c'.", 9),
        ("a = f(b!)", "Expecting ')' or ',' but got '!'.", 8),
        ("a = f(,b)", "Expecting ')' but got ','.", 7),
        ("a = f(b, )", "Function argument must be specified.", 10),
        (
            "a = f([)",
            (
                "Expecting a function argument but got '['. You must surround '[' in quotation "
                "marks to use it as an argument."
            ),
            7,
        ),
    ],
)
def test_something_else_is_missing(query: str, sentence: str, column: int) -> None:
    assert refusal(query) == HEAD + sentence + place(1, column)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("(a = b", "Expecting ')' before the end of the query."),
        ("a in (b", "Expecting ')' before the end of the query."),
        ("a = f(", "Expecting ')' before the end of the query."),
        ("a = f(b", "Expecting ')' before the end of the query."),
        ("a = f(b,", "Expecting a function argument at the end of the query."),
        ("a = b order", "Expecting 'by' before the end of the query."),
        ("cf", "Expecting '[' before the end of the query."),
        ("cf[", "Expecting a custom field id (a positive number) before the end of the query."),
        ("cf[12", "Expecting ']' before the end of the query."),
        ("a[b", "Expecting ']' before the end of the query."),
    ],
)
def test_the_end_comes_too_early(query: str, sentence: str) -> None:
    """The end has no place."""
    assert refusal(query) == HEAD + sentence


@pytest.mark.parametrize(
    ("query", "word", "column"),
    [
        ("summary ~ select", "select", 11),
        ("status = End to End", "End", 10),
        ("where = a", "where", 1),
        ("a notin (b)", "notin", 3),
        ("a = limit()", "limit", 5),
    ],
)
def test_a_reserved_word_wants_quotation_marks(query: str, word: str, column: int) -> None:
    expected = (
        f"'{word}' is a reserved JQL word. You must surround it in quotation marks to use it in a "
        "query."
    )
    assert refusal(query) == HEAD + expected + place(1, column)


@pytest.mark.parametrize(
    ("query", "character", "code", "column"),
    [
        ("assignee = ann@example.test", "@", "0040", 15),
        ("reporter = a/b", "/", "002f", 13),
        ("{a = b", "{", "007b", 1),
        ("a = 50%", "%", "0025", 7),
        ("a ^ b", "^", "005e", 3),
    ],
)
def test_a_reserved_character_wants_an_escape(
    query: str, character: str, code: str, column: int
) -> None:
    expected = (
        f"The character '{character}' is a reserved JQL character. You must enclose it in a string "
        f"or use the escape '\\u{code}' instead."
    )
    assert refusal(query) == HEAD + expected + place(1, column)


@pytest.mark.parametrize(
    ("query", "code", "line", "column"),
    [
        ("a = b\x7f", "007F", 1, 6),
        ("a =\n 'c\x01'", "0001", 2, 4),
        ("a = \ufdd0", "FDD0", 1, 5),
        ('a = "b\t"', "0009", 1, 7),
        ("a = \ud800", "D800", 1, 5),
    ],
    ids=ascii,
)
def test_a_character_that_is_none_must_be_escaped(
    query: str, code: str, line: int, column: int
) -> None:
    expected = (
        f"The character 'U+{code}' on line {line} at position {column} must be escaped. Use the "
        f"escape '\\u{code.lower()}' instead."
    )
    assert refusal(query) == HEAD + expected + place(line, column)


@pytest.mark.parametrize(
    ("query", "rest", "column"),
    [
        ('project = "unterminated', "'unterminated' ", 11),
        ("a = 'b\nc", "'b c' ", 5),
        ("a = don't", "'t' ", 8),
        ("a = 'b\n", "'b ' ", 5),
        ('a = "', "", 5),
        ('a = """', "", 7),
    ],
)
def test_a_string_must_be_completed(query: str, rest: str, column: int) -> None:
    expected = f"The quoted string {rest}has not been completed."
    assert refusal(query) == HEAD + expected + place(1, column)


@pytest.mark.parametrize(
    ("query", "sequence", "column"),
    [
        (r"a = b\k", r"\k", 6),
        (r"a = 'b\k'", r"\k", 7),
        (r"a = b\u12", r"\u12", 6),
        (r"a = b\u12zz", r"\u12z", 6),
        (r"a = '\u'", r"\u'", 6),
        ("a = b\\\n", "\\ ", 6),
    ],
)
def test_an_escape_must_be_one(query: str, sequence: str, column: int) -> None:
    expected = f"'{sequence}' is an illegal JQL escape sequence. {SEQUENCES}"
    assert refusal(query) == HEAD + expected + place(1, column)


def test_an_escape_must_be_completed() -> None:
    expected = f"The escape sequence has not been completed. {SEQUENCES}"
    assert refusal("a =\n\n\\") == HEAD + expected + place(3, 1)


@pytest.mark.parametrize(
    ("query", "number", "column"),
    [
        ("a = 9223372036854775808", "9223372036854775808", 5),
        ("a = -9223372036854775809", "-9223372036854775809", 5),
        ("cf[99999999999999999999] = a", "99999999999999999999", 4),
        ("a = " + "1" * 6000, "1" * 6000, 5),
    ],
    ids=["large", "small", "field", "long"],
)
def test_a_number_has_its_bounds(query: str, number: str, column: int) -> None:
    expected = (
        f"'{number}' is not a valid number. Numbers must be between -9,223,372,036,854,775,808 and "
        "9,223,372,036,854,775,807."
    )
    assert refusal(query) == HEAD + expected + place(1, column)


def test_the_largest_numbers_are_numbers() -> None:
    parse("a in (9223372036854775807, -9223372036854775808, 000000000000000000000000000001)")


@pytest.mark.parametrize(
    ("query", "sentence", "line", "column"),
    [
        ("'' = a", "A field name cannot be empty.", 1, 1),
        ("a = b and\n\\ ~ c", "A field name cannot be empty.", 2, 1),
        ('a = b order by ""', "A field name cannot be empty.", 1, 16),
        ("a = ''()", "A function name cannot be empty.", 1, 5),
    ],
)
def test_names_must_not_be_empty(query: str, sentence: str, line: int, column: int) -> None:
    assert [message.text for message in misuses(parse(query))] == [
        HEAD + sentence + place(line, column)
    ]


def test_an_error_knows_its_place() -> None:
    with pytest.raises(JqlSyntaxError) as caught:
        parse("a = b\nand c !! d")
    assert (caught.value.line, caught.value.column) == (2, 7)
    with pytest.raises(JqlSyntaxError) as caught:
        parse("a =")
    assert (caught.value.line, caught.value.column) == (None, None)


def test_unverified_a_query_has_a_length() -> None:
    parse("a = '" + "b" * 90_000 + "'")
    with pytest.raises(JqlError, match="longer than 100000 characters"):
        parse("a = '" + "b" * 100_000 + "'")


def test_unverified_a_query_has_a_depth() -> None:
    parse("(" * 100 + "a = b" + ")" * 100)
    with pytest.raises(JqlError, match="nested more than 100 levels"):
        parse("(" * 101 + "a = b" + ")" * 101)


def test_unverified_what_is_wrong_first_is_told_first() -> None:
    """A word out of place goes before a string, further on, that is not completed."""
    assert refusal("a = b c 'd").startswith(f"{HEAD}Expecting either 'OR' or 'AND' but got 'c'.")
