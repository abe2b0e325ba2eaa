"""Compose what customers write: roles in a believable order, until the wanted length is reached."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from seeds.draw import chance
from seeds.text.bank import cases, fitting, pick
from seeds.text.mail import log_text
from seeds.text.paraphrase import frame, plural, reword
from seeds.text.slots import Slots
from seeds.text.styles import Style, dress, join

SHAPES = (
    ("open", "symptom", "tried", "ask"),
    ("symptom", "tried", "detail"),
    ("detail", "symptom", "tried", "ask"),
    ("symptom", "detail", "ask"),
    ("open", "ramble", "symptom", "ask"),
    ("meta", "symptom", "tried", "ask"),
    ("symptom", "impact", "ask"),
    ("ramble", "open", "symptom", "detail", "ask"),
    ("symptom", "ask", "detail"),
    ("open", "symptom", "detail", "tried", "impact", "ask"),
    ("open", "symptom"),
    ("symptom", "tried", "ask", "impact"),
    ("open", "detail", "symptom", "ask"),
)
FILLERS = (
    "detail",
    "detail",
    "detail",
    "tried",
    "tried",
    "impact",
    "ramble",
    "ramble",
    "meta",
    "symptom",
)
PLACES = {
    "open": 0,
    "ramble": 1,
    "meta": 2,
    "symptom": 3,
    "detail": 4,
    "tried": 5,
    "impact": 6,
    "ask": 7,
}
COMMON_ROLES = ("ramble", "meta")
FRAMED = frozenset({"symptom", "detail", "tried", "impact", "still", "answer", "reopen"})
VOICED = FRAMED | {
    *("open", "ramble", "meta", "ask", "close", "chase", "thanks", "worked", "answer_open"),
    "second",
}
SHARED_ROLES = {"impact": 0.6, "ask": 0.5, "open": 0.68, "detail": 0.48, "tried": 0.46}
CASED = {
    "subject": 0.85,
    "symptom": 1.0,
    "q": 1.0,
    "advise": 1.0,
    "resolve": 1.0,
    "note": 0.6,
    "still": 0.5,
}
MOST = {
    "symptom": 2,
    "detail": 5,
    "tried": 3,
    "impact": 2,
    "ramble": 3,
    "meta": 2,
    "ask": 2,
    "open": 1,
}


@dataclass(slots=True)
class Writer:
    """One author writing on one ticket: what was used already is not said again."""

    rng: Random
    slots: Slots
    style: Style
    domain: str
    tags: frozenset[str]
    at: datetime
    used: set[str] = field(default_factory=set)
    folder: str = "en"
    case: str = ""
    speaks_for_firm: bool = False
    is_customer: bool = False

    def sentence(self, role: str) -> str | None:
        """Return a sentence of a role: of the case at hand, of the topic, or of the common bank."""
        if role in COMMON_ROLES or (role in SHARED_ROLES and chance(self.rng, SHARED_ROLES[role])):
            found = self.common(role)
            if found or role in COMMON_ROLES:
                return found
        if role in CASED and chance(self.rng, CASED[role]):
            found = self.limited(role)
            if found:
                return found
            if role == "symptom" and self.folder == "en" and self.limits():
                return None
        return self._pick(role, self.tags)

    def limits(self) -> frozenset[str]:
        """Return the tags that say what is really wrong: the incident, or the case."""
        if "incident" in self.tags:
            return frozenset({"incident"})
        causes = {tag for tag in self.tags if tag.startswith("cause_")}
        return frozenset({self.case, *causes} - {""})

    def limited(self, role: str) -> str | None:
        """Return a sentence that is about what is really wrong, or None if there is none."""
        return self._pick(role, self.limits(), exclusive=True)

    def _pick(self, role: str, tags: frozenset[str], *, exclusive: bool = False) -> str | None:
        patterns = fitting(f"{self.folder}/{self.domain}", role, tags, exclusive=exclusive)
        return self.voiced(role, pick(patterns, self.rng, self.slots, self.used))

    def common(self, role: str) -> str | None:
        """Return a sentence of the common bank."""
        name = f"{self.folder}/{'common' if self.folder == 'en' else 'all'}"
        patterns = fitting(name, role, self.tags)
        return self.voiced(role, pick(patterns, self.rng, self.slots, self.used))

    def voiced(self, role: str, sentence: str | None) -> str | None:
        """Return a bank sentence in a customer's own words; the desk keeps to the bank."""
        if not sentence or role not in VOICED or not self.is_customer or self.folder != "en":
            return sentence
        said = sentence[:1].upper() + sentence[1:]
        said = plural(said) if self.speaks_for_firm else said
        said = reword(said, self.style.own_words, self.rng)
        if role in FRAMED:
            said = frame(said, self.style.leads, self.style.tails, self.rng, self.slots)
        return said

    def dressed(self, sentences: Iterable[str | None]) -> list[str]:
        """Return the sentences in the author's style."""
        return [
            dress(sentence[:1].upper() + sentence[1:], self.style, self.rng)
            for sentence in sentences
            if sentence
        ]


def subject(writer: Writer) -> str:
    """Return the subject of a ticket as its author writes it."""
    rng = writer.rng
    text = writer.sentence("subject") or "Question"
    if chance(rng, writer.style.lower * 0.7):
        text = text.lower()
    elif chance(rng, writer.style.shout * 0.2):
        text = text.upper()
    if chance(rng, 0.05):
        text = rng.choice(("URGENT: ", "Fwd: ", "RE: ", "Help! ", "Fw: ")) + text
    if chance(rng, 0.04):
        text += rng.choice(
            (" ???", "!", " - " + (writer.slots("machine") or ""), " (2nd mail)", "..")
        )
    return text


