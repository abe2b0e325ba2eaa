"""Requests within a request: answered by the same operations, in the same transaction.

Each is undone by itself where it is refused, down to what its reading led to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast
from urllib.parse import unquote

from django.db import transaction
from django.http import HttpRequest, QueryDict
from pydantic_core import to_json

from clones.core import sightings
from clones.core.strict_json import read_json
from clones.core.tenancy.middleware import SandboxRequest
from clones.crm.api.dialect import dialect
from clones.crm.api.operations import PREFIX, operations
from clones.crm.errors import CrmError, NotFound
from clones.crm.rules.answer_references import Answers, NoValue, TooMuch

METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"})
HALTED: Final = (
    "The transaction was rolled back since another operation in the same transaction failed."
)
# Headers that a request within another has from it; all others it says itself.
_INHERITED: Final = (
    "HTTP_ACCEPT",
    "HTTP_AUTHORIZATION",
    "HTTP_COOKIE",
    "HTTP_HOST",
    "HTTP_SFORCE_DUPLICATE_RULE",
    "HTTP_SFORCE_DUPLICATE_RULE_HEADER",
    "HTTP_SFORCE_AUTO_ASSIGN",
    "HTTP_X_SFDC_SESSION",
)
_BELOW: Final = re.compile(rf"{PREFIX}/data/v\d\d\.\d(?=/|$)", re.ASCII)
_NESTS: Final = re.compile(r"/composite(/batch|/graph|/tree(/.*)?)?", re.ASCII)
_COLLECTIONS: Final = re.compile(r"/composite/sobjects(/.*)?", re.ASCII)
_QUERIES: Final = re.compile(r"/(query|queryAll)(/.*)?", re.ASCII)


class Subrequest(SandboxRequest):
    """A request that is part of another."""

    wants_all_or_none: bool = False
    content: bytes = b""

    @property
    def body(self) -> bytes:
        """The body: whole, since it was part of another."""
        return self.content


@dataclass(frozen=True, slots=True)
class Asked:
    """What a part of a request asks for."""

    method: str
    url: str
    body: Any
    headers: Mapping[str, str]

    @property
    def resource(self) -> str:
        """The address below its version, without a query; empty for any that has no version."""
        path = _path(self.url.partition("?")[0])
        found = _BELOW.match(path)
        return "" if found is None else path[found.end() :].rstrip("/")

    @property
    def is_collection(self) -> bool:
        """Whether it is about a list of records."""
        return _COLLECTIONS.fullmatch(self.resource) is not None

    @property
    def is_query_or_collection(self) -> bool:
        """Whether it counts among those of which a request has few."""
        return self.is_collection or _QUERIES.fullmatch(self.resource) is not None


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to a part of a request."""

    status: int
    body: Any
    headers: dict[str, str]

    @property
    def is_refusal(self) -> bool:
        """Whether it did nothing."""
        return self.status >= 400 or self.status == 300


def wants_all_or_none(request: HttpRequest) -> bool:
    """Tell whether a request is part of another that is carried out whole or not at all."""
    return isinstance(request, Subrequest) and request.wants_all_or_none


def halted(message: str = HALTED) -> Result:
    """Return the answer to what was not carried out, or was undone."""
    return Result(400, [{"errorCode": "PROCESSING_HALTED", "message": message}], {})


def run(outer: SandboxRequest, asked: Asked, *, all_or_none: bool = False) -> Result:
    """Answer a part of a request, and undo what it wrote if it is refused."""
    request = _made(outer, asked)
    request.wants_all_or_none = all_or_none
    led_to = len(outer.led_to)
    with transaction.atomic():
        result = _answered(request, asked)
        if result.is_refusal and not request.keep_on_error:
            transaction.set_rollback(True)
            del outer.led_to[led_to:]
    return result


