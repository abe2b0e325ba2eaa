"""JSON over several lines, as the vendor writes it for those who ask for it."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json


def printed(value: Any, indent: int = 0) -> str:
    """Return a value as JSON: members a line each, items of a list one after the other."""
    if isinstance(value, dict):
        if not value:
            return "{ }"
        inner = " " * (indent + 2)
        members = (
            f"{inner}{to_json(key).decode()} : {printed(one, indent + 2)}"
            for key, one in value.items()
        )
        return "{\n" + ",\n".join(members) + "\n" + " " * indent + "}"
    if isinstance(value, list):
        return f"[ {', '.join(printed(one, indent) for one in value)} ]" if value else "[ ]"
    return to_json(value).decode()
