"""What goes over the wire of Model Context Protocol: JSON-RPC answers, tools, contents."""

from __future__ import annotations

from typing import Any, Final

from sandlot.service import Observation
from sandlot.spaces.wording import text_of

NO_REQUEST, NO_METHOD, NO_PARAMS, FAILED = -32600, -32601, -32602, -32000
NO_JSON: Final = -32700


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
