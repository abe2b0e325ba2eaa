"""Admin Center's fields of a custom object."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk.domain import custom_object_fields as domain
from clones.helpdesk.models import CustomObject, CustomObjectField
from clones.helpdesk.queries.custom_objects import field_of, fields_of, object_of_key, objects
from clones.helpdesk.rules import profile_fields as rules
from clones.helpdesk.rules.custom_objects import target_of
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import field_options, forms, keys, pages, profile_fields, row_tables
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection
from clones.helpdesk.web.plain_pages import secured
from clones.helpdesk.web.properties import FieldView, FormErrors

ENTRY = "admin_custom_objects"
TYPES = {**profile_fields.TYPES, "lookup": "Lookup relationship"}
TARGETS = {"zen:user": "User", "zen:organization": "Organization", "zen:ticket": "Ticket"}
HEADINGS = ("Display name", "Key", "Type", "Status")
TEXTS = ("key", "title", "description", "regexp_for_validation", "relationship_target_type")
# Inputs of the name's properties, and whether they are boxes, texts or numbers.
PROPERTIES = {
    "autoincrement_enabled": ("Autonumbering", "checkbox"),
    "autoincrement_prefix": ("Prefix", "text"),
    "autoincrement_padding": ("Starting number of digits", "number"),
    "autoincrement_next_sequence": ("Next number", "number"),
    "is_unique": ("Unique names", "checkbox"),
}
Values = dict[str, Any]


def _address(of: CustomObject, name: str = "", *args: object) -> str:
    return reverse(f"helpdesk:admin_custom_object_field{name}", args=[of.key, *args])


def _object_page(of: CustomObject) -> str:
    return reverse("helpdesk:admin_custom_object", args=[of.key])


def line(of: CustomObject, found: CustomObjectField) -> ListRow:
    """Return a field as a row of a list."""
    kind = TYPES[found.type]
    return linked_row(
        _address(of, "", found.id),
        found.title,
        found.key,
        f"{kind} (standard)" if found.is_standard else kind,
        "Active" if found.active else "Inactive",
    )


@admin_page
def fields(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """List an object's fields in their order."""
    of = object_of_key(key)
    rows = fields_of(of)
    text = pages.search_text(request)
    if text:
        rows = rows.filter(title__icontains=text)
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
    return pages.show_list(request, agent, listing, ordered, lambda found: line(of, found))


