"""What operations take in: nulls, large numbers, lists, tokens, addresses, whatever the clone."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict
from pydantic import Field, ValidationError

from clones.core.digits import whole_number
from clones.core.operations import inputs
from clones.core.operations.inputs import (
    LARGEST,
    BracketList,
    CommaList,
    Commas,
    Digits,
    list_parameters,
)
from clones.core.operations.paging import (
    address_of,
    counted_part,
    cut,
    part,
    read_state,
    read_token,
    write_state,
    write_token,
)


class TooLarge(Exception):
    """A clone's own refusal of a number."""


class Strict(inputs.Body, extra="forbid"):
    """A body of a clone that does without all that can be asked for."""

    name: str = "none"
    size: int = 0


class Lenient(Strict, extra="ignore"):
    """A body of a clone that takes null as nothing and holds numbers to columns."""

    null_is_absent = True
    largest = LARGEST

    count: int | None = Field(None, alias="howMany")
    sizes: list[int] = []

    @classmethod
    def too_large(cls, name: str) -> Exception:
        return TooLarge(name)


class Asked(inputs.Query):
    """A query with a list of each kind."""

    ids: CommaList[Digits] | None = None
    words: CommaList[str] = Field([], alias="theWords")
    names: list[str] | None = None
    parts: BracketList[str] = []
    one: str | None = None


def test_null_is_nothing_where_a_clone_says_so() -> None:
    found = Lenient.model_validate({"name": None, "howMany": None, "size": 3})
    assert (found.name, found.size, found.count) == ("none", 3, None)
    assert found.model_fields_set == {"size", "count"}
    with pytest.raises(ValidationError):
        Strict.model_validate({"name": None})


def test_a_number_is_held_to_columns_where_a_clone_says_so() -> None:
    assert Strict.model_validate({"size": LARGEST + 1}).size == LARGEST + 1
    assert Lenient.model_validate({"size": LARGEST, "sizes": [-LARGEST]}).size == LARGEST
    for given, name in (
        ({"size": LARGEST + 1}, "size"),
        ({"howMany": -LARGEST - 1}, "howMany"),
        ({"sizes": [1, LARGEST + 1]}, "sizes"),
    ):
        with pytest.raises(TooLarge, match=name):
            Lenient.model_validate(given)


def test_unknown_keys_are_refused_ignored_or_kept() -> None:
    class Keeping(Strict, extra="allow"):
        """A body that keeps what it does not know."""

    with pytest.raises(ValidationError):
        Strict.model_validate({"other": 1})
    assert not hasattr(Lenient.model_validate({"other": 1}), "other")
    assert Keeping.model_validate({"other": 1}).model_extra == {"other": 1}
    assert not hasattr(Asked.model_validate({"other": "1"}), "other")


def test_lists_are_known_with_their_marks() -> None:
    found = list_parameters(Asked)
    assert dict(found) == {
        "ids": Commas(),
        "theWords": Commas(),
        "names": None,
        "parts": found["parts"],
    }


@pytest.mark.parametrize(
    ("given", "wanted"),
    [(["1,2", "3"], [1, 2, 3]), ("1, 2", [1, 2]), ([""], []), ([",1,,"], [1]), ([1, 2], [1, 2])],
)
def test_lists_between_commas(given: Any, wanted: list[int]) -> None:
    assert Asked.model_validate({"ids": given}).ids == wanted


@pytest.mark.parametrize("item", ["x", "-1", "1.0", "+1", "1_0", "9" * 19, "\u0661"])
def test_what_is_not_all_digits_is_refused_as_such(item: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Asked.model_validate({"ids": f"5,{item}"})
    [problem] = refused.value.errors()
    assert (problem["type"], problem["loc"], problem["input"]) == ("digits", ("ids", 1), item)
    assert whole_number(item) is None


def test_signs_are_read_where_they_are_wanted() -> None:
    assert (whole_number("-7", signed=True), whole_number("--7", signed=True)) == (-7, None)
    assert (whole_number("123", digits=3), whole_number("1234", digits=3)) == (123, None)
    assert whole_number("") is None


def test_brackets_make_lists() -> None:
    assert Asked.model_validate({"parts": {"1": "b", "0": "a"}}).parts == ["a", "b"]
    with pytest.raises(ValidationError, match="no list"):
        Asked.model_validate({"parts": "a,b"})


@pytest.mark.parametrize("url_safe", [True, False])
@pytest.mark.parametrize("text", ["", "a", "ab", "abc", "page:10", "\u00fb\u00ff\u00fe?>~"])
def test_tokens_are_read_as_written(text: str, url_safe: bool) -> None:
    token = write_token(text, url_safe=url_safe)
    assert read_token(token) == text
    assert not url_safe or not set(token) & set("+/=")


@pytest.mark.parametrize("token", ["!", "a", "YWJ$", "/w==", "\u00e9\u00e9\u00e9\u00e9", "gA"])
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_token(token)


def test_places_are_read_as_written() -> None:
    assert read_state(write_state({"o": 7, "a": "b"})) == {"a": "b", "o": 7}
    for text in ("no JSON", "[" * 100_000):
        with pytest.raises(ValueError, match=r"."):
            read_state(write_token(text))


def test_an_address_keeps_what_was_asked() -> None:
    query = QueryDict("b=1&a=x&b=2&page=3&c=%26")
    at = "http://host/path"
    assert address_of(at, query, {"page": 4}) == f"{at}?b=1&b=2&a=x&page=4&c=%26"
    assert address_of(at, query, {"page": None, "size": 5}, in_order=True) == (
        f"{at}?a=x&b=1&b=2&c=%26&size=5"
    )


def test_parts_of_lists() -> None:
    rows = list(range(5))
    assert counted_part(rows, 3, 4) == ([3, 4], 5)
    assert counted_part(rows, 9, 4) == ([], 5)
    assert (part(rows, 0, 4), part(rows, 0, 5), part(rows, 1, 4)) == (
        (rows[:4], True),
        (rows, False),
        (rows[1:], False),
    )
    assert cut([1, 2], 0) == ([], True)
