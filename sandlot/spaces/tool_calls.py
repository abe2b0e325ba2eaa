"""Tool calls in the text of a model: `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`."""

from __future__ import annotations

import json
import re
from typing import Any, Final

CALLS: Final = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
HOW: Final = (
    "call one tool, as JSON with its name and its arguments between <tool_call> and </tool_call>"
)


class NoToolCall(ValueError):
    """Raised when a text calls no tool that can be read: the model's mistake."""


def call_in(text: str) -> tuple[str, dict[str, Any]]:
    """Return the tool that a text calls, and its arguments; of several the first.

    Raises:
        NoToolCall: it calls none.
    """
    found = CALLS.search(text)
    if found is None:
        raise NoToolCall(f"no tool was called: {HOW}")
    return read_call(found[1])


def read_call(text: str) -> tuple[str, dict[str, Any]]:
    """Return the tool and the arguments that a JSON text names.

    Raises:
        NoToolCall: it is none.
    """
    try:
        call = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NoToolCall(f"a tool call is no JSON: {HOW}") from error
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        raise NoToolCall(f"a tool call has no name: {HOW}")
    arguments = call.get("arguments") or {}
    if isinstance(arguments, str):
        return read_call(json.dumps({"name": call["name"], "arguments": _object(arguments)}))
    if not isinstance(arguments, dict):
        raise NoToolCall(f"the arguments of a tool call are no object: {HOW}")
    return call["name"], arguments


def _object(text: str) -> Any:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NoToolCall(f"the arguments of a tool call are no JSON: {HOW}") from error
    return found if isinstance(found, dict) else [found]
