"""Merging tickets into another: choose it, say what is said on either side, confirm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import given_to, posted_lines, posted_text, was_sent
from clones.helpdesk import queries
from clones.helpdesk.domain import bulk, merging
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.merging import MergeComment
from clones.helpdesk.models import Comment, Ticket
from clones.helpdesk.web import labels, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.bulk_edit import back_address, selected_tickets
from clones.helpdesk.web.form_errors import attempt

OFFERED = 10


@dataclass(frozen=True, slots=True)
class MergeCandidate:
    """A ticket that others may be merged into."""

    id: int
    subject: str
    requester: str
    badge: labels.Badge


@agent_page
def merge(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Ask into which ticket, then what to say; merge when that is sent."""
    if not merging.may_merge(agent.user):
        raise AccessDenied("the role takes merging away")
    given = given_to(request)
    chosen = selected_tickets(agent, given.getlist("ids"))
    if not chosen:
        return shell.go(back_address(given.get("from", "")))
    asked = given.get("target", "").strip()
    if not asked and request.method != "POST":
        return _ask_target(request, agent, chosen)
    found, errors = attempt(lambda: _sides(agent, chosen, asked))
    if found is None:
        texts = errors.sentences if errors is not None else []
        return _ask_target(request, agent, chosen, asked=asked, problems=texts)
    target, sources = found
    if request.method != "POST":
        return _confirm(request, agent, target, sources)
    return _start(request, agent, target, sources)


def _sides(agent: Agent, chosen: list[Ticket], asked: str) -> tuple[Ticket, list[Ticket]]:
    """Return the ticket that stays, and those that are closed for it.

    Raises:
        RecordInvalid: there is no such ticket, or they cannot be merged.
    """
    number = asked.removeprefix("#").strip()
    target = None
    if is_digits(number, 11):
        target = queries.visible_tickets(agent.user).filter(id=int(number)).first()
    if target is None:
        raise RecordInvalid.of("target", f"Target: there is no ticket {asked or '-'}")
    # Of several that are merged into one of them, that one is no source.
    others = [ticket for ticket in chosen if ticket.id != target.id]
    sources = others or chosen
    merging.check_merge(target, sources)
    return target, sources


def _ask_target(
    request: SandboxRequest,
    agent: Agent,
    chosen: list[Ticket],
    *,
    asked: str = "",
    problems: Sequence[str] = (),
) -> HttpResponse:
    for ticket in chosen:
        sightings.note(ticket, "list")
    keys = [ticket.id for ticket in chosen]
    requesters = {ticket.requester_id for ticket in chosen}
    open_ones = queries.visible_tickets(agent.user).exclude(status__in=("solved", "closed"))
    open_ones = open_ones.exclude(id__in=keys if len(keys) == 1 else []).select_related("requester")
    theirs = open_ones.filter(requester_id__in=requesters).order_by("-updated_at", "-id")
    recent = open_ones.filter(id__in=shell.open_tickets(request)).order_by("-updated_at", "-id")
    context = {
        "tickets": chosen,
        "from": request.GET.get("from") or posted_text(request, "from"),
        "asked": asked,
        "problems": problems,
        "lists": [
            ("Open tickets of the requester", "requester", _candidates(list(theirs[:OFFERED]))),
            ("Recently opened tickets", "recent", _candidates(list(recent[:OFFERED]))),
        ],
    }
    return shell.page(
        request,
        agent,
        "helpdesk/merge_target.html",
        context,
        title=_title(chosen),
        status=422 if problems else 200,
    )


def _candidates(tickets: list[Ticket]) -> list[MergeCandidate]:
    found = []
    for ticket in tickets:
        sightings.note(ticket, "list")
        subject = ticket.subject or "No subject"
        badge = labels.status_badge(ticket.status)
        found.append(MergeCandidate(ticket.id, subject, ticket.requester.name, badge))
    return found


def _title(chosen: list[Ticket]) -> str:
    if len(chosen) == 1:
        return f"Merge ticket #{chosen[0].id}"
    return f"Merge {len(chosen)} ticket(s)"


def _confirm(
    request: SandboxRequest, agent: Agent, target: Ticket, sources: list[Ticket]
) -> HttpResponse:
    for ticket in (target, *sources):
        sightings.note(ticket, "list")
    context = {
        "target": target,
        "sources": sources,
        "from": request.GET.get("from", ""),
        "ids": request.GET.getlist("ids"),
        "on_target": _target_comment(sources),
        "on_sources": _source_comment(target),
        "may_be_public": merging.may_be_public(target, sources)
        and not agent.user.only_private_comments,
        "several": len(sources) > 1,
    }
    return shell.page(
        request, agent, "helpdesk/merge_confirm.html", context, title="Confirm ticket merge"
    )


def _source_comment(target: Ticket) -> str:
    return f'This request was closed and merged into request #{target.id} "{target.subject}".'


def _target_comment(sources: list[Ticket]) -> str:
    """Return what is proposed to be said where the conversation goes on."""
    if len(sources) > 1:
        numbers = ", ".join(f"#{ticket.id}" for ticket in sources)
        return f"Requests {numbers} were closed and merged into this request."
    source = sources[0]
    text = f'Request #{source.id} "{source.subject}" was closed and merged into this request.'
    last = Comment.objects.filter(ticket=source).order_by("-created_at", "-id").first()
    if last is None:
        return text
    sightings.note(last, "detail")
    return f"{text} Last comment in request #{source.id}:\n\n{last.body}"


def _start(
    request: SandboxRequest, agent: Agent, target: Ticket, sources: list[Ticket]
) -> HttpResponse:
    """Queue the merge as the API does and lead on to the ticket that stays."""
    item = {
        "id": target.id,
        "sources": [ticket.id for ticket in sources],
        "on_target": asdict(_posted(request, agent, "target_comment")),
        "on_sources": asdict(_posted(request, agent, "source_comment")),
    }
    client = request.headers.get("User-Agent")
    bulk.start_job(
        merging.KIND,
        [item],
        actor=agent.user,
        client=client[:255] if client else None,
        channel="web",
    )
    address = reverse("helpdesk:ticket", args=[target.id])
    response = shell.go(address, "merging", target.id)
    shell.close_tabs(request, response, [ticket.id for ticket in sources])
    return shell.from_dialog(request, response)


def _posted(request: SandboxRequest, agent: Agent, name: str) -> MergeComment:
    text = posted_lines(request, name, strip=False)
    public = was_sent(request, f"{name}_is_public") and not agent.user.only_private_comments
    return MergeComment(text, public)
