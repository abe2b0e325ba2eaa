"""Read Playwright's accessibility snapshot into nodes, each with a handle that outlives its ref.

A ref (`f2e17`) says where a node is now: its prefix changes at every navigation and depends on
what happened before. A handle (frame, role, name, ordinal) says the same in every run that saw the
same page, so acts are recorded with handles and refs never leave the session.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

BREAK = "\ue000"
"""What `<br>` shows as in a raw snapshot (see `settling.PAGE_SCRIPT`); read as a space."""

VALUE_ROLES = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"})
"""Roles whose inline text is what somebody entered, not what the element is called."""

CONTENT_NAMED = frozenset({
    "article", "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link",
    "listitem", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "paragraph", "radio",
    "row", "rowheader", "switch", "tab", "treeitem",
})  # fmt: skip
"""Roles that are called by what they contain where the snapshot gives them no name."""

LABEL_LENGTH = 120

_ATTRIBUTE = re.compile(r" \[([^\]]*)\]")
_ESCAPE = re.compile(r'\\(?:x([0-9a-f]{2})|(["\\bfnrt]))')
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in CSS pixels, from the top left corner of the page's viewport."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Handle:
    """Where a node is, in words that hold in every run.

    `frame` is the path of iframes to it (the n-th of the page, the n-th of that one, ...);
    `ordinal` counts the nodes of that frame with the same role and name, from 0.
    """

    role: str
    name: str
    ordinal: int
    frame: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the recorded form."""
        return {
            "role": self.role,
            "name": self.name,
            "ordinal": self.ordinal,
            "frame": list(self.frame),
        }


@dataclass(slots=True, eq=False)
class Node:
    """A node of the accessibility tree, as the snapshot has it; `text` nodes have the role text."""

    role: str
    name: str = ""
    ref: str | None = None
    states: tuple[str, ...] = ()
    pointer: bool = False
    text: str = ""
    url: str = ""
    placeholder: str = ""
    box: Box | None = None
    children: list[Node] = field(default_factory=list)
    handle: Handle | None = None

    def walk(self) -> Iterator[Node]:
        """Yield the node and everything below it, in document order."""
        yield self
        for child in self.children:
            yield from child.walk()


def parse(snapshot: str) -> Node:
    """Return the root of a snapshot taken with `mode="ai"`, its nodes with their handles."""
    root = Node("document")
    stack: list[tuple[int, Node]] = [(-1, root)]
    for line in snapshot.split("\n"):
        body = line.lstrip(" ")
        if not body.startswith("- "):
            continue
        depth = (len(line) - len(body)) // 2
        while stack[-1][0] >= depth:
            stack.pop()
        parent = stack[-1][1]
        if body.startswith("- /"):
            _property(parent, body[3:])
            continue
        node = _node(body[2:])
        parent.children.append(node)
        stack.append((depth, node))
    place(root)
    return root


def place(root: Node) -> None:
    """Give every node its handle."""
    counts: dict[tuple[tuple[int, ...], str, str], int] = {}
    frames: dict[tuple[int, ...], int] = {}

    def visit(node: Node, frame: tuple[int, ...]) -> None:
        for child in node.children:
            key = (frame, child.role, label(child))
            child.handle = Handle(child.role, key[2], counts.get(key, 0), frame)
            counts[key] = child.handle.ordinal + 1
            inner = frame
            if child.role == "iframe":
                inner = (*frame, frames.get(frame, 0))
                frames[frame] = inner[-1] + 1
            visit(child, inner)

    visit(root, ())


def label(node: Node) -> str:
    """Return what a node is called: its name, its own text, or the text it contains."""
    if node.name:
        return node.name[:LABEL_LENGTH]
    if node.role in VALUE_ROLES:
        return node.placeholder[:LABEL_LENGTH]
    if node.text:
        return node.text[:LABEL_LENGTH]
    if node.role in CONTENT_NAMED:
        return content(node)[:LABEL_LENGTH]
    return ""


def content(node: Node) -> str:
    """Return the text below a node, in one line."""
    return collapse(" ".join(_words(child) for child in node.children))


def collapse(text: str) -> str:
    """Return text with every run of white space as one space."""
    return " ".join(text.replace(BREAK, " ").split())


def _words(node: Node) -> str:
    if node.name:
        return node.name
    own = "" if node.role in VALUE_ROLES else node.text
    return f"{own} {content(node)}"


def _property(node: Node, body: str) -> None:
    name, _, value = body.partition(": ")
    if name == "url":
        node.url = _value(value)
    elif name == "placeholder":
        node.placeholder = collapse(_value(value))


def _node(body: str) -> Node:
    key, rest = _split(body)
    role, name, attributes = _key(key)
    text = collapse(_value(rest[2:])) if rest.startswith(": ") else ""
    node = Node(role, collapse(name), text=text)
    states = []
    for attribute in attributes:
        kind, _, value = attribute.partition("=")
        if kind == "ref":
            node.ref = value
        elif kind == "cursor":
            node.pointer = True
        elif kind == "box":
            node.box = Box(*(round(float(part)) for part in value.split(",")))
        else:
            states.append(attribute)
    node.states = tuple(states)
    return node


def _split(body: str) -> tuple[str, str]:
    """Split a line into its key and what follows: nothing, `:` or `: value`."""
    if body.startswith("'"):
        end = 1
        while body[end : end + 2] == "''" or body[end] != "'":
            end += 2 if body[end : end + 2] == "''" else 1
        return body[1:end].replace("''", "'"), body[end + 1 :]
    end = _key_end(body)
    return body[:end], body[end:]


def _key_end(body: str) -> int:
    at = re.match(r"[\w-]+", body)
    end = at.end() if at else 0
    if body.startswith(' "', end):
        end = _DECODER.raw_decode(body, end + 1)[1]
    while found := _ATTRIBUTE.match(body, end):
        end = found.end()
    return end


def _key(key: str) -> tuple[str, str, list[str]]:
    at = re.match(r"[\w-]+", key)
    role, end, name = (at.group(), at.end(), "") if at else (key, len(key), "")
    if key.startswith(' "', end):
        name, end = _DECODER.raw_decode(key, end + 1)
        # Half of a surrogate pair cannot be stored as UTF-8.
        name = name.encode("utf-8", "replace").decode("utf-8")
    return role, name, _ATTRIBUTE.findall(key[end:])


def _value(text: str) -> str:
    if not (text.startswith('"') and text.endswith('"') and len(text) > 1):
        return text
    return _ESCAPE.sub(
        lambda match: chr(int(match[1], 16)) if match[1] else _ESCAPED[match[2]], text[1:-1]
    )
