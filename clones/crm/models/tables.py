"""Which table holds the records of an object."""

from __future__ import annotations

from typing import Any

from clones.crm.models.custom import CustomRecord
from clones.crm.models.sobjects import MODELS, SObjectRow
from clones.crm.rules.schema import SObject


def model_of(of: SObject | str) -> type[SObjectRow]:
    """Return the table of an object, or of a standard one by its API name.

    Raises:
        KeyError: there is no standard object of that name.
    """
    if isinstance(of, str):
        return MODELS[of]
    return CustomRecord if of.is_custom else MODELS[of.name]


def rows_of(of: SObject | str) -> Any:
    """Return the records of an object: those of its table, whose columns no type checker knows.

    Raises:
        KeyError: there is no standard object of that name.
    """
    rows = model_of(of).objects
    if isinstance(of, SObject) and of.is_custom:
        return rows.filter(Object=of.name)
    return rows
