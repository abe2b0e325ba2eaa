"""What goes over the wire of Model Context Protocol: JSON-RPC answers, tools, contents."""

from __future__ import annotations

import math
from typing import Any, Final

from sandlot.service import Observation
from sandlot.spaces.wording import text_of

NO_REQUEST, NO_METHOD, NO_PARAMS, FAILED = -32600, -32601, -32602, -32000
NO_JSON: Final = -32700


def problem_of(message: Any) -> str | None:
    """Return why a message is no request or notification, None where it is one."""
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return "send one JSON-RPC request or notification, which has a method"
    if not (_is_id(message.get("id")) and _is_text(message["method"])):
        return "an id is a number or a text, of what JSON can write"
    return None


def _is_id(value: Any) -> bool:
    """Tell whether an answer can repeat a request's id."""
    if isinstance(value, str):
        return _is_text(value)
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def _is_text(value: str) -> bool:
    """Tell whether a text can be sent: JSON's escapes spell some that cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def result_of(id: Any, result: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request that was carried out."""
    return {"jsonrpc": "2.0", "id": id, "result": result}


def error_of(id: Any, code: int, message: str) -> dict[str, Any]:
    """Return the answer to a request that was not."""
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def content_of(observation: Observation) -> list[dict[str, Any]]:
    """Return what a tool came to: text, and a picture where there is one."""
    found: list[dict[str, Any]] = [
        {"type": "text", "text": text_of(observation.model_dump(mode="json"))}
    ]
    if observation.screenshot is not None:
        found.append({"type": "image", "data": observation.screenshot, "mimeType": "image/png"})
    return found


def listed_tool(tool: dict[str, Any]) -> dict[str, Any]:
    """Return a tool in the form of the protocol."""
    return {
        "name": tool["name"],
        "description": tool["description"],
        "inputSchema": tool["input_schema"],
    }
