"""Compose what the desk writes: answers, notes, hand-overs."""

from __future__ import annotations

from seeds.draw import chance
from seeds.text.bank import fitting, pick
from seeds.text.compose import Writer
from seeds.text.paraphrase import reword

SHORT = (
    "See above.",
    "Read the thread.",
    "ok",
    "Same person as last week.",
    "Rang, engaged.",
    "For the record, see attachment.",
)
MIDDLE = {"ask": "q", "advise": "advise", "resolve": "resolve"}


def agent_answer(writer: Writer, intent: str, target: int) -> list[str]:
    """Return the paragraphs of a public answer, without greeting and signature."""
    rng = writer.rng
    opening = writer.common("agent_open") if chance(rng, 0.72) else None
    promised = intent == "promise"
    said = [writer.common("promise") if promised else writer.sentence(MIDDLE[intent])]
    extra = {
        "ask": ("q", "advise"),
        "advise": ("advise", "q"),
        "resolve": ("advise",),
        "promise": ("q",),
    }[intent]
    for role in extra:
        if sum(len((part or "").split()) for part in said) < target:
            said.append(_closely(writer, role))
    closing = writer.common("agent_close") if chance(rng, 0.7) else None
    middle = [reword(part, 0.3, rng, outsider=True) for part in said if part]
    if len(middle) > 2 and intent in ("ask", "advise") and chance(rng, 0.4):
        steps = "\n".join(f"{number}. {line}" for number, line in enumerate(middle, start=1))
        return [part for part in (opening, steps, closing) if part]
    if opening and middle and chance(rng, 0.6):
        middle = [f"{opening} {middle[0]}", *middle[1:]]
        opening = None
    if len(middle) > 1 and chance(rng, 0.5):
        middle = [" ".join(middle[:-1]), middle[-1]]
    else:
        middle = [" ".join(middle)]
    return [part for part in (opening, *middle, closing) if part]


def _closely(writer: Writer, role: str) -> str | None:
    """Return a further sentence about what is really wrong, now and then one of the topic."""
    found = writer.limited(role)
    if found is None and chance(writer.rng, 0.25):
        return writer.sentence(role)
    return found


def agent_note(writer: Writer, intent: str) -> str:
    """Return an internal note: a finding, a hand-over, a silent close."""
    rng = writer.rng
    if intent == "finding":
        sentences = [writer.sentence("note") if chance(rng, 0.65) else writer.common("finding")]
        if chance(rng, 0.3):
            sentences.append(writer.common("finding"))
    elif intent == "handover":
        sentences = [
            writer.sentence("note") if chance(rng, 0.35) else None,
            writer.common("handover"),
        ]
        if "escalate" in writer.tags and chance(rng, 0.8):
            found = pick(
                fitting("en/common", "handover", frozenset({"escalate"}), exclusive=True),
                rng,
                writer.slots,
                writer.used,
            )
            sentences[-1] = found or sentences[-1]
    else:
        sentences = [writer.common("silence")]
    text = " ".join(sentence for sentence in sentences if sentence) or rng.choice(SHORT)
    if chance(rng, 0.18):
        text = text[:1].lower() + text[1:].rstrip(".")
    return text
