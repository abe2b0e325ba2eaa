"""Writing how the account routes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clones.core import clock
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text, storable
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.routing import ask_for_routing
from clones.helpdesk.models import RoutingSettings, User, View
from clones.helpdesk.queries.routing import account_routing

CAPACITIES = ("max_email_capacity", "max_messaging_capacity")
MOST = 500


def update_routing_settings(*, actor: User, changes: Mapping[str, Any]) -> RoutingSettings:
    """Change how the account routes; what is not named stays.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    if actor.role != "admin":
        raise AccessDenied("only admins change how the account routes")
    return _update(account_routing(), actor=actor, changes=changes)


@logged("update")
def _update(found: RoutingSettings, *, actor: User, changes: Mapping[str, Any]) -> RoutingSettings:
    for name in ("enabled", "using_skill_based_routing"):
        if changes.get(name) is not None:
            setattr(found, name, bool(changes[name]))
    if "autorouting_tag" in changes:
        tag = plain_text("autorouting_tag", changes["autorouting_tag"], 255) or ""
        found.autorouting_tag = tag.strip().lower()
    for name in CAPACITIES:
        if changes.get(name) is not None:
            if not 0 <= changes[name] <= MOST:
                label = name.replace("_", " ").capitalize()
                raise RecordInvalid.of(name, f"{label}: must be from 0 to {MOST}", "InvalidValue")
            setattr(found, name, changes[name])
    if changes.get("method") is not None:
        if changes["method"] not in RoutingSettings.METHODS:
            raise RecordInvalid.of("method", "Method: is invalid", "InvalidValue")
        found.method = changes["method"]
    if changes.get("skill_based_filtered_views") is not None:
        found.skill_based_filtered_views = _views(changes["skill_based_filtered_views"])
    found.updated_at = clock.now()
    found.save()
    ask_for_routing()
    return found


def _views(keys: Sequence[int]) -> list[int]:
    wanted = list(dict.fromkeys(keys))
    known = set(View.objects.filter(id__in=storable(wanted)).values_list("id", flat=True))
    for key in wanted:
        if key not in known:
            raise RecordInvalid.of(
                "skill_based_filtered_views", f"Views: {key} is invalid", "InvalidValue"
            )
    return wanted
