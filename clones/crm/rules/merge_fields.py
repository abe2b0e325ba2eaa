"""Merge fields of templates: `{!Contact.FirstName}`, and `{{{Recipient.FirstName}}}`.

`{!NullValue(Contact.FirstName, "friend")}` says what stands in the place of nothing. What is no
merge field stays as it is; one that leads nowhere is left out, as the vendor leaves it out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any, Final

from clones.crm.rules.schema import Field

_PATH: Final = r"\$?[A-Za-z]\w{0,80}(?:\.[A-Za-z]\w{0,80}){0,11}"
_MERGE: Final = re.compile(
    rf"\{{!\s*({_PATH})\s*\}}"
    rf"|\{{!\s*NullValue\(\s*({_PATH})\s*,\s*[\"']([^\"'}}]{{0,255}})[\"']\s*\)\s*\}}"
    rf"|\{{\{{\{{\s*({_PATH})\s*\}}\}}\}}",
    re.ASCII | re.IGNORECASE,
)


def render(text: str | None, value_of: Callable[[str], str], *, is_html: bool = False) -> str:
    """Return a text with its merge fields filled in; `value_of` gives what stands at a path."""

    def fill(found: re.Match[str]) -> str:
        path = found[1] or found[2] or found[4]
        value = value_of(path) or (found[3] or "")
        return html.escape(value, quote=False).replace("\n", "<br>") if is_html else value

    return _MERGE.sub(fill, text or "")


def merged_text(field: Field, value: Any) -> str:
    """Return the value of a field as a letter shows it, in the ways of the United States."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if field.type == "currency":
        return f"-${-value:,.2f}" if value < 0 else f"${value:,.2f}"
    if field.type == "percent":
        return f"{float(value):,.{field.scale}f}%"
    if field.is_number:
        return f"{float(value):,.{min(field.scale, 15)}f}".rstrip("0").rstrip(".") or "0"
    if isinstance(value, datetime):
        hour = value.hour % 12 or 12
        side = "AM" if value.hour < 12 else "PM"
        return f"{value.month}/{value.day}/{value.year} {hour}:{value.minute:02d} {side}"
    if isinstance(value, date):
        return f"{value.month}/{value.day}/{value.year}"
    return str(value)
