"""Roles, and who fills them: in spaces, and by default in new ones."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from django.db.models import Q, QuerySet
from pydantic import Field

from clones.core import resources
from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.presenters.access import present_role, present_role_details
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.projects import role_urls
from clones.tracker.api.projects import ONE, project_of
from clones.tracker.api.resources import register_resource
from clones.tracker.domain import roles
from clones.tracker.domain.administration import runs_project
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.roles import GONE
from clones.tracker.domain.space_roles import offers_role, roles_of
from clones.tracker.models import Group, Project, ProjectRole, RoleActor, User
from clones.tracker.queries.people import find_group

Json = dict[str, Any]
PATH: Final = "/rest/api/3/role"
OF_PROJECT: Final = ONE + "/role"


class ActorsQuery(Query):
    """Whether inactive users are shown among those who fill a role."""

    active_only: str | None = Field(None, alias="excludeInactiveUsers")


class DetailsQuery(Query):
    """Whether the caller's roles alone are listed, and apps' left out."""

    mine: str | None = Field(None, alias="currentMember")


class ActorQuery(Query):
    """The user or group that a role loses."""

    user: str | None = None
    group: str | None = None
    group_id: str | None = Field(None, alias="groupId")


class SwapQuery(Query):
    """The role that takes the place of one that is deleted."""

    swap: str | None = None


class ActorsBody(AdminBody):
    """The users and groups to add to a role."""

    user: list[str] | None = None
    group: list[str] | None = None
    group_id: list[str] | None = Field(None, alias="groupId")


class SetActorsBody(AdminBody):
    """The users and groups that a role is to have, and no others."""

    actors: dict[str, list[str]] = Field(alias="categorisedActors")


def _role(text: str) -> ProjectRole:
    found = None
    if whole_number(text) is not None:
        found = ProjectRole.objects.filter(id=int(text)).first()
    if found is None:
        raise NotFound(GONE.format(id=text))
    return found


def _actors(role: ProjectRole, project: Project | None) -> QuerySet[RoleActor]:
    rows = RoleActor.objects.filter(role=role, project=project)
    return rows.select_related("user", "group").order_by("id")


def _users(accounts: list[str] | None) -> list[User]:
    found = []
    for account in accounts or ():
        user = User.objects.filter(account_id=account, active=True).first()
        if user is None:
            raise NotFound(f"The user with account ID '{account}' does not exist or is inactive.")
        found.append(user)
    return found


def _groups(names: list[str] | None, uuids: list[str] | None) -> list[Group]:
    if names and uuids:
        raise Invalid("Only one of 'group' and 'groupId' may be provided.")
    by_name = [find_group(None, name) for name in names or ()]
    return by_name + [find_group(uuid, None) for uuid in uuids or ()]


def _in_project(call: Call) -> Project:
    """Return the space of a path, if the caller runs it.

    Raises:
        NotFound: they do not.
    """
    project, reader = project_of(call), actor(call)
    if not (reader.is_admin or runs_project(reader, project)):
        raise NotFound(f"No project could be found with key '{project.key}'.")
    return project


def _with_role(call: Call) -> tuple[Project, ProjectRole]:
    """Return the space and the role of a path.

    Raises:
        NotFound: the caller does not run the space, or it does not offer the role.
    """
    project, role = _in_project(call), _role(call.path["id"])
    if not offers_role(project, role):
        raise NotFound(GONE.format(id=role.id))
    return project, role


# In a space


@operation(
    "getProjectRoles",
    "GET",
    OF_PROJECT,
    summary="List the roles of a space by name, with their addresses.",
    access="anyone",
)
def list_in_project(call: Call) -> Json:
    """List a space's roles."""
    project, reader = project_of(call), actor(call)
    if not reader.is_admin and not reader.projects_with("ADMINISTER_PROJECTS"):
        raise NotFound(f"No project could be found with key '{project.key}'.")
    return dict(role_urls(project, show(call)))


@operation(
    "getProjectRoleDetails",
    "GET",
    ONE + "/roledetails",
    summary="List the roles of a space, or those of them that the caller fills.",
    query=DetailsQuery,
    access="anyone",
)
def list_details(call: Call) -> list[Json]:
    """List a space's roles."""
    reader = actor(call)
    mine = flag(call.query.mine)
    project = project_of(call) if mine else _in_project(call)
    return [
        present_role_details(role, show(call), project)
        for role in roles_of(project)
        if not mine or role.id in reader.role_ids(project)
    ]


@operation(
    "getProjectRole",
    "GET",
    OF_PROJECT + "/{id}",
    summary="Show a role of a space, with those who fill it.",
    query=ActorsQuery,
    access="anyone",
)
def show_in_project(call: Call) -> Json:
    """Show a role in a space."""
    project, role = _with_role(call)
    rows = _actors(role, project)
    if flag(call.query.active_only):
        rows = rows.exclude(user__active=False)
    return present_role(role, rows, show(call), project)


@operation(
    "addActorUsers",
    "POST",
    OF_PROJECT + "/{id}",
    summary="Let more users or groups fill a role in a space.",
    body=ActorsBody,
    access="anyone",
)
def add_in_project(call: Call) -> Json:
    """Let more people fill a role."""
    given = call.body
    project, role = _with_role(call)
    users, groups = _users(given.user), _groups(given.group, given.group_id)
    roles.add_actors(role, project, users, groups, actor=actor(call))
    return present_role(role, _actors(role, project), show(call), project)


