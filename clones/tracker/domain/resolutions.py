"""Resolutions of the site: how issues are ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.core.rows import insert_row, update_row
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Conflict, Invalid, NotFound
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.replacing import replace_value
from clones.tracker.domain.scheme_parts import (
    checked_ids,
    checked_name,
    checked_text,
    key_of,
    new_order,
    note_act,
    set_positions,
)
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.models import Issue, Resolution, Task
from clones.tracker.queries.rights import Rights

CATEGORY: Final = "resolutions"
NAME_LIMIT: Final = 60
TAKEN: Final = "A resolution with this name already exists."
GONE: Final = "Resolution with ID {id} not found."
DELETION: Final = "delete_resolution"


def create_resolution(name: str | None, description: str | None, *, actor: Rights) -> Resolution:
    """Make a resolution behind all others.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule, or the name is taken.
    """
    admins_only(actor)
    rows = Resolution.objects.order_by("-position")
    last = rows.values_list("position", flat=True).first()
    row = Resolution(
        id=next_id(Resolution),
        name=checked_name(name, Resolution.objects.all(), taken=Invalid(TAKEN), limit=NAME_LIMIT),
        description=checked_text(description),
        position=0 if last is None else last + 1,
    )
    insert_row(row)
    note_act("Resolution created", CATEGORY, row, actor=actor, kind="RESOLUTION")
    return row


def update_resolution(
    resolution: Resolution, name: str | None, description: str | None, *, actor: Rights
) -> None:
    """Change a resolution; a description that is None stays.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule, or the name is taken.
    """
    admins_only(actor)
    others = Resolution.objects.exclude(id=resolution.id)
    resolution.name = checked_name(name, others, taken=Invalid(TAKEN), limit=NAME_LIMIT)
    if description is not None:
        resolution.description = checked_text(description)
    update_row(resolution)
    note_act("Resolution updated", CATEGORY, resolution, actor=actor, kind="RESOLUTION")


def set_default_resolution(resolution: Resolution | None, *, actor: Rights) -> None:
    """Make a resolution the one that is offered first; None: there is none such.

    Raises:
        Forbidden: the actor is no admin.
    """
    admins_only(actor)
    Resolution.objects.filter(is_default=True).update(is_default=False)
    if resolution is not None:
        resolution.is_default = True
        update_row(resolution, ["is_default"])
        note_act("Default resolution set", CATEGORY, resolution, actor=actor, kind="RESOLUTION")


def move_resolutions(
    ids: Sequence[str], *, after: str | None, position: str | None, actor: Rights
) -> None:
    """Put resolutions behind another, or at an end.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: one does not exist.
        Invalid: the place makes no sense, or one is named twice.
    """
    admins_only(actor)
    wanted = checked_ids(ids, "IDs")
    rows = list(Resolution.objects.order_by("position", "id"))
    order = [row.id for row in rows]
    for text in [*ids, *([after] if after is not None else [])]:
        if key_of(text) not in order:
            raise NotFound(GONE.format(id=text))
    set_positions(rows, new_order(order, wanted, after=after, position=position))


def start_deletion(resolution: Resolution, heir: Resolution, *, actor: Rights) -> Task:
    """Begin to remove a resolution; its issues get another.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the other is the same.
        Conflict: it is being removed already.
    """
    admins_only(actor)
    if heir.id == resolution.id:
        raise Invalid("The replacement resolution must differ from the one that is deleted.")
    running = Task.objects.filter(kind=DELETION, status__in=["ENQUEUED", "RUNNING"])
    if any(task.payload.get("resolution") == resolution.id for task in running):
        raise Conflict("A task to delete the issue resolution is already running.")
    payload = {"resolution": resolution.id, "heir": heir.id}
    return start_task(DELETION, payload, actor=actor, description="Delete resolution")


@carries_out(DELETION)
def _delete(task: Task, actor: Rights) -> dict[str, Any]:
    found = Resolution.objects.in_bulk([task.payload["resolution"], task.payload["heir"]])
    resolution, heir = (found.get(task.payload[name]) for name in ("resolution", "heir"))
    if resolution is None or heir is None:
        raise NotFound(GONE.format(id=task.payload["resolution"]))
    issues = Issue.objects.filter(resolution=resolution)
    done = replace_value(issues, "resolution", "resolution", lambda _: heir, actor=actor)
    note_act("Resolution deleted", CATEGORY, resolution, actor=actor, kind="RESOLUTION")
    resolution.delete()
    return {"updatedIssues": done}
