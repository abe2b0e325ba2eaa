"""Smart values: what stands in double braces, written out."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from clones.tracker.rules.automation.smart import (
    Scope,
    SmartRecord,
    SmartValueError,
    evaluate,
    render,
)


class Person(SmartRecord):
    """Somebody in a text."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def shown(self) -> str:
        """The name."""
        return self.name

    def part(self, name: str) -> Any:
        """Return the name, in any case of letters."""
        return self.name if name.lower() == "displayname" else None


NOW = datetime(2026, 6, 16, 14, 5, 9, 250_000, UTC)
SCOPE = Scope(
    {
        "issue": {
            "key": "LAS-7",
            "summary": "Hello World!",
            "Story Points": 3.0,
            "labels": ["beam", "urgent"],
            "assignee": Person("Dev Anand"),
            "reporter": None,
            "duedate": date(2026, 6, 19),
            "created": datetime(2026, 6, 1, 9, 0, tzinfo=UTC),
            "comments": [
                {"author": Person("Ada"), "body": "One"},
                {"author": Person("Dana"), "body": "Two"},
            ],
            "subtasks": [{"key": "LAS-8", "points": 2}, {"key": "LAS-9", "points": 5}],
        },
        "now": lambda: NOW,
        "empty": [],
        "count": 7,
    }
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{issue.key}}: {{ issue.summary }}", "LAS-7: Hello World!"),
        ("{{ISSUE.KEY}}", "LAS-7"),
        ("{{issue.Story Points}}", "3"),
        ("{{issue.assignee}} / {{issue.assignee.displayName}}", "Dev Anand / Dev Anand"),
        ('{{issue.reporter|"nobody"}}{{issue.nothing}}', "nobody"),
        ("{{issue.labels}}", "beam, urgent"),
        ('{{issue.labels.join("; ")}} {{issue.labels.size}}', "beam; urgent 2"),
        ("{{issue.comments.author.displayName}}", "Ada, Dana"),
        ("{{issue.comments.last.body}} {{issue.comments.get(0).body}}", "Two One"),
        ("{{issue.comments[1].body}}", "Two"),
        ("{{issue.subtasks.points.sum}} {{issue.subtasks.points.max}}", "7 5"),
        ("{{issue.summary.toUpperCase()}}", "HELLO WORLD!"),
        ("{{issue.summary.toLowerCase.substring(0, 5).concat(\"!!\")}}", "hello!!"),
        ("{{issue.summary.abbreviate(8)}}", "Hello..."),
        ('{{issue.summary.replaceAll("(W)orld", "$1ide")}}', "Hello Wide!"),
        ('{{issue.summary.replaceAll("(l+)+o", "y")}}', "Hey World!"),
        ('{{issue.summary.match(".*(Wor).*")}}', "Wor"),
        ('{{issue.summary.split(" ").first}}', "Hello"),
        ('{{issue.summary.substringBetween("e", "o")}}', "ll"),
        ('{{issue.summary.left(4)}}|{{issue.summary.leftPad(14, "-")}}', "Hell|--Hello World!"),
        ("{{count.plus(1).multiply(2)}} {{count.divide(2)}} {{count.divide(2).round}}", "16 3.5 4"),
        ('{{count.format("#,##0.00")}}', "7.00"),
        ("{{now.plusDays(3).jiraDate}}", "2026-06-19"),
        ("{{now.jiraDateTime}}", "2026-06-16T14:05:09.250+0000"),
        ('{{now.format("EEEE, d MMM yyyy \'at\' HH:mm")}}', "Tuesday, 16 Jun 2026 at 14:05"),
        ("{{now.plusBusinessDays(4).jiraDate}}", "2026-06-22"),
        ("{{now.minusMonths(4).jiraDate}}", "2026-02-16"),
        ("{{issue.created.diff(now).days}}", "15"),
        ("{{issue.duedate.isAfter(now)}}", "true"),
        ('{{now.convertToTimeZone("America/New_York").shortTime}}', "10:05 AM"),
        ('{{now.withNextDayOfWeek("FRI").jiraDate}}', "2026-06-19"),
        ("{{now.startOfMonth.jqlDate}} {{now.endOfMonth.jqlDate}}", "2026-06-01 2026-06-30"),
        ("{{issue.duedate.format(\"dd/MM/yy\")}}", "19/06/26"),
        (
            "{{#issue.comments}}{{author.displayName}}: {{body}}{{^last}}, {{/}}{{/}}",
            "Ada: One, Dana: Two",
        ),
        ("{{#issue.labels}}[{{.}}]{{/}}{{^empty}}none{{/}}", "[beam][urgent]none"),
        ('{{#if(equals(issue.key, "LAS-7"))}}yes{{/}}', "yes"),
        ("{{#if(exists(issue.reporter))}}no{{/}}", ""),
        ('{{if(and(exists(issue.key), not(exists(empty))), "both", "one")}}', "both"),
        ("{{#=}}({{issue.Story Points}} + 2) * 3 ^ 2{{/}}", "45"),
        ("{{#=}}ROUND({{count}} / 2, 0) + MAX(1, 4){{/}}", "8"),
        ("{{{issue.key}}} {{! nothing }}", "LAS-7 "),
        ('{{issue.summary.asJsonString}}', '"Hello World!"'),
        ("No braces at all", "No braces at all"),
    ],
)  # fmt: skip
def test_texts_are_written_out(text: str, said: str) -> None:
    """Values, functions, lists, conditions, sums."""
    assert render(text, SCOPE) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a b&c=d/e?f", "a+b%26c%3Dd%2Fe%3Ff"),
        ("-_.*", "-_.*"),
        ("~+%", "%7E%2B%25"),
        ("Füße", "F%C3%BC%C3%9Fe"),
        ("\n", "%0A"),
    ],
)
def test_parts_of_addresses_are_encoded_as_forms_are(text: str, said: str) -> None:
    """As Java's `URLEncoder` does, by its documentation."""
    assert render("{{text.urlEncode}}", Scope({"text": text})) == said


