"""Columns of reports: fields by the names that reports have for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from clones.crm.rules.layouts import layout_of
from clones.crm.rules.listing import column_path, field_at
from clones.crm.rules.schema import Field, SObject

# What reports of an object call its fields, where it is not the field's own name.
_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "Opportunity": {
        "OPPORTUNITY_NAME": "Name",
        "ACCOUNT_NAME": "Account.Name",
        "FULL_NAME": "Owner.Name",
        "EXP_AMOUNT": "ExpectedRevenue",
        "WON": "IsWon",
        "CLOSED": "IsClosed",
    },
    "Account": {"USERS.NAME": "Owner.Name", "DBA_NAME": "Name"},
    "Contact": {"ACCOUNT_NAME": "Account.Name"},
    "Lead": {"OWNER": "Owner.Name", "LEAD_SOURCE": "LeadSource"},
    "Case": {"OWNER": "Owner.Name", "CASE_NUMBER": "CaseNumber", "ACCOUNT_NAME": "Account.Name"},
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what the report calls it, where its values are, the field that they are of."""

    name: str
    path: str
    field: Field
    label: str

    @property
    def key_path(self) -> str | None:
        """The path of the id of what is named here; None where the value is no name."""
        parent, _, _ = self.path.rpartition(".")
        if not self.field.nameField:
            return None
        return f"{parent}.Id" if parent else "Id"


def column_of(of: SObject, name: str) -> Column | None:
    """Return a column of the reports of an object by its name; None if there is none."""
    path = _NAMES.get(of.name, {}).get(name.upper())
    if path is None:
        prefix, _, rest = name.partition(".")
        is_own = rest != "" and prefix.lower() == of.name.lower()
        path = column_path(of, rest) if is_own else None
    if path is None:
        path = column_path(of, name)
    field = None if path is None else field_at(of, path)
    if path is None or field is None:
        return None
    return Column(name, path, field, _label(of, path, field))


def default_columns(of: SObject) -> list[str]:
    """Return the columns that a report begins with, by their names."""
    paths = [one for one in layout_of(of).search_columns if field_at(of, one) is not None]
    return [one if "." in one else f"{of.name}.{one}" for one in paths]


def _label(of: SObject, path: str, field: Field) -> str:
    relationship, _, _ = path.rpartition(".")
    reference = of.reference(relationship) if relationship else None
    if reference is None:
        return field.label
    if reference.name == "OwnerId" and field.nameField:
        return f"{of.label} Owner"
    through = reference.label.removesuffix(" ID")
    return through if field.nameField and through else f"{through}: {field.label}"
