"""Rules as JSON for other sites: written as the vendor's exports are, and read from such."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from clones.core import clock
from clones.core.digits import is_digits
from clones.tracker.domain.automation.rules import RuleDraft, create_rule
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import AutomationRule, Project, User
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.automation.documents import spaces_of

Json = dict[str, Any]
MOST: Final = 200  # rules of one file
NO_RULES: Final = "The file has no automation rules."
Kind = TypeVar("Kind")
_TYPES: Final[Mapping[type, str]] = {
    str: "a text",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def rule_document(rule: AutomationRule, site: str) -> Json:
    """Return a rule as the vendor's API has it; `site` is the id of the site."""
    return {
        "uuid": rule.uuid,
        "name": rule.name,
        "state": "ENABLED" if rule.enabled else "DISABLED",
        "description": rule.description,
        "canOtherRuleTrigger": rule.allow_chains,
        "notifyOnError": rule.notify_on_error,
        "authorAccountId": rule.owner.account_id,
        "actor": {"type": "ACCOUNT_ID", "actor": rule.actor.account_id},
        "created": rule.created.timestamp(),
        "updated": rule.updated.timestamp(),
        "trigger": {**rule.trigger, "connectionId": None},
        "components": [_component(one) for one in rule.components],
        "labels": list(rule.labels),
        "ruleScopeARIs": scope_of(rule, site),
        "writeAccessType": rule.write_access,
        "collaborators": list(rule.collaborators),
        "ruleHome": {"ruleLifecycleHome": {"locationARI": scope_of(rule, site)[0]}},
    }


def scope_of(rule: AutomationRule, site: str) -> list[str]:
    """Return the spaces of a rule as the vendor names them, or the site."""
    if not rule.projects:
        return [f"ari:cloud:jira::site/{site}"]
    return [f"ari:cloud:jira:{site}:project/{project}" for project in rule.projects]


def _component(component: Mapping[str, Any]) -> Json:
    return {
        **component,
        "connectionId": None,
        "children": [_component(one) for one in component["children"]],
        "conditions": [_component(one) for one in component["conditions"]],
    }


def export_rules(rules: Iterable[AutomationRule], site: str) -> Json:
    """Return rules as a file of the vendor's has them."""
    return {
        "cloud": True,
        "exported": clock.now().isoformat(),
        "rules": [rule_document(rule, site) for rule in rules],
    }


def import_rules(
    document: Any, *, actor: Rights, project: Project | None = None
) -> list[AutomationRule]:
    """Make the rules of a file, turned off: whoever brings them in looks at them first.

    Args:
        document: {"rules": [...]}, or one rule.
        actor: who brings them in: their owner.
        project: the space they come into; None for the scope that the file says.

    Raises:
        Forbidden: the actor manages no rules there.
        Invalid: it is no such file, or a rule in it is none.
    """
    found = document.get("rules", document) if isinstance(document, Mapping) else document
    rows = [found] if isinstance(found, Mapping) else found
    if not isinstance(rows, list) or not rows:
        raise Invalid(NO_RULES)
    if len(rows) > MOST:
        raise Invalid(f"A file can have {MOST} rules.")
    # All are read before the first is made.
    drafts = [_draft(one, project) for one in rows]
    return [create_rule(draft, actor=actor) for draft in drafts]


def _draft(row: Any, project: Project | None) -> RuleDraft:
    given = row.get("rule", row) if isinstance(row, Mapping) else None
    if not isinstance(given, Mapping) or "trigger" not in given:
        raise Invalid(NO_RULES)
    labels = _read(given, "labels", list) or []
    if not all(isinstance(one, str) for one in labels):
        raise Invalid("The labels of a rule must be texts.")
    spaces = _spaces(given)
    return RuleDraft(
        name=(_read(given, "name", str) or "")[:255],
        trigger=_read(given, "trigger", dict),
        components=_read(given, "components", list) or [],
        description=_read(given, "description", str) or "",
        projects=[project] if project is not None else spaces,
        labels=labels,
        enabled=False,
        allow_chains=_read(given, "canOtherRuleTrigger", bool) is True,
        notify_on_error=_notify(_read(given, "notifyOnError", str)),
    )


def _read(given: Mapping[str, Any], name: str, kind: type[Kind]) -> Kind | None:
    """Return what a rule of a file has under a name, None if it has nothing.

    Raises:
        Invalid: it is of another type.
    """
    value = given.get(name)
    if value is None or isinstance(value, kind):
        return value
    raise Invalid(f"The {name} of a rule must be {_TYPES[kind]}.")


def _notify(text: str | None) -> str:
    return text if text in ("FIRSTERROR", "EVERYERROR", "NEVER") else "FIRSTERROR"


def _spaces(given: Mapping[str, Any]) -> Sequence[Project]:
    """Return the spaces that a rule of a file names and that are here; none is the whole site."""
    scope = _read(given, "ruleScope", dict) or {}
    aris = _read(given, "ruleScopeARIs", list) or _read(scope, "resources", list)
    listed = _read(given, "projects", list) or []
    wanted = spaces_of(aris) if aris else []
    if not wanted:
        wanted = [
            int(text)
            for one in listed
            if isinstance(one, Mapping) and is_digits(text := str(one.get("projectId") or ""))
        ]
    rows = Project.objects.filter(id__in=wanted, deleted_at=None)
    return list(rows.order_by("id"))


def person_of(account: str) -> User | None:
    """Return the active user of an account id, None where there is none."""
    return User.objects.filter(account_id=account, active=True).first()
