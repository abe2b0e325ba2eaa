"""What an operation takes in: the bases of bodies and queries, and parameters that are lists.

A clone's own bases are a few lines: which keys they know (pydantic's `extra`), whether null is as
good as nothing (`null_is_absent`), and the largest number with what is said of a larger one
(`largest`, `too_large`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from clones.core.digits import whole_number
from clones.core.operations.brackets import listed

# The largest number that a column of a row has room for.
LARGEST: Final = 2**63 - 1

Item = TypeVar("Item")


class OperationInput(BaseModel):
    """What a request may say, as its operation declares it."""

    model_config = ConfigDict(defer_build=True)

    # Whether null counts as absent for a field that knows no null.
    null_is_absent: ClassVar[bool] = False
    # The largest whole number that is taken, None where the domain looks after that.
    largest: ClassVar[int | None] = None

    @classmethod
    def too_large(cls, name: str) -> Exception:
        """Return what a clone raises for a number beyond `largest`, by its name on the wire."""
        return ValueError(f"{name} is too large")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        if not cls.null_is_absent or not isinstance(given, dict) or None not in given.values():
            return given
        nulls = {key for key, value in given.items() if value is None} - _knowing_null(cls)
        return {key: value for key, value in given.items() if key not in nulls}

    @model_validator(mode="after")
    def _hold_numbers(self) -> Self:
        if self.largest is not None:
            for name in _beyond(self, self.largest):
                raise self.too_large(name)
        return self


class Body(OperationInput):
    """Base of a clone's bodies."""


class Query(OperationInput):
    """Base of a clone's queries: unknown parameters are ignored."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)


@cache
def _knowing_null(kind: type[OperationInput]) -> frozenset[str]:
    """Return the names and aliases of the fields that may be null."""
    fields = {
        name: field
        for name, field in kind.model_fields.items()
        if field.annotation is Any or NoneType in get_args(field.annotation)
    }
    return frozenset(fields) | {field.alias for field in fields.values() if field.alias}


def _beyond(model: BaseModel, largest: int) -> Iterator[str]:
    """Yield the names of whole numbers that are too large, or too small."""
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        for number in value if isinstance(value, list) else (value,):
            if isinstance(number, int) and abs(number) > largest:
                yield field.alias or name


@dataclass(frozen=True, slots=True)
class Commas:
    """Marks a list whose items stand between commas, in parameters given several times, or both.

    What is blank between two commas is left out, or is an item if it `keeps_blanks`; a parameter
    that says nothing at all has no items.
    """

    keeps_blanks: bool = False

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Split what is given before it is validated."""
        return core_schema.no_info_before_validator_function(self.items, handler(source))

    def items(self, given: Any) -> Any:
        """Return the items of a parameter; what is neither text nor a list as it is."""
        values = [given] if isinstance(given, str) else given
        if not isinstance(values, list):
            return given
        return [item for value in values for item in self._split(value)]

    def _split(self, value: Any) -> list[Any]:
        if not isinstance(value, str):
            return [value]
        if not value:
            return []
        pieces = [piece.strip() for piece in value.split(",")]
        return pieces if self.keeps_blanks else [piece for piece in pieces if piece]


@dataclass(frozen=True, slots=True)
class Brackets:
    """Marks a list that a form writes with brackets: `ids[]=1&ids[]=2`, or `ids[0]=1&ids[1]=2`."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Make a list before it is validated."""
        return core_schema.no_info_before_validator_function(self.items, handler(source))

    def items(self, given: Any) -> Any:
        """Return the items of a parameter.

        Raises:
            PydanticCustomError: `array`, it is no list.
        """
        found = listed(given)
        if not isinstance(found, list):
            raise PydanticCustomError("array", "no list")
        return found


def _digits(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    number = whole_number(value)
    if number is None:
        raise PydanticCustomError("digits", "no whole number")
    return number


CommaList = Annotated[list[Item], Commas()]
BracketList = Annotated[list[Item], Brackets()]
# A whole number in digits alone: no sign, no blanks, no fraction. Refused as `digits`.
Digits = Annotated[int, BeforeValidator(_digits)]


@cache
def list_parameters(model: type[BaseModel]) -> Mapping[str, Commas | Brackets | None]:
    """Return the parameters of a query that are lists, by their names on the wire.

    Each has its mark; one without is a list by being given several times, and nothing else.
    """
    found: dict[str, Commas | Brackets | None] = {}
    for name, field in model.model_fields.items():
        marks = [mark for mark in field.metadata if isinstance(mark, Commas | Brackets)]
        is_list, mark = _read(field.annotation)
        if is_list:
            found[field.alias or name] = marks[0] if marks else mark
    return found


def _read(annotation: Any) -> tuple[bool, Commas | Brackets | None]:
    """Tell whether a type is, or may be, a list; and return its mark."""
    if annotation is list or get_origin(annotation) is list:
        return True, None
    inner = [_read(part) for part in get_args(annotation)]
    marks = [part for part in get_args(annotation) if isinstance(part, Commas | Brackets)]
    marks += [mark for _, mark in inner if mark is not None]
    return any(is_list for is_list, _ in inner), marks[0] if marks else None
