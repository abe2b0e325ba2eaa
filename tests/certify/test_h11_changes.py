"""What certification does not see of H11: its reach, its wordings, what replies say."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest

from episodes.families.h11.checks import _tells
from episodes.families.h11.params import KINDS, params_of, structural_variants
from episodes.families.h11.reading import wanted_of
from episodes.families.h11.words import ASKS, request
from episodes.tasks.instances import InstanceId

VALUES = {
    "order": {"value": "14 Mill Lane, Greyham"},
    "contact": {"value": "+44 20 7946 0123", "given": "Anna"},
    "date": {"value": "07/08/2026", "code": "KLW-48213"},
    "amount": {"value": "3", "code": "KLW-48213"},
    "seat": {"value": "Mia Kern"},
    "address": {"value": "14 Mill Lane, Greyham"},
}
ORDER: dict[str, Any] = {
    "options": [{"ways": ["KLW-48213", "48213"]}, {"ways": ["KLW-51007", "51007"]}],
    "target": 0,
    "names": ["KLW-48213", "48213"],
    "value": ["14 Mill Lane, Greyham"],
}
DAY: dict[str, Any] = {
    "options": [{"ways": ["2026-07-08"]}, {"ways": ["2026-08-07"]}],
    "target": 1,
    "names": ["KLW-48213", "delivery", "order"],
    "value": ["2026-08-07"],
}


def numbered(number: int) -> InstanceId:
    return InstanceId("H11", 1, "kestrel", "tiny", 1, number)


def test_sixty_numbers_in_a_row_reach_every_variant() -> None:
    variants = structural_variants()
    assert len(variants) == len(set(variants)) == 60
    assert {params_of(numbered(number)) for number in range(60)} == set(variants)


def test_neighbours_differ_in_all_three() -> None:
    for one, other in itertools.pairwise(params_of(numbered(number)) for number in range(60)):
        assert one.kind != other.kind
        assert one.character != other.character


def test_what_is_meant_cannot_be_guessed() -> None:
    drawn = [numbered(number).chance("answer").randrange(2) for number in range(600)]
    assert 0.44 < sum(drawn) / len(drawn) < 0.56


@pytest.mark.parametrize("kind", KINDS)
def test_every_request_is_understood(kind: str) -> None:
    for variant in structural_variants():
        if variant.kind != kind:
            continue
        for seed in range(4 * len(ASKS[variant.kind])):
            text = request(variant, VALUES[kind], "Jo Bell", Random(seed))
            wanted = wanted_of(text)
            assert wanted.kind == kind
            assert wanted.value == VALUES[kind]["value"]
            assert wanted.code == VALUES[kind].get("code", "")
            assert wanted.given == VALUES[kind].get("given", "")


@pytest.mark.parametrize(
    "text",
    [
        "I have changed the delivery address of KLW-48213 to 14 Mill Lane, Greyham.",
        "Order 48213 now goes to 14 MILL LANE - Greyham. I have updated it. KLW-51007 stays as is.",
        "The change is made: order KLW-48213 goes to 14 Mill Lane Greyham.",
    ],
)
def test_replies_that_tell(text: str) -> None:
    assert _tells(text, ORDER)


@pytest.mark.parametrize(
    "text",
    [
        "I have changed the delivery address of KLW-51007 to 14 Mill Lane, Greyham.",
        "I have changed the address of KLW-48213 and KLW-51007 to 14 Mill Lane, Greyham.",
        "I have changed the delivery address of KLW-48213.",
        "I have changed the delivery address to 14 Mill Lane, Greyham.",
        "I will change the delivery address of KLW-48213 to 14 Mill Lane, Greyham.",
        "Shall I change the delivery address of KLW-48213 to 14 Mill Lane, Greyham?",
        "The delivery address of KLW-48213 was not changed to 14 Mill Lane, Greyham.",
        "Thank you, we are looking into KLW-48213 and 14 Mill Lane, Greyham.",
    ],
)
def test_replies_that_do_not_tell(text: str) -> None:
    assert not _tells(text, ORDER)


def test_a_day_is_told_when_it_can_be_read_in_one_way() -> None:
    assert _tells("I have moved the delivery to 7 August 2026.", DAY)
    assert _tells("Your delivery is now set for August 7.", DAY)
    assert not _tells("I have moved the delivery to 07/08/2026.", DAY)
    assert not _tells("I have moved the delivery to 8 July 2026.", DAY)
