"""The users of the site: invited, deactivated and brought back, and the groups of each.

The vendor keeps these pages in the administration of the organization; on the site they were at
`/admin/users`, which leads here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Q, QuerySet
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel, SearchForm
from clones.core.web.paging import page_from
from clones.core.web.posted import posted_text
from clones.tracker.domain import groups as group_acts
from clones.tracker.domain import people
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Group, GroupMember, User
from clones.tracker.queries.people import find_group, find_user
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import checks, line, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.frame.entries import is_there
from clones.tracker.web.parts.pictures import face
from clones.tracker.web.parts.times import when
from clones.tracker.web.settings.forms import FormPage, Input

HERE: Final = "users"
AT: Final = address_of(HERE)
GROUPS: Final = address_of("groups")
# What a product is called, by the key with which access to it is given.
PRODUCTS: Final = (
    ("jira-software", "Jira Software"),
    ("jira-servicedesk", "Jira Service Management"),
    ("jira-core", "Jira"),
    ("jira-product-discovery", "Jira Product Discovery"),
)
KINDS: Final = (("atlassian", "People"), ("app", "Apps"), ("customer", "Customers"))
STATES: Final = (("active", "Active"), ("inactive", "Deactivated"))
GROUPS_NAMED: Final = 3


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List users: with a text in their name or address, of a kind, active ones or not."""
    text = request.GET.get("query", "").strip()
    kind, state = request.GET.get("kind", ""), request.GET.get("state", "")
    rows = _narrowed(text, kind, state)
    pages = page_from(request, rows.order_by("display_name", "id"))
    mine = _groups_of(pages.rows)
    inputs = [
        select("kind", "Type", KINDS, kind, none="All types"),
        select("state", "Status", STATES, state, none="Any status"),
    ]
    panel = Panel(
        ["User", "Email", "Groups", "Status"],
        [_row(user, mine.get(user.id, [])) for user in pages.rows],
        empty="No users were found.",
    )
    return admin_view(
        request,
        who,
        ListPage(
            "Users",
            HERE,
            [panel],
            acts=[Action("Invite users", f"{AT}/invite", primary=True)],
            search=SearchForm("Search users", text, inputs),
            pages=pages,
        ),
    )


def _narrowed(text: str, kind: str, state: str) -> QuerySet[User]:
    rows = User.objects.all()
    if text:
        rows = rows.filter(Q(display_name__icontains=text) | Q(email__icontains=text))
    if kind in User.TYPES:
        rows = rows.filter(account_type=kind)
    if state in {"active", "inactive"}:
        rows = rows.filter(active=state == "active")
    return rows


def _groups_of(users: Sequence[User]) -> dict[int, list[Group]]:
    rows = GroupMember.objects.filter(user__in=[user.id for user in users])
    found: dict[int, list[Group]] = {}
    for place in rows.select_related("group").order_by("group__name", "id"):
        found.setdefault(place.user_id, []).append(place.group)
    return found


def _row(user: User, mine: list[Group]) -> ListRow:
    links = [Link(group.name, f"{GROUPS}/{group.uuid}") for group in mine[:GROUPS_NAMED]]
    if len(mine) > GROUPS_NAMED:
        links.append(Link(f"{len(mine) - GROUPS_NAMED} more"))
    return ListRow(
        [
            Cell(user.display_name, f"{AT}/{user.account_id}", picture=face(user)),
            Cell(user.email or ""),
            Cell(links=links),
            Cell("Active" if user.active else "Deactivated", lozenge=_look(user)),
        ],
        _acts(user),
        user,
    )


def _look(user: User) -> str:
    return "done" if user.active else "new"


def _acts(user: User) -> list[Action]:
    """Return what can be done with somebody: desks, not admins, look after customers."""
    if user.account_type == "customer":
        return []
    at, name = f"{AT}/{user.account_id}", user.display_name
    if user.active:
        return [Action("Deactivate", f"{at}/deactivate", name)]
    return [Action("Reactivate", f"{at}/reactivate", name)] if user.email else []


def _products(now: tuple[str, ...] = ("jira-software",)) -> Input:
    return checks("products", "Products", PRODUCTS, now, hint="What the user gets access to.")


