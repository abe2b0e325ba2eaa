"""Admin Center's fields of a custom object."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk.domain import custom_object_fields as domain
from clones.helpdesk.models import CustomObject, CustomObjectField
from clones.helpdesk.queries.custom_objects import field_of, fields_of, object_of_key, objects
from clones.helpdesk.rules import profile_fields as rules
from clones.helpdesk.rules.custom_objects import target_of
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import field_options, keys, pages, profile_fields
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, area, check, line, select, static
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection

ENTRY = "admin_custom_objects"
TYPES = {**profile_fields.TYPES, "lookup": "Lookup relationship"}
TARGETS = {"zen:user": "User", "zen:organization": "Organization", "zen:ticket": "Ticket"}
HEADINGS = ("Display name", "Key", "Type", "Status")
# Inputs of the name's properties, and whether they are boxes, texts or numbers.
PROPERTIES = {
    "autoincrement_enabled": ("Autonumbering", "checkbox"),
    "autoincrement_prefix": ("Prefix", "text"),
    "autoincrement_padding": ("Starting number of digits", "number"),
    "autoincrement_next_sequence": ("Next number", "number"),
    "is_unique": ("Unique names", "checkbox"),
}


def _address(of: CustomObject, name: str = "", *args: object) -> str:
    return reverse(f"helpdesk:admin_custom_object_field{name}", args=[of.key, *args])


def _object_page(of: CustomObject) -> str:
    return reverse("helpdesk:admin_custom_object", args=[of.key])


def row_of(of: CustomObject, found: CustomObjectField) -> ListRow:
    """Return a field as a row of a list."""
    kind = TYPES[found.type]
    return linked_row(
        _address(of, "", found.id),
        found.title,
        found.key,
        f"{kind} (standard)" if found.is_standard else kind,
        "Active" if found.active else "Inactive",
        record=found,
    )


@admin_page
def fields(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """List an object's fields in their order."""
    of = object_of_key(key)
    rows = fields_of(of)
    rows = pages.searched(request, rows, "title")
    listing = ListPage(
        f"{of.title} fields",
        ENTRY,
        [Panel(HEADINGS, empty="No fields.", order=_address(of, "s_order"))],
        acts=[
            Action(f"Back to {of.title}", _object_page(of), test_id="admin-back"),
            pages.creating("Add field", _address(of, "_new")),
        ],
        search=pages.search(request),
    )
    ordered = rows.order_by("position", "id")
    return pages.show_list(request, agent, listing, ordered, lambda found: row_of(of, found))


