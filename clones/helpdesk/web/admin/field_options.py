"""The choices of a field, as a form's rows: of ticket fields, of profiles' and of objects'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.core.web.row_tables import Row, RowTable, TableRow
from clones.helpdesk.web.admin import keys
from clones.helpdesk.web.admin.inputs import check, line

PREFIX = "option"
NAMES = ("id", "name", "value", "default")
BLANK: Row = {"id": "", "name": "", "value": "", "default": ""}
# By the domain's name for what is wrong with choices: the table that says it.
INPUTS = {"field_options": PREFIX}


def table(options: Sequence[dict[str, Any]], *, with_default: bool = True) -> RowTable:
    """Return the table of a field's choices, with two empty rows if there are none."""

    def row(place: int, held: Row) -> TableRow:
        inputs = [
            line("name", f"Option {place}", held["name"]),
            line("value", f"Tag of option {place}", held["value"]),
            check("default", f"Default {place}", on=held["default"] == "true"),
        ]
        return TableRow(inputs if with_default else inputs[:2], hidden={"id": held["id"]})

    return RowTable(
        PREFIX,
        "Field values",
        ("Option", "Tag", "Default") if with_default else ("Option", "Tag"),
        NAMES,
        row,
        [_row_of(option) for option in options] or [BLANK, BLANK],
        "Add option",
        ordered=True,
    )


def _row_of(option: dict[str, Any]) -> Row:
    default = "true" if option.get("default") else ""
    return {**{name: str(option[name]) for name in NAMES[:3]}, "default": default}


def options_of(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return rows as the domain takes choices; a tag that is not given follows the name."""
    found = []
    for row in rows:
        if not row["name"] and not row["value"]:
            continue
        option: dict[str, Any] = {
            "name": row["name"],
            "value": row["value"] or "_".join(row["name"].lower().split()),
            "default": row["default"] == "true",
        }
        key = keys.number(row["id"])
        if key is not None:
            option["id"] = key
        found.append(option)
    return found
