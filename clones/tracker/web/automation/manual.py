"""Running a rule by hand from an issue: what it asks for first, and that it was set off."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.automation.asking import inputs_of, run_manually
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import AutomationRule, Issue
from clones.tracker.queries.automation import RULE_GONE, manual_rules
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.shell import from_script, go, page


@dataclass(frozen=True, slots=True)
class ManualRule:
    """A rule in the actions of an issue: whether it asks for something first."""

    name: str
    address: str
    asks: bool


def manual_entries(rights: Rights, issue: Issue) -> list[ManualRule]:
    """Return the rules that somebody can run on an issue."""
    return [
        ManualRule(rule.name, address_of(rule, issue), bool(inputs_of(rule)))
        for rule in manual_rules(rights, issue)
    ]


def address_of(rule: AutomationRule, issue: Issue) -> str:
    """Return where a rule is run on an issue."""
    return f"/jira/automation/run/{rule.uuid}/{issue.key}"


@page_of_staff
def run(request: SandboxRequest, who: Visitor, uuid: str, key: str) -> HttpResponse:
    """Ask for what a rule needs, or set it off."""
    issue = find_issue(who.rights, key)
    rule = next((one for one in manual_rules(who.rights, issue) if one.uuid == uuid), None)
    if rule is None:
        raise NotFound(RULE_GONE)
    asked = inputs_of(rule)
    problems: list[str] = []
    if request.method == "POST":
        said = {
            one["name"]: posted_text(request, f"input.{one['name']}", strip=False) for one in asked
        }

        def write() -> bool:
            run_manually(rule, [issue], said, actor=who.rights)
            return True

        done, refusal = attempt(write)
        if done:
            flag = f"Rule “{rule.name}” was run on {issue.key}"
            return from_script(request, go(f"/browse/{issue.key}", flag))
        problems = refusal.sentences if refusal else []
    context = {
        "rule": rule,
        "issue": issue,
        "inputs": asked,
        "problems": problems,
        "action": address_of(rule, issue),
    }
    return page(
        request, who, "tracker/automation/run.html", context,
        title=f"Run {rule.name}", project=issue.project, status=400 if problems else 200,
    )  # fmt: skip
