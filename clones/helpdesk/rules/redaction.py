"""Blotting out what `<redact>` marks in HTML."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser

BLOT = "▇"
VOID = frozenset({"br", "hr", "img"})


@dataclass(frozen=True, slots=True)
class Marked:
    """Marked HTML: as it was without the marks, and with what they mark blotted out.

    `any` tells whether anything is marked.
    """

    before: str
    after: str
    any: bool


def read_marks(html: str) -> Marked:
    """Return what HTML marks: text in `<redact>` tags, and tags with the attribute `redact`.

    Marked text becomes as many blots; of marked tags only what they enclose is left.
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return Marked("".join(reader.before), "".join(reader.after), reader.found)


class _Reader(HTMLParser):
    """Write HTML twice: as it was, and blotted out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.before: list[str] = []
        self.after: list[str] = []
        self.found = False
        self.depth = 0
        self.dropped: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Drop marked tags, and the marks themselves."""
        if tag == "redact":
            self.depth += 1
            return
        marked = any(name == "redact" for name, _ in attrs)
        text = self.get_starttag_text() or ""
        if marked:
            self.found = True
            text = _without_mark(text)
        self.before.append(text)
        if not marked:
            self.after.append(text)
        if tag not in VOID:
            self.dropped.append((tag, marked))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take `<br/>` for `<br>`."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """End a tag, or a mark."""
        if tag == "redact":
            self.depth = max(0, self.depth - 1)
            return
        marked = False
        if any(name == tag for name, _ in self.dropped):
            while True:
                name, marked = self.dropped.pop()
                if name == tag:
                    break
        self.before.append(f"</{tag}>")
        if not marked:
            self.after.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Blot out marked text."""
        self._write(data, len(data))

    def handle_entityref(self, name: str) -> None:
        """Blot out a marked character that has a name."""
        self._write(f"&{name};", 1)

    def handle_charref(self, name: str) -> None:
        """Blot out a marked character that has a number."""
        self._write(f"&#{name};", 1)

    def _write(self, text: str, length: int) -> None:
        self.before.append(text)
        self.found = self.found or (self.depth > 0 and length > 0)
        self.after.append(BLOT * length if self.depth else text)


def _without_mark(tag: str) -> str:
    """Return a start tag without its attribute `redact`."""
    for mark in (' redact=""', " redact=''", ' redact="redact"', ' redact="true"', " redact"):
        if mark in tag:
            return tag.replace(mark, "", 1)
    return tag
