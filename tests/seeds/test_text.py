"""The bank, the expander and what mail programs make of words."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from random import Random

import pytest

from seeds.kestrel.story.topics import BY_DOMAIN, DOMAINS
from seeds.measures.texts import has_quote, new_text
from seeds.text.bank import FOLDER, cases, expand, fitting, parse, sections, told_cases
from seeds.text.mail import DIALECTS, Quoted, blocks, logs, quote
from seeds.text.paraphrase import _found, _groups, frame, plural, reword
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
LANGUAGES = ("de", "es", "fr", "it", "nl", "pt")
LOCAL_ROLES = ("subject", "symptom", "q", "advise", "resolve")
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


@pytest.mark.parametrize("more", [False, True])
def test_phrases_are_found_wherever_they_stand_for_themselves(more: bool) -> None:
    phrases = sorted(_groups(more=more), key=len, reverse=True)
    plain = re.compile(
        r"(?<![\w\"'/.@-])(" + "|".join(map(re.escape, phrases)) + r")(?![\w\"'/@-]|\.\w| >)",
        re.IGNORECASE,
    )
    texts = [
        pattern.text
        for name in ("en/billing", "en/beam", "en/quality")
        for patterns in sections(name).values()
        for pattern in patterns
    ]
    texts += [text.upper() for text in texts[:50]] + ["Grün, it's said."]
    seen = 0
    for text in texts:
        spans = [found.span() for found in plain.finditer(text)]
        assert [(start, end) for start, end, _ in _found(text, more=more)] == spans
        seen += len(spans)
    assert seen > 1000


def test_slips_are_in_words_alone() -> None:
    kept = (
        "see www.kestrel.example/help",
        "mail to ann@x.example",
        "file main.cpp",
        "a_b c-d",
        "x9y",
    )
    for text in kept:
        bare = set(re.split(r"\s", text))
        changed = set(re.split(r"\s", misspell(f"{text} ", 5.0, Random(1))))
        assert {part for part in bare if re.search(r"[.@_\-9]", part)} <= changed
    assert misspell("Whatever stands last", 9.0, Random(2)).endswith(" last")


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


def test_every_question_of_the_desk_has_answers() -> None:
    for path in (FOLDER / "en").glob("*.txt"):
        found = sections(f"en/{path.stem}")
        for question in found.get("q", ()):
            key = frozenset({f"q_{question.key}"})
            assert question.key, question.text
            assert fitting(f"en/{path.stem}", "answer", key, exclusive=True), question.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_can_be_told_in_every_language(language: str) -> None:
    name = f"{language}/all"
    for topics in BY_DOMAIN.values():
        for topic in topics:
            told = told_cases(language, topic.key)
            assert told, topic.key
            for case in told:
                roles = ("symptom",) if topic.key == "duplicate_charge" else LOCAL_ROLES
                for role in roles:
                    assert fitting(name, role, frozenset({case}), exclusive=True), (role, case)
    assert sum(len(patterns) for patterns in sections(name).values()) > 250


def test_lines_that_need_an_earlier_answer_are_not_said_at_once() -> None:
    pattern = parse("@homing+later: Thanks for the film.")
    assert (pattern.only, pattern.needs) == (frozenset({"homing"}), frozenset({"later"}))
    first = fitting("en/motion", "resolve", frozenset({"homing.slipping"}), exclusive=True)
    later = fitting("en/motion", "resolve", frozenset({"homing.slipping", "later"}), exclusive=True)
    assert set(first) < set(later)


def test_worlds_of_training_and_test_share_no_line_of_a_large_role() -> None:
    for role in ("greeting", "open", "ask", "close", "chase", "thanks", "worked"):
        halves = [
            {pattern.text for pattern in fitting("en/common", role, frozenset(), half=half)}
            for half in ("train", "test")
        ]
        assert all(halves)
        assert not halves[0] & halves[1], role


def test_english_articles_stay_out_of_other_languages() -> None:
    told = sections("pt/all")["resolve"]
    texts = [expand(pattern, Random(1), lambda slot: "x") for pattern in told]
    assert not any(" an " in f" {text} " for text in texts)
    assert any(" a entrada" in str(text) for text in texts)
