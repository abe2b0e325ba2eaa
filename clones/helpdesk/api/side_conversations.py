"""Side conversations: list, begin, answer, close, import; their events and files."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedSideloadQuery,
    Query,
    SideloadQuery,
    includes,
    list_request,
    listed,
    show,
    via,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.side_conversations import (
    present_event,
    present_file,
    present_thread,
)
from clones.helpdesk.domain import side_conversations, side_threads
from clones.helpdesk.domain.errors import MissingParameter
from clones.helpdesk.domain.side_threads import NewMessage
from clones.helpdesk.models import SideConversation, SideConversationEvent
from clones.helpdesk.queries import exports
from clones.helpdesk.queries import side_conversations as threads

PATH = "/tickets/{ticket_id:int}/side_conversations"
ONE = PATH + "/{side_conversation_id}"
NEWEST = Order(("created_at", "id"))
PAGE = 1000


class ParticipantWrite(Body):
    """A participant of a side conversation: a user, an e-mail address, or a group."""

    user_id: str | None = None
    name: str | None = None
    email: str | None = None
    support_group_id: str | None = Field(None, description="The group of a child ticket.")
    support_agent_id: str | None = Field(None, description="The assignee of a child ticket.")
    slack_workspace_id: str | None = None
    slack_channel_id: str | None = None
    msteams_channel_id: str | None = None


class MessageWrite(Body):
    """A message of a side conversation to send: subject, body, recipients."""

    subject: str | None = None
    body: str | None = Field(None, description="The text; html_body wins over it.")
    html_body: str | None = None
    to: list[ParticipantWrite] | None = None
    external_ids: dict[str, Any] | None = None
    attachment_ids: list[str] | None = None


class ThreadBody(Body):
    """A side conversation to create, with its first message."""

    message: MessageWrite | None = None
    external_ids: dict[str, Any] | None = None


class ReplyBody(Body):
    """A reply to a side conversation."""

    message: MessageWrite | None = None


class ThreadWrite(Body):
    """The attributes of a side conversation that can change: subject and state."""

    state: str | None = Field(None, description="open or closed")
    subject: str | None = None


class UpdateBody(Body):
    """A side conversation to update."""

    side_conversation: ThreadWrite | None = None


class ImportedMessage(MessageWrite):
    """A message of a side conversation that is imported."""

    sender: ParticipantWrite | None = Field(None, alias="from")


class ImportedEvent(Body):
    """An event of a side conversation that is imported: a message and its time."""

    message: ImportedMessage | None = None
    created_at: str | None = None


class ImportedThread(ThreadWrite):
    """A side conversation that is imported: its subject and state."""

    external_ids: dict[str, Any] | None = None


class EventsBody(Body):
    """Events to import into a side conversation."""

    events: list[ImportedEvent] | None = None


class ImportBody(EventsBody):
    """A side conversation to import, with its events."""

    side_conversation: ImportedThread | None = None


class EventExportQuery(Query):
    """The start time of an export of side conversations' events."""

    start_time: int | None = Field(
        None, description="Unix time to export from, at least a minute ago."
    )


def _found(call: Call) -> SideConversation:
    return threads.thread(call.actor, call.path["ticket_id"], call.path["side_conversation_id"])


def _message(given: MessageWrite | None) -> NewMessage:
    if given is None:
        raise MissingParameter("message")
    return NewMessage(
        [person.model_dump(exclude_none=True) for person in given.to or ()],
        given.subject,
        given.body,
        given.html_body,
        given.external_ids or {},
        given.attachment_ids or (),
    )


def _written_event(event: SideConversationEvent, call: Call) -> dict[str, Any]:
    """Return what writing a message answers."""
    detail = show(call, "detail")
    return {
        "event": present_event(event, detail),
        "side_conversation": present_thread(event.side_conversation, detail),
        "updates": {},
    }


def _events(rows: list[SideConversation], call: Call) -> dict[str, Any]:
    if not includes(call) & {"events", "side_conversation_events"}:
        return {}
    return {"events": [present_event(row, show(call)) for row in threads.events_of(rows)]}


@OPERATIONS.operation(
    "ListSideConversations",
    "GET",
    PATH,
    summary="List a ticket's side conversations; include=events shows their events beside them.",
    query=PagedSideloadQuery,
    access="agent",
)
def list_threads(call: Call) -> dict[str, Any]:
    """List the side conversations of a ticket, oldest first."""
    ticket = queries.ticket(call.actor, call.path["ticket_id"])
    page = paginate(threads.threads_of(ticket), list_request(call), NEWEST)
    items = [present_thread(row, show(call)) for row in page.rows]
    return listed("side_conversations", items, page, **_events(page.rows, call))


@OPERATIONS.operation(
    "ShowSideConversation",
    "GET",
    ONE,
    summary="Show a side conversation; include=events shows its events beside it.",
    query=SideloadQuery,
    access="agent",
)
def show_thread(call: Call) -> dict[str, Any]:
    """Show a side conversation."""
    found = _found(call)
    body = {"side_conversation": present_thread(found, show(call, "detail"))}
    return {**body, **_events([found], call)}


