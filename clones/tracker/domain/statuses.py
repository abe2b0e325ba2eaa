"""Statuses of the site, and those that team-managed spaces have for themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clones.tracker.domain.administration import admins_only, project_admins_only
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.numbering import next_ids
from clones.tracker.domain.scheme_parts import key_of, note_act
from clones.tracker.models import Issue, Project, Status, WorkflowStatus
from clones.tracker.queries.rights import Rights

CATEGORY: Final = "workflows"
NAME_LIMIT: Final = 255
# The categories' names in these operations.
CATEGORIES: Final = {"TODO": "new", "IN_PROGRESS": "indeterminate", "DONE": "done"}


@dataclass(frozen=True, slots=True)
class StatusValues:
    """What a status is to be; `id` is that of one to change. `category` is TODO, IN_PROGRESS..."""

    name: str | None
    category: str | None
    description: str | None = None
    id: str | None = None


def create_statuses(
    project: Project | None, wanted: Sequence[StatusValues], *, actor: Rights
) -> list[Status]:
    """Make statuses of the site, or of a team-managed space.

    Raises:
        Forbidden: the actor is neither an admin nor runs the space.
        Invalid: a value breaks a rule, or a name is taken in the scope.
    """
    _may(project, actor)
    if project is not None and not project.simplified:
        raise Invalid("Statuses with project scope can only be created in team-managed projects.")
    if not wanted:
        raise Invalid("At least one status has to be provided.")
    names: set[str] = set()
    rows = []
    for id, values in zip(next_ids(Status, len(wanted)), wanted, strict=True):
        row = Status(id=id, project=project)
        _set(row, values, names)
        rows.append(row)
    Status.objects.bulk_create(rows)
    for row in rows:
        note_act("Status created", CATEGORY, row, actor=actor, kind="STATUS")
    return rows


def update_statuses(wanted: Sequence[StatusValues], *, actor: Rights) -> None:
    """Change statuses: name and category are always given, a description that is None stays.

    The category is that of all issues of the status at once.

    Raises:
        Forbidden: the actor may not.
        Invalid: one does not exist, a value breaks a rule, or a name is taken in its scope.
    """
    if not wanted:
        raise Invalid("At least one status has to be provided.")
    ids = [key_of(values.id) for values in wanted]
    found = Status.objects.select_related("project").in_bulk(ids)
    gone = [str(values.id) for values, id in zip(wanted, ids, strict=True) if id not in found]
    if gone:
        raise Invalid(f"These statuses were not found: {', '.join(gone)}")
    names: set[str] = set()
    for values, id in zip(wanted, ids, strict=True):
        _may(found[id].project, actor)
        _set(found[id], values, names, being=ids)
    for row in found.values():
        row.save()
        note_act("Status updated", CATEGORY, row, actor=actor, kind="STATUS")


def delete_statuses(ids: Sequence[str], *, actor: Rights) -> None:
    """Remove statuses that no workflow and no issue has.

    Raises:
        Forbidden: the actor may not.
        Invalid: one does not exist, or is in use.
    """
    keys = [key_of(id) for id in ids]
    found = Status.objects.select_related("project").in_bulk(keys)
    gone = [id for id, key in zip(ids, keys, strict=True) if key not in found]
    if gone:
        raise Invalid(f"These statuses were not found: {', '.join(gone)}")
    for row in found.values():
        _may(row.project, actor)
    used = {
        *WorkflowStatus.objects.filter(status__in=found).values_list("status_id", flat=True),
        *Issue.objects.filter(status__in=found).values_list("status_id", flat=True).distinct(),
    }
    if used:
        names = ", ".join(str(id) for id in sorted(used))
        raise Invalid(f"Statuses that are used in workflows cannot be deleted: {names}")
    for row in found.values():
        note_act("Status deleted", CATEGORY, row, actor=actor, kind="STATUS")
        row.delete()


def _may(project: Project | None, actor: Rights) -> None:
    if project is None:
        admins_only(actor)
    else:
        project_admins_only(actor, project)


def _set(row: Status, values: StatusValues, names: set[str], *, being: Sequence[int] = ()) -> None:
    """Set a status's values in memory; `names` are those given out, `being` who changes too."""
    name = (values.name or "").strip()
    if not name:
        raise Invalid("The name has to be provided.")
    if len(name) > NAME_LIMIT:
        raise Invalid(f"The name is too long, maxSize={NAME_LIMIT}")
    if values.category not in CATEGORIES:
        raise Invalid(f"The status category '{values.category}' is invalid.")
    others = Status.objects.filter(project=row.project_id).exclude(id__in=[row.id, *being])
    if name.lower() in names or others.filter(name__iexact=name).exists():
        raise Invalid(f"The status name '{name}' is already in use.")
    names.add(name.lower())
    row.name, row.category = name, CATEGORIES[str(values.category)]
    if values.description is not None:
        row.description = values.description
