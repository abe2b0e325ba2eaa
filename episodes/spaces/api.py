"""The API action space: requests to the clones, by the tools of a surface.

Acts go over HTTP to the data plane, like any client's: nothing here reaches round it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import h11
import httpx
from django.conf import settings

from clones.core.accounts import AccountCard
from clones.core.strict_json import DEPTH, read_json
from clones.core.tenancy.middleware import HEADER_LIMIT
from clones.core.vendors import clone_named
from episodes.spaces.errors import BadCall, HarnessKind, Unanswered
from episodes.spaces.played import Played
from episodes.spaces.surfaces import (
    FlatTools,
    Lookup,
    OperationRequest,
    RawRequest,
    ToolSurface,
    flat_name,
)
from sandlot.service import Act, Observation

SHOWN_HEADERS = (
    "content-type",
    "location",
    "retry-after",
    "link",
    "etag",
    "x-zendesk-api-warn",
    "x-rate-limit",
    "x-rate-limit-remaining",
    "idempotent-replayed",
)

# What the vendors call the header that names a request.
REQUEST_IDS = ("x-request-id", "request-id", "x-arequestid")

# What the HTTP library, or one that it stands on, says of a request that it will not put on the
# wire: by then part of it may be there, and nothing has been answered.
UNSENDABLE = (
    httpx.InvalidURL,
    httpx.LocalProtocolError,
    httpx.UnsupportedProtocol,
    h11.LocalProtocolError,
    TypeError,
    ValueError,
    RecursionError,
)

# Where a message begins and ends is its sender's to say, and so is who is asked by it.
FRAMING = frozenset(
    {
        "connection",
        "content-length",
        "expect",
        "http2-settings",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A clone's address and the credential that acts use there."""

    url: str
    card: AccountCard | None


