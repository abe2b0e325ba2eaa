"""Admin Center's fields of users and of organizations."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.domain import profile_fields as domain
from clones.helpdesk.models import ProfileField
from clones.helpdesk.rules import profile_fields as rules
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import field_options, forms, keys, pages, row_tables
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection, Link, Listing, ListItem
from clones.helpdesk.web.plain_pages import secured
from clones.helpdesk.web.properties import FormErrors

TYPES = {
    "text": "Text",
    "textarea": "Multi-line",
    "checkbox": "Checkbox",
    "date": "Date",
    "integer": "Numeric",
    "decimal": "Decimal",
    "regexp": "Regex",
    "dropdown": "Drop-down",
    "multiselect": "Multi-select",
}
STATES = (("", "Any status"), ("active", "Active"), ("inactive", "Inactive"))
NAMED = {"user": "User fields", "organization": "Organization fields"}


def _active(owner: str) -> str:
    return f"admin_{owner}_fields"


def _address(owner: str, name: str = "", *args: object) -> str:
    return reverse(f"helpdesk:admin_{owner}_field{name}", args=args)


@admin_page
def fields(request: SandboxRequest, agent: Agent, owner: str) -> HttpResponse:
    """List the fields of users, or of organizations, in their order."""
    state = keys.filter_of(request, "status", "Status", STATES)
    rows = ProfileField.objects.filter(owner=owner)
    text = pages.search_text(request)
    if text:
        rows = rows.filter(title__icontains=text)
    if state.value:
        rows = rows.filter(active=state.value == "active")
    listing = Listing(
        _active(owner),
        NAMED[owner],
        ("Display name", "Key", "Type", "Status"),
        filters=(state,),
        create=Link("Add field", _address(owner, "_new"), "admin-create"),
        order_url=_address(owner, "s_order"),
        empty="No fields.",
    )
    return pages.show_list(request, agent, listing, rows.order_by("position", "id"), _line)


@admin_page
def order(request: SandboxRequest, agent: Agent, owner: str) -> HttpResponse:
    """Move a field up or down in the list."""
    rows = ProfileField.objects.filter(owner=owner).order_by("position", "id")
    if request.method == "POST":
        standing = list(rows.values_list("id", flat=True))
        domain.reorder_fields(owner, pages.moved(standing, request.POST), actor=agent.user)
    return secured(HttpResponseRedirect(_address(owner, "s")))


@admin_page
def new_field(request: SandboxRequest, agent: Agent, owner: str) -> HttpResponse:
    """Show the form of a new field of the kind asked for, or take it."""
    kind = request.GET.get("type", "")
    if kind not in TYPES:
        return _choose_type(request, agent, owner)
    blank = ProfileField(owner=owner, type=kind)
    if request.method != "POST":
        return _form(request, agent, blank, _values(blank))
    values = _sent(request.POST)
    complaints = None
    if not row_tables.asks_for_rows(request.POST):
        changes = {"type": kind, "key": values["key"], **_changes(values, kind)}
        made, complaints = pages.attempt(
            lambda: domain.create_field(owner, actor=agent.user, changes=changes)
        )
        if made is not None:
            return shell.go(_address(owner, "", made.id), "saved", made.title)
    return _form(request, agent, blank, values, complaints)


@admin_page
def field(request: SandboxRequest, agent: Agent, owner: str, key: int) -> HttpResponse:
    """Show a field's form, or take it."""
    found = _field(owner, key)
    if request.method != "POST":
        sightings.note(found, "detail")
        return _form(request, agent, found, _values(found))
    values = _sent(request.POST)
    complaints = None
    if not row_tables.asks_for_rows(request.POST):
        changes = _changes(values, found.type)
        saved, complaints = pages.attempt(
            lambda: domain.update_field(found, actor=agent.user, changes=changes)
        )
        if saved is not None:
            return shell.go(_address(owner, "", key), "saved", saved.title)
    return _form(request, agent, _field(owner, key), values, complaints)


@admin_page
def switch(request: SandboxRequest, agent: Agent, owner: str, key: int) -> HttpResponse:
    """Ask whether a field shall be used no longer, or again, and do it."""
    found = _field(owner, key)
    verb = "Deactivate" if found.active else "Activate"
    back = _address(owner, "", key)
    consequence = (
        "It is no longer shown on profiles. Its values stay."
        if found.active
        else "It is shown on profiles again."
    )
    question = ConfirmPage(
        _active(owner), f"{verb} {found.title}", consequence, back, back, found.title, verb, "saved"
    )
    changes = {"active": not found.active}
    return pages.ask_first(
        request,
        agent,
        question,
        lambda: domain.update_field(found, actor=agent.user, changes=changes),
    )


