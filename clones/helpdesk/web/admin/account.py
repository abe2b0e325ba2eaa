"""Admin Center's account settings, and the reasons that customers give for bad ratings."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain.brands import update_brand
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.domain.uploads import SIZE_LIMIT
from clones.helpdesk.models import Brand, SatisfactionRating, User
from clones.helpdesk.queries.locales import account_locales
from clones.helpdesk.rules.satisfaction_reasons import REASONS
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import Form, Line, Link, Listing, Part

ACTIVE = "admin_account"
SATISFACTION = "admin_satisfaction"


@admin_page
def settings(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show what the account is set to, or take its default brand."""
    default = Brand.objects.filter(default=True).order_by("id").first()
    chosen, complaints = str(default.id) if default is not None else "", None
    if request.method == "POST":
        chosen = request.POST.get("default_brand_id", "")
        saved, complaints = pages.attempt(
            lambda: _make_default(keys.number(chosen), agent.user), {"active": "default_brand_id"}
        )
        if saved is not None:
            return shell.go(reverse(f"helpdesk:{ACTIVE}"), "saved", "Account settings")
    brands = Brand.objects.filter(active=True).order_by("name", "id").values_list("id", "name")
    languages = ", ".join(locale.name for locale in account_locales())
    fields = (
        forms.select("default_brand_id", "Default brand", chosen, brands, complaints=complaints),
        forms.field("languages", "Languages", languages, kind="static"),
        forms.field(
            "attachment_size",
            "Largest attachment",
            f"{SIZE_LIMIT // 1024 // 1024} MB",
            kind="static",
        ),
    )
    form = Form(
        ACTIVE,
        "Account settings",
        reverse("helpdesk:admin"),
        (Part("", fields),),
        links=(Link("Routing configuration", reverse("helpdesk:admin_routing"), "admin-routing"),),
    )
    return pages.show_form(request, agent, form, complaints)


@admin_page
def satisfaction(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the reasons for a bad rating, and how ratings stand."""
    counts = {
        score: SatisfactionRating.objects.filter(score=score).count() for score in ("good", "bad")
    }
    total = sum(counts.values())
    share = f"{100 * counts['good'] / total:.0f}%" if total else "-"
    listing = Listing(
        SATISFACTION,
        "Satisfaction reasons",
        ("Reason", "Code"),
        searched=False,
        note=f"Ratings: {counts['good']} good, {counts['bad']} bad; satisfaction score {share}.",
    )
    lines = [Line("", (reason.text, str(reason.code))) for reason in REASONS]
    return pages.show_all(request, agent, listing, lines)


def _make_default(key: int | None, actor: User) -> Brand:
    found = Brand.objects.filter(id=key or 0).first()
    if found is None:
        raise RecordInvalid.of("default_brand_id", "Brand: is invalid", "InvalidValue")
    return update_brand(found, actor=actor, changes={"default": True})
