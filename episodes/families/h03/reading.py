"""What a careful agent makes of what it reads: the guide's lines and rules, and what mails ask."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

ORDER: Final = ("low", "normal", "high", "urgent")
DATE: Final = r"(\d{1,2} [A-Z][a-z]+ \d{4})"
LINE: Final = re.compile(r"- ([^:|]+): ([^|]+) \| (\w+) \| (\w+) \| (\w+)")

# What a line of the guide speaks of, and how people ask for it, in the languages they write in.
ASKED: Final[tuple[tuple[str, str], ...]] = (
    (
        r"lid switch",
        (
            r"does not stop the laser|smoke came out|small fire|kam heute rauch|de la fumée"
            r"|salió humo|vandaag rook"
        ),
    ),
    (
        r"sign in",
        (
            r"can(?:no|')t sign in|nobody .* can sign in|nicht mehr anmelden|plus me connecter"
            r"|iniciar sesión|niet meer inloggen"
        ),
    ),
    (
        r"drawing does not open",
        r"does not import|will not open|importieren|ne s'importe|no se importa|importeren",
    ),
    (
        r"does not fire",
        (
            r"does not fire|has lost its power|there is no beam|zündet nicht|ne tire pas"
            r"|no dispara|vuurt niet"
        ),
    ),
    (
        r"cleaner or deeper cut",
        (
            r"cleaner edge|deeper cut|for a clean cut|saubere kante|bord propre|borde limpio"
            r"|schone rand"
        ),
    ),
    (
        r"off the network",
        (
            r"drops off the network|does not find the|goes offline|aus dem netzwerk|du réseau"
            r"|de la red|van het netwerk"
        ),
    ),
    (
        r"charge or an invoice",
        (
            r"cannot place|last invoice is higher|what the charge of|letzte rechnung"
            r"|dernière facture|última factura|laatste factuur"
        ),
    ),
    (
        r"send a machine back",
        (
            r"money back|the price refunded|refund what we paid|geld wiederhaben|être remboursés"
            r"|devuelvan el dinero|willen ons geld"
        ),
    ),
    (
        r"where an order is",
        (
            r"where is our order|where is it|when will order|wo bleibt|où en est|dónde está"
            r"|waar blijft"
        ),
    ),
    (
        r"wrong one, or is missing",
        (
            r"sent the wrong|missing from the box|came is the wrong|die falsche|la mauvaise"
            r"|equivocada|de verkeerde"
        ),
    ),
    (
        r"become a dealer",
        (
            r"become a dealer|looking for dealers|händler für|devenir revendeur"
            r"|ser distribuidores|dealer van uw"
        ),
    ),
    (
        r"cancel or change their plan",
        (
            r"cancel our|would like to change from|cancel my plan|kündigen|résilier|cancelen"
            r"|opzeggen"
        ),
    ),
    (
        r"cannot do yet",
        (
            r"great if studio could|dark mode|i miss a way|wäre schön|serait bien|estaría bien"
            r"|zou mooi zijn"
        ),
    ),
)
STILL: Final = (
    r"our work stands still|cannot work at all|steht bei uns die arbeit|travail est à l'arrêt"
    r"|trabajo está parado|ligt ons werk"
)
ADVERTISING: Final = (
    r"page one of the search engines|confirm your password|digital coins|we are factory"
    r"|enter your bank details"
)
TONGUES: Final = {
    "de": r"guten tag|hallo,\n|freundlichen grüßen|viele grüße",
    "fr": r"bonjour|madame, monsieur|cordialement",
    "es": r"buenos días|hola,|un saludo|gracias",
    "nl": r"goedemorgen|beste mensen|vriendelijke groet|groeten",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the guide as it is read."""

    wants: str
    group: str
    type: str
    priority: str
    tag: str


@dataclass(frozen=True, slots=True)
class Guide:
    """What a guide's text says."""

    rows: tuple[Row, ...]
    standstill: str
    vip_to_escalations: bool
    vip_urgent: bool
    vip_one_step: bool
    to_support: bool
    by_language: bool


@dataclass(frozen=True, slots=True)
class Sorted:
    """What a ticket is to become: names of group and model, tags to add."""

    group: str
    type: str
    priority: str
    machine: str | None
    tags: tuple[str, ...]


def in_force(texts: Iterable[str]) -> str:
    """Return the guide that is valid now: the one with the latest day, replacing the others.

    Raises:
        LookupError: none of the texts is a guide.
    """
    dated = []
    for text in texts:
        found = re.search(rf"Routing guide, valid from {DATE}", text)
        if found is not None and LINE.search(text):
            day = datetime.strptime(found[1], "%d %B %Y").replace(tzinfo=UTC)
            dated.append((day, text))
    if not dated:
        raise LookupError("no text is a routing guide")
    return max(dated)[1]


def guide_of(text: str) -> Guide:
    """Return what a guide says.

    Raises:
        LookupError: it lacks the rule for work that stands still.
    """
    least = re.search(r"the priority is (\w+) at least", text)
    if least is None:
        raise LookupError(f"the guide does not say what standing still means: {text[:200]}")
    rows = tuple(Row(*(part.strip() for part in found)) for found in LINE.findall(text))
    vips = re.search(r"Tickets of VIPs[^.]*", text)
    rule = vips[0] if vips else ""
    return Guide(
        rows=rows,
        standstill=least[1],
        vip_to_escalations="go to Escalations" in rule,
        vip_urgent="are urgent" in rule,
        vip_one_step="one step more" in rule,
        to_support="goes to Support" in text,
        by_language="lang_ and the two letters" in text,
    )


def is_spam(body: str) -> bool:
    """Tell whether a mail has nothing to do with the firm."""
    return re.search(ADVERTISING, body.lower()) is not None


def sort_out(guide: Guide, body: str, tags: Iterable[str], machines: Iterable[str]) -> Sorted:
    """Return what a ticket becomes, from its first message, its tags and the models there are.

    Raises:
        LookupError: no line of the guide is about it.
    """
    text = body.lower()
    row, sentence = _row(guide, body)
    group, priority, added = row.group, row.priority, [row.tag]
    if re.search(STILL, text):
        priority = max(priority, guide.standstill, key=ORDER.index)
    tongue = next((key for key, pattern in TONGUES.items() if re.search(pattern, text)), None)
    if tongue is not None:
        added.append(f"lang_{tongue}" if guide.by_language else "translate")
        group = "Support" if guide.to_support else group
    if "vip" in tags:
        group = "Escalations" if guide.vip_to_escalations else group
        priority = "urgent" if guide.vip_urgent else priority
        if guide.vip_one_step:
            priority = ORDER[min(ORDER.index(priority) + 1, len(ORDER) - 1)]
    return Sorted(group, row.type, priority, machine_in(sentence, machines), tuple(added))


def _row(guide: Guide, body: str) -> tuple[Row, str]:
    """Return the line that a mail is about, and the sentence that asks for it."""
    sentences = [part for part in re.split(r"(?<=[.!?])\s+|\n+", body) if part.strip()]
    for wants, asks in ASKED:
        for sentence in sentences:
            if re.search(asks, sentence.lower()):
                row = next(row for row in guide.rows if re.search(wants, row.wants))
                return row, sentence
    raise LookupError(f"no line of the guide fits: {body[:200]}")


def machine_in(sentence: str, machines: Iterable[str]) -> str | None:
    """Return the model that a sentence names: of two that fit, the longer name."""
    named = [
        name for name in machines if re.search(rf"\b{re.escape(name)}\b", sentence, re.IGNORECASE)
    ]
    return max(named, key=len) if named else None
