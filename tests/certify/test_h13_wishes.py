"""H13: every variant is reached, and every way of wording a wish is understood."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from episodes.families.h13 import words
from episodes.families.h13.params import STATUSES, Params, params_of, structural_variants
from episodes.families.h13.reading import BRACKET, placeholder_of, wanted_of
from episodes.tasks.instances import InstanceId

LABELS = {
    "priority": "High",
    "type": "Incident",
    "tag": "parts_claim",
    "second": "warranty_check",
    "dropped": "vip",
    "group": "Hardware & Repairs",
    "category": "Machine::No or weak beam",
}
PLACEHOLDERS = {
    "first_name": "ticket.requester.first_name",
    "name": "ticket.requester.name",
    "id": "ticket.id",
    "title": "ticket.title",
    "organization": "ticket.organization.name",
    "agent": "current_user.first_name",
}
STATUS_LABELS = {None: None, "open": "Open", "pending": "Pending", "hold": "On-hold"}


def numbered(number: int) -> Params:
    return params_of(InstanceId("H13", 1, "kestrel", "tiny", 1, number))


def test_the_instances_reach_all_720_variants_and_neighbours_differ() -> None:
    found = [numbered(number) for number in range(720)]
    assert len(set(structural_variants())) == 720
    assert set(found) == set(structural_variants())
    for one, other in pairwise(found):
        assert one.filing != other.filing or one.status != other.status
        assert one.access != other.access
        assert one.slots != other.slots


@pytest.mark.parametrize("kind", ["status", "title", "mode"])
def test_every_wish_is_read_as_it_was_meant(kind: words.Corrected) -> None:
    for number, params in enumerate(structural_variants()):
        chance = Random(f"{kind} {number}")
        title, wrong_title, old = chance.choice(words.TITLES)
        text, slots = words.reply_text(params.slots, chance, public=params.public)
        wrong_status = chance.choice([one for one in STATUSES if one != params.status])
        status = wrong_status if kind == "status" else params.status
        public = params.public is (kind != "mode")
        lines = [
            chance.choice(words.STATUSES[status]),
            *words.filing_lines(params.filing, LABELS, chance),
            chance.choice(words.MODES[public]),
        ]
        patterns = {"named": words.NAMED, "ours": words.OURS, "same": words.SAME}[params.access]
        letter = words.Letter(
            title=wrong_title if kind == "title" else title,
            access=chance.choice(patterns).format(group="Studio & Cloud", old=old),
            old=old,
            lines=tuple(lines),
            text=text,
            name="Ann",
        )
        right = {
            "status": chance.choice(words.STATUSES[params.status]),
            "title": title,
            "mode": chance.choice(words.MODES[params.public]),
        }[kind]
        mails = [
            words.letter_text(letter, chance),
            words.correction_text(kind, right, "Ann", chance),
        ]
        found = wanted_of(mails)
        assert found.title == title
        assert found.status == STATUS_LABELS[params.status]
        assert found.public is params.public
        assert [placeholder_of(bracket) for bracket in BRACKET.findall(text)] == [
            PLACEHOLDERS[slot] for slot in params.slots
        ]
        assert set(slots.values()) == set(params.slots)
        whose = {"named": "Studio & Cloud", "ours": None, "same": None}[params.access]
        assert (found.group, found.ours) == (whose, params.access == "ours")
        assert found.same_as == (old if params.access == "same" else None)
        assert filed(found) == EXPECTED[params.filing]


def filed(found: object) -> dict[str, object]:
    names = ("priority", "type", "to_group", "category", "add_tags", "remove_tags")
    values = {name: getattr(found, name) for name in names}
    return {
        name: sorted(value) if isinstance(value, list) else value
        for name, value in values.items()
        if value
    }


EXPECTED: dict[str, dict[str, object]] = {
    "priority": {"priority": "High", "type": "Incident"},
    "tags": {"add_tags": ["parts_claim", "warranty_check"]},
    "retag": {"add_tags": ["parts_claim"], "remove_tags": ["vip"]},
    "group": {"to_group": "Hardware & Repairs", "type": "Incident"},
    "category": {"category": "Machine::No or weak beam", "add_tags": ["parts_claim"]},
}
