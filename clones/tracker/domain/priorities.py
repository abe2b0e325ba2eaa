"""Priorities of the site."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from clones.core.resources import Id, Resource, ResourceField
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Conflict, Invalid, NotFound
from clones.tracker.domain.naming import NameRules
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.replacing import replace_value
from clones.tracker.domain.scheme_parts import (
    checked_ids,
    key_of,
    new_order,
    next_position,
    note_act,
    set_positions,
)
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.models import (
    Avatar,
    Issue,
    Priority,
    PriorityScheme,
    PrioritySchemeItem,
    Task,
)
from clones.tracker.queries.kinds import default_priority
from clones.tracker.queries.rights import Rights

GONE: Final = "Priority with ID {id} not found."
DELETION: Final = "delete_priority"
_COLOR: Final = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_ICONS: Final = re.compile(
    r"/images/icons/priorities/(?:blocker|critical|high|highest|low|lowest|major|medium|minor"
    r"|trivial)(?:_new)?\.(?:png|svg)"
)
TAKEN: Final = "A priority with this name already exists."
NAMING: Final = NameRules(Priority, "Priority", "priorities", TAKEN, limit=60, kind="PRIORITY")
DEFAULT_ICON: Final = "/images/icons/priorities/medium_new.svg"


def create_priority(
    name: str | None,
    color: str | None,
    *,
    actor: Rights,
    description: str | None = None,
    icon: str | None = None,
    avatar: int | None = None,
) -> Priority:
    """Make a priority below all others; the default scheme gets it.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule, or the name is taken.
    """
    admins_only(actor)
    row = Priority(id=next_id(Priority), position=next_position(Priority.objects.all()))
    NAMING.set(row, name or "", description)
    row.color, row.icon = _color(color), _icon(icon, avatar)
    row.save(force_insert=True)
    scheme = PriorityScheme.objects.filter(is_default=True).order_by("id").first()
    if scheme is not None:
        place = next_position(scheme.items.all())
        key = next_id(PrioritySchemeItem)
        PrioritySchemeItem.objects.create(id=key, scheme=scheme, priority=row, position=place)
    NAMING.note("created", row, actor=actor)
    return row


def update_priority(
    priority: Priority,
    *,
    actor: Rights,
    name: str | None = None,
    description: str | None = None,
    color: str | None = None,
    icon: str | None = None,
    avatar: int | None = None,
) -> None:
    """Change a priority; what is None stays.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: nothing is given, a value breaks a rule, or the name is taken.
    """
    admins_only(actor)
    if all(value is None for value in (name, description, color, icon, avatar)):
        raise Invalid("At least one request body parameter has to be provided.")
    NAMING.set(priority, name, description)
    if color is not None:
        priority.color = _color(color)
    if icon is not None or avatar is not None:
        priority.icon = _icon(icon, avatar)
    priority.save()
    NAMING.note("updated", priority, actor=actor)


def set_default_priority(priority: Priority | None, *, actor: Rights) -> None:
    """Make a priority the one that new issues get; None: they get none.

    It becomes the default scheme's, too: the spaces that have been given no other use that.

    Raises:
        Forbidden: the actor is no admin.
    """
    admins_only(actor)
    Priority.objects.filter(is_default=True).update(is_default=False)
    for scheme in PriorityScheme.objects.filter(is_default=True):
        if priority is None or scheme.items.filter(priority=priority).exists():
            scheme.default_priority = priority
            scheme.save(update_fields=["default_priority_id"])
    if priority is not None:
        priority.is_default = True
        priority.save(update_fields=["is_default"])
        note_act("Default priority set", NAMING.category, priority, actor=actor, kind=NAMING.kind)


def move_priorities(
    ids: Sequence[str], *, after: str | None, position: str | None, actor: Rights
) -> None:
    """Put priorities behind another, or at an end; the default scheme follows.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: one does not exist.
        Invalid: the place makes no sense, or one is named twice.
    """
    admins_only(actor)
    wanted = checked_ids(ids, "ids")
    rows = list(Priority.objects.order_by("position", "id"))
    order = [row.id for row in rows]
    for text in [*ids, *([after] if after is not None else [])]:
        if key_of(text) not in order:
            raise NotFound(GONE.format(id=text))
    found = new_order(order, wanted, after=after, position=position)
    set_positions(rows, found)
    items = list(PrioritySchemeItem.objects.filter(scheme__is_default=True))
    by_priority = {item.priority_id: item.id for item in items}
    set_positions(items, [by_priority[id] for id in found if id in by_priority])


def start_deletion(priority: Priority, *, actor: Rights) -> Task:
    """Begin to remove a priority.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is the last one, of the site or of a scheme.
        Conflict: it is being removed already.
    """
    admins_only(actor)
    if not Priority.objects.exclude(id=priority.id).exists():
        raise Invalid("The last priority cannot be deleted.")
    schemes = PriorityScheme.objects.filter(items__priority=priority)
    if any(scheme.items.count() == 1 for scheme in schemes):
        raise Invalid("The last priority of a priority scheme cannot be deleted.")
    running = Task.objects.filter(kind=DELETION, status__in=["ENQUEUED", "RUNNING"])
    if any(task.payload.get("priority") == priority.id for task in running):
        raise Conflict("A task to delete the issue priority is already running.")
    return start_task(
        DELETION, {"priority": priority.id}, actor=actor, description="Delete priority"
    )


@carries_out(DELETION)
def _delete(task: Task, actor: Rights) -> dict[str, Any]:
    """Remove a priority: its issues get the default one of their space's scheme."""
    priority = Priority.objects.filter(id=task.payload["priority"]).first()
    if priority is None:
        raise NotFound(GONE.format(id=task.payload["priority"]))
    heirs: dict[int, Priority | None] = {}

    def heir(issue: Issue) -> Priority | None:
        scheme = issue.project.priority_scheme_id
        if scheme not in heirs:
            found = default_priority(issue.project)
            heirs[scheme] = None if found == priority else found
        return heirs[scheme]

    issues = Issue.objects.filter(priority=priority)
    done = replace_value(issues, "priority", "priority", heir, actor=actor)
    NAMING.note("deleted", priority, actor=actor)
    priority.delete()
    return {"updatedIssues": done}


def _color(color: str | None) -> str:
    if color is None or not _COLOR.fullmatch(color):
        raise Invalid("The statusColor must be a color in 3-digit or 6-digit hexadecimal format.")
    return color


def _icon(icon: str | None, avatar: int | None) -> str:
    if icon is not None and avatar is not None:
        raise Invalid("Both iconUrl and avatarId cannot be defined.")
    if avatar is not None:
        if not Avatar.objects.filter(id=avatar, kind="priority").exists():
            raise Invalid(f"The avatar with ID {avatar} was not found.")
        return f"/rest/api/3/universal_avatar/view/type/priority/avatar/{avatar}"
    if icon is None:
        return DEFAULT_ICON
    if icon.startswith(("http://", "https://")) and len(icon) <= 255:
        return icon
    path = icon if icon.startswith("/") else f"/{icon}"
    if not _ICONS.fullmatch(path):
        raise Invalid("The iconUrl is invalid.")
    return path


PRIORITY: Final = Resource(
    Priority,
    "priority",
    (
        *NAMING.fields,
        ResourceField("color", required=True, key="statusColor", label="Priority color"),
        ResourceField("icon", key="iconUrl"),
        ResourceField("avatar", "record", key="avatarId", type=Id | None),
    ),
    plural="priorities",
    order=("position", "id"),
    create=create_priority,
    update=update_priority,
    delete=start_deletion,
    move=move_priorities,
    set_default=set_default_priority,
)
