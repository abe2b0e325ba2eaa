"""Inline nodes written as wiki markup, in several ways from plain to careful."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from clones.tracker.rules.richtext.document import Mark, Node
from clones.tracker.rules.richtext.lowering import WHOLE
from clones.tracker.rules.richtext.wiki.context import Context
from clones.tracker.rules.richtext.wiki.emoticons import emoticon
from clones.tracker.rules.richtext.wiki.inline import CITED
from clones.tracker.rules.richtext.wiki.links import written_key
from clones.tracker.rules.richtext.wiki.verbatim import verbatim

_ADDRESS = re.compile(r"(?:(?:https?|ftps?|irc)://|mailto:)\S*", re.IGNORECASE)
_RISKY = re.compile(
    r"[*_+^~{\[!\-]|\?(?=\?)|(?<=[:;])[()]|\((?=[yni/x!+\-?*]|o[nf]|flag)"
    r"|^[ \t]*[#|](?=.)"
)
_SYMBOLS = {"em": "_", "strike": "-", "strong": "*", "underline": "+"}
# The order in which the vendor writes formats, from the inside out.
_ORDER = ("code", "em", "strike", "strong", "subsup", "underline", "textColor", "link")


@dataclass(frozen=True, slots=True)
class MarkupStyle:
    """One way to write: what is escaped, whether formats are in braces, where it stands.

    `breaks` is how a line end is written; an empty one is a line end or, next to another or at an
    end of the text, backslashes. `bars` are escaped in a cell.
    """

    escaped: Callable[[str], bool]
    braced: bool = False
    breaks: str = ""
    bars: bool = False


def write(nodes: tuple[Node, ...], way: MarkupStyle, context: Context) -> str:
    """Return inline nodes in wiki markup."""
    return "".join(_written(nodes, way, context))


def _written(nodes: tuple[Node, ...], way: MarkupStyle, context: Context) -> Iterator[str]:
    ended = True
    for place, node in enumerate(nodes):
        if node.type == "hardBreak":
            forced = way.breaks or ("\\\\" if ended or place == len(nodes) - 1 else "\n")
            ended = forced == "\n"
            yield forced
        else:
            ended = False
            yield _text(node, way) if node.type == "text" else _leaf(node, context)


def _leaf(node: Node, context: Context) -> str:
    if node.type == "mention":
        id = str(node.attrs["id"])
        return f"[~{id}]" if id == "UNKNOWN_USER" else f"[~accountid:{id}]"
    if node.type == "emoji":
        return emoticon(node)
    if node.type == "inlineCard":
        url = str(node.attrs["url"])
        key = written_key(url)
        known = key is not None and context.issue_url(key) is not None
        return f"[{key}]" if known else f"[{url}|{url}|smart-link]"
    return verbatim(node.children[0], block=False) if node.type == WHOLE else ""


def _text(node: Node, way: MarkupStyle) -> str:
    text = node.text
    if not node.marked("code"):
        if way.escaped(text):
            # An address is not read as markup, unless it is the text of a link.
            text = _RISKY.sub(_guarded, text) if node.marked("link") else _escaped(text)
        if way.bars:
            text = re.sub(r"(?<!\\)\|", r"\\|", text)
    for name in _ORDER:
        for mark in node.marks:
            if mark.type == name:
                text = _marked(text, mark, way)
    return text


def _escaped(text: str) -> str:
    """Return text with a backslash before what might be markup, but for addresses."""
    pieces: list[str] = []
    at = 0
    for found in _ADDRESS.finditer(text):
        pieces.append(_RISKY.sub(_guarded, text[at : found.start()]))
        pieces.append(found.group())
        at = found.end()
    pieces.append(_RISKY.sub(_guarded, text[at:]))
    return "".join(pieces)


def _guarded(found: re.Match[str]) -> str:
    return f"{found.group()[:-1]}\\{found.group()[-1]}"


def _marked(text: str, mark: Mark, way: MarkupStyle) -> str:
    if mark.type == "code":
        return f"{{{{{text}}}}}"
    if mark.type == "textColor":
        return f"{{color:{mark.attrs['color']}}}{text}{{color}}"
    if mark.type == "link":
        return f"[{text}|{mark.attrs['href']}]"
    if mark.type == "subsup":
        symbol = "~" if mark.attrs["type"] == "sub" else "^"
    elif mark.type == "em" and text.startswith(CITED):
        symbol, text = "??", text[len(CITED) :]
    else:
        symbol = _SYMBOLS[mark.type]
    edge = f"{{{symbol}}}" if way.braced else symbol
    return f"{edge}{text}{edge}"
