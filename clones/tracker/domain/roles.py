"""Roles of spaces, and who fills them: in a space, and by default in new ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from django.db.models import Q

from clones.core.resources import Resource, ResourceField
from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only, runs_project
from clones.tracker.domain.errors import Conflict, Invalid, NotFound
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import (
    Comment,
    Group,
    Notification,
    PermissionGrant,
    Project,
    ProjectRole,
    RoleActor,
    SecurityMember,
    Share,
    User,
    Worklog,
)
from clones.tracker.queries.rights import Rights

GONE: Final = "Can not retrieve role details, role with id {id} does not exist."
NAME_LIMIT: Final = 255
NO_ACTORS: Final = "You must specify at least one user or group."


def create_role(name: str | None, description: str | None, *, actor: Rights) -> ProjectRole:
    """Make a role, which nobody fills yet.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the name is missing, too long, or begins or ends with white space.
        Conflict: the name is taken, in any case.
    """
    admins_only(actor)
    made = ProjectRole(id=next_id(ProjectRole), description=description or "")
    made.name = _name(made, name)
    made.save(force_insert=True)
    _record("Project role created", made, actor)
    return made


def update_role(
    role: ProjectRole, name: str | None, description: str | None, *, full: bool, actor: Rights
) -> ProjectRole:
    """Change a role: in full, when both are needed, or what is given.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: something is missing, or the name as for a new one.
        Conflict: the name is taken, in any case.
    """
    admins_only(actor)
    if full and (name is None or description is None):
        raise Invalid("Both the name and the description of the role must be specified.")
    if name is None and description is None:
        raise Invalid("The name or the description of the role must be specified.")
    if name is not None:
        role.name = _name(role, name)
    if description is not None:
        role.description = description
    role.save()
    _record("Project role updated", role, actor)
    return role


def delete_role(role: ProjectRole, *, swap: ProjectRole | None, actor: Rights) -> None:
    """Remove a role; another takes its place in schemes, or it must be in none.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the other is the same.
        Conflict: schemes name the role, and there is no other.
    """
    admins_only(actor)
    if swap is not None and swap.id == role.id:
        raise Invalid("The role to delete and the replacement role must be different.")
    named = _places(role)
    if swap is None and any(rows.exists() for rows in named):
        raise Conflict(f"The project role '{role.name}' is in use: specify a replacement role.")
    if swap is not None:
        for rows in named:
            rows.update(parameter=str(swap.id))
        of_role = Q(visibility__type="role") & Q(
            visibility__identifier__in=[str(role.id), role.name]
        )
        seen = {"type": "role", "identifier": str(swap.id)}
        for model in (Comment, Worklog):
            model.objects.filter(of_role).update(visibility=seen)
        Share.objects.filter(role=role).update(role=swap)
    _record("Project role deleted", role, actor)
    role.delete()


def _places(role: ProjectRole) -> list[Any]:
    """Return the rows of schemes that name a role."""
    parameter = str(role.id)
    return [
        PermissionGrant.objects.filter(holder_type="projectRole", parameter=parameter),
        SecurityMember.objects.filter(holder_type="projectRole", parameter=parameter),
        Notification.objects.filter(type="ProjectRole", parameter=parameter),
    ]


def _name(role: ProjectRole, name: str | None) -> str:
    if not name or name != name.strip() or len(name) > NAME_LIMIT:
        raise Invalid("The role name must not be empty, too long, or begin or end with a space.")
    if ProjectRole.objects.filter(name__iexact=name).exclude(id=role.id).exists():
        raise Conflict(f"A project role with name '{name}' already exists.")
    return name


def add_actors(
    role: ProjectRole,
    project: Project | None,
    users: Sequence[User],
    groups: Sequence[Group],
    *,
    actor: Rights,
) -> None:
    """Let users and groups fill a role in a space, or by default in new ones.

    Raises:
        NotFound: the actor does not run the space.
        Forbidden: the actor is no admin, and it is about new spaces.
        Invalid: nobody is named.
    """
    _may_fill(project, actor)
    if not users and not groups:
        raise Invalid(NO_ACTORS)
    fill_role(role, project, users, groups)
    _record_filling("Project role actors added", role, project, actor)


def fill_role(
    role: ProjectRole, project: Project | None, users: Sequence[User], groups: Sequence[Group]
) -> None:
    """Write who fills a role; who does already is left as they are."""
    rows = RoleActor.objects.filter(role=role, project=project)
    have = set(rows.values_list("user_id", "group_id"))
    pairs: list[tuple[int | None, int | None]] = [
        *((user.id, None) for user in users),
        *((None, group.id) for group in groups),
    ]
    lacking = [pair for pair in dict.fromkeys(pairs) if pair not in have]
    keys = next_ids(RoleActor, len(lacking))
    RoleActor.objects.bulk_create(
        [
            RoleActor(id=key, role=role, project=project, user_id=user, group_id=group)
            for key, (user, group) in zip(keys, lacking, strict=True)
        ]
    )


def set_actors(
    role: ProjectRole,
    project: Project,
    users: Sequence[User],
    groups: Sequence[Group],
    *,
    actor: Rights,
) -> None:
    """Let exactly these users and groups fill a role in a space.

    Raises:
        NotFound: the actor does not run the space.
    """
    _may_fill(project, actor)
    rows = RoleActor.objects.filter(role=role, project=project)
    stays = Q(user__in=[user.id for user in users]) | Q(group__in=[group.id for group in groups])
    rows.exclude(stays).delete()
    fill_role(role, project, users, groups)
    _record_filling("Project role actors updated", role, project, actor)


def remove_actor(
    role: ProjectRole,
    project: Project | None,
    *,
    user: User | None,
    group: Group | None,
    actor: Rights,
) -> None:
    """Let a user or a group fill a role no more; who does not fill it still does not.

    Raises:
        NotFound: the actor does not run the space.
        Forbidden: the actor is no admin, and it is about new spaces.
        Invalid: neither or both are given.
    """
    _may_fill(project, actor)
    if (user is None) == (group is None):
        raise Invalid("You must specify exactly one user or group.")
    rows = RoleActor.objects.filter(role=role, project=project, user=user, group=group)
    gone, _ = rows.delete()
    if gone:
        _record_filling("Project role actors removed", role, project, actor)


def copy_defaults(project: Project) -> None:
    """Let those who fill roles by default fill them in a new space."""
    rows = RoleActor.objects.filter(project=None).order_by("id")
    pairs = list(rows.values_list("role_id", "user_id", "group_id"))
    keys = next_ids(RoleActor, len(pairs))
    RoleActor.objects.bulk_create(
        [
            RoleActor(id=key, role_id=role, project=project, user_id=user, group_id=group)
            for key, (role, user, group) in zip(keys, pairs, strict=True)
        ]
    )


def _may_fill(project: Project | None, actor: Rights) -> None:
    if project is None:
        admins_only(actor)
    elif not runs_project(actor, project):
        raise NotFound(f"No project could be found with key '{project.key}'.")


def _record(summary: str, role: ProjectRole, actor: Rights) -> None:
    about = ("PROJECT_ROLE", str(role.id), role.name)
    audit.record(summary, "permissions", actor=actor, object=about)


def _record_filling(
    summary: str, role: ProjectRole, project: Project | None, actor: Rights
) -> None:
    beside = [] if project is None else [("PROJECT", str(project.id), project.name)]
    about = ("PROJECT_ROLE", str(role.id), role.name)
    audit.record(summary, "permissions", actor=actor, object=about, associated=beside)


PROJECT_ROLE: Final = Resource(
    ProjectRole,
    "project role",
    (ResourceField("name", limit=NAME_LIMIT, required=True), ResourceField("description", "text")),
    order=("name", "id"),
    create=create_role,
    update=partial(update_role, full=False),
    delete=delete_role,
    has_heir=True,
)
