"""One ticket after another: the next one of a view, and playing a view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.dateparse import parse_datetime

from clones.core import clock, sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.helpdesk import queries
from clones.helpdesk.domain.desks import skip_ticket
from clones.helpdesk.domain.errors import RecordInvalid, RecordNotFound
from clones.helpdesk.models import Skip, Ticket, User, View
from clones.helpdesk.queries import views
from clones.helpdesk.queries.presence import tickets_taken
from clones.helpdesk.web import pages_queries, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.form_errors import errors_of

VIEW_COOKIE = "_helpdesk_view"
PLAY_COOKIE = "_helpdesk_play"
ASCENDING, DESCENDING = "asc", "desc"
CHUNK = 100


@dataclass(frozen=True, slots=True)
class Play:
    """A view that an agent plays, and since when."""

    view: View
    since: datetime


def remember_view(response: HttpResponse, view: View, *, sort: str) -> None:
    """Note which view, sorted how, the tickets are opened from that come next."""
    response.set_cookie(VIEW_COOKIE, f"{view.id}.{sort}", httponly=True, samesite="Lax")


def play_of(request: SandboxRequest, agent: Agent) -> Play | None:
    """Return what the agent plays, or None."""
    key, _, since = request.COOKIES.get(PLAY_COOKIE, "").partition(".")
    view = _view(agent, key)
    try:
        start = parse_datetime(since)
    except ValueError:
        return None
    if view is None or start is None or start.tzinfo is None:
        return None
    return Play(view, start)


def order_before(request: SandboxRequest, agent: Agent) -> list[int]:
    """Return the tickets in whose order the agent works, as they stand before they change one."""
    play = play_of(request, agent)
    if play is not None:
        return _keys(views.view_tickets(play.view, agent.user))
    key, _, sort = request.COOKIES.get(VIEW_COOKIE, "").partition(".")
    view = _view(agent, key)
    if view is None:
        rows = pages_queries.my_open_tickets(agent.user).order_by("created_at", "id")
        return _keys(rows)
    return _keys(_sorted(view, agent.user, sort))


def view_address(request: SandboxRequest, agent: Agent) -> str:
    """Return the page of the view that the agent came from."""
    return _address(_view(agent, request.COOKIES.get(VIEW_COOKIE, "").partition(".")[0]))


def go_on(
    request: SandboxRequest, agent: Agent, left: int, order: Sequence[int], notice: str = ""
) -> HttpResponse:
    """Lead on to the ticket after `left`; `order` is what it was when that was opened."""
    play = play_of(request, agent)
    key = _following(agent, left, order, play)
    if key is not None:
        return shell.go(reverse("helpdesk:ticket", args=[key]), notice, left)
    if play is None:
        return shell.go(view_address(request, agent), notice, left)
    return _end(play.view, "played", left)


def _following(agent: Agent, left: int, order: Sequence[int], play: Play | None) -> int | None:
    """Return which ticket comes next. A play begins again at the top, a view ends at its end."""
    place = order.index(left) if left in order else -1
    keys = [*order[place + 1 :], *(order[:place] if play is not None and place > 0 else ())]
    rows = queries.visible_tickets(agent.user)
    if play is not None:
        rows = views.view_tickets(play.view, agent.user)
        out = tickets_taken(besides=agent.user) | _passed_over(agent, play)
        keys = [key for key in keys if key not in out]
    for start in range(0, len(keys), CHUNK):
        chunk = keys[start : start + CHUNK]
        there = set(_keys(rows.filter(id__in=chunk)))
        found = next((key for key in chunk if key in there and key != left), None)
        if found is not None:
            return found
    return None


def _passed_over(agent: Agent, play: Play) -> set[int]:
    rows = Skip.objects.filter(user=agent.user, created_at__gte=play.since)
    return set(rows.order_by("id").values_list("ticket_id", flat=True))


@agent_page
def play(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Begin to play a view: open its first ticket that nobody else has before them."""
    view = views.usable_view(agent.user, key)
    order = _keys(views.view_tickets(view, agent.user))
    taken = tickets_taken(besides=agent.user)
    first = next((one for one in order if one not in taken), None)
    if first is None:
        return _end(view, "played", "")
    response = shell.go(reverse("helpdesk:ticket", args=[first]))
    value = f"{view.id}.{clock.now().isoformat()}"
    response.set_cookie(PLAY_COOKIE, value, httponly=True, samesite="Lax")
    return response


@agent_page
def stop(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """End playing and go back to the view."""
    found = play_of(request, agent)
    return _end(found.view if found is not None else None)


@agent_page
def skip(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Pass over a ticket, with a reason if one was given, and open the next one."""
    ticket = queries.ticket(agent.user, key)
    if request.method != "POST":
        return _ask_reason(request, agent, ticket)
    order = order_before(request, agent)
    reason = posted_text(request, "reason")
    try:
        skip_ticket(ticket.id, actor=agent.user, reason=reason or None)
    except RecordInvalid as error:
        return _ask_reason(request, agent, ticket, reason, errors_of(error).sentences)
    response = go_on(request, agent, ticket.id, order)
    shell.close_tab(request, response, ticket.id)
    return shell.from_dialog(request, response)


def _ask_reason(
    request: SandboxRequest,
    agent: Agent,
    ticket: Ticket,
    reason: str = "",
    problems: Sequence[str] = (),
) -> HttpResponse:
    sightings.note(ticket, "list")
    return shell.page(
        request,
        agent,
        "helpdesk/skip.html",
        {"ticket": ticket, "reason": reason, "problems": problems},
        title=f"Skip ticket #{ticket.id}",
        status=422 if problems else 200,
    )


def _end(view: View | None, notice: str = "", about: object = "") -> HttpResponse:
    response = shell.go(_address(view), notice, about)
    response.delete_cookie(PLAY_COOKIE, samesite="Lax")
    return response


def _address(view: View | None) -> str:
    if view is None:
        return reverse("helpdesk:filters")
    return reverse("helpdesk:view", args=[view.id])


def _view(agent: Agent, text: str) -> View | None:
    if not is_digits(text):
        return None
    try:
        return views.usable_view(agent.user, int(text))
    except RecordNotFound:
        return None


def _sorted(view: View, user: User, sort: str) -> QuerySet[Ticket]:
    name, _, order = sort.partition(".")
    if name and order in (ASCENDING, DESCENDING):
        return views.view_tickets(view, user, sort_by=name, descending=order == DESCENDING)
    return views.view_tickets(view, user)


def _keys(rows: QuerySet[Ticket]) -> list[int]:
    return list(rows.values_list("id", flat=True))