@admin_page
def invite(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Invite somebody, as `POST /rest/api/3/user` does."""

    def write(sent: PageForm) -> tuple[str, str]:
        made = people.invite_user(
            sent.text("emailAddress"),
            sent.several("products"),
            display_name=sent.text("displayName") or None,
            actor=who.rights,
        )
        return f"{made.display_name} invited", f"{AT}/{made.account_id}"

    inputs = [
        line("emailAddress", "Email address", required=True),
        line("displayName", "Full name", hint="Without one, the address before its @."),
        _products(),
    ]
    sheet = FormPage("Invite users", request.path, AT, inputs, "Invite")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def details(request: SandboxRequest, who: Visitor, account: str) -> HttpResponse:
    """Show somebody with the groups that they are in."""
    user = find_user(account)
    at = f"{AT}/{user.account_id}"
    mine = Group.objects.filter(members__user=user).order_by("name", "id")
    rows = [
        ListRow(
            [Cell(group.name, f"{GROUPS}/{group.uuid}")],
            [
                Action("Remove from group", f"{at}/leave", group.name, post=True,
                    sends={"group": group.uuid})
            ],
        )
        for group in mine
    ]  # fmt: skip
    profile = f"/jira/people/{user.account_id}"
    kinds = dict(KINDS)
    facts = [
        ("Email", Cell(user.email or "None")),
        ("Type", Cell(kinds.get(user.account_type, user.account_type))),
        ("Status", Cell("Active" if user.active else "Deactivated", lozenge=_look(user))),
        ("Time zone", Cell(user.time_zone)),
        ("Language", Cell(user.locale)),
        ("Added", Cell(when(user.created, who.rights.zone))),
        ("Account ID", Cell(user.account_id)),
        *([("Profile", Cell("View profile", profile))] if is_there(profile) else []),
    ]
    panel = Panel(
        ["Group"], rows, "Groups", empty=f"{user.display_name} is in no group.",
        acts=[Action("Add to group", f"{at}/join")],
    )  # fmt: skip
    return admin_view(
        request,
        who,
        ListPage(
            user.display_name, HERE, [panel], acts=_acts(user), facts=facts,
            crumbs=crumbs_of(HERE), record=user,
        ),
    )  # fmt: skip


@admin_page
def deactivate(request: SandboxRequest, who: Visitor, account: str) -> HttpResponse:
    """Take somebody's access, as `DELETE /rest/api/3/user` does."""
    user = find_user(account)

    def write(sent: PageForm) -> str:
        people.remove_user(user, actor=who.rights)
        return f"{user.display_name} deactivated"

    sheet = FormPage(
        f"Deactivate {user.display_name}?", request.path, f"{AT}/{user.account_id}",
        button="Deactivate", danger=True,
        said="The user loses access to the site, all groups and roles. What the user wrote stays.",
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def reactivate(request: SandboxRequest, who: Visitor, account: str) -> HttpResponse:
    """Give somebody access again: an invitation to the address that they have."""
    user = find_user(account)

    def write(sent: PageForm) -> str:
        if user.email is None:
            raise Invalid("The user has no email address.")
        products = sent.several("products")
        people.invite_user(user.email, products, display_name=None, actor=who.rights)
        return f"{user.display_name} reactivated"

    sheet = FormPage(
        f"Reactivate {user.display_name}?", request.path, f"{AT}/{user.account_id}",
        [_products()], "Reactivate", "The groups that the user was in are not given back.",
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def join(request: SandboxRequest, who: Visitor, account: str) -> HttpResponse:
    """Put somebody into a group."""
    user = find_user(account)
    free = Group.objects.exclude(members__user=user).order_by("name", "id")

    def write(sent: PageForm) -> str:
        group = find_group(sent.text("group"), None)
        group_acts.add_member(group, user, actor=who.rights)
        return f"{user.display_name} added to {group.name}"

    pairs = free.values_list("uuid", "name")
    inputs = [select("group", "Group", pairs, required=True, none="Choose a group")]
    heading = f"Add {user.display_name} to a group"
    sheet = FormPage(heading, request.path, f"{AT}/{user.account_id}", inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def leave(request: SandboxRequest, who: Visitor, account: str) -> HttpResponse:
    """Take somebody out of a group."""
    user = find_user(account)

    def write() -> str:
        group = find_group(posted_text(request, "group"), None)
        group_acts.remove_member(group, user, actor=who.rights)
        return f"{user.display_name} removed from {group.name}"

    return act(request, who, write, back=f"{AT}/{user.account_id}", here=HERE)