@admin_page
def order(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Move a field up or down in the list."""
    of = object_of_key(key)
    rows = fields_of(of).order_by("position", "id")
    write = partial(domain.reorder_fields, of, actor=agent.user)
    return pages.move(request, rows, write, _address(of, "s"))


@admin_page
def new_field(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Show the form of a new field of the kind asked for, or take it."""
    of = object_of_key(key)
    kind = request.GET.get("type", "")
    if kind not in TYPES:
        return _choose_type(request, agent, of)
    blank = CustomObjectField(custom_object=of, type=kind, key="")

    def write(sent: PageForm) -> WriteResult:
        changes = {**_changes(sent, blank), "type": kind, "key": sent.text("key")}
        if kind == "lookup":
            changes["relationship_target_type"] = sent.text("relationship_target_type")
        made = domain.create_field(of=of, actor=agent.user, changes=changes)
        return made.title, _address(of, "", made.id)

    return pages.ask(request, agent, _form(blank), write, names=field_options.INPUTS)


@admin_page
def field(request: SandboxRequest, agent: Agent, key: str, field_key: int) -> HttpResponse:
    """Show a field's form, or take it."""
    of = object_of_key(key)
    found = field_of(of, str(field_key))

    def write(sent: PageForm) -> WriteResult:
        saved = domain.update_field(found, actor=agent.user, changes=_changes(sent, found))
        return saved.title, _address(of, "", found.id)

    return pages.ask(request, agent, _form(found), write, record=found, names=field_options.INPUTS)


@admin_page
def switch(request: SandboxRequest, agent: Agent, key: str, field_key: int) -> HttpResponse:
    """Ask whether a field shall be used no longer, or again, and do it."""
    of = object_of_key(key)
    found = field_of(of, str(field_key))
    verb = "Deactivate" if found.active else "Activate"
    back = _address(of, "", found.id)
    consequence = (
        "It is no longer shown on records. Its values stay."
        if found.active
        else "It is shown on records again."
    )
    question = ConfirmPage(
        ENTRY, f"{verb} {found.title}", consequence, back, back, found.title, verb, "saved"
    )
    changes = {"active": not found.active}
    return pages.ask_first(
        request,
        agent,
        question,
        lambda: domain.update_field(found, actor=agent.user, changes=changes),
    )


@admin_page
def delete_field(request: SandboxRequest, agent: Agent, key: str, field_key: int) -> HttpResponse:
    """Ask whether a field shall go, and let it go."""
    of = object_of_key(key)
    found = field_of(of, str(field_key))
    question = ConfirmPage(
        ENTRY,
        f"Delete field {found.title}",
        "Its values are taken out of all records, and its key cannot be used again.",
        _address(of, "", found.id),
        _object_page(of),
        found.title,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_field(found, actor=agent.user)
    )


def _choose_type(request: SandboxRequest, agent: Agent, of: CustomObject) -> HttpResponse:
    """Show the kinds of fields, each a way to its form."""
    kinds = [
        Action(label, f"{_address(of, '_new')}?type={name}", test_id=f"admin-field-type-{name}")
        for name, label in TYPES.items()
    ]
    form = Form(
        ENTRY,
        f"New field of {of.title}",
        _object_page(of),
        (),
        extra={"kinds": kinds},
        template="helpdesk/admin/kinds.html",
    )
    return pages.show_form(request, agent, form)


def _changes(sent: PageForm, found: CustomObjectField) -> dict[str, Any]:
    changes: dict[str, Any] = {name: sent.text(name) for name in ("title", "description")}
    if found.type == "regexp":
        changes["regexp_for_validation"] = sent.text("regexp_for_validation")
    if found.type in rules.WITH_OPTIONS:
        options = field_options.options_of(sent.rows(field_options.PREFIX))
        changes["custom_field_options"] = options
    if found.key == CustomObjectField.NAME:
        changes["properties"] = {name: _property(sent, name) for name in PROPERTIES}
    return changes


def _property(sent: PageForm, name: str) -> object:
    kind, text = PROPERTIES[name][1], sent.text(name)
    if kind == "checkbox":
        return sent.ticked(name)
    number = keys.number(text) if kind == "number" else None
    return text if number is None else number


def _form(found: CustomObjectField) -> Form:
    of, known = found.custom_object, not found._state.adding
    own = known and not found.is_standard
    links: tuple[Action, ...] = ()
    if own:
        verb = "Deactivate" if found.active else "Activate"
        links = (Action(verb, _address(of, "_switch", found.id), test_id="admin-switch"),)
    title = found.title if known else f"New {TYPES[found.type].lower()} field"
    return Form(
        ENTRY,
        title if found.active else f"{title} (inactive)",
        _object_page(of),
        _parts(found),
        delete_url=_address(of, "_delete", found.id) if own else None,
        submit_label="Save" if known else "Create field",
        links=links,
    )


def _parts(found: CustomObjectField) -> tuple[FormSection, ...]:
    items = [
        static("type", "Type", TYPES[found.type]),
        line("title", "Display name", found.title, required=True),
        line("key", "Field key", found.key, required=True)
        if found._state.adding
        else static("key", "Field key", found.key),
        area("description", "Description", found.description),
    ]
    if found.type == "regexp":
        items.append(
            line("regexp_for_validation", "Regex", found.regexp_for_validation, required=True)
        )
    if found.type == "lookup":
        items.append(_target(found))
    parts = [FormSection("", tuple(items))]
    if found.type in rules.WITH_OPTIONS:
        table = field_options.table(found.options, with_default=False)
        parts.append(FormSection("Field values", table=table))
    if found.key == CustomObjectField.NAME:
        parts.append(_naming(found))
    return tuple(parts)


def _target(found: CustomObjectField) -> AdminInput:
    own = {target_of(item.key): item.title for item in objects().order_by("title", "id")}
    name, label, now = "relationship_target_type", "Related object", found.relationship_target_type
    options = {**TARGETS, **own}
    if not found._state.adding:
        return static(name, label, options.get(now or "", now or ""))
    return select(name, label, now, options.items(), required=True)


def _naming(found: CustomObjectField) -> FormSection:
    values = {name: found.properties.get(name, "") for name in PROPERTIES}
    items = [
        check(name, label, on=bool(values[name]))
        if kind == "checkbox"
        else line(name, label, str(values[name]))
        for name, (label, kind) in PROPERTIES.items()
    ]
    return FormSection(
        "Autonumbering and uniqueness",
        tuple(items),
        note="These cannot be changed once there are records.",
        about="properties",
    )
