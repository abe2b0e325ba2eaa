"""Show a page to an agent: the accessibility tree without what tells it nothing.

One line per node: `- button "Save" [disabled] [ref=e12]`, what it holds after a colon, children
indented. Wrappers are dropped, running text is joined, a row of plain cells is one line; refs stand
only on what can be acted on. Names are JSON strings and a node never takes two lines, so no text of
a page can pass for a node.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from episodes.browser.aria import VALUE_ROLES, Box, Node, collapse

WRAPPERS = frozenset({"document", "generic", "rowgroup", "presentation", "none"})
INLINE = frozenset({
    "text", "code", "deletion", "emphasis", "insertion", "mark", "strong", "subscript",
    "superscript", "time",
})  # fmt: skip
"""Roles whose words belong to the sentence round them."""

SILENT = INLINE | {
    "blockquote", "caption", "cell", "columnheader", "definition", "gridcell", "heading", "img",
    "listitem", "paragraph", "row", "rowheader", "separator", "term",
}  # fmt: skip
"""Roles that are read, not acted on: they show a ref only when the page makes them clickable."""

CELLS = frozenset({"cell", "columnheader", "gridcell", "rowheader"})
HOLLOW = (SILENT | {"list", "table"}) - CELLS
"""Roles that say nothing when they have neither name nor content."""

LEAVES = frozenset({
    "button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "tab", "treeitem",
})  # fmt: skip
"""Roles that are shown by their words alone when nothing inside can be acted on."""

_LINE = re.compile(
    r'(?P<head> *- [\w-]+(?: "(?:[^"\\]|\\.)*")?)'
    r'(?P<states>(?: \[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])*)(?P<rest>.*)',
    re.DOTALL,
)
_REF = re.compile(r" \[ref=\w+\]")


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """How much of a page an observation shows.

    Attributes:
        max_depth: nodes deeper than this, after pruning, are counted and not shown.
        max_characters: the tree is cut at the line that passes this, and says so.
        viewport_only: leave out what lies outside the viewport, and say how much.
        urls: show where links lead.
    """

    max_depth: int = 24
    max_characters: int = 60_000
    viewport_only: bool = False
    urls: bool = False


@dataclass(slots=True, eq=False)
class ShownNode:
    """A node as it will be shown. `block` text stands alone, other text joins its neighbours."""

    node: Node
    name: str = ""
    text: str = ""
    block: bool = False
    children: list[ShownNode] = field(default_factory=list)

    @property
    def plain(self) -> bool:
        """Whether this is nothing but text."""
        return self.node.role == "text"


def render(root: Node, options: TreeOptions, viewport: tuple[int, int] | None = None) -> str:
    """Return the tree of a page as text.

    Args:
        root: what `aria.parse` returned.
        options: how much to show.
        viewport: width and height, in CSS pixels, for `viewport_only`; boxes must be there then.
    """
    outside: list[str] = []
    if options.viewport_only and viewport is not None:
        root = _inside(root, viewport, outside)
    lines: list[str] = []
    for line in _siblings([part for child in root.children for part in _shown(child)]):
        _write(line, 0, options, lines)
    lines.extend(
        f"- note: {outside.count(side)} more {side}: scroll to see them"
        for side in ("above", "below")
        if side in outside
    )
    return _cut(lines, options.max_characters)


def canonical(tree: str, origins: Sequence[str] = ()) -> str:
    """Return a tree without refs and with the n-th origin written as `origin:n`.

    Two runs that show the same page give the same text, whatever happened before and wherever the
    sandbox lives: this is what fingerprints and replays compare.
    """
    text = "\n".join(_without_ref(line) for line in tree.split("\n"))
    for number, origin in enumerate(origins):
        text = re.sub(re.escape(origin) + r"(?!\d)", f"origin:{number}", text)
    return text


def _without_ref(line: str) -> str:
    found = _LINE.fullmatch(line)
    if found is None:
        return line
    return found["head"] + _REF.sub("", found["states"]) + found["rest"]


def _shown(node: Node) -> list[ShownNode]:
    """Return what stands for a node: itself, what it wraps, or nothing."""
    if node.role == "text":
        return [ShownNode(node, text=node.text)] if node.text else []
    inner = [part for child in node.children for part in _shown(child)]
    if node.text and node.role not in VALUE_ROLES:
        inner.insert(0, ShownNode(Node("text"), text=node.text))
    inner = _siblings(inner)
    clickable = node.pointer and node.ref is not None
    if node.role in INLINE and not clickable and not node.name:
        return inner
    if node.role in WRAPPERS and not clickable and not node.name:
        for part in inner:
            part.block = True
        return inner
    line = ShownNode(node, node.name, node.text if node.role in VALUE_ROLES else "", children=inner)
    _fold(line)
    hollow = not (line.name or line.text or line.children)
    if hollow and node.role in HOLLOW and not clickable:
        return []
    return [line]


def _siblings(lines: list[ShownNode]) -> list[ShownNode]:
    """Join running text, and drop text that only repeats the name of the control beside it."""
    joined: list[ShownNode] = []
    for line in lines:
        last = joined[-1] if joined else None
        if line.plain and last is not None and last.plain and not (line.block or last.block):
            last.text = collapse(f"{last.text} {line.text}")
        else:
            joined.append(line)
    names = [line.name for line in joined]
    return [
        line
        for at, line in enumerate(joined)
        if not (line.plain and line.text in {*names[max(at - 1, 0) : at], *names[at + 1 : at + 2]})
    ]


def _fold(line: ShownNode) -> None:
    """Bring what a node contains into its own line where that loses nothing."""
    role = line.node.role
    if role in VALUE_ROLES:
        if line.children and all(child.plain for child in line.children):
            line.text = collapse(" ".join(child.text for child in line.children))
            line.children = []
        return
    if role in LEAVES and all(_wordy(child) for child in line.children):
        words = " ".join(_words(child) for child in line.children)
        line.text = "" if not line.name or words in line.name else words
        line.name, line.children = line.name or words, []
    elif len(line.children) == 1 and line.children[0].plain:
        text = line.children.pop().text
        line.text = "" if text == line.name else text
    elif role == "row" and line.children:
        _fold_row(line)


def _fold_row(row: ShownNode) -> None:
    """Join neighbouring cells that hold words only, and show a control without its cell."""
    folded: list[ShownNode] = []
    for simple, run in groupby(row.children, _simple_cell):
        cells = list(run)
        if not simple:
            folded += [cell.children[0] if _holds_control(cell) else cell for cell in cells]
        elif len(cells) == 1:
            folded += cells
        else:
            words = " | ".join(cell.name or cell.text for cell in cells)
            folded.append(ShownNode(Node("cells"), text=words))
    if len(folded) == 1 and folded[0].node.role == "cells":
        row.name, row.text, folded = "", folded[0].text, []
    row.children = folded


def _wordy(line: ShownNode) -> bool:
    return line.node.role in SILENT and all(_wordy(child) for child in line.children)


def _words(line: ShownNode) -> str:
    own = f"{line.name} {line.text} "
    return collapse(own + " ".join(_words(child) for child in line.children))


def _simple_cell(line: ShownNode) -> bool:
    return _bare_cell(line) and not line.children


def _holds_control(line: ShownNode) -> bool:
    """Tell whether a cell is nothing but the place of one control."""
    alone = len(line.children) == 1 and not (line.name or line.text)
    return alone and _bare_cell(line) and not line.children[0].plain


def _bare_cell(line: ShownNode) -> bool:
    clickable = line.node.pointer and line.node.ref is not None
    return line.node.role in CELLS and not (clickable or line.node.states)


def _write(line: ShownNode, depth: int, options: TreeOptions, lines: list[str]) -> None:
    indent = "  " * depth
    if depth > options.max_depth:
        return
    head = indent + "- " + line.node.role
    if line.name:
        head += " " + json.dumps(line.name, ensure_ascii=False)
    head += "".join(f" [{state}]" for state in _states(line, options))
    lines.append(f"{head}: {line.text}".rstrip() if line.text else head)
    if line.children and depth == options.max_depth:
        lines.append(f"{indent}  - note: {_count(line) - 1} more below, too deep to show")
    for child in line.children:
        _write(child, depth + 1, options, lines)


def _states(line: ShownNode, options: TreeOptions) -> list[str]:
    node = line.node
    clickable = node.pointer and node.ref is not None
    states = list(node.states)
    if clickable and node.role in SILENT | WRAPPERS:
        states.append("clickable")
    if node.placeholder and node.placeholder != line.name:
        states.append("placeholder=" + json.dumps(node.placeholder, ensure_ascii=False))
    if node.url and options.urls:
        states.append("url=" + json.dumps(node.url, ensure_ascii=False))
    if node.ref is not None and (clickable or node.role not in SILENT):
        states.append(f"ref={node.ref}")
    return states


def _count(line: ShownNode) -> int:
    return 1 + sum(_count(child) for child in line.children)


def _cut(lines: list[str], limit: int) -> str:
    used = 0
    for at, line in enumerate(lines):
        used += len(line) + 1
        if used > limit:
            note = f"- note: {len(lines) - at} more lines, too long to show"
            return "\n".join([*lines[:at], note])
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Pane:
    """The part of the screen that a frame may paint on, and where the frame's own origin is."""

    x: int
    y: int
    left: int
    top: int
    right: int
    bottom: int

    def shows(self, box: Box) -> bool:
        x, y = self.x + box.x, self.y + box.y
        across = x < self.right and x + box.width > self.left
        return across and y < self.bottom and y + box.height > self.top

    def within(self, box: Box) -> _Pane:
        x, y = self.x + box.x, self.y + box.y
        return _Pane(
            x,
            y,
            max(self.left, x),
            max(self.top, y),
            min(self.right, x + box.width),
            min(self.bottom, y + box.height),
        )


def _inside(root: Node, viewport: tuple[int, int], outside: list[str]) -> Node:
    """Return a copy of the tree with what the viewport shows; note on which side the rest lies.

    Nodes without a size of their own (text, the options of a closed select) follow their parent.
    """

    def visit(node: Node, pane: _Pane) -> tuple[Node | None, bool]:
        box = node.box
        inner = pane.within(box) if node.role == "iframe" and box else pane
        visits = [visit(child, inner) for child in node.children]
        sized = box is not None and box.width > 0 and box.height > 0
        seen = any(shown for _, shown in visits) or (sized and box is not None and pane.shows(box))
        if not seen and sized and box is not None:
            outside.append("above" if pane.y + box.y + box.height <= pane.top else "below")
            return None, False
        children = [child for child, _ in visits if child is not None]
        return replace(node, children=children), seen

    kept, _ = visit(root, _Pane(0, 0, 0, 0, *viewport))
    return kept or Node("document")
