"""Rich text in forms: written as it looks where scripts run, as wiki markup elsewhere.

    text = text_of(document)                  what an area begins with: markup and document
    text = typed_text(typed, "body")          what it begins with after a refusal
    read_text(typed, "body", before, field)   the document that a form sent

An area `body` that became an editor sends its document as `body:document`, which counts then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from clones.core.strict_json import read_json
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.richtext import markup_of, read_edited, read_rich_text

Document = dict[str, Any]
Typed = Mapping[str, list[str]]
SUFFIX: Final = ":document"


@dataclass(frozen=True, slots=True)
class Text:
    """What an area begins with; `document` is JSON, "" for an empty one."""

    markup: str = ""
    document: str = ""


def text_of(document: Document | None) -> Text:
    """Return what an area begins with to change a document."""
    if document is None:
        return Text()
    return Text(markup_of(document) or "", json.dumps(document, ensure_ascii=False))


def typed_text(typed: Typed, name: str) -> Text:
    """Return what an area begins with that was sent already, or that an address asks for."""
    markup, document = _first(typed, name), _first(typed, name + SUFFIX)
    if document or not markup:
        return Text(markup, document)
    try:
        return Text(markup, text_of(read_rich_text(markup, "2", name)).document)
    except Invalid:
        return Text(markup)  # too long, as it will be said again


def sent_text(typed: Typed, name: str) -> Any:
    """Return what a form sent, as version "either": markup, or what should be a document."""
    document = _first(typed, name + SUFFIX)
    if not document:
        return _first(typed, name).replace("\r\n", "\n").strip()
    try:
        found = read_json(document)
    except ValueError:
        return {}
    return {} if isinstance(found, str) else found


def read_text(typed: Typed, name: str, before: Document | None, field: str) -> Document | None:
    """Return the document that a form sent; None for one without words.

    Args:
        typed: what was sent, by the names of inputs.
        name: of the area.
        before: the document that it began with: of its blocks those stay whose markup was left.
        field: whose name errors bear.

    Raises:
        Invalid: see `read_rich_text`.
    """
    sent = sent_text(typed, name)
    if isinstance(sent, str):
        return read_edited(sent, before, field)
    return read_rich_text(sent, "3", field)


def _first(typed: Typed, name: str) -> str:
    return (typed.get(name) or [""])[0]
