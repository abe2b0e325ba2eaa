"""Rich text between its versions: documents in the third, wiki markup in the second."""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any, Literal

from clones.tracker.domain.errors import Invalid
from clones.tracker.rules.richtext.document import Node, to_json
from clones.tracker.rules.richtext.html import HtmlContext, render
from clones.tracker.rules.richtext.limits import (
    DocumentTooLong,
    MarkupTooLong,
    check_document,
    check_markup,
)
from clones.tracker.rules.richtext.plain import plain_of_document
from clones.tracker.rules.richtext.validation import (
    InvalidDocument,
    NotADocument,
    NotAString,
    read_document,
)
from clones.tracker.rules.richtext.validation import read_markup as read_string
from clones.tracker.rules.richtext.wiki.blocks import read_markup
from clones.tracker.rules.richtext.wiki.context import NOTHING, Context
from clones.tracker.rules.richtext.wiki.printing import write_markup

# Which version of the API writes it; "either" is a form, which may send markup or a document.
Version = Literal["2", "3", "either"]


def read_rich_text(
    value: Any, version: Version, field: str, context: Context = NOTHING
) -> dict[str, Any] | None:
    """Return the document of what a client sent, as it is stored; None for none.

    Raises:
        Invalid: under the field's name, or for a comment's body under `comment`.
    """
    if version == "either":
        version = "2" if isinstance(value, str) else "3"
    if value is None or (version == "2" and value == ""):
        return None
    try:
        if version == "3":
            found = read_document(value)
            check_document(found, context)
        else:
            text = read_string(value)
            check_markup(text)
            found = read_markup(text, context)
    except (NotADocument, NotAString) as error:
        comment = field == "comment"
        text = error.comment_message if comment else error.message
        raise Invalid(fields={field: text}) from error
    except InvalidDocument as error:
        raise Invalid(error.code) from error
    except MarkupTooLong as error:
        raise Invalid(fields={field: error.message}) from error
    except DocumentTooLong as error:
        raise Invalid(error.code) from error
    written = to_json(found)
    return None if shows_nothing(written) else written


def shows_nothing(document: Mapping[str, Any]) -> bool:
    """Tell whether a document has neither words nor files, cards, rules: it is as good as none."""
    return all(map(_is_blank, document.get("content") or ()))


def _is_blank(block: Mapping[str, Any]) -> bool:
    words = block.get("content") or ()
    return block.get("type") == "paragraph" and all(
        node.get("type") == "hardBreak" or not str(node.get("text", "x")).strip() for node in words
    )


def stored(document: dict[str, Any]) -> Node:
    """Return the nodes of a stored document."""
    return read_document(document)


def markup_of(document: dict[str, Any] | None, context: Context = NOTHING) -> str | None:
    """Return a stored document as wiki markup."""
    return None if document is None else write_markup(stored(document), context)


def read_edited(text: str, before: dict[str, Any] | None, field: str) -> dict[str, Any] | None:
    """Return the document of markup that somebody made out of the markup of another document.

    Markup says less than a document: panels with nodes, task lists and the like. So blocks whose
    markup they left as it was stay as they are stored; only what they wrote anew is read.

    Raises:
        Invalid: as `read_rich_text`.
    """
    found = read_rich_text(text, "2", field)
    if found is None or before is None:
        return found
    if text.strip() == (markup_of(before) or "").strip():
        return before
    blocks = list(before.get("content") or ())
    pieces = [_read_block(block, field) for block in blocks]
    fresh = list(found.get("content") or ())
    return {**found, "content": _kept(blocks, pieces, fresh)}


def _read_block(block: dict[str, Any], field: str) -> list[str]:
    """Return what a block becomes by being written as markup and read again, as texts."""
    alone = {"type": "doc", "version": 1, "content": [block]}
    again = read_rich_text(markup_of(alone) or "", "2", field)
    return [_text(one) for one in (again or {}).get("content") or ()]


def _text(block: dict[str, Any]) -> str:
    return json.dumps(block, sort_keys=True)


def _kept(
    blocks: list[dict[str, Any]], pieces: list[list[str]], fresh: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return new blocks, with the old ones in place of those that read as these do."""
    before = [piece for one in pieces for piece in one]
    matcher = SequenceMatcher(None, before, [_text(one) for one in fresh], autojunk=False)
    places: dict[int, tuple[int, dict[str, Any]]] = {}
    for start, to, size in matcher.get_matching_blocks():
        at = 0
        for block, piece in zip(blocks, pieces, strict=True):
            end = at + len(piece)
            if piece and start <= at and end <= start + size:
                places[to + at - start] = (len(piece), block)
            at = end
    found: list[dict[str, Any]] = []
    at = 0
    while at < len(fresh):
        width, block = places.get(at, (1, fresh[at]))
        found.append(block)
        at += width
    return found


def html_of(document: dict[str, Any] | None, site: HtmlContext) -> str:
    """Return a stored document as the vendor's HTML; nothing of none."""
    return "" if document is None else render(stored(document), site)


def plain_of(document: dict[str, Any] | None) -> str:
    """Return the words of a stored document."""
    return "" if document is None else plain_of_document(stored(document))
