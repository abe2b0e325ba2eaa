"""Up to 25 requests in one, each of which may use what those before it were answered."""

from __future__ import annotations

import re
from typing import Any, Final

from clones.core.operations import Call
from clones.crm.api.bodies import flag, items, mapping, text, unreadable
from clones.crm.api.operations import versioned
from clones.crm.api.subrequests import METHODS, Asked, Result, run_in_turn
from clones.crm.errors import CrmError

MOST, MOST_QUERIES = 25, 5
_REFERENCE_ID: Final = re.compile(r"[A-Za-z0-9_]{1,255}", re.ASCII)
_OWN_HEADERS: Final = frozenset({"accept", "authorization", "content-type"})
_HEADER: Final = re.compile(r"[A-Za-z0-9-]{1,100}", re.ASCII)


@versioned("PostComposite", "POST", "/composite", summary="Carry out several requests.", body=Any)
def run_composite(call: Call) -> dict[str, Any]:
    """Answer with the answer to each of them."""
    body = mapping(call.body, "composite request")
    parts = read_parts(items(body, "compositeRequest", "composite request"))
    flag(body.get("collateSubrequests"), "collateSubrequests")
    if len(parts) > MOST:
        raise CrmError(
            f"The number of subrequests is {len(parts)}, the limit is {MOST}", code="LIMIT_EXCEEDED"
        )
    queries = sum(asked.is_query_or_collection for _, asked in parts)
    if queries > MOST_QUERIES:
        raise CrmError(
            f"The number of queries and collections is {queries}, the limit is {MOST_QUERIES}",
            code="LIMIT_EXCEEDED",
        )
    wanted = flag(body.get("allOrNone"), "allOrNone")
    results, _ = run_in_turn(call.request, parts, all_or_none=wanted)
    return present_results(parts, results)


def read_parts(given: list[Any]) -> list[tuple[str, Asked]]:
    """Return the parts of a request by their names, in their order.

    Raises:
        UnreadableBody: a part is not what it has to be.
        CrmError: a name is none, or is that of two; or a header is not theirs to say.
    """
    parts: dict[str, Asked] = {}
    for one in given:
        part = mapping(one, "composite subrequest")
        name = text(part.get("referenceId"), "referenceId")
        if _REFERENCE_ID.fullmatch(name) is None:
            raise CrmError(
                f"Invalid referenceId: {name[:200]}. A referenceId has letters, digits and"
                " underscores",
                code="INVALID_INPUT",
            )
        if name in parts:
            raise CrmError(f"Duplicate referenceId: {name}", code="INVALID_INPUT")
        parts[name] = read_part(part)
    return list(parts.items())


def read_part(part: dict[str, Any]) -> Asked:
    """Return what a part of a request asks for.

    Raises:
        UnreadableBody: it is not what it has to be.
        CrmError: a header is not its own to say.
    """
    method = text(part.get("method"), "method").upper()
    if method not in METHODS:
        raise unreadable("method", method)
    headers = part.get("httpHeaders") or {}
    for key, value in mapping(headers, "httpHeaders").items():
        if not isinstance(value, str) or _HEADER.fullmatch(key) is None:
            raise unreadable("httpHeaders", value)
        if key.lower() in _OWN_HEADERS:
            raise CrmError(f"The header {key} cannot be set in a subrequest", code="INVALID_INPUT")
    return Asked(method, text(part.get("url"), "url"), part.get("body"), headers)


def present_results(parts: list[tuple[str, Asked]], results: list[Result]) -> dict[str, Any]:
    """Return the answers to the parts of a request by the vendor's names."""
    return {
        "compositeResponse": [
            {
                "body": one.body,
                "httpHeaders": one.headers,
                "httpStatusCode": one.status,
                "referenceId": name,
            }
            for (name, _), one in zip(parts, results, strict=True)
        ]
    }
