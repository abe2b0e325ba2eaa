"""What is wrong with a formula, in the service's words.

The sentences are those of the service's open engine; `{0}`-like slots are filled here. Its setup
pages put "Error: " before them, which is for those pages to do.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

LONGEST: Final = 3900  # characters of a formula
LONGEST_COMPILED: Final = 5000  # characters with the formulas of the fields that it names

LONGEST_TEXT: Final = 131_072  # characters of any text on the way: those of the longest field
# The service links to its help pages, whose addresses change with its releases.
PICKLIST_HELP: Final = "/help/tips_on_building_formulas"


class Failure(Enum):
    """What a formula field shows whose formula cannot be worked out."""

    ERROR = "#Error!"
    TOO_BIG = "#Too Big!"


class FormulaError(Exception):
    """Raised when a formula cannot be read, saved or worked out; `text` says why."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class FormulaSyntaxError(FormulaError):
    """Raised when a text is no formula. `at` is the offset of what is wrong, None for the end."""

    def __init__(self, text: str, *, at: int | None = None) -> None:
        super().__init__(text)
        self.at = at


class FormulaCheckError(FormulaError):
    """Raised when a formula has a type, a field or a function where it may not stand.

    `name` is the service's name of the kind of error, `at` the offset of what is wrong.
    """

    def __init__(self, name: str, text: str, *, at: int = 0) -> None:
        super().__init__(text)
        self.name = name
        self.at = at


class FormulaValueError(FormulaError):
    """Raised when a formula has no value for a record. `failure` is what its field then shows."""

    def __init__(self, text: str, failure: Failure = Failure.ERROR) -> None:
        super().__init__(text)
        self.failure = failure


def too_big(what: str) -> FormulaValueError:
    """Return the error for a value that is beyond the bounds."""
    return FormulaValueError(f"{what} is too big.", Failure.TOO_BIG)


def function_named(name: str) -> str:
    """Return a function as sentences name it."""
    return f"function '{name.upper()}()'"


def operator_named(symbol: str) -> str:
    """Return an operator as sentences name it."""
    return f"operator '{symbol}'"


def wrong_argument_type(
    what: str, expected: str, received: str, *, at: int = 0
) -> FormulaCheckError:
    """Return the error for an argument or operand of the wrong type."""
    return FormulaCheckError(
        "WrongArgumentTypeException",
        f"Incorrect parameter type for {what}. Expected {expected}, received {received}",
        at=at,
    )


def wrong_argument_count(
    what: str, expected: int, received: int, *, at: int = 0
) -> FormulaCheckError:
    """Return the error for too few or too many arguments."""
    return FormulaCheckError(
        "WrongNumberOfArgumentsException",
        f"Incorrect number of parameters for {what}. Expected {expected}, received {received}",
        at=at,
    )


def wrong_result_type(expected: str, received: str) -> FormulaCheckError:
    """Return the error for a formula whose result its place cannot take."""
    return FormulaCheckError(
        "WrongExpressionTypeException",
        f"Formula result is data type ({received}), incompatible with expected data type "
        f"({expected}).",
    )


def illegal_argument_type(what: str, *, at: int = 0) -> FormulaCheckError:
    """Return the error for a type that a function never takes, such as Boolean in CASE."""
    return FormulaCheckError(
        "IllegalArgumentTypeException", f"Incorrect argument type for {what}. ", at=at
    )


def wrong_argument_value(
    what: str, expected: str, received: str, *, at: int = 0
) -> FormulaCheckError:
    """Return the error for an argument that must be one of a few values."""
    return FormulaCheckError(
        "WrongArgumentException",
        f"Incorrect parameter value for {what}. Expected {expected}, received {received}",
        at=at,
    )


def wrong_argument(what: str, *, at: int = 0) -> FormulaCheckError:
    """Return the error for an argument that cannot be used, without a better reason."""
    return FormulaCheckError("WrongArgumentException", f"Incorrect parameter for {what}.", at=at)


def not_a_field(what: str, expected: str = "", *, at: int = 0) -> FormulaCheckError:
    """Return the error for an argument that must name a field and does not."""
    kind = f"{expected} field" if expected else "field"
    return FormulaCheckError(
        "WrongMergeFieldTypeException",
        f"Incorrect parameter for {what}. Expected {kind} reference.",
        at=at,
    )


def not_a_choice(*, at: int = 0) -> FormulaCheckError:
    """Return the error for INCLUDES with a text that the picklist has not."""
    return FormulaCheckError(
        "FunctionIncludesWrongArgumentException",
        "Incorrect parameter for function INCLUDES(). Text Literal must be a valid value for this "
        "multi-select picklist field.",
        at=at,
    )


def unknown_field(path: str, *, at: int = 0) -> FormulaCheckError:
    """Return the error for a field that is not there."""
    return FormulaCheckError(
        "InvalidFieldReferenceException", f"Field {path} does not exist. Check spelling.", at=at
    )


def unknown_function(name: str, *, at: int = 0) -> FormulaCheckError:
    """Return the error for a function that is not there."""
    return FormulaCheckError(
        "InvalidFunctionReferenceException",
        f"Unknown function {name.upper()}. Check spelling.",
        at=at,
    )


def function_not_allowed(name: str, *, at: int = 0) -> FormulaCheckError:
    """Return the error for a function that this type of formula has not."""
    return FormulaCheckError(
        "FunctionNotAllowedException",
        f"Function {name.upper()} may not be used in this type of formula",
        at=at,
    )


def picklist_misused(path: str, *, several: bool, at: int = 0) -> FormulaCheckError:
    """Return the error for a picklist where only texts, numbers and the like are taken."""
    kind = "multi-select picklist" if several else "picklist"
    plural = f"{kind.capitalize()} fields"
    return FormulaCheckError(
        "UnsupportedTypeException",
        f"Field {path} is a {kind} field. {plural} are only supported in certain functions. "
        f'<a href="{PICKLIST_HELP}">Tell me more</a>',
        at=at,
    )


def unsupported_type(kind: str, path: str, *, at: int = 0) -> FormulaCheckError:
    """Return the error for a field of a type that no formula can use."""
    return FormulaCheckError(
        "UnsupportedTypeException",
        f'You referenced an unsupported field type called "{kind}" using the following field: '
        f"{path}",
        at=at,
    )


def formula_too_long(length: int) -> FormulaSyntaxError:
    """Return the error for a text of too many characters."""
    return FormulaSyntaxError(
        f"Formula is too long ({length} characters).  Maximum length is {LONGEST} characters"
    )


def compiled_too_big(size: int) -> FormulaCheckError:
    """Return the error for a formula that is too big with the formulas of its fields."""
    return FormulaCheckError(
        "SQLTooBigException",
        f"Compiled formula is too big to execute ({size} characters). Maximum size is "
        f"{LONGEST_COMPILED} characters",
    )


def nested(path: str, error: FormulaError) -> FormulaCheckError:
    """Return the error for a formula field whose own formula is wrong."""
    return FormulaCheckError(
        "NestedFormulaException", f"Error in referenced formula {path}, {error.text}"
    )


def refers_to_itself(detail: str) -> FormulaCheckError:
    """Return the error for a formula field that comes back to itself."""
    return FormulaCheckError(
        "FieldReferenceCycleDetectedException",
        "Formula cannot use another formula field that directly or indirectly refers to itself. "
        f"{detail}",
    )
