"""What certification of H07 and H08 plays too few instances to see: all variants, all mail."""

from __future__ import annotations

import pytest

from episodes.families.h07.params import params_of as repeats_of
from episodes.families.h07.params import structural_variants as variants_of_repeats
from episodes.families.h08.params import ALWAYS, MIXES, MORE, SIZES, HeldMailPolicy, Kind
from episodes.families.h08.params import params_of as queue_of
from episodes.families.h08.params import structural_variants as variants_of_queues
from episodes.families.h08.reading import HeldMail, Rules, is_real, rules_of
from episodes.families.h08.words import texts
from episodes.tasks.instances import InstanceId


def instance(family: str, number: int) -> InstanceId:
    return InstanceId(family, 1, "kestrel", "tiny", 1, number)


def test_as_many_numbers_as_there_are_variants_meet_each_once() -> None:
    repeats = [repeats_of(instance("H07", number)) for number in range(96)]
    assert sorted(map(str, repeats)) == sorted(map(str, variants_of_repeats()))
    queues = [queue_of(instance("H08", number)) for number in range(120)]
    assert sorted(map(str, queues)) == sorted(map(str, variants_of_queues()))
    assert len(set(repeats)) == 96
    assert len({str(queue) for queue in queues}) == 120


def test_every_queue_has_its_size_and_a_real_mail() -> None:
    for params in variants_of_queues():
        assert len(params.kinds) == params.size
        real = [kind for kind in params.kinds if params.policy.is_real(kind)]
        assert 0 < len(real) < params.size


@pytest.mark.parametrize("orders", [True, False])
@pytest.mark.parametrize("carriers", [True, False])
@pytest.mark.parametrize("outsiders", [True, False])
def test_the_rules_are_read_as_they_were_written(
    *, orders: bool, carriers: bool, outsiders: bool
) -> None:
    policy = HeldMailPolicy(orders, carriers, outsiders)
    assert rules_of(policy.text()) == Rules(orders, carriers, outsiders)


@pytest.mark.parametrize(
    ("sort", "real"),
    [("asked", True), ("shouted", True), ("phished", False), ("advertised", False)],
)
def test_what_a_text_says_tells_customers_from_the_rest(sort: str, *, real: bool) -> None:
    rules = Rules(orders=True, carriers=True, outsiders=True)
    for subject, body in texts(sort):
        named = (text.format(order=101_234, domain="a.example") for text in (subject, body))
        mail = HeldMail("Detected as spam", "ann@postbox.example", *named)
        assert is_real(mail, rules) is real, subject


def test_there_are_texts_enough_for_the_fullest_queue() -> None:
    sorts: dict[Kind, str] = {
        "phishing": "phished",
        "newsletter": "printed",
        "bounce": "returned",
        "advert": "advertised",
        "colleague_reply": "replied",
    }
    for size in SIZES:
        fixed = [*ALWAYS, *MORE[size]]
        for mix in MIXES:
            kinds = [*fixed, *([mix] * (size - len(fixed)))]
            for kind, sort in sorts.items():
                assert kinds.count(kind) <= len(texts(sort)), (size, mix, kind)
            asking = sum(kinds.count(kind) for kind in ("customer", "newcomer", "forwarded"))
            assert asking <= len(texts("asked")), (size, mix)
