"""Matching rules: likeness of words, keys, and logics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clones.crm.rules.matching import METHODS, STANDARD_RULES, WrongFilter, groups_of
from clones.crm.rules.matching.likeness import (
    edit_likeness,
    jaro_winkler,
    keyboard_likeness,
    sound_of,
)

CONTACT = STANDARD_RULES["Standard_Contact_Match_Rule_v1_1"]
WORDS = st.text(max_size=24)


def test_the_keys_are_those_that_the_vendor_shows() -> None:
    values = {
        "FirstName": "Marc",
        "LastName": "Benioff",
        "Account.Name": "salesforce.com",
        "Phone": "1-415-555-1234",
    }
    assert CONTACT.keys(values) == ["mpnfsales", "mpnf415555"]
    john = {"FirstName": "John", "LastName": "Doe", "Email": "john_doe@us.salesforce.com"}
    assert CONTACT.keys(john) == ["johndoe@salesforce.com", "jt@salesforce.com"]
    assert METHODS["Street"].key("123 Maple Avenue") == "123maple"
    assert METHODS["City"].key("Philadelphia") == "philad"
    assert METHODS["Zip"].key("10001") == "100"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Meyer", "Maier"), ("Smith", "Smyth"), ("Knight", "Night"), ("Philips", "Fillips")],
)
def test_names_that_sound_alike(one: str, other: str) -> None:
    assert sound_of(one) == sound_of(other) != ""


def test_likeness_by_jaro_and_winkler_is_that_of_the_books() -> None:
    assert round(jaro_winkler("martha", "marhta"), 4) == 0.9611
    assert round(jaro_winkler("dixon", "dicksonx"), 4) == 0.8133
    assert round(jaro_winkler("dwayne", "duane"), 4) == 0.84
    assert jaro_winkler("", "") == 1.0
    assert jaro_winkler("abc", "") == 0.0


def test_a_slip_of_a_finger_counts_less_than_another_letter() -> None:
    assert keyboard_likeness("smith", "smuth") == 0.9
    assert keyboard_likeness("smith", "smath") == edit_likeness("smith", "smath") == 0.8


@given(WORDS, WORDS)
def test_any_two_words_are_as_alike_either_way_round(one: str, other: str) -> None:
    for name, method in METHODS.items():
        there, back = method.likeness(one, other), method.likeness(other, one)
        assert 0 <= there <= 100.0001, name
        assert there == pytest.approx(back), name
        assert isinstance(method.key(one), str)


@given(WORDS)
def test_a_word_is_like_itself(word: str) -> None:
    for name, method in METHODS.items():
        assert method.likeness(word, word) == pytest.approx(100.0), name


def test_logics_make_groups() -> None:
    assert groups_of(None, 2) == ((0, 1),)
    assert groups_of("1 AND (2 or 3)", 3) == ((0, 1), (0, 2))
    assert groups_of("(1 AND 2) OR 1 OR (2 AND 1)", 2) == ((0,),)
    assert groups_of("1 OR 2", 2) == ((0,), (1,))


@pytest.mark.parametrize(
    "text", ["1", "1 AND", "(1 AND 2", "1 NOT 2", "1 AND 3", "AND", "1 2", "(" * 200, "1 AND 2)"]
)
def test_logics_that_are_none(text: str) -> None:
    with pytest.raises(WrongFilter):
        groups_of(text, 2)


def test_a_logic_grows_no_more_than_some_groups() -> None:
    pairs = " AND ".join(f"({one} OR {one + 1})" for one in range(1, 10))
    text = f"({pairs}) AND ({pairs}) AND ({pairs})"
    with pytest.raises(WrongFilter):
        groups_of(text, 10)
