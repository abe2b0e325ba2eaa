"""Writing views, triggers, automations and SLA policies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import identifier, plain_text, storable
from clones.helpdesk.domain.errors import (
    AccessDenied,
    CategoryRefused,
    RecordInvalid,
    RecordNotFound,
)
from clones.helpdesk.domain.macros import checked_actions, restriction_of
from clones.helpdesk.domain.positions import LAST, move, position_of
from clones.helpdesk.domain.trigger_revisions import begin_revisions, count_revision
from clones.helpdesk.models import (
    Automation,
    SlaPolicy,
    Trigger,
    TriggerCategory,
    User,
    View,
)
from clones.helpdesk.queries.conditions import is_too_much
from clones.helpdesk.queries.trigger_revisions import snapshot_of
from clones.helpdesk.rules import conditions as condition_rules
from clones.helpdesk.rules.sla import METRICS

VIEW_FIELDS = frozenset({"status", "type", "group_id", "assignee_id", "requester_id"})
TELLING_CONDITION = (
    "Conditions: must have at least one condition on status, type, group, assignee or requester"
)
HOUR_COUNTERS = condition_rules.HOURS
DEFAULT_OUTPUT = {
    "columns": ["subject", "requester", "created", "type", "priority"],
    "group_by": None,
    "group_order": "desc",
    "sort_by": "nice_id",
    "sort_order": "desc",
}
ACTIVE_AUTOMATIONS = 500
ONE_CATEGORY = "Triggers cannot be reordered while there is more than one category."


@logged("create")
def create_view(*, actor: User, changes: Mapping[str, Any]) -> View:
    """Create a view; agents make personal ones only.

    Raises:
        AccessDenied: an agent makes one for others.
        RecordInvalid: a value breaks a rule.
    """
    now = clock.now()
    view = View(
        id=ids.next_stamp(View), created_at=now, updated_at=now, output=dict(DEFAULT_OUTPUT)
    )
    _set_view(view, actor, {"title": None, "all": [], **changes})
    view.save(force_insert=True)
    return view


@logged("update")
def update_view(view: View, *, actor: User, changes: Mapping[str, Any]) -> View:
    """Change a view.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: a value breaks a rule.
    """
    _owners_only(view.restriction, actor)
    _set_view(view, actor, changes)
    view.updated_at = clock.now()
    view.save()
    return view


@logged("destroy")
def delete_view(view: View, *, actor: User) -> None:
    """Remove a view.

    Raises:
        AccessDenied: the actor may not.
    """
    _owners_only(view.restriction, actor)
    view.delete()


def set_preview(view: View, changes: Mapping[str, Any]) -> None:
    """Set a view's conditions and output in memory, for a look at what it would show.

    Raises:
        RecordInvalid: a value breaks a rule.
    """
    view.conditions = checked_conditions({"all": [], **changes}, {"all": [], "any": []})
    if changes.get("output"):
        # A column of a custom field may be named by the field's number.
        output = dict(changes["output"])
        if output.get("columns") is not None:
            output["columns"] = [str(name) for name in output["columns"]]
        view.output = {**view.output, **output}


def _set_view(view: View, actor: User, changes: Mapping[str, Any]) -> None:
    if "title" in changes:
        view.title = view.raw_title = checked_title(changes["title"])
    if "all" in changes or "any" in changes or "conditions" in changes:
        view.conditions = checked_conditions(changes, view.conditions)
        if not any(item["field"] in VIEW_FIELDS for item in view.conditions["all"]):
            raise RecordInvalid.of("base", TELLING_CONDITION)
    if changes.get("output"):
        # A column of a custom field may be named by the field's number.
        output = dict(changes["output"])
        if output.get("columns") is not None:
            output["columns"] = [str(name) for name in output["columns"]]
        view.output = {**view.output, **output}
    if "description" in changes:
        view.description = plain_text("description", changes["description"], 65_535)
    if changes.get("active") is not None:
        view.active = bool(changes["active"])
    if changes.get("position") is not None:
        view.position = position_of(changes["position"])
    if "restriction" in changes:
        view.restriction = restriction_of(changes["restriction"])
    _owners_only(view.restriction, actor)


@logged("create")
def create_trigger(*, actor: User, changes: Mapping[str, Any]) -> Trigger:
    """Create a trigger at the end of its category.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    now = clock.now()
    category = _category(changes.get("category_id"))
    last = Trigger.objects.filter(category=category).order_by("-position").first()
    trigger = Trigger(
        id=ids.next_stamp(Trigger),
        category=category,
        position=1 if last is None else last.position + 1,
        created_at=now,
        updated_at=now,
    )
    _set_rule(trigger, {"title": None, "actions": [], "all": [], **changes})
    if "description" in changes:
        trigger.description = plain_text("description", changes["description"], 65_535)
    trigger.save(force_insert=True)
    begin_revisions(trigger, actor=actor)
    return trigger


