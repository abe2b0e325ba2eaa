"""One author writing on one ticket: picks sentences that suit the case and says nothing twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from random import Random

from seeds.draw import chance
from seeds.text.bank import Pattern, choose, fitting, with_articles
from seeds.text.paraphrase import frame, plural, reword
from seeds.text.slots import Slots
from seeds.text.styles import Style, dress

COMMON_ROLES = frozenset({"ramble", "meta"})
FRAMED = frozenset({"symptom", "detail", "tried", "impact"})
VOICED = FRAMED | {
    *("open", "ramble", "meta", "ask", "close", "chase", "thanks", "worked", "answer_open"),
    *("second", "still", "answer", "reopen", "waiting", "report"),
}
# How often a sentence comes from the bank that all topics share, where the case has one as well.
SHARED_ROLES = {"impact": 0.75, "ask": 0.34, "open": 0.5, "detail": 0.22, "tried": 0.3}
# How often a sentence is one about the case at hand, if the bank still has one.
CASED = {
    "subject": 0.9,
    "symptom": 1.0,
    "detail": 0.86,
    "tried": 0.86,
    "ask": 0.75,
    "q": 1.0,
    "advise": 1.0,
    "resolve": 1.0,
    "ack": 1.0,
    "note": 0.9,
    "still": 1.0,
}

# How many sets of tags are remembered with what they say.
KEPT = 1_024


@dataclass(slots=True)
class TicketTalk:
    """What customer and desk know of each other's last words on a ticket."""

    asked: list[str] = field(default_factory=list)
    advised: list[str] = field(default_factory=list)
    intent: str = ""
    kind: str = ""
    answers: int = 0
    used: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Writer:
    """One author writing on one ticket: what was used already is not said again.

    `ample` is how much more than usual people say: 1 as usual.
    """

    rng: Random
    slots: Slots
    style: Style
    domain: str
    tags: frozenset[str]
    at: datetime
    talk: TicketTalk = field(default_factory=TicketTalk)
    folder: str = "en"
    case: str = ""
    speaks_for_firm: bool = False
    is_customer: bool = False
    ample: float = 1.0

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
        return _limits(self.tags, self.case, self.folder)

    def limited(self, role: str) -> str | None:
        """Return a sentence that is about what is really wrong, or None if there is none."""
        return self._pick(role, _limits_now(self.tags, self.case, self.folder), exclusive=True)

    def replying(self, role: str, key: str) -> str | None:
        """Return what is said to a question or a piece of advice with a key."""
        found = self._pick(role, frozenset({f"q_{key}"}), exclusive=True)
        if found or self.folder != "en":
            return found
        patterns = fitting("en/common", role, frozenset({f"q_{key}"}), exclusive=True)
        return self._chosen(role, patterns)

    def common(self, role: str) -> str | None:
        """Return a sentence of the common bank."""
        name = f"{self.folder}/{'common' if self.folder == 'en' else 'all'}"
        return self._chosen(role, fitting(name, role, self.tags, half=self.slots.half))

    def _pick(self, role: str, tags: frozenset[str], *, exclusive: bool = False) -> str | None:
        name = f"{self.folder}/{self.domain}"
        patterns = fitting(name, role, tags, exclusive=exclusive, half=self.slots.half)
        return self._chosen(role, patterns)

    def _chosen(self, role: str, patterns: Iterable[Pattern]) -> str | None:
        found = choose(patterns, self.rng, self.slots, self.talk.used)
        if found is None:
            return None
        sentence, pattern = found
        if role == "q" and pattern.key:
            self.talk.asked.append(pattern.key)
        elif role == "advise" and pattern.key:
            self.talk.advised.append(pattern.key)
        return self.voiced(role, sentence)

    def voiced(self, role: str, sentence: str) -> str:
        """Return a bank sentence in a customer's own words; the desk keeps to the bank."""
        if role not in VOICED or not self.is_customer or self.folder != "en":
            return sentence
        said = sentence[:1].upper() + sentence[1:]
        said = plural(said) if self.speaks_for_firm else said
        said = with_articles(reword(said, self.style.own_words, self.rng, more=self.ample > 1))
        if role in FRAMED:
            said = frame(role, said, (self.style.leads, self.style.tails), self.rng, self.slots)
        return said

    def dressed(self, sentences: Iterable[str | None]) -> list[str]:
        """Return the sentences in the author's style."""
        return [
            dress(sentence[:1].upper() + sentence[1:], self.style, self.rng)
            for sentence in sentences
            if sentence
        ]


MOMENTS = frozenset({"later", "first"})


@lru_cache(maxsize=KEPT)
def _limits(tags: frozenset[str], case: str, folder: str) -> frozenset[str]:
    """Return what `Writer.limits` does: all sentences of a message ask for the same ones."""
    if "incident" in tags and folder == "en":
        return frozenset({"incident"})
    causes = {tag for tag in tags if tag.startswith("cause_")}
    return frozenset({case, *causes} - {""})


@lru_cache(maxsize=KEPT)
def _limits_now(tags: frozenset[str], case: str, folder: str) -> frozenset[str]:
    """Return the same with the tags of the moment."""
    return _limits(tags, case, folder) | (tags & MOMENTS)
