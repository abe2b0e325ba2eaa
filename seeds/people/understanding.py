"""What a text says, slot by slot: stems, patterns and negations, no model.

The lexicon is one file per language. A text is cut into sentences, each normalised, and each slot's
rules are tried on each sentence. The same text always reads the same.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from seeds.people.extraction import Extracted, extract

Audience = Literal["customer", "desk"]

LANGUAGES = ("en", "de", "fr", "es")
CAUSES = (
    "gateway_retry",
    "two_cards",
    "upgrade_proration",
    "two_subscriptions",
    "already_refunded",
    "currency_pair",
)
CLAIMS = ("refund_done", "resolved", "refund_promised", "refund_refused", "change_done")
QUESTIONS = (
    *("charge", "order", "card", "date", "identity"),
    *("contact", "amount", "seat", "address"),
)
ANSWERS = ("approval_yes", "approval_no")
HINT = "hint_request"
SLOTS_FOR: dict[Audience, tuple[str, ...]] = {
    "customer": (
        *CLAIMS,
        *(f"cause_{cause}" for cause in CAUSES),
        *(f"ask_{question}" for question in QUESTIONS),
        "filler",
    ),
    "desk": ("approval_request", *ANSWERS, *(f"cause_{cause}" for cause in CAUSES), HINT),
}
LEXICON = Path(__file__).parent / "lexicon"

QUOTE_HEAD = re.compile(
    r"^(?:On .{5,120} wrote:|Am .{5,120} schrieb.*:|Le .{5,120} a écrit ?:|El .{5,120} escribió:|"
    r"-{2,} ?Original.*|_{8,}|-- ?)$",
    re.IGNORECASE | re.MULTILINE,
)
CONTRACTIONS = (
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"\b(it|that|there|what|here|who|where|when|how)'s\b"), r"\1 is"),
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|;\s|\n+|(?<=[.!?])$")
# A long line that goes on in lower case was wrapped by the writer's program.
WRAP = re.compile(r"(?<=[^\n]{50})(?<![.!?:;])[ ]?\n(?=[a-z(])")
BULLET = re.compile(r"^\s*(?:[-*\u2022\u2013]|\d+[.)])\s+")
LONGEST = 8_000  # characters of a message that anybody reads
SHORT = 3  # words of a greeting, a name or a closing
SMALL_TALK = re.compile(
    r"^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|greetings|"
    r"(?:kind|best|warm)(?: \w+)? regards|regards|best|cheers|sincerely|all the best|"
    r"hallo|guten tag|sehr geehrte\w*|liebe\w*|viele grusse|mit freundlichen grussen|"
    r"bonjour|bonsoir|cordialement|bien a vous|hola|buenos dias|buenas tardes|estimad\w+|"
    r"saludos|un saludo|atentamente)\b"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says: its slots, its typed facts, and whether it asks something at all."""

    slots: frozenset[str]
    facts: Extracted
    language: str
    asks: bool

    @property
    def causes(self) -> tuple[str, ...]:
        """The explanations given."""
        return tuple(cause for cause in CAUSES if f"cause_{cause}" in self.slots)

    @property
    def questions(self) -> tuple[str, ...]:
        """What is asked for."""
        return tuple(question for question in QUESTIONS if f"ask_{question}" in self.slots)

    @property
    def is_filler(self) -> bool:
        """Whether the text says nothing beyond courtesy and delay."""
        return self.slots == {"filler"}


@dataclass(frozen=True, slots=True)
class _Part:
    pattern: re.Pattern[str]
    wanted: bool


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str
    rules: tuple[tuple[_Part, ...], ...]
    blocks: tuple[re.Pattern[str], ...]
    requires: str | None

    def holds(self, sentence: str) -> bool:
        """Tell whether a sentence fills the slot."""
        if any(block.search(sentence) for block in self.blocks):
            return False
        return any(
            all(bool(part.pattern.search(sentence)) is part.wanted for part in rule)
            for rule in self.rules
        )


@dataclass(frozen=True, slots=True)
class _Lexicon:
    language: str
    courtesy: tuple[re.Pattern[str], ...]
    slots: tuple[_Slot, ...]


def read(text: str, *, audience: Audience = "customer", language: str | None = None) -> Reading:
    """Return what a text says to a customer, or to people at the desk.

    The language is guessed unless given; the slots are those that the audience listens for.
    """
    said = own_words(text)
    facts = extract(said)
    tongue = language or language_of(said)
    sentences = sentences_of(said, facts)
    found: set[str] = set()
    for lexicon in _lexicons_for(tongue):
        found |= _slots_of(lexicon, sentences, SLOTS_FOR[audience])
        if found - {HINT}:
            break
    asks = any(_asks(sentence, tongue) for sentence in sentences)
    return Reading(frozenset(found), facts, tongue, asks)


def claims_refund(text: str) -> bool:
    """Tell whether a text says that money was given back."""
    return "refund_done" in read(text).slots


def claims_change(text: str) -> bool:
    """Tell whether a text says that something on record was changed."""
    return "change_done" in read(text).slots


def claims_done(text: str) -> bool:
    """Tell whether a text says that money was given back, or that the matter is settled."""
    return bool({"refund_done", "resolved"} & read(text).slots)


def _asks(sentence: str, language: str) -> bool:
    """Tell whether a sentence is a question that wants an answer, not a courtesy."""
    courtesy = _lexicon(language).courtesy
    return sentence.endswith("QMARK") and not any(phrase.search(sentence) for phrase in courtesy)


