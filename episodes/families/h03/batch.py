"""The mails of a batch: who asks for what, in which words, and what is true of each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

from episodes.families.h03.guide import LINES, Case, Kind
from seeds.text.typos import misspell

Role = Literal["vip", "language", "right", "ordinary", "spam", "taken"]

KINDS: Final[tuple[Kind, ...]] = tuple(kind for kind, *_ in LINES)
# What lies between two desks: in every batch, so that it shows which guide was followed.
BETWEEN: Final[tuple[Kind, ...]] = ("connection", "return_refund")
STOPPING: Final[frozenset[Kind]] = frozenset(
    {"sign_in", "file_import", "no_beam", "connection", "wrong_part", "delivery"}
)
LANGUAGES: Final = ("de", "fr", "es", "nl")
SPECIAL: Final = 4
AT_MOST_TWICE: Final = 2
TYPO_RATE: Final = 0.03


@dataclass(frozen=True, slots=True)
class Plan:
    """One mail to be: its part in the batch and what it is about, before it is put in words."""

    role: Role
    case: Case | None
    misled: bool = False


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail in words. `sender` is a name and an address where nobody knows its author yet."""

    role: Role
    case: Case | None
    subject: str
    body: str
    sender: tuple[str, str] | None = None


@dataclass(frozen=True)
class Wording:
    """What the words of a batch are drawn with: a random stream and the models there are."""

    chance: Random
    machines: Sequence[str]
    newcomers: list[Mapping[str, str]] = field(default_factory=list)

    def one_of(self, values: Sequence[str]) -> str:
        """Return one of some texts."""
        return self.chance.choice(values)


@cache
def bank() -> dict[str, Any]:
    """Return what is written in such mails, by kind and language."""
    found: dict[str, Any] = json.loads(
        Path(__file__).with_name("mails.json").read_text(encoding="utf-8")
    )
    return found


def compose(size: int, chance: Random, machines: Sequence[str]) -> list[Letter]:
    """Return the mails of a batch of `size`, and one more that a colleague has taken already.

    Spam, a VIP's, one in another language and one that is right already are in each; names of the
    authors are left as `{name}`.
    """
    plans = _stopped(_plans(size, chance, machines), chance)
    wording = Wording(chance, machines, list(bank()["newcomers"]))
    letters = [_worded(plan, wording) for plan in plans]
    letters.append(_spam(chance))
    chance.shuffle(letters)
    return letters


def _plans(size: int, chance: Random, machines: Sequence[str]) -> list[Plan]:
    extra = size - SPECIAL
    between = list(BETWEEN)
    chance.shuffle(between)
    if extra:
        rest = [kind for kind in KINDS * AT_MOST_TWICE if kind not in BETWEEN]
        special = chance.sample(KINDS, 3)
        kinds = [*between, *chance.sample(rest, extra - len(between))]
    else:
        # Neither a VIP's group nor another language's may hide both.
        special = [chance.choice(KINDS), between[0], between[1]]
        kinds = []
    vip, language, right = special
    spoken = chance.choice(LANGUAGES)
    taken = chance.choice(KINDS)
    plans = [
        Plan("vip", Case(vip, vip=True), misled=chance.random() < 0.7),
        Plan("language", Case(language, language=spoken)),
        Plan("right", Case(right), misled=chance.random() < 0.5),
        Plan("taken", Case(taken)),
        *(
            Plan("ordinary", Case(kind), misled=place % 2 == 0 or chance.random() < 0.3)
            for place, kind in enumerate(kinds)
        ),
    ]
    return [_with_machine(plan, chance, machines) for plan in plans]


def _with_machine(plan: Plan, chance: Random, machines: Sequence[str]) -> Plan:
    if plan.case is None or "{machine}" not in bank()["requests"][plan.case.kind]["en"][0]:
        return plan
    return replace(plan, case=replace(plan.case, machine=chance.choice(machines)))


def _stopped(plans: list[Plan], chance: Random) -> list[Plan]:
    """Let work stand still with one of them at least, the VIP's last."""
    fitting = [
        place
        for place, plan in enumerate(plans)
        if plan.case is not None and plan.case.kind in STOPPING and plan.role != "taken"
    ]
    plain = [place for place in fitting if plans[place].role != "vip"]
    chosen = chance.choice(plain or fitting) if fitting else None
    for place in fitting:
        case = plans[place].case
        if case is not None and (place == chosen or chance.random() < 0.2):
            plans[place] = replace(plans[place], case=replace(case, standstill=True))
    return plans


def _worded(plan: Plan, wording: Wording) -> Letter:
    case = plan.case
    if case is None:
        raise ValueError("only spam is about nothing")
    texts, chance = bank(), wording.chance
    found = texts["requests"][case.kind]
    other = chance.choice([name for name in wording.machines if name != case.machine])
    filled = {
        "machine": case.machine or other,
        "other": other,
        "order": str(chance.randrange(20_000, 89_999)),
        "city": wording.one_of(texts["cities"]),
    }
    core = wording.one_of(found[case.language])
    subject = wording.one_of(found["subjects"])
    sentences = [core]
    if case.standstill:
        sentences.append(wording.one_of(texts["standstill"][case.language]))
    if case.language == "en" and chance.random() < 0.5:
        sentences.append(misspell(wording.one_of(texts["asides"]), TYPO_RATE, chance))
    if plan.misled:
        misleading = chance.choice(_misleading(case))
        place = chance.randrange(len(sentences) + 1)
        sentences.insert(place, misleading["aside"])
        subject = misleading["subject"] if chance.random() < 0.6 else subject
    if not case.standstill and case.language == "en" and chance.random() < 0.25:
        subject = wording.one_of(texts["haste"]) + subject
    opener, closer = (wording.one_of(texts[name][case.language]) for name in ("openers", "closers"))
    parts = [opener, " ".join(sentences), "\n".join(part for part in (closer, "{name}") if part)]
    body = "\n\n".join(part for part in parts if part)
    for name, value in filled.items():
        body, subject = (text.replace(f"{{{name}}}", value) for text in (body, subject))
    return Letter(plan.role, case, subject, body, _sender(plan, wording))


def _sender(plan: Plan, wording: Wording) -> tuple[str, str] | None:
    """Return who writes for the first time: who wants to sell machines is seldom known."""
    if plan.role != "ordinary" or plan.case is None or plan.case.kind != "dealership":
        return None
    if not wording.newcomers:
        return None
    person = wording.newcomers.pop(wording.chance.randrange(len(wording.newcomers)))
    return person["name"], person["email"]


def _misleading(case: Case) -> list[dict[str, str]]:
    """Return what may be mentioned besides: of another kind, and of machines where there are."""
    return [
        entry
        for entry in bank()["misleading"]
        if entry["about"] != case.kind
        and not (entry["about"] == "vip" and case.vip)
        and (case.machine is not None or "{other}" not in entry["aside"])
    ]


def _spam(chance: Random) -> Letter:
    texts = bank()
    found, label = chance.choice(texts["spam"]), chance.choice(texts["labels"])
    email, body = (found[name].replace("{label}", label) for name in ("email", "body"))
    return Letter("spam", None, found["subject"], body, (found["name"], email))
