"""Documents of rich text: nodes, marks, and their form in JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

VERSION = 1
# The order in which the vendor's editor keeps marks.
_RANKS = "link em strong strike subsup underline code textColor".split()
DEPTH = 100  # nodes below one another; what is deeper is no document


@dataclass(frozen=True, slots=True)
class Mark:
    """What a piece of text is besides text: strong, a link, coloured."""

    type: str
    attrs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a document.

    `content` is None where the JSON has none, which is not the same as empty. `text` belongs to
    nodes of type `text` alone.
    """

    type: str
    content: tuple[Node, ...] | None = None
    attrs: Mapping[str, Any] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    text: str = ""

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes inside, none where there is no content."""
        return self.content or ()

    def marked(self, *names: str) -> bool:
        """Tell whether one of these marks is on the node."""
        return any(mark.type in names for mark in self.marks)


def doc(*content: Node) -> Node:
    """Return a document."""
    return Node("doc", content)


def paragraph(*content: Node) -> Node:
    """Return a paragraph of inline nodes."""
    return Node("paragraph", content)


def text(value: str, *marks: Mark) -> Node:
    """Return a piece of text; it must not be empty."""
    return Node("text", text=value, marks=marks)


def hard_break() -> Node:
    """Return a line end inside a paragraph."""
    return Node("hardBreak")


def code_block(value: str, language: str | None = None) -> Node:
    """Return a block of code."""
    attrs = {} if language is None else {"language": language}
    return Node("codeBlock", (text(value),) if value else (), attrs)


def with_content(node: Node, content: tuple[Node, ...]) -> Node:
    """Return the node with other nodes inside."""
    return replace(node, content=content)


def with_mark(node: Node, mark: Mark) -> Node:
    """Return the node with one more mark, marks in the order of the vendor's editor."""
    return replace(node, marks=tuple(sorted((*node.marks, mark), key=_rank)))


def _rank(mark: Mark) -> int:
    return _RANKS.index(mark.type) if mark.type in _RANKS else len(_RANKS)


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all below it, in the order of the text."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(current.children))


def media_ids(node: Node) -> list[str]:
    """Return the ids of the files that a document shows, in order.

    The vendor refuses a document that shows a file which the issue does not have, with
    `ATTACHMENT_VALIDATION_ERROR`: who knows the files asks here for what to look up.
    """
    return [
        str(found.attrs["id"])
        for found in walk(node)
        if found.type in ("media", "mediaInline") and "id" in found.attrs
    ]


def mentioned(node: Node) -> list[str]:
    """Return the account ids that a document mentions, in order, each once."""
    found = (str(item.attrs["id"]) for item in walk(node) if item.type == "mention")
    return list(dict.fromkeys(found))


def to_json(node: Node) -> dict[str, Any]:
    """Return a node as the API shows it."""
    shown: dict[str, Any] = {"type": node.type}
    if node.type == "doc":
        shown["version"] = VERSION
    if node.type == "text":
        shown["text"] = node.text
    if node.attrs:
        shown["attrs"] = dict(node.attrs)
    if node.content is not None:
        shown["content"] = [to_json(child) for child in node.content]
    if node.marks:
        shown["marks"] = [_mark_to_json(mark) for mark in node.marks]
    return shown


def _mark_to_json(mark: Mark) -> dict[str, Any]:
    return {"type": mark.type, "attrs": dict(mark.attrs)} if mark.attrs else {"type": mark.type}


def joined(content: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return inline nodes with neighbouring text of equal marks made one, empty text dropped."""
    pieces: list[list[Node]] = []
    for node in content:
        if node.type == "text" and not node.text:
            continue
        last = pieces[-1][-1] if pieces else None
        if (
            last is not None
            and last.type == node.type == "text"
            and _same_marks(last.marks, node.marks)
        ):
            pieces[-1].append(node)
        else:
            pieces.append([node])
    return tuple(
        run[0] if len(run) == 1 else replace(run[0], text="".join(node.text for node in run))
        for run in pieces
    )


def _same_marks(one: tuple[Mark, ...], other: tuple[Mark, ...]) -> bool:
    return len(one) == len(other) and all(mark in other for mark in one)
