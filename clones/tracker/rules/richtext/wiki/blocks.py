"""Wiki markup read into blocks, line by line.

Depth is bounded: macros of one kind do not nest, and lists end at twenty levels. Time is linear in
the length of the text, but for logarithms.
"""

from __future__ import annotations

import re
from typing import Any

from clones.core.strict_json import read_json
from clones.tracker.rules.richtext.document import DEPTH, Mark, Node, code_block, doc
from clones.tracker.rules.richtext.validation import InvalidDocument, read_node
from clones.tracker.rules.richtext.wiki import lists, tables
from clones.tracker.rules.richtext.wiki.colours import hex_colour, panel_type
from clones.tracker.rules.richtext.wiki.context import NOTHING, Context
from clones.tracker.rules.richtext.wiki.flow import BlockFlow, fitted, standing
from clones.tracker.rules.richtext.wiki.inline import decorated, read_line
from clones.tracker.rules.richtext.wiki.macros import Macro, find_macros, lines_of

_HEADING = re.compile(r"h([1-6])\.")
_RULE = re.compile(r"-{4,5}(?:[ \t]|$)")
# What the vendor's editor calls the languages, and what its printer writes besides; code in
# another one is read as Java.
LANGUAGES = frozenset(
    "abap actionscript ada arduino autoit c c++ clojure coffeescript csharp css cuda d dart delphi"
    " elixir erlang fortran foxpro go groovy haskell haxe html java javascript json julia kotlin"
    " latex livescript lua mathematica matlab objective-c objective-j objectpascal ocaml octave"
    " perl php powershell prolog puppet python qml r racket restructuredtext ruby rust sass scala"
    " scheme shell smalltalk sql standardml swift tcl tex typescript vala vbnet verilog vhdl xml"
    " xquery applescript bash c# cpp js sh visualbasic yaml".split()
)


def read_markup(text: str, context: Context = NOTHING) -> Node:
    """Return the document that wiki markup makes. Any text makes one."""
    return doc(*Blocks(context).read(text.replace("\r\n", "\n").replace("\r", "\n")))


