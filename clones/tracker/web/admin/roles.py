"""Roles of spaces, and who fills them by default in spaces yet to be made."""

from __future__ import annotations

from typing import Final

from django.db.models import Count, Q
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel
from clones.tracker.domain import roles
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import PermissionGrant, ProjectRole, RoleActor
from clones.tracker.queries.people import find_group, find_user
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import grouped, groups, named, people, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.parts.pictures import face
from clones.tracker.web.settings.forms import FormPage, text_of
from clones.tracker.web.vocabulary import say

HERE: Final = "roles"
AT: Final = address_of(HERE)
USERS: Final = address_of("users")
GROUPS: Final = address_of("groups")


def _find(key: int) -> ProjectRole:
    return one_of(ProjectRole.objects.all(), key, roles.GONE.format(key))


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List roles (the vendor's ViewProjectRoles page)."""
    rows = ProjectRole.objects.annotate(
        spaces=Count("actors__project", distinct=True),
        defaults=Count("actors", filter=Q(actors__project=None), distinct=True),
    )
    panel = Panel(
        ["Name", "Default members", "Spaces"],
        [
            ListRow(
                [
                    Cell(row.name, f"{AT}/{row.id}", row.description),
                    Cell(str(row.defaults)),
                    Cell(str(row.spaces)),
                ],
                [
                    Action("Default members", f"{AT}/{row.id}", row.name, whole=True),
                    Action("Edit", f"{AT}/{row.id}/edit", row.name),
                    Action("Delete", f"{AT}/{row.id}/delete", row.name),
                ],
                row,
            )
            for row in rows.order_by("name", "id")
        ],
        empty="There are no roles.",
    )
    return admin_view(
        request,
        who,
        ListPage(
            "Space roles", HERE, [panel],
            acts=[Action("Add space role", f"{AT}/add", primary=True)],
            said=say("Roles stand in schemes; each space says who fills them there."),
        ),
    )  # fmt: skip


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a role, which nobody fills yet."""

    def write(sent: PageForm) -> tuple[str, str]:
        made = roles.create_role(sent.text("name"), sent.text("description"), actor=who.rights)
        return f"{say('Space role')} “{made.name}” added", f"{AT}/{made.id}"

    sheet = FormPage(say("Add space role"), request.path, AT, named(), "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show who fills a role by default in new spaces."""
    role = _find(key)
    at = f"{AT}/{role.id}"
    rows = RoleActor.objects.filter(role=role, project=None).select_related("user", "group")
    lines = []
    for one in rows.order_by("id"):
        if one.user is not None:
            cell = Cell(
                one.user.display_name, f"{USERS}/{one.user.account_id}", picture=face(one.user)
            )
            kind, sends = "User", {"user": one.user.account_id}
        elif one.group is not None:
            cell = Cell(one.group.name, f"{GROUPS}/{one.group.uuid}")
            kind, sends = "Group", {"group": one.group.uuid}
        else:
            continue
        remove = Action("Remove", f"{at}/members/remove", cell.text, post=True, sends=sends)
        lines.append(ListRow([cell, Cell(kind)], [remove]))
    panel = Panel(
        ["Name", "Type"], lines, "Default members",
        empty="Nobody fills this role in new spaces.",
        acts=[Action("Add default members", f"{at}/members/add", primary=True)],
    )  # fmt: skip
    grants = PermissionGrant.objects.filter(holder_type="projectRole", parameter=str(role.id))
    number = grants.values("scheme").distinct().count()
    return admin_view(
        request,
        who,
        ListPage(
            role.name, HERE, [panel], role.description,
            [Action("Edit", f"{at}/edit"), Action("Delete", f"{at}/delete")],
            [("Permission schemes", Cell(str(number)))], crumbs=crumbs_of(HERE), record=role,
        ),
    )  # fmt: skip


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a role's name and description."""
    role = _find(key)

    def write(sent: PageForm) -> str:
        roles.update_role(
            role,
            sent.text("name"),
            sent.text("description"),
            full=True,
            actor=who.rights,
        )
        return f"{say('Space role')} “{role.name}” updated"

    inputs = named(role.name, role.description)
    sheet = FormPage(say("Edit space role"), request.path, f"{AT}/{role.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a role; another can take its place in schemes."""
    role = _find(key)
    others = ProjectRole.objects.exclude(id=role.id).order_by("name", "id")

    def write(sent: PageForm) -> str:
        chosen = sent.text("swap")
        swap = one_of(others, chosen, roles.GONE.format(chosen)) if chosen else None
        name = role.name
        roles.delete_role(role, swap=swap, actor=who.rights)
        return f"{say('Space role')} “{name}” deleted"

    inputs = [
        select(
            "swap", "Replacement role", others.values_list("id", "name"), none="None",
            hint="A role that schemes name needs one: it takes its place there.",
        )
    ]  # fmt: skip
    sheet = FormPage(
        f"{say('Delete space role')}: {role.name}", request.path, AT, inputs, "Delete",
        say("In all spaces, nobody fills this role any more."), danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def add_member(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Let a user or a group fill a role in new spaces."""
    role = _find(key)

    def write(sent: PageForm) -> str:
        kind, _, id = sent.text("member").partition(":")
        users = [find_user(id)] if kind == "user" else []
        chosen = [find_group(id, None)] if kind == "group" else []
        roles.add_actors(role, None, users, chosen, actor=who.rights)
        return f"Default member added to “{role.name}”"

    member = grouped(
        "member",
        "User or group",
        [
            ("Groups", [(f"group:{uuid}", name) for uuid, name in groups()]),
            ("Users", [(f"user:{account}", name) for account, name in people()]),
        ],
        none="Choose",
        required=True,
    )
    heading = f"Add default members to {role.name}"
    sheet = FormPage(heading, request.path, f"{AT}/{role.id}", [member], "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def remove_member(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Let a user or a group fill a role in new spaces no more."""
    role = _find(key)

    def write() -> str:
        account, uuid = text_of(request, "user"), text_of(request, "group")
        if not account and not uuid:
            raise Invalid("You must specify exactly one user or group.")
        roles.remove_actor(
            role,
            None,
            user=find_user(account) if account else None,
            group=find_group(uuid, None) if uuid else None,
            actor=who.rights,
        )
        return f"Default member removed from “{role.name}”"

    return act(request, who, write, back=f"{AT}/{role.id}", here=HERE)
