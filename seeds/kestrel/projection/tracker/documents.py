"""From the story's blocks to documents, as the tracker keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]


def document(blocks: Sequence[Any]) -> Json | None:
    """Return the document of blocks, None of none.

    A block is a text, which is a paragraph, or a pair of its kind and what it holds: a heading's
    text, the items of `bullets` and `numbers`, a code's language and text.
    """
    if not blocks:
        return None
    return {"type": "doc", "version": 1, "content": [_node(block) for block in blocks]}


def plain(blocks: Sequence[Any]) -> str:
    """Return the words of blocks."""
    return "\n\n".join(_words(block) for block in blocks)


def _node(block: Any) -> Json:
    if isinstance(block, str):
        return _paragraph(block)
    kind = block[0]
    if kind == "heading":
        return {"type": "heading", "attrs": {"level": 3}, "content": _text(block[1])}
    if kind == "code":
        attrs = {"attrs": {"language": block[1]}} if block[1] else {}
        return {"type": "codeBlock", **attrs, "content": _text(block[2])}
    name = "orderedList" if kind == "numbers" else "bulletList"
    items = [{"type": "listItem", "content": [_paragraph(text)]} for text in block[1]]
    return {"type": name, "content": items}


def _paragraph(text: str) -> Json:
    return {"type": "paragraph", "content": _text(text)}


def _text(text: str) -> list[Json]:
    return [{"type": "text", "text": text}] if text else []


def _words(block: Any) -> str:
    if isinstance(block, str):
        return block
    return "\n".join(block[1]) if block[0] in ("bullets", "numbers") else str(block[-1])
