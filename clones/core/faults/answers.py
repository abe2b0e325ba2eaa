"""What a request that meets a fault is answered.

The vendors' own words where their applications speak (429, 500, 503), and those of the gateway
before them where it does (502, 504, and every error on a page).
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from clones.core.faults.plan import Fault, Kind
from clones.core.faults.wire import Wire, on_wire, unanswered
from clones.core.requestlog import LoggedRequest
from clones.core.vendors import Clone, RefusalReason

# Seconds for which a client that waits without end is kept waiting; longer than our own wait.
SILENCE: Final = 40.0

OWN_WORDS: Final[dict[Kind, RefusalReason]] = {
    "429": "rate_limited",
    "500": "failed",
    "503": "unavailable",
}
REASONS: Final[dict[Kind, str]] = {
    "429": "Too Many Requests",
    "500": "Internal Server Error",
    "502": "Bad Gateway",
    "503": "Service Temporarily Unavailable",
    "504": "Gateway Time-out",
}


def answer(
    fault: Fault,
    request: HttpRequest,
    clone: Clone,
    entry: LoggedRequest,
    response: HttpResponseBase | None,
) -> HttpResponseBase:
    """Return what the client gets, and note the fault in the request's log entry.

    `response` is what the request came to, None if it was not carried out. A failure of ours stays
    what it is: no injected fault hides it.
    """
    if response is not None and (response.status_code >= 500 or entry.fault is not None):
        return response
    entry.fault = fault.name
    if response is not None and fault.kind == "latency":
        on_wire(response, Wire(fault.seconds))
        return response
    if fault.kind in ("timeout", "drop"):
        return unanswered(SILENCE if fault.kind == "timeout" else 0.0)
    if fault.kind in OWN_WORDS and clone.is_api(request.path):
        found = clone.refuse(request, OWN_WORDS[fault.kind])
    else:
        found = gateway_page(int(fault.kind), REASONS[fault.kind])
    del found["Retry-After"]
    if fault.retry_after is not None:
        found["Retry-After"] = str(fault.retry_after)
    return found


def gateway_page(status: int, reason: str) -> HttpResponse:
    """Return the page that a gateway of the common make shows for an error."""
    title = f"{status} {reason}"
    text = (
        f"<html>\r\n<head><title>{title}</title></head>\r\n<body>\r\n"
        f"<center><h1>{title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
    )
    return HttpResponse(text, status=status, content_type="text/html")