@pytest.mark.parametrize("said", ["1e999", "inf", "-inf", "nan", "Infinity"])
def test_what_is_beyond_numbers_is_a_text(said: str) -> None:
    """Such a text has no functions of numbers, and says what it said."""
    scope = Scope({"said": said, "body": {"n": 10**400}})
    assert render("{{said}}, {{said.ceil}}, {{said.toUpperCase}}", scope) == (
        f"{said}, , {said.upper()}"
    )
    assert render("{{body.n}}", scope) == str(10**400)


def test_a_lone_value_is_itself() -> None:
    """Fields take what a value is, not what it says."""
    assert evaluate("{{issue.labels}}", SCOPE) == ["beam", "urgent"]
    assert evaluate(" {{now.plusDays(1)}} ", SCOPE) == datetime(2026, 6, 17, 14, 5, 9, 250_000, UTC)
    assert evaluate("{{issue.key}}!", SCOPE) == "LAS-7!"
    assert evaluate("{{issue.reporter}}", SCOPE) is None


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{{issue.key", "is not closed"),
        ("{{#issue.labels}}x", "is not closed by {{/}}"),
        ("x{{/}}", "was not opened"),
        ("{{issue.key.substring(0, 99)}}", "lies outside"),
        ("{{boom(1)}}", "no function boom"),
        ("{{#=}}1 / 0{{/}}", "cannot be calculated"),
        ("{{#=}}1 +{{/}}", "cannot be read"),
        ("{{#=}}1e999{{/}}", "cannot be read"),
        ("{{#=}}1e308 * 10 - 1e999{{/}}", "cannot be read"),
        ("{{#=}}(-8) ^ 0.5{{/}}", "cannot be calculated"),
        ("{{#=}}IF(1){{/}}", "cannot be calculated"),
        ("{{#=}}" + "1^" * 3000 + "1{{/}}", "cannot be read"),
        ("{{count.divide(0)}}", "divided by zero"),
        ('{{count.multiply("1e308").multiply("1e308")}}', "multiply comes to no number"),
        ('{{count.plus("1e999")}}', "needs another number"),
        ('{{count.plus("inf")}}', "needs another number"),
        ('{{count.multiply("1e307").round(12)}}', "cannot be applied"),
        ('{{issue.key.leftPad("1e308", "x").rightPad("-1e308")}}', "cannot be applied"),
        ('{{now.plusYears(7973).plusDays(197).withNextDayOfWeek("MON")}}', "cannot be applied"),
        ('{{issue.key.replaceAll("(L)(?!A)", "x")}}', "regular expression cannot be used"),
        ('{{issue.key.replaceAll("(?#[)(a+)+$(?#])", "x")}}', "regular expression cannot be used"),
        ('{{issue.key.match("(?#[)(a+)+$(?#])")}}', "regular expression cannot be used"),
        ("{{now.plusDays(99999999)}}", "too far away"),
        ('{{now.format("qq")}}', "means nothing"),
    ],
)
def test_what_cannot_be_written_is_an_error(text: str, part: str) -> None:
    """Each mistake is told in words that name it."""
    with pytest.raises(SmartValueError, match=part.replace("{", r"\{").replace("}", r"\}")):
        render(text, SCOPE)


def test_texts_end_somewhere() -> None:
    """Neither nesting nor repetition goes on for ever."""
    with pytest.raises(SmartValueError, match="too deep"):
        render("{{#a}}" * 30 + "{{/}}" * 30, SCOPE)
    long = Scope({"many": ["x" * 100] * 1000})
    with pytest.raises(SmartValueError, match="longer than"):
        render("{{#many}}{{.}}{{/}}", long)
    with pytest.raises(SmartValueError, match="too many steps"):
        render("{{#many}}{{#many}}{{/}}{{/}}", Scope({"many": list(range(500))}))
