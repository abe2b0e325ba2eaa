"""How long rich text may be."""

from __future__ import annotations

from clones.tracker.rules.richtext.document import Node
from clones.tracker.rules.richtext.wiki.context import NOTHING, Context
from clones.tracker.rules.richtext.wiki.printing import write_markup

LIMIT = 32_767


class MarkupTooLong(Exception):
    """Raised when wiki markup is too long; the vendor answers `message` under the field's name."""

    message = f"The entered text is too long. It exceeds the allowed limit of {LIMIT:,} characters."


class DocumentTooLong(Exception):
    """Raised when a document is too long; `code` is all that the vendor says of it."""

    code = "CONTENT_LIMIT_EXCEEDED"


def length(text: str) -> int:
    """Return how many characters the vendor counts: UTF-16 units, as Java has them."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_markup(text: str) -> None:
    """Refuse wiki markup that is too long.

    Raises:
        MarkupTooLong: it is.
    """
    if length(text) > LIMIT:
        raise MarkupTooLong


def check_document(document: Node, context: Context = NOTHING) -> None:
    """Refuse a document whose markup is too long: it is the markup that the vendor counts.

    Raises:
        DocumentTooLong: it is.
    """
    if length(write_markup(document, context)) > LIMIT:
        raise DocumentTooLong
