"""Admin Center's account settings, and the reasons that customers give for bad ratings."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, Panel, linked_row
from clones.helpdesk.domain.brands import update_brand
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.domain.uploads import SIZE_LIMIT
from clones.helpdesk.models import Brand, SatisfactionRating, User
from clones.helpdesk.queries.locales import account_locales
from clones.helpdesk.rules.satisfaction_reasons import REASONS
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import select, static
from clones.helpdesk.web.admin.pages import Form, FormSection

ACTIVE = "admin_account"
SATISFACTION = "admin_satisfaction"


@admin_page
def settings(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show what the account is set to, or take its default brand."""
    default = Brand.objects.filter(default=True).order_by("id").first()

    def write(sent: PageForm) -> WriteResult:
        _make_default(keys.number(sent.text("default_brand_id")), agent.user)
        return "Account settings", reverse(f"helpdesk:{ACTIVE}")

    brands = Brand.objects.filter(active=True).order_by("name", "id").values_list("id", "name")
    languages = ", ".join(locale.name for locale in account_locales())
    size = f"{SIZE_LIMIT // 1024 // 1024} MB"
    fields = (
        select("default_brand_id", "Default brand", default.id if default else None, brands),
        static("languages", "Languages", languages),
        static("attachment_size", "Largest attachment", size),
    )
    form = Form(
        ACTIVE,
        "Account settings",
        reverse("helpdesk:admin"),
        (FormSection("", fields),),
        links=(
            Action(
                "Routing configuration", reverse("helpdesk:admin_routing"), test_id="admin-routing"
            ),
        ),
    )
    return pages.ask(request, agent, form, write, names={"active": "default_brand_id"})


@admin_page
def satisfaction(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the reasons for a bad rating, and how ratings stand."""
    counts = {
        score: SatisfactionRating.objects.filter(score=score).count() for score in ("good", "bad")
    }
    total = sum(counts.values())
    share = f"{100 * counts['good'] / total:.0f}%" if total else "-"
    listing = ListPage(
        "Satisfaction reasons",
        SATISFACTION,
        [Panel(("Reason", "Code"), empty="Nothing here.")],
        said=f"Ratings: {counts['good']} good, {counts['bad']} bad; satisfaction score {share}.",
    )
    lines = [linked_row("", reason.text, str(reason.code)) for reason in REASONS]
    return pages.show_all(request, agent, listing, lines)


def _make_default(key: int | None, actor: User) -> Brand:
    found = Brand.objects.filter(id=key or 0).first()
    if found is None:
        raise RecordInvalid.of("default_brand_id", "Brand: is invalid", "InvalidValue")
    return update_brand(found, actor=actor, changes={"default": True})
