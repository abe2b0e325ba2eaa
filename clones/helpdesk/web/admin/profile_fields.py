"""Admin Center's fields of users and of organizations."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import profile_fields as domain
from clones.helpdesk.models import ProfileField
from clones.helpdesk.rules import profile_fields as rules
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import field_options, keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, area, line, static
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection

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
    columns = ("Display name", "Key", "Type", "Status")
    listing = ListPage(
        NAMED[owner],
        _active(owner),
        [Panel(columns, empty="No fields.", order=_address(owner, "s_order"))],
        acts=[pages.creating("Add field", _address(owner, "_new"))],
        search=pages.search(request, state),
    )
    return pages.show_list(request, agent, listing, rows.order_by("position", "id"), _line)


@admin_page
def order(request: SandboxRequest, agent: Agent, owner: str) -> HttpResponse:
    """Move a field up or down in the list."""
    rows = ProfileField.objects.filter(owner=owner).order_by("position", "id")
    write = partial(domain.reorder_fields, owner, actor=agent.user)
    return pages.move(request, rows, write, _address(owner, "s"))


@admin_page
def new_field(request: SandboxRequest, agent: Agent, owner: str) -> HttpResponse:
    """Show the form of a new field of the kind asked for, or take it."""
    kind = request.GET.get("type", "")
    if kind not in TYPES:
        return _choose_type(request, agent, owner)
    blank = ProfileField(owner=owner, type=kind)

    def write(sent: PageForm) -> WriteResult:
        changes = {"type": kind, "key": sent.text("key"), **_changes(sent, blank)}
        made = domain.create_field(owner, actor=agent.user, changes=changes)
        return made.title, _address(owner, "", made.id)

    return pages.ask(request, agent, _form(blank), write, names=field_options.INPUTS)


@admin_page
def field(request: SandboxRequest, agent: Agent, owner: str, key: int) -> HttpResponse:
    """Show a field's form, or take it."""
    found = _field(owner, key)

    def write(sent: PageForm) -> WriteResult:
        saved = domain.update_field(found, actor=agent.user, changes=_changes(sent, found))
        return saved.title, _address(owner, "", key)

    return pages.ask(request, agent, _form(found), write, record=found, names=field_options.INPUTS)


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


def _line(found: ProfileField) -> ListRow:
    return linked_row(
        _address(found.owner, "", found.id),
        found.title,
        found.key,
        f"{TYPES[found.type]} (system)" if found.system else TYPES[found.type],
        "Active" if found.active else "Inactive",
    )


def _choose_type(request: SandboxRequest, agent: Agent, owner: str) -> HttpResponse:
    """Show the kinds of fields, each a way to its form."""
    address = _address(owner, "_new")
    kinds = [
        Action(label, f"{address}?type={name}", test_id=f"admin-field-type-{name}")
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


def _changes(sent: PageForm, found: ProfileField) -> dict[str, Any]:
    changes: dict[str, Any] = {name: sent.text(name) for name in ("title", "description")}
    if found.type == "regexp":
        changes["regexp_for_validation"] = sent.text("regexp_for_validation")
    if found.type == "checkbox":
        changes["tag"] = sent.text("tag")
    if found.type in rules.WITH_OPTIONS:
        options = field_options.options_of(sent.rows(field_options.PREFIX))
        changes["custom_field_options"] = options
    return changes


def _form(found: ProfileField) -> Form:
    known = not found._state.adding
    owner = found.owner
    links: tuple[Action, ...] = ()
    if known:
        verb = "Deactivate" if found.active else "Activate"
        address = _address(owner, "_switch", found.id)
        links = (Action(verb, address, test_id="admin-switch"),)
    title = found.title if known else f"New {TYPES[found.type].lower()} field"
    deletable = known and not found.system
    return Form(
        _active(owner),
        title if found.active else f"{title} (inactive)",
        _address(owner, "s"),
        _parts(found),
        delete_url=_address(owner, "_delete", found.id) if deletable else None,
        submit_label="Save" if known else "Create field",
        links=links,
    )


def _parts(found: ProfileField) -> tuple[FormSection, ...]:
    # Of the system's own fields only place and use change.
    frozen = found.system

    def text(name: str, label: str, *, required: bool = False) -> AdminInput:
        value = getattr(found, name)
        return static(name, label, value) if frozen else line(name, label, value, required=required)

    items = [
        static("type", "Type", TYPES[found.type]),
        text("title", "Display name", required=True),
        line("key", "Field key", found.key, required=True)
        if found._state.adding
        else static("key", "Field key", found.key),
        static("description", "Description", found.description)
        if frozen
        else area("description", "Description", found.description),
    ]
    if found.type == "regexp":
        items.append(text("regexp_for_validation", "Regex", required=True))
    if found.type == "checkbox":
        items.append(text("tag", "Tag"))
    parts = [FormSection("", tuple(items))]
    if found.type in rules.WITH_OPTIONS and not frozen:
        table = field_options.table(found.options, with_default=False)
        parts.append(FormSection("Field values", table=table))
    return tuple(parts)