class Blocks:
    """Reads blocks. What a place does not take (lists, tables) is text there, in macros too."""

    def __init__(self, context: Context, *, listed: bool = True, tabled: bool = True) -> None:
        self.context = context
        self.listed = listed
        self.tabled = tabled

    def read(self, text: str) -> list[Node]:
        """Return the blocks of a text."""
        macros = find_macros(text)
        lines = lines_of(text, macros)
        flow = BlockFlow()
        at = 0
        waiting = 0
        while at < len(lines):
            begin, end = lines[at]
            while begin < end and text[begin] in " \t":
                begin += 1
            while waiting < len(macros) and macros[waiting].end <= begin:
                waiting += 1
            rest = _Rest(text, lines, macros, at, waiting)
            at = self._line(rest, begin, end, flow)
        return flow.blocks()

    def _line(self, rest: _Rest, begin: int, end: int, flow: BlockFlow) -> int:
        """Read one line, or the table or list that begins there, and return the next line."""
        text, at = rest.text, rest.at
        if begin == end:
            flow.close()
            return at + 1
        if text.startswith("bq.", begin):
            flow.close()
            flow.add(fitted("blockquote", self._inline(rest, begin + 3, end)))
        elif heading := _HEADING.match(text, begin, end):
            flow.close()
            content = self._inline(rest, heading.end(), end)
            flow.add(fitted("heading", content, {"level": int(heading[1])}))
        elif rule := _RULE.match(text, begin, end):
            flow.close()
            flow.add([Node("rule")])
            flow.add(self._inline(rest, rule.end(), end))
            flow.end_line()
        elif self.listed and lists.begins(text, begin, end):
            flow.close()
            return self._list(rest, flow)
        elif self.tabled and text[begin] == "|":
            flow.close()
            return self._table(rest, flow)
        else:
            flow.add(self._inline(rest, begin, end))
            flow.end_line()
        return at + 1

    def _inline(self, rest: _Rest, begin: int, end: int) -> list[Node]:
        macros: dict[int, Macro] = {}
        at = rest.waiting
        while at < len(rest.macros) and (macro := rest.macros[at]).start < end:
            if macro.start >= begin:
                macros[macro.start - begin] = _moved(macro, begin)
            at += 1
        return read_line(rest.text[begin:end], macros, self.context, self._macro)

    def _list(self, rest: _Rest, flow: BlockFlow) -> int:
        items, following = lists.gathered(rest.text, rest.lines, rest.at)
        inner = Blocks(self.context, listed=False, tabled=False)
        flow.add(lists.built([(item.symbols, inner.read(item.text)) for item in items]))
        return following

    def _table(self, rest: _Rest, flow: BlockFlow) -> int:
        rows, following = tables.gathered(rest.text, rest.lines, rest.at, self.context)
        inner = Blocks(self.context, tabled=False)
        flow.add(
            [tables.built([[(cell.header, inner.read(cell.text)) for cell in row] for row in rows])]
        )
        return following

    def _macro(self, macro: Macro) -> list[Node]:
        """Return what a macro makes."""
        values = macro.values()
        title = _title(values)
        if macro.name == "anchor":
            return []
        if macro.name in ("code", "noformat"):
            language = _language(values) if macro.name == "code" else None
            return [*title, code_block(macro.body.strip(" \t\n"), language)]
        if macro.name == "adf":
            return [_verbatim(macro.body)]
        if macro.name == "color":
            return self._coloured(macro)
        inner = self.read(macro.body)
        if macro.name == "quote":
            return fitted("blockquote", inner) or [Node("blockquote", (Node("paragraph", ()),))]
        panel: dict[str, Any] = {"panelType": panel_type(values.get("bgColor", ""))}
        empty = Node("panel", (Node("paragraph", ()),), panel)
        return fitted("panel", [*title, *inner], panel) or [empty]

    def _coloured(self, macro: Macro) -> list[Node]:
        colour = hex_colour(macro.settings.partition("|")[0]) or "#000000"
        if "\n" in macro.body:
            nodes = self.read(macro.body)
            if len(nodes) == 1 and nodes[0].type == "paragraph":
                nodes = list(nodes[0].children)
        else:
            macros = {found.start: found for found in find_macros(macro.body)}
            nodes = read_line(macro.body, macros, self.context, self._macro)
        return decorated(nodes, Mark("textColor", {"color": colour}))


class _Rest:
    """A text from one of its lines on."""

    __slots__ = ("at", "lines", "macros", "text", "waiting")

    def __init__(
        self,
        text: str,
        lines: list[tuple[int, int]],
        macros: list[Macro],
        at: int,
        waiting: int,
    ) -> None:
        self.text = text
        self.lines = lines
        self.macros = macros
        self.at = at
        self.waiting = waiting


def _moved(macro: Macro, begin: int) -> Macro:
    return Macro(macro.name, macro.start - begin, macro.end - begin, macro.settings, macro.body)


def _title(values: dict[str, str]) -> list[Node]:
    if not values.get("title"):
        return []
    return [Node("paragraph", (Node("text", text=values["title"], marks=(Mark("strong"),)),))]


def _language(values: dict[str, str]) -> str:
    names = [name.lower() for name in values]
    if "objc" in names:
        return "objective-c"
    return next((name for name in names if name in LANGUAGES), "java")


def _verbatim(body: str) -> Node:
    """Return the node that is written as JSON; what is none stands there as code."""
    try:
        node = read_node(read_json(body), DEPTH // 4)
    except (ValueError, RecursionError, InvalidDocument):
        node = None
    if node is None or not standing(node):
        return code_block(f"Invalid ADF Macro: {body}".strip(" \t\n"))
    return node
