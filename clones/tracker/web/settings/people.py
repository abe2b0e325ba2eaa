"""Who fills which role in a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.tracker.domain.administration import runs_project
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.roles import add_actors, remove_actor
from clones.tracker.domain.space_roles import role_name, roles_of
from clones.tracker.models import Group, Project, ProjectRole, RoleActor, User
from clones.tracker.queries.rights import Rights
from clones.tracker.web.access import Visitor
from clones.tracker.web.settings.access import page_of_settings, settings_page
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.forms import (
    FormPage,
    Input,
    chosen,
    number_of,
    people,
)
from clones.tracker.web.settings.sheets import ask
from clones.tracker.web.shell import words

HERE: Final = "access"
OFFERED: Final = 500


@dataclass(slots=True)
class Member:
    """Somebody or a group with the roles that are filled: `key` names it in addresses."""

    key: str
    name: str
    email: str
    user: User | None
    group: Group | None
    roles: list[ProjectRole] = field(default_factory=list)
    role_names: list[str] = field(default_factory=list)


def members_of(project: Project) -> list[Member]:
    """Return who fills roles in a space: people by their names, then groups by theirs."""
    rows = RoleActor.objects.filter(project=project).select_related("role", "user", "group")
    found: dict[str, Member] = {}
    for row in rows.order_by("role__name", "role_id", "id"):
        if row.user is not None:
            user = row.user
            made = Member(f"u-{user.account_id}", user.display_name, user.email or "", user, None)
        elif row.group is not None:
            made = Member(f"g-{row.group.uuid}", row.group.name, "", None, row.group)
        else:
            continue
        one = found.setdefault(made.key, made)
        one.roles.append(row.role)
        one.role_names.append(role_name(row.role, project))
    return sorted(found.values(), key=lambda one: (one.user is None, one.name.casefold(), one.key))


def _member(project: Project, key: str) -> Member:
    """Return who fills a role, by the key in an address.

    Raises:
        NotFound: nobody of that key fills any.
    """
    found = next((one for one in members_of(project) if one.key == key), None)
    if found is None:
        raise NotFound("Nobody of that name has access to this space by a role.")
    return found


@page_of_settings
def show(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show who fills which role, narrowed by words and by role."""
    text, role = request.GET.get("search", "").strip(), request.GET.get("role", "")
    rows = members_of(project)
    if text:
        wanted = text.casefold()
        rows = [
            one
            for one in rows
            if wanted in one.name.casefold()
            or (wanted in one.email.casefold() and who.rights.sees_emails)
        ]
    if role:
        rows = [one for one in rows if any(str(filled.id) == role for filled in one.roles)]
    context = {
        "members": rows,
        "search": text,
        "roles": [
            (str(one.id), role_name(one, project), str(one.id) == role) for one in roles_of(project)
        ],
        "emails": who.rights.sees_emails,
        "narrowed": bool(text or role),
    }
    return settings_page(
        request, who, project, "tracker/settings/access.html", context,
        title="Access", current=HERE,
    )  # fmt: skip


@page_of_settings
def add(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the form that gives people and groups a role, or take it."""
    staff = User.objects.filter(active=True).order_by("display_name", "id")
    if project.type != "service_desk":
        staff = staff.exclude(account_type="customer")
    listed = list(staff[:OFFERED])
    groups = list(Group.objects.order_by("name", "id")[:OFFERED])
    sheet = FormPage(
        "Add people",
        request.path,
        settings_address(project, HERE),
        [
            Input("users", "People", "multiple", choices=people(listed)),
            Input(
                "groups",
                "Groups",
                "multiple",
                choices=chosen(((one.uuid, one.name) for one in groups), ()),
            ),
            Input(
                "role",
                "Role",
                "select",
                choices=chosen(
                    ((one.id, role_name(one, project)) for one in roles_of(project)), ()
                ),
                required=True,
            ),
        ],
        button="Add",
    )

    def write(sent: PageForm) -> str:
        accounts, uuids = sent.several("users"), sent.several("groups")
        users = [one for one in listed if one.account_id in accounts]
        wanted = [one for one in groups if one.uuid in uuids]
        add_actors(_role(sent.text("role")), project, users, wanted, actor=who.rights)
        return f"{len(users) + len(wanted)} added to the {words().space}"

    return ask(request, who, project, sheet, write, current=HERE)


def _role(text: str) -> ProjectRole:
    found = ProjectRole.objects.filter(id=number_of(text) or 0).first()
    if found is None:
        raise Invalid(fields={"role": "Choose a role."})
    return found


@page_of_settings
def edit(request: SandboxRequest, who: Visitor, project: Project, key: str) -> HttpResponse:
    """Show the roles of somebody or a group, or take other ones."""
    member = _member(project, key)
    now = [role.id for role in member.roles]
    sheet = FormPage(
        f"Roles of {member.name}",
        request.path,
        settings_address(project, HERE),
        [
            Input(
                "roles",
                "Roles",
                "checks",
                choices=chosen(
                    ((one.id, role_name(one, project)) for one in roles_of(project)), now
                ),
            )
        ],
    )

    def write(sent: PageForm) -> tuple[str, str]:
        _set_roles(project, member, sent.several("roles"), who.rights)
        return f"Roles of {member.name} saved", _after(who, project)

    return ask(request, who, project, sheet, write, current=HERE)


def _set_roles(project: Project, member: Member, wanted: Sequence[str], actor: Rights) -> None:
    """Let somebody fill exactly some roles: first the new ones, lest they lose the right to."""
    if not wanted:
        raise Invalid(fields={"roles": "Choose at least one role."})
    have = {role.id for role in member.roles}
    users = [] if member.user is None else [member.user]
    groups = [] if member.group is None else [member.group]
    for role in roles_of(project):
        if str(role.id) in wanted and role.id not in have:
            add_actors(role, project, users, groups, actor=actor)
    for role in member.roles:
        if str(role.id) not in wanted:
            remove_actor(role, project, user=member.user, group=member.group, actor=actor)


@page_of_settings
def remove(request: SandboxRequest, who: Visitor, project: Project, key: str) -> HttpResponse:
    """Ask whether somebody is to lose all roles, or take them away."""
    member = _member(project, key)
    sheet = FormPage(
        f"Remove {member.name}?",
        request.path,
        settings_address(project, HERE),
        button="Remove",
        said=f"{member.name} loses every role in {project.name}.",
        danger=True,
    )

    def write(_sent: PageForm) -> tuple[str, str]:
        for role in member.roles:
            remove_actor(role, project, user=member.user, group=member.group, actor=who.rights)
        return f"{member.name} removed", _after(who, project)

    return ask(request, who, project, sheet, write, current=HERE)


def _after(who: Visitor, project: Project) -> str:
    """Return the address of the list, or another for whoever took their own rights."""
    if runs_project(Rights(who.user), project):
        return settings_address(project, HERE)
    return f"/browse/{project.key}"
