"""Admin Center's brands, and the addresses that customers write to."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.http import HttpResponse, QueryDict
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.domain import brands as domain
from clones.helpdesk.models import Brand, SupportAddress
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import Form, Line, Link, Listing, Part, Question
from clones.helpdesk.web.properties import Complaints

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
    if request.method != "POST":
        if found is not None:
            sightings.note(found, "detail")
        return _brand_form(request, agent, found, _brand_values(found))
    values = _brand_sent(request.POST)
    saved, complaints = pages.attempt(
        lambda: (
            domain.create_brand(actor=agent.user, changes=values)
            if found is None
            else domain.update_brand(found, actor=agent.user, changes=values)
        )
    )
    if saved is None:
        again = _brand(key) if key is not None else None
        return _brand_form(request, agent, again, values, complaints)
    return shell.go(reverse("helpdesk:admin_brand", args=[saved.id]), "saved", saved.name)


@admin_page
def delete_brand(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a brand shall go, and let it go."""
    found = _brand(key)
    question = Question(
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
    if request.method != "POST":
        if found is not None:
            sightings.note(found, "detail")
        return _address_form(request, agent, found, _address_values(found))
    values = _address_sent(request.POST)
    saved, complaints = pages.attempt(
        lambda: (
            domain.create_address(actor=agent.user, changes=values)
            if found is None
            else domain.update_address(found, actor=agent.user, changes=values)
        )
    )
    if saved is None:
        again = _address(key) if key is not None else None
        return _address_form(request, agent, again, values, complaints)
    return shell.go(reverse("helpdesk:admin_address", args=[saved.id]), "saved", saved.email)


@admin_page
def delete_address(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a support address shall go, and let it go."""
    found = _address(key)
    question = Question(
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


def _brand_line(found: Brand) -> Line:
    return Line(
        reverse("helpdesk:admin_brand", args=[found.id]),
        (
            f"{found.name} (default)" if found.default else found.name,
            found.subdomain,
            str(getattr(found, "addresses", 0)),
            "Active" if found.active else "Inactive",
        ),
    )


def _brand_values(found: Brand | None) -> dict[str, Any]:
    shown = found or Brand()
    names = ("name", "subdomain", "signature_template", "active", "default")
    return {name: getattr(shown, name) for name in names}


def _brand_sent(post: QueryDict) -> dict[str, Any]:
    texts = {name: post.get(name, "") for name in ("name", "subdomain", "signature_template")}
    return {**texts, **{name: post.get(name) == "true" for name in ("active", "default")}}


def _brand_form(
    request: SandboxRequest,
    agent: Agent,
    found: Brand | None,
    values: dict[str, Any],
    complaints: Complaints | None = None,
) -> HttpResponse:
    def item(name: str, label: str, *, kind: str = "text", required: bool = False) -> Any:
        return forms.field(
            name, label, values[name], kind=kind, required=required, complaints=complaints
        )

    fields = (
        item("name", "Name", required=True),
        item("subdomain", "Subdomain", required=True),
        item("signature_template", "Signature of agents", kind="textarea"),
        item("active", "Active", kind="checkbox"),
        item("default", "Default brand", kind="checkbox"),
    )
    form = Form(
        BRANDS,
        found.name if found is not None else "New brand",
        reverse("helpdesk:admin_brands"),
        (Part("", fields),),
        delete_url=reverse("helpdesk:admin_brand_delete", args=[found.id])
        if found is not None and not found.default
        else None,
        submit_label="Save" if found is not None else "Create brand",
    )
    return pages.show_form(request, agent, form, complaints)


def _address_line(found: SupportAddress) -> Line:
    return Line(
        reverse("helpdesk:admin_address", args=[found.id]),
        (found.email, found.name, found.brand.name, "Default" if found.default else "-"),
    )


def _address_values(found: SupportAddress | None) -> dict[str, Any]:
    if found is None:
        default = Brand.objects.filter(default=True).order_by("id").first()
        brand_id = default.id if default is not None else None
        return {"email": "", "name": "", "brand_id": brand_id, "default": False}
    names = ("email", "name", "brand_id", "default")
    return {name: getattr(found, name) for name in names}


def _address_sent(post: QueryDict) -> dict[str, Any]:
    return {
        "email": post.get("email", "").strip(),
        "name": post.get("name", ""),
        "brand_id": keys.number(post.get("brand_id", "")),
        "default": post.get("default") == "true",
    }


def _address_form(
    request: SandboxRequest,
    agent: Agent,
    found: SupportAddress | None,
    values: dict[str, Any],
    complaints: Complaints | None = None,
) -> HttpResponse:
    options = Brand.objects.order_by("name", "id").values_list("id", "name")
    email = (
        forms.field("email", "Email", values["email"], required=True, complaints=complaints)
        if found is None
        else forms.field("email", "Email", found.email, kind="static")
    )
    fields = (
        email,
        forms.field("name", "Name", values["name"], complaints=complaints),
        forms.select(
            "brand_id", "Brand", str(values["brand_id"] or ""), options, complaints=complaints
        ),
        forms.field(
            "default",
            "Default address: mail goes out from it",
            values["default"],
            kind="checkbox",
            complaints=complaints,
        ),
    )
    form = Form(
        ADDRESSES,
        found.email if found is not None else "New support address",
        reverse("helpdesk:admin_addresses"),
        (Part("", fields),),
        delete_url=reverse("helpdesk:admin_address_delete", args=[found.id])
        if found is not None and not found.default
        else None,
        submit_label="Save" if found is not None else "Add address",
    )
    return pages.show_form(request, agent, form, complaints)
