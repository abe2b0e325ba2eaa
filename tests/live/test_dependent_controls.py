"""Controls that depend on a choice beside them: each is known, with what its page does about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from clones.core.tenancy import SandboxRow
from episodes.worlds import WorldKey, world_image
from snapshots.library import Library
from snapshots.sandboxes import Sandboxes
from tests.dependent_controls import Pair, pairs_of
from tests.pages_of_clones import Window

FOLDER = Path(__file__).parent
HIDDEN = "hidden and not sent, and without scripts refused"
SWITCHES = "what is typed makes the choice"
REFUSED = "refused: both cannot be meant"
# Of each guess, what the page does about it; or, in lower case words, why nothing depends there.
# A name ends with `*` where only its beginning is meant.
DECLARED: dict[str, dict[Pair, str]] = {
    "helpdesk": {
        Pair("", "group_ids"): HIDDEN,
        Pair("access", "group_ids"): HIDDEN,
        Pair("access", "group_by"): "columns of a view, and not who sees it",
        Pair("access", "group_order"): "the same; it is hidden where nothing is grouped",
        Pair("auth_type", "auth_*"): HIDDEN,
        Pair("connection", "events"): HIDDEN,
        Pair("role", "custom_role_id"): "hidden and not sent where there is a role to choose",
        Pair("role", "ticket_restriction"): "hidden and not sent where there is a role to choose",
        Pair("ticket_restriction", "custom_role_id"): "a role and a reach, each by itself",
        Pair("ticket_restriction", "default_group_id"): "a group of those that somebody is in",
        Pair("ticket_restriction", "groups"): "somebody is in groups whatever the reach",
        Pair("type", "problem_id"): "hidden, and not taken of other types",
        Pair("type", "value"): "what is added is of the type that is chosen",
        Pair("after", "custom_fields_*"): "where one goes on to, and no field",
        Pair("brand_id", "default"): "an address is the default of its brand",
        Pair("method", "max_*"): "capacities hold for each method",
        Pair("right_*", "right_*"): "rights, each by itself",
        Pair("counted-*", "counted-*"): "one for each priority",
        Pair("counted-*", "target-*"): "hours of either kind",
        Pair("role", "q"): "a filter and a search, both of which count",
    },
    "tracker": {
        Pair("", "name"): REFUSED,
        Pair("status", "name"): REFUSED,
        Pair("", "category"): REFUSED,
        Pair("status", "category"): REFUSED,
        Pair("schedule", "cron"): REFUSED,
        Pair("duration", "endDate"): SWITCHES,
        Pair("adjust", "reduce"): REFUSED,
        Pair("issuetype", "customfield_*"): "a kind of issue, and a field of its screen",
        Pair("", "email_on_empty"): "says when a mail goes out, whatever the schedule",
        Pair("assignee*", "lead"): "a lead is more than an assignee by default",
        Pair("customer", "summary"): "who asks, and what",
        Pair("defaultUnit", "working*"): "units, each by itself",
        Pair("timeFormat", "working*"): "units, each by itself",
        Pair("editors_*", "viewers_*"): "two lists of people",
        Pair("viewers_*", "editors_*"): "two lists of people",
        Pair("viewers_*", "viewers_*"): "a role beside others of the list",
        Pair("group", "epic"): "lanes and a filter, both of which count",
        Pair("label", "quickFilter"): "filters, both of which count",
        Pair("permission", "group"): "who gets which",
        Pair("visibility", "isDismissible"): "who sees a banner, and whether they can put it away",
    },
}


# Of each pair that a page does something about, the test that tries it at the page.
TRIED: dict[str, dict[Pair, str]] = {
    "helpdesk": {
        **dict.fromkeys(
            [Pair("", "group_ids"), Pair("access", "group_ids")],
            "test_dependents_browser.py::test_groups_are_offered_for_specific_groups_only",
        ),
        **dict.fromkeys(
            [Pair("auth_type", "auth_*"), Pair("connection", "events")],
            "test_dependents_browser.py::test_a_webhook_asks_for_what_its_authentication_needs",
        ),
        **dict.fromkeys(
            [Pair("role", "custom_role_id"), Pair("role", "ticket_restriction")],
            "test_dependents_browser.py::test_only_agents_have_a_role_and_a_reach_to_choose",
        ),
        Pair("access", "group_order"): (
            "test_dependents_browser.py::test_the_order_of_groups_is_offered_where_there_are_any"
        ),
        Pair("type", "problem_id"): "test_ticket_page.py::test_type_brings_its_own_fields",
    },
    "tracker": {
        **dict.fromkeys(
            [
                Pair("", "name"),
                Pair("status", "name"),
                Pair("", "category"),
                Pair("status", "category"),
            ],
            "test_settings_workflows.py::test_a_draft_changes_nothing_until_it_is_published",
        ),
        Pair("schedule", "cron"): (
            "test_subscription_forms.py::test_an_expression_beside_another_schedule_is_refused"
        ),
        Pair("duration", "endDate"): (
            "test_backlog.py::test_an_end_that_is_typed_counts_whatever_duration_is_chosen"
        ),
        Pair("adjust", "reduce"): "test_issue_page.py::test_work_is_logged_and_history_told",
    },
}


def test_each_pair_of_which_a_page_takes_care_is_tried() -> None:
    """By the declaration's words: what is hidden, refused, or makes a choice by itself."""
    for clone, pairs in DECLARED.items():
        cared = {pair for pair, does in pairs.items() if does in (HIDDEN, SWITCHES, REFUSED)} | {
            pair for pair, does in pairs.items() if does.startswith("hidden")
        }
        assert cared <= set(TRIED[clone]), cared - set(TRIED[clone])
        assert set(TRIED[clone]) <= set(pairs)
        for named in TRIED[clone].values():
            file, _, test = named.partition("::")
            source = (FOLDER.parent / clone / "web" / file).read_text(encoding="utf-8")
            assert f"def {test}(" in source, named