@operation(
    "setActors",
    "PUT",
    OF_PROJECT + "/{id}",
    summary="Let exactly some users and groups fill a role in a space.",
    body=SetActorsBody,
)
def set_in_project(call: Call) -> Json:
    """Set who fills a role."""
    given = call.body.actors
    kinds = {
        "atlassian-user-role-actor",
        "atlassian-group-role-actor",
        "atlassian-group-role-actor-id",
    }
    if set(given) - kinds:
        raise Invalid(f"Unknown kinds of actors: {', '.join(sorted(set(given) - kinds))}")
    project, role = _with_role(call)
    users = _users(given.get("atlassian-user-role-actor"))
    groups = _groups(
        given.get("atlassian-group-role-actor"), given.get("atlassian-group-role-actor-id")
    )
    roles.set_actors(role, project, users, groups, actor=actor(call))
    return present_role(role, _actors(role, project), show(call), project)


def _removed(call: Call, role: ProjectRole, project: Project | None) -> None:
    """Let a user or a group fill a role no more; nobody fills one whom nobody knows.

    Raises:
        Invalid: not exactly one of them is named.
    """
    asked = call.query
    if [asked.user, asked.group, asked.group_id].count(None) != 2:
        raise Invalid("You must specify exactly one user or group.")
    user = User.objects.filter(account_id=asked.user).first()
    group = Group.objects.filter(Q(name=asked.group) | Q(uuid=asked.group_id)).first()
    if user is not None or group is not None:
        roles.remove_actor(role, project, user=user, group=group, actor=actor(call))


@operation(
    "deleteActor",
    "DELETE",
    OF_PROJECT + "/{id}",
    summary="Let a user or a group fill a role of a space no more.",
    query=ActorQuery,
    access="anyone",
    status=204,
)
def remove_in_project(call: Call) -> None:
    """Let somebody fill a role no more."""
    project, role = _with_role(call)
    _removed(call, role, project)


# On the whole site


@operation(
    "getAllProjectRoles",
    "GET",
    PATH,
    summary="List all roles with their default actors.",
    access="admin",
)
def list_roles(call: Call) -> list[Json]:
    """List all roles."""
    actors: dict[int, list[RoleActor]] = defaultdict(list)
    for row in RoleActor.objects.filter(project=None).select_related("user", "group"):
        actors[row.role_id].append(row)
    rows = ProjectRole.objects.order_by("name", "id")
    return [present_role(role, actors[role.id], show(call)) for role in rows]


def _replace(call: Call) -> Json:
    """Change a role in full: both its name and its description."""
    given, role = call.body, _role(call.path["id"])
    roles.update_role(role, given.name, given.description, full=True, actor=actor(call))
    return _whole(role, show(call))


def _delete(call: Call) -> None:
    """Remove a role; a replacement that does not exist is the caller's mistake."""
    role, swap = _role(call.path["id"]), None
    if call.query.swap:
        try:
            swap = _role(call.query.swap)
        except NotFound as error:
            raise Invalid(*error.messages) from error
    roles.delete_role(role, swap=swap, actor=actor(call))


def _whole(role: ProjectRole, how: Show) -> Json:
    return present_role(role, _actors(role, None), how)


def _actors_alone(role: ProjectRole, how: Show) -> Json:
    """Return who fills a role in new spaces; the role itself is not told, as on sites."""
    return {"actors": _whole(role, how)["actors"]}


register_resource(
    resources.ResourceApi(
        resource=roles.PROJECT_ROLE,
        path=PATH,
        one="/{id}",
        find=_role,
        present=_whole,
        body="RoleBody",
        about="A role: its name and description.",
        reads="admin",
    ),
    resources.creates("createProjectRole", "Make a role.", status=200),
    resources.shows("getProjectRoleById", "Show a role with its default actors."),
    resources.updates(
        "partialUpdateProjectRole", "Change a role's name or description.", method="POST"
    ),
    resources.updates(
        "fullyUpdateProjectRole", "Change a role's name and description.", view=_replace
    ),
    resources.deletes(
        "deleteProjectRole",
        "Remove a role; another takes its place in schemes.",
        query=SwapQuery,
        view=_delete,
    ),
    resources.shows(
        "getProjectRoleActorsForRole",
        "Show who fills a role in new spaces.",
        path="/{id}/actors",
        view=lambda call: _actors_alone(_role(call.path["id"]), show(call)),
    ),
    module=__name__,
)


@operation(
    "addProjectRoleActorsToRole",
    "POST",
    PATH + "/{id}/actors",
    summary="Let more users or groups fill a role in new spaces.",
    body=ActorsBody,
    access="admin",
)
def add_default_actors(call: Call) -> Json:
    """Let more people fill a role in new spaces; users or groups, not both."""
    given, role = call.body, _role(call.path["id"])
    if given.user and (given.group or given.group_id):
        raise Invalid("Users and groups cannot be added in the same request.")
    users, groups = _users(given.user), _groups(given.group, given.group_id)
    roles.add_actors(role, None, users, groups, actor=actor(call))
    return _actors_alone(role, show(call))


@operation(
    "deleteProjectRoleActorsFromRole",
    "DELETE",
    PATH + "/{id}/actors",
    summary="Let a user or a group fill a role in new spaces no more.",
    query=ActorQuery,
    access="admin",
)
def remove_default_actor(call: Call) -> Json:
    """Let somebody fill a role in new spaces no more."""
    role = _role(call.path["id"])
    _removed(call, role, None)
    return _actors_alone(role, show(call))
