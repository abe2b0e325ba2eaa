"""The CRM of a world: what holds of its rows, and that its deals are what the company sold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from clones.core import clock
from seeds.invariants import violations
from seeds.temporary import TemporaryWorld
from seeds.worlds import BuildReport
from tests.seeds.conftest import stored_world


@pytest.fixture(scope="module")
def store() -> Iterator[TemporaryWorld]:
    """The tiny world of seed 1."""
    with stored_world("tiny", 1) as world:
        yield world


@pytest.fixture
def world(store: TemporaryWorld) -> Iterator[BuildReport]:
    """That world, bound; what a test writes is undone."""
    with store.bound() as report:
        yield report


def rows(of: str, *names: str) -> list[tuple[Any, ...]]:
    """Return some fields of all records of an object."""
    from clones.crm.models import rows_of  # noqa: PLC0415 - the app may not be there

    return list(rows_of(of).order_by("Id").values_list(*names))


@pytest.mark.usefixtures("world")
def test_every_rule_of_rows_holds() -> None:
    assert list(violations()) == []


@pytest.mark.usefixtures("world")
def test_a_won_deal_is_a_sale_that_was_made() -> None:
    """Its machines stand with accounts, bought on the day that it was won."""
    won = {
        key: day for key, day, is_won in rows("Opportunity", "Id", "CloseDate", "IsWon") if is_won
    }
    bought = Counter(rows("Asset", "ProductCode", "PurchaseDate"))
    lines = rows("OpportunityLineItem", "OpportunityId", "ProductCode", "Quantity")
    sold = [(code, won[deal]) for deal, code, _ in lines if deal in won]
    assert len(won) > 10
    assert {deal for deal, _, _ in lines} >= set(won)
    assert sum(one in bought for one in sold) / len(sold) > 0.4
    orders = Counter(rows("Order", "AccountId", "EffectiveDate"))
    deals = rows("Opportunity", "AccountId", "CloseDate", "IsWon")
    assert orders == Counter((account, day) for account, day, is_won in deals if is_won)


def test_machines_are_those_of_the_helpdesk(world: BuildReport) -> None:
    from clones.helpdesk.models import CustomObjectRecord  # noqa: PLC0415 - as above

    registered = {
        record.name: record.custom_object_fields["purchase_date"]
        for record in CustomObjectRecord.objects.all()
    }
    wrong = {entry["new"]: entry["old"] for entry in world.ledger if entry["kind"] == "crm_serial"}
    large = {"HF30", "OS13"}
    shown = {
        wrong.get(serial, serial): f"{day}"
        for serial, code, day in rows("Asset", "SerialNumber", "ProductCode", "PurchaseDate")
        if code in large
    }
    assert shown
    assert shown.items() <= registered.items()


@pytest.mark.usefixtures("world")
def test_a_history_ends_where_the_deal_stands() -> None:
    now = clock.now()
    last: dict[Any, tuple[Any, Any]] = {}
    moments = sorted(rows("OpportunityHistory", "CreatedDate", "OpportunityId", "StageName"))
    for at, deal, stage in moments:
        assert at <= now
        last[deal] = (at, stage)
    deals = rows("Opportunity", "Id", "StageName", "LastModifiedDate")
    assert {deal: (changed, stage) for deal, stage, changed in deals} == last


@pytest.mark.usefixtures("world")
def test_records_are_not_as_clean_as_made_up_ones(world: BuildReport) -> None:
    ledger = Counter(entry["kind"] for entry in world.ledger)
    assert ledger["crm_contact_left"] > 0
    assert any(kind.startswith("crm_account_twice") for kind in ledger)
    pairs = rows("Account", "Industry", "NumberOfEmployees")
    missing = sum(industry is None for industry, _ in pairs) / len(pairs)
    assert 0.2 < missing < 0.6
    # What is missing is missing together.
    assert not any(industry is None and staff is not None for industry, staff in pairs)
    sources = Counter(value for (value,) in rows("Lead", "LeadSource"))
    shares = sorted((count / sum(sources.values()) for count in sources.values()), reverse=True)
    assert shares[0] > 2 * shares[2]


@pytest.mark.usefixtures("world")
def test_no_seat_has_a_colleagues_address() -> None:
    from clones.core.models import Account  # noqa: PLC0415 - as above

    seats = {str(login) for (login,) in rows("User", "Username")}
    others = set(Account.objects.exclude(clone__in=("crm", "mail")).values_list("login", flat=True))
    assert seats
    assert not seats & others
