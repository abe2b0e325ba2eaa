"""Any documents, for properties that hold of all of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

PIECES = st.sampled_from(
    [
        *("a", "word", "b1", " ", "  ", "\n", "\t", "\u00a0", "é", "🙂", "—", "– "),
        *(
            "*",
            "**",
            "_",
            "-",
            "--",
            " -- ",
            "----",
            "+",
            "^",
            "~",
            "?",
            "??",
            "{",
            "}",
            "{{",
            "}}",
        ),
        *("[", "]", "|", "||", "!", "\\", "\\\\", "#", "# ", "* ", "- ", "h1. ", "bq. ", "(", ")"),
        *("{code}", "{quote}", "{color:red}", "{color}", "{panel}", "{adf}", "{noformat}"),
        *("{anchor:x}", ":)", ":D", "(i)", "(*)", ";)", "https://a.b/c_d", "http", "mailto:a@b.c"),
        *("ABC-1", "[~accountid:x]", "[^f.pdf]", "!p.png!", "[t|https://x.y]", "{*}", "{-}", "\r"),
    ]
)
MARKUP = st.lists(PIECES, max_size=14).map("".join)
TEXT = MARKUP.filter(bool)
WORDS = st.text("abc xyz.,", min_size=1, max_size=12)

_PLAIN_MARKS: list[dict[str, Any]] = [
    {"type": "strong"},
    {"type": "em"},
    {"type": "strike"},
    {"type": "underline"},
    {"type": "subsup", "attrs": {"type": "sub"}},
    {"type": "subsup", "attrs": {"type": "sup"}},
    {"type": "textColor", "attrs": {"color": "#97a0af"}},
    {"type": "textColor", "attrs": {"color": "#FF0000"}},
    {"type": "backgroundColor", "attrs": {"color": "#dcdfe4"}},
    {"type": "link", "attrs": {"href": "https://example.com/a?b=c"}},
    {"type": "link", "attrs": {"href": "https://example.com/[x]|y", "title": "t"}},
]
_CODE_MARKS: list[dict[str, Any]] = [
    {"type": "code"},
    {"type": "link", "attrs": {"href": "https://example.com"}},
]


def _distinct(marks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({mark["type"]: mark for mark in marks}.values())


def _texts(words: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    marks: st.SearchStrategy[list[dict[str, Any]]] = st.one_of(
        st.just([]),
        st.lists(st.sampled_from(_PLAIN_MARKS), max_size=3).map(_distinct),
        st.lists(st.sampled_from(_CODE_MARKS), max_size=2).map(_distinct),
    )
    return st.builds(
        lambda text, marks: {"type": "text", "text": text, **({"marks": marks} if marks else {})},
        words,
        marks,
    )


def _attrs(type_: str, **attrs: Any) -> dict[str, Any]:
    return {"type": type_, "attrs": attrs}


LEAVES = st.sampled_from(
    [
        {"type": "hardBreak"},
        _attrs("hardBreak", text="\n"),
        _attrs("mention", id="5b10ac8d82e05b22cc7d4ef5", text="@Mia", accessLevel=""),
        _attrs("mention", id="712020:ab-c"),
        _attrs("emoji", shortName=":smile:", id="1f604", text="😄"),
        _attrs("emoji", shortName=":slight_smile:", id="1f642"),
        _attrs("emoji", shortName=":warning:", id="atlassian-warning", text=":warning:"),
        _attrs("emoji", shortName=":custom:", id="12ab-0f"),
        _attrs("date", timestamp="1582152559000"),
        _attrs("status", text="In progress", color="yellow", localId="x", style=""),
        _attrs("inlineCard", url="https://example.com/browse/ABC-1"),
        _attrs("inlineCard", data={"@type": "Document"}),
        _attrs("placeholder", text="type {code} here"),
        _attrs("mediaInline", id="m-1", collection="c", type="file"),
    ]
)


def inline(words: st.SearchStrategy[str] = TEXT) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(st.one_of(_texts(words), _texts(words), LEAVES), max_size=5)


def _holding(
    type_: str, content: st.SearchStrategy[list[dict[str, Any]]], **attrs: Any
) -> st.SearchStrategy[dict[str, Any]]:
    shown = {"attrs": attrs} if attrs else {}
    return content.map(lambda nodes: {"type": type_, **shown, "content": nodes})


def _media(**attrs: Any) -> dict[str, Any]:
    return _attrs("media", type="file", id="m-2", collection="", **attrs)


def _blocks(words: st.SearchStrategy[str], depth: int) -> dict[str, Any]:
    """Return strategies of blocks by type; containers hold others down to a depth."""
    line = inline(words)
    code = st.one_of(st.none(), words).map(
        lambda text: [] if text is None else [{"type": "text", "text": text}]
    )
    found = {
        "paragraph": _holding("paragraph", line),
        "heading": st.one_of(*(_holding("heading", line, level=n) for n in (1, 3, 6))),
        "rule": st.just({"type": "rule"}),
        "codeBlock": st.one_of(
            _holding("codeBlock", code),
            *(_holding("codeBlock", code, language=name) for name in ("python", "yaml", "text")),
        ),
        "mediaSingle": st.sampled_from(
            [
                {**_attrs("mediaSingle", layout="center"), "content": [_media()]},
                {
                    **_attrs("mediaSingle", layout="wide", width=60),
                    "content": [_media(width=300, height=200, alt="a, b")],
                },
                {
                    **_attrs("mediaSingle", layout="center", width=250, widthType="pixel"),
                    "content": [_attrs("media", type="external", url="https://e.x/p.png")],
                },
            ]
        ),
        "mediaGroup": st.lists(st.just(_media()), min_size=1, max_size=2).map(
            lambda nodes: {"type": "mediaGroup", "content": nodes}
        ),
        "blockCard": st.just(_attrs("blockCard", url="https://example.com")),
    }
    if depth:
        found |= _containers(words, depth)
    return found


def _of(blocks: dict[str, Any], *names: str) -> Any:
    return st.lists(
        st.one_of(*(blocks[name] for name in names if name in blocks)), min_size=1, max_size=3
    )


def _containers(words: st.SearchStrategy[str], depth: int) -> dict[str, Any]:
    below = _blocks(words, depth - 1)
    items = _holding(
        "listItem",
        _of(
            below, "paragraph", "paragraph", "bulletList", "orderedList", "codeBlock", "mediaSingle"
        ),
    )
    tasks = st.lists(
        st.one_of(
            _holding("taskItem", inline(words), localId="t", state="DONE"),
            _holding("taskItem", inline(words), localId="t", state="TODO"),
        ),
        min_size=1,
        max_size=3,
    )
    decisions = st.lists(
        _holding("decisionItem", inline(words), localId="d", state="DECIDED"),
        min_size=1,
        max_size=2,
    )
    cell = _of(
        below, "paragraph", "paragraph", "bulletList", "heading", "codeBlock", "panel", "rule"
    )
    cells = st.lists(
        st.one_of(
            _holding("tableCell", cell),
            _holding("tableCell", cell),
            _holding("tableHeader", cell),
            _holding("tableCell", cell, colspan=2),
        ),
        min_size=1,
        max_size=3,
    )
    rows = st.lists(_holding("tableRow", cells), min_size=1, max_size=3)
    many = st.lists(items, min_size=1, max_size=3)
    framed = _of(below, "paragraph", "paragraph", "bulletList", "heading", "codeBlock", "rule")
    return {
        "bulletList": _holding("bulletList", many),
        "orderedList": st.one_of(
            _holding("orderedList", many), _holding("orderedList", many, order=3)
        ),
        "taskList": _holding("taskList", tasks, localId="l"),
        "decisionList": _holding("decisionList", decisions, localId="l"),
        "blockquote": _holding(
            "blockquote", _of(below, "paragraph", "bulletList", "orderedList", "codeBlock")
        ),
        "panel": st.one_of(
            _holding("panel", framed, panelType="warning"),
            _holding("panel", framed, panelType="custom", panelColor="#34EB6E"),
        ),
        "table": _holding("table", rows),
        "expand": _holding(
            "expand", _of(below, "paragraph", "bulletList", "table", "panel"), title="More *of* it"
        ),
    }


def documents(
    words: st.SearchStrategy[str] = TEXT, depth: int = 2
) -> st.SearchStrategy[dict[str, Any]]:
    blocks = _blocks(words, depth)
    return st.lists(st.one_of(*blocks.values()), max_size=4).map(
        lambda content: {"type": "doc", "version": 1, "content": content}
    )
