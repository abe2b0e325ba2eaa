"""Acts that are named as in the surface `flat`, taken by the tools of another: for scripts."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Final

from sandlot.client import ControlClient
from sandlot.spaces.remote import RemoteSpace

# Both are those of `sandlot.trajectory.schema`, which the command line does not wait for.
ON_SCREEN: Final = ("computer", "hybrid")
SURFACES: Final = (
    "flat",
    *(
        f"{kind}{more}"
        for kind in ("search_call", "http", "app")
        for more in ("", "+5", "+10", "+15")
    ),
    *ON_SCREEN,
)
# Surfaces whose tools say which operation of `flat` they call: a raw request does not.
SPOKEN: Final = ("flat", "search_call", "app")
WORDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[.\-]")


def plain_name(name: str) -> str:
    """Return an operation's name as the name of a function: `helpdesk_list_sla_policies`."""
    return WORDS.sub("_", name).lower()


def is_spoken(surface: str | None) -> bool:
    """Tell whether a script that is written for `flat` can act by a surface's tools."""
    return surface is None or surface.partition("+")[0] in SPOKEN


class ScriptedSpace(RemoteSpace):
    """A running episode in the hands of a script that names its acts as `flat` does.

    They are taken by the tools of `surface`.

    Raises:
        ValueError: by those of this surface none can be.
    """

    def __init__(self, client: ControlClient, episode: dict[str, Any], surface: str | None) -> None:
        super().__init__(client, episode)
        if not is_spoken(surface):
            raise ValueError(f"a script plays by {', '.join(SPOKEN)}, not by {surface}")
        self._surface = (surface or "flat").partition("+")[0]

    def try_act(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Take one step and return its observation, whatever it says."""
        return self.take(*self.spoken(tool, arguments))

    def spoken(self, tool: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the tool of the surface that does what a tool of `flat` does, and its arguments.

        A tool that the surface has is itself.
        """
        if self._surface == "flat" or tool in self._taken:
            return tool, arguments
        if self._surface == "search_call":
            return "call", {"operation": tool, "arguments": arguments}
        name = plain_name(tool)
        return name, _without_body(arguments, self._taken.get(name, frozenset()))

    @cached_property
    def _taken(self) -> dict[str, frozenset[str]]:
        """The names of the arguments of each tool."""
        return {
            tool["name"]: frozenset(tool["input_schema"]["properties"]) for tool in self.tools()
        }


def _without_body(arguments: dict[str, Any], taken: frozenset[str]) -> dict[str, Any]:
    """Return arguments with the fields of the body, or of its one record, among them."""
    others = {name: value for name, value in arguments.items() if name != "body"}
    body = arguments.get("body")
    if not isinstance(body, dict) or ("body" in taken and not taken >= set(body)):
        return arguments
    if len(body) == 1 and not taken & set(body):
        (record,) = body.values()
        body = record if isinstance(record, dict) else body
    return others | {(f"body_{name}" if name in others else name): body[name] for name in body}
