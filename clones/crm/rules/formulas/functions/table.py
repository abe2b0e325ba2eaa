"""All functions and operators."""

from __future__ import annotations

from typing import Final

from clones.crm.rules.formulas.functions.dates import DATES
from clones.crm.rules.formulas.functions.formats import FORMATS
from clones.crm.rules.formulas.functions.geography import GEOGRAPHY
from clones.crm.rules.formulas.functions.json_values import JSON
from clones.crm.rules.formulas.functions.logic import JOINED, LOGIC
from clones.crm.rules.formulas.functions.markup import MARKUP
from clones.crm.rules.formulas.functions.maths import MATHS
from clones.crm.rules.formulas.functions.operators import BINARY, UNARY
from clones.crm.rules.formulas.functions.records import RECORDS
from clones.crm.rules.formulas.functions.signatures import Function
from clones.crm.rules.formulas.functions.texts import TEXTS

FUNCTIONS: Final[dict[str, Function]] = {
    name: function
    for table in (LOGIC, MATHS, TEXTS, DATES, FORMATS, MARKUP, RECORDS, GEOGRAPHY, JSON)
    for name, function in table.functions.items()
} | {"NOT": UNARY.functions["!"]}
# By the sign, and whether it stands before its only operand.
OPERATORS: Final[dict[tuple[str, bool], Function]] = {
    (name, False): function
    for table in (BINARY, JOINED)
    for name, function in table.functions.items()
} | {(name, True): function for name, function in UNARY.functions.items()}


def find_function(name: str) -> Function | None:
    """Return a function by its name in any case of letters, None where there is none."""
    return FUNCTIONS.get(name.upper())
