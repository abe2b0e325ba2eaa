"""XML from outside, read with bounds, and XML that answers are written in.

Nothing is declared and nothing is loaded: a document with a DTD is refused where it begins, so that
no entity can grow, and size, depth and number of nodes have their bounds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final
from xml.parsers.expat import ExpatError, ParserCreate
from xml.sax.saxutils import escape

LONGEST: Final = 16 * 1024 * 1024  # bytes
DEEPEST: Final = 40
MOST_NODES: Final = 100_000  # elements and attributes
XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
# What XML 1.0 has no form of.
_UNWRITABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class UnreadableXml(Exception):
    """Raised where a body is no XML that is read here; the message says why."""


@dataclass(slots=True)
class Element:
    """An element: its name without prefix, its attributes by `namespace name`, what is in it."""

    name: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text that stands in it."""
        return "".join(self.parts)

    @property
    def is_nil(self) -> bool:
        """Whether it says that it has no value."""
        return self.attributes.get(f"{XSI} nil", "").strip() in ("true", "1")

    def child(self, name: str) -> Element | None:
        """Return the first child of a name."""
        return next((one for one in self.children if one.name == name), None)

    def all(self, name: str) -> list[Element]:
        """Return the children of a name."""
        return [one for one in self.children if one.name == name]

    def said(self, name: str) -> str:
        """Return the text of the first child of a name, without the blanks around it."""
        found = self.child(name)
        return "" if found is None or found.is_nil else found.text.strip()


def read_xml(body: bytes) -> Element:
    """Return the root of a document.

    Raises:
        UnreadableXml: it is none, declares something, or passes a bound.
    """
    if len(body) > LONGEST:
        raise UnreadableXml("the document is too large")
    root = Element("", {})
    path, count = [root], 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1 + len(attributes)
        if len(path) > DEEPEST:
            raise UnreadableXml("the document is nested too deeply")
        if count > MOST_NODES:
            raise UnreadableXml("the document has too many elements")
        found = Element(name.rpartition(" ")[2], attributes)
        path[-1].children.append(found)
        path.append(found)

    def read(text: str) -> None:
        path[-1].parts.append(text)

    def refuse(*_: Any) -> None:
        raise UnreadableXml("a document type declaration is not allowed")

    parser = ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = read
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(body, True)
    except (ExpatError, ValueError, LookupError) as error:
        raise UnreadableXml(str(error)) from error
    return root.children[0]


def text_of(value: Any) -> str:
    """Return a value as XML writes it, its marks escaped."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return escape(_UNWRITABLE.sub("", str(value)))


def tag(name: str, value: Any, attributes: str = "") -> str:
    """Return an element that holds a plain value; nothing is said to be nil."""
    if value is None:
        return f'<{name} xsi:nil="true"/>'
    return f"<{name}{attributes}>{text_of(value)}</{name}>"


def described(name: str, value: Any) -> str:
    """Return what JSON has as XML: members in elements of their names, lists as many elements."""
    if value is None:
        return ""
    if isinstance(value, dict):
        inner = "".join(described(key, one) for key, one in value.items())
        return f"<{name}>{inner}</{name}>"
    if isinstance(value, list):
        return "".join(described(name, one) for one in value)
    return tag(name, value)