def run_in_turn(
    outer: SandboxRequest, parts: Sequence[tuple[str, Asked]], *, all_or_none: bool
) -> tuple[list[Result], bool]:
    """Answer parts of a request one after the other, and tell whether none of them failed.

    Each has a name, by which later ones refer to its answer. If all or none are wanted, one that
    fails undoes those before it and keeps those after it from being carried out.
    """
    led_to, noting = len(outer.led_to), sightings.start(wanted=True)
    try:
        with transaction.atomic():
            results, failed = _in_turn(outer, parts, all_or_none=all_or_none)
            is_undone = failed is not None and all_or_none
            if is_undone:
                transaction.set_rollback(True)
    finally:
        shown = sightings.stop(noting)
    if is_undone:
        del outer.led_to[led_to:]
        results = [results[-1] if at == failed else halted() for at in range(len(parts))]
    else:
        for table, key, kind in shown:
            sightings.note_key(table, key, cast(sightings.Kind, kind))
    return results, failed is None


def _in_turn(
    outer: SandboxRequest, parts: Sequence[tuple[str, Asked]], *, all_or_none: bool
) -> tuple[list[Result], int | None]:
    """Answer parts of a request, all or up to the one that fails, and tell the place of that."""
    answers, results, failed = Answers(), list[Result](), None
    for name, asked in parts:
        result = _filled_and_run(outer, asked, answers, all_or_none=all_or_none)
        answers.bodies[name] = result.body
        results.append(result)
        if result.is_refusal or (all_or_none and _has_failed_rows(asked, result)):
            failed = len(results) - 1
            if all_or_none:
                break
    return results, failed


def _filled_and_run(
    outer: SandboxRequest, asked: Asked, answers: Answers, *, all_or_none: bool
) -> Result:
    try:
        filled = Asked(
            asked.method,
            str(answers.fill(asked.url)),
            answers.fill(asked.body),
            {name: str(answers.fill(value)) for name, value in asked.headers.items()},
        )
    except NoValue as error:
        return halted(str(error))
    except TooMuch:
        raise CrmError(
            "The references of the request bring in more than a request may hold",
            code="OPERATION_TOO_LARGE",
        ) from None
    return run(outer, filled, all_or_none=all_or_none)


def _has_failed_rows(asked: Asked, result: Result) -> bool:
    rows = result.body if asked.is_collection and isinstance(result.body, list) else []
    return any(isinstance(row, dict) and row.get("success") is False for row in rows)


def _answered(request: Subrequest, asked: Asked) -> Result:
    if asked.method not in METHODS or not asked.resource or _NESTS.fullmatch(asked.resource):
        response = dialect.fail(request, NotFound())
    else:
        response = operations.dispatch(request, dialect)
    assert response is not None  # noqa: S101 - the vendor has a body for it
    has_body = bool(response.content) and asked.method != "HEAD"
    body = read_json(response.content) if has_body else None
    headers = {"Location": response["Location"]} if "Location" in response else {}
    return Result(response.status_code, body, headers)


def _made(outer: SandboxRequest, asked: Asked) -> Subrequest:
    path, _, query = asked.url.partition("?")
    query = query.replace("%00", "%EF%BF%BD").replace("\0", "\ufffd")
    request = Subrequest()
    request.META = {
        **{key: value for key, value in outer.META.items() if not key.startswith("HTTP_")},
        **{key: outer.META[key] for key in _INHERITED if key in outer.META},
        **{f"HTTP_{key.upper().replace('-', '_')}": value for key, value in asked.headers.items()},
        "REQUEST_METHOD": asked.method,
        "QUERY_STRING": query,
        "CONTENT_TYPE": "application/json",
    }
    request.method = asked.method
    request.path = request.path_info = _path(path)
    request.GET = QueryDict(query, encoding="utf-8")
    request.content = b"" if asked.body is None else to_json(asked.body)
    request.META["CONTENT_LENGTH"] = str(len(request.content))
    request.clone, request.sandbox = outer.clone, outer.sandbox
    request.authenticated, request.request_id = outer.authenticated, outer.request_id
    request.rate, request.led_to = outer.rate, outer.led_to
    request.answered_at = outer.answered_at
    request.operation_id, request.keep_on_error = None, False
    request.left_work = request.over_quota = False
    return request


def _path(written: str) -> str:
    return unquote(written).replace("\0", "\ufffd")
