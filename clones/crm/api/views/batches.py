"""Up to 25 requests in one that know nothing of each other: each stays, whatever fails."""

from __future__ import annotations

import re
from typing import Any, Final

from clones.core.operations import Call
from clones.crm.api.bodies import flag, items, mapping, text, unreadable
from clones.crm.api.operations import PREFIX, versioned
from clones.crm.api.subrequests import METHODS, Asked, Result, run
from clones.crm.errors import CrmError

MOST: Final = 25
_SHORT: Final = re.compile(r"/?v\d\d\.\d(?=[/?]|$)", re.ASCII)
_HALTED: Final = Result(
    412,
    [
        {
            "errorCode": "BATCH_PROCESSING_HALTED",
            "message": "Batch processing halted per request",
        }
    ],
    {},
)


@versioned("PostBatch", "POST", "/composite/batch", summary="Carry out several requests.", body=Any)
def run_batch(call: Call) -> dict[str, Any]:
    """Answer with the answer to each of them."""
    body = mapping(call.body, "batch request")
    parts = [_part(one) for one in items(body, "batchRequests", "batch request")]
    if len(parts) > MOST:
        raise CrmError(
            f"The number of subrequests is {len(parts)}, the limit is {MOST}", code="LIMIT_EXCEEDED"
        )
    halts = flag(body.get("haltOnError"), "haltOnError")
    results: list[Result] = []
    for asked in parts:
        has_failed = bool(results) and results[-1].is_refusal
        results.append(_HALTED if halts and has_failed else run(call.request, asked))
    return {
        "hasErrors": any(one.is_refusal for one in results),
        "results": [{"statusCode": one.status, "result": one.body} for one in results],
    }


def _part(given: Any) -> Asked:
    part = mapping(given, "batch subrequest")
    method = text(part.get("method"), "method").upper()
    if method not in METHODS:
        raise unreadable("method", method)
    url = text(part.get("url"), "url")
    if _SHORT.match(url) is not None:
        url = f"{PREFIX}/data/{url.removeprefix('/')}"
    return Asked(method, url, part.get("richInput"), {})
