"""Texts that stand for others in the reader's language: {{dc.identifier}}."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from clones.helpdesk.rules.locales import LOCALES

PREFIX = "dc."
_REFERENCE = re.compile(r"\{\{\s*dc\.([a-z0-9_]+)\s*\}\}")
_BY_ID = {locale.id: locale.code for locale in LOCALES}


@dataclass(frozen=True, slots=True)
class Variant:
    """A text in one language."""

    locale_id: int
    content: str
    default: bool
    active: bool


def identifier_of(name: str) -> str:
    """Return what an item of this name is called in placeholders; empty if nothing is left."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def bare(reference: str) -> str:
    """Return the identifier that `{{dc.x}}`, `dc.x` and `x` name."""
    inner = reference.strip().removeprefix("{{").removesuffix("}}").strip()
    return inner.removeprefix(PREFIX)


def is_identifier(text: str) -> bool:
    """Tell whether an item can be called this."""
    return text != "" and text == identifier_of(text)


def has_references(text: str) -> bool:
    """Tell whether a text refers to others."""
    return _REFERENCE.search(text) is not None


def fill(text: str, content: Callable[[str], str | None]) -> str:
    """Return a text with what it refers to; a reference to nothing stays as it is."""

    def put(found: re.Match[str]) -> str:
        value = content(found.group(1))
        return found.group(0) if value is None else value

    return _REFERENCE.sub(put, text)


def in_language(code: str, variants: Iterable[Variant]) -> str | None:
    """Return the text for readers of a language: theirs if it is active, else the default one."""
    found = None
    for variant in variants:
        if variant.active and _BY_ID.get(variant.locale_id) == code:
            return variant.content
        if variant.default:
            found = variant.content
    return found