@logged("update")
def update_trigger(trigger: Trigger, *, actor: User, changes: Mapping[str, Any]) -> Trigger:
    """Change a trigger and count the revision; a trigger that only moves has no new one.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    before = snapshot_of(trigger)
    if changes.get("category_id") is not None:
        trigger.category = _category(changes["category_id"])
    if "description" in changes:
        trigger.description = plain_text("description", changes["description"], 65_535)
    _set_rule(trigger, changes)
    count_revision(trigger, before, actor=actor)
    trigger.updated_at = clock.now()
    trigger.save()
    return trigger


@logged("create")
def create_automation(*, actor: User, changes: Mapping[str, Any]) -> Automation:
    """Create an automation after the others.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule, or it would run without end.
    """
    _admins_only(actor)
    now = clock.now()
    last = Automation.objects.order_by("-position").first()
    automation = Automation(
        id=ids.next_stamp(Automation),
        position=1 if last is None else last.position + 1,
        created_at=now,
        updated_at=now,
    )
    _set_rule(automation, {"title": None, "actions": [], "all": [], **changes})
    _check_automation(automation)
    automation.save(force_insert=True)
    return automation


@logged("update")
def update_automation(
    automation: Automation, *, actor: User, changes: Mapping[str, Any]
) -> Automation:
    """Change an automation and count the revision.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule, or it would run without end.
    """
    _admins_only(actor)
    _set_rule(automation, changes)
    _check_automation(automation)
    automation.revision += 1
    automation.updated_at = clock.now()
    automation.save()
    return automation


@logged("destroy")
def delete_rule(rule: Trigger | Automation | SlaPolicy, *, actor: User) -> None:
    """Remove a trigger, an automation or a policy.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    rule.delete()


def reorder_triggers(order: list[int], *, actor: User) -> None:
    """Give triggers the positions 1, 2, 3... in this order; ids of none are passed over.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    known = Trigger.objects.in_bulk(storable(order))
    for position, key in enumerate(order, 1):
        if key in known and known[key].position != position:
            move(known[key], position, actor=actor)


def reorder_every_trigger(order: list[int], *, actor: User) -> None:
    """Give all triggers their positions by an order that names each of them.

    Raises:
        AccessDenied: the actor is no admin.
        CategoryRefused: there is more than one category of triggers.
        RecordNotFound: the order leaves a trigger out.
    """
    _admins_only(actor)
    if TriggerCategory.objects.count() > 1:
        raise CategoryRefused("others", ONE_CATEGORY)
    left_out = Trigger.objects.exclude(id__in=storable(order)).order_by("id").first()
    if left_out is not None:
        raise RecordNotFound("trigger", left_out.id)
    reorder_triggers(order, actor=actor)


def _check_automation(automation: Automation) -> None:
    """Refuse an automation that is not about time and tickets, has no end, or is a double."""
    named = {item["field"]: item for item in automation.conditions["all"]}
    if not named.keys() & HOUR_COUNTERS:
        raise RecordInvalid.of("base", "Conditions: must have at least one condition on time")
    # Hours in a status are a condition on the status, too.
    if not any(name in VIEW_FIELDS or name.isupper() for name in named):
        raise RecordInvalid.of("base", TELLING_CONDITION)
    once = any(
        name in HOUR_COUNTERS and item["operator"] in ("is", "is_business_hours")
        for name, item in named.items()
    )
    if not once and not any(_nullifies(action, named) for action in automation.actions):
        raise RecordInvalid.of(
            "base",
            "Automation: must have a condition that is true only once, or an action that "
            "nullifies one of its conditions",
        )
    active = Automation.objects.filter(active=True).exclude(id=automation.id)
    for other in active.order_by("id"):
        same = other.conditions == automation.conditions and other.actions == automation.actions
        if same and automation.active:
            raise RecordInvalid.of(
                "base", "Automation: an identical one is active", "DuplicateValue"
            )
    if automation.active and active.count() >= ACTIVE_AUTOMATIONS:
        raise RecordInvalid.of("base", "Automation: too many are active")


def _nullifies(action: Mapping[str, Any], named: Mapping[str, Mapping[str, Any]]) -> bool:
    name, value = action["field"], action["value"]
    if name in ("set_tags", "current_tags", "remove_tags"):
        item = named.get("current_tags")
        wanted = "not_includes" if name != "remove_tags" else "includes"
        return item is not None and item["operator"] == wanted
    if name == "status":
        # A counter of one status stops when the ticket takes another.
        other = any(key.isupper() and key.lower() != value for key in named)
        if other:
            return True
    item = named.get(name)
    if item is None:
        return False
    situation = condition_rules.Situation(values={name: value or None}, before={name: None})
    return not condition_rules.holds(item, situation)


@logged("create")
def create_sla_policy(*, actor: User, changes: Mapping[str, Any]) -> SlaPolicy:
    """Create an SLA policy after the others.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    now = clock.now()
    last = SlaPolicy.objects.order_by("-position").first()
    policy = SlaPolicy(
        id=ids.next_stamp(SlaPolicy),
        position=1 if last is None else last.position + 1,
        created_at=now,
        updated_at=now,
    )
    _set_policy(policy, {"title": None, **changes})
    policy.save(force_insert=True)
    return policy


