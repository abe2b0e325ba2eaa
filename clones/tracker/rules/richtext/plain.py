"""Documents as plain text, for search and mail, and plain text as documents."""

from __future__ import annotations

import re
from collections.abc import Mapping

from clones.tracker.rules.richtext.document import Node, doc, hard_break, paragraph, text
from clones.tracker.rules.richtext.lowering import day
from clones.tracker.rules.richtext.wiki.emoticons import character

_BLANK = re.compile(r"\n(?:[ \t]*\n)+")
_LISTS = ("bulletList", "orderedList", "taskList", "decisionList")
_LEAVES = {"rule": "----", "hardBreak": "\n"}


def document_of_plain(plain: str) -> Node:
    """Return the document of plain text: a paragraph per blank line, line ends as breaks."""
    lines = plain.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    return doc(*(_lines(part) for part in _BLANK.split(lines) if part.strip()))


def _lines(part: str) -> Node:
    nodes: list[Node] = []
    for number, line in enumerate(part.split("\n")):
        if number:
            nodes.append(hard_break())
        if line:
            nodes.append(text(line))
    return paragraph(*nodes)


def plain_of_document(document: Node, names: Mapping[str, str] | None = None) -> str:
    """Return the text of a document: all words that a reader sees, an empty line between blocks.

    `names` are display names by account id, for mentions that do not carry one. Items of lists
    begin with what stands before them on a page, cells of a row are in one line.
    """
    return _blocks(document.children, names or {})


def _blocks(nodes: tuple[Node, ...], names: Mapping[str, str], between: str = "\n\n") -> str:
    return between.join(filter(None, (_block(node, names) for node in nodes)))


def _block(node: Node, names: Mapping[str, str]) -> str:
    if node.type in _LISTS:
        return "\n".join(_items(node, names))
    if node.type == "table":
        return "\n".join(_row(row, names) for row in node.children)
    if node.type in ("expand", "nestedExpand"):
        title = str(node.attrs.get("title", ""))
        return "\n\n".join(filter(None, (title, _blocks(node.children, names))))
    if node.type in ("mediaSingle", "mediaGroup"):
        return _blocks(node.children, names, "\n")
    if any(child.type in _INLINE for child in node.children):
        return "".join(_inline(child, names) for child in node.children)
    return _blocks(node.children, names) if node.children else _inline(node, names)


def _items(node: Node, names: Mapping[str, str]) -> list[str]:
    found: list[str] = []
    number = max(1, int(node.attrs.get("order", 1))) if node.type == "orderedList" else 0
    for item in node.children:
        if item.type in _LISTS:
            sign, told = "  ", "\n".join(_items(item, names))
        else:
            sign = _sign(item, number)
            number += bool(number)
            told = _item(item, names)
        first, *others = told.split("\n")
        found.append(sign + first)
        found.extend("  " + line if line else line for line in others)
    return found


def _sign(item: Node, number: int) -> str:
    if number:
        return f"{number}. "
    if item.type in ("taskItem", "blockTaskItem"):
        return "[x] " if item.attrs.get("state") == "DONE" else "[ ] "
    return "<> " if item.type == "decisionItem" else "* "


def _item(item: Node, names: Mapping[str, str]) -> str:
    if any(child.type in _INLINE for child in item.children):
        return "".join(_inline(child, names) for child in item.children)
    return _blocks(item.children, names, "\n")


def _row(row: Node, names: Mapping[str, str]) -> str:
    cells = (_blocks(cell.children, names, " ").replace("\n", " ") for cell in row.children)
    return " | ".join(cells)


_INLINE = frozenset(
    "text hardBreak mention emoji date status inlineCard placeholder mediaInline"
    " inlineExtension".split()
)


def _inline(node: Node, names: Mapping[str, str]) -> str:
    attrs = node.attrs
    if node.type == "text":
        return node.text
    if node.type == "mention":
        name = names.get(str(attrs["id"]))
        return f"@{name}" if name else str(attrs.get("text") or f"@{attrs['id']}")
    if node.type == "emoji":
        return character(node)
    if node.type == "date":
        return day(str(attrs["timestamp"]))
    if node.type in ("status", "placeholder", "inlineExtension", "extension"):
        return str(attrs.get("text", ""))
    if node.type in ("inlineCard", "blockCard", "embedCard"):
        return str(attrs.get("url", ""))
    if node.type in ("media", "mediaInline"):
        return str(attrs.get("alt") or "")
    return _LEAVES.get(node.type, "")
