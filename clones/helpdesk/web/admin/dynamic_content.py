"""Admin Center's dynamic content: texts in several languages."""

from __future__ import annotations

from django.db.models import Count
from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import dynamic_content as domain
from clones.helpdesk.models import ContentItem, ContentVariant
from clones.helpdesk.queries.locales import account_locales
from clones.helpdesk.rules.locales import LOCALES
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, area, check, line, select, static
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection

ACTIVE = "admin_dynamic_content"
INPUTS = {"default_locale_id": "locale_id"}


@admin_page
def items(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the items."""
    rows = ContentItem.objects.annotate(languages=Count("variants"))
    rows = pages.searched(request, rows, "name")
    listing = ListPage(
        "Dynamic content",
        ACTIVE,
        [Panel(("Title", "Placeholder", "Variants"), empty="No items.")],
        acts=[pages.creating("Add item", reverse("helpdesk:admin_content_new"))],
        search=pages.search(request),
    )
    return pages.show_list(request, agent, listing, rows.order_by("name", "id"), _line)


@admin_page
def new_item(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new item with its first text, or take it."""

    def write(sent: PageForm) -> WriteResult:
        locale = keys.number(sent.text("locale_id"))
        first = {"locale_id": locale, "content": sent.text("content"), "default": True}
        changes = {"name": sent.text("name"), "default_locale_id": locale, "variants": [first]}
        made = domain.create_item(actor=agent.user, changes=changes)
        return made.name, reverse("helpdesk:admin_content", args=[made.id])

    fields = (
        line("name", "Title", required=True),
        _language(None, "Default language"),
        area("content", "Text", required=True),
    )
    form = Form(
        ACTIVE,
        "New item",
        reverse(f"helpdesk:{ACTIVE}"),
        (FormSection("", fields),),
        submit_label="Create item",
    )
    return pages.ask(request, agent, form, write, names=INPUTS)


@admin_page
def item(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show an item with its variants, or take its new title."""
    found = _item(key)

    def write(sent: PageForm) -> WriteResult:
        saved = domain.rename_item(found, actor=agent.user, name=sent.text("name"))
        return saved.name, reverse("helpdesk:admin_content", args=[key])

    variants = ContentVariant.objects.filter(item=found).order_by("-default", "locale_id")
    fields = (
        line("name", "Title", found.name, required=True),
        static("placeholder", "Placeholder", found.placeholder),
    )
    form = Form(
        ACTIVE,
        found.name,
        reverse(f"helpdesk:{ACTIVE}"),
        (FormSection("", fields),),
        delete_url=reverse("helpdesk:admin_content_delete", args=[key]),
        below=Panel(
            ("Language", "Text", "Status"),
            [_variant_line(variant) for variant in variants],
            "Variants",
            empty="None yet.",
            acts=[
                Action(
                    "Add variant",
                    reverse("helpdesk:admin_variant_new", args=[key]),
                    test_id="admin-variant-add",
                )
            ],
        ),
    )
    return pages.ask(request, agent, form, write, record=found)


@admin_page
def delete_item(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether an item shall go, and let it go."""
    found = _item(key)
    question = ConfirmPage(
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

    def write(sent: PageForm) -> WriteResult:
        changes = {
            "locale_id": keys.number(sent.text("locale_id")),
            "content": sent.text("content"),
            "default": sent.ticked("default"),
            "active": sent.ticked("active"),
        }
        if variant_key is None:
            domain.create_variants(owner, actor=agent.user, given=[changes])
        else:
            domain.update_variants(owner, actor=agent.user, changes=[(found.id, changes)])
        return "Variant", reverse("helpdesk:admin_content", args=[key])

    record = None if variant_key is None else found
    return pages.ask(request, agent, _variant_form(found), write, record=record)


@admin_page
def delete_variant(
    request: SandboxRequest, agent: Agent, key: int, variant_key: int
) -> HttpResponse:
    """Ask whether a text in one language shall go, and let it go."""
    found = domain.variant_of(_item(key), variant_key)
    back = reverse("helpdesk:admin_content", args=[key])
    name = _locale_name(found.locale_id)
    question = ConfirmPage(
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


def _line(found: ContentItem) -> ListRow:
    return linked_row(
        reverse("helpdesk:admin_content", args=[found.id]),
        found.name,
        found.placeholder,
        str(getattr(found, "languages", 0)),
    )


def _variant_line(found: ContentVariant) -> ListRow:
    marks = ["Default"] if found.default else []
    marks += ["Active" if found.active else "Inactive"]
    marks += ["outdated"] if found.outdated else []
    return linked_row(
        reverse("helpdesk:admin_variant", args=[found.item_id, found.id]),
        _locale_name(found.locale_id),
        found.content[:120],
        ", ".join(marks),
    )


def _locale_name(key: int) -> str:
    return next((locale.name for locale in LOCALES if locale.id == key), str(key))


def _variant_form(found: ContentVariant) -> Form:
    new, owner = found._state.adding, found.item
    fields = (
        _language(found.locale_id),
        area("content", "Text", found.content, required=True),
        check("default", "Default variant", on=found.default),
        check("active", "Active", on=found.active),
    )
    return Form(
        ACTIVE,
        f"{owner.name}: {'new variant' if new else _locale_name(found.locale_id)}",
        reverse("helpdesk:admin_content", args=[owner.id]),
        (FormSection("", fields),),
        delete_url=None
        if new or found.default
        else reverse("helpdesk:admin_variant_delete", args=[owner.id, found.id]),
        submit_label="Add variant" if new else "Save",
    )


def _language(now: int | None, label: str = "Language") -> AdminInput:
    return select("locale_id", label, now, [(one.id, one.name) for one in account_locales()])
