"""Admin Center's trigger categories: created, renamed, put in order, deleted."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Count
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain import trigger_categories
from clones.helpdesk.domain.errors import CategoryRefused, HelpdeskError, RecordNotFound
from clones.helpdesk.models import TriggerCategory
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, frame
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.properties import Complaints

ACTIVE = "admin_triggers"
LIST = "helpdesk:admin_trigger_categories"


@admin_page
def categories(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the categories in order; a form of the page moves them."""
    if request.method == "POST":
        _move(request, agent)
        return shell.go(reverse(LIST), "rules", "Trigger categories")
    found = list(
        TriggerCategory.objects.annotate(triggers=Count("trigger")).order_by("position", "id")
    )
    for category in found:
        sightings.note(category, "list")
    context = {
        "categories": found,
        "create_url": reverse("helpdesk:admin_trigger_category_new"),
        "back": reverse("helpdesk:admin_triggers"),
    }
    return frame.page(
        request,
        agent,
        "helpdesk/admin/rules/categories.html",
        context,
        title="Trigger categories",
        active=ACTIVE,
    )


def _move(request: SandboxRequest, agent: Agent) -> None:
    post = request.POST
    by = -1 if "up" in post else 1
    keys = list(TriggerCategory.objects.order_by("position", "id").values_list("id", flat=True))
    text = post.get("up", post.get("down", ""))
    at = next((place for place, key in enumerate(keys) if str(key) == text), -1)
    if at < 0 or not 0 <= at + by < len(keys):
        return
    keys[at], keys[at + by] = keys[at + by], keys[at]
    places = [{"id": key, "position": place} for place, key in enumerate(keys)]
    with transaction.atomic():
        trigger_categories.change_places(places, [], actor=agent.user)


@admin_page
def new_category(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new category, or take it."""
    return _form(request, agent, None)


@admin_page
def category(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a category's form, or take it."""
    found = _category(key)
    sightings.note(found, "detail")
    return _form(request, agent, found)


@admin_page
def delete_category(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a category shall go, and let it go."""
    found = _category(key)
    name, said = found.name, ""
    if request.method == "POST":
        try:
            with transaction.atomic():
                trigger_categories.delete_category(found, actor=agent.user)
        except HelpdeskError as error:
            said = str(error)
        else:
            return shell.go(reverse(LIST), "removed", name)
    context = {
        "said": said,
        "consequence": "Its inactive triggers are deleted with it.",
        "back": reverse(LIST),
    }
    return frame.page(
        request,
        agent,
        "helpdesk/admin/confirm.html",
        context,
        title=f"Delete category {name}",
        active=ACTIVE,
        status=422 if said else 200,
    )


def _category(key: int) -> TriggerCategory:
    found = TriggerCategory.objects.filter(id=key).first()
    if found is None:
        raise RecordNotFound("trigger category", key)
    return found


def _form(request: SandboxRequest, agent: Agent, found: TriggerCategory | None) -> HttpResponse:
    name, complaints = found.name if found else "", None
    if request.method == "POST":
        name = request.POST.get("name", "")
        changes: dict[str, Any] = {"name": name}
        try:
            with transaction.atomic():
                if found is None:
                    trigger_categories.create_category(actor=agent.user, changes=changes)
                else:
                    trigger_categories.update_category(found, actor=agent.user, changes=changes)
        except CategoryRefused as error:
            complaints = Complaints({"name": str(error)}, (str(error),))
        else:
            return shell.go(reverse(LIST), "saved", name.strip())
    context = {
        "fields": [
            forms.field("name", "Category name", name, required=True, complaints=complaints)
        ],
        "complaints": complaints.texts if complaints else (),
        "back": reverse(LIST),
        "delete_url": reverse("helpdesk:admin_trigger_category_delete", args=[found.id])
        if found
        else None,
        "submit_label": "Save" if found else "Create category",
    }
    return frame.page(
        request,
        agent,
        "helpdesk/admin/form.html",
        context,
        title="Edit category" if found else "New category",
        active=ACTIVE,
        status=422 if complaints else 200,
    )
