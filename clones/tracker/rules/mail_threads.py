"""Which issue a mail is about: the messages that it answers, then the key in its subject."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_MESSAGE_ID: Final = re.compile(r"<[^<>\s]+>")
_THREAD: Final = re.compile(r"<(?:issue|request)\.(\d{1,18})@[^<>\s]+>")
_KEY: Final = re.compile(r"\b([A-Z][A-Z0-9_]{1,9}-[1-9]\d{0,17})\b")
_ANSWER: Final = re.compile(r"^\s*(?:(?:re|aw|sv|fwd?|wg)\s*(?:\[\d+\])?:\s*)+", re.IGNORECASE)
SUBJECT: Final = 255


def answered(headers: Mapping[str, str]) -> list[str]:
    """Return the messages that a mail answers, the nearest first; names are in small letters."""
    near = _MESSAGE_ID.findall(headers.get("in-reply-to", ""))
    far = _MESSAGE_ID.findall(headers.get("references", ""))
    return list(dict.fromkeys([*near, *reversed(far)]))


def issue_of_thread(message_ids: list[str]) -> int | None:
    """Return the id of the issue whose thread one of some Message-IDs names, None if none does."""
    for one in message_ids:
        found = _THREAD.fullmatch(one)
        if found is not None:
            return int(found[1])
    return None


def keys_in(subject: str) -> list[str]:
    """Return the keys of issues that a subject names, the first one first."""
    return list(dict.fromkeys(_KEY.findall(subject)))


def summary_of(subject: str) -> str:
    """Return what a request is called that a mail with a subject asks for."""
    bare = " ".join(_ANSWER.sub("", subject).split())
    return bare[:SUBJECT] or "No subject"
