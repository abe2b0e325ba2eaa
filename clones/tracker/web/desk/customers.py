"""The customers of a desk: who may ask it, and the organizations whose people may."""

from __future__ import annotations

import re
from typing import Any, Final

from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import Write
from clones.core.web.inputs import PageForm
from clones.core.web.paging import page_from
from clones.tracker.domain import desk_customers, organizations
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.organizations import GONE
from clones.tracker.models import Organization, OrganizationMember, ServiceDesk, User
from clones.tracker.queries.desks import customers_of, is_agent
from clones.tracker.web.access import Visitor
from clones.tracker.web.desk.access import desk_address, desk_page, form_of_desk, page_of_desk
from clones.tracker.web.parts.asking import ask
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.shell import go

CURRENT: Final = "customers"


@page_of_desk
def customer_list(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the customers of a desk, and its organizations."""
    text = request.GET.get("query", "").strip()
    listed = page_from(request, customers_of(desk, text), name="startIndex")
    found = listed.rows
    for user in found:
        sightings.note(user, "list")
    added = set(desk.customers.filter(user__in=found).values_list("user_id", flat=True))
    belongs: dict[int, list[str]] = {}
    members = OrganizationMember.objects.filter(user__in=found, organization__desks__desk=desk)
    for key, name in members.order_by("id").values_list("user_id", "organization__name"):
        belongs.setdefault(key, []).append(name)
    context = {
        "query": text,
        "lines": [
            (user, belongs.get(user.id, ()), user.id in added and desk.access != "open")
            for user in found
        ],
        "page": listed,
        "works": is_agent(who.rights, desk),
        "shared": list(_organizations(desk)),
    }
    return desk_page(
        request, who, desk, "tracker/desk/customers.html", context,
        title="Customers", current=CURRENT,
    )  # fmt: skip


def _organizations(desk: ServiceDesk) -> Any:
    return Organization.objects.filter(desks__desk=desk).order_by("name", "id")


@page_of_desk
def add_customers(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the form of new customers, or let them in; who has no account is given one."""
    hint = "Separate several with commas. Who has no account yet is given a customer's."
    inputs = [Input("emails", "Email addresses", "area", required=True, hint=hint)]
    sheet = FormPage("Add customers", _at(desk, "add"), desk_address(desk, CURRENT), inputs, "Add")

    def write(sent: PageForm) -> str:
        desk_customers.invite_customers(desk, _emails(sent), actor=who.rights)
        return "Customers added"

    return _ask(request, who, desk, sheet, write)


def _emails(sent: PageForm) -> list[str]:
    return re.split(r"[\s,;]+", sent.text("emails"))


def _at(desk: ServiceDesk, rest: str) -> str:
    return desk_address(desk, f"{CURRENT}/{rest}")


def _ask(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, sheet: FormPage, write: Write
) -> HttpResponse:
    def show(shown: FormPage) -> HttpResponse:
        return desk_page(
            request, who, desk, "tracker/desk/queue_form.html", {"sheet": shown},
            title=shown.heading, current=CURRENT, status=400 if shown.is_refused else 200,
        )  # fmt: skip

    return ask(request, who, sheet, write, show=show)


@form_of_desk
def remove_customer(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, account: str
) -> HttpResponse:
    """Take somebody off a desk's customers."""
    _, refusal = attempt(lambda: desk_customers.remove_customers(desk, [account], actor=who.rights))
    said = "Customer removed" if refusal is None else " ".join(refusal.sentences)
    return go(desk_address(desk, CURRENT), said)


@page_of_desk
def add_organization(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the form of an organization, or let one in; one that is not there is made."""
    hint = "One that is called so already is used."
    inputs = [Input("name", "Organization name", required=True, hint=hint)]
    sheet = FormPage(
        "Add organization",
        _at(desk, "organizations/add"),
        desk_address(desk, CURRENT),
        inputs,
        "Add",
    )

    def write(sent: PageForm) -> str:
        made = organizations.create_organization(sent.text("name"), actor=who.rights)
        organizations.share_desk(desk, made, actor=who.rights)
        return "Organization added"

    return _ask(request, who, desk, sheet, write)


def _organization(desk: ServiceDesk, key: int) -> Organization:
    found: Organization | None = _organizations(desk).filter(id=key).first()
    if found is None:
        raise NotFound(GONE)
    return found


@page_of_desk
def organization_page(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int
) -> HttpResponse:
    """Show an organization and its people."""
    found = _organization(desk, key)
    sightings.note(found, "detail")
    people = User.objects.filter(organizations__organization=found)
    context = {
        "organization": found,
        "people": list(people.order_by("display_name", "id")[:500]),
        "works": is_agent(who.rights, desk),
        "address": _at(desk, f"organizations/{found.id}"),
    }
    return desk_page(
        request, who, desk, "tracker/desk/organization.html", context,
        title=found.name, current=CURRENT,
    )  # fmt: skip


@form_of_desk
def remove_organization(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int
) -> HttpResponse:
    """Take a desk from an organization."""
    found = _organization(desk, key)
    organizations.unshare_desk(desk, found, actor=who.rights)
    return go(desk_address(desk, CURRENT), f"{found.name} removed")


@page_of_desk
def add_people(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Show the form of an organization's new people, or put them in."""
    found = _organization(desk, key)
    page = _at(desk, f"organizations/{found.id}")
    inputs = [Input("emails", "Email addresses", "area", required=True)]
    sheet = FormPage(f"Add people to {found.name}", f"{page}/add", page, inputs, "Add")

    def write(sent: PageForm) -> str:
        users = desk_customers.invite_customers(desk, _emails(sent), actor=who.rights)
        accounts = [user.account_id for user in users]
        organizations.add_organization_users(found, accounts, actor=who.rights)
        return "People added"

    return _ask(request, who, desk, sheet, write)


@form_of_desk
def remove_person(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int, account: str
) -> HttpResponse:
    """Take somebody out of an organization."""
    found = _organization(desk, key)
    organizations.remove_organization_users(found, [account], actor=who.rights)
    return go(_at(desk, f"organizations/{found.id}"), "Removed from the organization")
