"""Working out a checked formula for one record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, tzinfo
from decimal import Decimal, Overflow
from enum import Enum
from typing import Any, Final, Protocol, TypeAlias

from clones.crm.rules.formulas.checking import Checked
from clones.crm.rules.formulas.errors import LONGEST_TEXT, FormulaValueError, too_big
from clones.crm.rules.formulas.functions.signatures import Typed
from clones.crm.rules.formulas.nodes import (
    BooleanLiteral,
    FieldReference,
    NumberLiteral,
    TextLiteral,
    leans,
)
from clones.crm.rules.formulas.numbers import CONTEXT, REACH, ZERO, number_from_float
from clones.crm.rules.formulas.types import FieldType, Kind

# Characters of all texts that one working out makes.
MOST_CHARACTERS: Final = 4_000_000
_TEXTS: Final = frozenset({Kind.TEXT, Kind.PICKLIST, Kind.MULTIPICKLIST})
_HUNDREDTH: Final = Decimal("0.01")

Location: TypeAlias = tuple[Decimal, Decimal]
Value: TypeAlias = str | Decimal | bool | date | datetime | time | Location | None


class Blanks(Enum):
    """What a blank number is, as the formula's maker chose."""

    ZEROES = "BlankAsZero"
    BLANKS = "BlankAsBlank"


class Record(Protocol):
    """What finds the values of the fields that formulas name."""

    def __call__(self, path: str, /) -> Any:
        """Return the value at a path, None where it is blank or a record on the way is not there.

        It is a text, a number, a boolean, a day, a moment with its zone, a time of day, or a pair
        of latitude and longitude. Picklists give the text of their choice, those of several choices
        the texts with `;` between them. Percentages come as 45 for 45 %.
        """


Lookup: TypeAlias = Callable[[str, str, str], Value]


@dataclass(frozen=True, slots=True)
class Situation:
    """What a formula may ask beside its record.

    Attributes:
        now: the present moment, with its zone.
        zone: that of who looks; days are taken in it.
        blanks: what a blank number field is.
        prior: the record as it was before the change, for ISCHANGED and PRIORVALUE; where there is
            none, nothing has changed.
        is_new: the record is being created.
        is_clone: it is being created as a copy of another.
        session_id: what GETSESSIONID gives: that of who looks.
        vlookup: finds what VLOOKUP asks for, by object, field and name; None where there is none.
    """

    now: datetime
    zone: tzinfo = UTC
    blanks: Blanks = Blanks.ZEROES
    prior: Record | None = None
    is_new: bool = False
    is_clone: bool = False
    session_id: str = ""
    vlookup: Lookup | None = None


def evaluate(checked: Checked, record: Record, *, situation: Situation) -> Value:
    """Return the value of a formula for a record; blank texts are None.

    Numbers are decimals of up to 39 digits, not yet rounded to any scale, and 0.45 for 45 %: see
    `field_value` for what a field shows.

    Raises:
        FormulaValueError: it has none, such as where it divides by zero.
    """
    found = Evaluation(record, situation).value(checked.root)
    return None if found == "" else found


@dataclass(slots=True)
class Evaluation:
    """One working out: what lazy functions are given."""

    record: Record
    situation: Situation
    characters: int = field(default=0)

    def value(self, part: Typed) -> Any:
        """Return the value of a part: blank texts are "", other blanks None.

        Raises:
            FormulaValueError: it has none.
        """
        links: list[Typed] = []
        while leans(part.node):
            links.append(part)
            part = part.operands[0]
        found = self._value(part)
        while links:
            part = links.pop()
            found = self._called(part, [found, self.value(part.operands[1])])
        return found

    def read(self, part: Typed, record: Record) -> Any:
        """Return what a record has in a field, blanks told from zeroes whatever the formula's mode.

        Raises:
            FormulaValueError: it is no value of the field's type.
        """
        node, kind = part.node, part.field
        if not isinstance(node, FieldReference) or kind is None:
            raise FormulaValueError("Only a field can be read.")
        return _of_field(kind, record(node.path))

    def of_record(self, part: Typed, record: Record) -> Any:
        """Return what a record has in a field, in the formula's mode of blank numbers.

        Raises:
            FormulaValueError: it is no value of the field's type.
        """
        found = self.read(part, record)
        zeroes = self.situation.blanks is Blanks.ZEROES and part.kind is Kind.NUMBER
        return ZERO if found is None and zeroes else found

    def _value(self, part: Typed) -> Any:
        node = part.node
        if isinstance(node, FieldReference):
            return self.of_record(part, self.record)
        if isinstance(node, NumberLiteral):
            return _number_of(node.value)
        if isinstance(node, TextLiteral | BooleanLiteral):
            return node.value
        if part.function is None:
            return None
        if part.function.lazy:
            return self._told(part, lambda: part.function.run(self, part.operands))  # type: ignore[union-attr] # tested above
        return self._called(part, [self.value(operand) for operand in part.operands])

    def _called(self, part: Typed, values: list[Any]) -> Any:
        function = part.function
        assert function is not None  # noqa: S101 - operations and calls have one
        for index, value in enumerate(values):
            if value is None and Kind.TEXT in function.parameter(index):
                values[index] = ""
        if not function.blanks and any(value is None for value in values):
            return "" if part.kind in _TEXTS else None
        asked = (self.situation, *values) if function.situated else values
        return self._told(part, lambda: function.run(*asked))

    def _told(self, part: Typed, run: Callable[[], Any]) -> Any:
        """Return what a function gives, its troubles as the service's errors."""
        try:
            found = run()
        except Overflow as error:
            raise too_big("The result") from error
        except (ArithmeticError, ValueError) as error:
            raise FormulaValueError("No value can be worked out.") from error
        if part.kind not in _TEXTS:
            return found
        if found is None:
            return ""
        if len(found) > LONGEST_TEXT:
            raise too_big("The text")
        self.characters += len(found)
        if self.characters > MOST_CHARACTERS:
            raise too_big("What the formula makes")
        return found


def _of_field(kind: FieldType, value: Any) -> Any:
    if kind.kind in _TEXTS:
        return _text_of(value)
    if kind.kind is Kind.BOOLEAN:
        return bool(value)
    if value is None or kind.kind is not Kind.NUMBER:
        return value
    number = _number_of(value)
    if number is None:
        raise FormulaValueError(f"The value '{value}' is not a valid number.")
    return CONTEXT.multiply(number, _HUNDREDTH) if kind.percent else number


def _text_of(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else ";".join(map(str, value))


def _number_of(value: Any) -> Decimal | None:
    if isinstance(value, float):
        return number_from_float(value)
    if not isinstance(value, int | Decimal):
        return None
    number = Decimal(value)
    if not number.is_finite():
        return None
    if number and abs(number.adjusted()) >= REACH:
        raise too_big("The number")
    return CONTEXT.plus(number)
