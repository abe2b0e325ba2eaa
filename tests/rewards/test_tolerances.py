"""What may stand around an answer changes no verdict: neither of right ones nor of near misses."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.checks import AnswerKind, AnswerType, grade, schema_of
from episodes.checks.tolerances import TOLERANCES, tolerated

HOST: Final = "http://tracker.sb-abcdefghij.localhost:8802"
REF, INT = AnswerType("ref"), AnswerType("int")
KINDS: Final[Mapping[str, AnswerType]] = {
    "id": AnswerType("id"),
    "ref": REF,
    "int": INT,
    "number": AnswerType("number", tolerance=0.005),
    "money": AnswerType("money", currency="gbp"),
    "datetime": AnswerType("datetime", zone="Europe/Berlin", tolerance=30.0),
    "date": AnswerType("date"),
    "duration": AnswerType("duration"),
    "enum": AnswerType("enum", options=("good", "bad", "offered")),
    "set": AnswerType("set", item=REF),
    "list": AnswerType("list", item=INT),
    "object": AnswerType("object", fields={"blockers": AnswerType("set", item=REF), "first": REF}),
}
FOUND: Final = {"blockers": ["KES-12", "KES-7"], "first": "KES-7"}
RIGHT: Final[Mapping[str, Any]] = {
    "id": 1204,
    "ref": "Albert Pertl",
    "int": 4,
    "number": 12.5,
    "money": 3400,
    "datetime": "2026-07-19T08:30:00+00:00",
    "date": "2026-07-19",
    "duration": 90,
    "enum": "good",
    "set": ["KES-12", "KES-7"],
    "list": [3, 1, 2],
    "object": FOUND,
}
# Right answers as frameworks and people turn them into texts.
FORMS: Final[Mapping[str, tuple[Any, ...]]] = {
    "id": (
        "#1204", "1204.", '"1204"', f"{HOST}/agent/tickets/1204", "/agent/tickets/1204",
        f"{HOST}/agent/#/tickets/1204", f"{HOST}/hc/en-us/requests/1204?page=2",
        f"<{HOST}/agent/tickets/1204>", f"{HOST}/api/v2/tickets/1204.json",
        "http://127.0.0.1:8900/agent/tickets/1204.",
    ),
    "ref": (
        "Albert Pertl.", '"Albert Pertl"', "'Albert Pertl'.", "`Albert Pertl`", "“Albert Pertl.”",
        "„Albert Pertl“", "«Albert Pertl»", " albert pertl ",
    ),
    "int": ("4", "4.", '"4"', "“4”.", 4.0),
    "number": ("12.5", "12.5.", "'12.50'"),
    "money": ("34", "34.00.", "£34.00.", '"£34.00"', "“34 GBP”."),
    "datetime": (
        "2026-07-19 10:30", "2026-07-19T10:30.", '"2026-07-19T08:30:00Z"',
        "2026-07-19T08:30:00Z.",
    ),
    "date": (
        "2026-07-19.", "2026-07-19T00:00:00Z", "2026-07-19T00:00", "2026-07-19 00:00:00.000Z",
        "2026-07-19T00:00:00+02:00", '"2026-07-19T00:00:00Z"', '"19 July 2026."',
    ),
    "duration": ("90 minutes.", '"1 h 30 min"', "PT1H30M.", "90."),
    "enum": ("Good.", '"good"', "'GOOD'."),
    "set": (
        '["KES-12", "KES-7"]', '```json\n["KES-7", "KES-12"]\n```', '"[\\"KES-12\\",\\"KES-7\\"]"',
        [f"{HOST}/browse/KES-12", "kes-7."], f'["{HOST}/browse/KES-12?focusedId=3", "KES-7"]',
    ),
    "list": ("[3, 1, 2]", '["3", "1.", 2]', "```\n[3,1,2]\n```"),
    "object": (
        json.dumps(FOUND), f"```json\n{json.dumps(FOUND, indent=1)}\n```",
        {"blockers": '["KES-7", "KES-12"]', "first": f"{HOST}/browse/KES-7"},
        {"blockers": ["KES-12", "KES-7."], "first": '"KES-7"'},
    ),
}  # fmt: skip
# What only looks like a right answer.
NEAR: Final[Mapping[str, tuple[Any, ...]]] = {
    "id": (
        1205, "12", "1204 or 1205", "[1204]", [1204], f"{HOST}/agent/users/1204",
        f"{HOST}/agent/tickets/12040", "https://example.com/agent/tickets/1204",
        f"{HOST}/agent/tickets/1204/knowledge", f"{HOST}/agent/tickets?id=1204",
        f"{HOST}/api/v2/users/1204.json", f"1204 ({HOST}/agent/tickets/1205)",
        f"{HOST}/agent/tickets/1204 {HOST}/agent/tickets/1205", "1204...", "", "{}", True, None,
    ),
    "ref": (
        "Albert", "Pertl Albert", "Albert Pertl or Ana Roth", '"Albert Pertl" "Ana Roth"',
        '"Albert Pertl" or "Ana Roth"', "Albert Pertl...", "Albert Pertl. Or not.",
        ["Albert Pertl"], '["Albert Pertl"]', {"answer": "Albert Pertl"}, "Albert Pertl?",
        '"', ".", "",
    ),
    "int": (
        5, "40", "4 or 5", "4-5", "about 4", "4.5", "four of them", "[4]", "-4", "4..", True, "",
    ),
    "number": (12.51, "12.4", "125", "12,5", "12.5 or 13", "12.5?", "[12.5]", ""),
    "money": (
        34.01, 3400, "£34.10", "€34.00", "£34 or £35", "about £34", "£34?", "340.", "[34]",
        "34..", "",
    ),
    "datetime": (
        "2026-07-19", "2026-07-19T10:31", "2026-07-19T10:30:00Z", "10:30", "2026-07-18T10:30",
        "2026-07-19T10:30 or 10:31", "2026-07-19T00:00:00Z", "[]", "",
    ),
    "date": (
        "2026-07-18", "2026-07-20.", "2026-07-18T22:00:00Z", "2026-07-19T00:00:01Z",
        "2026-07-19T22:00:00Z", "2026-07-18T00:00:00Z", "2026-07-19T24:00:00Z", "2026-07",
        "2026-07-19 or 2026-07-20", "2026-07-19T00:00:00Z or later", "2025-07-19", "19.7.", "",
    ),
    "duration": (
        91, "90 hours.", "1.5", "PT90S", "90 or 91 minutes", "about 90 minutes.", "soon.", "",
    ),
    "enum": ("bad.", "good or bad", "not good", '"goo"', "good...", ["good"], "goods", ""),
    "set": (
        '["KES-12"', "KES-12, KES-7", '"KES-12", "KES-7"', "['KES-12', 'KES-7']",
        '["KES-12"] or more',
        '{"KES-12": 1, "KES-7": 1}', [["KES-12", "KES-7"]], '[["KES-12", "KES-7"]]', "[]", "2", [],
        ["https://example.com/browse/KES-12", f"{HOST}/projects/KES/boards/7"],
    ),
    "list": (
        "[1, 2, 3]", "[3, 1]", "[3, 1, 2, 2]", "3, 1, 2", "[3, 1, 2] or so", '{"0": 3}', "[NaN]",
    ),
    "object": (
        json.dumps([FOUND]), json.dumps({**FOUND, "last": "KES-1"}), json.dumps({"answer": FOUND}),
        '{"blockers": ["KES-12", "KES-7"], "first": "KES-12", "first": "KES-7"}',
        json.dumps({**FOUND, "first": "KES-12"}),
        json.dumps({**FOUND, "blockers": "KES-12, KES-7"}),
        f"{json.dumps(FOUND)} or not", "{}", "",
    ),
}  # fmt: skip


def cases(table: Mapping[str, tuple[Any, ...]]) -> list[tuple[str, Any]]:
    return [(kind, form) for kind, forms in table.items() for form in forms]


def test_every_kind_has_its_tolerances_its_forms_and_its_near_misses() -> None:
    kinds = set(get_args(AnswerKind))
    assert kinds == set(TOLERANCES) == set(KINDS) == set(RIGHT) == set(FORMS) == set(NEAR)


@pytest.mark.parametrize(("kind", "form"), cases(FORMS))
def test_a_right_answer_is_right_in_each_form(kind: str, form: Any) -> None:
    assert grade(KINDS[kind], RIGHT[kind], form) == 1.0


@pytest.mark.parametrize(("kind", "form"), cases(NEAR))
def test_a_near_miss_is_no_success(kind: str, form: Any) -> None:
    assert grade(KINDS[kind], RIGHT[kind], form) < 1.0


# Ways to write a value that say the same as the value; those of texts, and those of lists.
AROUND: Final[tuple[Callable[[str], str], ...]] = (
    lambda text: f"{text}.",
    lambda text: f'"{text}"',
    lambda text: f"“{text}”",
    lambda text: f"'{text}'.",
    lambda text: f"  `{text}` ",
)
AS_JSON: Final[tuple[Callable[[Any], Any], ...]] = (
    json.dumps,
    lambda value: json.dumps(value, indent=2),
    lambda value: json.dumps(json.dumps(value)),
    lambda value: f"```json\n{json.dumps(value)}\n```",
)
SCALARS = [kind for kind in KINDS if TOLERANCES[KINDS[kind].kind] != TOLERANCES["set"]]
WHOLE = [kind for kind in KINDS if kind not in SCALARS]
keys = st.sampled_from(["KES-12", "KES-7", "KES-1", "KES", "kes-7", "", "KES-7.", "12"])
words = st.text("abKES-0123456789 .:'\"£€?TZ", max_size=24)
values = st.one_of(keys, st.integers(0, 9), st.none(), st.booleans())


def strange(text: str) -> bool:
    """Tell whether a text begins or ends with what is taken off, so that more of it would be."""
    bare = text.strip()
    return not bare or bare[0] in "\"'`“«" or bare[-1] in ".\"'`”»"


@given(st.sampled_from(SCALARS), st.data(), st.sampled_from(AROUND))
def test_what_stands_around_a_value_changes_no_verdict(
    kind: str, data: st.DataObject, around: Callable[[str], str]
) -> None:
    near = [form for form in (*NEAR[kind], *FORMS[kind], RIGHT[kind]) if isinstance(form, str)]
    text = data.draw(st.one_of(words, st.sampled_from(near)))
    if strange(text) or "'" in text or '"' in text:
        return
    assert grade(KINDS[kind], RIGHT[kind], around(text)) == grade(KINDS[kind], RIGHT[kind], text)


@given(
    st.one_of(
        st.tuples(st.sampled_from(["set", "list"]), st.lists(values, max_size=5)),
        st.tuples(
            st.just("object"),
            st.dictionaries(
                st.sampled_from(["blockers", "first", "last"]), values | st.lists(keys, max_size=3)
            ),
        ),
    ),
    st.sampled_from(AS_JSON),
)
def test_json_text_says_what_the_value_says(
    drawn: tuple[str, Any], as_json: Callable[[Any], Any]
) -> None:
    kind, value = drawn
    given_as_text = grade(KINDS[kind], RIGHT[kind], as_json(value))
    assert given_as_text == grade(KINDS[kind], RIGHT[kind], value)


@given(st.sampled_from(list(KINDS)), st.recursive(values | words, st.lists))
def test_whatever_is_given_is_graded_and_what_is_taken_off_is_taken_off_once(
    kind: str, anything: Any
) -> None:
    assert 0.0 <= grade(KINDS[kind], RIGHT[kind], anything) <= 1.0
    once = tolerated(KINDS[kind].kind, anything)
    assert tolerated(KINDS[kind].kind, once) == once


@given(st.lists(st.sampled_from(["KES-12", "KES-7", "KES-3", "KES-4"]), max_size=8))
def test_items_that_say_the_same_count_once(items: list[str]) -> None:
    told = grade(KINDS["set"], RIGHT["set"], items)
    assert (
        grade(KINDS["set"], RIGHT["set"], [*items, *(f'"{item.lower()}".' for item in items)])
        == told
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_tells_the_form_and_nothing_of_the_answer(kind: str) -> None:
    schema = schema_of(KINDS[kind])
    text = json.dumps(schema)
    for secret in ("gbp", "GBP", "£", "Berlin", "KES-", "Pertl", "1204"):
        assert secret not in text
    assert "type" in schema
