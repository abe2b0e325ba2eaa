"""Smart values whose texts grow: each function is bounded, however often it is called."""

from __future__ import annotations

import time

import pytest

from clones.tracker.rules.automation.smart import Scope, SmartValueError, evaluate, render
from clones.tracker.rules.automation.smart.lists import FUNCTIONS as OF_LISTS
from clones.tracker.rules.automation.smart.parsing import LONGEST, LONGEST_BETWEEN
from clones.tracker.rules.automation.smart.texts import FUNCTIONS, TOO_LONG

# What each function that writes for another language writes longer; and blanks and letters.
SIGNS = "a, 1 \"\\<&'\u00e9\u20ac."
LONG = "x" * 30_000
SCOPE = Scope(
    {"text": SIGNS * 100, "long": LONG, "quotes": '"' * 30_000, "many": [SIGNS * 100] * 16_000}
)
ARGUMENTS = ("", '("a", "aaaaaaaaaaaaaaaa")', '("", "b")', "(99999999)", "(text, long)", "(long)")
# So many in turn: what doubles at each would have a million times its length.
TURNS = 20


@pytest.mark.in_turn
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_no_function_makes_texts_without_end(name: str) -> None:
    """A text is of a bounded length, or refused; neither takes long."""
    started = time.process_time()
    for arguments in ARGUMENTS:
        for begins in ("text", "long", "quotes"):
            try:
                found = evaluate("{{" + begins + f".{name}{arguments}" * TURNS + "}}", SCOPE)
            except SmartValueError:
                continue
            assert not isinstance(found, str) or len(found) <= LONGEST_BETWEEN
    assert time.process_time() - started < 20


@pytest.mark.parametrize("name", ["jsonEncode", "quote", "urlEncode", "htmlEncode", "asJsonString"])
def test_what_lengthens_a_text_is_refused_in_the_end(name: str) -> None:
    text = "{{" + "text" + f".{name}" * 400 + "}}"
    with pytest.raises(SmartValueError, match=r"longer than|too many"):
        render(text, SCOPE)


@pytest.mark.parametrize(
    "text",
    [
        '{{long.replace("x", "xx")}}',
        '{{long.replaceAll("x", "xx")}}',
        '{{long.replaceAll("(x)", "$1$1")}}',
        "{{long.concat(long)}}",
        "{{many.join(long)}}",
        "{{many.join}}",
    ],
)
def test_a_text_that_would_be_too_long_is_not_made(text: str) -> None:
    assert len(LONG) * 2 > LONGEST
    with pytest.raises(SmartValueError) as refused:
        evaluate(text, SCOPE)
    assert str(refused.value) == TOO_LONG


def test_every_function_of_lists_is_known_to_this_test() -> None:
    """Those that make a text of a list are bounded above."""
    texts = {name for name, act in OF_LISTS.items() if isinstance(act([SIGNS] * 3, []), str)}
    assert texts == {"first", "join", "last"}