class ApiSpace:
    """The API tools of one episode.

    `endpoints` maps clone names to addresses and credentials. `surface` has the tools: one for each
    operation of the clones, unless others are given.
    """

    def __init__(
        self,
        endpoints: dict[str, Endpoint],
        goal: str,
        http: httpx.Client,
        surface: ToolSurface | None = None,
    ) -> None:
        self.endpoints = endpoints
        self.goal = goal
        self._http = http
        self._surface = FlatTools(frozenset(endpoints)) if surface is None else surface

    def start(self) -> None:
        """Nothing to get ready: each act brings its own credential."""

    def observe(self, now: str) -> Observation:
        """Return the goal: an API has no page to look at."""
        return Observation(kind="message", now=now, text=self.goal)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools: name, description, input_schema."""
        return self._surface.tools()

    def name_of(self, act: Act) -> str:
        """Return what an act has in common with others that ask for the same."""
        return self._surface.name_of(act)

    def play(self, act: Act, now: str) -> Played:
        """Carry out one act.

        Raises:
            BadCall: there is no such tool, or the arguments do not fit.
            Unanswered: the data plane did not answer, or failed.
        """
        asked = self._surface.request(act)
        if isinstance(asked, Lookup):
            told = Observation(kind="message", now=now, text=asked.text)
            return Played(told, handle=act.model_dump(), looked_up=True)
        if isinstance(asked, RawRequest):
            return _played(self._raw(asked, act, now), act, now)
        return _played(self._operation(asked, act, now), act, now)

    def _operation(self, asked: OperationRequest, act: Act, now: str) -> httpx.Response:
        operation, arguments = asked.operation, dict(asked.arguments)
        segments = []
        for segment in operation.segments:
            if segment.startswith("{"):
                name = segment[1:-1].partition(":")[0]
                if name not in arguments:
                    raise BadCall(f"{flat_name(operation)} needs the argument {name!r}")
                segments.append(quote(str(arguments.pop(name)).encode(errors="replace"), safe=""))
            else:
                segments.append(segment)
        body = arguments.pop("body", None)
        unknown = sorted(set(arguments) - operation.arguments)
        if unknown:
            raise BadCall(f"{flat_name(operation)} has no argument {unknown[0]!r}")
        request = self._request(
            operation.clone,
            operation.method,
            "/" + "/".join(segments),
            query=_query_fields(arguments, form=operation.form_body),
            body=body,
            form=operation.form_body,
            headers={},
        )
        return self._send(request, operation.clone, act, now)

    def _raw(self, asked: RawRequest, act: Act, now: str) -> httpx.Response:
        framing = sorted(name for name in asked.headers if name.strip().lower() in FRAMING)
        if framing:
            raise BadCall(f"leave out the header {framing[0]!r}: it is set as the request is sent")
        forms = _takes_forms(asked.clone)
        request = self._request(
            asked.clone,
            asked.method,
            asked.path,
            query=_query_fields(dict(asked.query), form=forms),
            body=asked.body,
            form=forms,
            headers=dict(asked.headers),
        )
        return self._send(request, asked.clone, act, now)

    def _request(
        self,
        clone: str,
        method: str,
        path: str,
        *,
        query: list[tuple[str, str]],
        body: Any,
        form: bool,
        headers: dict[str, str],
    ) -> httpx.Request:
        endpoint = self.endpoints[clone]
        headers = {name: value for name, value in headers.items() if name.lower() != "host"}
        if not any(name.lower() == "authorization" for name in headers):
            headers.update(_authorization(clone, endpoint.card))
        options: dict[str, Any] = {"headers": headers}
        if query:
            options["params"] = query
        # What cannot be put into a request is the agent's mistake: nothing was sent.
        try:
            if body is not None and method != "GET":
                options |= _content(body, form=form)
            return self._http.build_request(method, endpoint.url + path, **options)
        except UNSENDABLE as error:
            raise BadCall(f"this is no request that can be sent: {error}") from error

    def _send(self, request: httpx.Request, clone: str, act: Act, now: str) -> httpx.Response:
        try:
            return self._http.send(request)
        except UNSENDABLE as error:
            raise BadCall(f"this is no request that can be sent: {error}") from error
        except httpx.TimeoutException as error:
            text = f"{clone} did not answer in time"
            raise _unanswered("harness_timeout", text, text, act, now) from error
        except httpx.HTTPError as error:
            if _is_too_long(request):
                # The server may hang up on what it does not read, before its answer is seen.
                raise BadCall(f"{clone} takes no request of this length") from error
            detail = f"{clone} could not be reached: {error}"
            text = f"the connection to {clone} was closed before an answer came"
            raise _unanswered("harness_5xx", detail, text, act, now) from error


def _content(body: Any, *, form: bool) -> dict[str, Any]:
    """Return a body as the HTTP library takes it."""
    if isinstance(body, str):
        return {"content": body.encode(errors="replace")}
    if form:
        return {"data": dict(_form_fields(body))}
    return {"json": body}


def _is_too_long(request: httpx.Request) -> bool:
    """Tell whether a request is longer than the data plane reads."""
    head = len(request.url.raw_path) + sum(len(n) + len(v) for n, v in request.headers.raw)
    length = int(request.headers.get("content-length", 0))
    return head > HEADER_LIMIT or length > (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)


def _unanswered(kind: HarnessKind, detail: str, text: str, act: Act, now: str) -> Unanswered:
    """Return the failure of a request whose answer never came."""
    seen = Observation(kind="error", now=now, text=text)
    played = Played(seen, handle=act.model_dump(), refused=True)
    return Unanswered(kind, detail, lambda: played)


def _played(response: httpx.Response, act: Act, now: str) -> Played:
    named = [response.headers[name] for name in REQUEST_IDS if name in response.headers]
    request_id = named[0] if named else None
    shown = {name: response.headers[name] for name in SHOWN_HEADERS if name in response.headers}
    observation = Observation(
        kind="http", now=now, status=response.status_code, headers=shown, body=_body(response)
    )
    played = Played(
        observation,
        handle=act.model_dump(),
        requests=(request_id,) if request_id else (),
        refused=response.status_code >= 400,
    )
    if response.status_code >= 500:
        asked = response.request
        detail = f"{asked.method} {asked.url.path} answered {response.status_code}"
        raise Unanswered("harness_5xx", detail, lambda: played)
    return played


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _takes_forms(clone: str) -> bool:
    found = clone_named(clone)
    return found is not None and found.takes_forms


def _authorization(clone: str, card: AccountCard | None) -> dict[str, str]:
    if card is None:
        return {}
    found = clone_named(clone)
    if found is None:
        return {}
    return found.authorization(card)


def _query_fields(arguments: dict[str, Any], *, form: bool) -> list[tuple[str, str]]:
    """Return the query of an operation: nested with brackets where its vendor's forms are."""
    if form:
        return _form_fields(arguments)
    return [
        (name, _text(item))
        for name, value in arguments.items()
        if value is not None
        for item in (value if isinstance(value, list) else [value])
    ]


def _form_fields(body: Any, prefix: str = "") -> list[tuple[str, str]]:
    """Return nested data as form fields: {"metadata": {"a": 1}} becomes metadata[a]=1."""
    if isinstance(body, dict):
        return [
            field
            for name, value in body.items()
            for field in _form_fields(value, f"{prefix}[{name}]" if prefix else str(name))
        ]
    if isinstance(body, list):
        return [
            field
            for index, value in enumerate(body)
            for field in _form_fields(value, f"{prefix}[{index}]")
        ]
    return [] if body is None else [(prefix, _text(body))]


def _body(response: httpx.Response) -> Any:
    if not response.content:
        return None
    if "json" in response.headers.get("content-type", ""):
        try:
            return read_json(response.content, depth=2 * DEPTH)
        except ValueError:
            return response.text
    if response.headers.get("content-type", "").startswith("text/"):
        return response.text[:20000]
    return f"{len(response.content)} bytes of {response.headers.get('content-type')}"
