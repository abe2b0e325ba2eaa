"""What webhooks may be, what they send, and what is tried again: without a database."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode
from xml.sax.saxutils import escape

from clones.core.digits import is_digits
from clones.core.strict_json import read_json
from clones.core.webhooks.addresses import Flaw, flaw_of
from clones.core.webhooks.headers import is_framing, is_name
from clones.helpdesk.rules.placeholders import render

CONDITIONAL = "conditional_ticket_events"
EVENTS = (
    "zen:event-type:organization.created",
    "zen:event-type:organization.deleted",
    "zen:event-type:ticket.created",
    "zen:event-type:user.created",
    "zen:event-type:user.deleted",
)
CONTENT_TYPES = {
    "json": "application/json",
    "xml": "application/xml",
    "form_encoded": "application/x-www-form-urlencoded",
}
WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
AUTHENTICATIONS = {
    "basic_auth": ("username", "password"),
    "bearer_token": ("token",),
    "api_key": ("name", "value"),
}
# Headers that a webhook's request has anyway, beside those that each request has.
OWN_HEADERS = re.compile(r"(?i)authorization|content-type|user-agent|x-zendesk-.*")
CUSTOM_HEADERS = 5
FLAWS: dict[Flaw, str] = {
    "scheme": "must begin with http:// or https://",
    "credentials": "must not hold credentials",
}

CONFLICT_RETRIES = 3
TIMEOUT_RETRIES = 5
LONGEST_WAIT = 60
# How long the vendor waits where no host says it is not published.
PAUSE = 10


def endpoint_problem(endpoint: str) -> str | None:
    """Return what is wrong with an endpoint, None if nothing is."""
    flaw = flaw_of(endpoint)
    return None if flaw is None else FLAWS.get(flaw, "is not a valid URL")


def is_free_header(name: str) -> bool:
    """Tell whether somebody may name a header of a webhook so."""
    return is_name(name) and not is_framing(name) and not OWN_HEADERS.fullmatch(name)


def content(
    *, method: str, request_format: str, endpoint: str, given: Any, values: Mapping[str, str]
) -> tuple[str, str]:
    """Return address and body of a rule's request, its placeholders filled in.

    A text is the body of POST, PUT and PATCH in JSON or XML, where what is filled in is escaped.
    Pairs of names and values are a form; with other methods they go into the address.
    """
    if method in WITH_BODY and request_format in _ESCAPES:
        escaping = _ESCAPES[request_format]
        text = given if isinstance(given, str) else "" if given is None else json.dumps(given)
        return endpoint, render(text, {name: escaping(text) for name, text in values.items()})
    pairs = urlencode(
        [(render(name, values), render(text, values)) for name, text in _pairs(given)]
    )
    if method in WITH_BODY:
        return endpoint, pairs
    if not pairs:
        return endpoint, ""
    address, _, fragment = endpoint.partition("#")
    joined = f"{address}{'&' if '?' in address else '?'}{pairs}"
    return (f"{joined}#{fragment}" if fragment else joined), ""


def names_of(given: Any) -> str:
    """Return the text in which a rule's content names placeholders."""
    return given if isinstance(given, str) else json.dumps(given)


def retry_seconds(
    number: int, *, status: int | None, retry_after: str | None, timed_out: bool
) -> int | None:
    """Return how long after the attempt of that number the next one is due, None if none is.

    A conflict is tried three times more, a time-out five times; a host that is busy says itself
    when to come again, if that is within a minute.
    """
    if timed_out:
        return PAUSE * number if number <= TIMEOUT_RETRIES else None
    if status == 409:
        return PAUSE * number if number <= CONFLICT_RETRIES else None
    if status in (429, 503) and number <= TIMEOUT_RETRIES:
        text = (retry_after or "").strip()
        if is_digits(text, 3) and int(text) < LONGEST_WAIT:
            return int(text)
    return None


def _json_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


_ESCAPES: dict[str, Callable[[str], str]] = {"json": _json_text, "xml": escape}


def _pairs(given: Any) -> list[tuple[str, str]]:
    """Return the pairs that a rule gives as a list of two texts each, or as an object."""
    if isinstance(given, str):
        try:
            given = read_json(given)
        except ValueError:
            return []
    if isinstance(given, Mapping):
        return [(str(name), str(value)) for name, value in given.items()]
    items = given if isinstance(given, list) else []
    return [
        (str(item[0]), str(item[1]))
        for item in items
        if isinstance(item, (list, tuple)) and len(item) == 2
    ]
