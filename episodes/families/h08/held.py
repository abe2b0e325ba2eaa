"""Mail as the desk's door meets it: one letter for each sort, with the headers it is held for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from clones.helpdesk.domain.values import Mail
from clones.helpdesk.models import Ticket, User
from episodes.families.h08.params import Kind
from episodes.families.h08.words import Text, names, texts
from seeds.kestrel.catalogue import ADDRESSES, DOMAIN, SUPPORT

SPAM: Final = {"X-Spam-Flag": "YES"}


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that is going to be held; `ticket` is the one that it answers."""

    kind: Kind
    mail: Mail
    ticket: Ticket | None = None


@dataclass(slots=True)
class LetterPool:
    """Whom and what letters are drawn from: nobody writes twice, nothing is said twice."""

    customers: list[User]
    dealers: list[User]
    tickets: list[Ticket]
    chance: Random
    known: set[str]
    _drawn: dict[str, Iterator[Text]] = field(default_factory=dict)
    _away: User | None = None

    def text(self, sort: str, **slots: Any) -> Text:
        """Return the next text of a sort, in an order of the instance's own."""
        if sort not in self._drawn:
            found = texts(sort)
            self._drawn[sort] = iter(self.chance.sample(found, len(found)))
        subject, body = next(self._drawn[sort])
        numbers = {
            "order": self.chance.randrange(101_000, 169_000),
            "number": self.chance.randrange(40_000, 99_000),
            "week": self.chance.randrange(20, 25),
            **slots,
        }
        return subject.format(**numbers), body.format(**numbers)

    def customer(self) -> User:
        """Return a customer who has not written yet."""
        return self.customers.pop()

    def away(self) -> User:
        """Return the customer who is out of office."""
        if self._away is None:
            self._away = self.customer()
        return self._away

    def stranger(self, domain: str | None = None) -> tuple[str, str]:
        """Return the name and address of somebody whom the desk does not know."""
        while True:
            first = self.chance.choice(names("first_names"))
            last = self.chance.choice(names("last_names"))
            email = f"{first}.{last}@{domain or self.chance.choice(names('free_mail'))}".lower()
            if email not in self.known:
                self.known.add(email)
                return f"{first} {last}", email

    def look_alike(self) -> str:
        """Return a domain that only looks like the desk's own."""
        return self.text("look_alikes")[0]


def letter(kind: Kind, desk: LetterPool) -> Letter:
    """Return a letter of a sort."""
    return WRITERS[kind](kind, desk)


def domain_of(email: str | None) -> str:
    """Return the domain of an address."""
    return (email or "").rpartition("@")[2].lower()


def _mail(
    sender: tuple[str, str], text: Text, headers: Mapping[str, str], *, signed: bool = False
) -> Mail:
    name, email = sender
    body = f"{text[1]}\n\n{name}" if signed else text[1]
    return Mail(email, name, text[0], body, to=SUPPORT, headers=headers, recipients=(SUPPORT,))


def _failed(email: str) -> dict[str, str]:
    return {"Authentication-Results": f"mx.{DOMAIN}; dmarc=fail header.from={domain_of(email)}"}


def _person(user: User) -> tuple[str, str]:
    return user.name, user.email or ""


def _asks(kind: Kind, desk: LetterPool) -> Letter:
    """Somebody asks something: a customer or a newcomer, taken for spam or sent on."""
    sender = desk.stranger() if kind == "newcomer" else _person(desk.customer())
    headers = _failed(sender[1]) if kind == "forwarded" else SPAM
    return Letter(kind, _mail(sender, desk.text("asked"), headers, signed=True))


def _shouts(kind: Kind, desk: LetterPool) -> Letter:
    sender = _person(desk.customer())
    return Letter(kind, _mail(sender, desk.text("shouted"), SPAM, signed=True))


