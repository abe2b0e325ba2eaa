"""Many business rules at once: their places, whether they are active, and their removal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from clones.helpdesk.domain import business_rules, macros
from clones.helpdesk.domain.errors import AccessDenied, RecordNotFound
from clones.helpdesk.domain.positions import position_of
from clones.helpdesk.models import Automation, Macro, SlaPolicy, Trigger, User, View
from clones.helpdesk.queries.views import usable_views

Rule = TypeVar("Rule", bound=Model)
Item = Mapping[str, Any]
PLACE = ("position", "active")


def update_triggers(items: Sequence[Item], *, actor: User) -> list[Trigger]:
    """Change the position, category and active state of triggers, each named by its `id`.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: one does not exist; none is changed.
        RecordInvalid: a value breaks a rule.
    """
    found = _named(Trigger.objects.select_related("category"), "trigger", items)
    names = (*PLACE, "category_id")
    return [
        business_rules.update_trigger(rule, actor=actor, changes=_chosen(item, names))
        for rule, item in found
    ]


def update_automations(items: Sequence[Item], *, actor: User) -> list[Automation]:
    """Change the position and active state of automations, each named by its `id`.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: one does not exist; none is changed.
        RecordInvalid: a value breaks a rule.
    """
    return [
        business_rules.update_automation(rule, actor=actor, changes=_chosen(item, PLACE))
        for rule, item in _named(Automation.objects.all(), "automation", items)
    ]


def update_macros(items: Sequence[Item], *, actor: User) -> list[Macro]:
    """Change the position and active state of macros, each named by its `id`.

    Raises:
        AccessDenied: one is not the actor's to keep.
        RecordNotFound: the actor may not use one, or it does not exist; none is changed.
        RecordInvalid: a value breaks a rule.
    """
    return [
        macros.update_macro(macro, actor=actor, changes=_chosen(item, PLACE))
        for macro, item in _named(macros.usable_macros(actor), "macro", items)
    ]


def update_views(items: Sequence[Item], *, actor: User) -> list[View]:
    """Change the position and active state of views, each named by its `id`.

    Raises:
        AccessDenied: one is not the actor's to keep.
        RecordNotFound: the actor may not use one, or it does not exist; none is changed.
        RecordInvalid: a value breaks a rule.
    """
    return [
        business_rules.update_view(view, actor=actor, changes=_chosen(item, PLACE))
        for view, item in _named(usable_views(actor), "view", items)
    ]


def reorder_policies(order: Sequence[int], *, actor: User) -> None:
    """Put SLA policies into this order; those not named follow as they stood.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: one does not exist; none is moved.
    """
    if actor.role != "admin":
        raise AccessDenied("only admins keep business rules")
    rows = {policy.id: policy for policy in SlaPolicy.objects.order_by("position", "id")}
    for key in order:
        if key not in rows:
            raise RecordNotFound("policy", key)
    for position, key in enumerate(dict.fromkeys([*order, *rows]), 1):
        policy = rows[key]
        if policy.position != position:
            business_rules.update_sla_policy(policy, actor=actor, changes={"position": position})


def delete_triggers(keys: Sequence[int], *, actor: User) -> None:
    """Remove triggers; ids of none are passed over.

    Raises:
        AccessDenied: the actor is no admin.
    """
    for rule in Trigger.objects.filter(id__in=keys).order_by("id"):
        business_rules.delete_rule(rule, actor=actor)


def delete_automations(keys: Sequence[int], *, actor: User) -> None:
    """Remove automations; ids of none are passed over.

    Raises:
        AccessDenied: the actor is no admin.
    """
    for rule in Automation.objects.filter(id__in=keys).order_by("id"):
        business_rules.delete_rule(rule, actor=actor)


def delete_macros(keys: Sequence[int], *, actor: User) -> None:
    """Remove macros; ids of none that the actor may use are passed over.

    Raises:
        AccessDenied: one is not the actor's to keep.
    """
    for macro in macros.usable_macros(actor).filter(id__in=keys).order_by("id"):
        macros.delete_macro(macro, actor=actor)


def delete_views(keys: Sequence[int], *, actor: User) -> None:
    """Remove views; ids of none that the actor may use are passed over.

    Raises:
        AccessDenied: one is not the actor's to keep.
    """
    for view in usable_views(actor).filter(id__in=keys).order_by("id"):
        business_rules.delete_view(view, actor=actor)


def _named(rows: QuerySet[Rule], kind: str, items: Sequence[Item]) -> list[tuple[Rule, Item]]:
    found = rows.in_bulk([item["id"] for item in items])
    for item in items:
        if item["id"] not in found:
            raise RecordNotFound(kind, item["id"])
    return [(found[item["id"]], item) for item in items]


def _chosen(item: Item, names: Sequence[str]) -> dict[str, Any]:
    """Return what may be set in a batch: everything else is ignored, as the vendor says."""
    position = item.get("position")
    if position is not None:
        position_of(position)
    return {name: item[name] for name in names if item.get(name) is not None}
