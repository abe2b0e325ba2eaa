"""The CRM of a world: what holds of its rows, and that its deals are what the company sold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from clones.core import clock
from seeds.invariants import violations
from seeds.temporary import TemporaryWorld, temporary_store
from seeds.worlds import BuildReport


@pytest.fixture(scope="module")
def store() -> Iterator[TemporaryWorld]:
    """The tiny world of seed 1, built here."""
    with temporary_store("kestrel", "tiny", 1) as world:
        yield world


@pytest.fixture
def world(store: TemporaryWorld) -> Iterator[BuildReport]:
    """That world, bound; what a test writes is undone."""
    with store.bound() as report:
        yield report


def rows(of: str, *names: str) -> list[tuple[object, ...]]:
    """Return some fields of all records of an object."""
    from clones.crm.models import rows_of  # noqa: PLC0415 - the app may not be there

    return list(rows_of(of).order_by("Id").values_list(*names))


@pytest.mark.usefixtures("world")
def test_every_rule_of_rows_holds() -> None:
    assert list(violations()) == []


@pytest.mark.usefixtures("world")
def test_a_won_deal_is_a_sale_that_the_helpdesk_shows() -> None:
    from clones.helpdesk.models import CustomObjectRecord  # noqa: PLC0415 - as above

    won = {key for key, is_won in rows("Opportunity", "Id", "IsWon") if is_won}
    codes = {code for code, deal in rows("OpportunityLineItem", "ProductCode", "OpportunityId")}
    assert len(won) > 20
    machines = [record.name for record in CustomObjectRecord.objects.all()]
    assert machines
    # A serial number begins with the code of its machine.
    assert {serial.split("-")[0] for serial in machines} <= codes


@pytest.mark.usefixtures("world")
def test_a_history_ends_where_the_deal_stands() -> None:
    now = clock.now()
    last: dict[object, tuple[object, object]] = {}
    moments = sorted(rows("OpportunityHistory", "CreatedDate", "OpportunityId", "StageName"))
    for at, deal, stage in moments:
        assert at <= now  # type: ignore[operator]
        last[deal] = (at, stage)
    deals = rows("Opportunity", "Id", "StageName", "LastModifiedDate")
    assert {deal: (changed, stage) for deal, stage, changed in deals} == last


@pytest.mark.usefixtures("world")
def test_records_are_not_as_clean_as_made_up_ones(world: BuildReport) -> None:
    ledger = Counter(entry["kind"] for entry in world.ledger)
    assert ledger["crm_contact_left"] > 0
    assert ledger["crm_account_twice"] > 0
    industries = [value for (value,) in rows("Account", "Industry")]
    cities = [value for (value,) in rows("Account", "BillingCity")]
    missing = sum(value is None for value in industries) / len(industries)
    assert 0.08 < missing < 0.4
    # What is missing is missing together.
    together = sum(a is None and b is None for a, b in zip(industries, cities, strict=True))
    assert together / sum(value is None for value in industries) > 0.7
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
