"""From the story's blocks to documents, as the tracker keeps them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from clones.tracker.domain.richtext import plain_of

Json = dict[str, Any]


MARK = re.compile(r"\[\[(\d+)\]\]")


class Texts:
    """Turns blocks into documents and words; `keys` are the keys of work, by its index.

    A block is a text, which is a paragraph, or a pair of its kind and what it holds: a heading's
    text, the items of `bullets` and `numbers`, a code's language and text.
    """

    def __init__(self, keys: Mapping[int, str]) -> None:
        self.keys = keys

    def document(self, blocks: Sequence[Any]) -> Json | None:
        """Return the document of blocks, None of none."""
        if not blocks:
            return None
        nodes = [_node(self._named(block)) for block in blocks]
        return {"type": "doc", "version": 1, "content": nodes}

    def plain(self, blocks: Sequence[Any]) -> str:
        """Return the words of blocks, as searches see them."""
        found = self.document(blocks)
        return plain_of(found) if found else ""

    def _named(self, block: Any) -> Any:
        """Return a block with the keys of the work that it speaks of."""
        if isinstance(block, str):
            return MARK.sub(self._key, block) if "[[" in block else block
        kind, *rest = block
        if kind in ("bullets", "numbers"):
            return (kind, [self._named(text) for text in rest[0]])
        return (kind, *(self._named(text) for text in rest))

    def _key(self, found: re.Match[str]) -> str:
        return self.keys[int(found.group(1))]


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
