"""The bank, the expander and what mail programs make of words."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest

from seeds.kestrel.story.topics import BY_DOMAIN, DOMAINS
from seeds.measures.texts import has_quote, new_text
from seeds.text.bank import FOLDER, cases, expand, fitting, parse, sections
from seeds.text.mail import DIALECTS, Quoted, blocks, logs, quote
from seeds.text.paraphrase import frame, plural, reword
from seeds.text.styles import STYLES, dress
from seeds.text.typos import misspell

ROLES = (
    "subject",
    "open",
    "symptom",
    "detail",
    "tried",
    "impact",
    "ask",
    "answer",
    "still",
    "q",
    "advise",
    "resolve",
    "note",
)
CASED = ("symptom", "q", "advise", "resolve")


def test_bank_is_large() -> None:
    english = sum(
        len(patterns)
        for path in (FOLDER / "en").glob("*.txt")
        for patterns in sections(f"en/{path.stem}").values()
    )
    assert english > 4000
    languages = [path.parent.name for path in FOLDER.glob("*/all.txt")]
    assert len(languages) == 6
    for language in languages:
        assert sum(len(patterns) for patterns in sections(f"{language}/all").values()) >= 60
    assert len(blocks("signatures")) >= 60
    assert len(logs()) >= 40
    assert len(DIALECTS) == 14
    assert len(STYLES) == 12


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_domain_has_every_role_and_every_case_its_words(domain: str) -> None:
    found = sections(f"en/{domain}")
    for role in ROLES:
        assert found[role], role
    known = cases(domain)
    assert set(known) == {topic.key for topic in BY_DOMAIN[domain]}
    for keys in known.values():
        for key in keys:
            for role in CASED:
                if (role, key) != ("resolve", "duplicate_charge.double"):
                    assert fitting(f"en/{domain}", role, frozenset({key}), exclusive=True), (
                        role,
                        key,
                    )


def test_no_two_lines_of_the_bank_are_the_same() -> None:
    for path in (FOLDER / "en").glob("*.txt"):
        role, seen = "", set()
        for line in path.read_text(encoding="utf-8").splitlines():
            role = line if line.startswith("== ") else role
            assert (role, line) not in seen, (path.stem, role, line)
            seen.add((role, line))


def test_pattern_needs_its_facts() -> None:
    pattern = parse("@billing,incident: [Why|How come] {amount} on {date}?")
    assert pattern.only == {"billing", "incident"}
    assert expand(pattern, Random(1), {"amount": "£5.00"}.get) is None
    text = expand(pattern, Random(1), {"amount": "£5.00", "date": "3 May"}.get)
    assert text in ("Why £5.00 on 3 May?", "How come £5.00 on 3 May?")


def test_articles_agree_with_what_fills_the_slot() -> None:
    for machine, wanted in (("Osprey 80", "an Osprey 80"), ("Kite 60", "a Kite 60")):
        assert (
            expand(parse("I have a {machine}."), Random(1), {"machine": machine}.get)
            == f"I have {wanted}."
        )


def test_codes_survive_rewording_and_slips() -> None:
    text = (
        "I've sent gear_plate.dxf to KL-104233 at 192.168.1.20 again,"
        " see https://cloud.kestrel-laser.example/drop."
    )
    changed = misspell(reword(text, 1.0, Random(3)), 1.0, Random(3))
    for code in (
        "gear_plate.dxf",
        "KL-104233",
        "192.168.1.20",
        "https://cloud.kestrel-laser.example/drop",
    ):
        assert code in changed
    assert changed != text


def test_quoted_words_are_not_reworded() -> None:
    text = 'It says "no change at the moment" again.'
    assert reword(text, 1.0, Random(1)) == text


def test_firms_say_we() -> None:
    assert plural("I'm stuck and my laser is too.") == "We're stuck and our laser is too."
    assert plural("I'm a retired joiner.") == "I'm a retired joiner."


def test_questions_get_no_lead() -> None:
    assert frame(
        "detail", "Could you look into it, please.", (1.0, 0.0), Random(1), lambda slot: None
    ).startswith("Could")


def test_style_of_small_letters_keeps_codes() -> None:
    style = next(style for style in STYLES if style.name == "lower case")
    assert dress("The Order Is KL-104233.", style, Random(2)).startswith("the order is KL-104233")


@pytest.mark.parametrize("dialect", range(len(DIALECTS)))
def test_quotes_of_every_mail_program_are_cut(dialect: int) -> None:
    at = datetime(2026, 6, 1, 9, 30, tzinfo=UTC)
    quoted = Quoted(
        "Ann (Kestrel Laser Works)",
        "support@kestrel-laser.example",
        "joe@x.example",
        at,
        "Re: No beam",
        "Hi Joe,\n\nplease try again.\n\nAnn",
    )
    body = f"Still no beam.\n\n{quote(dialect, quoted, 'Europe/London')}"
    assert has_quote(body)
    assert new_text(body) == "Still no beam."
    assert not has_quote("Still no beam.")
