"""Side conversations beside a ticket: their list, one in full, and the forms of new ones.

Each is a page of its own, and a part of the ticket page that takes the list's place there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.helpdesk import queries
from clones.helpdesk.api.presenters.side_conversations import file_path
from clones.helpdesk.domain import side_conversations
from clones.helpdesk.domain.errors import HelpdeskError, InvalidAttribute, RecordInvalid
from clones.helpdesk.domain.side_threads import NewMessage
from clones.helpdesk.models import (
    Group,
    SideConversation,
    SideConversationEvent,
    Ticket,
    User,
)
from clones.helpdesk.queries import side_conversations as threads
from clones.helpdesk.web import form_controls, labels, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.conversation import ShownFile, size_text
from clones.helpdesk.web.markup import comment_html
from clones.helpdesk.web.side_list import STATES, list_context, may_write, name_of, names_of
from clones.helpdesk.web.ticket_page import via_web
from clones.helpdesk.web.times import ShownTime, Times

EMAIL, CHILD = "email", "ticket"
REFUSED = (RecordInvalid, InvalidAttribute)


@dataclass(frozen=True, slots=True)
class ConversationItem:
    """A message of a side conversation, or (without HTML) a change of it."""

    name: str
    initials: str
    hue: int
    time: ShownTime
    to: str = ""
    html: SafeString | None = None
    files: tuple[ShownFile, ...] = ()
    change: str = ""


@agent_page
def side_list(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """List a ticket's side conversations."""
    ticket = queries.ticket(agent.user, key)
    return _page(request, agent, ticket, list_context(agent, ticket))


