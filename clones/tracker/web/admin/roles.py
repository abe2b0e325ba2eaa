"""Roles of spaces, and who fills them by default in spaces yet to be made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel
from clones.core.web.posted import posted_text
from clones.tracker.domain import roles
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.roles import GONE, PROJECT_ROLE
from clones.tracker.models import PermissionGrant, ProjectRole, RoleActor
from clones.tracker.queries.people import find_group, find_user
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.heirs import HeirInput
from clones.tracker.web.admin.inputs import grouped, groups, people
from clones.tracker.web.admin.lists import admin_view, crumbs_of
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.parts.pictures import face
from clones.tracker.web.settings.forms import FormPage

HERE: Final = "roles"
USERS: Final = address_of("users")
GROUPS: Final = address_of("groups")


class RolePages(AdminPages[ProjectRole]):
    """The list of roles and their forms (the vendor's ViewProjectRoles page)."""

    resource = PROJECT_ROLE
    here = HERE
    title = "Space roles"
    noun = "space role"
    gone = GONE
    said = "Roles stand in schemes; each space says who fills them there."
    columns = ("Name", "Default members", "Spaces")
    empty = "There are no roles."
    leaves = "In all spaces, nobody fills this role any more."
    has_details = True
    opens = "Default members"
    heir = HeirInput(
        name="swap",
        label="Replacement role",
        hint="A role that schemes name needs one: it takes its place there.",
        none="None",
        missing=GONE,
    )

    def rows(self) -> QuerySet[ProjectRole]:
        """Return the roles, with how many fill each by default, and in how many spaces."""
        return super().rows().annotate(
            spaces=Count("actors__project", distinct=True),
            defaults=Count("actors", filter=Q(actors__project=None), distinct=True),
        )  # fmt: skip

    def cells(self, found: Sequence[Any]) -> list[list[Cell]]:
        """Return the name of each, and these numbers."""
        return [
            [
                self.name_cell(row),
                Cell(str(row.defaults)),
                Cell(str(row.spaces)),
            ]
            for row in found
        ]


PAGES: Final = RolePages()


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show who fills a role by default in new spaces."""
    role = PAGES.find(key)
    at = f"{PAGES.at}/{role.id}"
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
def add_member(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Let a user or a group fill a role in new spaces."""
    role = PAGES.find(key)

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
    sheet = FormPage(heading, request.path, f"{PAGES.at}/{role.id}", [member], "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def remove_member(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Let a user or a group fill a role in new spaces no more."""
    role = PAGES.find(key)

    def write() -> str:
        account, uuid = posted_text(request, "user"), posted_text(request, "group")
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

    return act(request, who, write, back=f"{PAGES.at}/{role.id}", here=HERE)
