"""Which nodes and marks there are, what they say, and what may stand in what.

The facts are those of the Atlassian Document Format's JSON schema (`@atlaskit/adf-schema`
57.7.22). A node's marks depend on where it stands, so they are named with its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

Kind = Literal["string", "number", "integer", "boolean", "numbers", "any"]
HEX = r"#[0-9a-fA-F]{6}"


@dataclass(frozen=True, slots=True)
class Attr:
    """What the value of one attribute must be; `least` of a string is its length."""

    kind: Kind = "string"
    required: bool = False
    choices: tuple[Any, ...] = ()
    pattern: str = ""
    least: float | None = None
    most: float | None = None

    def allows(self, value: Any) -> bool:
        """Tell whether a value, as JSON gave it, may stand here."""
        if not _is_kind(value, self.kind) or (self.choices and value not in self.choices):
            return False
        if self.pattern and not re.fullmatch(self.pattern, value):
            return False
        size = len(value) if isinstance(value, str) else value
        return (self.least is None or size >= self.least) and (
            self.most is None or size <= self.most
        )


def _is_kind(value: Any, kind: Kind) -> bool:
    if kind == "any":
        return True
    if kind == "numbers":
        return isinstance(value, list) and all(_is_kind(item, "number") for item in value)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "string":
        return isinstance(value, str)
    if isinstance(value, bool):
        return False
    return isinstance(value, int) if kind == "integer" else isinstance(value, int | float)


Attrs = Mapping[str, Attr]


@dataclass(frozen=True, slots=True)
class NodeType:
    """One type of node.

    `attrs` are alternatives: the attributes must fit one. `content` maps the types inside to the
    marks that they may have there; None is a node that holds nothing.
    """

    attrs: tuple[Attrs, ...] = ({},)
    content: Mapping[str, frozenset[str]] | None = None
    least: int = 0
    most: int | None = None
    needs_attrs: bool = False
    needs_content: bool = False
    first: str = ""  # what the first node inside must be


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _attr(required: str = "", optional: str = "", **others: Attr) -> dict[str, Attr]:
    """Return attributes: strings by name, others as given, and the id that editors give."""
    return {
        "localId": Attr(),
        **{name: Attr(required=True) for name in required.split()},
        **{name: Attr() for name in optional.split()},
        **others,
    }


_NONE: frozenset[str] = frozenset()
_SIZED = _words("fontSize")
_LINK = Attr(required=True)
_NUMBER = Attr("number")
_ID = Attr(required=True, least=1)
_LAYOUTS = ("wide", "full-width", "center", "wrap-right", "wrap-left", "align-end", "align-start")
_MEDIA_MARKS = _words("dataConsumer link annotation border")
FORMATTED = _words("link em strong strike subsup underline textColor annotation backgroundColor")
CODE = _words("code link annotation")
_EXTENDED = _words("dataConsumer fragment")

_INLINE: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        ("date", "emoji", "hardBreak", "inlineCard", "mention", "placeholder", "status"), _NONE
    ),
    "text": FORMATTED | CODE,
    "inlineExtension": _EXTENDED,
    "mediaInline": _MEDIA_MARKS,
}
_CAPTION = {
    name: _INLINE[name] for name in _INLINE if name not in ("inlineExtension", "mediaInline")
}


def _blocks(names: str, **marked: frozenset[str]) -> dict[str, frozenset[str]]:
    return {**dict.fromkeys(names.split(), _NONE), **marked}


_LISTS = "bulletList orderedList taskList"
_PLACED = _words("alignment indentation fontSize")
_SINGLE = _words("link")
_IN_CELL = _blocks(
    f"panel blockquote {_LISTS} rule codeBlock mediaGroup decisionList blockCard embedCard"
    " nestedExpand",
    paragraph=_words("alignment fontSize"),
    heading=_words("alignment indentation"),
    mediaSingle=_SINGLE,
    extension=_EXTENDED,
)
_NOT_NESTED = _blocks(
    f"panel blockquote {_LISTS} rule heading codeBlock mediaGroup decisionList blockCard embedCard",
    paragraph=_SIZED,
    mediaSingle=_SINGLE,
    table=_words("fragment"),
    extension=_EXTENDED,
)
_IN_COLUMN = _blocks(
    f"blockCard codeBlock {_LISTS} mediaGroup decisionList rule panel blockquote embedCard expand",
    paragraph=_PLACED,
    heading=_words("alignment indentation"),
    mediaSingle=_SINGLE,
    table=_words("fragment"),
    extension=_EXTENDED,
    bodiedExtension=_EXTENDED,
)
_IN_DOC = {
    **_IN_COLUMN,
    "codeBlock": _words("breakout"),
    "expand": _words("breakout"),
    "layoutSection": _words("breakout"),
    "syncBlock": _words("breakout"),
    "bodiedSyncBlock": _words("breakout"),
}
_CELL = _attr(
    optional="background",
    colspan=_NUMBER,
    rowspan=_NUMBER,
    colwidth=Attr("numbers"),
    valign=Attr(choices=("top", "middle", "bottom")),
)
_EXTENSION = _attr(
    optional="text",
    extensionKey=_ID,
    extensionType=_ID,
    parameters=Attr("any"),
    layout=Attr(choices=("wide", "full-width", "default")),
)
_TASK = _attr("localId", state=Attr(required=True, choices=("TODO", "DONE")))
_FILE = _attr(
    "collection", "alt", id=_ID, occurrenceKey=Attr(least=1), height=_NUMBER, width=_NUMBER
)
_PANELS = ("info", "note", "tip", "warning", "error", "success", "custom")


def _inline(*attrs: Attrs, needs_attrs: bool = False) -> NodeType:
    return NodeType(attrs or (_attr(),), _INLINE, needs_attrs=needs_attrs)


def _leaf(*attrs: Attrs, needs_attrs: bool = True) -> NodeType:
    return NodeType(attrs, None, needs_attrs=needs_attrs)


def _holder(
    content: Mapping[str, frozenset[str]], *attrs: Attrs, least: int = 1, **others: Any
) -> NodeType:
    return NodeType(attrs or (_attr(),), content, least, needs_content=True, **others)


@cache
def nodes() -> Mapping[str, NodeType]:
    """Return the types of nodes by name."""
    return {**_inline_nodes(), **_block_nodes(), **_media_nodes(), **_nested_nodes()}


def _inline_nodes() -> dict[str, NodeType]:
    return {
        "text": NodeType(({},)),
        "date": _leaf(_attr(timestamp=_ID)),
        "emoji": _leaf(_attr("shortName", "id text")),
        "hardBreak": _leaf(_attr(text=Attr(choices=("\n",))), needs_attrs=False),
        "inlineCard": _leaf(_attr("url"), _attr(data=Attr("any", required=True))),
        "mention": _leaf(
            _attr("id", "text accessLevel", userType=Attr(choices=("DEFAULT", "SPECIAL", "APP")))
        ),
        "placeholder": _leaf(_attr("text")),
        "status": _leaf(
            _attr(
                optional="style",
                text=_ID,
                color=Attr(required=True, pattern=f"neutral|purple|blue|red|yellow|green|{HEX}"),
            )
        ),
        "inlineExtension": _leaf({k: v for k, v in _EXTENSION.items() if k != "layout"}),
    }


def _block_nodes() -> dict[str, NodeType]:
    level = Attr("integer", required=True, least=1, most=6)
    panel = _attr(
        optional="panelIcon panelIconId panelIconText panelColor",
        panelType=Attr(required=True, choices=_PANELS),
    )
    code = _attr(
        optional="language uniqueId", wrap=Attr("boolean"), hideLineNumbers=Attr("boolean")
    )
    datasource = _attr(
        optional="url",
        datasource=Attr("any", required=True),
        width=_NUMBER,
        layout=Attr(choices=_LAYOUTS),
    )
    embed = _attr(
        "url",
        layout=Attr(required=True, choices=_LAYOUTS),
        width=Attr("number", least=0, most=100),
        originalHeight=_NUMBER,
        originalWidth=_NUMBER,
    )
    return {
        "doc": NodeType(({},), _IN_DOC, needs_content=True),
        "paragraph": _inline(),
        "heading": _inline(_attr(level=level), needs_attrs=True),
        "rule": _leaf(_attr(), needs_attrs=False),
        "codeBlock": NodeType((code,), {"text": _NONE}),
        "blockquote": _holder(
            _blocks(
                "paragraph orderedList bulletList codeBlock mediaGroup",
                mediaSingle=_SINGLE,
                extension=_EXTENDED,
            )
        ),
        "panel": _holder(
            _blocks(
                f"heading {_LISTS} blockCard mediaGroup codeBlock rule decisionList",
                paragraph=_SIZED,
                mediaSingle=_SINGLE,
                extension=_EXTENDED,
            ),
            panel,
            needs_attrs=True,
        ),
        "blockCard": _leaf(datasource, _attr("url"), _attr(data=Attr("any", required=True))),
        "embedCard": _leaf(embed),
        "extension": _leaf(_EXTENSION),
        "syncBlock": _leaf(_attr("resourceId localId")),
    }


def _media_nodes() -> dict[str, NodeType]:
    pictured = Attr(required=True, choices=_LAYOUTS)
    shown = _attr("url", "alt", height=_NUMBER, width=_NUMBER)
    return {
        "media": _leaf(
            {**_FILE, "type": Attr(required=True, choices=("link", "file"))},
            {**shown, "type": Attr(required=True, choices=("external",))},
        ),
        "mediaInline": _leaf(
            {**_FILE, "type": Attr(choices=("link", "file", "image")), "data": Attr("any")}
        ),
        "mediaGroup": NodeType(({},), {"media": _MEDIA_MARKS}, 1, needs_content=True),
        "mediaSingle": _holder(
            {"media": _MEDIA_MARKS, "caption": _NONE},
            _attr(
                width=Attr("number", least=0, most=100),
                layout=pictured,
                widthType=Attr(choices=("percentage",)),
            ),
            _attr(
                width=Attr("number", required=True, least=0),
                widthType=Attr(required=True, choices=("pixel",)),
                layout=pictured,
            ),
            most=2,
            first="media",
        ),
        "caption": NodeType((_attr(),), _CAPTION),
    }


def _nested_nodes() -> dict[str, NodeType]:
    numbered = _attr(order=Attr("integer", least=0))
    table = _attr(
        displayMode=Attr(choices=("default", "fixed")),
        isNumberColumnEnabled=Attr("boolean"),
        layout=Attr(
            choices=("wide", "full-width", "center", "align-end", "align-start", "default")
        ),
        localId=Attr(least=1),
        width=_NUMBER,
    )
    item = _blocks(
        f"{_LISTS} codeBlock", paragraph=_SIZED, mediaSingle=_SINGLE, extension=_EXTENDED
    )
    task_item = _blocks("", paragraph=_SIZED, extension=_EXTENDED)
    column = _attr(
        width=Attr("number", required=True, least=0, most=100),
        valign=Attr(choices=("top", "middle", "bottom")),
    )
    expanded = {**_NOT_NESTED, "nestedExpand": _NONE}
    nested = {k: v for k, v in _NOT_NESTED.items() if k not in ("table", "blockCard", "embedCard")}
    return {
        "bulletList": _holder({"listItem": _NONE}),
        "orderedList": _holder({"listItem": _NONE}, numbered),
        "listItem": _holder(item),
        "taskList": _holder(
            _blocks("taskItem taskList blockTaskItem"), _attr("localId"), needs_attrs=True
        ),
        "taskItem": _inline(_TASK, needs_attrs=True),
        "blockTaskItem": _holder(task_item, _TASK, needs_attrs=True),
        "decisionList": _holder({"decisionItem": _NONE}, _attr("localId"), needs_attrs=True),
        "decisionItem": _inline(_attr("localId state"), needs_attrs=True),
        "table": _holder({"tableRow": _NONE}, table),
        "tableRow": _holder(_blocks("tableCell tableHeader"), least=0),
        "tableCell": _holder(_IN_CELL, _CELL),
        "tableHeader": _holder(_IN_CELL, _CELL),
        "expand": _holder(expanded, _attr(optional="title")),
        "nestedExpand": _holder(nested, _attr(optional="title"), needs_attrs=True),
        "layoutSection": _holder({"layoutColumn": _NONE}, least=2, most=3),
        "layoutColumn": _holder(_IN_COLUMN, column, needs_attrs=True),
        "bodiedExtension": _holder(_NOT_NESTED, _EXTENSION, needs_attrs=True),
        "bodiedSyncBlock": _holder(
            {**_IN_COLUMN, "layoutSection": _words("breakout")},
            _attr("resourceId localId"),
            needs_attrs=True,
        ),
    }


@cache
def marks() -> Mapping[str, tuple[Attrs, bool]]:
    """Return the attributes of marks by name, and whether the mark needs them."""
    colour = Attr(required=True, pattern=HEX)
    level = Attr("integer", required=True, least=1, most=6)
    return {
        **dict.fromkeys(("strong", "em", "code", "strike", "underline"), ({}, False)),
        "link": (
            {
                "href": _LINK,
                **dict.fromkeys(("title", "id", "collection", "occurrenceKey"), Attr()),
            },
            True,
        ),
        "subsup": ({"type": Attr(required=True, choices=("sub", "sup"))}, True),
        "textColor": ({"color": colour}, True),
        "backgroundColor": ({"color": colour}, True),
        "alignment": ({"align": Attr(required=True, choices=("center", "end"))}, True),
        "indentation": ({"level": level}, True),
        "fontSize": ({"fontSize": Attr(required=True, choices=("small",))}, True),
        "annotation": (
            {
                "id": Attr(required=True),
                "annotationType": Attr(required=True, choices=("inlineComment",)),
            },
            True,
        ),
        "border": (
            {
                "size": Attr("number", required=True, least=1, most=3),
                "color": Attr(required=True, pattern=f"{HEX}(?:[0-9a-fA-F]{{2}})?"),
            },
            True,
        ),
        "breakout": (
            {"mode": Attr(required=True, choices=("wide", "full-width")), "width": _NUMBER},
            True,
        ),
        "dataConsumer": ({"sources": Attr("any", required=True)}, True),
        "fragment": ({"localId": _ID, "name": Attr()}, True),
    }
