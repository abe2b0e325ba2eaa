"""Groups of users, and who is in them (on the vendor's site once at `/admin/groups`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Count
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel, SearchForm
from clones.core.web.paging import page_from
from clones.core.web.posted import posted_text
from clones.tracker.domain import groups
from clones.tracker.domain.global_permissions import holders
from clones.tracker.models import Group, User
from clones.tracker.queries.people import find_group, find_user
from clones.tracker.rules.permission_catalogue import PERMISSIONS
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import PEOPLE, line, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.parts.pictures import face
from clones.tracker.web.settings.forms import FormPage

HERE: Final = "groups"
AT: Final = address_of(HERE)
USERS: Final = address_of("users")


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List groups, all or those with a text in their name, with how many are in each."""
    text = request.GET.get("query", "").strip()
    rows = Group.objects.filter(name__icontains=text) if text else Group.objects.all()
    pages = page_from(request, rows.order_by("name", "id"))
    counts = _counts(pages.rows)
    panel = Panel(
        ["Group", "Members"],
        [
            ListRow(
                [Cell(group.name, f"{AT}/{group.uuid}"), Cell(str(counts.get(group.id, 0)))],
                [Action("Delete", f"{AT}/{group.uuid}/delete", group.name)],
                group,
            )
            for group in pages.rows
        ],
        empty="No groups were found.",
    )
    return admin_view(
        request,
        who,
        ListPage(
            "Groups", HERE, [panel], acts=[Action("Create group", f"{AT}/create", primary=True)],
            search=SearchForm("Search groups", text), pages=pages,
        ),
    )  # fmt: skip


def _counts(found: Sequence[Group]) -> dict[int, int]:
    rows = Group.objects.filter(id__in=[group.id for group in found])
    return dict(rows.annotate(number=Count("members")).values_list("id", "number"))


@admin_page
def create(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a group."""

    def write(sent: PageForm) -> tuple[str, str]:
        made = groups.create_group(sent.text("name"), actor=who.rights)
        return f"Group “{made.name}” created", f"{AT}/{made.uuid}"

    inputs = [line("name", "Group name", required=True, hint="It cannot be changed later.")]
    sheet = FormPage("Create group", request.path, AT, inputs, "Create")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def details(request: SandboxRequest, who: Visitor, uuid: str) -> HttpResponse:
    """Show who is in a group, and which global permissions it has."""
    group = find_group(uuid, None)
    at = f"{AT}/{group.uuid}"
    text = request.GET.get("query", "").strip()
    rows = User.objects.filter(memberships__group=group)
    if text:
        rows = rows.filter(display_name__icontains=text)
    pages = page_from(request, rows.order_by("display_name", "id"))
    panel = Panel(
        ["User", "Email", "Status"],
        [
            ListRow(
                [
                    Cell(user.display_name, f"{USERS}/{user.account_id}", picture=face(user)),
                    Cell(user.email or ""),
                    Cell("Active" if user.active else "Deactivated"),
                ],
                [
                    Action("Remove", f"{at}/remove", user.display_name, post=True,
                        sends={"user": user.account_id})
                ],
                user,
            )
            for user in pages.rows
        ],
        "Members",
        empty="Nobody is in this group.",
        acts=[Action("Add members", f"{at}/add", primary=True)],
    )  # fmt: skip
    held = [
        PERMISSIONS[key].name for key, mine in holders().items()
        if group.uuid in mine and key in PERMISSIONS
    ]  # fmt: skip
    return admin_view(
        request,
        who,
        ListPage(
            group.name, HERE, [panel], acts=[Action("Delete group", f"{at}/delete")],
            facts=[("Global permissions", Cell(", ".join(held) or "None"))],
            search=SearchForm("Search members", text), pages=pages, crumbs=crumbs_of(HERE),
            record=group,
        ),
    )  # fmt: skip


@admin_page
def add_members(request: SandboxRequest, who: Visitor, uuid: str) -> HttpResponse:
    """Put people into a group: one, or several at once."""
    group = find_group(uuid, None)
    free = User.objects.filter(active=True, account_type__in=("atlassian", "app"))
    free = free.exclude(memberships__group=group).order_by("display_name", "id")
    pairs = free.values_list("account_id", "display_name")[:PEOPLE]

    def write(sent: PageForm) -> str:
        users = [find_user(str(one)) for one in sent.several("users")] or [find_user(None)]
        for user in users:
            groups.add_member(group, user, actor=who.rights)
        names = ", ".join(user.display_name for user in users)
        return f"{names} added to {group.name}"

    one = select("users", "User", pairs, required=True, none="Choose a user")
    sheet = FormPage(
        f"Add members to {group.name}", request.path, f"{AT}/{group.uuid}", [one], "Add"
    )
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def remove_member(request: SandboxRequest, who: Visitor, uuid: str) -> HttpResponse:
    """Take somebody out of a group."""
    group = find_group(uuid, None)

    def write() -> str:
        user = find_user(posted_text(request, "user"))
        groups.remove_member(group, user, actor=who.rights)
        return f"{user.display_name} removed from {group.name}"

    return act(request, who, write, back=f"{AT}/{group.uuid}", here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, uuid: str) -> HttpResponse:
    """Delete a group; what only it sees can be given to another."""
    group = find_group(uuid, None)
    others = Group.objects.exclude(id=group.id).order_by("name", "id")

    def write(sent: PageForm) -> str:
        swap = sent.text("swap")
        groups.delete_group(group, swap=find_group(swap, None) if swap else None, actor=who.rights)
        return f"Group “{group.name}” deleted"

    inputs = [
        select(
            "swap", "Transfer restrictions to", others.values_list("uuid", "name"),
            none="No group", hint="It then sees the comments and work logs that only this one saw.",
        )
    ]  # fmt: skip
    sheet = FormPage(
        f"Delete group: {group.name}", request.path, AT, inputs, "Delete",
        "Permissions, security levels and notifications of the group go with it.", danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
