"""Colours as markup names them, and the panel types that background colours stand for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

# The vendor's backgrounds of panels; a panel of another colour becomes the nearest of these.
PANELS = {
    "info": "#deebff",
    "note": "#eae6ff",
    "success": "#e3fcef",
    "warning": "#fffae6",
    "error": "#ffebe6",
}
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_RGB = re.compile(r"rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)", re.IGNORECASE)


@cache
def _named() -> Mapping[str, str]:
    return dict(json.loads(Path(__file__).with_name("colours.json").read_text()))


def hex_colour(written: str) -> str | None:
    """Return a colour as `#rrggbb` in small letters, None when it is none."""
    written = written.strip().lower()
    if _HEX.fullmatch(written):
        digits = written[1:]
        return written if len(digits) == 6 else "#" + "".join(digit * 2 for digit in digits)
    if found := _RGB.fullmatch(written):
        return "#" + "".join(f"{min(255, int(part)):02x}" for part in found.groups())
    return _named().get(written)


def panel_type(background: str) -> str:
    """Return the type of the panel whose background is nearest; `info` for no colour."""
    colour = hex_colour(background if background.startswith("#") else background.strip()) or (
        hex_colour(f"#{background}")
    )
    if colour is None:
        return "info"
    wanted = _parts(colour)
    return min(
        PANELS,
        key=lambda name: sum(
            (one - other) ** 2 for one, other in zip(_parts(PANELS[name]), wanted, strict=True)
        ),
    )


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
