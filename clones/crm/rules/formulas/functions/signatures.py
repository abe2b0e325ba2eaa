"""What a function or operator takes, what it gives, and how its table is written.

A table is filled by decorators:

    @TEXTS.function("LEFT", TEXT, NUMBER, gives=TEXT)
    def left(text: str, count: Decimal) -> str: ...

A plain function is called with values. Of these, texts are never None: a blank text is "". Where
any other value is blank, the result is blank and the function is not called; one that is marked
`blanks=True` is called all the same, with None in the place of what is blank (texts stay texts).
A function that must choose what to work out is marked `lazy=True`: it gets an `Evaluation` and the
operands themselves, see `clones.crm.rules.formulas.evaluating`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, TypeVar

from clones.crm.rules.formulas.errors import (
    function_named,
    illegal_argument_type,
    operator_named,
    picklist_misused,
    wrong_argument_count,
    wrong_argument_type,
)
from clones.crm.rules.formulas.nodes import FieldReference, Node
from clones.crm.rules.formulas.types import FieldType, Kind, Place

TEXT: Final = (Kind.TEXT,)
NUMBER: Final = (Kind.NUMBER,)
BOOLEAN: Final = (Kind.BOOLEAN,)
DATE: Final = (Kind.DATE,)
TIME: Final = (Kind.TIME,)
MOMENT: Final = (Kind.DATE, Kind.DATETIME)
GEOLOCATION: Final = (Kind.GEOLOCATION,)
# What can be compared, chosen between or shown to be blank.
PLAIN: Final = (
    Kind.TEXT, Kind.NUMBER, Kind.DATE, Kind.DATETIME, Kind.TIME, Kind.BOOLEAN, Kind.GEOLOCATION,
)  # fmt: skip
PICKS: Final = (Kind.PICKLIST, Kind.MULTIPICKLIST)

_Run = TypeVar("_Run", bound=Callable[..., Any])
Kinds: TypeAlias = tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Typed:
    """A part of a checked formula: its node, its type, and what it takes to work it out.

    Attributes:
        node: the node that it was made of.
        kind: the type of its value.
        function: of a call or an operation, what does it.
        operands: of a call or an operation, its parts.
        field: of a field, what its resolver said.
    """

    node: Node
    kind: Kind
    function: Function | None = None
    operands: tuple[Typed, ...] = ()
    field: FieldType | None = None


Checking: TypeAlias = Callable[["Function", Sequence[Typed], Node], Kind]


@dataclass(frozen=True, slots=True)
class Function:
    """A function or operator.

    Attributes:
        name: as it is written, in capitals.
        check: gives the type of the result for operands, or raises a FormulaCheckError.
        run: works it out; see this module for what it is called with.
        parameters: the types that its parameters take, the last for all that come after.
        overloads: of one that does different things to different types, these things.
        lazy, blanks: see this module.
        situated: it is called with the Situation first.
        places: where formulas may call it, None for everywhere.
        symbol: it is an operator.
    """

    name: str
    check: Checking
    run: Callable[..., Any]
    parameters: tuple[Kinds, ...] = ()
    overloads: tuple[Function, ...] = ()
    lazy: bool = False
    blanks: bool = False
    situated: bool = False
    places: frozenset[Place] | None = None
    symbol: bool = False

    def parameter(self, index: int) -> Kinds:
        """Return the types that a parameter takes, nothing where nothing is known of it."""
        return self.parameters[min(index, len(self.parameters) - 1)] if self.parameters else ()

    def accepts(self, operands: Sequence[Typed]) -> bool:
        """Tell whether operands have the types of as many parameters."""
        return len(operands) == len(self.parameters) and all(
            operand.kind is Kind.NULL or operand.kind in kinds
            for operand, kinds in zip(operands, self.parameters, strict=True)
        )

    @property
    def shown(self) -> str:
        """How sentences name it."""
        return operator_named(self.name) if self.symbol else function_named(self.name)


def names_of(kinds: Sequence[Kind]) -> str:
    """Return types as sentences list them."""
    return ", ".join(kind.value for kind in kinds)


def refuse_picklist(operand: Typed) -> None:
    """Refuse a picklist where only a plain value is taken.

    Raises:
        FormulaCheckError: it is one.
    """
    if operand.kind in PICKS:
        reference = operand.operands[0].node if operand.operands else operand.node
        raise picklist_misused(
            reference.path if isinstance(reference, FieldReference) else "",
            several=operand.kind is Kind.MULTIPICKLIST,
            at=operand.node.span.start,
        )


def require_kind(function: Function, operand: Typed, kinds: Sequence[Kind]) -> None:
    """Refuse an operand that has none of some types; NULL goes for all of them.

    Raises:
        FormulaCheckError: it has another.
    """
    if operand.kind is not Kind.NULL and operand.kind not in kinds:
        refuse_picklist(operand)
        raise wrong_argument_type(
            function.shown, names_of(kinds), operand.kind.value, at=operand.node.span.start
        )


def require_count(
    function: Function, operands: Sequence[Typed], least: int, most: int | None, at: int
) -> None:
    """Refuse too few or too many operands.

    Raises:
        FormulaCheckError: there are.
    """
    count = len(operands)
    if count < least:
        raise wrong_argument_count(function.shown, least, count, at=at)
    if most is not None and count > most:
        raise wrong_argument_count(function.shown, most, count, at=at)


def common_kind(function: Function, operands: Sequence[Typed]) -> Kind:
    """Return the one type of operands, NULL where all are.

    Raises:
        FormulaCheckError: two of them differ.
    """
    common = Kind.NULL
    for operand in operands:
        refuse_picklist(operand)
        if common is Kind.NULL:
            common = operand.kind
        elif operand.kind not in {Kind.NULL, common}:
            raise wrong_argument_type(
                function.shown, common.value, operand.kind.value, at=operand.node.span.start
            )
    return common


def taking(
    *parameters: Kinds,
    gives: Kind | None,
    optional: int = 0,
    repeats: bool = False,
    illegal: bool = False,
) -> Checking:
    """Return the check of a function with fixed parameters.

    Args:
        parameters: the types that each takes.
        gives: the type of the result, None for that of the first operand.
        optional: how many of the last parameters may be left out.
        repeats: the last parameter may come any number of times.
        illegal: the service refuses other types without saying which it takes.
    """

    def check(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
        least = len(parameters) - optional
        most = None if repeats else len(parameters)
        require_count(function, operands, least, most, node.span.start)
        for index, operand in enumerate(operands):
            kinds = parameters[min(index, len(parameters) - 1)]
            if illegal and operand.kind not in {Kind.NULL, *kinds, *PICKS}:
                raise illegal_argument_type(function.shown, at=operand.node.span.start)
            require_kind(function, operand, kinds)
        return gives if gives is not None else operands[0].kind

    return check


class Table:
    """The functions of one subject."""

    def __init__(self, *, symbols: bool = False) -> None:
        self.functions: dict[str, Function] = {}
        self._symbols = symbols

    def function(
        self,
        name: str,
        *parameters: Kinds,
        gives: Kind | None = None,
        optional: int = 0,
        repeats: bool = False,
        illegal: bool = False,
        **options: Any,
    ) -> Callable[[_Run], _Run]:
        """Return a decorator that adds a function with fixed parameters: see `taking`."""
        check = taking(
            *parameters, gives=gives, optional=optional, repeats=repeats, illegal=illegal
        )
        return self.checked(name, check, parameters=parameters, **options)

    def checked(self, name: str, check: Checking, **options: Any) -> Callable[[_Run], _Run]:
        """Return a decorator that adds a function with a check of its own."""

        def add(run: _Run) -> _Run:
            self.functions[name] = Function(name, check, run, symbol=self._symbols, **options)
            return run

        return add

    def overload(
        self, name: str, *parameters: Kinds, gives: Kind, mismatch: Checking | None = None
    ) -> Callable[[_Run], _Run]:
        """Return a decorator that adds what a function does to operands of some types.

        Args:
            name: that of the function; what is added first is tried first.
            parameters: the types of the operands, all of them needed.
            gives: the type of the result.
            mismatch: what says why operands go with no overload, where it is not the last one.
        """
        check = taking(*parameters, gives=gives)

        def add(run: _Run) -> _Run:
            own = Function(name, check, run, parameters, symbol=self._symbols)
            before = self.functions.get(name)
            known = before.overloads if before is not None else ()
            refuse = mismatch or (before.check if before is not None else check)
            self.functions[name] = replace(own, check=refuse, overloads=(*known, own))
            return run

        return add
