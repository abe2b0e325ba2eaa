"""Documents in the words of wiki markup: what markup cannot say becomes what comes near it.

The vendor renders and hands out documents by way of markup, so the same things are lost in version
2 of the API, in rendered fields and here:

| in a document | becomes |
|---|---|
| status | its text in capitals, in brackets, strong and coloured |
| date | the day, as code |
| expand | its title, strong, then what is inside |
| task list, decision list | a bullet list; what is done is struck out, decisions follow `<>` |
| emoji without an emoticon | its character, or its short name |
| `mediaInline` | the file after its paragraph's first part |
| panels of type tip and custom | a panel of type info, or of the type with the nearest colour |
| heading or paragraph placed, small | one that is not |
| background colours, annotations, editors' ids, numbers of first items, sizes of tables | nothing |
| spaces at the ends of lines, empty paragraphs | nothing |
| paragraphs one after another in an item or a cell | one paragraph of several lines |

What has no likeness at all (layouts, extensions, tables with joined cells, nested expands) is kept
whole: markup carries it as JSON, HTML says that something is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from clones.tracker.rules.richtext.document import Mark, Node, joined, with_mark
from clones.tracker.rules.richtext.wiki.colours import PANELS, panel_type
from clones.tracker.rules.richtext.wiki.emoticons import as_written, character
from clones.tracker.rules.richtext.wiki.flow import SPACES, trimmed

WHOLE = "whole"  # the type of a node that is kept whole; the node itself is inside
_SPOKEN = ("link", "em", "strong", "strike", "subsup", "underline", "code", "textColor")
_TIGHT = ("strong", "em", "strike", "underline", "subsup", "code")
_COLOURS = {
    "neutral": "#97A0AF",
    "purple": "#6554C0",
    "blue": "#00B8D9",
    "red": "#FF5630",
    "yellow": "#FF991F",
    "green": "#36B37E",
    "#B3F5FF": "#164555",
    "#ABF5D1": "#36B37E",
    "#D3F1A7": "#37471F",
    "#FFF0B3": "#533F04",
    "#FCE4A6": "#FF991F",
    "#FDD0EC": "#50253F",
}
_STRONG = Mark("strong")
_MERGING = ("listItem", "tableCell", "tableHeader")


def lowered(document: Node) -> Node:
    """Return a document that holds nothing but what markup can say, and what is kept whole."""
    return Node("doc", tuple(_blocks(document.children)))


def original(node: Node) -> Node:
    """Return the node that is kept whole in this one, with all such nodes put back."""
    if node.type == WHOLE:
        return node.children[0]
    if node.content is None:
        return node
    return replace(node, content=tuple(map(original, node.content)))


def _whole(node: Node) -> Node:
    return Node(WHOLE, (node,))


def _blocks(nodes: Iterable[Node], inside: str = "doc") -> list[Node]:
    found: list[Node] = []
    for node in nodes:
        for block in _block(node, inside):
            merges = inside in _MERGING and found and found[-1].type == block.type == "paragraph"
            if merges:
                lines = (*found[-1].children, Node("hardBreak"), *block.children)
                found[-1] = Node("paragraph", lines)
            else:
                found.append(block)
    return found


def _block(node: Node, inside: str) -> list[Node]:
    plain = {
        "blockquote": _holder,
        "panel": _panel,
        "table": _table,
        "bulletList": _list,
        "orderedList": _list,
        "taskList": _tasks,
        "decisionList": _decisions,
        "mediaSingle": _pictured,
        "mediaGroup": _grouped,
    }
    if node.type == "paragraph":
        return _paragraphs(node, inside)
    if node.type == "heading":
        content = _inline(node.children)
        return [Node("heading", content, {"level": node.attrs["level"]})]
    if node.type in plain:
        return [plain[node.type](node)]
    if node.type == "rule":
        return [Node("rule")]
    if node.type == "codeBlock":
        return [_code(node)]
    if node.type in ("expand", "bodiedSyncBlock"):
        return _opened(node, inside)
    if node.type in ("blockCard", "embedCard") and isinstance(node.attrs.get("url"), str):
        kept = {"url": node.attrs["url"]}
        return [
            replace(node, attrs=kept | ({"layout": "center"} if node.type == "embedCard" else {}))
        ]
    return [_whole(node)]


def _code(node: Node) -> Node:
    attrs = {"language": node.attrs["language"]} if node.attrs.get("language") else {}
    text = "".join(child.text for child in node.children)
    return Node("codeBlock", (Node("text", text=text),) if text else (), attrs)


def _holder(node: Node) -> Node:
    content = tuple(_blocks(node.children, node.type))
    return Node(node.type, content or (Node("paragraph", ()),))


def _panel(node: Node) -> Node:
    kind = str(node.attrs["panelType"])
    if kind not in PANELS:
        kind = panel_type(str(node.attrs.get("panelColor", "")))
    return replace(_holder(node), attrs={"panelType": kind})


def _list(node: Node) -> Node:
    items = []
    for item in node.children:
        content = tuple(_blocks(item.children, "listItem"))
        items.append(Node("listItem", content or (Node("paragraph", ()),)))
    return Node(node.type, tuple(items))


def _table(node: Node) -> Node:
    rows = []
    for row in node.children:
        cells = []
        for cell in row.children:
            if cell.attrs.get("colspan", 1) != 1 or cell.attrs.get("rowspan", 1) != 1:
                return _whole(node)
            content = tuple(_blocks(cell.children, cell.type))
            cells.append(Node(cell.type, content or (Node("paragraph", ()),)))
        rows.append(Node("tableRow", tuple(cells)))
    return Node("table", tuple(rows)) if all(row.children for row in rows) else _whole(node)


def _opened(node: Node, inside: str) -> list[Node]:
    title = str(node.attrs.get("title", "")).strip(SPACES)
    head = [Node("paragraph", (Node("text", text=title, marks=(_STRONG,)),))] if title else []
    return _blocks([*head, *node.children], inside)


def _tasks(node: Node) -> Node:
    items: list[Node] = []
    for child in node.children:
        if child.type == "taskList":
            below = _tasks(child)
            last = items.pop() if items else Node("listItem", ())
            items.append(replace(last, content=(*last.children, below)))
            continue
        done = child.attrs.get("state") == "DONE"
        blocks = (
            _blocks(child.children, "listItem")
            if child.type == "blockTaskItem"
            else _paragraphs(Node("paragraph", child.children), "listItem")
        )
        told = tuple(_struck(block) if done else block for block in blocks)
        items.append(Node("listItem", told or (Node("paragraph", ()),)))
    return Node("bulletList", tuple(items))


def _struck(node: Node) -> Node:
    """Return a block with all its text struck out."""
    if node.type == WHOLE or node.content is None or node.type == "codeBlock":
        return node
    content: list[Node] = []
    for child in node.content:
        if child.type != "text":
            content.append(_struck(child))
        elif child.marked("strike", "code"):
            content.append(child)
        else:
            content.extend(_loosened(with_mark(child, Mark("strike"))))
    return replace(node, content=joined(tuple(content)))


def _decisions(node: Node) -> Node:
    items = []
    for child in node.children:
        sign = Node("text", text="<> ")
        content = _paragraphs(Node("paragraph", (sign, *child.children)), "listItem")
        items.append(Node("listItem", tuple(content)))
    return Node("bulletList", tuple(items))


def _pictured(node: Node) -> Node:
    media = node.children[0]
    if len(node.children) > 1 or media.attrs.get("type") == "link":
        return _whole(node)
    single: dict[str, object] = {"layout": "center"}
    attrs = _media_attrs(media)
    if "width" in node.attrs and node.attrs.get("widthType") != "pixel":
        single["width"] = int(node.attrs["width"])
        attrs = {name: value for name, value in attrs.items() if name not in ("width", "height")}
    links = tuple(
        Mark("link", {"href": mark.attrs["href"]}) for mark in media.marks if mark.type == "link"
    )
    return Node("mediaSingle", (Node("media", attrs=attrs, marks=links),), single)


def _media_attrs(media: Node) -> dict[str, object]:
    known = ("type", "id", "url", "alt", "width", "height")
    attrs = {name: media.attrs[name] for name in known if name in media.attrs}
    for name in ("width", "height"):
        if name in attrs:
            attrs[name] = int(attrs[name])
    return attrs if attrs["type"] == "external" else {**attrs, "collection": ""}


def _grouped(node: Node) -> Node:
    if any(child.attrs.get("type") != "file" for child in node.children):
        return _whole(node)
    return Node("mediaGroup", tuple(map(_attached, node.children)))


def _attached(media: Node) -> Node:
    return Node("media", attrs={"type": "file", "id": media.attrs["id"], "collection": ""})


def _paragraphs(node: Node, inside: str) -> list[Node]:
    """Return a paragraph in pieces where files stand in it; none of a paragraph of nothing."""
    found: list[Node] = []
    run: list[Node] = []
    for child in node.children:
        if child.type == "mediaInline" and inside != "listItem":
            found.extend(_paragraph(run))
            found.append(Node("mediaGroup", (_attached(child),)))
            run = []
        else:
            run.append(child)
    return [*found, *_paragraph(run)]


def _paragraph(nodes: list[Node]) -> list[Node]:
    content = _inline(nodes)
    return [Node("paragraph", content)] if any(n.type != "hardBreak" for n in content) else []


def _inline(nodes: Iterable[Node]) -> tuple[Node, ...]:
    found: list[Node] = []
    for node in nodes:
        found.extend(_inline_node(node))
    return trimmed(found)


def _inline_node(node: Node) -> list[Node]:
    if node.type == "text":
        return _text(node)
    if node.type == "hardBreak":
        return [Node("hardBreak")]
    if node.type == "mention":
        return [Node("mention", attrs={"id": node.attrs["id"]})]
    if node.type == "emoji":
        return [as_written(node) or Node("text", text=character(node))]
    if node.type == "status":
        colour = str(node.attrs["color"])
        colour = _COLOURS.get(colour.upper() if colour[0] == "#" else colour, "#97A0AF")
        marks = (_STRONG, Mark("textColor", {"color": colour}))
        return [Node("text", text=f"[ {str(node.attrs['text']).upper()} ]", marks=marks)]
    if node.type == "date":
        return [Node("text", text=day(str(node.attrs["timestamp"])), marks=(Mark("code"),))]
    if node.type == "inlineCard" and isinstance(node.attrs.get("url"), str):
        return [Node("inlineCard", attrs={"url": node.attrs["url"]})]
    return [_whole(node)]


def day(timestamp: str) -> str:
    """Return the day of a date node, whose timestamp is milliseconds since 1970 in UTC."""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(timestamp))
    except (ValueError, OverflowError):
        return timestamp
    return moment.strftime("%Y-%m-%d")


def _text(node: Node) -> list[Node]:
    """Return text with the marks that markup has, its line ends as breaks."""
    kept = tuple(
        Mark("link", {"href": mark.attrs["href"]}) if mark.type == "link" else mark
        for name in _SPOKEN
        for mark in node.marks
        if mark.type == name
    )
    found: list[Node] = []
    lines = node.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines):
        if number:
            found.append(Node("hardBreak"))
        found.extend(_loosened(replace(node, text=line, marks=kept)))
    return found


def _loosened(node: Node) -> list[Node]:
    """Return text with the spaces at its ends outside of its formats."""
    if not node.marked(*_TIGHT):
        return [node]
    inner = node.text.strip(SPACES)
    loose = tuple(mark for mark in node.marks if mark.type not in _TIGHT)
    before, _, after = node.text.partition(inner) if inner else (node.text, "", "")
    pieces = (
        replace(node, text=before, marks=loose),
        replace(node, text=inner),
        replace(node, text=after, marks=loose),
    )
    return [piece for piece in joined(pieces) if piece.text]
