"""Headers of mail as programs read them: names in small letters, and what messages they name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

_MESSAGE_ID: Final = re.compile(r"<[^<>\s]+>")


def folded(headers: Mapping[str, Any]) -> dict[str, str]:
    """Return headers as texts, their names in small letters."""
    return {name.lower(): str(value) for name, value in headers.items()}


def message_ids(text: str) -> list[str]:
    """Return the Message-IDs of a header, in their order."""
    return _MESSAGE_ID.findall(text)


def answered(headers: Mapping[str, str]) -> list[str]:
    """Return the messages that a mail answers, the nearest first; names are in small letters."""
    near = message_ids(headers.get("in-reply-to", ""))
    far = message_ids(headers.get("references", ""))
    return list(dict.fromkeys([*near, *reversed(far)]))


def first_of_thread(headers: Mapping[str, str]) -> str | None:
    """Return the message with which a mail's thread began, None if that is the mail itself."""
    for name in ("references", "in-reply-to"):
        found = message_ids(headers.get(name, ""))
        if found:
            return found[0]
    return None


def answering(message_id: str, before: Sequence[str], *, most: int) -> dict[str, str]:
    """Return the headers by which every mail program knows what a mail answers.

    Args:
        message_id: the message that is answered.
        before: the messages of its thread up to it, the oldest first.
        most: how many are named: the first, and the latest ones.
    """
    named = dict.fromkeys([*before[:1], *before[1 - most :]])
    return {"In-Reply-To": message_id, "References": " ".join(named)}
