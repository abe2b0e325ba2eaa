"""What a record fills in by itself before it is written, by its object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core import counters
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError
from clones.crm.models import rows_of
from clones.crm.rules.soql import Calendar, fiscal_year

_UTC: Final = ZoneInfo("UTC")
# The field of the number that records are counted by, how it is written, and the first of them.
_NUMBERS: Final = {
    "Case": ("CaseNumber", "{:08d}", 1_001),
    "Contract": ("ContractNumber", "{:08d}", 101),
    "Order": ("OrderNumber", "{:08d}", 101),
    "OrderItem": ("OrderItemNumber", "{:010d}", 1),
    "Quote": ("QuoteNumber", "{:08d}", 1),
    "QuoteLineItem": ("LineNumber", "{:08d}", 1),
    "ServiceContract": ("ContractNumber", "{:08d}", 1),
    "ContractLineItem": ("LineItemNumber", "{:08d}", 1),
    "OpportunitySplit": ("Split", "OS-{:06d}", 1),
    "Incident": ("IncidentNumber", "INC-{:09d}", 1),
    "Problem": ("ProblemNumber", "PRB-{:09d}", 1),
    "ChangeRequest": ("ChangeRequestNumber", "CR-{:09d}", 1),
    "IncidentRelatedItem": ("Name", "IRI-{:09d}", 1),
    "ProblemRelatedItem": ("Name", "PRI-{:09d}", 1),
    "ProblemIncident": ("Name", "PI-{:09d}", 1),
    "ChangeRequestRelatedItem": ("Name", "CRI-{:09d}", 1),
    "ChangeRequestRelatedIssue": ("Name", "CRRI-{:09d}", 1),
    "CaseRelatedIssue": ("Name", "CRI-{:09d}", 1),
}


@step(Stage.FILLING_IN)
def fill_in(change: Change) -> None:
    """Set the fields that follow from others, or from nothing but the order of records.

    Raises:
        RecordError: a value is none that the object's settings know.
    """
    numbered = _NUMBERS.get(change.of.name)
    if numbered is not None and change.is_new:
        name, form, first = numbered
        number = first - 1 + counters.take(f"crm.{change.of.name.lower()}.number")
        change.set(name, form.format(number))
    act = _ACTS.get(change.of.name)
    if act is not None:
        act(change)


def _person(change: Change) -> None:
    """Give a person the whole name: first and last."""
    parts = [change.get(name) for name in ("FirstName", "LastName")]
    change.set("Name", " ".join(part for part in parts if part) or None)


def _setting(name: str, **wanted: Any) -> Any:
    """Return the row of a settings object that has some values, None if there is none."""
    return rows_of(name).filter(**wanted).first()


def _opportunity(change: Change) -> None:
    """Take probability and forecast from the stage where it changed; what the caller said stays.

    The sum of an opportunity with products is theirs: another is ignored, as the vendor does.
    """
    if change.get("HasOpportunityLineItem") and "HasOpportunityLineItem" not in change.said:
        change.set("Amount", change.was("Amount"))
        change.set("TotalOpportunityQuantity", change.was("TotalOpportunityQuantity"))
        if not change.is_new and change.has_changed("Pricebook2Id"):
            raise RecordError(
                "FIELD_INTEGRITY_EXCEPTION",
                "field integrity exception: unknown (pricebook can't be changed while the"
                " opportunity has products)",
                ["Pricebook2Id"],
            )
    if change.has_changed("StageName") and change.get("StageName") is not None:
        stage = _setting("OpportunityStage", ApiName=change.get("StageName"))
        if stage is not None:
            taken = {
                "Probability": stage.DefaultProbability,
                "ForecastCategory": stage.ForecastCategory,
                "ForecastCategoryName": stage.ForecastCategoryName,
            }
            for name, value in taken.items():
                if name not in change.said:
                    change.set(name, value)
            change.set("IsClosed", stage.IsClosed)
            change.set("IsWon", stage.IsWon)
    if "ForecastCategoryName" in change.said:
        change.set("ForecastCategory", _category(change.get("ForecastCategoryName")))
    amount, chance = change.get("Amount"), change.get("Probability")
    expected = None if amount is None else round(amount * (chance or 0) / 100, 2)
    change.set("ExpectedRevenue", expected)
    if change.has_changed("CloseDate") and change.get("CloseDate") is not None:
        _fiscal(change)
    if change.is_new or change.has_changed("StageName"):
        change.set("LastStageChangeDate", change.now)


def _fiscal(change: Change) -> None:
    """Say in which quarter of the organization's fiscal years an opportunity is to be closed."""
    day = change.get("CloseDate")
    start, by_start = (
        rows_of("Organization")
        .values_list("FiscalYearStartMonth", "UsesStartDateAsFiscalYearName")
        .first()
    ) or (1, False)
    calendar = Calendar(change.now, _UTC, fiscal_start=start or 1, fiscal_named_by_end=not by_start)
    year = fiscal_year(day, calendar)
    quarter = (day.month - calendar.fiscal_start) % 12 // 3 + 1
    change.set("FiscalYear", year)
    change.set("FiscalQuarter", quarter)
    change.set("Fiscal", f"{year} {quarter}")


