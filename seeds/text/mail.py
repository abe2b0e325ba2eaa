"""What mail programs put round the words: signatures, footers, quoted history in fourteen dialects."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from seeds.text.bank import SLOT

FOLDER = Path(__file__).parent / "bank"
REPLY_LINE = "##- Please type your reply above this line -##"


@dataclass(frozen=True, slots=True)
class Quoted:
    """An earlier message as a reply quotes it."""

    sender: str
    address: str
    recipient: str
    at: datetime
    subject: str
    body: str


@cache
def blocks(name: str) -> tuple[str, ...]:
    """Return the blocks of a file, which lines of `%` part."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(block.strip("\n") for block in re.split(r"^%$", text, flags=re.MULTILINE))


@cache
def logs() -> tuple[tuple[frozenset[str], str], ...]:
    """Return the log patterns with the domains they belong to."""
    text = (FOLDER / "logs.txt").read_text(encoding="utf-8")
    found = []
    for block in text.split("== ")[1:]:
        head, _, body = block.partition("\n")
        found.append((frozenset(head.strip().split(",")), body.rstrip("\n")))
    return tuple(found)


def fill_block(block: str, fill: Callable[[str], str | None]) -> str:
    """Return a block with its slots filled; lines that lack a value are left out."""
    lines = []
    for line in block.split("\n"):
        values = {slot: fill(slot) for slot in SLOT.findall(line)}
        if all(values.values()) or not values:
            for slot in SLOT.findall(line):
                line = line.replace("{" + slot + "}", fill(slot) or "", 1)
            lines.append(line)
    return "\n".join(lines).strip("\n")


def log_text(rng: Random, domain: str, fill: Callable[[str], str | None], at: datetime) -> str | None:
    """Return a piece of log such as people of a domain paste, ending shortly before `at`."""
    fitting = [body for domains, body in logs() if domain in domains]
    if not fitting:
        return None
    moment = at - timedelta(seconds=rng.randrange(300, 90_000))
    form = rng.choice(("%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%d.%m. %H:%M", "%b %d %H:%M:%S"))

    def stamped(slot: str) -> str | None:
        nonlocal moment
        if slot == "ts":
            moment += timedelta(seconds=rng.randrange(1, 40))
            return moment.strftime(form)
        return fill(slot)

    return fill_block(rng.choice(fitting), stamped)


def _marked(body: str, mark: str = "> ") -> str:
    return "\n".join((mark + line).rstrip() if line else mark.rstrip() for line in body.split("\n"))


def _header(quoted: Quoted, local: datetime, *, long: bool = False) -> str:
    sent = local.strftime("%A, %B %d, %Y %I:%M %p") if long else local.strftime("%d %B %Y %H:%M")
    return f"From: {quoted.sender} <{quoted.address}>\nSent: {sent}\nTo: {quoted.recipient}\nSubject: {quoted.subject}"


def _gmail(q: Quoted, at: datetime) -> str:
    return f"On {at:%a, %d %b %Y at %H:%M}, {q.sender} <{q.address}> wrote:\n\n{_marked(q.body)}"


def _outlook_2003(q: Quoted, at: datetime) -> str:
    return f"-----Original Message-----\n{_header(q, at)}\n\n{q.body}"


def _outlook_2007(q: Quoted, at: datetime) -> str:
    return f"{_header(q, at)}\n\n{q.body}"


def _outlook_2010(q: Quoted, at: datetime) -> str:
    return f"{_header(q, at, long=True)}\n\n{q.body}"


def _hotmail(q: Quoted, at: datetime) -> str:
    return f"________________________________\n{_header(q, at, long=True)}\n\n{q.body}"


def _yahoo(q: Quoted, at: datetime) -> str:
    return f"    On {at:%A, %d %B %Y at %H:%M:%S} GMT, {q.sender} <{q.address}> wrote:\n\n {q.body}"


def _thunderbird(q: Quoted, at: datetime) -> str:
    return f"On {at:%d/%m/%Y %H:%M}, {q.sender} wrote:\n{_marked(q.body)}"


def _apple(q: Quoted, at: datetime) -> str:
    return f"> On {at:%d %b %Y, at %H:%M}, {q.sender} <{q.address}> wrote:\n> \n{_marked(q.body)}"


def _iphone(q: Quoted, at: datetime) -> str:
    return f"Sent from my iPhone\n\n> On {at:%d %b %Y, at %H:%M}, {q.sender} <{q.address}> wrote:\n> \n{_marked(q.body)}"


def _aol(q: Quoted, at: datetime) -> str:
    return (
        f"-----Original Message-----\nFrom: {q.sender} <{q.address}>\nTo: {q.recipient}\n"
        f"Sent: {at:%a, %b %d, %Y %I:%M %p}\nSubject: {q.subject}\n\n{q.body}"
    )


def _yandex(q: Quoted, at: datetime) -> str:
    return f'{at:%d.%m.%Y, %H:%M}, "{q.sender}" <{q.address}>:\n{_marked(q.body)}'


def _mail_ru(q: Quoted, at: datetime) -> str:
    return f"{at:%a, %d %b %Y %H:%M:%S} +0000 from {q.sender} <{q.address}>:\n{_marked(q.body, '>')}"


def _windows_mail(q: Quoted, at: datetime) -> str:
    return f"Sent from Windows Mail\n\n{_header(q, at, long=True)}\n\n{q.body}"


def _android(q: Quoted, at: datetime) -> str:
    return (
        f"Sent from my phone\n\n-------- Original message --------\nFrom: {q.sender} <{q.address}> \n"
        f"Date: {at:%d/%m/%Y %H:%M} (GMT+00:00) \nTo: {q.recipient} \nSubject: {q.subject} \n\n{q.body}"
    )


DIALECTS: tuple[Callable[[Quoted, datetime], str], ...] = (
    _gmail, _outlook_2010, _outlook_2007, _iphone, _apple, _thunderbird, _hotmail, _android, _outlook_2003, _yahoo,
    _aol, _windows_mail, _yandex, _mail_ru,
)  # fmt: skip
MOBILE = (3, 7)
SHARES = (24, 16, 9, 11, 8, 8, 6, 6, 3, 3, 2, 2, 1, 1)


def quote(dialect: int, quoted: Quoted, iana: str) -> str:
    """Return the quoted history as a mail program writes it under a reply."""
    return DIALECTS[dialect](quoted, quoted.at.astimezone(ZoneInfo(iana)))


def notification(body: str, number: int, subject: str) -> str:
    """Return the mail that the desk sends about an answer, which customers quote."""
    return f"{REPLY_LINE}\n\nYour request ({number}) has been updated. To add a comment, reply to this email.\n\n{body}"


def forwarded(quoted: Quoted) -> str:
    """Return a message as somebody forwards it."""
    return (
        f"---------- Forwarded message ---------\nFrom: {quoted.sender} <{quoted.address}>\n"
        f"Date: {quoted.at:%a, %d %b %Y at %H:%M}\nSubject: {quoted.subject}\nTo: <{quoted.recipient}>\n\n{quoted.body}"
    )
