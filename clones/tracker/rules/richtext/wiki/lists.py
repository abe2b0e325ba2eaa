"""Lists of wiki markup: items of one level under another, kinds mixed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from clones.tracker.rules.richtext.document import Mark, Node, with_mark
from clones.tracker.rules.richtext.wiki.flow import fitted

DEEPEST = 20
_BEGINS = re.compile(rf"(?:[*#]{{1,{DEEPEST}}}|-) ")
_ITEM = re.compile(rf"[ \t]*([*\-#]{{1,{DEEPEST}}}) ")
_DASHES = re.compile(r"-{2,}")


@dataclass(frozen=True, slots=True)
class WikiItem:
    """One item as written: its symbols, and its text with further lines."""

    symbols: str
    text: str


def begins(text: str, at: int, end: int) -> bool:
    """Tell whether a list begins at a place in a line."""
    return _BEGINS.match(text, at, end) is not None


def gathered(text: str, lines: list[tuple[int, int]], first: int) -> tuple[list[WikiItem], int]:
    """Return the items of the list that begins in a line, and the line after it.

    A line that begins no item belongs to the item before; an empty line ends the list.
    """
    items: list[tuple[str, list[str]]] = []
    at = first
    while at < len(lines):
        begin, end = lines[at]
        if not text[begin:end].strip(" \t"):
            break
        found = _ITEM.match(text, begin, end)
        if found and not (_DASHES.fullmatch(found[1]) and len(found[1]) > 1):
            items.append((found[1], [text[found.end() : end]]))
        else:
            items[-1][1].append(text[begin:end])
        at += 1
    return [WikiItem(symbols, "\n".join(parts)) for symbols, parts in items], at


@dataclass(slots=True)
class _Entry:
    """One item of a list being built: its own nodes, and the lists below it."""

    content: list[Node]
    below: list[_Level] = field(default_factory=list)


@dataclass(slots=True)
class _Level:
    """A list being built."""

    kind: str
    entries: list[_Entry] = field(default_factory=list)


def built(items: list[tuple[str, list[Node]]]) -> list[Node]:
    """Return the lists that items make, and what no item can hold between them."""
    top: list[_Level] = []
    path: list[_Level] = []
    for symbols, content in items:
        depth = len(symbols)
        kind = "orderedList" if symbols[-1] == "#" else "bulletList"
        del path[depth:]
        while len(path) < depth:
            siblings = _siblings(top, path)
            level = _Level(kind)
            siblings.append(level)
            path.append(level)
        if path[-1].kind != kind:
            level = _Level(kind)
            _siblings(top, path[:-1]).append(level)
            path[-1] = level
        path[-1].entries.append(_Entry(content))
    return [node for level in top for node in _nodes(level)]


def _siblings(top: list[_Level], path: list[_Level]) -> list[_Level]:
    """Return the lists among which one below the last item of a path belongs."""
    if not path:
        return top
    if not path[-1].entries:
        path[-1].entries.append(_Entry([]))
    return path[-1].entries[-1].below


def _nodes(level: _Level) -> list[Node]:
    """Return a list, in pieces where something stands between its items."""
    found: list[Node] = []
    items: list[Node] = []
    for entry in level.entries:
        below = [node for inner in entry.below for node in _nodes(inner)]
        for node in fitted("listItem", [*_item_content(entry.content), *below]) or [_EMPTY]:
            if node.type == "listItem":
                items.append(node)
                continue
            if items:
                found.append(Node(level.kind, tuple(items)))
                items = []
            found.append(node)
    if items:
        found.append(Node(level.kind, tuple(items)))
    return found


_EMPTY = Node("listItem", (Node("paragraph", ()),))


def _item_content(nodes: list[Node]) -> list[Node]:
    """Return what an item holds: quotes without their frame, headings as loud text."""
    found: list[Node] = []
    for node in nodes:
        if node.type == "blockquote":
            found.extend(node.children)
        elif node.type == "heading":
            found.append(Node("paragraph", tuple(map(_loud, node.children))))
        else:
            found.append(node)
    return found


def _loud(node: Node) -> Node:
    if node.type != "text":
        return node
    shown = replace(node, text=node.text.upper())
    return shown if shown.marked("strong", "code") else with_mark(shown, Mark("strong"))
