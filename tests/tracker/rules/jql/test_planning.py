"""Names are resolved against the site, and what is wrong is told in the service's words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from clones.tracker.rules.jql import (
    JqlError,
    MessageKind,
    Verdict,
    parse,
    plan_query,
    plan_text,
    require_bounds,
)
from clones.tracker.rules.jql.dates import FORMATS, Days, Stretch
from clones.tracker.rules.jql.plan import (
    All,
    Amount,
    Any,
    Blank,
    Call,
    Like,
    Match,
    Not,
    OneOf,
    Ordered,
    Ref,
    Test,
)
from tests.tracker.rules.jql.memory import NOW, VIEWER, MemorySite

SITE = MemorySite()
ANONYMOUS = MemorySite(viewer=replace(VIEWER, account_id=None))


def verdict(query: str, site: MemorySite = SITE) -> Verdict:
    return plan_query(parse(query), site)


def only(query: str) -> Match:
    plan = plan_text(query, SITE)
    assert isinstance(plan.where, Match)
    return plan.where


def refs(*ids: str) -> OneOf:
    return OneOf(tuple(map(Ref, ids)))


@pytest.mark.parametrize(
    ("query", "key", "test"),
    [
        ("project = aut", "project", refs("10000")),
        ("project = Autumn", "project", refs("10000")),
        ("project = 10001", "project", refs("10001")),
        ("project = '10001'", "project", refs("10001")),
        ("type in (Bug, story)", "issuetype", refs("1", "2")),
        ("fixVersion = '1.0'", "fixVersions", refs("100", "200")),
        ("assignee = currentUser()", "assignee", refs("ann-1")),
        ("assignee = 'ann@example.test'", "assignee", refs("ann-1")),
        ("key in (aut-1, 1002)", "issuekey", refs("1001", "1002")),
        ("parent = AUT-1", "parent", refs("1001")),
        ("labels = Anything", "labels", refs("Anything")),
        ("statusCategory = Done", "statusCategory", refs("3")),
        ("filter = 'my bugs'", "filter", refs("300")),
        ("Team = Platform", "customfield_10001", refs("t-1")),
        ("cf[10001] = Platform", "customfield_10001", refs("t-1")),
        ('"Team[Team]" = Platform', "customfield_10001", refs("t-1")),
        ("Colour = 7", "customfield_10030", refs("902")),
        ("Sprint in openSprints()", "customfield_10020", OneOf((Call("openSprints"),))),
        (
            "assignee in membersOf(Support)",
            "assignee",
            OneOf((Call("membersOf", (("g-2",),)),)),
        ),
        (
            "key in linkedIssues(AUT-1, blocks)",
            "issuekey",
            OneOf((Call("linkedIssues", (("1001",), ("10",))),)),
        ),
        ("issue in votedWorkItems()", "issuekey", OneOf((Call("votedIssues"),))),
        (
            "Place in cascadeOption(Red)",
            "customfield_10034",
            OneOf((Call("cascadeOption", (("900",),)),)),
        ),
        (
            '"Time to resolution" = breached()',
            "customfield_10040",
            OneOf((Call("breached"),)),
        ),
        (
            '"Time to resolution" < remaining("2h")',
            "customfield_10040",
            Ordered("<", Call("remaining", (("2h",),))),
        ),
        ("assignee is empty", "assignee", Blank()),
        ("assignee = null", "assignee", Blank()),
        ("resolution = unresolved", "resolution", Blank()),
        ("priority > Medium", "priority", Ordered(">", Ref("3"))),
        ("Rank < AUT-1", "customfield_10019", Ordered("<", Ref("1001"))),
        ("'story points' >= 2.5", "customfield_10016", Amount(">=", Decimal("2.5"))),
        ("votes = 3", "votes", Amount("=", Decimal(3))),
        ("timespent > 1d", "timespent", Amount(">", Decimal(28800))),
        ("due = '2026-06-20'", "duedate", Days(date(2026, 6, 20), date(2026, 6, 21))),
        (
            "created < '2026-06-16 09:00'",
            "created",
            Stretch(None, datetime(2026, 6, 16, 7, tzinfo=UTC)),
        ),
        ("updated >= now()", "updated", Stretch(NOW, None)),
        ("created > lastLogin()", "created", OneOf(())),
        (
            "issue.property[stats].count > 5",
            "issue.property",
            Amount(">", Decimal(5)),
        ),
        (
            "issue.property[stats].seen > '2026-06-16'",
            "issue.property",
            Stretch(datetime(2026, 6, 15, 22, 0, 1, tzinfo=UTC), None),
        ),
        ("development[commits].all > 0", "customfield_10041", Amount(">", Decimal(0))),
    ],
)
def test_a_comparison_is_planned(query: str, key: str, test: Test) -> None:
    site = MemorySite(viewer=replace(VIEWER, products=VIEWER.products | {"development"}))
    where = plan_text(query, site).where
    assert isinstance(where, Match)
    assert (where.field.key, where.test, where.negated) == (key, test, False)


@pytest.mark.parametrize(
    ("query", "test"),
    [
        ("status != Done", refs("5")),
        ("status not in (Done, 'To Do')", refs("5", "1")),
        ("assignee is not empty", Blank()),
        ("assignee != empty", Blank()),
        ("votes != 3", Amount("=", Decimal(3))),
    ],
)
def test_a_denied_comparison_never_finds_empty_fields(query: str, test: Test) -> None:
    assert (only(query).test, only(query).negated) == (test, True)


def test_lists_of_several_kinds_of_tests() -> None:
    found = plan_text("assignee in (bob, EMPTY)", SITE).where
    assert isinstance(found, Any)
    assert [node.test for node in found.nodes if isinstance(node, Match)] == [
        refs("bob-2"),
        Blank(),
    ]
    denied = plan_text("due not in ('2026-06-20', EMPTY)", SITE).where
    assert isinstance(denied, All)
    assert all(isinstance(node, Match) and node.negated for node in denied.nodes)


def test_clauses_keep_their_form() -> None:
    found = plan_text("type = Bug and (status = Done or not labels = a)", SITE).where
    assert isinstance(found, All)
    assert isinstance(found.nodes[1], Any)
    assert isinstance(found.nodes[1].nodes[1], Not)


def test_fields_of_one_name_are_meant_together() -> None:
    assert only("Colour = Red").field.numbers == (10030, 10031)
    assert only("cf[10031] = Red").field.numbers == (10031,)
    assert only("'colour[dropdown]' = Red").field.numbers == (10030, 10031)


def test_words_in_texts() -> None:
    assert isinstance(only("summary ~ 'two words'").test, Like)
    assert only("summary !~ word").negated
    assert isinstance(only("fixVersion ~ '1.*'").test, Like)
    assert only("description ~ empty").test == Blank()


def test_names_are_asked_for_together() -> None:
    """A site in a database fetches them with one statement for each kind."""
    site = MemorySite()
    plan_query(
        parse(
            "project in (AUT, WIN) and status was Done by (bob, jane) and key in "
            "linkedIssues(AUT-1) and cf[10030] = Red and status changed from 'To Do' and due < 1d"
        ),
        site,
    )
    assert site.expected == [
        {
            "project": frozenset({"AUT", "WIN"}),
            "status": frozenset({"Done", "To Do"}),
            "user": frozenset({"bob", "jane"}),
            "issue": frozenset({"AUT-1"}),
            "option": frozenset({"Red"}),
        }
    ]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (
            "universe = 42",
            "Field 'universe' does not exist or you do not have permission to view it.",
        ),
        ("cf[99] = a", "Field 'cf[99]' does not exist or you do not have permission to view it."),
        (
            "summary[a].b = c",
            "Field 'summary[a].b' does not exist or you do not have permission to view it.",
        ),
        (
            "buildName ~ a",
            "Field 'buildName' does not exist or you do not have permission to view it.",
        ),
        ("summary = test", "The operator '=' is not supported by the 'summary' field."),
        ("text !~ test", "The operator '!~' is not supported by the 'text' field."),
        ("key is empty", "The operator 'is' is not supported by the 'key' field."),
        ("labels was a", "The operator 'was' is not supported by the 'labels' field."),
        (
            "summary in test",
            "Operator 'in' does not support the non-list value '\"test\"' for field 'summary'.",
        ),
        (
            "status = (a, 7)",
            "Operator '=' does not support the list value '(\"a\", 7)' for field 'status'.",
        ),
        (
            "sprint = openSprints()",
            "Operator '=' does not support the list value 'openSprints()' for field 'sprint'.",
        ),
        (
            "assignee in currentUser()",
            (
                "Operator 'in' does not support the non-list value 'currentUser()' for "
                "field 'assignee'."
            ),
        ),
        (
            "assignee is bob",
            "Operator 'is' does not support searching for non-empty values for field 'assignee'.",
        ),
        (
            "created > empty",
            (
                "Operator '>' does not support the empty value representation 'EMPTY' "
                "for field 'created'."
            ),
        ),
        (
            'status = Open by "admin"',
            'The EQUALS operator does not support the use of the by "admin" predicate.',
        ),
        (
            "status not in (a) before -1w",
            'The NOT_IN operator does not support the use of the before "-1w" predicate.',
        ),
        (
            "status changed 4 by bob",
            (
                "The CHANGED operator does not support the use of values without predicates. You "
                "must prefix the 4 value with a suitable predicate."
            ),
        ),
        ("key = empty", "The field 'key' does not support searching for EMPTY values."),
        ("comment ~ empty", "The field 'comment' does not support searching for EMPTY values."),
        ("summary ~ ' '", "The field 'summary' does not support searching for an empty string."),
        ("text ~ 'AND'", "Unable to parse the text 'AND' for field 'text'."),
        ("project = NOPE", "The value 'NOPE' does not exist for the field 'project'."),
        ("project = 99", "A value with ID '99' does not exist for the field 'project'."),
        ("colour = Green", "The option 'Green' for field 'colour' does not exist."),
        ("key = AUT-99", "An issue with key 'AUT-99' does not exist for field 'key'."),
        ("parent = nonsense", "The issue key 'nonsense' for field 'parent' is invalid."),
        ("created > soon", f"Date value 'soon' for field 'created' is invalid. {FORMATS}"),
        (
            "created > currentUser()",
            "A date for the field 'created' provided by the function 'currentUser' is not valid.",
        ),
        (
            "'story points' = many",
            "Value 'many' for the 'story points' field is not a valid number.",
        ),
        (
            "'story points' = 1e999",
            "Value '1e999' for the 'story points' field is not a valid number.",
        ),
        (
            "votes = -3",
            "Value '-3' is invalid for the 'votes' field. Votes must be a positive whole number.",
        ),
        (
            "workratio = half",
            "The value 'half' for field 'workratio' is invalid - please specify an integer.",
        ),
        (
            "timespent = ages",
            (
                "The value 'ages' for field 'timespent' is invalid. Please specify a "
                "positive duration "
                "format; for example: '1h 30m', '2d'."
            ),
        ),
        ("assignee = bogus()", "Unable to find JQL function 'bogus()'."),
        ("assignee in aqlFunction(a)", "Unable to find JQL function 'aqlFunction(a)'."),
        ("assignee = aqlFunction(a)", "Unable to find JQL function 'aqlFunction(a)'."),
        (
            "key = AUT-1 order by ''",
            "Error in the JQL Query: A field name cannot be empty. (line 1, character 22)",
        ),
        ("created > now(1)", "Function 'now' expected '0' arguments but received '1'."),
        (
            "created > startOfDay(soon)",
            (
                "Duration for function 'startOfDay' should have the format "
                "(+/-)n(yMwdm), e.g -1M for 1 "
                "month earlier."
            ),
        ),
        (
            "assignee in membersOf()",
            "Function 'membersOf' expected '1' arguments but received '0'.",
        ),
        (
            "assignee in membersOf(nobody)",
            (
                "Function 'membersOf' can not generate a list of usernames for group "
                "'nobody'; the group "
                "does not exist."
            ),
        ),
        (
            "key in linkedIssues()",
            (
                "Incorrect number of arguments for function 'linkedIssues'. Usage: 'linkedIssues ( "
                "issuekey [, linkDescription ]* )'."
            ),
        ),
        (
            "key in linkedIssues(AUT-99)",
            "Issue 'AUT-99' could not be found in function 'linkedIssues'.",
        ),
        (
            "key in linkedIssues(AUT-1, fred)",
            "Issue link type 'fred' could not be found in function 'linkedIssues'.",
        ),
        (
            "fixVersion in releasedVersions(NOPE)",
            "Could not resolve the project 'NOPE' provided to function 'releasedVersions'.",
        ),
        (
            "Place in cascadeOption()",
            (
                "Incorrect number of arguments specified for the function 'cascadeOption'. Usages: "
                "cascadeOption(parentOption), cascadeOption(parentOption, childOption), "
                'cascadeOption(parentOption, "None").'
            ),
        ),
        (
            "status = currentUser()",
            "A value provided by the function 'currentUser' is invalid for the field 'status'.",
        ),
        ("key = AUT-1 order by bogus", "Not able to sort using field 'bogus'."),
        ("key = AUT-1 order by comment", "Field 'comment' does not support sorting."),
        (
            "key = AUT-1 order by due, duedate",
            "The sort field 'duedate' is referenced multiple times in the JQL sort.",
        ),
    ],
)
def test_what_is_wrong_is_told(query: str, text: str) -> None:
    found = verdict(query)
    assert found.plan is None
    assert [message.text for message in found.errors] == [text]
    with pytest.raises(JqlError) as caught:
        plan_text(query, SITE)
    assert caught.value.texts == [text]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (
            "'story points' = now()",
            "A value provided by the function 'now' is invalid for the field 'story points'.",
        ),
        (
            "created > startOfDay(1, 2)",
            ("Function 'startOfDay' expected between '0' and '1' arguments but received '2'."),
        ),
        (
            "issue in updatedBy()",
            ("Function 'updatedBy' expected between '1' and '3' arguments but received '0'."),
        ),
        ("labels = bogus(a, b)", "Unable to find JQL function 'bogus(a, b)'."),
        (
            "watchers = -1",
            (
                "Value '-1' is invalid for the 'watchers' field. Watches must be a "
                "positive whole number."
            ),
        ),
        (
            "sprint in workItemsAddedDuringSprint(1)",
            (
                "A value provided by the function 'workItemsAddedDuringSprint' is "
                "invalid for the field 'sprint'."
            ),
        ),
        (
            "project in projectsWhereUserHasRole(x)",
            ("Could not resolve the role 'x' provided to function 'projectsWhereUserHasRole'."),
        ),
        (
            "assignee was bob from a",
            ('The WAS operator does not support the use of the from "a" predicate.'),
        ),
        (
            "project in choiceOption()",
            ("Function 'choiceOption' expected at least '1' arguments but received '0'."),
        ),
    ],
)
def test_unverified_sentences(query: str, text: str) -> None:
    assert [message.text for message in verdict(query).errors] == [text]


def test_all_that_is_wrong_is_told_once_and_in_order() -> None:
    found = verdict("universe = 1 and project in (NOPE, AUT, NIX) or universe = 1 order by bogus")
    assert [message.text for message in found.errors] == [
        "Field 'universe' does not exist or you do not have permission to view it.",
        "The value 'NOPE' does not exist for the field 'project'.",
        "The value 'NIX' does not exist for the field 'project'.",
        "Not able to sort using field 'bogus'.",
    ]


def test_somebody_unknown_is_a_warning() -> None:
    found = verdict("assignee in (nobody, bob)")
    assert found.errors == ()
    assert [(message.kind, message.text) for message in found.warnings] == [
        (MessageKind.USER, "The value 'nobody' does not exist for the field 'assignee'.")
    ]
    assert found.plan is not None
    assert isinstance(found.plan.where, Match)
    assert found.plan.where.test == refs("bob-2")


def test_somebody_who_did_not_sign_in() -> None:
    (text,) = [message.text for message in verdict("universe = 1", ANONYMOUS).errors]
    assert (
        text == "Field 'universe' does not exist or this field cannot be viewed by anonymous users."
    )
    (text,) = [message.text for message in verdict("issue in votedIssues()", ANONYMOUS).errors]
    assert text == "Function 'votedIssues' cannot be called as anonymous user."
    where = plan_text("assignee = currentUser()", ANONYMOUS).where
    assert isinstance(where, Match)
    assert where.test == OneOf(())


def test_what_cannot_be_seen_does_not_exist() -> None:
    site = MemorySite(hidden={"project": frozenset({"10001"})})
    assert verdict("project = AUT", site).errors == ()
    for query in ("project = WIN", "project = 10001"):
        assert verdict(query, site).errors[0].kind is MessageKind.VALUE


def test_an_order_is_planned() -> None:
    plan = plan_text("order by due desc, Rank, cf[10016] asc", SITE)
    assert plan.where is None
    assert [(order.field.key, order.descending) for order in plan.order_by] == [
        ("duedate", True),
        ("customfield_10019", False),
        ("customfield_10016", False),
    ]


def test_unverified_a_field_without_a_direction_has_its_own() -> None:
    plan = plan_text("order by created, priority, updated, key, summary, due", SITE)
    assert [order.descending for order in plan.order_by] == [True, True, True, False, False, False]


@pytest.mark.parametrize("query", ["", "order by created desc"])
def test_a_search_must_be_bounded(query: str) -> None:
    assert plan_text(query, SITE).where is None
    with pytest.raises(JqlError) as caught:
        plan_text(query, SITE, bounded=True)
    assert caught.value.texts == [
        "Unbounded JQL queries are not allowed here. Please add a search restriction to your query."
    ]


def test_unverified_a_search_is_ordered_by_seven_fields() -> None:
    fields = ["created", "updated", "due", "key", "summary", "votes", "priority", "status"]
    require_bounds(parse("key = AUT-1 order by " + ", ".join(fields[:7])))
    with pytest.raises(JqlError, match="maximum of 7 fields"):
        require_bounds(parse("key = AUT-1 order by " + ", ".join(fields)))
