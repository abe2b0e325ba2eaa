"""What goes over the wire of Open Reward Standard: bodies, results, events."""

from __future__ import annotations

import json
import keyword
from collections.abc import Iterator
from typing import Any, Final, Literal

from pydantic import Field, model_validator

from sandlot.gateways.sessions import SessionStep
from sandlot.service.protocol import Model
from sandlot.spaces.wording import text_of

# Characters of a result in one event. A line of more than 512 KiB is refused by clients.
CHUNK: Final = 60_000
Reason = Literal["not_found", "name_collision", "input_validation", "episode_finished"]


class CreateEpisode(Model):
    """What a session is to play: a task, or one of a split by its index."""

    env_name: str | None = None
    task_spec: dict[str, Any] | None = None
    split: str | None = None
    index: int | None = None
    toolset_name: str | None = None

    @model_validator(mode="after")
    def _has_one_source(self) -> CreateEpisode:
        if (self.split is None) != (self.index is None):
            raise ValueError("give split and index together")
        if (self.task_spec is None) == (self.split is None):
            raise ValueError("give either task_spec, or split and index")
        return self


class ToolCall(Model):
    """A call of a tool; `task_id` attaches to one that was made before."""

    name: str
    input: dict[str, Any] = Field(default_factory=dict)
    task_id: str | None = None


def result_of(step: SessionStep) -> str:
    """Return what a tool came to, as JSON: text, and a picture where there is one."""
    blocks = [_text(text_of(step.observation.model_dump(mode="json")))]
    if step.observation.screenshot is not None:
        picture = step.observation.screenshot
        blocks.append({"type": "image", "data": picture, "mimeType": "image/png", "detail": None})
    output = {
        "blocks": blocks,
        "metadata": step.metadata,
        "reward": step.reward,
        "finished": step.done,
    }
    return _compact({"ok": True, "output": output})


def refusal(error: str, reason: Reason) -> str:
    """Return, as JSON, that a call was not carried out: the episode is as it was before."""
    return _compact({"ok": False, "error": error, "reason": reason})


def prompt_blocks(prompt: str) -> list[dict[str, Any]]:
    """Return a task's text as blocks."""
    return [_text(prompt)]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "detail": None}


def _compact(found: Any) -> str:
    """Return JSON in which every blank is within a text, and every letter is one of ASCII."""
    return json.dumps(found, separators=(",", ":"))


def event(name: str, data: str) -> bytes:
    """Return a server-sent event of one line."""
    return f"event: {name}\ndata: {data}\n\n".encode("ascii", "backslashreplace")


def result_events(result: str) -> Iterator[bytes]:
    """Return a result, which is compact JSON, as events: their data in a row are that JSON.

    Clients strip blanks where data begins. None begins or ends with one: it is written as JSON
    writes letters by their number.
    """
    for start in range(0, len(result), CHUNK):
        data = result[start : start + CHUNK]
        if data[0] == " ":
            data = "\\u0020" + data[1:]
        if data[-1] == " ":
            data = data[:-1] + "\\u0020"
        yield event("chunk" if start + CHUNK < len(result) else "end", data)


def listed_tools(tools: list[dict[str, Any]]) -> dict[str, Any]:
    """Return tools in the form of the standard.

    Clients write a Python function for each, so an argument that Python could not name (`from`) is
    not listed. It can be sent all the same.
    """
    return {
        "tools": [
            {**tool, "input_schema": _nameable(tool.get("input_schema"))}
            for tool in tools
            if not any(map(keyword.iskeyword, _required(tool)))
        ],
        "terminal_tool": None,
        "supports_score_group": True,
        "message_block_types": ["text", "image", "reasoning", "tool_call", "tool_result"],
    }


def _required(tool: dict[str, Any]) -> list[str]:
    found: list[str] = (tool.get("input_schema") or {}).get("required", [])
    return found


def _nameable(schema: dict[str, Any] | None) -> dict[str, Any] | None:
    if not schema or "properties" not in schema:
        return schema
    properties = schema["properties"]
    kept = {name: what for name, what in properties.items() if not keyword.iskeyword(name)}
    return {**schema, "properties": kept}
