"""Admin Center's dynamic content: texts in several languages."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.http import HttpResponse, QueryDict
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.domain import dynamic_content as domain
from clones.helpdesk.models import ContentItem, ContentVariant, User
from clones.helpdesk.queries.locales import account_locales
from clones.helpdesk.rules.locales import LOCALES
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import Form, Line, Link, Listing, Part, Question
from clones.helpdesk.web.properties import Complaints

ACTIVE = "admin_dynamic_content"
INPUTS = {"default_locale_id": "locale_id"}


@admin_page
def items(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the items."""
    rows = ContentItem.objects.annotate(languages=Count("variants"))
    text = pages.search_text(request)
    if text:
        rows = rows.filter(name__icontains=text)
    listing = Listing(
        ACTIVE,
        "Dynamic content",
        ("Title", "Placeholder", "Variants"),
        create=Link("Add item", reverse("helpdesk:admin_content_new"), "admin-create"),
        empty="No items.",
    )
    return pages.show_list(request, agent, listing, rows.order_by("name", "id"), _line)


@admin_page
def new_item(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new item with its first text, or take it."""
    post = request.POST
    values = {name: post.get(name, "") for name in ("name", "locale_id", "content")}
    complaints = None
    if request.method == "POST":
        locale = keys.number(values["locale_id"])
        first = {"locale_id": locale, "content": values["content"], "default": True}
        changes = {"name": values["name"], "default_locale_id": locale, "variants": [first]}
        made, complaints = pages.attempt(
            lambda: domain.create_item(actor=agent.user, changes=changes), INPUTS
        )
        if made is not None:
            return shell.go(reverse("helpdesk:admin_content", args=[made.id]), "saved", made.name)
    fields = (
        forms.field("name", "Title", values["name"], required=True, complaints=complaints),
        _language(values["locale_id"], complaints, "Default language"),
        _text(values["content"], complaints),
    )
    form = Form(
        ACTIVE,
        "New item",
        reverse(f"helpdesk:{ACTIVE}"),
        (Part("", fields),),
        submit_label="Create item",
    )
    return pages.show_form(request, agent, form, complaints)


@admin_page
def item(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show an item with its variants, or take its new title."""
    found = _item(key)
    name, complaints = found.name, None
    if request.method == "POST":
        name = request.POST.get("name", "")
        saved, complaints = pages.attempt(
            lambda: domain.rename_item(found, actor=agent.user, name=name)
        )
        if saved is not None:
            return shell.go(reverse("helpdesk:admin_content", args=[key]), "saved", saved.name)
        found = _item(key)
    sightings.note(found, "detail")
    variants = ContentVariant.objects.filter(item=found).order_by("-default", "locale_id")
    fields = (
        forms.field("name", "Title", name, required=True, complaints=complaints),
        forms.field("placeholder", "Placeholder", found.placeholder, kind="static"),
    )
    form = Form(
        ACTIVE,
        found.name,
        reverse(f"helpdesk:{ACTIVE}"),
        (Part("", fields),),
        delete_url=reverse("helpdesk:admin_content_delete", args=[key]),
        extra={
            "below": [_variant_line(variant) for variant in variants],
            "below_title": "Variants",
            "below_headings": ("Language", "Text", "Status"),
            "below_link": Link(
                "Add variant",
                reverse("helpdesk:admin_variant_new", args=[key]),
                "admin-variant-add",
            ),
        },
        template="helpdesk/admin/record_with_list.html",
    )
    return pages.show_form(request, agent, form, complaints)


@admin_page
def delete_item(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether an item shall go, and let it go."""
    found = _item(key)
    question = Question(
        ACTIVE,
        f"Delete item {found.name}",
        f"Texts that refer to it show {found.placeholder} itself.",
        reverse("helpdesk:admin_content", args=[key]),
        reverse(f"helpdesk:{ACTIVE}"),
        found.name,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_item(found, actor=agent.user)
    )


@admin_page
def variant(
    request: SandboxRequest, agent: Agent, key: int, variant_key: int | None = None
) -> HttpResponse:
    """Show the form of a text in one language, or of a new one, or take it."""
    owner = _item(key)
    found = ContentVariant(item=owner)
    if variant_key is not None:
        found = domain.variant_of(owner, variant_key)
    if request.method != "POST":
        if variant_key is not None:
            sightings.note(found, "detail")
        return _variant_form(request, agent, found, _variant_values(found))
    values = _variant_sent(request.POST)
    _, complaints = pages.attempt(lambda: _write_variant(found, values, agent.user))
    if complaints is not None:
        again = domain.variant_of(owner, variant_key) if variant_key is not None else found
        return _variant_form(request, agent, again, values, complaints)
    return shell.go(reverse("helpdesk:admin_content", args=[key]), "saved", "Variant")


@admin_page
def delete_variant(
    request: SandboxRequest, agent: Agent, key: int, variant_key: int
) -> HttpResponse:
    """Ask whether a text in one language shall go, and let it go."""
    found = domain.variant_of(_item(key), variant_key)
    back = reverse("helpdesk:admin_content", args=[key])
    name = _locale_name(found.locale_id)
    question = Question(
        ACTIVE,
        f"Delete variant {name}",
        "Readers of this language read the default text.",
        reverse("helpdesk:admin_variant", args=[key, variant_key]),
        back,
        f"Variant {name}",
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_variant(found, actor=agent.user)
    )


def _item(key: int) -> ContentItem:
    return queries.one(ContentItem.objects.all(), "item", key)


def _line(found: ContentItem) -> Line:
    return Line(
        reverse("helpdesk:admin_content", args=[found.id]),
        (found.name, found.placeholder, str(getattr(found, "languages", 0))),
    )


def _variant_line(found: ContentVariant) -> Line:
    marks = ["Default"] if found.default else []
    marks += ["Active" if found.active else "Inactive"]
    marks += ["outdated"] if found.outdated else []
    return Line(
        reverse("helpdesk:admin_variant", args=[found.item_id, found.id]),
        (_locale_name(found.locale_id), found.content[:120], ", ".join(marks)),
    )


def _locale_name(key: int) -> str:
    return next((locale.name for locale in LOCALES if locale.id == key), str(key))


def _write_variant(
    found: ContentVariant, values: dict[str, Any], actor: User
) -> list[ContentVariant]:
    changes = {**values, "locale_id": keys.number(values["locale_id"])}
    if found._state.adding:
        return domain.create_variants(found.item, actor=actor, given=[changes])
    return domain.update_variants(found.item, actor=actor, changes=[(found.id, changes)])


def _variant_values(found: ContentVariant) -> dict[str, Any]:
    names = ("content", "default", "active")
    locale = str(found.locale_id or "")
    return {"locale_id": locale, **{name: getattr(found, name) for name in names}}


def _variant_sent(post: QueryDict) -> dict[str, Any]:
    return {
        "locale_id": post.get("locale_id", ""),
        "content": post.get("content", ""),
        "default": post.get("default") == "true",
        "active": post.get("active") == "true",
    }


def _variant_form(
    request: SandboxRequest,
    agent: Agent,
    found: ContentVariant,
    values: dict[str, Any],
    complaints: Complaints | None = None,
) -> HttpResponse:
    new, owner = found._state.adding, found.item
    fields = (
        _language(values["locale_id"], complaints),
        _text(values["content"], complaints),
        forms.field(
            "default", "Default variant", values["default"], kind="checkbox", complaints=complaints
        ),
        forms.field("active", "Active", values["active"], kind="checkbox", complaints=complaints),
    )
    form = Form(
        ACTIVE,
        f"{owner.name}: {'new variant' if new else _locale_name(found.locale_id)}",
        reverse("helpdesk:admin_content", args=[owner.id]),
        (Part("", fields),),
        delete_url=None
        if new or found.default
        else reverse("helpdesk:admin_variant_delete", args=[owner.id, found.id]),
        submit_label="Add variant" if new else "Save",
    )
    return pages.show_form(request, agent, form, complaints)


def _language(chosen: str, complaints: Complaints | None, label: str = "Language") -> Any:
    options = [(locale.id, locale.name) for locale in account_locales()]
    return forms.select("locale_id", label, chosen, options, complaints=complaints)


def _text(content: str, complaints: Complaints | None) -> Any:
    return forms.field(
        "content", "Text", content, kind="textarea", required=True, complaints=complaints
    )
