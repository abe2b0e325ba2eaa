"""What docs/fidelity/helpdesk-rules.md says is there is there, and each guess has its test."""

from __future__ import annotations

from clones.helpdesk.api import (
    definitions,
    rule_batches,
    schedules,
    trigger_categories,
    trigger_revisions,
)
from tests.helpdesk.fidelity_pages import (
    guesses_in,
    listed_guesses,
    listed_routes,
    operations_in,
    routes_of,
    text_of,
)

TEXT = text_of("helpdesk-rules.md")
ROOMS = (definitions, rule_batches, schedules, trigger_categories, trigger_revisions)
TESTS = (
    "test_definitions",
    "test_macro_replicas",
    "test_policy_order",
    "test_rule_batches",
    "test_schedules",
    "test_ticket_schedules",
    "test_trigger_categories",
    "test_trigger_revisions",
    "web/test_admin_tools",
)


def test_the_page_lists_the_operations_and_no_others() -> None:
    ours = operations_in(ROOMS) | {"ShowDerivedMacro"}
    assert set(listed_routes(TEXT)) == routes_of(ours)
    assert len(ours) == 33


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    assert listed_guesses(TEXT) == guesses_in(TESTS)
