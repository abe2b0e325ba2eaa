"""The API action space: one tool per vendor operation, and one for raw requests.

Acts go over HTTP to the data plane, like any client's: nothing here reaches round it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from clones.core.accounts import AccountCard
from clones.core.operations import Operation
from clones.core.vendors import clone_named, clones
from episodes.spaces.errors import BadCall, HarnessKind, Unanswered
from episodes.spaces.played import Played
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

UNSENDABLE = (httpx.LocalProtocolError, httpx.UnsupportedProtocol)

HTTP_REQUEST: dict[str, Any] = {
    "name": "http_request",
    "description": "Send one HTTP request to a clone's API with your own credentials.",
    "input_schema": {
        "type": "object",
        "properties": {
            "clone": {"type": "string", "description": "Which application to call."},
            "method": {"type": "string", "enum": ["GET", "POST", "PUT", "PATCH", "DELETE"]},
            "path": {"type": "string", "description": "Path and query, starting with a slash."},
            "body": {"description": "JSON body, or form fields where the API takes forms."},
            "headers": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": ["clone", "method", "path"],
        "additionalProperties": False,
    },
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A clone's address and the credential that acts use there."""

    url: str
    card: AccountCard | None


class ApiSpace:
    """The API tools of one episode.

    `endpoints` maps clone names to addresses and credentials.
    """

    def __init__(self, endpoints: dict[str, Endpoint], goal: str, http: httpx.Client) -> None:
        self.endpoints = endpoints
        self.goal = goal
        self._http = http

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
        found = [
            {
                "name": _tool_name(operation),
                "description": operation.summary,
                "input_schema": operation.schema(),
            }
            for clone in clones()
            if clone.name in self.endpoints and clone.operations is not None
            for operation in clone.operations.all.values()
        ]
        return [*found, HTTP_REQUEST]

    def play(self, act: Act, now: str) -> Played:
        """Carry out one act.

        Raises:
            BadCall: there is no such tool, or the arguments do not fit.
            Unanswered: the data plane did not answer, or failed.
        """
        if act.tool == "http_request":
            response = self._raw(act, now)
        else:
            clone_name, _, operation_id = act.tool.partition("_")
            clone = clone_named(clone_name)
            operation = (
                clone.operations.all.get(operation_id)
                if clone is not None and clone.operations is not None
                else None
            )
            if operation is None or clone_name not in self.endpoints:
                raise BadCall(f"there is no tool {act.tool!r}")
            response = self._operation(operation, act, now)
        return _played(response, act, now)

    def _operation(self, operation: Operation, act: Act, now: str) -> httpx.Response:
        arguments = dict(act.arguments)
        segments = []
        for segment in operation.segments:
            if segment.startswith("{"):
                name = segment[1:-1].partition(":")[0]
                if name not in arguments:
                    raise BadCall(f"{_tool_name(operation)} needs the argument {name!r}")
                segments.append(quote(str(arguments.pop(name)), safe=""))
            else:
                segments.append(segment)
        body = arguments.pop("body", None)
        unknown = sorted(set(arguments) - operation.arguments)
        if unknown:
            raise BadCall(f"{_tool_name(operation)} has no argument {unknown[0]!r}")
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

    def _raw(self, act: Act, now: str) -> httpx.Response:
        arguments = act.arguments
        clone, method, path = (arguments.get(name) for name in ("clone", "method", "path"))
        if clone not in self.endpoints:
            raise BadCall(f"there is no clone {clone!r}: choose one of {sorted(self.endpoints)}")
        if method not in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            raise BadCall(f"{method!r} is no method")
        if not isinstance(path, str) or not path.startswith("/") or path.startswith("//"):
            raise BadCall("path must start with one slash")
        headers = arguments.get("headers") or {}
        if not isinstance(headers, dict):
            raise BadCall("headers must be an object")
        body = arguments.get("body")
        request = self._request(
            clone,
            method,
            path,
            query=[],
            body=body,
            form=_takes_forms(clone),
            headers={str(name): str(value) for name, value in headers.items()},
        )
        return self._send(request, clone, act, now)

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
        if body is not None and method != "GET":
            if isinstance(body, str):
                options["content"] = body.encode(errors="replace")
            elif form:
                options["data"] = dict(_form_fields(body))
            else:
                options["json"] = body
        # What cannot be put into a request is the agent's mistake: nothing was sent.
        try:
            return self._http.build_request(method, endpoint.url + path, **options)
        except (httpx.InvalidURL, TypeError, ValueError) as error:
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
            detail = f"{clone} could not be reached: {error}"
            text = f"the connection to {clone} was closed before an answer came"
            raise _unanswered("harness_5xx", detail, text, act, now) from error


def _unanswered(kind: HarnessKind, detail: str, text: str, act: Act, now: str) -> Unanswered:
    """Return the failure of a request whose answer never came."""
    seen = Observation(kind="error", now=now, text=text)
    return Unanswered(kind, detail, Played(seen, handle=act.model_dump(), refused=True))


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
        raise Unanswered("harness_5xx", detail, played)
    return played


def _tool_name(operation: Operation) -> str:
    return f"{operation.clone}_{operation.id}"


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
            return json.loads(response.content)
        except ValueError:
            return response.text
    if response.headers.get("content-type", "").startswith("text/"):
        return response.text[:20000]
    return f"{len(response.content)} bytes of {response.headers.get('content-type')}"
