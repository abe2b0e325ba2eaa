"""The list of rules, making one, and bringing rules in and out as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse

from clones.core import sightings
from clones.core.pages import secured
from clones.core.strict_json import read_json
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.automation.exchange import export_rules, import_rules
from clones.tracker.domain.automation.recording import OUTCOMES
from clones.tracker.domain.automation.rules import RuleDraft, create_rule
from clones.tracker.models import AutomationRule, AutomationRun
from clones.tracker.queries.automation import last_runs
from clones.tracker.rules.automation.catalogue import ComponentKind, kind_of, of_component
from clones.tracker.web.access import Visitor
from clones.tracker.web.automation.places import RuleScope, changes
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.parts.times import when
from clones.tracker.web.shell import go

SITE: Final = "site"  # how exports name the site: they are read by their spaces alone
FILE: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class RuleItem:
    """A rule in the list."""

    rule: AutomationRule
    trigger: str
    address: str
    changes: bool
    last: AutomationRun | None
    outcome: str
    ran: str


def show(request: SandboxRequest, who: Visitor, place: RuleScope) -> HttpResponse:
    """Show the rules of a space, or of the whole site."""
    rules = place.rules(who)
    labels = sorted({label for rule in rules for label in rule.labels})
    text = request.GET.get("search", "").strip().casefold()
    label, state = request.GET.get("label", ""), request.GET.get("state", "")
    shown = [
        rule
        for rule in rules
        if (not text or text in f"{rule.name} {rule.description}".casefold())
        and (not label or label in rule.labels)
        and (not state or rule.enabled == (state == "enabled"))
    ]
    last = last_runs(shown)
    context = {
        "lines": [_line(rule, last.get(rule.id), who, place) for rule in shown],
        "total": len(rules),
        "labels": labels,
        "search": request.GET.get("search", "").strip(),
        "label": label,
        "state": state,
    }
    return place.show(request, who, "tracker/automation/list.html", context, title="Automation")


def _line(
    rule: AutomationRule, last: AutomationRun | None, who: Visitor, place: RuleScope
) -> RuleItem:
    sightings.note(rule, "list")
    kind = kind_of(rule.trigger_type)
    return RuleItem(
        rule,
        "No trigger" if kind is None else kind.name,
        place.rule_address(rule),
        changes(who, rule),
        last,
        "" if last is None else OUTCOMES.get(last.outcome, last.outcome),
        "" if last is None else when(last.started, who.rights.zone),
    )


def grouped(component: str) -> list[tuple[str, list[ComponentKind]]]:
    """Return the kinds of a component by their groups."""
    found: dict[str, list[ComponentKind]] = {}
    for kind in of_component(component):
        found.setdefault(kind.group, []).append(kind)
    return list(found.items())


def create(request: SandboxRequest, who: Visitor, place: RuleScope) -> HttpResponse:
    """Ask for a name and a trigger, or make a rule that is turned off, and go on to its parts."""
    problems: list[str] = []
    typed = posted_text(request, "name")
    if request.method == "POST":
        kind = kind_of(posted_text(request, "trigger"))
        draft = RuleDraft(
            name=typed or "Untitled rule",
            trigger=None if kind is None else {"type": kind.type, "value": kind.value},
            projects=[] if place.project is None else [place.project],
            enabled=False,
        )
        rule, refusal = attempt(lambda: create_rule(draft, actor=who.rights))
        if rule is not None:
            return go(f"{place.rule_address(rule)}?part=0", f"Rule “{rule.name}” created")
        problems = refusal.sentences if refusal else []
    context = {"groups_of": grouped("TRIGGER"), "name": typed, "problems": problems}
    return place.show(
        request, who, "tracker/automation/create.html", context,
        title="Create rule", status=400 if problems else 200,
    )  # fmt: skip


def export(request: SandboxRequest, who: Visitor, place: RuleScope) -> HttpResponse:
    """Send all rules that are seen here as a file."""
    del request
    return file_of(export_rules(place.rules(who), SITE), "automation-rules.json")


def file_of(document: Any, name: str) -> HttpResponse:
    """Return JSON as a file to keep."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    response = secured(HttpResponse(text, content_type="application/json"))
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def bring_in(request: SandboxRequest, who: Visitor, place: RuleScope) -> HttpResponse:
    """Ask for a file of rules, or make them, turned off."""
    problems: list[str] = []
    typed = posted_text(request, "rules", strip=False)
    if request.method == "POST":
        sent = request.FILES.get("file")
        text = typed if sent is None else sent.read(FILE).decode("utf-8", "replace")
        try:
            document = read_json(text)
        except ValueError:
            document = None
        if document is None:
            problems = ["The file is not valid JSON."]
        else:
            made, refusal = attempt(
                lambda: import_rules(document, actor=who.rights, project=place.project)
            )
            if made is not None:
                said = "1 rule was" if len(made) == 1 else f"{len(made)} rules were"
                return go(place.address, f"{said} imported. Turn them on when they are ready.")
            problems = refusal.sentences if refusal else []
    context = {"problems": problems, "typed": typed}
    return place.show(
        request, who, "tracker/automation/import.html", context,
        title="Import rules", status=400 if problems else 200,
    )  # fmt: skip
