"""Admin Center's custom objects: the list of them, and each with its fields."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk.domain import custom_objects as domain
from clones.helpdesk.models import CustomObject
from clones.helpdesk.queries.custom_objects import fields_of, object_of_key, objects
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import custom_object_fields, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, area, check, line, static
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection

ENTRY = "admin_custom_objects"
TRUNCATED = 92  # characters of a description in the list
NAMES = ("title", "title_pluralized", "description")


def _address(name: str = "", *args: object) -> str:
    return reverse(f"helpdesk:admin_custom_object{name}", args=args)


@admin_page
def custom_objects(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the custom objects by name."""
    rows = objects()
    rows = pages.searched(request, rows, "title")
    listing = ListPage(
        "Custom objects",
        ENTRY,
        [Panel(("Name", "Object key", "Description"), empty="No custom objects.")],
        acts=[pages.creating("Create object", _address("_new"))],
        search=pages.search(request),
    )
    return pages.show_list(request, agent, listing, rows.order_by("title", "id"), _line)


def _line(found: CustomObject) -> ListRow:
    text = found.description
    short = text if len(text) <= TRUNCATED else f"{text[:TRUNCATED]}…"
    return linked_row(_address("", found.key), found.title, found.key, short)


@admin_page
def new_object(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new object, or take it."""

    def write(sent: PageForm) -> WriteResult:
        changes = {name: sent.text(name) for name in (*NAMES, "key")}
        made = domain.create_object(actor=agent.user, changes=changes)
        return made.title, _address("", made.key)

    fields = (*_fields(CustomObject()), line("key", "Object key", required=True))
    form = Form(
        ENTRY,
        "Create object",
        reverse(f"helpdesk:{ENTRY}"),
        (FormSection("", fields),),
        submit_label="Create object",
    )
    return pages.ask(request, agent, form, write)


@admin_page
def custom_object(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Show an object's form with its fields below, or take it."""
    found = object_of_key(key)

    def write(sent: PageForm) -> WriteResult:
        changes: dict[str, Any] = {name: sent.text(name) for name in NAMES}
        changes["include_in_list_view"] = sent.ticked("include_in_list_view")
        saved = domain.update_object(found, actor=agent.user, changes=changes)
        return saved.title, _address("", saved.key)

    return pages.ask(request, agent, _form(found), write, record=found)


def _form(found: CustomObject) -> Form:
    """Return an object's form, with its fields below."""
    fields = (
        *_fields(found),
        static("key", "Object key", found.key),
        check(
            "include_in_list_view",
            "Show on the Custom object records page",
            on=found.include_in_list_view,
        ),
    )
    rows = list(fields_of(found).order_by("position", "id"))
    return Form(
        ENTRY,
        found.title,
        reverse(f"helpdesk:{ENTRY}"),
        (FormSection("", fields),),
        delete_url=_address("_delete", found.key),
        links=(
            Action(
                "View records",
                reverse("helpdesk:records", args=[found.key]),
                test_id="admin-records",
            ),
            Action("Order fields", _address("_fields", found.key), test_id="admin-order-fields"),
        ),
        below=Panel(
            custom_object_fields.HEADINGS,
            [custom_object_fields.row_of(found, row) for row in rows],
            "Fields",
            empty="None yet.",
            acts=[
                Action("Add field", _address("_field_new", found.key), test_id="admin-add-field")
            ],
        ),
    )


@admin_page
def delete_object(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Ask whether an object shall go, and let it go."""
    found = object_of_key(key)
    question = ConfirmPage(
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


def _fields(found: CustomObject) -> tuple[AdminInput, ...]:
    return (
        line("title", "Name", found.title, required=True),
        line("title_pluralized", "Plural display name", found.title_pluralized, required=True),
        area("description", "Description", found.description),
    )
