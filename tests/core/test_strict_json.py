"""What a JSON text of a request says, and what is none."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from clones.core.strict_json import DEPTH, read_json, says_nul
from tests.project.paths import ROOT, python_files


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (b'{"a": [1, 2.5, null, true]}', {"a": [1, 2.5, None, True]}),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('{"half": "\\ud800", "whole": "\\u00e9"}', {"half": "\ufffd", "whole": "é"}),
        ('{"half": "\ud800"}', {"half": "\ufffd"}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b"1e308", 1e308),
        ("123456789012345678901234567890", 123456789012345678901234567890),
    ],
)
def test_json_is_read(text: str | bytes, wanted: Any) -> None:
    assert read_json(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "[Infinity]",
        '{"a": -Infinity}',
        "1e400",
        "[-1e999]",
        "{",
        "",
        b"\xff",
        "1 2",
        b'{"a": "\xed\xa0\x80"}',
        '"a"'.encode("utf-16"),
        "9" * 5000,
    ],
)
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "has_one"),
    [
        (rb'{"a": "b\u0000c"}', True),
        (rb'{"a": "b\\\u0000"}', True),
        (rb'{"a": "b\\u0000c"}', False),  # a backslash, and letters
        (b'{"a": "u0000"}', False),
    ],
)
def test_a_nul_is_found_where_it_is_one(text: bytes, has_one: bool) -> None:
    assert says_nul(text) is has_one


@pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ('{"a":', "}")], ids=["list", "object"]
)
def test_nesting_is_bounded(opening: str, closing: str) -> None:
    inner = "[]" if opening == "[" else "{}"
    most = opening * (DEPTH - 1) + inner + closing * (DEPTH - 1)
    assert read_json(most) is not None
    assert read_json(f"[{','.join(['[]'] * 500)}]") == [[]] * 500
    for more in (1, 2, 100_000):
        text = opening * (DEPTH - 1 + more) + inner + closing * (DEPTH - 1 + more)
        with pytest.raises(ValueError, match="nested too deeply"):
            read_json(text)


# What a store holds was checked when it was written; files of ours are ours.
TRUSTED = {
    "clones/core/journal/canonical.py", "clones/core/prepared.py", "clones/core/strict_json.py",
    "clones/core/tenancy/postgres/marker.py", "clones/helpdesk/domain/setup.py",
    "clones/helpdesk/domain/triggers.py", "clones/helpdesk/queries/automations.py",
    "clones/tracker/queries/slas.py", "clones/tracker/rules/richtext/wiki/colours.py",
}  # fmt: skip


# Other ways to read it, by the names that they have anywhere.
OTHER_READERS = {
    "JSONDecoder", "raw_decode", "validate_json", "model_validate_json", "model_validate_strings",
    "parse_raw", "from_json",
}  # fmt: skip


def reads_json(node: ast.AST) -> bool:
    """Tell whether an expression reads JSON by another reader than the clones'."""
    match node:
        case ast.Attribute(value=ast.Name(id="json"), attr="loads" | "load"):
            return True
        case ast.ImportFrom(module="json", names=names):
            return any(name.name != "dumps" for name in names)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in OTHER_READERS
    return False


def test_clones_read_json_by_this_reader_alone() -> None:
    readers = {
        str(path.relative_to(ROOT))
        for path in python_files("clones")
        for node in ast.walk(ast.parse(path.read_text()))
        if reads_json(node)
    }
    assert readers == TRUSTED