@OPERATIONS.operation(
    "CreateSideConversation",
    "POST",
    PATH,
    summary="Begin a side conversation by mail, or as a child ticket of a group of agents.",
    body=ThreadBody,
    access="agent",
    status=201,
)
def create_thread(call: Call) -> dict[str, Any]:
    """Begin a side conversation."""
    event = side_conversations.create_side_conversation(
        queries.ticket(call.actor, call.path["ticket_id"], whole=True),
        actor=call.actor,
        message=_message(call.body.message),
        external_ids=call.body.external_ids,
        via=via(call),
    )
    return _written_event(event, call)


@OPERATIONS.operation(
    "ReplyToSideConversation",
    "POST",
    ONE + "/reply",
    summary="Answer in a side conversation.",
    body=ReplyBody,
    access="agent",
    status=201,
)
def reply(call: Call) -> dict[str, Any]:
    """Answer in a side conversation."""
    event = side_conversations.reply_side_conversation(
        _found(call), actor=call.actor, message=_message(call.body.message), via=via(call)
    )
    return _written_event(event, call)


@OPERATIONS.operation(
    "UpdateSideConversation",
    "PUT",
    ONE,
    summary="Close, open or rename a side conversation.",
    body=UpdateBody,
    access="agent",
)
def update_thread(call: Call) -> dict[str, Any]:
    """Change a side conversation."""
    if call.body.side_conversation is None:
        raise MissingParameter("side_conversation")
    found = _found(call)
    changes = call.body.side_conversation.model_dump(include={"state", "subject"})
    side_conversations.update_side_conversation(
        found, actor=call.actor, changes=changes, via=via(call)
    )
    return {"side_conversation": present_thread(found, show(call, "detail"))}


@OPERATIONS.operation(
    "ListSideConversationEvents",
    "GET",
    ONE + "/events",
    summary="List what happened in a side conversation, oldest first.",
    query=PagedSideloadQuery,
    access="agent",
)
def list_events(call: Call) -> dict[str, Any]:
    """List the events of a side conversation; include=side_conversations shows it beside them."""
    found = _found(call)
    page = paginate(threads.events_of([found]), list_request(call), Order(("position",)))
    items = [present_event(row, show(call)) for row in page.rows]
    beside: dict[str, Any] = {}
    if "side_conversations" in includes(call):
        beside["side_conversations"] = [present_thread(found, show(call))]
    return listed("events", items, page, **beside)


@OPERATIONS.operation(
    "ExportSideConversationEvents",
    "GET",
    "/tickets/side_conversations/events",
    summary="Export what happened in all side conversations since a time.",
    query=EventExportQuery,
    access="admin",
)
def export_events(call: Call) -> dict[str, Any]:
    """Export the events of side conversations from a time on."""
    if call.query.start_time is None:
        raise MissingParameter("start_time")
    start = exports.start_moment(call.query.start_time)
    found = exports.export_by_time(threads.changed_events(), start, PAGE)
    following = found.next_start
    return {
        "events": [present_event(row, show(call)) for row in found.rows],
        "count": len(found.rows),
        "end_time": following,
        "next_page": None if following is None else list_request(call).link(start_time=following),
    }


@OPERATIONS.operation(
    "ImportSideConversation",
    "POST",
    PATH + "/import",
    summary="Write a side conversation of another system with its messages; nobody is written to.",
    body=ImportBody,
    access="agent",
    status=201,
)
def import_thread(call: Call) -> dict[str, Any]:
    """Import a side conversation."""
    given = call.body.side_conversation
    thread = side_conversations.import_side_conversation(
        queries.ticket(call.actor, call.path["ticket_id"]),
        actor=call.actor,
        values={} if given is None else given.model_dump(),
        events=_imported(call),
    )
    [first, *_] = threads.events_of([thread])
    return _written_event(first, call)


@OPERATIONS.operation(
    "ImportSideConversationEvents",
    "POST",
    ONE + "/events/import",
    summary="Write messages of another system in a side conversation; nobody is written to.",
    body=EventsBody,
    access="agent",
    status=201,
)
def import_events(call: Call) -> dict[str, Any]:
    """Import messages into a side conversation."""
    made = side_conversations.import_events(_found(call), actor=call.actor, events=_imported(call))
    return {"events": [present_event(event, show(call)) for event in made]}


def _imported(call: Call) -> list[dict[str, Any]]:
    if call.body.events is None:
        raise MissingParameter("events")
    return [event.model_dump(by_alias=True, exclude_none=True) for event in call.body.events]


@OPERATIONS.operation(
    "CreateSideConversationAttachment",
    "POST",
    "/tickets/side_conversations/attachments",
    summary="Send a file ahead of the message that will carry it, as the `file` of a form.",
    access="agent",
    status=201,
    raw_body=True,
)
def create_attachment(call: Call) -> Reply:
    """Keep a file for a message to come."""
    file = call.request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        raise MissingParameter("file")
    made = side_conversations.add_file(
        actor=call.actor,
        file_name=file.name or "",
        content_type=file.content_type or "",
        data=file.read(),
    )
    return Reply(present_file(made), 201)


@OPERATIONS.operation(
    "DownloadSideConversationAttachment",
    "GET",
    ONE + "/attachments/{file_id}/download/{file_name}",
    summary="Download a file of a side conversation.",
    access="agent",
)
def download_attachment(call: Call) -> HttpResponse:
    """Send a file; whatever it is, a browser keeps it and shows nothing of it."""
    found = side_threads.file_of(_found(call), call.path["file_id"])
    response = HttpResponse(bytes(found.blob.data), content_type=found.content_type)
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(found.name)}"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["Cache-Control"] = "private, no-store"
    return response