@admin_page
def order(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Move a field up or down in the list."""
    of = object_of_key(key)
    if request.method == "POST":
        rows = fields_of(of).order_by("position", "id")
        standing = list(rows.values_list("id", flat=True))
        domain.reorder_fields(of, pages.moved(standing, request.POST), actor=agent.user)
    return secured(HttpResponseRedirect(_address(of, "s")))


@admin_page
def new_field(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Show the form of a new field of the kind asked for, or take it."""
    of = object_of_key(key)
    kind = request.GET.get("type", "")
    if kind not in TYPES:
        return _choose_type(request, agent, of)
    blank = CustomObjectField(custom_object=of, type=kind, key="")
    if request.method != "POST":
        return _form(request, agent, blank, _values(blank))
    values = _sent(request.POST)
    complaints = None
    if not row_tables.asks_for_rows(request.POST):
        changes = {**_changes(values, blank), "type": kind, "key": values["key"]}
        if kind == "lookup":
            changes["relationship_target_type"] = values["relationship_target_type"]
        made, complaints = pages.attempt(
            lambda: domain.create_field(of=of, actor=agent.user, changes=changes)
        )
        if made is not None:
            return shell.go(_address(of, "", made.id), "saved", made.title)
    return _form(request, agent, blank, values, complaints)


@admin_page
def field(request: SandboxRequest, agent: Agent, key: str, field_key: int) -> HttpResponse:
    """Show a field's form, or take it."""
    of = object_of_key(key)
    found = field_of(of, str(field_key))
    if request.method != "POST":
        sightings.note(found, "detail")
        return _form(request, agent, found, _values(found))
    values = _sent(request.POST)
    complaints = None
    if not row_tables.asks_for_rows(request.POST):
        changes = _changes(values, found)
        saved, complaints = pages.attempt(
            lambda: domain.update_field(found, actor=agent.user, changes=changes)
        )
        if saved is not None:
            return shell.go(_address(of, "", found.id), "saved", saved.title)
    return _form(request, agent, field_of(of, str(field_key)), values, complaints)


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


def _values(found: CustomObjectField) -> Values:
    return {
        **{name: getattr(found, name) or "" for name in TEXTS},
        "options": field_options.rows_of(found.options),
        **{name: found.properties.get(name, "") for name in PROPERTIES},
    }


def _sent(post: QueryDict) -> Values:
    return {
        **{name: post.get(name, "") for name in TEXTS},
        "options": field_options.sent(post),
        **{name: _property(post, name) for name in PROPERTIES},
    }


def _property(post: QueryDict, name: str) -> Any:
    kind, text = PROPERTIES[name][1], post.get(name, "")
    if kind == "checkbox":
        return name in post
    number = keys.number(text) if kind == "number" else None
    return text if number is None else number


def _changes(values: Values, found: CustomObjectField) -> Values:
    changes = {name: values[name] for name in ("title", "description")}
    if found.type == "regexp":
        changes["regexp_for_validation"] = values["regexp_for_validation"]
    if found.type in rules.WITH_OPTIONS:
        changes["custom_field_options"] = field_options.options_of(values["options"])
    if found.key == CustomObjectField.NAME:
        changes["properties"] = {name: values[name] for name in PROPERTIES}
    return changes


def _form(
    request: SandboxRequest,
    agent: Agent,
    found: CustomObjectField,
    values: Values,
    complaints: FormErrors | None = None,
) -> HttpResponse:
    of, known = found.custom_object, not found._state.adding
    own = known and not found.is_standard
    links: tuple[Action, ...] = ()
    if own:
        verb = "Deactivate" if found.active else "Activate"
        links = (Action(verb, _address(of, "_switch", found.id), test_id="admin-switch"),)
    title = found.title if known else f"New {TYPES[found.type].lower()} field"
    form = Form(
        ENTRY,
        title if found.active else f"{title} (inactive)",
        _object_page(of),
        _parts(found, values, complaints),
        delete_url=_address(of, "_delete", found.id) if own else None,
        submit_label="Save" if known else "Create field",
        links=links,
    )
    return pages.show_form(request, agent, form, complaints)


def _parts(
    found: CustomObjectField, values: Values, complaints: FormErrors | None
) -> tuple[FormSection, ...]:
    def text(name: str, label: str, *, kind: str = "text", required: bool = False) -> FieldView:
        return forms.field(
            name, label, values[name], kind=kind, required=required, complaints=complaints
        )

    new = found._state.adding
    items = [
        forms.field("type", "Type", TYPES[found.type], kind="static"),
        text("title", "Display name", required=True),
        text("key", "Field key", required=True)
        if new
        else forms.field("key", "Field key", found.key, kind="static"),
        text("description", "Description", kind="textarea"),
    ]
    if found.type == "regexp":
        items.append(text("regexp_for_validation", "Regex", required=True))
    if found.type == "lookup":
        items.append(_target(found, values, complaints))
    parts = [FormSection("", tuple(items))]
    if found.type in rules.WITH_OPTIONS:
        table = field_options.table(values["options"], complaints, with_default=False)
        parts.append(FormSection("Field values", table=table))
    if found.key == CustomObjectField.NAME:
        parts.append(_naming(values, complaints))
    return tuple(parts)


def _target(found: CustomObjectField, values: Values, complaints: FormErrors | None) -> FieldView:
    own = {target_of(item.key): item.title for item in objects().order_by("title", "id")}
    name, label = "relationship_target_type", "Related object"
    options = {**TARGETS, **own}
    if not found._state.adding:
        return forms.field(name, label, options.get(values[name], values[name]), kind="static")
    return forms.select(
        name, label, values[name], list(options.items()), required=True, complaints=complaints
    )


def _naming(values: Values, complaints: FormErrors | None) -> FormSection:
    error = complaints.by_input.get("properties", "") if complaints else ""
    items = [
        forms.field(name, label, values[name], kind="checkbox" if kind == "checkbox" else "text")
        for name, (label, kind) in PROPERTIES.items()
    ]
    note = error or "These cannot be changed once there are records."
    return FormSection("Autonumbering and uniqueness", tuple(items), note=note)
