"""The audit log: of a rule, and of all rules of a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_from
from clones.tracker.domain.automation.recording import OUTCOMES
from clones.tracker.models import AutomationRule, AutomationRun, Issue
from clones.tracker.queries.automation import may_change_rule, runs_of
from clones.tracker.queries.rights import BROWSE
from clones.tracker.web.access import Visitor
from clones.tracker.web.automation.places import RuleScope
from clones.tracker.web.parts.times import when

LOOKS: Final = {
    "SUCCESS": "done",
    "NO_ACTIONS": "new",
    "SOME_ERRORS": "warning",
    "FAILURE": "failure",
    "LOOP": "failure",
    "THROTTLED": "warning",
    "CONFIG_CHANGE": "indeterminate",
}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line of the log."""

    run: AutomationRun
    moment: str
    outcome: str
    look: str
    steps: Sequence[dict[str, Any]]
    issues: Sequence[tuple[str, bool]]
    address: str


def of_place(request: SandboxRequest, who: Visitor, place: RuleScope) -> HttpResponse:
    """Show what all rules of a space, or of the site, did."""
    context = _context(request, who, place, place.rules(who))
    return place.show(request, who, "tracker/automation/audit.html", context, title="Audit log")


def of_rule(request: SandboxRequest, who: Visitor, place: RuleScope, uuid: str) -> HttpResponse:
    """Show what a rule did."""
    rule = place.find(who, uuid)
    context = {
        **_context(request, who, place, [rule]),
        "rule": rule,
        "rule_at": place.rule_address(rule),
        "tab": "audit",
        "editable": may_change_rule(who.rights, rule),
    }
    return place.show(request, who, "tracker/automation/rule_audit.html", context, title=rule.name)


def _context(
    request: SandboxRequest, who: Visitor, place: RuleScope, rules: Sequence[AutomationRule]
) -> dict[str, Any]:
    outcome = request.GET.get("outcome", "")
    rows = runs_of(rules)
    if outcome in OUTCOMES:
        rows = rows.filter(outcome=outcome)
    found = page_from(request, rows, name="startIndex")
    seen = _seen(who, found.rows)
    return {
        "entries": [_entry(run, who, place, seen) for run in found.rows],
        "outcomes": OUTCOMES,
        "outcome": outcome if outcome in OUTCOMES else "",
        "page": found,
    }


def _seen(who: Visitor, runs: Sequence[AutomationRun]) -> set[str]:
    """Return the keys, of those that runs name, of the issues that somebody sees."""
    keys = {key for run in runs for key in run.issues}
    keys |= {key for run in runs for step in run.steps for key in step["issues"]}
    rows = Issue.objects.filter(who.rights.issues_with(BROWSE), key__in=sorted(keys))
    return set(rows.values_list("key", flat=True))


def _entry(run: AutomationRun, who: Visitor, place: RuleScope, seen: set[str]) -> LogEntry:
    steps = [
        {**step, "links": [(key, key in seen) for key in step["issues"]], "indent": step["depth"]}
        for step in run.steps
    ]
    return LogEntry(
        run,
        when(run.started, who.rights.zone),
        OUTCOMES.get(run.outcome, run.outcome),
        LOOKS.get(run.outcome, "new"),
        steps,
        [(key, key in seen) for key in run.issues],
        place.rule_address(run.rule),
    )
