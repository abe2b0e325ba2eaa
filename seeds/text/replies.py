"""Compose what the desk writes: answers, notes, hand-overs."""

from __future__ import annotations

from collections.abc import Callable

from seeds.draw import chance
from seeds.text.bank import fitting, pick
from seeds.text.writer import Writer

SHORT = ("See above.", "Read the thread.", "ok", "For the record.")


def agent_answer(
    writer: Writer, intent: str, target: int, *, closing: Callable[[], str | None]
) -> list[str]:
    """Return the paragraphs of a public answer, without greeting and signature.

    `closing` gives a last line such as the agent likes to write.
    """
    rng, talk = writer.rng, writer.talk
    opening = _opening(writer, intent)
    talk.asked, talk.advised = [], []
    middle = _middle(writer, intent, target)
    end = closing() if chance(rng, 0.55) else None
    if len(middle) > 2 and intent == "ask" and chance(rng, 0.5):
        steps = "\n".join(f"{number}. {line}" for number, line in enumerate(middle, start=1))
        return [part for part in (opening, steps, end) if part]
    if opening and middle and chance(rng, 0.6):
        middle = [f"{opening} {middle[0]}", *middle[1:]]
        opening = None
    if len(middle) > 1 and chance(rng, 0.45):
        middle = [" ".join(middle[:-1]), middle[-1]]
    else:
        middle = [" ".join(middle)]
    return [part for part in (opening, *middle, end) if part]


def _opening(writer: Writer, intent: str) -> str | None:
    """Return a first line that takes up what the customer said."""
    rng, talk = writer.rng, writer.talk
    if talk.answers == 0 and intent != "promise" and chance(rng, 0.5):
        found = writer.limited("ack") or writer.sentence("ack")
        if found:
            return found
    return writer.common("agent_open") if chance(rng, 0.6) else None


def _middle(writer: Writer, intent: str, target: int) -> list[str]:
    """Return what an answer is about; it is never empty."""
    said: list[str | None]
    if intent == "promise":
        said = [writer.common("promise")]
    elif intent == "ask":
        said = [_known(writer, "q")]
        if _words(said) < target and chance(writer.rng, 0.7):
            said.append(writer.limited("q"))
        if _words(said) < target * 0.7 and chance(writer.rng, 0.4):
            said.append(writer.limited("advise"))
    elif intent == "advise":
        said = [_known(writer, "advise")]
        if _words(said) < target and chance(writer.rng, 0.5):
            said.append(writer.limited("advise"))
        if _words(said) < target * 0.7 and chance(writer.rng, 0.35):
            said.append(writer.limited("q"))
    else:
        said = _solution(writer)
    found = [part for part in said if part]
    return found or [writer.common("promise") or "I'm looking into it and will write again."]


def _known(writer: Writer, role: str) -> str | None:
    """Return a line about what is really wrong, or else one that fits many cases."""
    found = writer.limited(role)
    if found is None and role == "advise" and chance(writer.rng, 0.6):
        found = writer.common("promise")
    return found or writer.common(role) or writer.sentence(role)


def _solution(writer: Writer) -> list[str | None]:
    """Return how a ticket ends: with the fix, or, told at once, with what to do."""
    rng, talk = writer.rng, writer.talk
    causes = any(tag.startswith("cause_") for tag in writer.tags)
    if talk.answers == 0 and not causes and "incident" not in writer.tags and chance(rng, 0.5):
        told = [writer.limited("advise")]
        if chance(rng, 0.35):
            told.append(writer.limited("advise"))
        if any(told):
            return [*told, writer.common("solved_at_once") if chance(rng, 0.35) else None]
    return [writer.limited("resolve") or writer.common("resolve") or writer.sentence("resolve")]


def _words(said: list[str | None]) -> int:
    return sum(len((part or "").split()) for part in said)


def agent_note(writer: Writer, intent: str) -> str:
    """Return an internal note: a finding, a hand-over, a silent close."""
    rng = writer.rng
    if intent == "finding":
        sentences = [writer.limited("note") if chance(rng, 0.7) else None]
        if not sentences[0] or chance(rng, 0.2):
            sentences.append(writer.common("finding"))
    elif intent == "handover":
        sentences = [
            writer.limited("note") if chance(rng, 0.3) else None,
            writer.common("handover"),
        ]
        if "escalate" in writer.tags and chance(rng, 0.8):
            found = pick(
                fitting("en/common", "handover", frozenset({"escalate"}), exclusive=True),
                rng,
                writer.slots,
                writer.talk.used,
            )
            sentences[-1] = found or sentences[-1]
    else:
        sentences = [writer.common("silence")]
    text = " ".join(sentence for sentence in sentences if sentence) or rng.choice(SHORT)
    if chance(rng, 0.3):
        text = text[:1].lower() + text[1:].rstrip(".")
    return text
