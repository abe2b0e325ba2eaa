"""The types of values in formulas and of the fields they name, and the places of formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Kind(Enum):
    """The type of a value, by the name that the service's sentences have for it."""

    TEXT = "Text"
    NUMBER = "Number"
    DATE = "Date"
    DATETIME = "DateTime"
    TIME = "Time"
    BOOLEAN = "Boolean"
    GEOLOCATION = "Geolocation"
    NULL = "Null"
    PICKLIST = "Picklist"
    MULTIPICKLIST = "Multi-Select Picklist"


@dataclass(frozen=True, slots=True)
class FieldType:
    """What a formula must know of a field.

    Attributes:
        kind: the type of its values; currencies and percentages are numbers.
        percent: its records hold 45 where the formula sees 0.45.
        choices: the values of a picklist, None where any value goes.
        unusable: the service's name of a type that no formula can use, such as "Long Text Area".
        size: the compiled size (`Checked.size`) of a formula field's own formula.
    """

    kind: Kind
    percent: bool = False
    choices: tuple[str, ...] | None = None
    unusable: str | None = None
    size: int = 0


class FieldResolver(Protocol):
    """What finds the fields that formulas name."""

    def __call__(self, path: str, /) -> FieldType | None:
        """Return what stands at a path, as typed; None where there is nothing."""


def fields_named(fields: Mapping[str, FieldType]) -> FieldResolver:
    """Return a resolver of fields by their paths, in any case of letters."""
    known = {path.lower(): kind for path, kind in fields.items()}
    return lambda path: known.get(path.lower())


class Place(Enum):
    """Where a formula stands: some functions are only for some of these."""

    FIELD = "formula field"
    DEFAULT = "default value"
    VALIDATION = "validation rule"
    WORKFLOW = "workflow or flow criteria"
    ASSIGNMENT = "assignment or escalation rule"
    FIELD_UPDATE = "field update"
    BUTTON = "custom button or link"
    ANYWHERE = "anywhere"
