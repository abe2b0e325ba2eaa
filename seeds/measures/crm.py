"""Measures of the CRM: records that are there twice, what is missing, pipeline, decay.

Which records are there twice, which addresses are dead and what contradicts other systems is told
by the ledger; everything else is counted in the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import combinations
from typing import Any

from clones.core import clock
from clones.crm.models import CustomField, CustomValues, rows_of
from seeds.measures.statistics import quantile

# Fields that people are asked for, by object: what is filled by the system is not among them.
ASKED: Mapping[str, tuple[str, ...]] = {
    "Account": (
        *("Phone", "Website", "Industry", "NumberOfEmployees", "AnnualRevenue", "AccountSource"),
        *("BillingStreet", "BillingCity", "BillingPostalCode", "BillingCountry", "Type", "Name"),
    ),
    "Contact": (
        *("FirstName", "LastName", "Email", "Phone", "Title", "LeadSource", "AccountId"),
        *("MailingStreet", "MailingCity", "MailingPostalCode", "MailingCountry"),
    ),
    "Lead": (
        *("FirstName", "LastName", "Company", "Email", "Phone", "Title", "City", "Country"),
        *("LeadSource", "Rating", "Status"),
    ),
    "Opportunity": (
        *("Name", "AccountId", "Amount", "CloseDate", "StageName", "Type", "LeadSource"),
        *("NextStep", "ContactId"),
    ),
}
MISSING, TOGETHER, DEAD = 0.2, 0.6, 0.99
LATELY = timedelta(days=60)
BOUNCING = ("crm_email_dead", "crm_contact_left")
Entry = Mapping[str, Any]


def crm_properties(ledger: Sequence[Entry]) -> dict[str, float]:
    """Return the properties of the CRM of the bound store, by name."""
    found: dict[str, float] = {}
    twice = 0
    by_mail = 0
    for of, kind in (("Account", "account"), ("Contact", "contact"), ("Lead", "lead")):
        pairs = [one for one in ledger if one["kind"].startswith(f"crm_{kind}_twice_")]
        found[f"30 {kind}s twice"] = len(pairs) / rows_of(of).count()
        twice += len(pairs)
        by_mail += sum(_same_mail(of, pairs))
    found["30 records twice, by exact mail"] = by_mail / twice
    found["31 fields missing"], found["31 missing together"] = _blanks()
    found["32 converted with title"] = _informative()
    found["33 dead fields of the CRM"] = _dead_fields()
    found |= _pipeline()
    found |= _owners()
    mails = dict(rows_of("Contact").exclude(Email=None).values_list("Id", "Email"))
    dead = {one["key"] for one in ledger if one["kind"] in BOUNCING and one["key"] in mails}
    found["36 dead addresses"] = len(dead) / len(mails)
    names = [one["kind"] for one in ledger if one["kind"].startswith("crm_")]
    kinds = {name.partition("_twice_")[0] for name in names}
    found["40 kinds of contradiction of the CRM"] = len(kinds)
    found |= _cases(ledger)
    return found | _activities()


def _same_mail(of: str, pairs: Sequence[Entry]) -> list[bool]:
    """Tell of each pair whether both have the same address; accounts have none."""
    if of == "Account":
        return [False] * len(pairs)
    mails: dict[str, str | None] = {}
    for object_ in ("Contact", "Lead"):
        mails |= dict(rows_of(object_).values_list("Id", "Email"))
    return [
        mails.get(one["old"]) is not None and mails.get(one["old"]) == mails.get(one["new"])
        for one in pairs
    ]


def _blanks() -> tuple[float, float]:
    """Return the share of fields that often miss, and how many pairs of them miss together."""
    often = pairs = fields = 0
    for of, names in ASKED.items():
        rows = [
            [value is None for value in row]
            for row in rows_of(of).order_by("Id").values_list(*names)
        ]
        columns = list(zip(*rows, strict=True))
        fields += len(columns)
        often += sum(sum(column) > MISSING * len(column) for column in columns)
        partly = [column for column in columns if 0 < sum(column) < len(column)]
        pairs += sum(_correlation(one, other) > TOGETHER for one, other in combinations(partly, 2))
    return often / fields, float(pairs)


def _correlation(one: Sequence[bool], other: Sequence[bool]) -> float:
    count = len(one)
    first, second = sum(one) / count, sum(other) / count
    both = sum(a and b for a, b in zip(one, other, strict=True)) / count
    spread = (first * (1 - first) * second * (1 - second)) ** 0.5
    return float((both - first * second) / spread)


def _informative() -> float:
    """Return how much likelier a lead with a title was converted than one without."""
    rows = list(rows_of("Lead").values_list("Title", "IsConverted"))
    with_title = [converted for title, converted in rows if title is not None]
    without = [converted for title, converted in rows if title is None]
    rate = sum(without) / len(without)
    return float(sum(with_title) / len(with_title) / rate) if rate else 0.0


def _dead_fields() -> float:
    """Return the share of custom fields of standard objects with one value or none nearly ever."""
    rows = CustomField.objects.exclude(object__endswith="__c").exclude(slot=None)
    found = list(rows.order_by("id").values_list("object", "slot"))
    kept: Any = CustomValues
    dead = 0
    for of, slot in found:
        prefix = rows_of(of).model.sobject.prefix
        values = kept.objects.filter(Id__startswith=prefix).exclude(**{str(slot): None})
        counts = Counter(values.values_list(str(slot), flat=True))
        counts[None] = rows_of(of).count() - counts.total()
        dead += max(counts.values()) > DEAD * counts.total()
    return dead / len(found)


def _pipeline() -> dict[str, float]:
    """Return the properties of deals."""
    today = clock.now().date()
    columns = ("Id", "IsClosed", "IsWon", "Amount", "CloseDate", "LastActivityDate")
    rows = list(rows_of("Opportunity").order_by("Id").values(*columns))
    standing = [row for row in rows if not row["IsClosed"]]
    decided = [row for row in rows if row["IsClosed"]]
    past = sum(row["CloseDate"] < today for row in standing)
    untouched = sum(
        row["LastActivityDate"] is None or row["LastActivityDate"] < today - LATELY
        for row in standing
    )
    sums = [row["Amount"] or 0.0 for row in decided]
    middle = quantile(sums, 0.5)
    small = [row["IsWon"] for row in decided if (row["Amount"] or 0.0) < middle]
    large = [row["IsWon"] for row in decided if (row["Amount"] or 0.0) >= middle]
    rate = sum(large) / len(large)
    return {
        "34 stale pipeline": past / len(standing),
        "34 untouched pipeline": untouched / len(standing),
        "35 win rate": sum(row["IsWon"] for row in decided) / len(decided),
        "35 win rate, small over large": sum(small) / len(small) / rate if rate else 0.0,
    }


def _owners() -> dict[str, float]:
    """Return the share of accounts whose owner has left, and of leads that wait in a queue."""
    gone = set(rows_of("User").filter(IsActive=False).values_list("Id", flat=True))
    owners = list(rows_of("Account").values_list("OwnerId", flat=True))
    leads = list(rows_of("Lead").values_list("OwnerId", flat=True))
    return {
        "accounts of who left": sum(owner in gone for owner in owners) / len(owners),
        "leads in a queue": sum(owner.startswith("00G") for owner in leads) / len(leads),
    }


def _cases(ledger: Sequence[Entry]) -> dict[str, float]:
    """Return the share of cases that name a ticket, and of those a wrong one."""
    count = rows_of("Case").count()
    slot = CustomField.objects.values_list("slot", flat=True).get(name="Helpdesk_Ticket__c")
    kept: Any = CustomValues
    named = kept.objects.filter(Id__startswith="500").exclude(**{str(slot): None}).count()
    wrong = sum(one["kind"] == "crm_case_ticket" for one in ledger)
    return {"40 cases that name a ticket": named / count, "40 wrong tickets": wrong / named}


def _activities() -> dict[str, float]:
    """Return how many activities deals have, by how they ended, and the share that has none."""
    counts: Counter[str] = Counter()
    for of in ("Task", "Event"):
        counts.update(rows_of(of).filter(WhatId__startswith="006").values_list("WhatId", flat=True))
    rows = list(rows_of("Opportunity").values_list("Id", "IsClosed", "IsWon"))
    won = [counts[key] for key, _, is_won in rows if is_won]
    lost = [counts[key] for key, closed, is_won in rows if closed and not is_won]
    return {
        "activities of won deals": sum(won) / len(won),
        "activities of lost deals": sum(lost) / len(lost),
        "deals without activity": sum(counts[key] == 0 for key, _, _ in rows) / len(rows),
    }
