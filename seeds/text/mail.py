"""What mail programs put round the words: signatures, footers, quotes in fourteen dialects."""

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
MISSING = "\0"
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
    for pattern in block.split("\n"):
        line = pattern
        for slot in SLOT.findall(pattern):
            line = line.replace("{" + slot + "}", fill(slot) or MISSING, 1)
        if MISSING not in line:
            lines.append(line)
    return "\n".join(lines).strip("\n")


def log_text(
    rng: Random, domain: str, fill: Callable[[str], str | None], at: datetime
) -> str | None:
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


@cache
def _entries() -> tuple[tuple[frozenset[str], tuple[str, ...]], ...]:
    """Return what people note in a diary of their trouble, by the domains it is about."""
    text = (FOLDER / "diary.txt").read_text(encoding="utf-8")
    found = []
    for block in text.split("== ")[1:]:
        head, _, body = block.partition("\n")
        found.append((frozenset(head.strip().split(",")), tuple(body.strip().split("\n"))))
    return tuple(found)


def diary_text(
    rng: Random, domain: str, fill: Callable[[str], str | None], at: datetime
) -> str | None:
    """Return a diary of the last days: dated lines that end the day before `at`."""
    fitting = [lines for domains, lines in _entries() if domain in domains]
    if not fitting:
        return None
    count = rng.randint(3, 5)
    form = rng.choice(("%a %d", "%d/%m", "%d.%m.", "%a"))
    apart = sorted(rng.sample(range(1, 7), count), reverse=True)
    chosen = rng.sample(rng.choice(fitting), count)
    lines = [
        f"{(at - timedelta(days=days)).strftime(form)}{rng.choice((': ', ' - ', '  '))}{line}"
        for days, line in zip(apart, chosen, strict=True)
    ]
    return fill_block("\n".join(lines), fill)


def _marked(body: str, mark: str = "> ") -> str:
    return "\n".join((mark + line).rstrip() if line else mark.rstrip() for line in body.split("\n"))


def _header(quoted: Quoted, local: datetime, *, long: bool = False) -> str:
    form = "%A, %B %d, %Y %I:%M %p" if long else "%d %B %Y %H:%M"
    lines = (
        f"From: {_of(quoted)}",
        f"Sent: {local.strftime(form)}",
        f"To: {quoted.recipient}",
        f"Subject: {quoted.subject}",
    )
    return "\n".join(lines)


def _of(quoted: Quoted) -> str:
    return f"{quoted.sender} <{quoted.address}>"


def _gmail(q: Quoted, at: datetime) -> str:
    return f"On {at:%a, %d %b %Y at %H:%M}, {_of(q)} wrote:\n\n{_marked(q.body)}"


def _outlook_2003(q: Quoted, at: datetime) -> str:
    return f"-----Original Message-----\n{_header(q, at)}\n\n{q.body}"


def _outlook_2007(q: Quoted, at: datetime) -> str:
    return f"{_header(q, at)}\n\n{q.body}"


def _outlook_2010(q: Quoted, at: datetime) -> str:
    return f"{_header(q, at, long=True)}\n\n{q.body}"


def _hotmail(q: Quoted, at: datetime) -> str:
    return f"________________________________\n{_header(q, at, long=True)}\n\n{q.body}"


def _yahoo(q: Quoted, at: datetime) -> str:
    return f"    On {at:%A, %d %B %Y at %H:%M:%S} GMT, {_of(q)} wrote:\n\n {q.body}"


def _thunderbird(q: Quoted, at: datetime) -> str:
    return f"On {at:%d/%m/%Y %H:%M}, {q.sender} wrote:\n{_marked(q.body)}"


def _apple(q: Quoted, at: datetime) -> str:
    return f"> On {at:%d %b %Y, at %H:%M}, {_of(q)} wrote:\n> \n{_marked(q.body)}"


def _iphone(q: Quoted, at: datetime) -> str:
    return f"Sent from my iPhone\n\n{_apple(q, at)}"


def _aol(q: Quoted, at: datetime) -> str:
    lines = (
        "-----Original Message-----",
        f"From: {_of(q)}",
        f"To: {q.recipient}",
        f"Sent: {at:%a, %b %d, %Y %I:%M %p}",
        f"Subject: {q.subject}",
    )
    return "\n".join(lines) + f"\n\n{q.body}"


def _yandex(q: Quoted, at: datetime) -> str:
    return f'{at:%d.%m.%Y, %H:%M}, "{q.sender}" <{q.address}>:\n{_marked(q.body)}'


def _mail_ru(q: Quoted, at: datetime) -> str:
    return f"{at:%a, %d %b %Y %H:%M:%S} +0000 from {_of(q)}:\n{_marked(q.body, '>')}"


def _windows_mail(q: Quoted, at: datetime) -> str:
    return f"Sent from Windows Mail\n\n{_header(q, at, long=True)}\n\n{q.body}"


def _android(q: Quoted, at: datetime) -> str:
    lines = (
        "Sent from my phone",
        "",
        "-------- Original message --------",
        f"From: {_of(q)} ",
        f"Date: {at:%d/%m/%Y %H:%M} (GMT+00:00) ",
        f"To: {q.recipient} ",
        f"Subject: {q.subject} ",
    )
    return "\n".join(lines) + f"\n\n{q.body}"


Dialect = Callable[[Quoted, datetime], str]
DIALECTS: tuple[Dialect, ...] = (
    _gmail,
    _outlook_2010,
    _outlook_2007,
    _iphone,
    _apple,
    _thunderbird,
    _hotmail,
    _android,
    _outlook_2003,
    _yahoo,
    _aol,
    _windows_mail,
    _yandex,
    _mail_ru,
)
MOBILE = (3, 7)
SHARES = (24, 16, 9, 11, 8, 8, 6, 6, 3, 3, 2, 2, 1, 1)


def quote(dialect: int, quoted: Quoted, iana: str) -> str:
    """Return the quoted history as a mail program writes it under a reply."""
    return DIALECTS[dialect](quoted, quoted.at.astimezone(ZoneInfo(iana)))


def notification(body: str, number: int) -> str:
    """Return the mail that the desk sends about an answer, which customers quote."""
    told = f"Your request ({number}) has been updated. To add a comment, reply to this email."
    return f"{REPLY_LINE}\n\n{told}\n\n{body}"


def forwarded(quoted: Quoted) -> str:
    """Return a message as somebody forwards it."""
    lines = (
        "---------- Forwarded message ---------",
        f"From: {_of(quoted)}",
        f"Date: {quoted.at:%a, %d %b %Y at %H:%M}",
        f"Subject: {quoted.subject}",
        f"To: <{quoted.recipient}>",
    )
    return "\n".join(lines) + f"\n\n{quoted.body}"
