"""Pictures and files in wiki markup: `!name.png|width=300!` and `[^name.pdf]`."""

from __future__ import annotations

import re
from typing import Any

from clones.tracker.rules.richtext.document import Mark, Node
from clones.tracker.rules.richtext.wiki.context import Context

WIDTH, HEIGHT = 200, 183  # of a picture that does not say its own
_OUTSIDE = re.compile(r"(?:https?|ftps?)://", re.IGNORECASE)
_FILE = re.compile(r"[^|!\n]*\.[A-Za-z0-9]{1,8}")


def is_picture(inside: str, context: Context) -> bool:
    """Tell whether what stands between two exclamation marks names a picture.

    It is an address, a known file, or a name with an ending: the vendor takes anything, and so
    makes pictures of excited sentences.
    """
    name = inside.partition("|")[0].strip()
    return bool(name) and (
        name in context.files or bool(_OUTSIDE.match(name)) or bool(_FILE.fullmatch(name))
    )


def picture(inside: str, context: Context) -> Node:
    """Return the picture that is named between two exclamation marks."""
    name, _, rest = inside.partition("|")
    settings = _settings(rest.partition("|")[0])
    single: dict[str, Any] = {"layout": "center"}
    media: dict[str, Any] = {"width": WIDTH, "height": HEIGHT}
    width = settings.get("width", "")
    if width.endswith("%"):
        media = {}
        if (share := _number(width[:-1])) is not None:
            single["width"] = min(100, share)
    else:
        for name_of in ("width", "height"):
            if (size := _number(settings.get(name_of, ""))) is not None:
                media[name_of] = size
    if settings.get("alt"):
        media["alt"] = _unquoted(settings["alt"])
    marks = (Mark("link", {"href": _unquoted(settings["href"])}),) if settings.get("href") else ()
    return Node("mediaSingle", (_media(name.strip(), media, marks, context),), single)


def _media(name: str, attrs: dict[str, Any], marks: tuple[Mark, ...], context: Context) -> Node:
    if _OUTSIDE.match(name):
        return Node("media", attrs={"type": "external", "url": name, **attrs}, marks=marks)
    known = {"type": "file", "id": context.files.get(name, name), "collection": ""}
    return Node("media", attrs={**known, **attrs}, marks=marks)


def attached(name: str, context: Context) -> Node:
    """Return the group of one attached file."""
    return Node("mediaGroup", (_media(name, {}, (), context),))


def _settings(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        found.setdefault(name.strip(), value.strip())
    return found


def _number(text: str) -> int | None:
    found = re.match(r"\d{1,5}", text.strip(), re.ASCII)
    return None if found is None else int(found.group())


def _unquoted(text: str) -> str:
    found = re.fullmatch(r'"(.+)"', text)
    return text if found is None else found[1]
