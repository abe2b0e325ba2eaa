"""The functions that make links and pictures, and those that write texts for other languages."""

from __future__ import annotations

import html
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Final
from urllib.parse import quote_plus

from clones.crm.rules.formulas.functions.signatures import NUMBER, TEXT, Table, Typed
from clones.crm.rules.formulas.numbers import ZERO, number_text
from clones.crm.rules.formulas.types import Kind, Place

if TYPE_CHECKING:
    from clones.crm.rules.formulas.evaluating import Evaluation

MARKUP = Table()
# The service writes a blank for what is blank, so that its pages show a place to click.
_NOTHING: Final = " "
_MAKERS: Final = frozenset({"HYPERLINK", "IMAGE"})
_BUTTONS: Final = frozenset({Place.BUTTON})
_SCRIPT: Final = str.maketrans(
    {
        "\\": r"\\", "'": r"\'", '"': r"\"", "/": r"\/", "*": r"\*", "\n": r"\n", "\r": r"\r",
        "\t": r"\t", "\b": r"\b", "\f": r"\f", "<": r"\u003C", ">": r"\u003E",
        "\u2028": r"\u2028", "\u2029": r"\u2029",
    }
)  # fmt: skip
_LINES: Final = str.maketrans({"\u2028": "<br>", "\u2029": "<p>"})


def html_escaped(text: str) -> str:
    """Return a text with the marks of HTML escaped, as the service writes them."""
    return html.escape(text).replace("&#x27;", "&#39;")


def _is_markup(label: Typed) -> bool:
    waiting = [label]
    while waiting:
        part = waiting.pop()
        if part.function is not None and part.function.name in _MAKERS:
            return True
        waiting += part.operands
    return False


@MARKUP.function("HYPERLINK", TEXT, TEXT, TEXT, gives=Kind.TEXT, optional=1, lazy=True)
def hyperlink(evaluation: Evaluation, operands: Sequence[Typed]) -> str:
    """Return a link, which opens a new window where no other target is named.

    Its label is escaped, unless a picture or a link is part of it.
    """
    address, label, *target = (evaluation.value(operand) or "" for operand in operands)
    shown = label if _is_markup(operands[1]) else html_escaped(label)
    opens = html_escaped(target[0]) if target else "_blank"
    return f'<a href="{address or _NOTHING}" target="{opens}">{shown or _NOTHING}</a>'


@MARKUP.function("IMAGE", TEXT, TEXT, NUMBER, NUMBER, gives=Kind.TEXT, optional=2, blanks=True)
def image(address: str, label: str, *sizes: Decimal | None) -> str:
    """Return a picture, with its height and width in pixels."""
    names = zip(("height", "width"), sizes, strict=False)
    style = " ".join(f"{name}:{number_text(size or ZERO)}px;" for name, size in names)
    sized = f' style="{style}"' if style else ""
    shown = html_escaped(label) or _NOTHING
    return f'<img src="{address or _NOTHING}" alt="{shown}"{sized} border="0"/>'


@MARKUP.function("HTMLENCODE", TEXT, gives=Kind.TEXT, places=_BUTTONS)
def html_encode(text: str) -> str:
    """Return a text for a place in HTML."""
    return html_escaped(text).translate(_LINES)


@MARKUP.function("JSENCODE", TEXT, gives=Kind.TEXT, places=_BUTTONS)
def js_encode(text: str) -> str:
    """Return a text for a place between quotation marks in JavaScript."""
    return str(text.translate(_SCRIPT))


@MARKUP.function("JSINHTMLENCODE", TEXT, gives=Kind.TEXT, places=_BUTTONS)
def js_in_html_encode(text: str) -> str:
    """Return a text for a place in JavaScript that stands in HTML."""
    return html_encode(js_encode(text))


@MARKUP.function("URLENCODE", TEXT, gives=Kind.TEXT, places=_BUTTONS)
def url_encode(text: str) -> str:
    """Return a text for a place in an address."""
    return quote_plus(text)
