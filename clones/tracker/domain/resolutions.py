"""Resolutions of the site: how issues are ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.core.resources import Resource
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
from clones.tracker.models import Issue, Resolution, Task
from clones.tracker.queries.rights import Rights

TAKEN: Final = "A resolution with this name already exists."
GONE: Final = "Resolution with ID {id} not found."
DELETION: Final = "delete_resolution"
NAMING: Final = NameRules(
    Resolution, "Resolution", "resolutions", TAKEN, limit=60, kind="RESOLUTION"
)


def create_resolution(name: str | None, description: str | None, *, actor: Rights) -> Resolution:
    """Make a resolution behind all others.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule, or the name is taken.
    """
    admins_only(actor)
    row = Resolution(id=next_id(Resolution), position=next_position(Resolution.objects.all()))
    NAMING.set(row, name or "", description)
    row.save(force_insert=True)
    NAMING.note("created", row, actor=actor)
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
    NAMING.set(resolution, name or "", description)
    resolution.save()
    NAMING.note("updated", resolution, actor=actor)


def set_default_resolution(resolution: Resolution | None, *, actor: Rights) -> None:
    """Make a resolution the one that is offered first; None: there is none such.

    Raises:
        Forbidden: the actor is no admin.
    """
    admins_only(actor)
    Resolution.objects.filter(is_default=True).update(is_default=False)
    if resolution is not None:
        resolution.is_default = True
        resolution.save(update_fields=["is_default"])
        note_act(
            "Default resolution set", NAMING.category, resolution, actor=actor, kind=NAMING.kind
        )


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
    NAMING.note("deleted", resolution, actor=actor)
    resolution.delete()
    return {"updatedIssues": done}


RESOLUTION: Final = Resource(
    Resolution,
    "resolution",
    NAMING.fields,
    order=("position", "id"),
    create=create_resolution,
    update=update_resolution,
    delete=start_deletion,
    has_heir=True,
    move=move_resolutions,
    set_default=set_default_resolution,
)