@admin_page
def delete_field(request: SandboxRequest, agent: Agent, owner: str, key: int) -> HttpResponse:
    """Ask whether a field shall go, and let it go."""
    found = _field(owner, key)
    question = ConfirmPage(
        _active(owner),
        f"Delete field {found.title}",
        "Its values are taken out of all profiles. Tags that it set stay.",
        _address(owner, "", key),
        _address(owner, "s"),
        found.title,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_field(found, actor=agent.user)
    )


def _field(owner: str, key: int) -> ProfileField:
    return queries.one(ProfileField.objects.filter(owner=owner), f"{owner} field", key)


def _line(found: ProfileField) -> ListItem:
    return ListItem(
        _address(found.owner, "", found.id),
        (
            found.title,
            found.key,
            f"{TYPES[found.type]} (system)" if found.system else TYPES[found.type],
            "Active" if found.active else "Inactive",
        ),
        found.id,
    )


def _choose_type(request: SandboxRequest, agent: Agent, owner: str) -> HttpResponse:
    """Show the kinds of fields, each a way to its form."""
    address = _address(owner, "_new")
    kinds = [
        Link(label, f"{address}?type={name}", f"admin-field-type-{name}")
        for name, label in TYPES.items()
    ]
    form = Form(
        _active(owner),
        f"New {owner} field",
        _address(owner, "s"),
        (),
        extra={"kinds": kinds},
        template="helpdesk/admin/kinds.html",
    )
    return pages.show_form(request, agent, form)


def _values(found: ProfileField) -> dict[str, Any]:
    names = ("key", "title", "description", "regexp_for_validation", "tag")
    return {
        **{name: getattr(found, name) for name in names},
        "options": field_options.rows_of(found.options),
    }


def _sent(post: QueryDict) -> dict[str, Any]:
    names = ("key", "title", "description", "regexp_for_validation", "tag")
    return {
        **{name: post.get(name, "") for name in names},
        "options": field_options.sent(post),
    }


def _changes(values: dict[str, Any], kind: str) -> dict[str, Any]:
    changes = {name: values[name] for name in ("title", "description")}
    if kind == "regexp":
        changes["regexp_for_validation"] = values["regexp_for_validation"]
    if kind == "checkbox":
        changes["tag"] = values["tag"]
    if kind in rules.WITH_OPTIONS:
        changes["custom_field_options"] = field_options.options_of(values["options"])
    return changes


def _form(
    request: SandboxRequest,
    agent: Agent,
    found: ProfileField,
    values: dict[str, Any],
    complaints: FormErrors | None = None,
) -> HttpResponse:
    known = not found._state.adding
    owner = found.owner
    links: tuple[Link, ...] = ()
    if known:
        verb = "Deactivate" if found.active else "Activate"
        links = (Link(verb, _address(owner, "_switch", found.id), "admin-switch"),)
    title = found.title if known else f"New {TYPES[found.type].lower()} field"
    deletable = known and not found.system
    form = Form(
        _active(owner),
        title if found.active else f"{title} (inactive)",
        _address(owner, "s"),
        _parts(found, values, complaints),
        delete_url=_address(owner, "_delete", found.id) if deletable else None,
        submit_label="Save" if known else "Create field",
        links=links,
    )
    return pages.show_form(request, agent, form, complaints)


def _parts(
    found: ProfileField, values: dict[str, Any], complaints: FormErrors | None
) -> tuple[FormSection, ...]:
    # Of the system's own fields only place and use change.
    frozen = found.system

    def text(name: str, label: str, *, kind: str = "text", required: bool = False) -> Any:
        return forms.field(
            name,
            label,
            values[name],
            kind="static" if frozen else kind,
            required=required,
            complaints=complaints,
        )

    items = [
        forms.field("type", "Type", TYPES[found.type], kind="static"),
        text("title", "Display name", required=True),
        text("key", "Field key", required=True)
        if found._state.adding
        else forms.field("key", "Field key", found.key, kind="static"),
        text("description", "Description", kind="textarea"),
    ]
    if found.type == "regexp":
        items.append(text("regexp_for_validation", "Regex", required=True))
    if found.type == "checkbox":
        items.append(text("tag", "Tag"))
    parts = [FormSection("", tuple(items))]
    if found.type in rules.WITH_OPTIONS and not frozen:
        table = field_options.table(values["options"], complaints, with_default=False)
        parts.append(FormSection("Field values", table=table))
    return tuple(parts)
