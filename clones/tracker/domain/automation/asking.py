"""Rules that are set off by somebody: by hand from an issue, or by a web request."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import Q

from clones.core import clock
from clones.core.digits import is_digits
from clones.tracker.domain.automation.running import set_off
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, Unauthenticated
from clones.tracker.models import AutomationRule, Issue
from clones.tracker.queries import searching
from clones.tracker.queries.automation import (
    RULE_GONE,
    counts_for,
    may_run,
    rights_of_actor,
)
from clones.tracker.queries.rights import BROWSE, Rights
from clones.tracker.rules.automation.events import INCOMING, MANUAL
from clones.tracker.rules.jql import JqlError

AT_ONCE: Final = 50  # issues of one request
BODY: Final = 100_000  # letters of a web request


def inputs_of(rule: AutomationRule) -> list[dict[str, str]]:
    """Return what a manual rule asks for: {"name", "label"} of each."""
    value = rule.trigger.get("value")
    found = []
    for one in (value.get("inputs") or ()) if isinstance(value, dict) else ():
        if isinstance(one, Mapping):
            name = str(one.get("variableName") or one.get("name") or "").strip()
            label = str(one.get("displayName") or one.get("label") or name)
        else:
            name = label = str(one).strip()
        if name:
            found.append({"name": name, "label": label})
    return found


def run_manually(
    rule: AutomationRule,
    issues: Sequence[Issue],
    inputs: Mapping[str, Any] | None = None,
    *,
    actor: Rights,
) -> None:
    """Run a rule on issues, each for itself; `inputs` are answers to what it asks for.

    Raises:
        NotFound: the rule is none that is run by hand, or is turned off.
        Forbidden: the actor is in none of the groups that may run it.
        Invalid: an issue is of none of the rule's spaces, or there are too many.
    """
    if rule.trigger_type != MANUAL or not rule.enabled:
        raise NotFound(RULE_GONE)
    if actor.user is None or not may_run(actor, rule):
        raise Forbidden("You do not have permission to run this rule.")
    if not issues or len(issues) > AT_ONCE:
        raise Invalid(f"A rule can be run on 1 to {AT_ONCE} work items at once.")
    for issue in issues:
        if not counts_for(rule, issue.project_id):
            raise Invalid(f"The rule cannot be run on work item {issue.key}.")
        actor_sees = actor.may_on(BROWSE, issue)
        if not actor_sees:
            raise NotFound(f"The work item {issue.key} does not exist or you cannot see it.")
    asked = {one["name"]: str((inputs or {}).get(one["name"], "")) for one in inputs_of(rule)}
    for issue in issues:
        set_off(
            rule,
            {
                "issues": [issue.id],
                "project": issue.project_id,
                "initiator": actor.user.id,
                "names": {"userInputs": asked},
            },
        )


def find_hook(uuid: str) -> AutomationRule:
    """Return the rule at whose address a web request arrives.

    Raises:
        NotFound: there is none, or it is turned off.
    """
    rows = AutomationRule.objects.select_related("owner", "actor")
    found = rows.filter(uuid=uuid, enabled=True, trigger_type=INCOMING).first()
    if found is None:
        raise NotFound(RULE_GONE)
    return found


def receive_hook(rule: AutomationRule, token: str, body: Any) -> None:
    """Set a rule off by a web request.

    Args:
        rule: of the address.
        token: the secret that the request says.
        body: its JSON; `issues` names the issues if the rule wants them there.

    Raises:
        Unauthenticated: the secret is another.
        Invalid: it names no issues where the rule wants some.
    """
    if not rule.hook or not hmac.compare_digest(token.encode(), rule.hook.encode()):
        raise Unauthenticated("The token of the incoming webhook is not valid.")
    value = rule.trigger.get("value")
    how = str((value if isinstance(value, dict) else {}).get("searchOrProvide") or "none")
    issues: list[int] = []
    if how == "provided":
        issues = _provided(rule, body)
    elif how == "search":
        issues = _searched(rule, str(value.get("jql") or ""))
        if not issues:
            return
    set_off(
        rule,
        {
            "issues": issues,
            "project": rule.projects[0] if len(rule.projects) == 1 else None,
            "initiator": rule.actor_id,
            "names": {"webhookData": body, "receivedAt": clock.now().isoformat()},
        },
    )


def _provided(rule: AutomationRule, body: Any) -> list[int]:
    named = body.get("issues") if isinstance(body, Mapping) else None
    texts = [str(one) for one in named][:AT_ONCE] if isinstance(named, list) else []
    keys = [one.upper() for one in texts]
    ids = [int(one) for one in texts if is_digits(one, 17)]
    rows = Issue.objects.filter(Q(key__in=keys) | Q(id__in=ids)).order_by("id")
    found = [row.id for row in rows if counts_for(rule, row.project_id)]
    if not found:
        raise Invalid("No work items were provided in the body of the request.")
    return found


def _searched(rule: AutomationRule, query: str) -> list[int]:
    try:
        rows = searching.search(query, rights_of_actor(rule.actor))
    except JqlError as error:
        raise Invalid(*error.texts) from error
    if rule.projects:
        rows = rows.filter(project__in=rule.projects)
    return list(rows.values_list("id", flat=True)[:AT_ONCE])
