"""What goes into rules, macros and views when `include=` asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, Literal

from clones.core import clock
from clones.helpdesk.models import AuditEvent, Automation, Macro, Trigger, User, View

Kind = Literal["trigger", "automation", "macro"]
SPANS = {
    "usage_1h": timedelta(hours=1),
    "usage_24h": timedelta(days=1),
    "usage_7d": timedelta(days=7),
    "usage_30d": timedelta(days=30),
}


def put_rule_sideloads(
    bodies: Sequence[dict[str, Any]],
    rows: Sequence[Trigger | Automation | Macro | View],
    wanted: Iterable[str],
    actor: User,
    kind: Kind | None = None,
) -> None:
    """Put into each rule what was asked for: its app, rights and uses; views have no uses.

    No app is installed here, so that none requires a rule.
    """
    names = set(wanted)
    for row, body in zip(rows, bodies, strict=True):
        if "permissions" in names:
            may = _may_change(row, actor)
            body["permissions"] = {"can_edit": may, "can_delete": may}
        if "app_installation" in names:
            body["app_installation"] = None
    for name in SPANS.keys() & names if kind is not None else ():
        counts = uses(kind, SPANS[name])
        for body in bodies:
            body[name] = counts[body["id"]]


def _may_change(row: Trigger | Automation | Macro | View, actor: User) -> bool:
    """Tell whether somebody may change a rule: admins may, and agents what is theirs alone."""
    if actor.role == "admin":
        return True
    restriction = row.restriction if isinstance(row, Macro | View) else None
    return bool(restriction) and restriction == {"type": "User", "id": actor.id}


def uses(kind: Kind | None, span: timedelta) -> Counter[int]:
    """Return how many updates each rule took part in, up to now."""
    since = clock.now() - span
    events = AuditEvent.objects.filter(audit__created_at__gt=since).order_by("audit_id", "position")
    if kind == "macro":
        events = events.filter(type="AgentMacroReference")
    used = {
        (audit, key)
        for audit, via, body in events.values_list("audit_id", "audit__via", "body")
        for key in _rules_of(kind, via, body)
    }
    return Counter(key for _, key in used)


def _rules_of(kind: Kind | None, via: Any, body: Any) -> list[int]:
    """Return the rule of a kind that an event of an audit is of, if it is of one."""
    if kind == "macro":
        return [int(body["macro_id"])]
    source = (body.get("via") or via or {}).get("source") or {}
    key = (source.get("from") or {}).get("id")
    return [key] if source.get("rel") == kind and isinstance(key, int) else []