def first_words(writer: Writer, target: int, second: str | None) -> str:
    """Return the body of a first message of about `target` words, without greeting."""
    rng, style = writer.rng, writer.style
    if target < 13:
        alone = writer.sentence(rng.choice(("symptom", "symptom", "ask", "open")))
        return " ".join(writer.dressed([alone]))
    parts: list[tuple[int, str]] = []
    said: dict[str, int] = {}
    shape = (
        rng.choice(SHAPES)
        if target > 24
        else rng.choice((("symptom",), ("symptom", "ask"), ("open", "symptom")))
    )
    ranks = {role: index * 10 for index, role in enumerate(shape)}
    count = 0
    for role in shape:
        if role == "ramble" and not chance(rng, 0.3 + style.ramble):
            continue
        count += _add(writer, parts, ranks, role, said)
        if count > target * 1.15 and role != shape[-1]:
            break
    misses = 0
    while count < target * 0.9 and misses < 10:
        role = rng.choice(FILLERS)
        if role == "ramble" and not chance(rng, 0.25 + style.ramble):
            continue
        if role == "meta" and not chance(rng, 0.1 + style.facts):
            continue
        added = _add(writer, parts, ranks, role, said)
        misses += added == 0
        count += added
    return _laid_out(
        writer, [text for _, text in sorted(parts, key=lambda part: part[0])], target, second
    )


def _add(
    writer: Writer,
    parts: list[tuple[int, str]],
    ranks: dict[str, int],
    role: str,
    said: dict[str, int],
) -> int:
    """Add a sentence of a role, unless enough of that role was said; return its words."""
    sentence = writer.sentence(role) if said.get(role, 0) < MOST[role] else None
    if not sentence:
        return 0
    said[role] = said.get(role, 0) + 1
    base = ranks.get(role, PLACES[role] * 10 - 4)
    parts.append((base + len(parts) % 10 // 2, sentence))
    return len(sentence.split())


def _laid_out(writer: Writer, sentences: list[str], target: int, second: str | None) -> str:
    rng, style = writer.rng, writer.style
    dressed = writer.dressed(sentences)
    paragraphs: list[str] = []
    while dressed:
        size = rng.randint(2, 4) if chance(rng, style.paragraphs) and target > 35 else len(dressed)
        block, dressed = dressed[:size], dressed[size:]
        plain = len(block) < 3 or target < 45 or not chance(rng, style.lists * 0.35)
        paragraphs.append(join(block, style, rng) if plain else _list(block, rng))
    if chance(rng, style.logs * (1.6 if target > 70 else 0.3)):
        log = log_text(rng, writer.domain, writer.slots, writer.at)
        if log:
            paragraphs.insert(rng.randint(1, len(paragraphs)), log)
    if second:
        paragraphs.append(_second(writer, second))
    return "\n\n".join(paragraphs)


def _list(block: list[str], rng: Random) -> str:
    mark = rng.choice(("-", "*", "{}.", "{})", "-"))
    return "\n".join(f"{mark.format(number)} {line}" for number, line in enumerate(block, start=1))


def _second(writer: Writer, domain: str) -> str:
    """Return a second problem, of another domain."""
    rng = writer.rng
    topic, keys = min(cases(domain).items())
    other = Writer(
        rng,
        writer.slots,
        writer.style,
        domain,
        frozenset({topic}),
        writer.at,
        writer.used,
        case=rng.choice(keys),
    )
    other.is_customer, other.speaks_for_firm = writer.is_customer, writer.speaks_for_firm
    sentences = [writer.common("second"), other.sentence("symptom")]
    if chance(rng, 0.6):
        sentences.append(other.sentence("ask"))
    return join(writer.dressed(sentences), writer.style, rng)


def reply_words(writer: Writer, intent: str, target: int) -> str:
    """Return the body of a customer's later message."""
    rng = writer.rng
    roles = {
        "answer": ("answer_open", "answer", "answer", "detail"),
        "still": ("still", "still", "tried", "ask"),
        "worked": ("worked",),
        "thanks": ("thanks",),
        "reopen": ("reopen", "still", "ask"),
        "chase": ("chase", "impact", "ask"),
    }[intent]
    sentences: list[str | None] = []
    count = 0
    for role in roles:
        own = role in ("answer", "detail", "tried") or (role == "still" and len(sentences) > 0)
        if role == "answer_open" and not chance(rng, 0.45):
            continue
        sentence = writer.sentence(role) if own or role == "ask" else writer.common(role)
        sentences.append(sentence)
        count += len((sentence or "").split())
        if count >= target:
            break
    fillers = {
        "answer": ("answer", "detail", "meta", "tried"),
        "still": ("still", "detail", "tried", "impact"),
        "reopen": ("detail", "tried", "impact", "symptom"),
    }
    misses = 0
    while count < target * 0.85 and misses < 5 and intent in fillers:
        sentence = writer.sentence(rng.choice(fillers[intent]))
        misses += sentence is None
        sentences.append(sentence)
        count += len((sentence or "").split())
    dressed = writer.dressed(sentences)
    if intent == "answer" and len(dressed) > 2 and chance(rng, writer.style.lists):
        return _list(dressed, rng)
    body = join(dressed, writer.style, rng)
    if intent == "answer" and chance(rng, writer.style.logs):
        log = log_text(rng, writer.domain, writer.slots, writer.at)
        body = f"{body}\n\n{log}" if log else body
    return body or "ok"
