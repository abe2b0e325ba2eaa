"""Nested brackets of forms: objects, lists, and what is neither."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from clones.core.operations.brackets import listed, nest, parameters

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="[]"), min_size=1)


def flat(value: Any, name: str) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for key, part in value.items() for pair in flat(part, f"{name}[{key}]")]
    return [(name, value)]


@given(
    st.dictionaries(
        NAMES,
        st.recursive(
            st.text(), lambda inner: st.dictionaries(NAMES, inner, min_size=1), max_leaves=6
        ),
    )
)
def test_what_is_flattened_comes_back(value: dict[str, Any]) -> None:
    pairs = [pair for name, part in value.items() for pair in flat(part, name)]
    if max((name.count("[") for name, _ in pairs), default=0) < 8:
        assert nest(pairs) == value


def test_lists_are_objects_with_numbers() -> None:
    assert nest([("a[]", "x"), ("a[]", "y")]) == {"a": {"0": "x", "1": "y"}}
    assert nest([("a[1][b]", "y"), ("a[0][b]", "x")]) == {"a": {"1": {"b": "y"}, "0": {"b": "x"}}}
    assert listed({"10": "c", "0": "a", "2": "b"}) == ["a", "b", "c"]
    assert listed({"0": "a", "x": "b"}) == {"0": "a", "x": "b"}
    assert listed("a") == "a"
    assert listed({}) == []


def test_of_equal_names_the_last_counts() -> None:
    assert nest([("a", "x"), ("a", "y")]) == {"a": "y"}


def test_names_that_are_no_brackets_are_names() -> None:
    assert nest([("a[b", "1"), ("]", "2"), ("[x]", "3")]) == {"a[b": "1", "]": "2", "[x]": "3"}


@pytest.mark.parametrize(
    "pairs",
    [
        [("a", "1"), ("a[b]", "2")],
        [("a[b]", "2"), ("a", "1")],
        [("a" + "[b]" * 8, "deep")],
    ],
)
def test_contradictions_are_refused(pairs: list[tuple[str, str]]) -> None:
    with pytest.raises(ValueError, match=r"is both a value and an object|nests too deep"):
        nest(pairs)


def test_the_body_replaces_the_query() -> None:
    request = RequestFactory().post(
        "/x?a=query&b=query",
        "a=body&c[d]=%C3%A9",
        content_type="application/x-www-form-urlencoded",
    )
    assert parameters(request) == {"a": "body", "b": "query", "c": {"d": "é"}}


def test_every_method_may_have_a_body() -> None:
    request = RequestFactory().delete("/x", "a=1", content_type="application/x-www-form-urlencoded")
    assert parameters(request) == {"a": "1"}
    assert parameters(RequestFactory().post("/x", {"a": "1"})) == {"a": "1"}  # multipart


def test_other_bodies_are_refused() -> None:
    request = RequestFactory().post("/x", "{}", content_type="application/json")
    with pytest.raises(ValueError, match="is no form"):
        parameters(request)
