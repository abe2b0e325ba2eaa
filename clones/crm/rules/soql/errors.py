"""What is wrong with a query, in the vendor's words.

Where the vendor points at a place, the message begins with the row of the query around it, a caret
below and the row and column. `docs/fidelity/crm-soql.md` names the texts that are not verified.
"""

from __future__ import annotations

from typing import Final, Literal

from clones.crm.rules.soql.nodes import TextSpan

Code = Literal[
    "EXCEEDED_ID_LIMIT",
    "INVALID_FIELD",
    "INVALID_QUERY_FILTER_OPERATOR",
    "INVALID_SEARCH",
    "INVALID_TYPE",
    "INVALID_TYPE_FOR_OPERATION",
    "MALFORMED_QUERY",
    "MALFORMED_SEARCH",
    "NUMBER_OUTSIDE_VALID_RANGE",
]
# Characters of the query that are shown before and after the place, cut to whole words.
_BEFORE: Final = 45
_AFTER: Final = 50


class SoqlError(Exception):
    """Raised when a query cannot be run.

    Args:
        code: the vendor's error code.
        text: the sentence alone.
        at: the place that it is about, where the vendor points at one.
        source: the whole query, for the excerpt.
    """

    def __init__(self, code: Code, text: str, at: TextSpan | None = None, source: str = "") -> None:
        self.code: Code = code
        self.text = text
        self.at = at
        self.message = text if at is None or not source else _framed(text, at, source)
        super().__init__(f"{code}: {self.message}")

    def within(self, source: str, *, code: Code | None = None) -> SoqlError:
        """Return the same error with the excerpt of a query, under another code if one is given."""
        return SoqlError(code or self.code, self.text, self.at, source)


def malformed(text: str, at: TextSpan | None = None) -> SoqlError:
    """Return the error of a text that is no query."""
    return SoqlError("MALFORMED_QUERY", text, at)


def unexpected(token: str, at: TextSpan | None) -> SoqlError:
    """Return the error of a piece of text where none such may stand."""
    return malformed(f"unexpected token: '{token}'", at)


def no_column(name: str, object_name: str, at: TextSpan | None) -> SoqlError:
    """Return the error of a field that its object has not."""
    return SoqlError(
        "INVALID_FIELD",
        f"No such column '{name}' on entity '{object_name}'. If you are attempting to use a custom "
        "field, be sure to append the '__c' after the custom field name. Please reference your "
        "WSDL or the describe call for the appropriate names.",
        at,
    )


def no_object(name: str, at: TextSpan | None) -> SoqlError:
    """Return the error of an object that is not there."""
    return SoqlError(
        "INVALID_TYPE",
        f"sObject type '{name}' is not supported. If you are attempting to use a custom object, "
        "be sure to append the '__c' after the entity name. Please reference your WSDL or the "
        "describe call for the appropriate names.",
        at,
    )


def not_queryable(name: str) -> SoqlError:
    """Return the error of an object that is reached by the records which it belongs to alone."""
    return SoqlError("INVALID_TYPE_FOR_OPERATION", f"entity type {name} does not support query")


def no_relationship(name: str, at: TextSpan | None, *, place: str = "field path") -> SoqlError:
    """Return the error of a relationship that is not there, in a path or in a child's FROM."""
    return SoqlError(
        "INVALID_FIELD" if place == "field path" else "INVALID_TYPE",
        f"Didn't understand relationship '{name}' in {place}. If you are attempting to use a "
        "custom relationship, be sure to append the '__r' after the custom relationship name. "
        "Please reference your WSDL or the describe call for the appropriate names.",
        at,
    )


def _framed(text: str, at: TextSpan, source: str) -> str:
    start = source.rfind("\n", 0, at.start) + 1
    end = source.find("\n", at.start)
    line = source[start : end if end >= 0 else len(source)]
    caret = at.start - start
    first, last = max(0, caret - _BEFORE), min(len(line), caret + _AFTER)
    while 0 < first < caret and (line[first - 1] not in " ,(" or line[first] == " "):
        first += 1
    if last < len(line) and line[last] not in " ,)":
        cut = max(line.rfind(mark, caret, last) for mark in " ,)")
        last = cut if cut > caret else last
        while last > caret + 1 and line[last - 1] in " ,":
            last -= 1
    return (
        f"\n{line[first:last].rstrip()}\n{' ' * (caret - first)}^\n"
        f"ERROR at Row:{at.row}:Column:{at.column}\n{text}"
    )
