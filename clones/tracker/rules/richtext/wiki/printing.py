"""Documents written as wiki markup.

What is printed is read back before it is given out: text that would be read as something else is
escaped, but only then, so that most texts look as the vendor prints them, who escapes nothing. What
no escape can save is carried as JSON, in the vendor's own macro for what markup cannot say. Some
things are let go, because their reader means them so: an address becomes a link, `:D` a face, the
key of a known issue its card, a backslash before a mark an escape, and a line that begins with
`h1.` a title.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from clones.tracker.rules.richtext.document import Mark, Node, joined
from clones.tracker.rules.richtext.lowering import WHOLE, lowered, original
from clones.tracker.rules.richtext.wiki.blocks import LANGUAGES, Blocks
from clones.tracker.rules.richtext.wiki.colours import PANELS
from clones.tracker.rules.richtext.wiki.context import NOTHING, Context
from clones.tracker.rules.richtext.wiki.emoticons import emoticon
from clones.tracker.rules.richtext.wiki.files import HEIGHT, WIDTH
from clones.tracker.rules.richtext.wiki.inline import decorated
from clones.tracker.rules.richtext.wiki.links import written_key
from clones.tracker.rules.richtext.wiki.verbatim import verbatim
from clones.tracker.rules.richtext.wiki.writing import MarkupStyle, write

_TITLED = re.compile(r"(?:h[1-6]|bq)\.")
_ESCAPE = re.compile(r"\\([-#*_+?^~|%{}\[\]()!@])")
# What would close a macro that a text opens and does not close.
_CLOSINGS = "{code}{noformat}{quote}{panel}{color}{adf}"
_SYMBOLS = {"bulletList": "*", "orderedList": "#"}


def write_markup(document: Node, context: Context = NOTHING) -> str:
    """Return a document as wiki markup, as version 2 of the API shows it."""
    printer = _Printer(context)
    return "\n\n".join(printer.checked(block) for block in lowered(document).children)


class _Printer:
    """Prints blocks and reads back what it printed."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.reader = Blocks(replace(context, names={}))
        self.closings = self.reader.read(_CLOSINGS)

    def checked(self, block: Node) -> str:
        """Return a block that stands by itself, in markup that is read as the same."""
        if block.type == WHOLE:
            return verbatim(original(block), block=True)
        text = self.block(block)
        if self._reads_as(text, block, exactly=True):
            return text
        titled = block.type == "paragraph" and _TITLED.match(text) is not None
        if (titled or self._reads_as(text, block)) and self._is_steady(text):
            return text
        return verbatim(original(block), block=True)

    def _read_alone(self, text: str) -> list[Node]:
        """Return what a text says, more than it says alone if it would reach into what follows."""
        found = self.reader.read(f"{text}\n\n{_CLOSINGS}")
        kept = len(found) - len(self.closings)
        return found[:kept] if _same(found[kept:], self.closings) else found

    def _is_steady(self, text: str) -> bool:
        """Tell whether what a text says is not empty, and is written so that it says it again."""
        found = self._read_alone(text)
        again = "\n\n".join(map(self.block, lowered(Node("doc", tuple(found))).children))
        return bool(found and found[0].children) and _same(self._read_alone(again), found)

    def block(self, block: Node, *, bars: bool = False) -> str:
        """Return a block in markup; `bars` says that it stands in a cell."""
        if block.type == "paragraph":
            return self._inline(block, "", bars=bars)
        if block.type == "heading":
            return self._inline(block, f"h{block.attrs['level']}. ", bars=bars)
        if block.type in _SYMBOLS:
            return self._list(block, _SYMBOLS[block.type], bars=bars)
        if block.type == "table":
            return "\n".join(map(self._row, block.children))
        if block.type == "codeBlock":
            return _code(block)
        if block.type in ("blockquote", "panel"):
            return self._framed(block, bars=bars)
        return self._leaf(block)

    def _framed(self, block: Node, *, bars: bool) -> str:
        inside = "\n\n".join(self.block(child, bars=bars) for child in block.children)
        if block.type == "blockquote":
            return f"{{quote}}{inside}{{quote}}"
        return f"{{panel:bgColor={PANELS[block.attrs['panelType']]}}}\n{inside}\n{{panel}}"

    def _leaf(self, block: Node) -> str:
        if block.type == "rule":
            return "----"
        if block.type == WHOLE:
            return verbatim(original(block), block=True)
        if block.type in ("blockCard", "embedCard"):
            url, title = block.attrs["url"], {"blockCard": "card", "embedCard": "embed"}[block.type]
            return f"[{url}|{url}|smart-{title}]"
        if block.type == "mediaGroup":
            names = (self.context.file_name(str(file.attrs["id"])) for file in block.children)
            return "\n".join(f"[^{name}]" for name in names)
        return self._picture(block)

    def _picture(self, block: Node) -> str:
        media = block.children[0]
        name = str(media.attrs.get("url") or self.context.file_name(str(media.attrs.get("id"))))
        settings = [
            f"{side}={media.attrs[side]}" for side in ("width", "height") if side in media.attrs
        ]
        if "width" in block.attrs:
            settings = [f"width={block.attrs['width']}%"]
        if media.attrs.get("alt"):
            settings.append(f'alt="{media.attrs["alt"]}"')
        settings.extend(f'href="{mark.attrs["href"]}"' for mark in media.marks)
        return f"!{name}|{','.join(settings) or 'thumbnail'}!"

    def _row(self, row: Node) -> str:
        pieces: list[str] = []
        for cell in row.children:
            blocks = (self.block(child, bars=True) for child in cell.children)
            text = "\n".join(blocks).strip() or " "
            pieces.append(f"{_bar(cell)}{text}")
        return "".join(pieces) + _bar(row.children[-1])

    def _list(self, block: Node, prefix: str, *, bars: bool) -> str:
        lines: list[str] = []
        for item in block.children:
            own: list[str] = []
            before = len(lines)
            for child in item.children:
                if child.type in _SYMBOLS:
                    if own:
                        lines.append(f"{prefix} " + "\n".join(own))
                        own = []
                    lines.append(self._list(child, prefix + _SYMBOLS[child.type], bars=bars))
                else:
                    own.append(self.block(child, bars=bars))
            if own or len(lines) == before:
                lines.append(f"{prefix} " + "\n".join(own))
        return "\n".join(lines)

    def _inline(self, block: Node, prefix: str, *, bars: bool) -> str:
        """Return the first way of writing a line that is read as the same; else the plainest."""
        breaks = "\\\\" if prefix else ""
        tries: list[str] = []
        for escaped in (_nothing, self._is_markup, _everything):
            for braced in (False, True):
                way = MarkupStyle(escaped, braced, breaks, bars)
                text = prefix + write(block.children, way, self.context)
                if text not in tries:
                    if self._reads_as(text, block, exactly=True):
                        return text
                    tries.append(text)
        return next((text for text in tries if self._reads_as(text, block)), tries[0])

    def _is_markup(self, text: str) -> bool:
        nodes = self.reader.read(text)
        return nodes != [Node("paragraph", (Node("text", text=text.strip(" \t")),))]

    def _reads_as(self, text: str, block: Node, *, exactly: bool = False) -> bool:
        found = self._read_alone(text)
        wanted = settled(block)
        if _same(found, [wanted]):
            return True
        return not exactly and _same(map(_blurred, found), [_blurred(_unescaped(wanted))])


