"""What is kept of the navigator: columns, and queries as filters; and help for who types one."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.template.loader import render_to_string

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text, posted_texts
from clones.tracker.domain import filters, people
from clones.tracker.domain.errors import TrackerError
from clones.tracker.queries.searching import planned_search, site_of
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor, form_of_staff, page_of_staff, safe_return
from clones.tracker.web.navigator.columns import all_columns
from clones.tracker.web.navigator.completing import options_at, place_of
from clones.tracker.web.navigator.list_page import list_page
from clones.tracker.web.navigator.query_params import ADDRESS, NavigatorQuery
from clones.tracker.web.plain_pages import secured
from clones.tracker.web.shell import go

LONGEST = 20_000


@form_of_staff
def set_columns(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Keep which columns lists show: the visitor's own, or a filter's, or neither any more."""
    wanted, whose = posted_texts(request, "column"), posted_text(request, "for")
    known = all_columns(who.rights)
    chosen = [id for id in wanted if id in known]
    back = safe_return(posted_text(request, "back", ADDRESS))
    if whose == "reset" or (whose == "mine" and not chosen):
        people.reset_columns(who.user, actor=who.rights)
    elif whose == "mine":
        people.set_columns(who.user, chosen, actor=who.rights)
        # A filter's own columns would hide what was just chosen.
        if "filter=" in back and "columns=mine" not in back:
            back = f"{back}&columns=mine"
    else:
        saved = filters.find_filter(who.rights, whose.removeprefix("reset-"))
        if whose.startswith("reset-") or not chosen:
            filters.reset_columns(saved, actor=who.rights)
        else:
            filters.set_columns(saved, chosen, actor=who.rights)
        back = back.replace("&columns=mine", "")
    return go(back, "Columns saved")


@form_of_staff
def save_filter(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Save a query as a new filter."""
    jql, name = posted_text(request, "jql", strip=False), posted_text(request, "name", strip=False)
    try:
        saved = filters.create_filter(name=name, jql=jql, favourite=True, actor=who.rights)
    except (TrackerError, JqlError) as error:
        key = posted_text(request, "filter")
        former = filters.find_filter(who.rights, key) if key else None
        asked = NavigatorQuery(jql, former, "", "list", 0, "", mine=False)
        said = sentences(error)
        return list_page(request, who, asked, problems=said, name=name, status=400)
    return go(f"{ADDRESS}?{urlencode({'filter': saved.id})}", f"Filter “{saved.name}” saved")


@form_of_staff
def save_query(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Keep another query in a filter."""
    saved = filters.find_filter(who.rights, key)
    jql = posted_text(request, "jql", strip=False)
    try:
        filters.update_filter(saved, jql=jql, actor=who.rights)
    except (TrackerError, JqlError) as error:
        asked = NavigatorQuery(jql, saved, "", "list", 0, "", mine=False)
        return list_page(request, who, asked, problems=sentences(error), status=400)
    return go(f"{ADDRESS}?{urlencode({'filter': saved.id})}", f"Filter “{saved.name}” updated")


def sentences(error: TrackerError | JqlError) -> list[str]:
    """Return what people are told of a refusal."""
    if isinstance(error, JqlError):
        return error.texts
    return [*error.messages, *error.fields.values()]


@page_of_staff
def suggest(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Offer what can come next in a query, up to `at`, and tell what is wrong with all of it."""
    jql = request.GET.get("jql", "")[:LONGEST]
    at = request.GET.get("at", "")
    before = jql[: int(at)] if is_digits(at) else jql
    site = site_of(who.rights)
    place = place_of(before)
    errors: list[str] = []
    try:
        planned_search(jql, site)
    except JqlError as error:
        errors = error.texts
    context = {
        "options": options_at(place, site),
        "from": place.at,
        "to": len(before),
        "errors": errors if jql.strip() else [],
    }
    return secured(HttpResponse(render_to_string("tracker/navigator/_options.html", context)))
