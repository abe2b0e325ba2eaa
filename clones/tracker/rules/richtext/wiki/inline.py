"""One line of wiki markup: formats, links, emoticons, and the macros that stand in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from clones.tracker.rules.richtext.document import Mark, Node, with_content, with_mark
from clones.tracker.rules.richtext.wiki import files, links
from clones.tracker.rules.richtext.wiki.context import Context
from clones.tracker.rules.richtext.wiki.emoticons import emoticon_at
from clones.tracker.rules.richtext.wiki.macros import Macro, find_macros
from clones.tracker.rules.richtext.wiki.scanning import ESCAPABLE, may_open, scan_line

MARKS = {
    "*": Mark("strong"),
    "_": Mark("em"),
    "-": Mark("strike"),
    "+": Mark("underline"),
    "^": Mark("subsup", {"type": "sup"}),
    "~": Mark("subsup", {"type": "sub"}),
    "??": Mark("em"),
}
CITED = "\u2014 "
_TOKEN = re.compile(r"[\\{\[!*_+^~\-:;(]|\?\?|(?:https?|ftps?|irc)://|mailto:", re.IGNORECASE)
_TOKEN_OR_KEY = re.compile(
    r"[\\{\[!*_+^~\-:;(]|\?\?|(?:https?|ftps?|irc)://|mailto:|(?<![A-Za-z0-9_])(?-i:[A-Z])",
    re.IGNORECASE,
)
_DASHES = re.compile("-{2,}")

# Reads what a macro holds, which may be blocks.
ReadMacro = Callable[[Macro], list[Node]]


def read_line(
    text: str, macros: dict[int, Macro], context: Context, read_macro: ReadMacro
) -> list[Node]:
    """Return the nodes of a line: inline ones, and blocks where macros or pictures make them.

    `macros` are those of the line by where they begin.
    """
    return _Line(text, macros, context, read_macro).read(0, len(text))


class _Line:
    """A line being read."""

    def __init__(
        self, text: str, macros: dict[int, Macro], context: Context, read_macro: ReadMacro
    ) -> None:
        self.linked = False  # whether it is the text of a link, in which no other link is
        self.formats = 0  # that are open where it is read
        self.text = text
        self.context = context
        self.read_macro = read_macro
        self.scan = scan_line(text, macros, context)
        self.runs: tuple[int, int, int] = (0, 0, -1)

    def read(self, begin: int, end: int) -> list[Node]:
        """Return the nodes between two places."""
        output = _Output()
        token = _TOKEN if self.linked else _TOKEN_OR_KEY
        at = begin
        while at < end:
            found = token.search(self.text, at, end)
            if found is None:
                break
            output.write(self.text[at : found.start()])
            at = self._take(found.start(), found.group(), end, output)
        output.write(self.text[at:end])
        return output.nodes()

    def _take(self, at: int, stop: str, end: int, output: _Output) -> int:
        """Read what stands at a place into the output, and return where to go on."""
        if stop in MARKS:
            return self._mark(at, stop, end, output)
        if stop == "{":
            return self._brace(at, end, output)
        if stop == "\\":
            return self._backslash(at, end, output)
        if stop == "[":
            if not self.linked and at in self.scan.links and self.scan.links[at][1] <= end:
                return self._link(at, output)
        elif stop == "!":
            place = self.scan.pictures.get(at)
            if place is not None and place < end:
                output.add(files.picture(self.text[at + 1 : place], self.context))
                return place + 1
        elif (single := self._single(at, stop, end)) is not None:
            output.add(single[0])
            return single[1]
        output.write(stop)
        return at + len(stop)

    def _single(self, at: int, stop: str, end: int) -> tuple[Node, int] | None:
        if stop in ":;(":
            return emoticon_at(self.text, at, end)
        if self.linked:
            return None
        if len(stop) == 1:
            return links.issue_at(self.text, at, self.context)
        return links.address_at(self.text, at, end)

    def _brace(self, at: int, end: int, output: _Output) -> int:
        """Read a macro, code, or a format that is written with braces."""
        if at in self.scan.macros and self.scan.macros[at].end <= end:
            output.extend(self.read_macro(self.scan.macros[at]))
            return self.scan.macros[at].end
        place = self.scan.monospace.get(at)
        if place is not None and place < end:
            code = self._unescaped(at + 2, place)
            output.add(Node("text", text=code, marks=(Mark("code"),)))
            return place + 2
        for mark in MARKS:
            if self.text.startswith(f"{{{mark}}}", at):
                return self._format(at, mark, len(mark) + 2, end, output)
        length = 2 if self.text.startswith("{{", at) and at + 2 <= end else 1
        output.write("{" * length)
        return at + length

    def _mark(self, at: int, mark: str, end: int, output: _Output) -> int:
        """Read a format, or dashes: two or three of them between spaces are one."""
        dashes = _DASHES.match(self.text, at, end) if mark == "-" else None
        if dashes is None:
            return self._format(at, mark, len(mark), end, output)
        written = dashes.group()
        before = self.text[at - 1 : at]
        after = self.text[dashes.end() : dashes.end() + 1]
        alone = (not before or before.isspace()) and (not after or after.isspace())
        if alone and len(written) < 4 and not self.formats and not self.linked:
            output.write("\u2013" if len(written) == 2 else "\u2014")
        else:
            output.write(written)
        return dashes.end()

    def _format(self, at: int, mark: str, length: int, end: int, output: _Output) -> int:
        inside = at + length
        opens = length > len(mark) or may_open(self.text, at, length)
        empty = self.text.startswith(mark, inside)
        if opens and not empty and inside < end and self.text[inside] != " ":
            place = self.scan.closing(mark, inside, end)
            if place is not None:
                self.formats += 1
                output.extend(self._formatted(mark, self.read(inside, place)))
                self.formats -= 1
                return place + (len(mark) + 2 if self.text[place] == "{" else len(mark))
        output.write(self.text[at:inside])
        return inside

    def _formatted(self, mark: str, nodes: list[Node]) -> list[Node]:
        if mark == "??" and nodes and nodes[0].type == "text" and not nodes[0].marked("em", "code"):
            nodes[0] = replace(nodes[0], text=CITED + nodes[0].text)
        return decorated(nodes, MARKS[mark])

    def _link(self, at: int, output: _Output) -> int:
        link, end = self.scan.links[at]
        if link.leads == "file":
            output.add(files.attached(link.target, self.context))
        elif link.leads == "person":
            output.add(links.person(link, self.context))
        elif link.leads == "card":
            output.add(links.card(link))
        elif link.leads == "address":
            mark = Mark("link", {"href": link.target})
            macros = {macro.start: macro for macro in find_macros(link.body)}
            inside = _Line(link.body, macros, self.context, self.read_macro)
            inside.linked = True
            nodes = inside.read(0, len(link.body))
            if not any(node.type == "text" for node in nodes):
                nodes.append(Node("text", text=link.body))
            output.extend(decorated(nodes, mark, over_code=True))
        return end

    def _backslash(self, at: int, end: int, output: _Output) -> int:
        """Read an escaped character, a forced line end, or a backslash."""
        text = self.text
        after = text[at + 1 : min(at + 2, end)]
        before = text[at - 1 : at]
        if after == "\\":
            if before != "\\" and not self._more_backslashes(at + 2):
                output.add(Node("hardBreak"))
            else:
                output.write("\\\\")
            return at + 2
        if after in ESCAPABLE and after and before != "\\":
            output.write(after)
            return at + 2
        output.write("\\")
        return at + 1

    def _more_backslashes(self, at: int) -> bool:
        """Tell whether another backslash follows before the next space."""
        begin, end, last = self.runs
        if not begin <= at < end:
            found = re.compile(r"\S*").match(self.text, at)
            end = at if found is None else found.end()
            last = self.text.rfind("\\", at, end)
            self.runs = (at, end, last)
        return last >= at

    def _unescaped(self, begin: int, end: int) -> str:
        """Return text with its escapes taken away."""
        inside = self.text[begin:end]
        return re.sub(r"(?<!\\)\\([-#*_+?^~|%{}\[\]()!@])", r"\1", inside)


class _Output:
    """Nodes being collected; neighbouring characters become one text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._nodes: list[Node] = []

    def write(self, text: str) -> None:
        if text:
            self._pieces.append(text)

    def add(self, node: Node) -> None:
        self._flush()
        self._nodes.append(node)

    def extend(self, nodes: list[Node]) -> None:
        self._flush()
        self._nodes.extend(nodes)

    def nodes(self) -> list[Node]:
        self._flush()
        return self._nodes

    def _flush(self) -> None:
        if self._pieces:
            self._nodes.append(Node("text", text="".join(self._pieces)))
            self._pieces.clear()


def decorated(nodes: list[Node], mark: Mark, *, over_code: bool = False) -> list[Node]:
    """Return nodes with a mark on all their text that may have it.

    Code takes no mark but a link, and no text has two marks of one type.
    """
    found: list[Node] = []
    for node in nodes:
        if node.type == "text":
            fits = not node.marked(mark.type) and (over_code or not node.marked("code"))
            found.append(with_mark(node, mark) if fits else node)
        elif node.content and node.type != "codeBlock":
            found.append(with_content(node, tuple(decorated(list(node.content), mark))))
        else:
            found.append(node)
    return found
