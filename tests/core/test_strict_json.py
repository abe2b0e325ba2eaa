"""What a JSON text of a request says, and what is none."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.strict_json import read_json, says_nul


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (b'{"a": [1, 2.5, null, true]}', {"a": [1, 2.5, None, True]}),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('{"half": "\\ud800", "whole": "\\u00e9"}', {"half": "\ufffd", "whole": "é"}),
        (b"1e308", 1e308),
        ("123456789012345678901234567890", 123456789012345678901234567890),
    ],
)
def test_json_is_read(text: str | bytes, wanted: Any) -> None:
    assert read_json(text) == wanted


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", '{"a": -Infinity}', "1e400", "[-1e999]", "{", "", b"\xff", "1 2"]
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
