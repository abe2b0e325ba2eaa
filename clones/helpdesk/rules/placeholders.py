"""Placeholders in texts: {{ticket.requester.name}} and the like."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z0-9_.]+)\s*\}\}")


def render(text: str, values: Mapping[str, str]) -> str:
    """Return the text with its placeholders filled; unknown ones become nothing."""
    return _PLACEHOLDER.sub(lambda found: values.get(found.group(1), ""), text)


def names_in(text: str) -> set[str]:
    """Return the placeholders that a text names."""
    return set(_PLACEHOLDER.findall(text))
