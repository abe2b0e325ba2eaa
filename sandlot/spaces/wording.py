"""What a model reads of an episode: its task, its tools, and what its acts are answered with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def prompt_of(view: Mapping[str, Any]) -> str:
    """Return the task in words: always the same for one instance in one space."""
    return (
        f"You are {view['persona']}.\n\n{view['goal']}\n\n"
        f"You may take {view['max_steps']} steps; every call of a tool is one. When you are done,"
        " call `finish`: only then does the work count as finished."
    )


def seen(observation: Mapping[str, Any]) -> dict[str, Any]:
    """Return an observation as JSON, without what is not set."""
    return {name: value for name, value in observation.items() if value not in (None, [])}


def text_of(observation: Mapping[str, Any], *, only_ascii: bool = False) -> str:
    """Return what there is to read of an observation, as JSON; a picture is not among it."""
    found = seen(observation)
    found.pop("screenshot", None)
    return json.dumps(found, ensure_ascii=only_ascii)


def told_tools(tools: Sequence[Mapping[str, Any]]) -> str:
    """Return tools for a model that reads of them in its prompt, and how it calls one."""
    lines = [
        json.dumps(
            {
                "name": tool["name"],
                "description": tool["description"],
                "parameters": tool["input_schema"],
            },
            ensure_ascii=False,
        )
        for tool in tools
    ]
    return "\n".join(
        [
            "These are your tools:",
            *lines,
            "Call one of them in each answer, and wait for what it says:",
            '<tool_call>{"name": "...", "arguments": {...}}</tool_call>',
        ]
    )
