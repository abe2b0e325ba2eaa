"""The Custom object records page: lists of records, and each record's own page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import FormErrors
from clones.core.web.paging import page_of
from clones.helpdesk.domain import custom_records as domain
from clones.helpdesk.domain.object_access import check_scope, listed_objects, scopes_of
from clones.helpdesk.models import CustomObject, CustomObjectRecord
from clones.helpdesk.queries.custom_objects import name_field, object_of_key, record
from clones.helpdesk.queries.record_search import matching
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.custom_record_form import (
    RecordForm,
    cell_text,
    changes_of,
    fields_for,
    form_fields,
    lookup_titles,
    posted_form,
    standing_form,
)
from clones.helpdesk.web.form_errors import attempt
from clones.helpdesk.web.lookups import plain
from clones.helpdesk.web.profile_form import attempt_form
from clones.helpdesk.web.times import ShownTime, Times

COLUMNS = 4  # of an object's own fields in its list


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record in the list: where it leads, and its cells."""

    url: str
    name: str
    cells: tuple[str, ...]
    updated: ShownTime


@agent_page
def first_object(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Lead to the records of the first object that the agent may see, or say that there is none."""
    found = listed_objects(agent.user).order_by("title", "id").first()
    if found is not None:
        return shell.go(reverse("helpdesk:records", args=[found.key]))
    context: dict[str, Any] = {"objects": [], "page": None}
    return _list_page(request, agent, "Custom object records", context)


@agent_page
def records(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """List the records of an object, or those that a text finds, latest change first."""
    found = object_of_key(key)
    check_scope(agent.user, found, "read")
    wanted = plain(request.GET.get("q", ""))
    rows = matching(found, wanted)
    order = ("-score", "-updated_at", "-id") if wanted else ("-updated_at", "-id")
    page = page_of(request, rows.order_by(*order))
    fields = fields_for(found, agent.user)[:COLUMNS]
    titles = lookup_titles(fields, [item.custom_object_fields for item in page.rows])
    times = Times(agent.user)
    for item in page.rows:
        sightings.note(item, "list")
    lines = [
        RecordRow(
            reverse("helpdesk:record", args=[found.key, item.id]),
            item.name,
            tuple(
                cell_text(field, item.custom_object_fields.get(field.key), titles)
                for field in fields
            ),
            times.show(item.updated_at),
        )
        for item in page.rows
    ]
    context: dict[str, Any] = {
        "objects": list(listed_objects(agent.user).order_by("title", "id")),
        "object": found,
        "page": page,
        "lines": lines,
        "headings": [name_field(found).title, *(field.title for field in fields)],
        "wanted": request.GET.get("q", ""),
        "may_create": "create" in scopes_of(agent.user, found.key),
    }
    return _list_page(request, agent, found.title_pluralized, context)


def _list_page(
    request: SandboxRequest, agent: Agent, title: str, context: dict[str, Any]
) -> HttpResponse:
    template = "helpdesk/records.html"
    return shell.page(request, agent, template, context, title=title, active="objects")


@agent_page
def new_record(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Show the form of a new record, or take it."""
    found = object_of_key(key)
    check_scope(agent.user, found, "create")
    form = standing_form(found, None, agent.user, editable=True)
    if request.method == "POST":
        form = posted_form(request.POST, form)
        changes, fields = changes_of(form), form_fields(form)
        made, errors = attempt_form(
            lambda: domain.create_record(found, actor=agent.user, changes=changes), fields
        )
        if made is not None:
            address = reverse("helpdesk:record", args=[found.key, made.id])
            return shell.go(address, "record_created", made.name)
        form.errors = errors or FormErrors()
    return _form_page(request, agent, form)


@agent_page
def record_page(request: SandboxRequest, agent: Agent, key: str, record_key: str) -> HttpResponse:
    """Show a record, or take what was changed of it."""
    scope = "update" if request.method == "POST" else "read"
    found, item = _record(agent, key, record_key, scope)
    scopes = scopes_of(agent.user, found.key)
    form = standing_form(found, item, agent.user, editable="update" in scopes)
    if request.method == "POST":
        form = posted_form(request.POST, form)
        shown, changes, fields = item, changes_of(form), form_fields(form)
        saved, errors = attempt_form(
            lambda: domain.update_record(shown, actor=agent.user, changes=changes), fields
        )
        if saved is not None:
            address = reverse("helpdesk:record", args=[found.key, saved.id])
            return shell.go(address, "saved", saved.name)
        form.errors = errors or FormErrors()
        item = record(found, record_key)
    sightings.note(item, "detail")
    return _form_page(request, agent, form, item, deletable="delete" in scopes)


@agent_page
def delete(request: SandboxRequest, agent: Agent, key: str, record_key: str) -> HttpResponse:
    """Ask whether a record shall go, and let it go."""
    found, item = _record(agent, key, record_key, "delete")
    failures: list[str] = []
    if request.method == "POST":
        name = item.name
        _, errors = attempt(lambda: domain.delete_record(item, actor=agent.user))
        if errors is None:
            return shell.go(reverse("helpdesk:records", args=[found.key]), "removed", name)
        failures = errors.sentences
    context = {"object": found, "record": item, "failures": failures}
    return shell.page(
        request,
        agent,
        "helpdesk/record_delete.html",
        context,
        title=f"Delete {item.name}?",
        active="objects",
        status=422 if failures else 200,
    )


def _record(
    agent: Agent, key: str, record_key: str, scope: str
) -> tuple[CustomObject, CustomObjectRecord]:
    found = object_of_key(key)
    check_scope(agent.user, found, scope)
    item = record(found, record_key)
    item.custom_object = found
    return found, item


def _form_page(
    request: SandboxRequest,
    agent: Agent,
    form: RecordForm,
    item: CustomObjectRecord | None = None,
    *,
    deletable: bool = False,
) -> HttpResponse:
    times = Times(agent.user)
    context = {
        "object": form.of,
        "record": item,
        "created": None if item is None else times.show(item.created_at),
        "updated": None if item is None else times.show(item.updated_at),
        "form": form,
        "fields": form_fields(form),
        "deletable": deletable,
    }
    return shell.page(
        request,
        agent,
        "helpdesk/record.html",
        context,
        title=f"New {form.of.title.lower()}" if item is None else item.name,
        active="objects",
        status=422 if form.errors.sentences else 200,
    )
