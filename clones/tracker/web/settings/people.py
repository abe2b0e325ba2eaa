"""Who fills which role in a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.administration import runs_project
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.roles import add_actors, remove_actor
from clones.tracker.models import Group, Project, ProjectRole, RoleActor, User
from clones.tracker.queries.rights import Rights
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.access import done, page_of_settings, settings_page
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.forms import (
    FormPage,
    Input,
    chosen,
    number_of,
    people,
    text_of,
)
from clones.tracker.web.settings.sheets import sheet_page
from clones.tracker.web.shell import from_script, go, words

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
        found.setdefault(made.key, made).roles.append(row.role)
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


def _roles() -> list[ProjectRole]:
    return list(ProjectRole.objects.order_by("name", "id"))


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
        "roles": [(str(one.id), one.name, str(one.id) == role) for one in _roles()],
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
    accounts, uuids = request.POST.getlist("users"), request.POST.getlist("groups")
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
            Input("users", "People", "multiple", choices=people(listed, accounts)),
            Input(
                "groups",
                "Groups",
                "multiple",
                choices=chosen(((one.uuid, one.name) for one in groups), uuids),
            ),
            Input(
                "role",
                "Role",
                "select",
                choices=chosen(
                    ((one.id, one.name) for one in _roles()), [text_of(request, "role")]
                ),
                required=True,
            ),
        ],
        button="Add",
    )
    if request.method != "POST":
        return sheet_page(request, who, project, sheet, current=HERE)

    def write() -> int:
        users = [one for one in listed if one.account_id in accounts]
        wanted = [one for one in groups if one.uuid in uuids]
        add_actors(_role(text_of(request, "role")), project, users, wanted, actor=who.rights)
        return len(users) + len(wanted)

    number, refusal = attempt(write)
    if refusal is not None:
        return sheet_page(request, who, project, sheet.refused(refusal), current=HERE)
    return done(request, project, HERE, f"{number} added to the {words().space}")


def _role(text: str) -> ProjectRole:
    found = ProjectRole.objects.filter(id=number_of(text) or 0).first()
    if found is None:
        raise Invalid(fields={"role": "Choose a role."})
    return found


@page_of_settings
def edit(request: SandboxRequest, who: Visitor, project: Project, key: str) -> HttpResponse:
    """Show the roles of somebody or a group, or take other ones."""
    member = _member(project, key)
    posted = request.method == "POST"
    now = request.POST.getlist("roles") if posted else [str(role.id) for role in member.roles]
    sheet = FormPage(
        f"Roles of {member.name}",
        request.path,
        settings_address(project, HERE),
        [
            Input(
                "roles",
                "Roles",
                "checks",
                choices=chosen(((one.id, one.name) for one in _roles()), now),
            )
        ],
    )
    if not posted:
        return sheet_page(request, who, project, sheet, current=HERE)
    _, refusal = attempt(lambda: _set_roles(project, member, now, who.rights))
    if refusal is not None:
        return sheet_page(request, who, project, sheet.refused(refusal), current=HERE)
    return _changed(request, who, project, f"Roles of {member.name} saved")


def _set_roles(project: Project, member: Member, wanted: Sequence[str], actor: Rights) -> None:
    """Let somebody fill exactly some roles: first the new ones, lest they lose the right to."""
    if not wanted:
        raise Invalid(fields={"roles": "Choose at least one role."})
    have = {role.id for role in member.roles}
    users = [] if member.user is None else [member.user]
    groups = [] if member.group is None else [member.group]
    for role in _roles():
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
    if request.method != "POST":
        return sheet_page(request, who, project, sheet, current=HERE)

    def write() -> None:
        for role in member.roles:
            remove_actor(role, project, user=member.user, group=member.group, actor=who.rights)

    _, refusal = attempt(write)
    if refusal is not None:
        return sheet_page(request, who, project, sheet.refused(refusal), current=HERE)
    return _changed(request, who, project, f"{member.name} removed")


def _changed(request: SandboxRequest, who: Visitor, project: Project, flag: str) -> HttpResponse:
    """Lead back to the list, or away from it whoever took their own rights."""
    if runs_project(Rights(who.user), project):
        return done(request, project, HERE, flag)
    return from_script(request, go(f"/browse/{project.key}", flag))
