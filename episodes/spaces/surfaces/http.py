"""The surface `http`: one tool, which sends a request as the agent writes it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from clones.core.vendors import clone_of_path, clones
from episodes.spaces.errors import BadCall
from episodes.spaces.names import path_name
from episodes.spaces.surfaces.requests import METHODS, RawRequest, raw_request
from sandlot.service import Act


class HttpTools:
    """Requests to the clones with those names: the path says to which."""

    def __init__(self, names: Collection[str]) -> None:
        self._prefixes = {
            clone.name: clone.api_prefixes
            for clone in clones()
            if clone.name in names and clone.operations is not None
        }

    def tools(self) -> list[dict[str, Any]]:
        """Return the tool."""
        places = "; ".join(
            f"{name} under {', '.join(prefixes)}" for name, prefixes in self._prefixes.items()
        )
        return [
            {
                "name": "request",
                "description": "Send one HTTP request with your own credentials to the API of an"
                f" application, which its path names: {places}.",
                "input_schema": {
                    "type": "object",
                    "properties": {
                        "method": {"type": "string", "enum": list(METHODS)},
                        "path": {"type": "string", "description": "It starts with a slash."},
                        "query": {"type": "object", "description": "Parameters by name."},
                        "headers": {"type": "object", "additionalProperties": {"type": "string"}},
                        "body": {"description": "JSON, or fields where the API takes forms."},
                    },
                    "required": ["method", "path"],
                    "additionalProperties": False,
                },
            }
        ]

    def request(self, act: Act) -> RawRequest:
        """Return the request of an act.

        Raises:
            BadCall: there is no such tool, or the arguments do not fit.
        """
        if act.tool != "request":
            raise BadCall(f"there is no tool {act.tool!r}")
        allowed = {"method", "path", "query", "headers", "body"}
        unknown = sorted(set(act.arguments) - allowed)
        if unknown:
            raise BadCall(f"request has no argument {unknown[0]!r}")
        path = act.arguments.get("path")
        clone = clone_of_path(path) if isinstance(path, str) else None
        if isinstance(path, str) and (clone is None or clone.name not in self._prefixes):
            known = ", ".join(prefix for found in self._prefixes.values() for prefix in found)
            raise BadCall(f"no API lies at {path[:200]!r}: a path starts with one of {known}")
        return raw_request("" if clone is None else clone.name, act.arguments)

    def name_of(self, act: Act) -> str:
        """Return what a request asks."""
        return f"{act.arguments.get('method')} {path_name(str(act.arguments.get('path')))}"
