"""Which issue a mail is about: the threads that it names, then the key in its subject."""

from __future__ import annotations

import re
from typing import Final

_THREAD: Final = re.compile(r"<(?:issue|request)\.(\d{1,18})@[^<>\s]+>")
_KEY: Final = re.compile(r"\b([A-Z][A-Z0-9_]{1,9}-[1-9]\d{0,17})\b")
_ANSWER: Final = re.compile(r"^\s*(?:(?:re|aw|sv|fwd?|wg)\s*(?:\[\d+\])?:\s*)+", re.IGNORECASE)
SUBJECT: Final = 255


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
