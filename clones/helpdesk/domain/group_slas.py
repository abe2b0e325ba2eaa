"""SLAs of groups: policies, and the clock of how long a group owns a ticket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain import sla_clocks
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.business_rules import checked_condition, checked_title
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.positions import position_of, set_order
from clones.helpdesk.domain.sla_clocks import Source, Target
from clones.helpdesk.domain.triggers import Update
from clones.helpdesk.models import PRIORITIES, Group, GroupSlaPolicy, SlaClock, User
from clones.helpdesk.queries.hot import GROUP_SLA_POLICIES, LAST_GROUP_CLOCK
from clones.helpdesk.queries.situations import situation_at_rest
from clones.helpdesk.rules import group_sla as rules

LAST = 2**31 - 1
MINUTE = 60


@logged("create")
def create_policy(*, actor: User, changes: Mapping[str, Any]) -> GroupSlaPolicy:
    """Create a policy after the others.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it has no title or no filter, or a value breaks a rule.
    """
    _admins_only(actor)
    if changes.get("filter") is None:
        raise RecordInvalid.of("filter", "Filter: cannot be blank", "BlankValue")
    now = clock.now()
    last = GroupSlaPolicy.objects.order_by("-position").first()
    policy = GroupSlaPolicy(
        id=ids.next_ulid(GroupSlaPolicy),
        position=1 if last is None else last.position + 1,
        created_at=now,
        updated_at=now,
    )
    _set(policy, {"title": None, **changes})
    policy.save(force_insert=True)
    return policy


@logged("update")
def update_policy(
    policy: GroupSlaPolicy, *, actor: User, changes: Mapping[str, Any]
) -> GroupSlaPolicy:
    """Change a policy; idle tickets keep the targets they have.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    _set(policy, changes)
    policy.updated_at = clock.now()
    policy.save()
    return policy


@logged("destroy")
def delete_policy(policy: GroupSlaPolicy, *, actor: User) -> None:
    """Remove a policy. Without any left no clock has a target any more.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    policy.delete()
    if not GroupSlaPolicy.objects.exists():
        running = SlaClock.objects.filter(metric=rules.METRIC, state="active")
        for found in running.order_by("id"):
            sla_clocks.retarget(found, None, None)


def reorder_policies(order: Sequence[str], *, actor: User) -> None:
    """Give policies the positions 1, 2, 3... in this order; those not named come after.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: one does not exist.
    """
    _admins_only(actor)
    set_order(GroupSlaPolicy.objects.all(), order, "group sla policy", actor=actor)


def follow(update: Update, values: Mapping[str, Any]) -> None:
    """Turn the clock of the ticket's group by an update; it is the first policy's that fits."""
    policies = GROUP_SLA_POLICIES.all()
    if not policies:
        return
    ticket = update.ticket
    situation = situation_at_rest(ticket, values)
    policy = next((item for item in policies if rules.fits(item.filter, situation)), None)
    target = _target_of(policy, ticket.priority)
    source = None
    if policy is not None:
        source = Source("group_sla", policy.id, policy.title, policy.description)
    found = LAST_GROUP_CLOCK.first(ticket.id)
    before = update.before or {}
    moved = before.get("group_id") != ticket.group_id
    running = found is not None and found.state == "active"
    turns = rules.turns(running=running, group=ticket.group_id, moved=moved, status=ticket.status)
    if found is not None and running and not turns:
        sla_clocks.retarget(found, target, source)
    if found is not None and "fulfill" in turns:
        sla_clocks.fulfill(found)
    if target is not None and "activate" in turns:
        instance = 1 if found is None else found.instance + 1
        made = sla_clocks.new_clock(
            ticket, rules.METRIC, instance=instance, since=clock.now(), target=target
        )
        sla_clocks.start(made, source)


def _target_of(policy: GroupSlaPolicy | None, priority: str | None) -> Target | None:
    """Return the target of a priority; clocks count minutes, and a part of one is a whole one."""
    for item in policy.policy_metrics if policy is not None else ():
        if item["priority"] == priority:
            return -(-item["target"] // MINUTE), item["business_hours"]
    return None


def _set(policy: GroupSlaPolicy, changes: Mapping[str, Any]) -> None:
    if "title" in changes:
        policy.title = checked_title(changes["title"])
    if "description" in changes:
        policy.description = plain_text("description", changes["description"], 65_535) or ""
    if changes.get("position") is not None:
        policy.position = position_of(changes["position"])
    if changes.get("filter") is not None:
        given = changes["filter"].get("all") or []
        policy.filter = {"all": [_condition(item) for item in given]}
    if changes.get("policy_metrics") is not None:
        policy.policy_metrics = [_metric(item) for item in changes["policy_metrics"]]
        named = [item["priority"] for item in policy.policy_metrics]
        if len(set(named)) < len(named):
            raise _wrong("policy_metrics", "Policy metrics: have a priority twice")


def _condition(item: Mapping[str, Any]) -> dict[str, Any]:
    if item["field"] not in rules.GROUP_FIELDS:
        return checked_condition(item)
    value = item.get("value")
    named = value if isinstance(value, list) else [value]
    known = {str(key) for key in Group.objects.filter(deleted=False).values_list("id", flat=True)}
    if item.get("operator") not in rules.OPERATORS or {str(one) for one in named} - known:
        raise _wrong("filter", "Filter: is invalid")
    return {"field": item["field"], "operator": item["operator"], "value": named}


def _metric(item: Mapping[str, Any]) -> dict[str, Any]:
    target = item["target"]
    if item["metric"] != rules.METRIC or not 0 < target <= LAST:
        raise _wrong("policy_metrics", "Policy metrics: is invalid")
    if item["priority"] not in PRIORITIES:
        raise _wrong("policy_metrics", "Policy metrics: priority is invalid")
    return {
        "priority": item["priority"],
        "metric": rules.METRIC,
        "target": target,
        "business_hours": bool(item.get("business_hours")),
    }


def _wrong(attribute: str, text: str) -> RecordInvalid:
    return RecordInvalid.of(attribute, text, "InvalidValue")


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins keep SLAs of groups")


GROUP_SLA_POLICY: Final = Resource(
    GroupSlaPolicy,
    "group sla policy",
    plural="group sla policies",
    order=("position", "id"),
    create=create_policy,
    update=update_policy,
    delete=delete_policy,
    move=reorder_policies,
)