def _nothing(_: str) -> bool:
    return False


def _everything(_: str) -> bool:
    return True


def _bar(cell: Node) -> str:
    return "||" if cell.type == "tableHeader" else "|"


def _code(block: Node) -> str:
    text = "".join(child.text for child in block.children)
    language = str(block.attrs.get("language", "")).lower()
    name = f"code:{language}" if language in LANGUAGES else "noformat"
    return f"{{{name}}}{text}{{{name.partition(':')[0]}}}"


def settled(node: Node) -> Node:
    """Return a lowered node as reading its markup gives it.

    Code loses the spaces around it and a language without a name in markup, cells of headings are
    strong, colours are in small letters, pictures have a size.
    """
    if node.type == WHOLE:
        return original(node)
    if node.type == "text":
        return replace(node, marks=tuple(map(_small_letters, node.marks)))
    if node.type == "codeBlock":
        language = str(node.attrs.get("language", "")).lower()
        attrs = {"language": language} if language in LANGUAGES else {}
        text = "".join(child.text for child in node.children)
        text = text.replace("\r\n", "\n").replace("\r", "\n").strip(" \t\n")
        return Node("codeBlock", (Node("text", text=text),) if text else (), attrs)
    if node.type == "mediaSingle" and "width" not in node.attrs:
        media = node.children[0]
        sized = {**media.attrs, "width": WIDTH, "height": HEIGHT} | dict(media.attrs)
        return replace(node, content=(replace(media, attrs=sized),))
    if node.content is None:
        return node
    content = [settled(child) for child in node.content]
    if node.type == "tableHeader":
        content = decorated(content, Mark("strong"))
    return replace(node, content=tuple(content))


def _small_letters(mark: Mark) -> Mark:
    if mark.type != "textColor":
        return mark
    return Mark("textColor", {"color": str(mark.attrs["color"]).lower()})


def _compared(node: Node) -> Node:
    """Return a node in the one form in which nodes are compared."""
    if node.content is None and len(node.marks) < 2:  # most: long texts have thousands
        return node
    marks = tuple(sorted(node.marks, key=lambda mark: mark.type))
    content = None if node.content is None else joined(tuple(map(_compared, node.content)))
    return replace(node, marks=marks, content=content)


def _same(some: Iterable[Node], others: Iterable[Node]) -> bool:
    return list(map(_compared, some)) == list(map(_compared, others))


def _unescaped(node: Node) -> Node:
    """Return a node without the backslashes that reading takes for escapes."""
    if node.type == "text":
        return replace(node, text=_ESCAPE.sub(r"\1", node.text))
    if not node.content or node.type == "codeBlock":
        return node
    return replace(node, content=tuple(map(_unescaped, node.content)))


def _blurred(node: Node) -> Node:
    """Return a node without what reading may add: links of addresses, faces, cards of keys."""
    if node.type == "text":
        told = tuple(mark for mark in node.marks if not _is_shown(mark, node.text))
        return Node("text", text=node.text, marks=told)
    if node.type == "emoji":
        return Node("text", text=emoticon(node))
    if node.type == "inlineCard":
        key = written_key(str(node.attrs.get("url")))
        return node if key is None else Node("text", text=key)
    if not node.content:
        return node
    return replace(node, content=joined(tuple(map(_blurred, node.content))))


def _is_shown(mark: Mark, text: str) -> bool:
    """Tell whether a link leads where its own text says."""
    return mark.type == "link" and str(mark.attrs["href"]).removeprefix("mailto:") == text
