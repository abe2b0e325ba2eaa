"""Writing the account's queues: which tickets wait in each, and whose agents take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.business_rules import checked_conditions
from clones.helpdesk.domain.changes import identifier, plain_text
from clones.helpdesk.domain.errors import AccessDenied, InvalidAttribute, RecordInvalid
from clones.helpdesk.domain.routing import ask_for_routing
from clones.helpdesk.models import Group, Queue, User

NAME, TEXT = 255, 65_535
LAST = 2**31 - 1
NEEDED = ("name", "definition", "primary_groups")
GROUPS = {"primary_groups": "primary_group_ids", "secondary_groups": "secondary_group_ids"}
Changes = Mapping[str, Any]


@logged("create")
def create_queue(*, actor: User, changes: Changes) -> Queue:
    """Create a queue, after the others unless it is given a place.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it has no name, conditions or groups, or a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _admins_only(actor)
    now = clock.now()
    queue = Queue(
        id=ids.next_ulid(Queue), order=Queue.objects.count() + 1, created_at=now, updated_at=now
    )
    _set_queue(queue, {**dict.fromkeys(NEEDED), **changes})
    queue.save(force_insert=True)
    _place(queue, changes.get("order"))
    ask_for_routing()
    return queue


@logged("update")
def update_queue(queue: Queue, *, actor: User, changes: Changes) -> Queue:
    """Change a queue, or move it among the others.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _admins_only(actor)
    _set_queue(queue, changes)
    queue.updated_at = clock.now()
    queue.save()
    _place(queue, changes.get("order"))
    ask_for_routing()
    return queue


@logged("destroy")
def delete_queue(queue: Queue, *, actor: User) -> None:
    """Remove a queue; the tickets that wait in it are looked at anew.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    queue.delete()
    _number(list(Queue.objects.order_by("order", "id")))
    ask_for_routing()


def reorder_queues(keys: Sequence[str], *, actor: User) -> None:
    """Have queues asked in this order, which names every one once.

    Raises:
        AccessDenied: the actor is no admin.
        InvalidAttribute: one is missing, named twice, or none of the account's.
    """
    _admins_only(actor)
    known = {queue.id: queue for queue in Queue.objects.order_by("order", "id")}
    if sorted(keys) != sorted(known):
        raise InvalidAttribute("queue_ids", "a list of every queue's id")
    for order, key in enumerate(keys, 1):
        if known[key].order != order:
            _move(known[key], order, actor=actor)
    ask_for_routing()


@logged("update")
def _move(queue: Queue, order: int, *, actor: User) -> None:
    queue.order = order
    queue.save(update_fields=["order"])


def _place(queue: Queue, order: int | None) -> None:
    """Put a queue in its place and number all of them 1, 2, 3..."""
    others = list(Queue.objects.exclude(id=queue.id).order_by("order", "id"))
    at = (order if order is not None else queue.order) - 1
    others.insert(min(max(0, at), len(others)), queue)
    _number(others)


def _number(queues: Sequence[Queue]) -> None:
    for order, queue in enumerate(queues, 1):
        if queue.order != order:
            queue.order = order
            queue.save(update_fields=["order"])


def _set_queue(queue: Queue, changes: Changes) -> None:
    if "name" in changes:
        queue.name = (plain_text("name", changes["name"], NAME) or "").strip()
        if not queue.name:
            raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
    if "description" in changes:
        queue.description = plain_text("description", changes["description"], TEXT)
    if changes.get("priority") is not None:
        if not 1 <= changes["priority"] <= LAST:
            raise RecordInvalid.of("priority", "Priority: is invalid", "InvalidValue")
        queue.priority = changes["priority"]
    if "definition" in changes:
        queue.definition = checked_conditions(changes["definition"] or {}, {})
    for name, column in GROUPS.items():
        if name in changes:
            setattr(queue, column, _groups(name, changes[name]))
    if not queue.primary_group_ids:
        raise RecordInvalid.of("primary_groups", "Primary groups: cannot be blank", "BlankValue")


def _groups(name: str, given: Any) -> list[int]:
    """Return the ids of groups, given as they are shown or as a plain list of ids."""
    items = given.get("groups") if isinstance(given, Mapping) else given
    if items is None:
        return []
    if not isinstance(items, list):
        raise InvalidAttribute(name, "an array")
    plain = [item.get("id") if isinstance(item, Mapping) else item for item in items]
    found = [key for item in plain if (key := identifier(name, item)) is not None]
    known = set(Group.objects.filter(id__in=found, deleted=False).values_list("id", flat=True))
    for key in found:
        if key not in known:
            label = name.replace("_", " ").capitalize()
            raise RecordInvalid.of(name, f"{label}: {key} is invalid", "InvalidValue")
    return list(dict.fromkeys(found))


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins keep queues")


QUEUE: Final = Resource(
    Queue,
    "queue",
    order=("order", "id"),
    create=create_queue,
    update=update_queue,
    delete=delete_queue,
    move=reorder_queues,
)
