"""The functions and operators of formulas, by their subjects; `find_function` knows them all."""

from clones.crm.rules.formulas.functions.table import FUNCTIONS, OPERATORS, find_function

__all__ = ["FUNCTIONS", "OPERATORS", "find_function"]
