"""Side conversations as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.models import SideConversation, SideConversationEvent, SideConversationFile


def precise(moment: datetime) -> str:
    """Return a time as side conversations write it: with milliseconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + (
        f"{moment.microsecond // 1000:03d}Z"
    )


def present_thread(found: SideConversation, show: Show) -> dict[str, Any]:
    """Return a side conversation as JSON."""
    show.note(found)
    return {
        "url": _url(found, show),
        "id": found.id,
        "ticket_id": found.ticket_id,
        "subject": found.subject,
        "preview_text": found.preview_text,
        "state": found.state,
        "participants": found.participants,
        "created_at": precise(found.created_at),
        "updated_at": precise(found.updated_at),
        "message_added_at": precise(found.message_added_at),
        "state_updated_at": precise(found.state_updated_at),
        "external_ids": found.external_ids,
    }


def present_event(found: SideConversationEvent, show: Show) -> dict[str, Any]:
    """Return what happened in a side conversation as JSON; its files must be loaded."""
    show.note(found)
    thread = found.side_conversation
    files = sorted(found.files.all(), key=lambda item: (item.created_at, item.id))
    return {
        "id": found.id,
        "side_conversation_id": thread.id,
        "ticket_id": thread.ticket_id,
        "actor": found.actor,
        "type": found.type,
        "via": found.via,
        "created_at": precise(found.created_at),
        "message": _message(found.message, files, thread, show),
        "updates": found.updates,
        "url": _url(thread, show),
    }


def present_file(found: SideConversationFile) -> dict[str, Any]:
    """Return a file that was sent ahead as JSON."""
    return {
        "id": found.id,
        "name": found.name,
        "content_type": found.content_type,
        "size": found.size,
        "width": None,
        "height": None,
    }


def file_path(thread: SideConversation, found: SideConversationFile) -> str:
    """Return the address of a file of a side conversation, without its host."""
    return (
        f"/api/v2/tickets/{thread.ticket_id}/side_conversations/{thread.id}"
        f"/attachments/{found.id}/download/{quote(found.name, safe='')}"
    )


def _message(
    stored: Mapping[str, Any] | None,
    files: list[SideConversationFile],
    thread: SideConversation,
    show: Show,
) -> dict[str, Any] | None:
    if stored is None:
        return None
    shown = [
        {
            "id": file.id,
            "file_name": file.name,
            "size": file.size,
            "content_url": f"{show.root}{file_path(thread, file)}",
            "content_type": file.content_type,
            "width": None,
            "height": None,
            "inline": False,
        }
        for file in files
    ]
    return {**stored, "attachments": shown}


def _url(found: SideConversation, show: Show) -> str:
    return f"{show.root}/api/v2/tickets/{found.ticket_id}/side_conversations/{found.id}"
