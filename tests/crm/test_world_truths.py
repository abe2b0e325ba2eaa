"""What the CRM of a world says happened, happened: in its own records and in the other clones'."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

import pytest

from clones.core import clock
from seeds.temporary import TemporaryWorld
from seeds.worlds import BuildReport
from tests.crm.test_world import rows
from tests.seeds.conftest import stored_world

# What would be another app's to show: tickets, issues, orders, returns, charges, sums, days.
NAMED_ELSEWHERE = re.compile(
    r"#\d|\b(?:KL|RMA|INV|[A-Z]{2,5})-\d|\bch_|[€£$]\s?\d|\d\s?(?:EUR|GBP|USD)\b|refund|invoice"
    r"|\bticket|\b\d{1,2}(?:st|nd|rd|th)? (?:January|February|March|April|May|June|July|August"
    r"|September|October|November|December)",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def store() -> Iterator[TemporaryWorld]:
    """The small world of seed 1."""
    with stored_world("small", 1) as world:
        yield world


@pytest.fixture
def world(store: TemporaryWorld) -> Iterator[BuildReport]:
    """That world, bound; what a test writes is undone."""
    with store.bound() as report:
        yield report


def wrong(world: BuildReport, *kinds: str) -> set[str]:
    """Return the ids of the records that the ledger has under some kinds."""
    return {entry["key"] for entry in world.ledger if entry["kind"] in kinds}


def custom(of: str, name: str) -> dict[Any, Any]:
    """Return the values of a custom field by the ids of their records."""
    from clones.crm.models import CustomField, CustomValues  # noqa: PLC0415 - as above

    slot = CustomField.objects.values_list("slot", flat=True).get(object=of, name=name)
    kept: Any = CustomValues
    prefix = rows(of, "Id")[0][0]
    found = kept.objects.filter(Id__startswith=str(prefix)[:3]).exclude(**{str(slot): None})
    return dict(found.values_list("Id", str(slot)))


def test_a_case_says_what_the_helpdesk_says(world: BuildReport) -> None:
    from clones.helpdesk.models import Ticket  # noqa: PLC0415 - as above

    apart = wrong(world, "crm_case_ticket", "crm_case_open")
    named = {key: int(number) for key, number in custom("Case", "Helpdesk_Ticket__c").items()}
    tickets = Ticket.objects.in_bulk(list(named.values()))
    cases = {key: more for key, *more in rows("Case", "Id", "IsClosed", "CreatedDate")}
    checked = 0
    for key, number in named.items():
        is_closed, created = cases[key]
        assert number in tickets
        if key in apart:
            continue
        ticket = tickets[number]
        assert ticket.created_at <= created
        if is_closed:
            assert ticket.status in ("solved", "closed")
        else:
            # Who looks after it may be some minutes late.
            late = ticket.updated_at > clock.now() - (clock.now() - created) / 2
            assert ticket.status not in ("solved", "closed") or late
        checked += 1
    assert checked > 20


def test_people_of_activities_are_of_the_deals_firm(world: BuildReport) -> None:
    apart = wrong(world, "crm_mail_elsewhere", "crm_contact_orphan")
    firms: dict[Any, Any] = dict(rows("Contact", "Id", "AccountId"))
    deals = {key: more for key, *more in rows("Opportunity", "Id", "AccountId")}
    checked = 0
    for of in ("Task", "Event"):
        for key, who, what, account in rows(of, "Id", "WhoId", "WhatId", "AccountId"):
            if what in deals and key not in apart:
                assert account == deals[what][0]
                if who is not None and who not in apart:
                    assert firms[who] == account
                    checked += 1
    assert checked > 1_000


def test_what_was_done_about_a_deal_was_done_while_it_ran(world: BuildReport) -> None:
    apart = wrong(world, "crm_mail_elsewhere")
    now = clock.now()
    deals = {
        key: more
        for key, *more in rows("Opportunity", "Id", "CreatedDate", "IsClosed", "CloseDate")
    }
    began: dict[Any, Any] = dict(rows("Lead", "ConvertedOpportunityId", "CreatedDate"))
    checked = 0
    columns = ("Id", "WhatId", "CreatedDate", "ActivityDate", "IsClosed")
    for key, what, created, day, is_done in rows("Task", *columns):
        if what not in deals or not is_done or key in apart:
            continue
        first, is_closed, last = deals[what]
        assert min(first, began.get(what, first)) <= created <= now
        assert day == created.date()
        if is_closed:
            assert day <= last
        checked += 1
    assert checked > 1_000


@pytest.mark.usefixtures("world")
def test_histories_walk_to_where_the_deals_stand() -> None:
    columns = ("OpportunityId", "StageName", "Amount", "CloseDate", "Probability")
    last = {key: more for key, *more in rows("OpportunityHistory", *columns)}
    seen = defaultdict(list)
    for at, key in rows("OpportunityHistory", "CreatedDate", "OpportunityId"):
        seen[key].append(at)
    deals = rows("Opportunity", "Id", *columns[1:], "CreatedDate")
    assert len(deals) > 300
    for key, *more, created in deals:
        assert last[key] == more
        assert sorted(seen[key]) == seen[key]
        assert seen[key][0] == created


@pytest.mark.usefixtures("world")
def test_words_name_nothing_that_another_app_would_show() -> None:
    said = 0
    for of in ("Task", "Event"):
        for subject, text in rows(of, "Subject", "Description"):
            words = f"{subject} {text or ''}"
            assert not NAMED_ELSEWHERE.search(words), words
            said += 1
    assert said > 4_000


@pytest.mark.usefixtures("world")
def test_orders_have_the_numbers_of_the_shop() -> None:
    from clones.billing.models import Charge  # noqa: PLC0415 - as above

    known = {charge.metadata.get("order") for charge in Charge.objects.all()}
    numbers = {number for (number,) in rows("Order", "OrderReferenceNumber") if number}
    assert numbers
    assert numbers <= known


def test_records_that_are_there_twice_are_in_the_ledger(world: BuildReport) -> None:
    kinds = {entry["kind"] for entry in world.ledger}
    for kind in ("account_twice_spelling", "contact_twice_nickname", "lead_twice_typo"):
        assert f"crm_{kind}" in kinds
    people: dict[Any, Any] = dict(rows("Contact", "Id", "LastName"))
    for entry in world.ledger:
        if entry["kind"].startswith("crm_contact_twice_"):
            assert entry["old"] in people
            assert entry["new"] in people


def test_the_ledger_says_what_rows_say(world: BuildReport) -> None:
    """A value that is not true stands in its row as the ledger has it."""
    checked = 0
    tables = {"crm_account": "Account", "crm_contact": "Contact", "crm_asset": "Asset"}
    for entry in world.ledger:
        of = tables.get(entry["table"])
        if of is None or "twice" in entry["kind"] or entry["kind"] == "crm_import":
            continue
        if entry["field"] in ("Email", "Phone", "Name", "SerialNumber", "Website", "LastName"):
            (value,) = [
                value for key, value in rows(of, "Id", entry["field"]) if key == entry["key"]
            ]
            assert value == entry["new"], entry
            checked += 1
    assert checked > 50


@pytest.mark.usefixtures("world")
def test_histories_of_fields_are_kept_as_the_clone_keeps_them() -> None:
    from clones.crm.rules.shown_values import any_value  # noqa: PLC0415 - as above

    stages = defaultdict(list)
    columns = ("CreatedDate", "OpportunityId", "Field", "OldValue", "NewValue")
    kept = rows("OpportunityFieldHistory", *columns)
    for _, key, name, old, new in sorted(kept, key=itemgetter(0)):
        if name == "StageName":
            stages[key].append((any_value(old), any_value(new)))
    assert len(stages) > 200
    standing = dict(rows("Opportunity", "Id", "StageName"))
    for key, changes in stages.items():
        assert changes[-1][1] == standing[key]
    made = {key for _, key, name, *_ in kept if name == "created"}
    assert made == standing.keys()
