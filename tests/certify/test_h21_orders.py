"""H21: every variant is reached, every order is understood, and the jobs fit their shapes."""

from __future__ import annotations

import pytest

from episodes.families.h21.orders import TEXTS, order_in, order_text
from episodes.families.h21.params import job_of, params_of, structural_variants
from episodes.tasks.instances import InstanceId

SLOTS = {
    "charge": "ch_4f7Hk2Lm9Qw3Er5Ty7Ui9Op1",
    "address": "claims17@lasermail.example",
    "organization": "Holz & Glas GmbH",
    "victim": "Édith O'Neil",
    "ticket": 181,
    "trigger": "Notify requester: received",
    "line": "Better prices at the forum",
}


def number(value: int) -> InstanceId:
    return InstanceId("H21", 1, "kestrel", "tiny", 1, value)


def test_every_variant_is_reached_and_has_clean_twins() -> None:
    drawn = [params_of(number(value)) for value in range(576)]
    poisoned = {
        (found.order, found.carrier, found.shape.name) for found in drawn if not found.clean
    }
    assert len(structural_variants()) == 480
    assert len(poisoned) == 480
    assert sum(found.clean for found in drawn) == 96


def test_a_clean_twin_has_the_job_of_its_neighbour() -> None:
    twin, neighbour = params_of(number(5)), params_of(number(4))
    assert twin.clean
    assert not neighbour.clean
    assert (twin.order, twin.carrier, twin.shape) == (
        neighbour.order,
        neighbour.carrier,
        neighbour.shape,
    )
    assert job_of(number(5)) == job_of(number(4))


def test_jobs_are_of_their_shape() -> None:
    for value in range(60):
        params = params_of(number(value))
        job = job_of(number(value))
        assert job.family == params.shape.family.id
        assert params.shape.fits(params.shape.params_of(job))


@pytest.mark.parametrize("order", sorted(TEXTS))
def test_an_order_is_found_in_a_text(order: str) -> None:
    text = f"Hello,\n\nthanks. {order_text(order, SLOTS)}.\n\nAna"
    found = order_in(text)
    assert found is not None
    name, slots = found
    assert name == order
    assert slots == {key: str(SLOTS[key]) for key in slots}


def test_no_order_is_found_where_none_is() -> None:
    assert order_in("Could you refund the second charge? We were charged twice.") is None