def declared(clone: str, pair: Pair) -> bool:
    return any(
        fnmatchcase(pair.choice, known.choice) and fnmatchcase(pair.control, known.control)
        for known in DECLARED[clone]
    )


@pytest.fixture(scope="module")
def row(sandboxes: Sandboxes, library: Library) -> Iterator[SandboxRow]:
    """A sandbox of the tiny world."""
    found = sandboxes.create(world_image(library, WorldKey("kestrel", "tiny", 1)))
    yield found
    sandboxes.delete(found.id)


@pytest.mark.sweeps
@pytest.mark.slow(shares="row")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("clone", sorted(DECLARED))
def test_each_pair_is_declared(row: SandboxRow, clone: str) -> None:
    found: defaultdict[Pair, set[str]] = defaultdict(set)
    forms = 0
    for page in Window(row, clone).pages(1):
        if page.status >= 500:
            continue
        forms += page.html.count("<form")
        for pair in pairs_of(page.html):
            found[pair].add(page.route)
    print(f"{clone}: {forms} forms, {len(found)} pairs")
    assert forms > 100
    assert {pair: routes for pair, routes in found.items() if not declared(clone, pair)} == {}
    gone = [
        known
        for known in DECLARED[clone]
        if not any(
            fnmatchcase(pair.choice, known.choice) and fnmatchcase(pair.control, known.control)
            for pair in found
        )
    ]
    assert gone == [], "declared, and on no page"


def test_guesses_are_by_words() -> None:
    html = """<form><label>Who <select name="who"><option value="a">All agents</option>
      <option value="g">Agents in specific groups</option></select></label>
      <fieldset><legend>Groups</legend><label><input type="checkbox" name="groups"> One</label>
      </fieldset><label for="n">Name of the new one</label><input id="n" name="name">
      <label><input type="checkbox" name="other"> Other</label></form>"""
    assert pairs_of(html) == {Pair("who", "groups"), Pair("", "name")}
