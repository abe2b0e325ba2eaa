"""The types that answers are declared with, and how they are told to who is to answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, Literal

AnswerKind = Literal[
    "id",
    "ref",
    "int",
    "number",
    "money",
    "datetime",
    "date",
    "duration",
    "enum",
    "set",
    "list",
    "object",
]


class BadAnswerType(ValueError):
    """Raised when an answer type is not fully declared."""


@dataclass(frozen=True, slots=True)
class AnswerType:
    """The type that a goal declares for its answer.

    `currency` is for money (expected in minor units), `zone` for moments without one, `unit` for
    durations given as numbers, `tolerance` in the answer's own unit (seconds for times), `options`
    for enums, `item` for sets and lists, `fields` for objects.

    Raises:
        BadAnswerType: money lacks a currency, an enum options, a collection its items' type.
    """

    kind: AnswerKind
    currency: str | None = None
    zone: str = "UTC"
    unit: timedelta = timedelta(minutes=1)
    tolerance: float = 0.0
    options: tuple[str, ...] = ()
    item: AnswerType | None = None
    fields: Mapping[str, AnswerType] = field(default_factory=dict)

    def __post_init__(self) -> None:
        missing = {
            "money": self.currency is None,
            "enum": not self.options,
            "set": self.item is None,
            "list": self.item is None,
            "object": not self.fields,
        }
        if missing.get(self.kind):
            raise BadAnswerType(f"an answer of kind {self.kind} is not fully declared")


# One JSON type where there is one way to say it: who offers tools to a model often allows no more.
# Neither currency nor zone is told: which one is right may be what was asked for.
SCALARS: Final[Mapping[AnswerKind, Mapping[str, Any]]] = {
    "id": {"type": ["string", "integer"], "description": "The identifier of one record."},
    "ref": {"type": "string", "description": "One name, key, number or address."},
    "int": {"type": "integer", "description": "A whole number."},
    "number": {"type": "number", "description": "A number."},
    "money": {
        "type": ["string", "number"],
        "description": "One sum: a number in major units, or a text with its currency.",
    },
    "datetime": {
        "type": "string",
        "description": "One moment by ISO 8601, date and time: 2026-01-31T09:30 and the like.",
    },
    "date": {"type": "string", "format": "date", "description": "One day: YYYY-MM-DD."},
    "duration": {
        "type": ["string", "number"],
        "description": "One length of time: a text with its unit, or a number of {unit}.",
    },
}
UNITS: Final = {1: "seconds", 60: "minutes", 3600: "hours", 86400: "days"}


def schema_of(kind: AnswerType) -> dict[str, Any]:
    """Return the JSON Schema of an answer type: its form, and nothing of what is right."""
    match kind.kind:
        case "enum":
            return {"type": "string", "enum": list(kind.options)}
        case "set" | "list" if kind.item is not None:
            told = "Each once, in any order." if kind.kind == "set" else "In their order."
            return {"type": "array", "items": schema_of(kind.item), "description": told}
        case "object":
            return {
                "type": "object",
                "properties": {name: schema_of(part) for name, part in kind.fields.items()},
                "required": list(kind.fields),
                "additionalProperties": False,
            }
        case _:
            scalar = dict(SCALARS[kind.kind])
            seconds = int(kind.unit.total_seconds())
            unit = UNITS.get(seconds, f"{seconds} seconds")
            return {**scalar, "description": scalar["description"].format(unit=unit)}
