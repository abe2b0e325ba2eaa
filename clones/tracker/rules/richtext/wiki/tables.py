"""Tables of wiki markup: rows of cells, with cells of headings."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from clones.tracker.rules.richtext.document import Mark, Node, walk
from clones.tracker.rules.richtext.wiki.context import Context
from clones.tracker.rules.richtext.wiki.flow import fitted
from clones.tracker.rules.richtext.wiki.inline import decorated
from clones.tracker.rules.richtext.wiki.macros import find_macros
from clones.tracker.rules.richtext.wiki.scanning import Scan, scan_line

_BAR = re.compile(r"[\\{\[!|]")
_BARS = re.compile(r"\|+")


@dataclass(frozen=True, slots=True)
class WikiCell:
    """One cell as written."""

    header: bool
    text: str


def gathered(
    text: str, lines: list[tuple[int, int]], first: int, context: Context
) -> tuple[list[list[WikiCell]], int]:
    """Return the rows of the table that begins in a line, and the line after it.

    A line that begins no row goes on with the cell before, until one ends with a bar; an empty
    line ends the table.
    """
    rows: list[str] = []
    at = first
    open_cell = False
    while at < len(lines):
        line = text[slice(*lines[at])].strip(" \t")
        if not line or not (line[0] == "|" or open_cell):
            break
        if line[0] == "|":
            rows.append(line)
        else:
            rows[-1] += "\n" + line
        open_cell = line[-1] != "|"
        at += 1
    return [_cells(row, context) for row in rows], at


def _cells(row: str, context: Context) -> list[WikiCell]:
    scan = scan_line(row, {macro.start: macro for macro in find_macros(row)}, context)
    cells: list[WikiCell] = []
    bars = _BARS.match(row)
    header = bars is not None and bars.end() == 2
    begin = at = 0 if bars is None else bars.end()
    while (found := _BAR.search(row, at)) is not None:
        if found.group() != "|":
            at = _passed(scan, found.start())
            continue
        cells.append(WikiCell(header, row[begin : found.start()].strip()))
        bars = _BARS.match(row, found.start())
        header = bars is not None and len(bars.group()) == 2
        begin = at = found.end() if bars is None else bars.end()
    if row[begin:].strip():
        cells.append(WikiCell(header, row[begin:].strip()))
    return cells


def _passed(scan: Scan, at: int) -> int:
    """Return where to go on after something that is no bar."""
    end = scan.opaque_end(at)
    if end is not None:
        return end
    return at + 2 if scan.text[at] == "\\" else at + 1


def built(rows: list[list[tuple[bool, list[Node]]]]) -> Node:
    """Return the table of rows: the text of heading cells is strong, as the vendor makes it."""
    return Node("table", tuple(Node("tableRow", tuple(map(_cell, row))) for row in rows))


def _cell(cell: tuple[bool, list[Node]]) -> Node:
    header, nodes = cell
    kind = "tableHeader" if header else "tableCell"
    content: list[Node] = []
    for node in fitted(kind, decorated(nodes, Mark("strong")) if header else nodes):
        content.extend(node.children if node.type == kind else _cell_content(node))
    return Node(kind, tuple(content) or (Node("paragraph", ()),))


def _cell_content(node: Node) -> list[Node]:
    """Return what a cell can hold of a node that it cannot hold: the texts inside."""
    texts = ("paragraph", "heading", "codeBlock")
    return [replace(found, marks=()) for found in walk(node) if found.type in texts]
