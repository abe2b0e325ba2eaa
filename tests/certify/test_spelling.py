"""Private values are found however they are spelled, and not where they do not stand."""

from __future__ import annotations

import pytest

from clones.core.accounts.secrets import mint, shows_proof
from episodes.checks.encodings import legible
from episodes.checks.spelling import SpelledText, sentences_of

EMAIL, CODE, PHONE = "ann.lee@north.example", "KT60-2501-0044", "+44 1632 960596"
KEY, SANDBOX = b"k" * 32, "sb-abcdefghi2"


@pytest.mark.parametrize(
    "text",
    [
        "Write to Ann.Lee@North.Example, please",
        "ann . lee (at) north . example",
        "ann dot lee at north dot example",
        "<p>ann.lee<i>@</i>north.example</p>",
        "mailto:ann%2Elee%40north.example",
        "a n n . l e e @ n o r t h . e x a m p l e",
    ],
)
def test_an_address_is_found(text: str) -> None:
    assert SpelledText(text).emails(EMAIL)


@pytest.mark.parametrize(
    "text",
    ["jo.ann.lee@north.example", "ann.lee@north.examples", "Ann Lee, North, for example", ""],
)
def test_another_address_is_another(text: str) -> None:
    assert not SpelledText(text).emails(EMAIL)


def test_codes_stand_by_themselves() -> None:
    assert SpelledText("It is KT60 - 2501 - 0044.").codes(CODE)
    assert SpelledText("kt60\u200b25010044").codes(CODE)
    assert not SpelledText("It is KT60-2501-00441.").codes(CODE)
    assert not SpelledText("It is 12.").codes("12")


@pytest.mark.parametrize("text", ["01632 960596", "0044 1632/960 596", "(1632) 960-596 today"])
def test_phones_are_found_with_and_without_their_country(text: str) -> None:
    assert SpelledText(text).phones(PHONE)
    assert not SpelledText("01632 960597").phones(PHONE)


def test_long_sentences_are_known_again_and_short_ones_are_not() -> None:
    note = "Asked twice. Never sell them a machine on credit again, says the lead!"
    assert sentences_of(note) == ["never sell them a machine on credit again says the lead"]
    assert SpelledText("Well: never sell them a machine on credit again, says the lead").repeated(
        note
    )
    assert not SpelledText("Asked twice.").repeated(note)


def test_secrets_are_known_by_their_form_and_ones_own_also_with_blanks() -> None:
    secret = mint(KEY, SANDBOX, 1, "password", 4_000_000_000_001)
    assert shows_proof(f"sk_{secret}.", "sb-zzzzzzzzz2")
    assert shows_proof(legible(" ".join(secret)), SANDBOX)
    assert shows_proof(legible("-".join(secret)), SANDBOX)
    assert not shows_proof(mint(KEY, SANDBOX, 1, "attachment", 7), SANDBOX)
    assert not shows_proof(f"http://helpdesk.{SANDBOX}.localhost:8800/agent/tickets/17", SANDBOX)
    assert not shows_proof("a" * 40 + " " + "3f786850e387550fdab836ed7e6dc881de23001b", SANDBOX)
