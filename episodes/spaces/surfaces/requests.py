"""What an act of a surface asks for: an operation, a request written out, or a look at the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from clones.core.operations import Operation
from episodes.spaces.errors import BadCall
from sandlot.service import Act

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True, slots=True)
class OperationRequest:
    """One operation with its arguments: those of the path and the query, and `body`."""

    operation: Operation
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RawRequest:
    """One HTTP request to a clone, as the agent wrote it."""

    clone: str
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


@dataclass(frozen=True, slots=True)
class Lookup:
    """A question about the API itself, and its answer: it reaches no clone."""

    text: str


class ToolSurface(Protocol):
    """The tools of an agent, and what their acts ask for. It sends nothing."""

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools: name, description, input_schema."""

    def request(self, act: Act) -> OperationRequest | RawRequest | Lookup:
        """Return what an act asks for.

        Raises:
            BadCall: there is no such tool, or the arguments do not fit.
        """

    def name_of(self, act: Act) -> str:
        """Return what an act has in common with others that ask for the same."""


def raw_request(clone: str, arguments: Mapping[str, Any]) -> RawRequest:
    """Return the request of a tool that sends requests as they are written.

    Raises:
        BadCall: its arguments do not fit.
    """
    method, path = arguments.get("method"), arguments.get("path")
    if method not in METHODS:
        raise BadCall(f"{method!r} is no method")
    if not isinstance(path, str) or not path.startswith("/") or path.startswith("//"):
        raise BadCall("path must start with one slash")
    query, headers = arguments.get("query") or {}, arguments.get("headers") or {}
    if not isinstance(query, dict):
        raise BadCall("query must be an object")
    if query and "?" in path:
        raise BadCall("give parameters in the path or in query, not in both")
    if not isinstance(headers, dict):
        raise BadCall("headers must be an object")
    sent = {str(name): str(value) for name, value in headers.items()}
    return RawRequest(clone, method, path, query, sent, arguments.get("body"))