@logged("update")
def update_sla_policy(policy: SlaPolicy, *, actor: User, changes: Mapping[str, Any]) -> SlaPolicy:
    """Change an SLA policy; idle tickets keep the targets they have.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    _set_policy(policy, changes)
    policy.updated_at = clock.now()
    policy.save()
    return policy


def _set_policy(policy: SlaPolicy, changes: Mapping[str, Any]) -> None:
    if "title" in changes:
        policy.title = checked_title(changes["title"])
    if "description" in changes:
        policy.description = plain_text("description", changes["description"], 65_535) or ""
    if changes.get("position") is not None:
        policy.position = position_of(changes["position"])
    if changes.get("filter") is not None:
        policy.filter = checked_conditions(changes["filter"], policy.filter)
    if changes.get("policy_metrics") is not None:
        policy.policy_metrics = [_target(item) for item in changes["policy_metrics"]]


def _target(item: Mapping[str, Any]) -> dict[str, Any]:
    target = item.get("target")
    if item.get("metric") not in METRICS or not isinstance(target, int):
        raise RecordInvalid.of("policy_metrics", "Policy metrics: is invalid", "InvalidValue")
    if not 0 < target <= LAST:
        raise RecordInvalid.of("policy_metrics", "Policy metrics: is invalid", "InvalidValue")
    if item.get("priority") not in ("low", "normal", "high", "urgent"):
        raise RecordInvalid.of(
            "policy_metrics", "Policy metrics: priority is invalid", "InvalidValue"
        )
    return {
        "priority": item["priority"],
        "metric": item["metric"],
        "target": target,
        "business_hours": bool(item.get("business_hours")),
    }


def _set_rule(rule: Trigger | Automation, changes: Mapping[str, Any]) -> None:
    if "title" in changes:
        rule.title = checked_title(changes["title"])
    if "actions" in changes:
        rule.actions = checked_actions(changes["actions"])
    if "all" in changes or "any" in changes or "conditions" in changes:
        rule.conditions = checked_conditions(changes, rule.conditions)
    if changes.get("active") is not None:
        rule.active = bool(changes["active"])
    if changes.get("position") is not None:
        rule.position = position_of(changes["position"])


def checked_title(value: Any) -> str:
    """Return the title of a rule.

    Raises:
        RecordInvalid: it is blank or too long.
    """
    text = (plain_text("title", value, 255) or "").strip()
    if not text:
        raise RecordInvalid.of("title", "Title: cannot be blank", "BlankValue")
    return text


def checked_conditions(given: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return conditions as kept; `all` and `any` are given plainly or inside `conditions`.

    Raises:
        RecordInvalid: there are none, one names no field, or they ask for too much.
    """
    source: Mapping[str, Any] = given.get("conditions") or given
    found: dict[str, Any] = {}
    for name in ("all", "any"):
        items = source.get(name, before.get(name, []))
        found[name] = [checked_condition(item) for item in items or []]
    if not found["all"] and not found["any"]:
        raise RecordInvalid.of("conditions", "Conditions: must have at least one condition")
    if is_too_much(found):
        raise RecordInvalid.of("conditions", "Conditions: are too many", "InvalidValue")
    return found


def checked_condition(item: Any) -> dict[str, Any]:
    """Return a condition as kept.

    Raises:
        RecordInvalid: it names no field.
    """
    name = str(item.get("field", "")) if isinstance(item, Mapping) else ""
    if not condition_rules.is_known(name) and name != "ticket_type_id":
        raise RecordInvalid.of(
            "conditions", f"Conditions: {name} is not a valid field", "InvalidValue"
        )
    return {
        "field": name,
        "operator": str(item.get("operator") or "is"),
        "value": item.get("value"),
    }


def _category(value: Any) -> TriggerCategory:
    key = identifier("category_id", value)
    rows = TriggerCategory.objects.order_by("position", "id")
    found = rows.filter(id=key).first() if key is not None else rows.first()
    if found is None:
        raise RecordInvalid.of("category_id", "Category: is invalid", "InvalidValue")
    return found


def _owners_only(restriction: Any, actor: User) -> None:
    personal = bool(restriction) and restriction["type"] == "User" and restriction["id"] == actor.id
    if actor.role == "admin" or (personal and actor.keeps_own("view_access")):
        return
    raise AccessDenied("only admins keep shared views" if not personal else "views are read only")


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins keep business rules")


TRIGGER: Final = Resource(
    Trigger,
    "trigger",
    order=("category__position", "position", "title", "id"),
    create=create_trigger,
    update=update_trigger,
    delete=delete_rule,
    move=reorder_triggers,
)
AUTOMATION: Final = Resource(
    Automation,
    "automation",
    order=("position", "id"),
    create=create_automation,
    update=update_automation,
    delete=delete_rule,
)
SLA_POLICY: Final = Resource(
    SlaPolicy,
    "sla policy",
    plural="sla policies",
    order=("position", "id"),
    create=create_sla_policy,
    update=update_sla_policy,
    delete=delete_rule,
)
