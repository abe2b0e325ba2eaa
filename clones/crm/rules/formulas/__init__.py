"""The formula language of the CRM: from text to a value. Pure: its caller tells what it may know.

    formula = parse("IF(ISBLANK(Amount), 0, Amount * 0.1)")   # or FormulaSyntaxError
    checked = check(formula, returns=Kind.NUMBER, fields=fields, place=Place.FIELD)
    value = evaluate(checked, record, situation=Situation(now=now))   # or FormulaValueError
    shown = field_value(value, FieldType(Kind.NUMBER), zone=zone, scale=2)

`check` finds fields and functions and gives every part its type (`Typed`), refusing in the
service's words (`FormulaCheckError`) what does not fit; a compiler to SQL walks `Checked.root`
without knowing the language. `evaluate` works a formula out for one record, in one of two modes of
blank numbers. Everything that a formula can grow is bounded, and all errors are `FormulaError`s.
"""

from clones.crm.rules.formulas.checking import Checked, check, parts
from clones.crm.rules.formulas.errors import (
    LONGEST,
    LONGEST_COMPILED,
    Failure,
    FormulaCheckError,
    FormulaError,
    FormulaSyntaxError,
    FormulaValueError,
    nested,
    refers_to_itself,
)
from clones.crm.rules.formulas.evaluating import Blanks, Record, Situation, Value, evaluate
from clones.crm.rules.formulas.functions.signatures import Function, Typed
from clones.crm.rules.formulas.nodes import Formula, field_paths
from clones.crm.rules.formulas.parser import parse
from clones.crm.rules.formulas.printing import print_formula
from clones.crm.rules.formulas.results import field_value
from clones.crm.rules.formulas.types import FieldResolver, FieldType, Kind, Place, fields_named

__all__ = [
    "LONGEST",
    "LONGEST_COMPILED",
    "Blanks",
    "Checked",
    "Failure",
    "FieldResolver",
    "FieldType",
    "Formula",
    "FormulaCheckError",
    "FormulaError",
    "FormulaSyntaxError",
    "FormulaValueError",
    "Function",
    "Kind",
    "Place",
    "Record",
    "Situation",
    "Typed",
    "Value",
    "check",
    "evaluate",
    "field_paths",
    "field_value",
    "fields_named",
    "nested",
    "parse",
    "parts",
    "print_formula",
    "refers_to_itself",
]
