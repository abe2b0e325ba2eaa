"""The outside of a message: greeting, sign-off, signature, footer, quoted history."""

from __future__ import annotations

from random import Random

from seeds.draw import Draws, Weighted, chance
from seeds.kestrel.catalogue import COMPANY
from seeds.kestrel.story.model import Agent, Step, StoryPerson, Ticket
from seeds.pools import Half, pool
from seeds.text.bank import all_lines, fitting, pick
from seeds.text.mail import (
    MOBILE,
    SHARES,
    Quoted,
    blocks,
    fill_block,
    notification,
    quote,
)
from seeds.text.slots import words
from seeds.text.styles import dress
from seeds.text.writer import Writer

MAILED = ("email", "closed_ticket")
QUOTES = 0.74


class Envelope:
    """Knows each person's mail program, signature and habits."""

    def __init__(self, draws: Draws, half: Half) -> None:
        self.draws, self.half = draws, half
        self._signatures: dict[int, str] = {}
        self._dialects: dict[int, int] = {}

    def customer(
        self,
        step: Step,
        body: str,
        *,
        ticket: Ticket,
        person: StoryPerson,
        writer: Writer,
        previous: list[Quoted],
        agent: Agent | None,
    ) -> str:
        """Return the whole message of a customer."""
        if step.channel == "api":
            return body
        rng = writer.rng
        intent = step.said.intent if step.said else ""
        chatting = step.channel == "chat"
        parts = [self._greeting(step, agent, writer), body]
        if intent not in ("thanks", "worked") and not chatting:
            parts.append(
                self._closing(writer) if chance(rng, 0.3 + 0.25 * (len(body) > 200)) else None
            )
        text = (" " if chatting else "\n\n").join(part for part in parts if part)
        if chatting:
            return text
        mailed = step.channel in MAILED
        text += self._farewell(person, writer, mailed=mailed)
        if mailed and not previous and self.dialect(person) in MOBILE:
            device = "iPhone" if self.dialect(person) == MOBILE[0] else "phone"
            text += f"\n\nSent from my {device}"
        if mailed and previous and step.said is not None and chance(rng, QUOTES):
            step.said.quoted = True
            text += "\n\n" + self._history(rng, person, ticket, previous)
        return text

    def _greeting(self, step: Step, agent: Agent | None, writer: Writer) -> str | None:
        rng, style = writer.rng, writer.style
        first = step.said is not None and step.said.intent == "first"
        odds = style.greeting * (1.0 if first else 0.62)
        if not chance(rng, odds * (0.55 if step.channel in ("chat", "web") else 1.0)):
            return None
        role = "greeting_named" if agent and not first and chance(rng, 0.6) else "greeting"
        folder = writer.folder
        name = "common" if folder == "en" else "all"
        text = pick(
            fitting(f"{folder}/{name}", role, writer.tags, half=self.half),
            rng,
            lambda slot: agent.given if slot == "agent" and agent else writer.slots(slot),
            set(),
        )
        if text and chance(rng, style.lower * 0.8):
            text = text.lower()
        return text

    def _closing(self, writer: Writer) -> str | None:
        text = writer.common("close") if writer.folder == "en" else writer.sentence("close")
        return dress(text, writer.style, writer.rng) if text else None

    def _farewell(self, person: StoryPerson, writer: Writer, *, mailed: bool) -> str:
        rng, style, lines = writer.rng, writer.style, ""
        if chance(rng, style.signoff):
            folder = f"{writer.folder}/{'common' if writer.folder == 'en' else 'all'}"
            word = pick(all_lines(folder, "signoff"), rng, writer.slots, set()) or "Regards,"
            name = person.given or person.family
            if style.formal or chance(rng, 0.15):
                name = person.name
            if style.lower and chance(rng, style.lower):
                word, name = word.lower(), name.lower()
            if person.shared and person.firm:
                name = person.firm.name
            lines = f"\n\n{word}\n{name}" if chance(rng, 0.85) else f"\n\n{name}"
        if not mailed:
            return lines
        dialect = self.dialect(person)
        if dialect in MOBILE:
            return lines
        if chance(rng, style.mobile * 0.35):
            return lines + rng.choice(
                (
                    "\n\nSent from my phone",
                    "\n\nSent from my tablet",
                    "\n\nSent from my mobile, please excuse typos",
                    "",
                )
            )
        return lines + self.signature(person)

    def dialect(self, person: StoryPerson) -> int:
        """Return which mail program a person uses."""
        found = self._dialects.get(person.index)
        if found is None:
            rng = self.draws.rng("dialect", person.index)
            found = Weighted([(index, float(share)) for index, share in enumerate(SHARES)]).draw(
                rng
            )
            self._dialects[person.index] = found
        return found

    def signature(self, person: StoryPerson) -> str:
        """Return a person's signature with its delimiter and footer; many have none."""
        found = self._signatures.get(person.index)
        if found is None:
            found = self._signatures[person.index] = self._signature(person)
        return found

    def _signature(self, person: StoryPerson) -> str:
        rng = self.draws.rng("signature", person.index)
        if not chance(rng, 0.62 if person.firm else 0.28):
            return ""
        values = self._values(rng, person)
        text = ""
        for _ in range(4):
            text = fill_block(rng.choice(blocks("signatures")), values.get)
            if text and text != person.given:
                break
        delimiter = (
            "\n\n-- \n"
            if chance(rng, 0.36)
            else rng.choice(("\n\n", "\n\n", "\n\n_____\n", "\n\n--\n", "\n\n- - -\n"))
        )
        text = delimiter + text if text else ""
        if person.firm and chance(rng, 0.2):
            text += "\n\n" + fill_block(rng.choice(blocks("footers")), values.get)
        return text

    def _values(self, rng: Random, person: StoryPerson) -> dict[str, str]:
        names = person.country.names
        firm = person.firm
        values = {
            "name": person.name if not person.shared or not firm else firm.name,
            "given": person.given,
            "family": person.family,
            "initial": (person.given or "x")[:1],
            "email": person.email,
            "domain": person.email.partition("@")[2],
            "city": firm.city if firm else rng.choice(pool(self.half, f"city_{names}")),
            "street": f"{rng.randint(1, 220)} {rng.choice(pool(self.half, f'street_{names}'))}",
            "postcode": _postcode(rng, person.country.code),
            "title": rng.choice(words("title")),
            "slogan": rng.choice(words("slogan")),
            "trade": rng.choice(words("trade")).capitalize(),
            "place": rng.choice(words("place")),
            "n": str(rng.randint(2, 9)),
            "nn": str(rng.randint(10, 98)),
            "nnn": str(rng.randint(100, 999)),
            "hex": f"{rng.getrandbits(20):05X}",
            "vat": f"{person.country.code}{rng.randrange(10**8, 10**9)}",
            "given2": rng.choice(pool(self.half, f"given_{names}")),
            "handle": person.email.partition("@")[2].split(".")[0].replace("-", "_"),
        }
        if firm:
            values["firm"] = firm.name
        if person.phone:
            values["phone"] = person.phone
        return values

    def _history(
        self, rng: Random, person: StoryPerson, ticket: Ticket, previous: list[Quoted]
    ) -> str:
        last = previous[-1]
        body = last.body
        if len(previous) > 1 and chance(rng, 0.34):
            before = previous[-2]
            body = f"{body}\n\n{quote(0, _cut(before), person.iana)}"
        if last.sender.endswith(f"({COMPANY})") and chance(rng, 0.7):
            body = notification(body, ticket.number)
        shown = Quoted(last.sender, last.address, last.recipient, last.at, last.subject, body)
        return quote(self.dialect(person), shown, person.iana)


def _cut(quoted: Quoted) -> Quoted:
    """Return an earlier message without what it quoted itself."""
    body = quoted.body.split("\n\nOn ")[0].split("\n\nFrom: ")[0][:1500]
    return Quoted(quoted.sender, quoted.address, quoted.recipient, quoted.at, quoted.subject, body)


def _postcode(rng: Random, country: str) -> str:
    if country in ("GB", "IE"):
        letters = "ABCDEFGHJKLMNPRSTUWYZ"
        first, last = rng.sample(letters, 2), rng.sample(letters, 2)
        return f"{''.join(first)}{rng.randint(1, 29)} {rng.randint(1, 9)}{''.join(last)}"
    return (
        f"{rng.randint(10_000, 98_999)}"
        if country != "NL"
        else f"{rng.randint(1000, 9999)} {rng.choice('ABCDEFGH')}{rng.choice('ABCDEFGH')}"
    )
