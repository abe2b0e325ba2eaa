"""Documents as the vendor renders them: `renderedFields` of an issue, `renderedBody` of a comment.

The vendor makes HTML of the markup that a document makes, so what markup cannot say is not in it
(see `lowering`), and a table with joined cells is only a note that it is there. Nothing of a text
gets out unescaped, and no address but of a few kinds is led to.

Code is not coloured: the vendor puts spans around the words of some languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from clones.tracker.rules.richtext.document import Mark, Node
from clones.tracker.rules.richtext.lowering import WHOLE, lowered
from clones.tracker.rules.richtext.wiki.blocks import LANGUAGES
from clones.tracker.rules.richtext.wiki.colours import PANELS
from clones.tracker.rules.richtext.wiki.emoticons import character
from clones.tracker.rules.richtext.wiki.inline import CITED
from clones.tracker.rules.richtext.wiki.links import address_at, written_key

_LED_TO = re.compile(r"(?:https?|ftps?)://|mailto:|tel:|/|#", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?|ftps?)://|mailto:", re.IGNORECASE)
_TAGS = {"em": "em", "strike": "del", "strong": "b", "underline": "ins", "code": "tt"}
# The order in which the vendor sets formats, from the inside out.
_ORDER = ("code", "em", "strike", "strong", "subsup", "underline", "textColor", "link")
_CARDS = {"blockCard": "smart-card", "embedCard": "smart-embed"}


@dataclass(frozen=True, slots=True)
class HtmlContext:
    """What pages show of a site besides the text.

    `address` begins the addresses of people, without a slash at its end. `names` are display names
    by account id. `attachments` are an attachment's id and file name by media id.
    """

    address: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    attachments: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def render(document: Node, site: HtmlContext) -> str:
    """Return a document as HTML."""
    return _Renderer(site).blocks(lowered(document).children).rstrip("\n")


class _Renderer:
    """Renders lowered nodes."""

    def __init__(self, site: HtmlContext) -> None:
        self.site = site
        self._by_type: dict[str, Callable[[Node], str]] = {
            "paragraph": lambda node: f"<p>{self.inline(node.children)}</p>",
            "heading": self._heading,
            "rule": lambda _: "<hr />",
            "bulletList": lambda node: self._list(node, 0) + "\n",
            "orderedList": lambda node: self._list(node, 0) + "\n",
            "codeBlock": _code,
            "blockquote": lambda node: f"<blockquote>{self.blocks(node.children)}</blockquote>",
            "panel": self._panel,
            "table": self._table,
            "mediaSingle": lambda node: f"<p>{self._picture(node.children[0])}</p>",
            "mediaGroup": self._files,
            "blockCard": self._card,
            "embedCard": self._card,
        }

    def blocks(self, nodes: tuple[Node, ...]) -> str:
        """Return blocks, an empty line between two."""
        return "\n\n".join(map(self._block, nodes))

    def inline(self, nodes: tuple[Node, ...]) -> str:
        """Return inline nodes."""
        return "".join(map(self._inline, nodes))

    def _block(self, node: Node) -> str:
        return _whole(node) if node.type == WHOLE else self._by_type[node.type](node)

    def _inline(self, node: Node) -> str:
        if node.type == "text":
            return _text(node)
        if node.type == "hardBreak":
            return "<br/>\n"
        if node.type == "emoji":
            return escape(character(node), quote=False)
        if node.type == "mention":
            return self._person(str(node.attrs["id"]))
        if node.type == "inlineCard":
            return _inline_card(str(node.attrs["url"]))
        return _whole(node)

    def _heading(self, node: Node) -> str:
        # Coloured words are no part of the name: to the vendor they are in a macro.
        named = "".join(
            child.text
            for child in node.children
            if child.type == "text" and not child.marked("textColor")
        )
        name, level = escape("".join(named.split())), node.attrs["level"]
        return f'<h{level}><a name="{name}"></a>{self.inline(node.children)}</h{level}>'

    def _list(self, node: Node, depth: int) -> str:
        tag = "ol" if node.type == "orderedList" else "ul"
        tabs = "\t" * depth
        items = "".join(self._item(item, depth + 1) for item in node.children)
        return f"<{tag}>\n{items}{tabs}</{tag}>"

    def _item(self, item: Node, depth: int) -> str:
        tabs = "\t" * depth
        told = ""
        for place, child in enumerate(item.children):
            if child.type in ("bulletList", "orderedList"):
                told += f"\n{tabs}{self._list(child, depth)}"
                if place == len(item.children) - 1:
                    told += f"\n{tabs}"
            elif child.type == "paragraph":
                told += ("<br/>\n" if place else "") + self.inline(child.children)
            else:
                told += self._block(child)
        return f"{tabs}<li>{told}</li>\n"

    def _panel(self, node: Node) -> str:
        colour = PANELS[node.attrs["panelType"]]
        return (
            f'<div class="panel" style="background-color: {colour};border-width: 1px;">'
            f'<div class="panelContent" style="background-color: {colour};">\n'
            f"{self.blocks(node.children).rstrip()}\n</div></div>"
        )

    def _table(self, node: Node) -> str:
        rows = "".join(
            "<tr>\n" + "".join(map(self._cell, row.children)) + "</tr>\n" for row in node.children
        )
        return (
            "<div class='table-wrap'>\n<table class='confluenceTable'><tbody>\n"
            f"{rows}</tbody></table>\n</div>\n"
        )

    def _cell(self, cell: Node) -> str:
        tag, name = ("th", "Th") if cell.type == "tableHeader" else ("td", "Td")
        only = cell.children[0] if len(cell.children) == 1 else None
        told = (
            self.inline(only.children)
            if only is not None and only.type == "paragraph"
            else self.blocks(cell.children).rstrip("\n")
        )
        return f"<{tag} class='confluence{name}'>{told}</{tag}>\n"

    def _picture(self, media: Node) -> str:
        url, name = str(media.attrs.get("url", "")), ""
        if not url:
            id, name = self.site.attachments.get(str(media.attrs["id"]), ("", ""))
            url = f"/rest/api/3/attachment/content/{id}" if id else ""
        if not _LED_TO.match(url):
            return escape(str(media.attrs.get("alt") or media.attrs.get("id", "")))
        alt = escape(str(media.attrs.get("alt") or name))
        sizes = "".join(
            f' {side}="{media.attrs[side]}"' for side in ("height", "width") if side in media.attrs
        )
        shown = (
            f'<span class="image-wrap" style=""><img src="{escape(url)}" alt="{alt}"{sizes}'
            ' style="border: 0px solid black" /></span>'
        )
        for mark in media.marks:
            shown = _linked(shown, str(mark.attrs["href"]))
        return shown

    def _files(self, node: Node) -> str:
        shown = []
        for media in node.children:
            id, name = self.site.attachments.get(str(media.attrs["id"]), ("", ""))
            if id:
                address = f"/rest/api/3/attachment/content/{id}"
                told = f'<a href="{escape(address)}" title="{escape(name)}">{escape(name)}</a>'
                shown.append(f'<span class="nobr">{told}</span>')
            else:
                shown.append(escape(str(media.attrs["id"])))
        return f"<p>{'<br/>'.join(shown)}</p>"

    def _card(self, node: Node) -> str:
        url = str(node.attrs["url"])
        return f"<p>{_linked(escape(url, quote=False), url, _CARDS[node.type])}</p>"

    def _person(self, id: str) -> str:
        name = self.site.names.get(id)
        if name is None:
            return escape(f"[~accountid:{id}]", quote=False)
        address = f"{self.site.address}/secure/ViewProfile.jspa?accountId={quote(id, safe='')}"
        known = escape(id)
        return (
            f'<a href="{escape(address)}" class="user-hover" rel="{known}"'
            f' data-account-id="{known}" accountid="{known}" rel="noreferrer">'
            f"{escape(name, quote=False)}</a>"
        )


def _whole(node: Node) -> str:
    return f"<!-- ADF macro (type = '{node.children[0].type}') -->"


def _code(node: Node) -> str:
    text = escape("".join(child.text for child in node.children), quote=False)
    language = str(node.attrs.get("language", "")).lower()
    if language in LANGUAGES:
        return (
            '<div class="code panel" style="border-width: 1px;">'
            '<div class="codeContent panelContent">\n'
            f'<pre class="code-{escape(language)}">{text}</pre>\n</div></div>'
        )
    return (
        '<div class="preformatted panel" style="border-width: 1px;">'
        '<div class="preformattedContent panelContent">\n'
        f"<pre>{text}</pre>\n</div></div>"
    )


def _text(node: Node) -> str:
    text = node.text
    cited = node.marked("em") and text.startswith(CITED)
    if cited:
        text = text[len(CITED) :]
    bare = not node.marked("link", "code")
    shown = _with_addresses(text) if bare else escape(text, quote=False)
    for name in _ORDER:
        for mark in node.marks:
            if mark.type == name:
                shown = _marked(shown, mark, cited=cited)
    return shown


def _marked(shown: str, mark: Mark, *, cited: bool) -> str:
    if mark.type == "link":
        return _linked(shown, str(mark.attrs["href"]))
    if mark.type == "textColor":
        return f'<font color="{mark.attrs["color"]}">{shown}</font>'
    tag = str(mark.attrs["type"]) if mark.type == "subsup" else _TAGS[mark.type]
    if mark.type == "em" and cited:
        tag = "cite"
    return f"<{tag}>{shown}</{tag}>"


def _with_addresses(text: str) -> str:
    """Return text with links where addresses stand in it."""
    pieces: list[str] = []
    at = done = 0
    while (found := _ADDRESS.search(text, at)) is not None:
        link = address_at(text, found.start(), len(text))
        if link is None:
            at = found.end()
            continue
        node, at = link
        pieces.append(escape(text[done : found.start()], quote=False))
        pieces.append(_linked(escape(node.text, quote=False), str(node.marks[0].attrs["href"])))
        done = at
    pieces.append(escape(text[done:], quote=False))
    return "".join(pieces)


def _linked(shown: str, address: str, title: str = "") -> str:
    """Return something as a link, or by itself where nobody should be led."""
    if not _LED_TO.match(address):
        return shown
    titled = f' title="{title}"' if title else ""
    return (
        f'<a href="{escape(address)}"{titled} class="external-link"'
        f' rel="nofollow noreferrer">{shown}</a>'
    )


def _inline_card(url: str) -> str:
    key = written_key(url)
    if key is None or not _LED_TO.match(url):
        return _linked(escape(url, quote=False), url, "smart-link")
    address = url.partition("#icft=")[0]
    return f'<a href="{escape(address)}" class="issue-link" data-issue-key="{key}">{key}</a>'
