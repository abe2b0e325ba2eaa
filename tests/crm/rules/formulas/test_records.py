from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from clones.crm.rules.formulas import Blanks, Value
from tests.crm.rules.formulas.working import RECORD, failure, value

D = Decimal
BEFORE: dict[str, Any] = {**RECORD, "Amount": D(10), "Stage": "New", "Topics": "Coffee"}
EXAMPLES: list[tuple[str, Any]] = [
    ("Account.Owner.Name", "Ida"),
    ("account.OWNER.name", "Ida"),
    ("$User.Alias", "ida"),
    ('ISPICKVAL(Stage, "Won")', True),
    ('ISPICKVAL(Stage, "won")', False),
    ('ISPICKVAL(NoStage, "")', True),
    ('ISPICKVAL(Stage, "")', False),
    ('INCLUDES(Topics, "Milk")', True),
    ('INCLUDES(Topics, "Coffee")', False),
    ('INCLUDES(NoTopics, "Tea")', False),
    ('INCLUDES(NoTopics, "")', True),
    ("PICKLISTCOUNT(Topics)", D(2)),
    ("PICKLISTCOUNT(NoTopics)", D(0)),
    ("GEOLOCATION(1, 2)", (D(1), D(2))),
    ("GEOLOCATION(NULL, NULL)", None),
    ('ROUND(DISTANCE(Place, GEOLOCATION(48.8566, 2.3522), "km"), 0)', D(877)),
    ('ROUND(DISTANCE(Place, GEOLOCATION(48.8566, 2.3522), "mi"), 0)', D(545)),
    ('DISTANCE(Place, Place, "km")', D(0)),
    ('DISTANCE(NoPlace, Place, "km")', None),
]
CHANGES: list[tuple[str, Any]] = [
    ("ISCHANGED(Amount)", True),
    ("ISCHANGED(Name)", False),
    ("ISCHANGED(Stage)", True),
    ("ISCHANGED(Topics)", True),
    ("ISCHANGED(NoAmount)", False),
    ("PRIORVALUE(Amount)", D(10)),
    ("PRIORVALUE(Name)", "Blue Harbour"),
    ('ISPICKVAL(PRIORVALUE(Stage), "New")', True),
    ('INCLUDES(PRIORVALUE(Topics), "Coffee")', True),
    ("TEXT(PRIORVALUE(Stage))", "New"),
    ('CASE(PRIORVALUE(Stage), "New", 1, 2)', D(1)),
    ("ISNEW()", False),
    ("ISCLONE()", False),
]


@pytest.mark.parametrize(("formula", "expected"), EXAMPLES)
def test_records_are_looked_at(formula: str, expected: Any) -> None:
    assert value(formula) == expected


@pytest.mark.parametrize(("formula", "expected"), CHANGES)
def test_a_change_is_told_from_what_was_before(formula: str, expected: Any) -> None:
    assert value(formula, prior=BEFORE) == expected


def test_a_session_is_that_of_who_looks() -> None:
    assert value("GETSESSIONID()", session_id="00D5!AQ") == "00D5!AQ"
    assert value("GETSESSIONID()") is None


def test_nothing_has_changed_on_a_new_record() -> None:
    assert value("ISCHANGED(Amount)", is_new=True) is False
    assert value("ISCHANGED(Amount)", prior=BEFORE, is_new=True) is False
    assert value("PRIORVALUE(Amount)", is_new=True) == D("1250.5")
    assert value("PRIORVALUE(Amount)", prior=BEFORE, is_new=True) == D("1250.5")
    assert value("ISNEW()", is_new=True) is True
    assert value("ISCLONE()", is_new=True, is_clone=True) is True


@pytest.mark.parametrize("blanks", Blanks)
def test_a_zero_that_becomes_blank_is_a_change_in_both_modes(blanks: Blanks) -> None:
    zero = {"NoAmount": D(0)}
    assert value("ISCHANGED(NoAmount)", prior=zero, blanks=blanks) is True
    assert value("ISCHANGED(NoAmount)", prior={}, record=zero, blanks=blanks) is True
    assert value("ISCHANGED(NoAmount)", prior={"NoAmount": D("0.0")}, record=zero) is False


def test_the_prior_value_of_a_blank_number_is_a_zero_where_blanks_are() -> None:
    assert value("PRIORVALUE(NoAmount)", prior={}, blanks=Blanks.ZEROES) == D(0)
    assert value("PRIORVALUE(NoAmount)", prior={}, blanks=Blanks.BLANKS) is None


def test_ends_of_lines_are_equal_however_they_are_written() -> None:
    assert value("ISCHANGED(Name)", prior={"Name": "a\r\nb"}, record={"Name": "a\nb"}) is False
    assert value("ISCHANGED(Name)", prior={"Name": "a\rb"}, record={"Name": "a\nb"}) is True


def test_a_record_of_a_custom_object_is_looked_up_by_its_name() -> None:
    asked = []

    def lookup(name: str, field: str, key: str) -> Value:
        asked.append((name, field, key))
        return "CA" if key == "94105" else None

    formula = "VLOOKUP($ObjectType.Zip__c.Fields.State__c, $ObjectType.Zip__c.Fields.Name, {})"
    assert value(formula.format('"94105"'), vlookup=lookup) == "CA"
    assert value(formula.format("NoName"), vlookup=lookup) is None
    assert asked == [("Zip__c", "State__c", "94105"), ("Zip__c", "State__c", "")]
    assert "looked up" in failure(formula.format("Name")).text


@pytest.mark.parametrize(
    "formula", ["GEOLOCATION(1, NULL)", "GEOLOCATION(91, 0)", "GEOLOCATION(0, 181)"]
)
def test_what_is_not_on_the_globe_is_an_error(formula: str) -> None:
    assert failure(formula).text
