"""Admin Center's trigger categories: created, renamed, put in order, deleted."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Count
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.sheets import Said
from clones.helpdesk.domain import trigger_categories
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import TriggerCategory
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import frame, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import line
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection

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
    return _form(request, agent, _category(key))


@admin_page
def delete_category(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a category shall go, and let it go."""
    found = _category(key)
    question = ConfirmPage(
        ACTIVE,
        f"Delete category {found.name}",
        "Its inactive triggers are deleted with it.",
        reverse(LIST),
        reverse(LIST),
        found.name,
    )
    return pages.ask_first(
        request,
        agent,
        question,
        lambda: trigger_categories.delete_category(found, actor=agent.user),
    )


def _category(key: int) -> TriggerCategory:
    found = TriggerCategory.objects.filter(id=key).first()
    if found is None:
        raise RecordNotFound("trigger category", key)
    return found


def _form(request: SandboxRequest, agent: Agent, found: TriggerCategory | None) -> HttpResponse:
    def write(sent: PageForm) -> Said:
        name = sent.text("name")
        if found is None:
            trigger_categories.create_category(actor=agent.user, changes={"name": name})
        else:
            trigger_categories.update_category(found, actor=agent.user, changes={"name": name})
        return name.strip(), reverse(LIST)

    name = line("name", "Category name", found.name if found else "", required=True)
    form = Form(
        ACTIVE,
        "Edit category" if found else "New category",
        reverse(LIST),
        (FormSection("", (name,)),),
        delete_url=reverse("helpdesk:admin_trigger_category_delete", args=[found.id])
        if found
        else None,
        submit_label="Save" if found else "Create category",
    )
    return pages.ask(request, agent, form, write, record=found)
