"""What a client sends as rich text: read into a document, or refused in the vendor's words.

The vendor refuses and does not repair: an unknown node, an unknown attribute or a node in the
wrong place answers 400 with `INVALID_INPUT` and names no place. What is wrong and where is said
here for logs and tests alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clones.tracker.rules.richtext import schema
from clones.tracker.rules.richtext.document import DEPTH, VERSION, Mark, Node

_PLACING = frozenset({"alignment", "indentation"})
_TABLES = frozenset({"table", "tableRow", "tableCell", "tableHeader"})


class NotADocument(Exception):
    """Raised when a value is no document at all: a string, a number, an object of another kind.

    The vendor answers `message` under the field's name; for the body of a comment it is
    `comment_message` under `comment`.
    """

    message = "Operation value must be an Atlassian Document (see the Atlassian Document Format)"
    comment_message = "Comment body is not valid!"


class NotAString(Exception):
    """Raised by version 2, which takes wiki markup, when a value is no string."""

    message = "Operation value must be a string"
    comment_message = "Comment body is not valid!"


class InvalidDocument(Exception):
    """Raised when a document breaks the format; `code` is all that the vendor says of it."""

    code = "INVALID_INPUT"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def read_document(value: Any) -> Node:
    """Return the document that a client sent.

    As the vendor stores it: text nodes without text are gone, empty attributes of tables too, and
    the colour of a custom panel is in capitals.

    Raises:
        NotADocument: it is nothing of the kind.
        InvalidDocument: it is a document, and breaks the format.
    """
    if not isinstance(value, Mapping) or value.get("type") != "doc" or "content" not in value:
        raise NotADocument
    version = value.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise InvalidDocument("doc", "the version is not 1")
    return _read(value, "doc", frozenset(), 0)


def read_node(value: Any, most: int = DEPTH) -> Node:
    """Return a node that stands alone, at most `most` nodes deep.

    Raises:
        InvalidDocument: it breaks the format.
    """
    allowed: frozenset[str] = frozenset(schema.marks())
    return _read(value, "node", allowed, DEPTH - most)


def read_markup(value: Any) -> str:
    """Return the wiki markup that a client sent to version 2.

    Raises:
        NotAString: it is something else.
    """
    if not isinstance(value, str):
        raise NotAString
    return value


def _read(value: Any, path: str, marks: frozenset[str], depth: int) -> Node:
    if depth > DEPTH:
        raise InvalidDocument(path, f"more than {DEPTH} nodes below one another")
    if not isinstance(value, Mapping) or not isinstance(value.get("type"), str):
        raise InvalidDocument(path, "a node is an object with a type")
    name = value["type"]
    kind = schema.nodes().get(name)
    if kind is None:
        raise InvalidDocument(path, f"no node has the type {name}")
    _check_keys(value, name, path)
    node = Node(
        name,
        attrs=_attrs(value, kind, path),
        marks=_marks(value, marks, path),
        text=_text(value, path) if name == "text" else "",
    )
    if kind.content is None:
        return node
    return _with_content(node, value, kind, path, depth)


def _check_keys(value: Mapping[str, Any], name: str, path: str) -> None:
    known = {"type", "attrs", "marks"}
    if name == "text":
        known = {"type", "text", "marks"}
    elif name == "doc":
        known = {"type", "version", "content"}
    elif schema.nodes()[name].content is not None:
        known.add("content")
    for key in value:
        if key not in known:
            raise InvalidDocument(path, f"{name} has no {key}")


def _text(value: Mapping[str, Any], path: str) -> str:
    found = value.get("text")
    if not isinstance(found, str):
        raise InvalidDocument(path, "a text node has a string as its text")
    return found


def _attrs(value: Mapping[str, Any], kind: schema.NodeType, path: str) -> dict[str, Any]:
    attrs = value.get("attrs", {})
    if not isinstance(attrs, Mapping):
        raise InvalidDocument(path, "attributes are an object")
    if not attrs and not kind.needs_attrs:
        return {}
    if not any(_fits(attrs, known) for known in kind.attrs):
        raise InvalidDocument(path, f"attributes {sorted(map(str, attrs))} do not fit")
    read = dict(attrs)
    if read.get("panelType") == "custom" and isinstance(read.get("panelColor"), str):
        read["panelColor"] = read["panelColor"].upper()
    return read


def _fits(attrs: Mapping[str, Any], known: schema.Attrs) -> bool:
    return all(
        name in known and known[name].allows(value) for name, value in attrs.items()
    ) and all(name in attrs for name, attr in known.items() if attr.required)


def _marks(value: Mapping[str, Any], allowed: frozenset[str], path: str) -> tuple[Mark, ...]:
    marks = value.get("marks", [])
    if not isinstance(marks, list):
        raise InvalidDocument(path, "marks are a list")
    read = tuple(_mark(mark, path) for mark in marks)
    names = {mark.type for mark in read}
    if not names <= allowed:
        raise InvalidDocument(path, f"{sorted(names - allowed)} may not be here")
    if "code" in names and not names <= schema.CODE:
        raise InvalidDocument(path, "code takes no other format than a link")
    if names >= _PLACING:
        raise InvalidDocument(path, "a block is aligned or indented, not both")
    return read


def _mark(value: Any, path: str) -> Mark:
    if not isinstance(value, Mapping) or not isinstance(value.get("type"), str):
        raise InvalidDocument(path, "a mark is an object with a type")
    known = schema.marks().get(value["type"])
    attrs = value.get("attrs", {})
    if known is None or not isinstance(attrs, Mapping) or not set(value) <= {"type", "attrs"}:
        raise InvalidDocument(path, f"no mark {value['type']} like this")
    if not _fits(attrs, known[0]):
        raise InvalidDocument(path, f"attributes of {value['type']} do not fit")
    return Mark(value["type"], dict(attrs))


def _with_content(
    node: Node, value: Mapping[str, Any], kind: schema.NodeType, path: str, depth: int
) -> Node:
    if "content" not in value:
        if kind.needs_content:
            raise InvalidDocument(path, "content is missing")
        return node
    content = value["content"]
    if not isinstance(content, list):
        raise InvalidDocument(path, "content is a list")
    read = [
        _child(child, kind, f"{path}.{node.type}[{index}]", depth + 1)
        for index, child in enumerate(content)
    ]
    if len(read) < kind.least or (kind.most is not None and len(read) > kind.most):
        raise InvalidDocument(path, f"{node.type} holds {len(read)} nodes")
    _check_order(node, read, kind, path)
    return replace(
        node, content=tuple(child for child in read if child.type != "text" or child.text)
    )


def _child(value: Any, kind: schema.NodeType, path: str, depth: int) -> Node:
    allowed = kind.content or {}
    name = value.get("type") if isinstance(value, Mapping) else None
    if not isinstance(name, str) or name not in allowed:
        raise InvalidDocument(path, f"{name} may not stand here")
    return _read(value, path, allowed[name], depth)


def _check_order(node: Node, read: list[Node], kind: schema.NodeType, path: str) -> None:
    if kind.first and (
        read[0].type != kind.first or any(child.type == kind.first for child in read[1:])
    ):
        raise InvalidDocument(path, f"{node.type} begins with one {kind.first}")
