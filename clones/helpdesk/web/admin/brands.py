"""Admin Center's brands, and the addresses that customers write to."""

from __future__ import annotations

from django.db.models import Count
from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.sheets import Said
from clones.helpdesk import queries
from clones.helpdesk.domain import brands as domain
from clones.helpdesk.models import Brand, SupportAddress
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import area, check, line, select, static
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection, Link, Listing, ListItem

BRANDS, ADDRESSES = "admin_brands", "admin_addresses"
STATES = (("", "Any status"), ("active", "Active"), ("inactive", "Inactive"))


@admin_page
def brands(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the brands."""
    state = keys.filter_of(request, "status", "Status", STATES)
    rows = Brand.objects.annotate(addresses=Count("supportaddress"))
    text = pages.search_text(request)
    if text:
        rows = rows.filter(name__icontains=text)
    if state.value:
        rows = rows.filter(active=state.value == "active")
    listing = Listing(
        BRANDS,
        "Brands",
        ("Name", "Subdomain", "Support addresses", "Status"),
        filters=(state,),
        create=Link("Add brand", reverse("helpdesk:admin_brand_new"), "admin-create"),
        empty="No brands.",
    )
    return pages.show_list(request, agent, listing, rows.order_by("name", "id"), _brand_line)


@admin_page
def brand(request: SandboxRequest, agent: Agent, key: int | None = None) -> HttpResponse:
    """Show the form of a brand, or of a new one, or take it."""
    found = _brand(key) if key is not None else None

    def write(sent: PageForm) -> Said:
        texts = {name: sent.text(name) for name in ("name", "subdomain", "signature_template")}
        changes = {**texts, **{name: sent.ticked(name) for name in ("active", "default")}}
        saved = (
            domain.create_brand(actor=agent.user, changes=changes)
            if found is None
            else domain.update_brand(found, actor=agent.user, changes=changes)
        )
        return saved.name, reverse("helpdesk:admin_brand", args=[saved.id])

    shown = found or Brand()
    fields = (
        line("name", "Name", shown.name, required=True),
        line("subdomain", "Subdomain", shown.subdomain, required=True),
        area("signature_template", "Signature of agents", shown.signature_template),
        check("active", "Active", on=shown.active),
        check("default", "Default brand", on=shown.default),
    )
    form = Form(
        BRANDS,
        found.name if found is not None else "New brand",
        reverse("helpdesk:admin_brands"),
        (FormSection("", fields),),
        delete_url=reverse("helpdesk:admin_brand_delete", args=[found.id])
        if found is not None and not found.default
        else None,
        submit_label="Save" if found is not None else "Create brand",
    )
    return pages.ask(request, agent, form, write, record=found)


@admin_page
def delete_brand(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a brand shall go, and let it go."""
    found = _brand(key)
    question = ConfirmPage(
        BRANDS,
        f"Delete brand {found.name}",
        "Its support addresses go with it. Its tickets that are not closed take the default brand.",
        reverse("helpdesk:admin_brand", args=[key]),
        reverse("helpdesk:admin_brands"),
        found.name,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_brand(found, actor=agent.user)
    )


@admin_page
def addresses(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the support addresses."""
    rows = SupportAddress.objects.select_related("brand")
    text = pages.search_text(request)
    if text:
        rows = rows.filter(email__icontains=text)
    listing = Listing(
        ADDRESSES,
        "Support addresses",
        ("Email", "Name", "Brand", "Default"),
        create=Link("Add address", reverse("helpdesk:admin_address_new"), "admin-create"),
        empty="No addresses.",
    )
    return pages.show_list(request, agent, listing, rows.order_by("email", "id"), _address_line)


@admin_page
def address(request: SandboxRequest, agent: Agent, key: int | None = None) -> HttpResponse:
    """Show the form of a support address, or of a new one, or take it."""
    found = _address(key) if key is not None else None

    def write(sent: PageForm) -> Said:
        changes = {
            "email": sent.text("email").strip(),
            "name": sent.text("name"),
            "brand_id": keys.number(sent.text("brand_id")),
            "default": sent.ticked("default"),
        }
        saved = (
            domain.create_address(actor=agent.user, changes=changes)
            if found is None
            else domain.update_address(found, actor=agent.user, changes=changes)
        )
        return saved.email, reverse("helpdesk:admin_address", args=[saved.id])

    brands = Brand.objects.order_by("name", "id").values_list("id", "name")
    default = Brand.objects.filter(default=True).order_by("id").first()
    shown = found or SupportAddress(brand=default)
    fields = (
        line("email", "Email", "", required=True)
        if found is None
        else static("email", "Email", found.email),
        line("name", "Name", shown.name),
        select("brand_id", "Brand", shown.brand_id, brands),
        check("default", "Default address: mail goes out from it", on=shown.default),
    )
    form = Form(
        ADDRESSES,
        found.email if found is not None else "New support address",
        reverse("helpdesk:admin_addresses"),
        (FormSection("", fields),),
        delete_url=reverse("helpdesk:admin_address_delete", args=[found.id])
        if found is not None and not found.default
        else None,
        submit_label="Save" if found is not None else "Add address",
    )
    return pages.ask(request, agent, form, write, record=found)


@admin_page
def delete_address(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a support address shall go, and let it go."""
    found = _address(key)
    question = ConfirmPage(
        ADDRESSES,
        f"Delete address {found.email}",
        "Mail to it makes no tickets any more.",
        reverse("helpdesk:admin_address", args=[key]),
        reverse("helpdesk:admin_addresses"),
        found.email,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_address(found, actor=agent.user)
    )


def _brand(key: int) -> Brand:
    return queries.one(Brand.objects.all(), "brand", key)


def _address(key: int) -> SupportAddress:
    return queries.one(SupportAddress.objects.select_related("brand"), "support address", key)


def _brand_line(found: Brand) -> ListItem:
    return ListItem(
        reverse("helpdesk:admin_brand", args=[found.id]),
        (
            f"{found.name} (default)" if found.default else found.name,
            found.subdomain,
            str(getattr(found, "addresses", 0)),
            "Active" if found.active else "Inactive",
        ),
    )


def _address_line(found: SupportAddress) -> ListItem:
    return ListItem(
        reverse("helpdesk:admin_address", args=[found.id]),
        (found.email, found.name, found.brand.name, "Default" if found.default else "-"),
    )
