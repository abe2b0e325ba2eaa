"""The headings of triggers, whose order comes before the triggers' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource, ResourceField
from clones.helpdesk.domain import business_rules
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.errors import (
    AccessDenied,
    BatchProblem,
    BatchRefused,
    CategoryRefused,
)
from clones.helpdesk.models import Trigger, TriggerCategory, User

LIMIT = 500
LAST_POSITION = 2**31 - 1
NAME_LENGTH = 255
Item = Mapping[str, Any]


@logged("create")
def create_category(*, actor: User, changes: Item) -> TriggerCategory:
    """Create a category, after the others unless it is given a position.

    Raises:
        AccessDenied: the actor is no admin.
        CategoryRefused: it has no name, a value is wrong, or there are too many.
    """
    _admins_only(actor)
    if TriggerCategory.objects.count() >= LIMIT:
        title = f"Your account has reached the limit of {LIMIT} trigger categories."
        raise CategoryRefused("too_many", title)
    now = clock.now()
    last = TriggerCategory.objects.order_by("-position").first()
    category = TriggerCategory(
        id=ids.next_stamp(TriggerCategory),
        position=0 if last is None else last.position + 1,
        created_at=now,
        updated_at=now,
    )
    _set(category, {"name": None, **changes})
    category.save(force_insert=True)
    return category


@logged("update")
def update_category(category: TriggerCategory, *, actor: User, changes: Item) -> TriggerCategory:
    """Rename a category or move it: its triggers move with it.

    Raises:
        AccessDenied: the actor is no admin.
        CategoryRefused: a value is wrong.
    """
    _admins_only(actor)
    _set(category, changes)
    category.updated_at = clock.now()
    category.save()
    return category


@logged("destroy")
def delete_category(category: TriggerCategory, *, actor: User) -> None:
    """Remove a category that has no active trigger, and its inactive ones with it.

    Raises:
        AccessDenied: the actor is no admin.
        CategoryRefused: it has an active trigger.
    """
    _admins_only(actor)
    triggers = Trigger.objects.filter(category=category).order_by("id")
    if triggers.filter(active=True).exists():
        raise CategoryRefused("in_use", "A category with active triggers cannot be deleted.")
    for trigger in triggers:
        business_rules.delete_rule(trigger, actor=actor)
    category.delete()


def change_places(
    categories: Sequence[Item], triggers: Sequence[Item], *, actor: User
) -> tuple[list[TriggerCategory], list[Trigger]]:
    """Move categories, and move and switch triggers, all or none. Each is named by its `id`.

    Raises:
        AccessDenied: the actor is no admin.
        BatchRefused: one does not exist, or a value is wrong.
    """
    _admins_only(actor)
    problems: list[BatchProblem] = []
    found = TriggerCategory.objects.in_bulk([item["id"] for item in categories])
    for item in categories:
        key = item["id"]
        if key not in found:
            problems.append(BatchProblem("trigger_category", key, "id is not valid"))
        elif not _is_place(item["position"]):
            problems.append(BatchProblem("trigger_category", key, "position is not valid"))
    rules = Trigger.objects.in_bulk([item["id"] for item in triggers])
    known = set(TriggerCategory.objects.values_list("id", flat=True))
    for item in triggers:
        key, place, home = item["id"], item.get("position"), item.get("category_id")
        if key not in rules:
            problems.append(BatchProblem("trigger", key, "id is not valid"))
        elif place is not None and not _is_place(place):
            problems.append(BatchProblem("trigger", key, "position is not valid"))
        elif home is not None and home not in known:
            problems.append(BatchProblem("trigger", key, "category_id is not valid"))
    if problems:
        raise BatchRefused(problems)
    for item in categories:
        changes = {"position": item["position"]}
        update_category(found[item["id"]], actor=actor, changes=changes)
    for item in triggers:
        names = ("position", "active", "category_id")
        changes = {name: item[name] for name in names if item.get(name) is not None}
        business_rules.update_trigger(rules[item["id"]], actor=actor, changes=changes)
    return [found[item["id"]] for item in categories], [rules[item["id"]] for item in triggers]


def _is_place(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value <= LAST_POSITION


def _set(category: TriggerCategory, changes: Item) -> None:
    if "name" in changes:
        name = str(changes["name"] or "").strip()
        if not name:
            raise CategoryRefused("invalid", "Name cannot be blank")
        if len(name) > NAME_LENGTH:
            raise CategoryRefused(
                "invalid", f"Name is too long (maximum is {NAME_LENGTH} characters)"
            )
        category.name = name
    if changes.get("position") is not None:
        if not _is_place(changes["position"]):
            raise CategoryRefused("invalid", "Position is not valid")
        category.position = changes["position"]


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins keep business rules")


TRIGGER_CATEGORY: Final = Resource(
    TriggerCategory,
    "trigger category",
    (ResourceField("name", limit=NAME_LENGTH, required=True, label="Category name"),),
    plural="trigger categories",
    order=("position", "id"),
    create=create_category,
    update=update_category,
    delete=delete_category,
)
