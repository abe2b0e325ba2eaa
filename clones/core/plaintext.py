"""HTML as plain text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_BLOCKS = frozenset(
    {"p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"}
)


def plain_of_html(html: str) -> str:
    """Return the text of HTML, a line per block."""
    reader = _Reader()
    # What follows the last end of a tag is none, and the parser would look for one at each "<".
    end = html.rfind(">") + 1
    reader.feed(html[:end] + html[end:].replace("<", "&lt;"))
    reader.close()
    lines = [" ".join(line.split()) for line in "".join(reader.pieces).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Reader(HTMLParser):
    """Collect the text of HTML."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line at blocks and breaks; hide scripts and styles."""
        if tag in ("script", "style"):
            self.hidden += 1
        elif tag == "br" or tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """End a line at the end of blocks."""
        if tag in ("script", "style"):
            self.hidden = max(0, self.hidden - 1)
        elif tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        """Keep visible text; line ends of the source are spaces."""
        if not self.hidden:
            self.pieces.append(data.replace("\n", " "))
