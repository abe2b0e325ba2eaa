"""Which changes of the desk's rows send text to people outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from clones.core.models import Blob
from clones.core.privacy import Image, OutgoingText, WorldRows, changed, file_words, texts_in
from clones.helpdesk.models import Comment, SideConversation, Ticket, TicketField, UserSegment
from clones.helpdesk.privacy.conversations import names_of, side_conversation_name, ticket_name
from clones.helpdesk.privacy.people import user_name

Reader = Callable[[Image | None, Image, WorldRows], Iterator[OutgoingText]]


def _on_ticket(
    number: int, text: str, rows: WorldRows, joined: frozenset[str] = frozenset()
) -> Iterator[OutgoingText]:
    for requester, copied in rows.of(Ticket, "requester_id", "email_cc_ids", id=[number]):
        hearers = frozenset(map(user_name, {requester, *copied}))
        yield OutgoingText(text, hearers, ticket_name(number), joined & hearers)


def _comment(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    if after["public"] and changed(before, after, "body", "html_body", "public", "ticket_id"):
        text = f"{after['body']}\n{after['html_body']}"
        yield from _on_ticket(after["ticket_id"], text, rows)


def _file(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    if after["comment_id"] is None or not changed(before, after, "comment_id", "file_name"):
        return
    for ticket, public in rows.of(Comment, "ticket_id", "public", id=[after["comment_id"]]):
        if public:
            name = after["blob_id"]
            data = Blob.objects.filter(sha256=name).values_list("data", flat=True).first()
            text = f"{after['file_name']}\n{file_words(after['content_type'], data)}"
            yield from _on_ticket(ticket, text, rows)


def _ticket(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    """Yield what the requester reads of a ticket's fields, and who was brought in."""
    people = {user_name(after["requester_id"]), *map(user_name, after["email_cc_ids"])}
    joined: frozenset[str] = frozenset()
    if before is not None:
        there = {before["requester_id"], *before["email_cc_ids"]}
        joined = frozenset(people - set(map(user_name, there)))
    texts = [after["subject"]] if changed(before, after, "subject") else []
    shown = rows.of(TicketField, "id", visible_in_portal=[True])
    fields = {} if before is None else before["custom_fields"]
    for (key,) in shown:
        value = after["custom_fields"].get(str(key))
        if value != fields.get(str(key)):
            texts += texts_in(value)
    if joined or any(texts):
        text = "\n".join(texts)
        yield OutgoingText(text, frozenset(people), ticket_name(after["id"]), joined)


def _beside(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    message = after["message"]
    if before is not None or not message:
        return
    key = after["side_conversation_id"]
    hearers = names_of(message.get("to") or ())
    for (participants,) in rows.of(SideConversation, "participants", id=[key]):
        hearers |= names_of(participants)
    text = "\n".join(str(message.get(part) or "") for part in ("subject", "body", "html_body"))
    yield OutgoingText(text, frozenset(hearers), side_conversation_name(key))


def _article(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    columns = ("title", "body", "draft", "archived_at", "user_segment_id")
    if after["draft"] or after["archived_at"] or not changed(before, after, *columns):
        return
    segment = after["user_segment_id"]
    if segment is not None and rows.of(UserSegment, "id", id=[segment], user_type=["staff"]):
        return
    yield OutgoingText(f"{after['title']}\n{after['body']}", None)


def _anybody_reads(*columns: str) -> Reader:
    """Return what yields the texts of columns that anybody may come to read."""

    def read(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
        if changed(before, after, *columns):
            text = "\n".join(text for name in columns for text in texts_in(after[name]))
            yield OutgoingText(text, None)

    return read


def _signature(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    """Yield what goes below all that a member of staff writes."""
    if after["role"] != "end-user" and after["signature"] and changed(before, after, "signature"):
        yield OutgoingText(after["signature"], None)


def _endpoint(before: Image | None, after: Image) -> str | None:
    return str(after["id"]) if changed(before, after, "endpoint", "subscriptions") else None


OUTGOING: Final[Mapping[str, Reader]] = {
    "helpdesk_comment": _comment,
    "helpdesk_attachment": _file,
    "helpdesk_ticket": _ticket,
    "helpdesk_sideconversationevent": _beside,
    "helpdesk_article": _article,
    "helpdesk_articlecomment": _anybody_reads("body"),
    "helpdesk_category": _anybody_reads("name", "description"),
    "helpdesk_section": _anybody_reads("name", "description"),
    "helpdesk_contentvariant": _anybody_reads("content"),
    "helpdesk_trigger": _anybody_reads("actions"),
    "helpdesk_automation": _anybody_reads("actions"),
    "helpdesk_macro": _anybody_reads("actions"),
    "helpdesk_webhook": _anybody_reads("endpoint", "authentication", "custom_headers"),
    "helpdesk_user": _signature,
}
ENDPOINTS: Final = {"helpdesk_webhook": _endpoint}
