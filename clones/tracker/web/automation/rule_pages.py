"""A rule's details, its switch, its copy, its end."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.automation.exchange import export_rules
from clones.tracker.domain.automation.rules import (
    copy_rule,
    delete_rule,
    ensure_automation_user,
    set_state,
    update_rule,
)
from clones.tracker.models import AutomationRule, Project, User
from clones.tracker.queries.automation import APP_NAME, automation_user, may_change_rule
from clones.tracker.web.access import Visitor
from clones.tracker.web.automation.lists import SITE, file_of
from clones.tracker.web.automation.places import RuleScope
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.parts.times import when
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.shell import go

NOTIFY: Final = (
    ("FIRSTERROR", "Email owner once when flow starts failing after success"),
    ("EVERYERROR", "Email owner every time flow fails"),
    ("NEVER", "Never"),
)
ACCESS: Final = (
    ("UNRESTRICTED", "All admins"),
    ("OWNER_ONLY", "Owner and collaborators only"),
)
PEOPLE: Final = 500


def details(request: SandboxRequest, who: Visitor, place: RuleScope, uuid: str) -> HttpResponse:
    """Show a rule's details, or take a form with others."""
    rule = place.find(who, uuid)
    problems: list[str] = []
    if request.method == "POST":
        made, refusal = attempt(lambda: update_rule(rule, _typed(request, who), actor=who.rights))
        if made is not None:
            return go(f"{place.rule_address(rule)}/details", "Rule details saved")
        problems = refusal.sentences if refusal else []
        rule = place.find(who, uuid)
    sightings.note(rule, "detail")
    zone = who.rights.zone
    context: dict[str, Any] = {
        "rule": rule,
        "rule_at": place.rule_address(rule),
        "tab": "details",
        "editable": may_change_rule(who.rights, rule),
        "problems": problems,
        "typed": _shown(request, rule, failed=bool(problems)),
        "notify": NOTIFY,
        "access": ACCESS,
        "owners": _people(rule.owner),
        "actors": _actors(who, rule),
        "spaces": _spaces(who, rule),
        "may_move": who.rights.is_admin,
        "created": when(rule.created, zone),
        "updated": when(rule.updated, zone),
        "next_run": when(rule.next_run, zone),
        "scope": _scope(rule),
    }
    return place.show(
        request, who, "tracker/automation/details.html", context,
        title=rule.name, status=400 if problems else 200,
    )  # fmt: skip


def _typed(request: SandboxRequest, who: Visitor) -> dict[str, Any]:
    sent = request.POST
    found: dict[str, Any] = {
        "name": sent.get("name", ""),
        "description": sent.get("description", ""),
        "labels": [one.strip() for one in sent.get("labels", "").split(",")],
        "allow_chains": bool(sent.get("allow_chains")),
        "notify_on_error": sent.get("notify_on_error", ""),
        "write_access": sent.get("write_access", ""),
    }
    for name in ("owner", "actor"):
        account = sent.get(name, "")
        if account == APP_NAME:
            found[name] = ensure_automation_user()
        elif account:
            found[name] = User.objects.filter(account_id=account, active=True).first()
    if who.rights.is_admin and "scope" in sent:
        ids = [int(one) for one in sent.getlist("projects") if is_digits(one)]
        rows = Project.objects.filter(id__in=ids, deleted_at=None).order_by("id")
        found["projects"] = list(rows) if sent.get("scope") == "spaces" else []
    return found


def _shown(request: SandboxRequest, rule: AutomationRule, *, failed: bool) -> dict[str, Any]:
    if failed:
        sent = request.POST
        return {
            "name": sent.get("name", ""),
            "description": sent.get("description", ""),
            "labels": sent.get("labels", ""),
        }
    return {
        "name": rule.name,
        "description": rule.description,
        "labels": ", ".join(rule.labels),
    }


def _people(owner: User) -> list[tuple[str, str]]:
    rows = User.objects.filter(active=True, account_type="atlassian")
    found = list(
        rows.order_by("display_name", "id").values_list("account_id", "display_name")[:PEOPLE]
    )
    if owner.account_id not in {account for account, _ in found}:
        found.insert(0, (owner.account_id, owner.display_name))
    return found


def _actors(who: Visitor, rule: AutomationRule) -> list[tuple[str, str]]:
    """Return who can be the actor: the app, whoever looks, with admins anybody."""
    app = automation_user()
    found = [(APP_NAME if app is None else app.account_id, APP_NAME)]
    if who.rights.is_admin:
        found += [pair for pair in _people(rule.actor) if pair[0] != found[0][0]]
    else:
        found.append((who.user.account_id, who.user.display_name))
        if rule.actor.account_id not in {account for account, _ in found}:
            found.append((rule.actor.account_id, rule.actor.display_name))
    return found


def _spaces(who: Visitor, rule: AutomationRule) -> list[tuple[int, str, bool]]:
    if not who.rights.is_admin:
        return []
    rows = Project.objects.filter(deleted_at=None, archived_at=None).order_by("name", "id")
    return [(row.id, f"{row.name} ({row.key})", row.id in rule.projects) for row in rows]


def _scope(rule: AutomationRule) -> str:
    if not rule.projects:
        return "Global"
    names = Project.objects.filter(id__in=rule.projects).order_by("name", "id")
    return ", ".join(names.values_list("name", flat=True))


def turn(request: SandboxRequest, who: Visitor, place: RuleScope, uuid: str) -> HttpResponse:
    """Turn a rule on or off, and go back to where the switch was."""
    rule = place.find(who, uuid)
    if request.method != "POST":
        return not_found()
    enabled = posted_text(request, "enabled") == "1"
    back = place.rule_address(rule) if posted_text(request, "back") == "rule" else place.address
    made, refusal = attempt(lambda: set_state(rule, enabled=enabled, actor=who.rights))
    if made is None:
        said = " ".join(refusal.sentences) if refusal else ""
        return go(place.rule_address(rule), f"The rule could not be turned on. {said}")
    return go(back, f"Rule “{rule.name}” turned {'on' if enabled else 'off'}")


def copy(request: SandboxRequest, who: Visitor, place: RuleScope, uuid: str) -> HttpResponse:
    """Make a copy of a rule, and go to it."""
    rule = place.find(who, uuid)
    if request.method != "POST":
        return not_found()
    made, refusal = attempt(lambda: copy_rule(rule, actor=who.rights))
    if made is None:
        return go(place.address, " ".join(refusal.sentences) if refusal else "")
    return go(place.rule_address(made), f"“{made.name}” created. Turn it on when it is ready.")


def delete(request: SandboxRequest, who: Visitor, place: RuleScope, uuid: str) -> HttpResponse:
    """Ask whether to delete a rule, or delete it."""
    rule = place.find(who, uuid)
    if request.method == "POST":
        name = rule.name
        delete_rule(rule, actor=who.rights)
        return go(place.address, f"Rule “{name}” deleted")
    context = {"rule": rule, "rule_at": place.rule_address(rule)}
    return place.show(request, who, "tracker/automation/delete.html", context, title="Delete rule")


def export(request: SandboxRequest, who: Visitor, place: RuleScope, uuid: str) -> HttpResponse:
    """Send a rule as a file."""
    del request
    rule = place.find(who, uuid)
    return file_of(export_rules([rule], SITE), f"automation-rule-{rule.uuid[:8]}.json")
