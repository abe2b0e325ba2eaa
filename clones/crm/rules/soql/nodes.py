"""The parts of a SOQL query, as it was typed.

Nodes that say the same are equal, wherever they stood. Names keep the casing of the text; they are
matched without regard to it. Function names have the vendor's casing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from clones.crm.rules.soql.strings import decoded

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "LIKE"]
FieldGroup = Literal["ALL", "STANDARD", "CUSTOM"]
Grouping = Literal["plain", "rollup", "cube"]
CategorySelector = Literal["AT", "ABOVE", "BELOW", "ABOVE_OR_BELOW"]


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Where a part stands: offsets into the text, and the row and column (from 1) of its start."""

    start: int
    end: int
    row: int
    column: int


NOWHERE = TextSpan(0, 0, 1, 1)


@dataclass(frozen=True, slots=True)
class FieldPath:
    """A field, or a path to one over parents: `Account.Owner.Name` has three names."""

    names: tuple[str, ...]
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The path as it was typed."""
        return ".".join(self.names)


@dataclass(frozen=True, slots=True)
class StringValue:
    """A string literal. `raw` is what stands between the quotes, escapes and all."""

    raw: str
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The characters that the literal means outside LIKE."""
        return decoded(self.raw)


@dataclass(frozen=True, slots=True)
class NumberValue:
    """A number, as its digits."""

    text: str
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CurrencyValue:
    """An amount in a currency, `USD5000`."""

    currency: str
    amount: str
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The literal as it is written."""
        return self.currency + self.amount


@dataclass(frozen=True, slots=True)
class DateValue:
    """A calendar day, `2026-11-30`."""

    text: str
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DateTimeValue:
    """A moment with its offset, `2026-11-30T10:00:00Z`."""

    text: str
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TimeValue:
    """A time of day in UTC, `10:00:00.000Z`."""

    text: str
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BooleanValue:
    """TRUE or FALSE."""

    value: bool
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The keyword."""
        return "TRUE" if self.value else "FALSE"


@dataclass(frozen=True, slots=True)
class NullValue:
    """The keyword NULL."""

    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The keyword."""
        return "NULL"


@dataclass(frozen=True, slots=True)
class DateLiteral:
    """A stretch of time by its name: TODAY, or LAST_N_DAYS with `n`."""

    name: str
    n: int | None = None
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The literal as it is written."""
        return self.name if self.n is None else f"{self.name}:{self.n}"


LiteralValue: TypeAlias = (
    StringValue
    | NumberValue
    | CurrencyValue
    | DateValue
    | DateTimeValue
    | TimeValue
    | BooleanValue
    | NullValue
    | DateLiteral
)


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call of a function of the language; `COUNT()` has no arguments."""

    name: str
    arguments: tuple[Argument, ...] = ()
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)


Argument: TypeAlias = FieldPath | FunctionCall | NumberValue | StringValue
Operand: TypeAlias = FieldPath | FunctionCall


@dataclass(frozen=True, slots=True)
class SelectedField:
    """A field of the SELECT list, with an alias or None."""

    path: FieldPath
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class SelectedCall:
    """A function of the SELECT list, with an alias or None."""

    call: FunctionCall
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class SelectedGroup:
    """All fields of a kind: `FIELDS(STANDARD)`."""

    group: FieldGroup
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ChildSelect:
    """A subquery for the children of each record, in parentheses in the SELECT list."""

    query: Query


@dataclass(frozen=True, slots=True)
class TypeBranch:
    """WHEN a polymorphic parent is of a type, THEN these of its fields."""

    type: FieldPath
    fields: tuple[FieldPath, ...]


@dataclass(frozen=True, slots=True)
class TypeOf:
    """Fields of a polymorphic parent, by its type: `TYPEOF What WHEN ... END`."""

    path: FieldPath
    branches: tuple[TypeBranch, ...]
    otherwise: tuple[FieldPath, ...] = ()


SelectItem: TypeAlias = SelectedField | SelectedCall | SelectedGroup | ChildSelect | TypeOf


@dataclass(frozen=True, slots=True)
class Source:
    """What FROM names: an object, or in a subquery a child relationship; with an alias or None."""

    path: FieldPath
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field or function compared with one literal."""

    left: Operand
    operator: Operator
    value: LiteralValue


@dataclass(frozen=True, slots=True)
class InList:
    """A field or function that is (not) one of several literals."""

    left: Operand
    values: tuple[LiteralValue, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class SelectionTest:
    """INCLUDES (or EXCLUDES, if `negated`) of a multi-select picklist.

    Each value is a set of choices, separated by semicolons.
    """

    left: Operand
    values: tuple[LiteralValue, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class SemiJoin:
    """A field that is (not) among what another query finds."""

    left: Operand
    query: InnerSelect
    negated: bool = False


@dataclass(frozen=True, slots=True)
class InnerSelect:
    """The query of a semi-join: one field of one object."""

    operand: Operand
    source: Source
    where: Condition | None = None
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AllOf:
    """Conditions that must all hold: two or more."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Conditions of which one must hold: two or more."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """A condition that must not hold."""

    condition: Condition


Condition: TypeAlias = AllOf | AnyOf | Negation | Comparison | InList | SelectionTest | SemiJoin


@dataclass(frozen=True, slots=True)
class DataCategory:
    """A filter by data category: `Geography__c AT (france__c, usa__c)`."""

    group: str
    selector: CategorySelector
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupBy:
    """What the rows are grouped by, and which groups are kept."""

    keys: tuple[Operand, ...]
    kind: Grouping = "plain"
    having: Condition | None = None


@dataclass(frozen=True, slots=True)
class OrderItem:
    """A key to order by; without `nulls` the vendor's default counts."""

    key: Operand
    descending: bool = False
    nulls: Literal["FIRST", "LAST"] | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A whole SOQL query, or a subquery for children.

    `sources` has one entry, or more where parents are given aliases. `purposes` has what stands
    after FOR, `updates` what stands after UPDATE (TRACKING, VIEWSTAT), both in upper case. `source`
    is the text that was read, for excerpts.
    """

    select: tuple[SelectItem, ...]
    sources: tuple[Source, ...]
    scope: str | None = None
    where: Condition | None = None
    security_enforced: bool = False
    data_categories: tuple[DataCategory, ...] = ()
    group_by: GroupBy | None = None
    order_by: tuple[OrderItem, ...] = ()
    limit: int | None = None
    offset: int | None = None
    purposes: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    source: str = field(default="", compare=False, repr=False)


def conditions_in(condition: Condition | None) -> Iterator[Condition]:
    """Yield a condition and what it is made of, in the order of the text."""
    if condition is None:
        return
    yield condition
    if isinstance(condition, Negation):
        yield from conditions_in(condition.condition)
    elif isinstance(condition, AllOf | AnyOf):
        for part in condition.conditions:
            yield from conditions_in(part)
