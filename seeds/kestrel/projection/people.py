"""Customers as the helpdesk knows them: missing names, doubles, old spellings."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

from clones.helpdesk import models as helpdesk
from seeds.bulk import BulkWriter, Identifiers
from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.story.model import Firm, StoryPerson
from seeds.kestrel.story.people import FREE_MAIL, slug
from seeds.ledger import Ledger


class Customers:
    """Writes organizations and end users; `users` maps people to their rows.

    `contacts` are the users' names and addresses as the helpdesk has them.
    """

    def __init__(self, writer: BulkWriter, ids: Identifiers, draws: Draws, ledger: Ledger) -> None:
        self.writer, self.ids, self.draws, self.ledger = writer, ids, draws, ledger
        self.organizations: dict[int, int] = {}
        self.users: dict[int, int] = {}
        self.contacts: dict[int, tuple[str, str]] = {}
        self._taken: set[str] = set()

    def write(
        self, firms: list[Firm], people: list[StoryPerson], first_seen: dict[int, datetime]
    ) -> None:
        """Write everybody. `first_seen` says when somebody's first ticket came in."""
        self._taken = {person.email for person in people}
        for firm in firms:
            self._organization(firm)
        for person in people:
            self._person(person, first_seen.get(person.index))

    def _organization(self, firm: Firm) -> None:
        rng = self.draws.rng("organization", firm.index)
        number = self.ids.stamp(helpdesk.Organization, firm.since)
        self.organizations[firm.index] = number
        name = firm.name
        if chance(rng, 0.10) and firm.spellings:
            name = rng.choice(firm.spellings)
            self.ledger.add(
                "organization_name", "helpdesk_organization", number, "name", firm.name, name
            )
        tags = ["dealer"] if firm.dealer else []
        if firm.segment == "school":
            tags.append("education")
        self.writer.add(
            helpdesk.Organization,
            {
                "id": number,
                "name": name,
                "domain_names": [firm.domain] if chance(rng, 0.72) else [],
                "details": f"{firm.city}, {firm.country.code}" if chance(rng, 0.4) else None,
                "notes": _note(rng, firm) if chance(rng, 0.12) else None,
                "tags": tags,
                "shared_tickets": firm.dealer and chance(rng, 0.5),
                "created_at": firm.since,
                "updated_at": firm.since,
            },
        )

    def _person(self, person: StoryPerson, seen: datetime | None) -> None:
        rng = self.draws.rng("user", person.index)
        since = min(person.since, seen) if seen else person.since
        number = self.ids.stamp(helpdesk.User, since)
        self.users[person.index] = number
        row = self._row(rng, person, number, since)
        self.writer.add(helpdesk.User, row)
        self.contacts[number] = (row["name"], row["email"])
        self._identity(rng, person, number, row["email"], since)
        if person.firm:
            self._membership(number, self.organizations[person.firm.index], since)
        if person.shared:
            self.ledger.add("shared_mailbox", "helpdesk_user", number, "email", None, person.email)
        if chance(rng, 0.045) and not person.shared:
            self._twin(rng, person, number, since)

    def _row(
        self, rng: Random, person: StoryPerson, number: int, since: datetime
    ) -> dict[str, Any]:
        name = person.name
        shown = name
        if person.shared:
            shown = person.firm.name if person.firm and chance(rng, 0.6) else person.email
        elif chance(rng, 0.125):
            shown = person.email if chance(rng, 0.4) else person.email.split("@")[0]
            self.ledger.add("missing_name", "helpdesk_user", number, "name", name, shown)
        elif chance(rng, 0.09):
            shown = rng.choice(
                (
                    name.lower(),
                    name.upper(),
                    f"{person.family}, {person.given}",
                    f"{person.given} {person.family[:1]}.",
                )
            )
            self.ledger.add("name_spelling", "helpdesk_user", number, "name", name, shown)
        tags = []
        if person.vip:
            tags.append("vip")
            if chance(rng, 0.2):
                self.ledger.add("stale_vip", "helpdesk_user", number, "tags", [], ["vip"])
        organization = self.organizations[person.firm.index] if person.firm else None
        if organization and person.left_at:
            self.ledger.add(
                "left_firm", "helpdesk_user", number, "organization_id", None, organization
            )
        return {
            "id": number,
            "name": shown,
            "email": person.email,
            "role": "end-user",
            "organization_id": organization,
            "phone": person.phone,
            "time_zone": person.zone,
            "iana_time_zone": person.iana,
            "locale": person.country.locale if chance(rng, 0.7) else "en-US",
            "verified": chance(rng, 0.8),
            "tags": tags,
            "notes": _person_note(rng) if chance(rng, 0.03) else None,
            "created_at": since,
            "updated_at": _later(rng, since),
        }

    def _identity(
        self, rng: Random, person: StoryPerson, user: int, email: str, since: datetime
    ) -> None:
        self._address(user, email, since, primary=True, verified=chance(rng, 0.85))
        if chance(rng, 0.06):
            other = self._free(
                f"{slug(person.given) or 'x'}{rng.randrange(9, 99)}@{FREE_MAIL.draw(rng)}"
            )
            self._address(user, other, _later(rng, since), primary=False, verified=chance(rng, 0.5))
            self.ledger.add("second_identity", "helpdesk_user", user, "identities", None, other)

    def _address(
        self, user: int, value: str, at: datetime, *, primary: bool, verified: bool
    ) -> None:
        self.writer.add(
            helpdesk.Identity,
            {
                "id": self.ids.stamp(helpdesk.Identity, at),
                "user_id": user,
                "type": "email",
                "value": value,
                "primary": primary,
                "verified": verified,
                "created_at": at,
                "updated_at": at,
            },
        )

    def _free(self, address: str) -> str:
        """Return the address, or one like it that nobody has."""
        while address in self._taken:
            address = address.replace("@", "1@", 1)
        self._taken.add(address)
        return address

    def _membership(self, user: int, organization: int, at: datetime) -> None:
        self.writer.add(
            helpdesk.OrganizationMembership,
            {
                "id": self.ids.stamp(helpdesk.OrganizationMembership, at),
                "user_id": user,
                "organization_id": organization,
                "default": True,
                "created_at": at,
                "updated_at": at,
            },
        )

    def _twin(self, rng: Random, person: StoryPerson, number: int, since: datetime) -> None:
        """Write the same person a second time, under another address."""
        at = _later(rng, since)
        twin = self.ids.stamp(helpdesk.User, at)
        first, last = slug(person.given) or "x", slug(person.family) or "y"
        email = self._free(f"{first}.{last}{rng.randrange(1, 99)}@{FREE_MAIL.draw(rng)}")
        form = rng.choice(
            (person.name, f"{person.given[:1]}. {person.family}", person.name.lower(), first)
        )
        self.writer.add(
            helpdesk.User,
            {
                "id": twin,
                "name": form,
                "email": email,
                "role": "end-user",
                "time_zone": person.zone,
                "iana_time_zone": person.iana,
                "locale": "en-US",
                "created_at": at,
                "updated_at": at,
                "phone": person.phone if chance(rng, 0.3) else None,
            },
        )
        self.contacts[twin] = (form, email)
        self._address(twin, email, at, primary=True, verified=False)
        self.ledger.add("duplicate_user", "helpdesk_user", twin, "id", number, twin)


def _later(rng: Random, since: datetime) -> datetime:
    span = max(int((PRESENT - since).total_seconds()), 2)
    return since + timedelta(seconds=int(span * rng.random() ** 2))


def _note(rng: Random, firm: Firm) -> str:
    return rng.choice(
        (
            "Pays on 30 days, ask Billing before any credit.",
            "Talk to the workshop manager first, not the office.",
            f"Second site in {firm.city}, own machine there.",
            "Renamed last year, old name still on the invoices.",
            "Prefers phone.",
            "Tax exempt, certificate on file.",
            "Was with a dealer until 2023.",
        )
    )


def _person_note(rng: Random) -> str:
    return rng.choice(
        (
            "Prefers calls after four.",
            "Very experienced, skip the basics.",
            "Ask for photos, descriptions are vague.",
            "Do not promise dates.",
            "Speaks little English.",
            "Moderates the user forum.",
        )
    )
