"""Inline nodes and blocks as they come, put into paragraphs; and what fits into what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from clones.tracker.rules.richtext import schema
from clones.tracker.rules.richtext.document import Mark, Node, joined, with_mark

SPACES = " \t"
_GREY = Mark("textColor", {"color": "#97a0af"})


def is_block(node: Node) -> bool:
    """Tell whether a node stands among paragraphs, not in one."""
    return node.type not in (schema.nodes()["paragraph"].content or {})


def standing(node: Node) -> bool:
    """Tell whether a node may stand by itself: in a document, or in a paragraph without format."""
    allowed = schema.nodes()["doc"].content or {}
    inline = schema.nodes()["paragraph"].content or {}
    places = {**allowed, **inline}
    return node.type in places and {mark.type for mark in node.marks} <= places[node.type]


def trimmed(content: Iterable[Node]) -> tuple[Node, ...]:
    """Return inline nodes whose lines neither begin nor end with spaces."""
    nodes = _without_leading(joined(tuple(content)))
    backwards = _without_leading(tuple(reversed(nodes)), last=True)
    return tuple(reversed(backwards))


def _without_leading(nodes: tuple[Node, ...], *, last: bool = False) -> tuple[Node, ...]:
    kept: list[Node] = []
    begins = True
    for node in nodes:
        if begins and node.type == "text" and not node.marked("code"):
            text = node.text.rstrip(SPACES) if last else node.text.lstrip(SPACES)
            if not text:
                continue
            kept.append(node if text == node.text else replace(node, text=text))
            begins = False
        else:
            kept.append(node)
            begins = node.type == "hardBreak"
    return tuple(kept)


class BlockFlow:
    """Nodes on their way into blocks: the inline ones between two blocks are a paragraph."""

    def __init__(self) -> None:
        self._blocks: list[Node] = []
        self._run: list[Node] = []
        self._line_ended = False
        self._near = False  # whether nothing but one line end came after the last block

    def add(self, nodes: Iterable[Node]) -> None:
        """Add nodes of the line at hand."""
        for node in nodes:
            if is_block(node):
                self._add_block(node)
            else:
                if self._line_ended and self._run:
                    self._run.append(Node("hardBreak"))
                self._line_ended = False
                self._run.append(node)

    def end_line(self) -> None:
        """End the line: what follows in the same paragraph comes after a break."""
        self._line_ended = True

    def close(self) -> None:
        """End the paragraph, if there is one."""
        content = trimmed(self._run)
        if any(node.type != "hardBreak" for node in content):
            self._blocks.append(Node("paragraph", content))
        self._run = []
        self._line_ended = False
        self._near = False

    def blocks(self) -> list[Node]:
        """Return the blocks."""
        self.close()
        return self._blocks

    def _add_block(self, node: Node) -> None:
        near = self._near and not trimmed(self._run)
        self.close()
        last = self._blocks[-1] if self._blocks else None
        if near and last is not None and last.type == node.type == "mediaGroup":
            self._blocks[-1] = replace(last, content=(*last.children, *node.children))
        else:
            self._blocks.append(node)
        self._near = True


def fitted(kind: str, nodes: list[Node], attrs: Mapping[str, Any] | None = None) -> list[Node]:
    """Return a container of one type with the nodes inside; what it cannot hold stands beside it.

    A heading inside becomes a paragraph that looks like one. Nothing comes of no nodes, but of a
    heading.
    """
    if kind == "heading":
        return _headed(nodes, attrs or {})
    allowed = schema.nodes()[kind].content or {}
    flow = BlockFlow()
    flow.add(nodes)
    found: list[Node] = []
    inside: list[Node] = []
    for node in flow.blocks():
        block = _spoken(node) if node.type == "heading" and "heading" not in allowed else node
        if block.type in allowed and {mark.type for mark in block.marks} <= allowed[block.type]:
            inside.append(block)
            continue
        if inside:
            found.append(Node(kind, tuple(inside), attrs or {}))
            inside = []
        found.append(block)
    if inside:
        found.append(Node(kind, tuple(inside), attrs or {}))
    return found


def _headed(nodes: list[Node], attrs: Mapping[str, Any]) -> list[Node]:
    blocks = [node for node in nodes if is_block(node)]
    inline = trimmed(node for node in nodes if not is_block(node))
    return [Node("heading", inline, attrs), *blocks]


def _spoken(heading: Node) -> Node:
    """Return a heading as a paragraph, where no heading may be: strong, leaning or grey."""
    level = heading.attrs["level"]
    content = []
    for node in heading.children:
        if node.type == "text" and not node.marked("code"):
            shown = replace(node, text=node.text.upper()) if level == 1 else node
            for name, levels in (("strong", (1, 2, 3, 4)), ("em", (2, 5))):
                if level in levels and not shown.marked(name):
                    shown = with_mark(shown, Mark(name))
            if level > 3 and not shown.marked("textColor"):
                shown = with_mark(shown, _GREY)
            content.append(shown)
        else:
            content.append(node)
    return Node("paragraph", tuple(content))
