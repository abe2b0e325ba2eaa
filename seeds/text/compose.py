"""Compose what customers write: roles in a believable order, until the wanted length is reached."""

from __future__ import annotations

from random import Random

from seeds.draw import chance
from seeds.text.bank import cases
from seeds.text.mail import diary_text, log_text
from seeds.text.styles import join
from seeds.text.writer import Writer

# In what order people tell their story; what a message lacks is left out.
ORDERS = (
    ("open", "ramble", "symptom", "detail", "tried", "impact", "ask", "meta"),
    ("open", "ramble", "symptom", "detail", "tried", "impact", "ask", "meta"),
    ("open", "symptom", "tried", "detail", "ask", "impact", "meta", "ramble"),
    ("open", "symptom", "detail", "tried", "ramble", "impact", "meta", "ask"),
    ("open", "ramble", "symptom", "tried", "detail", "impact", "meta", "ask"),
    ("open", "meta", "symptom", "detail", "tried", "ramble", "ask", "impact"),
    ("open", "symptom", "impact", "detail", "tried", "ask", "meta", "ramble"),
    ("open", "symptom", "ask", "detail", "tried", "ramble", "impact", "meta"),
)
FILLERS = (
    *("detail",) * 5,
    *("tried",) * 3,
    *("impact", "impact", "ramble", "ramble", "meta", "ask", "open", "symptom"),
)
MOST = {
    "symptom": 1,
    "detail": 7,
    "tried": 4,
    "impact": 1,
    "ramble": 1,
    "meta": 1,
    "ask": 2,
    "open": 1,
}
# The banks of other languages are small: longer mails would string loose ends together.
LOCAL_LENGTH = 58
# Where people start a new paragraph: before the first of these.
BREAKS = frozenset({"symptom", "tried", "impact", "ask", "meta"})


def subject(writer: Writer) -> str:
    """Return the subject of a ticket as its author writes it."""
    rng = writer.rng
    text = writer.sentence("subject") or writer.limited("subject") or _plain_subject(writer)
    if chance(rng, writer.style.lower * 0.7):
        text = text.lower()
    elif chance(rng, writer.style.shout * 0.2):
        text = text.upper()
    if writer.folder == "en" and chance(rng, 0.05):
        text = rng.choice(("URGENT: ", "Fwd: ", "RE: ", "Help! ", "Fw: ")) + text
    if chance(rng, 0.04):
        text += rng.choice((" ???", "!", " - urgent", " (2nd mail)", ".."))
    return text


def _plain_subject(writer: Writer) -> str:
    """Return the subject of somebody who does not think of one."""
    if writer.folder != "en":
        return writer.common("subject") or "Studio"
    machine = writer.slots("machine") if "hardware" in writer.tags else None
    return writer.rng.choice(("Question", "Help needed", machine or "Kestrel Studio", "a problem"))


def first_words(writer: Writer, target: int, second: str | None) -> str:
    """Return the body of a first message of about `target` words, without greeting."""
    rng, style = writer.rng, writer.style
    if target < 13:
        return " ".join(writer.dressed([writer.sentence("symptom") or writer.sentence("open")]))
    if writer.folder != "en":
        target = min(target, LOCAL_LENGTH)
    order = rng.choice(ORDERS)
    parts: list[tuple[str, str]] = []
    begin = ["symptom"]
    if target > 24:
        begin += [role for role, odds in (("open", 0.55), ("ask", 0.8)) if chance(rng, odds)]
    count = sum(_add(writer, parts, role) for role in begin)
    misses = 0
    while count < target * 0.9 and misses < 14:
        role = rng.choice(FILLERS)
        if role == "ramble" and not chance(rng, 0.15 + style.ramble):
            continue
        if role == "meta" and not chance(rng, 0.25 + style.facts):
            continue
        if role in ("open", "symptom") and not chance(rng, 0.4):
            continue
        added = _add(writer, parts, role)
        misses += added == 0
        count += added
    parts.sort(key=lambda part: order.index(part[0]))
    return _laid_out(writer, parts, target, second)


def _add(writer: Writer, parts: list[tuple[str, str]], role: str) -> int:
    """Add a sentence of a role, unless enough of that role was said; return its words."""
    said = sum(1 for other, _ in parts if other == role)
    sentence = writer.sentence(role) if said < int(MOST[role] * writer.ample) else None
    if not sentence:
        return 0
    parts.append((role, sentence))
    return len(sentence.split())


