"""Admin Center's custom objects: the list of them, and each with its fields."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain import custom_objects as domain
from clones.helpdesk.models import CustomObject
from clones.helpdesk.queries.custom_objects import fields_of, object_of_key, objects
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import custom_object_fields, forms, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import Form, Line, Link, Listing, Part, Question
from clones.helpdesk.web.properties import Complaints, FieldView

ENTRY = "admin_custom_objects"
TRUNCATED = 92  # characters of a description in the list
NAMES = ("title", "title_pluralized", "description")


def _address(name: str = "", *args: object) -> str:
    return reverse(f"helpdesk:admin_custom_object{name}", args=args)


@admin_page
def custom_objects(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the custom objects by name."""
    rows = objects()
    text = pages.search_text(request)
    if text:
        rows = rows.filter(title__icontains=text)
    listing = Listing(
        ENTRY,
        "Custom objects",
        ("Name", "Object key", "Description"),
        create=Link("Create object", _address("_new"), "admin-create"),
        empty="No custom objects.",
    )
    return pages.show_list(request, agent, listing, rows.order_by("title", "id"), _line)


def _line(found: CustomObject) -> Line:
    text = found.description
    short = text if len(text) <= TRUNCATED else f"{text[:TRUNCATED]}…"
    return Line(_address("", found.key), (found.title, found.key, short), found.id)


@admin_page
def new_object(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new object, or take it."""
    values: dict[str, Any] = dict.fromkeys((*NAMES, "key"), "")
    complaints = None
    if request.method == "POST":
        values = {name: request.POST.get(name, "") for name in values}
        made, complaints = pages.attempt(
            lambda: domain.create_object(actor=agent.user, changes=values)
        )
        if made is not None:
            return shell.go(_address("", made.key), "saved", made.title)
    fields = [
        *_fields(values, complaints),
        forms.field("key", "Object key", values["key"], required=True, complaints=complaints),
    ]
    form = Form(
        ENTRY,
        "Create object",
        reverse(f"helpdesk:{ENTRY}"),
        (Part("", tuple(fields)),),
        submit_label="Create object",
    )
    return pages.show_form(request, agent, form, complaints)


@admin_page
def custom_object(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Show an object's form with its fields below, or take it."""
    found = object_of_key(key)
    values: dict[str, Any] = {name: getattr(found, name) for name in NAMES}
    values["include_in_list_view"] = found.include_in_list_view
    complaints = None
    if request.method == "POST":
        values = {name: request.POST.get(name, "") for name in NAMES}
        values["include_in_list_view"] = "include_in_list_view" in request.POST
        saved, complaints = pages.attempt(
            lambda: domain.update_object(found, actor=agent.user, changes=values)
        )
        if saved is not None:
            return shell.go(_address("", saved.key), "saved", saved.title)
        found = object_of_key(key)
    sightings.note(found, "detail")
    return _show(request, agent, found, values, complaints)


def _show(
    request: SandboxRequest,
    agent: Agent,
    found: CustomObject,
    values: dict[str, Any],
    complaints: Complaints | None,
) -> HttpResponse:
    fields = [
        *_fields(values, complaints),
        forms.field("key", "Object key", found.key, kind="static"),
        forms.field(
            "include_in_list_view",
            "Show on the Custom object records page",
            values["include_in_list_view"],
            kind="checkbox",
        ),
    ]
    rows = list(fields_of(found).order_by("position", "id"))
    for row in rows:
        sightings.note(row, "list")
    form = Form(
        ENTRY,
        found.title,
        reverse(f"helpdesk:{ENTRY}"),
        (Part("", tuple(fields)),),
        delete_url=_address("_delete", found.key),
        links=(
            Link("View records", reverse("helpdesk:records", args=[found.key]), "admin-records"),
            Link("Order fields", _address("_fields", found.key), "admin-order-fields"),
        ),
        extra={
            "below": [custom_object_fields.line(found, row) for row in rows],
            "below_title": "Fields",
            "below_headings": custom_object_fields.HEADINGS,
            "below_link": Link("Add field", _address("_field_new", found.key), "admin-add-field"),
        },
        template="helpdesk/admin/record_with_list.html",
    )
    return pages.show_form(request, agent, form, complaints)


@admin_page
def delete_object(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Ask whether an object shall go, and let it go."""
    found = object_of_key(key)
    question = Question(
        ENTRY,
        f"Delete {found.title}",
        "Its fields and records are deleted for good, and its key cannot be used again.",
        _address("", found.key),
        reverse(f"helpdesk:{ENTRY}"),
        found.title,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_object(found, actor=agent.user)
    )


def _fields(values: dict[str, Any], complaints: Complaints | None) -> list[FieldView]:
    return [
        forms.field("title", "Name", values["title"], required=True, complaints=complaints),
        forms.field(
            "title_pluralized",
            "Plural display name",
            values["title_pluralized"],
            required=True,
            complaints=complaints,
        ),
        forms.field(
            "description",
            "Description",
            values["description"],
            kind="textarea",
            complaints=complaints,
        ),
    ]