def _category(name: str | None) -> str | None:
    """Return the code of a forecast category that is known by its label."""
    names = {"Best Case": "BestCase", "Most Likely": "MostLikely", "Commit": "Forecast"}
    return None if name is None else names.get(name, name)


def _case(change: Change) -> None:
    """Close a case by its status, and say when."""
    if not change.has_changed("Status") or change.get("Status") is None:
        return
    status = _setting("CaseStatus", ApiName=change.get("Status"))
    closed = status is not None and status.IsClosed
    if closed != bool(change.get("IsClosed")):
        change.set("ClosedDate", change.now if closed else None)
    change.set("IsClosed", closed)


def _task(change: Change) -> None:
    """Close a task by its status; know the account of what it is about."""
    if change.has_changed("Status") and change.get("Status") is not None:
        status = _setting("TaskStatus", ApiName=change.get("Status"))
        closed = status is not None and status.IsClosed
        change.set("IsClosed", closed)
    if change.has_changed("Priority"):
        change.set("IsHighPriority", change.get("Priority") == "High")
    _about(change)


def _about(change: Change) -> None:
    """Know the account of an activity: the one it is about, or that of what or whom it is about."""
    if not change.has_changed("WhatId", "WhoId"):
        return
    what, who = change.get("WhatId"), change.get("WhoId")
    if who is not None and what is not None and who.startswith("00Q"):
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            "Related To ID: cannot specify a what id if the who id is a lead",
            ["WhatId"],
        )
    change.set("AccountId", _account_of(what) or _account_of(who))


def _account_of(id: str | None) -> str | None:
    by_prefix = {"006": "Opportunity", "500": "Case", "003": "Contact", "800": "Contract"}
    by_prefix |= {"801": "Order", "02i": "Asset"}
    if id is None or id.startswith("001"):
        return id
    name = by_prefix.get(id[:3])
    if name is None:
        return None
    found = rows_of(name).filter(Id=id).values_list("AccountId", flat=True).first()
    return None if found is None else str(found)


def _lead(change: Change) -> None:
    """Give a lead the whole name; nobody changes one that was converted."""
    if change.was("IsConverted"):
        raise RecordError("CANNOT_UPDATE_CONVERTED_LEAD", "cannot reference converted lead")
    _person(change)


def _user(change: Change) -> None:
    """Give a user the whole name, and what one has of whom nothing else was said."""
    _person(change)
    if change.is_new:
        nickname = str(change.get("Username") or "").partition("@")[0]
        usual = {"CommunityNickname": nickname[:40], "UserType": "Standard", "IsActive": True}
        for name, value in usual.items():
            if name not in change.said:
                change.set(name, value)


_ACTS: Final[dict[str, Callable[[Change], None]]] = {
    "Contact": _person,
    "User": _user,
    "Lead": _lead,
    "Opportunity": _opportunity,
    "Case": _case,
    "Task": _task,
    "Event": _about,
}
