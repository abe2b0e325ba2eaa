"""The kinds of parameters, as they come over the wire: text, whatever they mean.

Each model refuses what it does not name; `clones.billing.api.errors` words the refusals.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from clones.core.digits import whole_number
from clones.core.operations.inputs import LARGEST, BracketList, OperationInput


def _filled(value: Any) -> Any:
    if value == "":
        raise PydanticCustomError("empty", "nothing can be unset here")
    if isinstance(value, str) and "\x00" in value:
        raise PydanticCustomError("unkeepable", "text with a NUL")
    return value


def _keepable(value: Any) -> Any:
    if isinstance(value, str) and "\x00" in value:
        raise PydanticCustomError("unkeepable", "text with a NUL")
    return value


def _integer(value: Any) -> Any:
    _filled(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    number = whole_number(value, digits=19, signed=True) if isinstance(value, str) else None
    if number is None or abs(number) > LARGEST:
        raise PydanticCustomError("integer", "no whole number")
    return number


def _boolean(value: Any) -> Any:
    _filled(value)
    if isinstance(value, bool):
        return value
    if value not in ("true", "false"):
        raise PydanticCustomError("boolean", "neither true nor false")
    return value == "true"


def _metadata(value: Any) -> Any:
    """Take an object of texts; "" unsets every key."""
    if value == "":
        return value
    if not isinstance(value, dict):
        raise PydanticCustomError("object", "no object")
    for key, text in value.items():
        if not isinstance(text, str):
            raise PydanticCustomError("text", "{key} is no text", {"key": key})
        _keepable(key + text)
    return value


def _moment(value: Any) -> Any:
    number = _integer(value)
    if not 0 <= number <= 253402300799:
        raise PydanticCustomError("integer", "no moment")
    return datetime.fromtimestamp(number, UTC)


# Text that cannot be unset, and text that "" unsets.
Text = Annotated[str, BeforeValidator(_filled)]
Unsettable = Annotated[str, BeforeValidator(_keepable)]
Integer = Annotated[int, BeforeValidator(_integer)]
Boolean = Annotated[bool, BeforeValidator(_boolean)]
Texts = BracketList[Text]
Metadata = Annotated[
    Any,
    BeforeValidator(_metadata),
    WithJsonSchema({"type": "object", "additionalProperties": {"type": "string"}}),
]
Moment = Annotated[
    Any,
    BeforeValidator(_moment),
    WithJsonSchema({"type": "integer", "description": "seconds since 1970"}),
]
Currency = Annotated[str, BeforeValidator(_filled), StringConstraints(to_lower=True)]


class Parameters(OperationInput, extra="forbid", frozen=True):
    """Base of an operation's parameters: what it does not name is refused."""


class Expanding(Parameters):
    """Parameters of whatever answers with an object."""

    expand: Texts = Field(default=[], description="properties to show in full instead of by id")


class Range(Parameters):
    """Bounds that a time of the listed records lies within."""

    gt: Moment | None = None
    gte: Moment | None = None
    lt: Moment | None = None
    lte: Moment | None = None


def _range(value: Any) -> Any:
    """Take bounds, or one moment."""
    return value if isinstance(value, dict | Range) else {"gte": value, "lte": value}


Period = Annotated[Range, BeforeValidator(_range)]


class Listing(Expanding):
    """Parameters of whatever answers with a list."""

    limit: Annotated[
        Integer, Field(default=10, ge=1, le=100, description="how many objects, 1 to 100")
    ] = 10
    starting_after: Text | None = Field(None, description="the id the page follows")
    ending_before: Text | None = Field(None, description="the id the page precedes")


class Searching(Expanding):
    """Parameters of a search."""

    query: Text = Field(description="field:'value' clauses, joined by AND or OR")
    limit: Annotated[Integer, Field(default=10, ge=1, le=100)] = 10
    page: Text | None = Field(None, description="the next_page of the page before")
