"""What may stand around a right answer, by the answer's type: one table, for answers alone.

Agents' frameworks turn values into texts, and models write as people do. What is taken off here
says nothing: a final stop, quotation marks, the address of the record in place of its key, midnight
behind a day, JSON text in place of the value. What hedges, adds or leaves out is left as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Never
from urllib.parse import unquote

from clones.core.strict_json import read_json
from episodes.checks.answer_types import AnswerKind

Tolerance = Callable[[Any], Any]

# Quotation marks that belong together. What they hold has none of them in it.
QUOTES: Final = (
    *('""', "''", "``"),
    *("\u201c\u201d", "\u201e\u201c", "\u2018\u2019", "\u201a\u2018"),
    *("\u00ab\u00bb", "\u2039\u203a"),
)
# A stop of its own: several say that something is left out.
STOP: Final = re.compile(r"(?<=[^.\s])\.\Z")
MIDNIGHT: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:[.,]0+)?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?", re.IGNORECASE
)
FENCE: Final = re.compile(r"```(?:json)?\s*\n(.*?)\n?\s*```", re.DOTALL | re.IGNORECASE)

# A host of sandboxes: by its name, or one that a port was given to. Other hosts have other records.
_HOST: Final = (
    r"(?:[\w-]+\.)*sb-[a-z2-7]{10}(?:\.[\w-]+)*(?::\d+)?"
    r"|(?:[\w-]+\.)*localhost(?::\d+)?"
    r"|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?"
    r"|[\w.-]+:\d+"
)
ADDRESS: Final = re.compile(rf"(?:https?://(?:{_HOST}))?(/[^\s<>]*)", re.IGNORECASE)
_KEY: Final = r"([A-Za-z][A-Za-z0-9_]+-\d+)"
# Where records that people name by key or number lie on pages and in the APIs.
RECORDS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"/browse/{_KEY}/?",
        rf"/projects/[A-Za-z][A-Za-z0-9_]+/issues/{_KEY}/?",
        rf"/servicedesk/customer/portal/\d+/{_KEY}/?",
        rf"/rest/api/[23]/issue/{_KEY}",
        r"/agent/(?:#/)?tickets/(\d+)/?",
        r"(?:/hc(?:/[a-z]{2}(?:-[a-z]{2})?)?)?/requests/(\d+)/?",
        r"/tickets/(\d+)/?",
        r"/api/v2/(?:tickets|requests)/(\d+)(?:\.json)?",
    )
)
# A JSON text may itself be written as JSON text; more often than this nobody does it.
DEEPEST: Final = 3


def unadorned(given: Any) -> Any:
    """Return a text without quotation marks around it and the stop at its end."""
    if not isinstance(given, str):
        return given
    text, before = given.strip(), None
    while text != before:
        before = text
        text = STOP.sub("", text).strip()
        held = text[1:-1]
        if any(
            text == f"{first}{held}{last}" and _is_whole(held, first, last)
            for first, last in QUOTES
        ):
            text = held.strip()
    return text


def _is_whole(held: str, first: str, last: str) -> bool:
    return bool(held) and first not in held and last not in held


def named_by_address(given: Any) -> Any:
    """Return the key or number of the record whose address a text is, else what is given."""
    if not isinstance(given, str):
        return given
    text = given.removeprefix("<").removesuffix(">") if given.endswith(">") else given
    found = ADDRESS.fullmatch(text.strip())
    if found is None:
        return given
    path = unquote(found.group(1).partition("?")[0])
    if not path.startswith("/agent/#/"):
        path = path.partition("#")[0]
    for record in RECORDS:
        named = record.fullmatch(path)
        if named is not None:
            return named.group(1)
    return given


def day_alone(given: Any) -> Any:
    """Return the day of a text that is a day at midnight, in whatever zone, else what is given."""
    found = MIDNIGHT.fullmatch(given) if isinstance(given, str) else None
    return given if found is None else found.group(1)


def read_as_json(given: Any) -> Any:
    """Return the list or object that a JSON text holds, else what is given.

    An object that says a field twice says two things: it is left a text.
    """
    value = given
    for _ in range(DEEPEST):
        if not isinstance(value, str):
            break
        fenced = FENCE.fullmatch(value.strip())
        try:
            value = _strictly(fenced.group(1) if fenced else value)
        except ValueError:
            return given
    return value if isinstance(value, list | dict) else given


def _strictly(text: str) -> Any:
    value = read_json(text)
    json.loads(text, object_pairs_hook=_each_once)
    return value


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _refuse("a field is said twice")
    return found


def _refuse(reason: str) -> Never:
    raise ValueError(reason)


REFERENCE: Final[tuple[Tolerance, ...]] = (unadorned, named_by_address)
TOLERANCES: Final[Mapping[AnswerKind, tuple[Tolerance, ...]]] = {
    "id": REFERENCE,
    "ref": REFERENCE,
    "int": (unadorned,),
    "number": (unadorned,),
    "money": (unadorned,),
    "datetime": (unadorned,),
    "date": (unadorned, day_alone),
    "duration": (unadorned,),
    "enum": (unadorned,),
    "set": (read_as_json,),
    "list": (read_as_json,),
    "object": (read_as_json,),
}


def tolerated(kind: AnswerKind, given: Any) -> Any:
    """Return what an answer of a kind says, without what may stand around it."""
    for tolerance in TOLERANCES[kind]:
        given = tolerance(given)
    return given
