"""Versions: the releases of what a space makes, and the work that belongs to them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from django.db.models import F, Max

from clones.tracker.domain import audit
from clones.tracker.domain.administration import project_admins_only, runs_project
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.numbering import new_uuid, next_id
from clones.tracker.domain.version_replacing import move_unresolved, replace_version
from clones.tracker.models import Project, Version, VersionWork
from clones.tracker.queries.rights import Rights

GONE: Final = "Could not find version for id '{}'"
TAKEN: Final = "A version with this name already exists in this project."
NAMELESS: Final = "You must specify a valid version name"
DATES: Final = "Start date must be before or equal to the release date."
POSITIONS: Final = ("Earlier", "Later", "First", "Last")


def create_version(project: Project, changes: Mapping[str, Any], *, actor: Rights) -> Version:
    """Make a version of a space, the last of its list.

    Args:
        project: the space.
        changes: name, description, start_date, release_date, released, archived, driver.
        actor: who makes it.

    Raises:
        NotFound: the actor does not run the space.
        Invalid: the name is missing, too long or taken, or the dates are the wrong way round.
    """
    if not runs_project(actor, project):
        raise NotFound(
            f"Project with id '{project.id}' does not exist or you do not have permission to "
            "administer it."
        )
    top = Version.objects.filter(project=project).aggregate(top=Max("position"))["top"]
    made = Version(id=next_id(Version), project=project, position=0 if top is None else top + 1)
    _set(made, {"name": None, **changes})
    made.save(force_insert=True)
    _record("Project version created", made, actor)
    publish(Event("version_created", actor, project=project, version=made))
    return made


def update_version(
    version: Version,
    changes: Mapping[str, Any],
    *,
    actor: Rights,
    move_unfixed_to: Version | None = None,
) -> Version:
    """Change a version: what `create_version` takes.

    One that is released anew may send the issues that are not resolved to another version.

    Raises:
        Invalid: the actor does not run the space; else as for a new one.
    """
    if not runs_project(actor, version.project):
        raise Invalid("You must have global or project administrator rights to update versions.")
    before = version.released
    if move_unfixed_to is not None and move_unfixed_to.project_id != version.project_id:
        raise Invalid(fields={"moveUnfixedIssuesTo": "The version must be in the same project."})
    _set(version, changes)
    version.save()
    _record("Project version updated", version, actor)
    publish(Event("version_updated", actor, project=version.project, version=version))
    if version.released != before:
        kind = "version_released" if version.released else "version_unreleased"
        if version.released and move_unfixed_to is not None and move_unfixed_to != version:
            move_unresolved(version, move_unfixed_to, actor=actor)
        publish(Event(kind, actor, project=version.project, version=version))
    return version


def require_one_place(*, after: object, position: str | None) -> None:
    """Hold a move to one way of saying where to.

    Raises:
        Invalid: neither or both are given.
    """
    if (after is None) == (position is None):
        raise Invalid("You must specify either 'after' or 'position', and not both.")


def move_version(
    version: Version, *, after: Version | None = None, position: str | None = None, actor: Rights
) -> Version:
    """Move a version within its space's list: after another, or Earlier, Later, First or Last.

    Raises:
        Forbidden: the actor does not run the space.
        Invalid: neither or both are given, or the position is unknown.
    """
    project_admins_only(actor, version.project)
    require_one_place(after=after, position=position)
    if position is not None and position not in POSITIONS:
        raise Invalid(f"The position '{position}' is invalid: use Earlier, Later, First or Last.")
    if after is not None and (after.id == version.id or after.project_id != version.project_id):
        raise Invalid("The version to move after must be another of the same project.")
    rows = list(Version.objects.filter(project=version.project_id).order_by("position", "id"))
    place = next(index for index, row in enumerate(rows) if row.id == version.id)
    moved = rows.pop(place)
    if after is not None:
        place = next(index for index, row in enumerate(rows) if row.id == after.id) + 1
    else:
        steps = {"Earlier": place - 1, "Later": place + 1, "First": 0, "Last": len(rows)}
        place = max(0, min(steps[str(position)], len(rows)))
    rows.insert(place, moved)
    changed = []
    for number, row in enumerate(rows):
        if row.position != number:
            row.position = number
            changed.append(row)
    Version.objects.bulk_update(changed, ["position"])
    publish(Event("version_moved", actor, project=version.project, version=moved))
    moved.project = version.project
    return moved


def delete_version(
    version: Version,
    *,
    actor: Rights,
    fix_to: Version | None = None,
    affected_to: Version | None = None,
    fields_to: Mapping[int, Version | None] | None = None,
) -> None:
    """Remove a version; issues that have it get others in its place, or none.

    Args:
        version: which.
        actor: who.
        fix_to: in its place among fix versions.
        affected_to: in its place among affected versions.
        fields_to: in its place in custom fields, by the field's number.

    Raises:
        NotFound: the actor does not run the space.
        Invalid: a successor is the version itself, or another space's.
    """
    if not runs_project(actor, version.project):
        raise NotFound(GONE.format(version.id))
    for name, other in (("moveFixIssuesTo", fix_to), ("moveAffectedIssuesTo", affected_to)):
        _check_successor(version, other, name)
    for other in (fields_to or {}).values():
        _check_successor(version, other, "customFieldReplacementList")
    replace_version(version, fix_to, affected_to, fields_to or {}, actor=actor)
    _record("Project version deleted", version, actor)
    Version.objects.filter(project=version.project_id, position__gt=version.position).update(
        position=F("position") - 1
    )
    details = {"merged_to": fix_to} if fix_to is not None and fix_to == affected_to else {}
    publish(
        Event("version_deleted", actor, project=version.project, version=version, details=details)
    )
    version.delete()


def _check_successor(version: Version, other: Version | None, name: str) -> None:
    if other is None:
        return
    if other.id == version.id:
        raise Invalid(fields={name: "You cannot move the issues to the version being deleted."})
    if other.project_id != version.project_id:
        raise Invalid(fields={name: "The version must be in the same project."})


def _set(version: Version, changes: Mapping[str, Any]) -> None:
    if "name" in changes:
        version.name = _name(version, changes["name"])
    if "description" in changes:
        text = changes["description"] or ""
        if len(text.encode()) > 16_384:
            raise Invalid(fields={"description": "The description is too long."})
        version.description = text
    for name in ("start_date", "release_date", "driver"):
        if name in changes:
            setattr(version, name, changes[name])
    for name in ("released", "archived"):
        if changes.get(name) is not None:
            setattr(version, name, bool(changes[name]))
    start, end = version.start_date, version.release_date
    if start is not None and end is not None and start > end:
        raise Invalid(fields={"startDate": DATES})


def _name(version: Version, name: str | None) -> str:
    wanted = (name or "").strip()
    if not wanted:
        raise Invalid(fields={"name": NAMELESS})
    if len(wanted) > 255:
        raise Invalid(fields={"name": "The version name must not exceed 255 characters."})
    others = Version.objects.filter(project=version.project_id, name__iexact=wanted)
    if others.exclude(id=version.id).exists():
        raise Invalid(fields={"name": TAKEN})
    return wanted


def is_overdue(version: Version, today: date) -> bool:
    """Tell whether a version should have been released before today."""
    day = version.release_date
    return day is not None and day < today and not version.released and not version.archived


# Work that belongs to a version


def _may_keep_work(version: Version, actor: Rights) -> None:
    wanted = ("RESOLVE_ISSUES", "EDIT_ISSUES")
    if not all(actor.may(permission, version.project) for permission in wanted):
        raise Forbidden("You do not have permission to change the related work of this version.")


def create_work(
    version: Version, *, category: str, title: str, url: str | None, actor: Rights
) -> VersionWork:
    """Tie work elsewhere to a version.

    Raises:
        Forbidden: the actor may not edit and resolve the space's issues.
        Invalid: category or address are missing, or the version is archived.
    """
    _may_keep_work(version, actor)
    made = VersionWork(id=next_id(VersionWork), version=version, uuid=new_uuid(VersionWork))
    _set_work(made, category, title, url)
    made.save(force_insert=True)
    return made


def update_work(
    work: VersionWork, *, category: str, title: str, url: str | None, actor: Rights
) -> VersionWork:
    """Change work that belongs to a version.

    Raises:
        Forbidden: the actor may not edit and resolve the space's issues.
        Invalid: category or address are missing, or the version is archived.
    """
    _may_keep_work(work.version, actor)
    _set_work(work, category, title, url)
    work.save()
    return work


def delete_work(work: VersionWork, *, actor: Rights) -> None:
    """Untie work from a version.

    Raises:
        Forbidden: the actor may not edit and resolve the space's issues.
    """
    _may_keep_work(work.version, actor)
    work.delete()


def _set_work(work: VersionWork, category: str, title: str, url: str | None) -> None:
    if work.version.archived:
        raise Invalid("The related work of an archived version cannot be changed.")
    if not category.strip():
        raise Invalid(fields={"category": "The category must be specified."})
    if url is None or not url.startswith(("http://", "https://")):
        raise Invalid(fields={"url": "A valid URL must be specified."})
    if len(category) > 255 or len(title) > 255:
        raise Invalid("Category and title must not exceed 255 characters.")
    work.category, work.title, work.url = category.strip(), title.strip(), url


def _record(summary: str, version: Version, actor: Rights) -> None:
    project = version.project
    audit.record(
        summary,
        "projects",
        actor=actor,
        object=("PROJECT_VERSION", str(version.id), version.name),
        associated=[("PROJECT", str(project.id), project.name)],
    )
