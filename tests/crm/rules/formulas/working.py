"""Formulas worked out for one record that has a field of every type, filled and blank."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, tzinfo
from decimal import Decimal
from typing import Any

from clones.crm.rules.formulas import (
    Blanks,
    Checked,
    FieldType,
    FormulaCheckError,
    FormulaValueError,
    Kind,
    Place,
    Situation,
    Value,
    check,
    evaluate,
    fields_named,
    parse,
)

NOW = datetime(2026, 3, 1, 2, 30, 15, 250_000, tzinfo=UTC)
FIELDS: Mapping[str, FieldType] = {
    "Amount": FieldType(Kind.NUMBER),
    "Rate": FieldType(Kind.NUMBER, percent=True),
    "Name": FieldType(Kind.TEXT),
    "Due": FieldType(Kind.DATE),
    "Made": FieldType(Kind.DATETIME),
    "Opens": FieldType(Kind.TIME),
    "Closed": FieldType(Kind.BOOLEAN),
    "Place": FieldType(Kind.GEOLOCATION),
    "Stage": FieldType(Kind.PICKLIST, choices=("New", "Won")),
    "Topics": FieldType(Kind.MULTIPICKLIST, choices=("Tea", "Coffee", "Milk")),
    "NoAmount": FieldType(Kind.NUMBER),
    "NoRate": FieldType(Kind.NUMBER, percent=True),
    "NoName": FieldType(Kind.TEXT),
    "NoDue": FieldType(Kind.DATE),
    "NoMade": FieldType(Kind.DATETIME),
    "NoOpens": FieldType(Kind.TIME),
    "NoClosed": FieldType(Kind.BOOLEAN),
    "NoPlace": FieldType(Kind.GEOLOCATION),
    "NoStage": FieldType(Kind.PICKLIST),
    "NoTopics": FieldType(Kind.MULTIPICKLIST),
    "Account.Owner.Name": FieldType(Kind.TEXT),
    "$User.Alias": FieldType(Kind.TEXT),
    "Essay": FieldType(Kind.TEXT, unusable="Long Text Area"),
    "Big": FieldType(Kind.NUMBER, size=1200),
    "$ObjectType.Zip__c.Fields.State__c": FieldType(Kind.TEXT),
    "$ObjectType.Zip__c.Fields.Name": FieldType(Kind.TEXT),
    "$ObjectType.Account.Fields.Industry": FieldType(Kind.TEXT),
    "$ObjectType.Account.Fields.Name": FieldType(Kind.TEXT),
}
RECORD: Mapping[str, Any] = {
    "Amount": Decimal("1250.5"),
    "Rate": Decimal("12.5"),
    "Name": "Blue Harbour",
    "Due": date(2024, 2, 29),
    "Made": datetime(2024, 2, 29, 23, 15, 10, tzinfo=UTC),
    "Opens": time(9, 5, 7, 250_000),
    "Closed": True,
    "Place": (Decimal("52.52"), Decimal("13.405")),
    "Stage": "Won",
    "Topics": ["Tea", "Milk"],
    "Account.Owner.Name": "Ida",
    "$User.Alias": "ida",
    "Big": 7,
}


def checked(formula: str, *, returns: Kind | None = None, place: Place = Place.ANYWHERE) -> Checked:
    return check(parse(formula), returns=returns, fields=fields_named(FIELDS), place=place)


def reader(record: Mapping[str, Any]) -> Callable[[str], Any]:
    known = {path.lower(): value for path, value in record.items()}
    return lambda path: known.get(path.lower())


def value(
    formula: str,
    *,
    blanks: Blanks = Blanks.BLANKS,
    zone: tzinfo = UTC,
    prior: Mapping[str, Any] | None = None,
    record: Mapping[str, Any] = RECORD,
    **situation: Any,
) -> Value:
    return evaluate(
        checked(formula),
        reader(record),
        situation=Situation(
            now=NOW,
            zone=zone,
            blanks=blanks,
            prior=reader(prior) if prior is not None else None,
            **situation,
        ),
    )


def failure(formula: str, **situation: Any) -> FormulaValueError:
    """Return the error of a formula that has no value."""
    try:
        found = value(formula, **situation)
    except FormulaValueError as error:
        return error
    raise AssertionError(f"{formula} is {found!r}")


def refusal(
    formula: str, *, returns: Kind | None = None, place: Place = Place.ANYWHERE
) -> tuple[str, str]:
    """Return the name and the sentence of what is wrong with a formula."""
    try:
        checked(formula, returns=returns, place=place)
    except FormulaCheckError as error:
        return error.name, error.text
    raise AssertionError(f"{formula} can be saved")