def _phishes(kind: Kind, desk: LetterPool) -> Letter:
    domain = desk.look_alike()
    box = desk.chance.choice(("service", "it", "accounts", "security", "office"))
    sender = (f"Kestrel {box.capitalize()}", f"{box}@{domain}")
    headers = SPAM if desk.chance.random() < 0.5 else _failed(sender[1])
    return Letter(kind, _mail(sender, desk.text("phished", domain=domain), headers))


def _advertises(kind: Kind, desk: LetterPool) -> Letter:
    sender = desk.stranger("growth-partners.example")
    return Letter(kind, _mail(sender, desk.text("advertised"), SPAM))


def _prints(kind: Kind, desk: LetterPool) -> Letter:
    text = desk.text("printed")
    sender = ("The editors", f"letter{desk.chance.randrange(100, 999)}@bulletins.example")
    return Letter(kind, _mail(sender, text, {"List-Id": "<letter.bulletins.example>"}))


def _is_away(kind: Kind, desk: LetterPool) -> Letter:
    text = texts("away")[kind == "away_again"]
    headers = {"Auto-Submitted": "auto-replied"}
    return Letter(kind, _mail(_person(desk.away()), text, headers))


def _returns(kind: Kind, desk: LetterPool) -> Letter:
    text = desk.text("returned")
    if desk.chance.random() < 0.5:
        return Letter(kind, _mail(("Mail Delivery", "mailer-daemon@mx.example"), text, {}))
    failed = {"X-Failed-Recipients": desk.stranger()[1]}
    return Letter(kind, _mail(("Mail System", "bounces@relay.example"), text, failed))


def _is_blank(kind: Kind, desk: LetterPool) -> Letter:
    return Letter(kind, _mail(_person(desk.customer()), desk.text("empty"), {}))


def _claims(kind: Kind, desk: LetterPool) -> Letter:
    sender = ("Kestrel Billing", ADDRESSES["billing"])
    return Letter(kind, _mail(sender, desk.text("claimed"), {}))


def _orders(kind: Kind, desk: LetterPool) -> Letter:
    dealer = desk.chance.choice(desk.dealers)
    firm = dealer.organization.name if dealer.organization else dealer.name
    text = desk.text("purchase", firm=firm)
    headers = {"Auto-Submitted": "auto-generated"}
    return Letter(kind, _mail((firm, f"orders@{_own_domain(dealer)}"), text, headers))


def _own_domain(user: User) -> str:
    domains = user.organization.domain_names if user.organization else []
    return str(domains[0]) if domains else domain_of(user.email)


def _carries(kind: Kind, desk: LetterPool) -> Letter:
    customer = desk.customer()
    firm = customer.organization.name if customer.organization else customer.name
    text = desk.text("carried", firm=firm)
    return Letter(kind, _mail(("Northway Parcel", "noreply@northway-parcel.example"), text, {}))


def _replies(kind: Kind, desk: LetterPool) -> Letter:
    """Somebody unknown answers a ticket: a colleague of its requester, or somebody from outside."""
    ticket = desk.tickets.pop()
    requester = ticket.requester
    firm = requester.organization.name if requester.organization else requester.name
    outside = kind == "outsider_reply"
    first = requester.name.split()[0]
    _, body = desk.text("outside" if outside else "replied", first=first, firm=firm)
    subject = f"Re: {ticket.subject}"
    sender = desk.stranger("site-services.example" if outside else domain_of(requester.email))
    return Letter(kind, _mail(sender, (subject, body), {}, signed=True), ticket)


WRITERS: Final[Mapping[Kind, Callable[[Kind, LetterPool], Letter]]] = {
    "vip": _shouts,
    "customer": _asks,
    "newcomer": _asks,
    "forwarded": _asks,
    "colleague_reply": _replies,
    "outsider_reply": _replies,
    "dealer_order": _orders,
    "carrier_notice": _carries,
    "phishing": _phishes,
    "advert": _advertises,
    "newsletter": _prints,
    "away": _is_away,
    "away_again": _is_away,
    "bounce": _returns,
    "blank": _is_blank,
    "own_address": _claims,
}