@agent_page
def new_side_conversation(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show the form of a new side conversation, or take it."""
    ticket = queries.ticket(agent.user, key, whole=True)
    kind = request.GET.get("type", EMAIL)
    kind = kind if kind in (EMAIL, CHILD) else EMAIL
    if request.method != "POST":
        return _form(request, agent, ticket, kind, {"subject": ticket.subject})
    given = {
        name: posted_text(request, name, strip=False)
        for name in ("to", "group", "subject", "message")
    }
    try:
        with transaction.atomic():
            event = side_conversations.create_side_conversation(
                ticket,
                actor=agent.user,
                message=NewMessage(
                    _recipients(given["to"]) if kind == EMAIL else _group(given["group"]),
                    given["subject"],
                    given["message"],
                    attachment_ids=_kept_files(request, agent.user),
                ),
                via=via_web(request),
            )
    except REFUSED as error:
        fresh = queries.ticket(agent.user, key)
        return _form(request, agent, fresh, kind, given, error=error)
    return shell.go(
        reverse("helpdesk:side_conversation", args=[ticket.id, event.side_conversation_id])
    )


@agent_page
def side_conversation(
    request: SandboxRequest, agent: Agent, key: int, thread_key: str
) -> HttpResponse:
    """Show a side conversation, or take an answer to it."""
    thread = threads.thread(agent.user, key, thread_key)
    if request.method != "POST":
        return _thread(request, agent, thread)
    text = posted_text(request, "message", strip=False)
    try:
        with transaction.atomic():
            side_conversations.reply_side_conversation(
                thread,
                actor=agent.user,
                message=NewMessage((), body=text, attachment_ids=_kept_files(request, agent.user)),
                via=via_web(request),
            )
    except REFUSED as error:
        fresh = threads.thread(agent.user, key, thread_key)
        return _thread(request, agent, fresh, text, error)
    return shell.go(reverse("helpdesk:side_conversation", args=[key, thread.id]))


@agent_page
def set_state(request: SandboxRequest, agent: Agent, key: int, thread_key: str) -> HttpResponse:
    """Mark a side conversation as done, or open it again."""
    thread = threads.thread(agent.user, key, thread_key)
    if request.method == "POST":
        changes = {"state": posted_text(request, "state")}
        try:
            with transaction.atomic():
                side_conversations.update_side_conversation(
                    thread, actor=agent.user, changes=changes, via=via_web(request)
                )
        except REFUSED as error:
            fresh = threads.thread(agent.user, key, thread_key)
            return _thread(request, agent, fresh, "", error)
    return shell.go(reverse("helpdesk:side_conversation", args=[key, thread.id]))


def _form(
    request: SandboxRequest,
    agent: Agent,
    ticket: Ticket,
    kind: str,
    values: dict[str, str],
    *,
    error: HelpdeskError | None = None,
) -> HttpResponse:
    action = reverse("helpdesk:new_side_conversation", args=[ticket.id])
    groups = Group.objects.filter(deleted=False).order_by("name", "id") if kind == CHILD else ()
    context = {
        "template": "helpdesk/ticket/_side_new.html",
        "kind": kind,
        "values": values,
        "groups": [(str(group.id), group.name) for group in groups],
        "action": f"{action}?type={kind}",
        "list_url": reverse("helpdesk:side_conversations", args=[ticket.id]),
        "may_write": may_write(agent.user, ticket),
    }
    return _page(request, agent, ticket, context, error)


def _thread(
    request: SandboxRequest,
    agent: Agent,
    thread: SideConversation,
    written: str = "",
    error: HelpdeskError | None = None,
) -> HttpResponse:
    sightings.note(thread, "detail")
    times = Times(agent.user)
    ticket = thread.ticket
    own = [ticket.id, thread.id]
    child = thread.child
    if child is not None and not queries.visible_tickets(agent.user).filter(id=child.id).exists():
        child = None
    others = [person for person in thread.participants if person["user_id"] != agent.user.id]
    context = {
        "template": "helpdesk/ticket/_side_thread.html",
        "thread": thread,
        "state_label": STATES[thread.state],
        "child": child,
        "said": [_conversation_item(event, times) for event in threads.events_of([thread])],
        "to": names_of(others),
        "written": written,
        "action": reverse("helpdesk:side_conversation", args=own),
        "state_url": reverse("helpdesk:side_conversation_state", args=own),
        "list_url": reverse("helpdesk:side_conversations", args=[ticket.id]),
        "may_write": may_write(agent.user, ticket),
    }
    return _page(request, agent, ticket, context, error)


def _page(
    request: SandboxRequest,
    agent: Agent,
    ticket: Ticket,
    side: dict[str, Any],
    error: HelpdeskError | None = None,
) -> HttpResponse:
    problems = [] if error is None else form_controls.errors_of_form(request, error).sentences
    # In the ticket page an answer takes the old part's place only if it is a success.
    in_part = bool(request.headers.get("HX-Request"))
    return shell.page(
        request,
        agent,
        "helpdesk/ticket/side_page.html",
        {
            "side": {**side, "problems": problems},
            "ticket": ticket,
            "badge": labels.status_badge(ticket.status),
        },
        title=f"Side conversations of #{ticket.id}",
        status=422 if error is not None and not in_part else 200,
        ticket=ticket,
    )


def _recipients(text: str) -> list[dict[str, str]]:
    parts = (part.strip() for part in text.replace(";", ",").split(","))
    return [{"email": part} for part in parts if part]


def _group(text: str) -> list[dict[str, str]]:
    return [{"support_group_id": text}] if text else []


def _kept_files(request: SandboxRequest, actor: User) -> list[str]:
    return [
        side_conversations.add_file(
            actor=actor,
            file_name=file.name or "",
            content_type=file.content_type or "",
            data=file.read(),
        ).id
        for file in request.FILES.getlist("attachments")
    ]


def _conversation_item(event: SideConversationEvent, times: Times) -> ConversationItem:
    sightings.note(event, "detail")
    name = name_of(event.actor)
    who = (event.actor or {}).get("user_id") or 0
    mark = (name, labels.initials(name), labels.hue(who), times.show(event.created_at))
    if event.message is None:
        return ConversationItem(*mark, change=_change(event.updates))
    thread = event.side_conversation
    files = sorted(event.files.all(), key=lambda item: (item.created_at, item.id))
    return ConversationItem(
        *mark,
        to=names_of(event.message["to"]),
        html=comment_html(event.message["html_body"]),
        files=tuple(
            ShownFile(file.name, size_text(file.size), file_path(thread, file)) for file in files
        ),
    )


def _change(updates: dict[str, str]) -> str:
    texts = []
    if "state" in updates:
        texts.append("marked as done" if updates["state"] == "closed" else "reopened")
    if "subject" in updates:
        texts.append(f"renamed to “{updates['subject']}”")
    return ", ".join(texts)