def own_words(text: str) -> str:
    """Return a text without quoted lines and what follows a quote's heading or a signature mark."""
    head = QUOTE_HEAD.search(text)
    kept = text[: head.start()] if head is not None else text
    kept = "\n".join(line for line in kept.splitlines() if not line.lstrip().startswith(">"))
    return kept[:LONGEST]


def language_of(text: str) -> str:
    """Return the language whose common words a text has most of, English on a tie."""
    words = re.findall(r"\w+", plain(text))
    scores = {
        language: sum(word in _stopwords(language) for word in words) for language in LANGUAGES
    }
    return max(LANGUAGES, key=lambda language: (scores[language], language == "en"))


def plain(text: str) -> str:
    """Return a text in lower case, straight quotes, without accents."""
    text = text.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0xDF: "ss"})
    split = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in split if not unicodedata.combining(letter)).lower()


def sentences_of(text: str, facts: Extracted) -> list[str]:
    """Return the sentences of a text, normalised, typed values masked."""
    masked = _with_bullets_led(WRAP.sub(" ", _masked(text, facts)))
    return [
        sentence for part in SENTENCE_END.split(masked) if (sentence := _normalised(part)) != ""
    ]


def _with_bullets_led(text: str) -> str:
    """Return a text whose list items each begin with the line that introduces the list."""
    lead = ""
    lines: list[str] = []
    for line in text.splitlines():
        if BULLET.match(line):
            item = BULLET.sub("", line)
            lines.append(f"{lead} {item}" if lead else item)
            continue
        if line.strip():
            lead = line.strip() if line.rstrip().endswith(":") else ""
        lines.append(line)
    return "\n".join(lines)


def _masked(text: str, facts: Extracted) -> str:
    spans: list[tuple[int, int, str]] = []
    spans += [(money.at, money.end, " SUM ") for money in facts.money]
    spans += [(day.at, day.end, " DAY ") for day in facts.days]
    names = {"charge": " CHARGE ", "refund": " REFUNDID ", "order": " ORDER ", "card": " CARD "}
    spans += [(item.at, item.end, names.get(item.kind, " ID ")) for item in facts.identifiers]
    pieces: list[str] = []
    place = 0
    for start, end, name in sorted(spans):
        if start < place:
            continue
        pieces += [plain(text[place:start]), name]
        place = end
    return "".join([*pieces, plain(text[place:])])


def _normalised(sentence: str) -> str:
    for pattern, plainly in CONTRACTIONS:
        sentence = pattern.sub(plainly, sentence)
    asked = "?" in sentence
    sentence = re.sub(r"[,:;()\u2013\u2014]|(?<=\s)-+(?=\s)", " , ", sentence)
    sentence = re.sub(r"[^\w, ]", " ", sentence)
    words = " ".join(sentence.split()).strip(" ,")
    return f"{words} QMARK" if asked and words else words


def _slots_of(lexicon: _Lexicon, sentences: Sequence[str], wanted: Iterable[str]) -> set[str]:
    listening = set(wanted)
    found: set[str] = set()
    courtesies = 0
    told = 0
    for sentence in sentences:
        if any(phrase.search(sentence) for phrase in lexicon.courtesy):
            continue
        here: set[str] = set()
        for slot in lexicon.slots:
            due = slot.name in listening and (slot.requires is None or slot.requires in here)
            if due and slot.holds(sentence):
                here.add(slot.name)
        short = len(sentence.split()) <= SHORT
        told += bool(here) or not (short and (SMALL_TALK.match(sentence) or "," not in sentence))
        courtesies += here == {"filler"}
        found |= here
    if "refund_done" in found:
        found -= {"refund_promised", "resolved"}
    if "filler" in found and (len(found) > 1 or courtesies < told):
        found.discard("filler")
    return found


def _lexicons_for(language: str) -> Iterator[_Lexicon]:
    order = [language] if language in LANGUAGES else []
    return map(_lexicon, dict.fromkeys([*order, "en", *LANGUAGES]))


@cache
def _lexicon_file(language: str) -> dict[str, Any]:
    return tomllib.loads((LEXICON / f"{language}.toml").read_text(encoding="utf-8"))


@cache
def _stopwords(language: str) -> frozenset[str]:
    return frozenset(plain(_lexicon_file(language)["stopwords"]).split())


@cache
def _lexicon(language: str) -> _Lexicon:
    """Return a language's phrases, which take long to make: only where they are asked for."""
    data = _lexicon_file(language)
    words: dict[str, str] = data["words"]
    slots = []
    for name, entry in data["slots"].items():
        rules = tuple(
            tuple(
                _Part(_compiled(part.removeprefix("!"), words), not part.startswith("!"))
                for part in (piece.strip() for piece in rule.split("&&"))
            )
            for rule in entry["rules"]
        )
        blocks = tuple(_compiled(block, words) for block in entry["not"])
        slots.append(_Slot(name, rules, blocks, entry.get("requires")))
    courtesy = tuple(_compiled(phrase, words) for phrase in data["courtesy"])
    return _Lexicon(language, courtesy, tuple(slots))


def _compiled(pattern: str, words: dict[str, str]) -> re.Pattern[str]:
    """Return a pattern with its word groups and gaps spelt out, bounded by words."""
    for name, group in words.items():
        pattern = pattern.replace(f"{{{name}}}", f"(?:{group})")
    pattern = re.sub(r"~~(\d+)", r"(?:(?: ,)? \\w+){0,\1}(?: ,)? ", pattern)
    pattern = re.sub(r"~(\d+)", r"(?: \\w+){0,\1} ", pattern)
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")
