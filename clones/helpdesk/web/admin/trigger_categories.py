"""Admin Center's trigger categories: created, renamed, put in order, deleted."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import Count
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain import trigger_categories
from clones.helpdesk.models import TriggerCategory
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import frame
from clones.helpdesk.web.admin.resources import AdminPages


class TriggerCategoryPages(AdminPages[TriggerCategory]):
    """The pages of trigger categories; their list is in their order, and has no search."""

    resource = trigger_categories.TRIGGER_CATEGORY
    entry = "admin_triggers"
    list_name = "admin_trigger_categories"
    page_name = "admin_trigger_category"
    noun = "category"
    create_label = "Create category"
    stays = False
    leaves = "Its inactive triggers are deleted with it."

    def listing(self, request: SandboxRequest, agent: Agent) -> HttpResponse:
        """List the categories in order; a form of the page moves them."""
        if request.method == "POST":
            _move(request, agent)
            return shell.go(self.at(), "rules", "Trigger categories")
        found = list(self.rows().annotate(triggers=Count("trigger")))
        for category in found:
            sightings.note(category, "list")
        context = {
            "categories": found,
            "create_url": self.address(None, "_new"),
            "back": reverse("helpdesk:admin_triggers"),
        }
        return frame.page(
            request,
            agent,
            "helpdesk/admin/rules/categories.html",
            context,
            title="Trigger categories",
            active=self.entry,
        )

    def form_title(self, found: TriggerCategory | None) -> str:
        """Return the heading of a form."""
        return "New category" if found is None else "Edit category"

    def back(self, record: TriggerCategory) -> str:
        """Return the list, which asks whether a category shall go."""
        return self.at()


PAGES: Final = TriggerCategoryPages()


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