def _laid_out(writer: Writer, parts: list[tuple[str, str]], target: int, second: str | None) -> str:
    rng, style = writer.rng, writer.style
    paragraphs: list[str] = []
    block: list[str] = []
    roles: set[str] = set()
    for role, sentence in parts:
        new = role in BREAKS and role not in roles and target > 35
        if block and new and chance(rng, style.paragraphs):
            paragraphs.append(_block(writer, block))
            block, roles = [], set()
        block.append(sentence)
        roles.add(role)
    paragraphs.append(_block(writer, block))
    if chance(rng, style.logs * (1.6 if target > 70 else 0.3)):
        log = log_text(rng, writer.domain, writer.slots, writer.at)
        if log:
            paragraphs.insert(rng.randint(1, len(paragraphs)), log)
    if target > 130 and chance(rng, 0.12 + style.lists * 0.6):
        diary = diary_text(rng, writer.domain, writer.slots, writer.at)
        if diary:
            paragraphs.insert(rng.randint(1, len(paragraphs)), diary)
    if second:
        paragraphs.append(_second(writer, second))
    return "\n\n".join(paragraphs)


def _block(writer: Writer, sentences: list[str]) -> str:
    """Return a paragraph; some people make a list of what they have to say."""
    dressed = writer.dressed(sentences)
    if len(dressed) > 3 and chance(writer.rng, writer.style.lists * 0.35):
        return f"{dressed[0]}\n{_list(dressed[1:], writer.rng)}"
    return join(dressed, writer.style, writer.rng, writer.folder)


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
        writer.talk,
        case=rng.choice(keys),
    )
    other.is_customer, other.speaks_for_firm = writer.is_customer, writer.speaks_for_firm
    sentences = [writer.common("second"), other.sentence("symptom")]
    if chance(rng, 0.6):
        sentences.append(other.limited("ask"))
    return join(writer.dressed(sentences), writer.style, rng)


def reply_words(writer: Writer, intent: str, target: int) -> str:
    """Return the body of a customer's later message."""
    said = _intent_texts(writer, intent, target)
    dressed = writer.dressed(said)
    rng = writer.rng
    if intent == "answer" and len(dressed) > 2 and chance(rng, writer.style.lists):
        return _list(dressed, rng)
    body = join(dressed, writer.style, rng, writer.folder)
    if intent == "answer" and chance(rng, writer.style.logs):
        log = log_text(rng, writer.domain, writer.slots, writer.at)
        body = f"{body}\n\n{log}" if log else body
    return body or "ok"


def _intent_texts(writer: Writer, intent: str, target: int) -> list[str | None]:
    if intent in ("worked", "thanks"):
        return [writer.common(intent)]
    tell = {"answer": _answer, "still": _still, "reopen": _reopen, "chase": _chase}[intent]
    return tell(writer, target)


def _answer(writer: Writer, target: int) -> list[str | None]:
    """Return what somebody says to questions, to advice or to a promise."""
    rng, talk = writer.rng, writer.talk
    talk.kind = ""
    said: list[str | None] = [writer.replying("answer", key) for key in talk.asked]
    if not any(said):
        if talk.advised:
            return _still(writer, target)
        talk.kind = "waiting" if talk.intent == "promise" else "report"
        said = [writer.common(talk.kind)]
    elif chance(rng, 0.4):
        said.insert(0, writer.common("answer_open"))
    if talk.advised and talk.asked and chance(rng, 0.5):
        said.append(writer.replying("still", talk.advised[-1]))
    return _filled(writer, said, ("detail", "detail", "tried", "meta"), target)


def _still(writer: Writer, target: int) -> list[str | None]:
    """Return what somebody says whom the last answer did not help."""
    talk = writer.talk
    talk.kind = "waiting" if talk.intent == "promise" else ""
    if talk.kind:
        return _filled(
            writer, [writer.common("waiting_still")], ("detail", "impact", "ask"), target
        )
    told = writer.replying("still", talk.advised[-1]) if talk.advised else None
    said = [told or writer.limited("still") or writer.common("still")]
    if not told and chance(writer.rng, 0.4):
        said.insert(0, writer.common("still"))
    said += [writer.replying("answer", key) for key in talk.asked]
    return _filled(writer, said, ("tried", "detail", "impact", "tried", "ask"), target)


def _reopen(writer: Writer, target: int) -> list[str | None]:
    said = [writer.common("reopen"), writer.limited("still")]
    return _filled(writer, said, ("ask", "impact", "detail"), target)


def _chase(writer: Writer, target: int) -> list[str | None]:
    return _filled(writer, [writer.common("chase")], ("impact", "ask"), target)


def _filled(
    writer: Writer, said: list[str | None], fillers: tuple[str, ...], target: int
) -> list[str | None]:
    """Return sentences with a few more, each role once, as far as the wanted length goes."""
    count = sum(len((sentence or "").split()) for sentence in said)
    for role in fillers:
        if count >= target * 0.8:
            break
        sentence = writer.sentence(role)
        said.append(sentence)
        count += len((sentence or "").split())
    return said
