"""The choices of a field, as a form's rows: of ticket fields and of those of profiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import QueryDict

from clones.helpdesk.web.admin import forms, keys, row_tables
from clones.helpdesk.web.admin.row_tables import Row, RowTable, RowView
from clones.helpdesk.web.properties import FormErrors

PREFIX = "option"
NAMES = ("id", "name", "value", "default")
BLANK: Row = {"id": "", "name": "", "value": "", "default": ""}
# By the domain's name for what is wrong with choices.
ATTRIBUTE = "field_options"


def rows_of(options: Sequence[dict[str, Any]]) -> list[Row]:
    """Return kept choices as rows, two empty ones if there are none."""
    found = [
        {
            "id": str(item["id"]),
            "name": str(item["name"]),
            "value": str(item["value"]),
            "default": "true" if item.get("default") else "",
        }
        for item in options
    ]
    return found or [dict(BLANK), dict(BLANK)]


def sent(post: QueryDict) -> list[Row]:
    """Return the rows of a form, after what one of their buttons asked for."""
    rows = row_tables.sent_rows(post, PREFIX, NAMES)
    return row_tables.edited_rows(post, PREFIX, rows, BLANK)


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


def table(
    rows: Sequence[Row], complaints: FormErrors | None, *, with_default: bool = True
) -> RowTable:
    """Return the table of a field's choices."""
    views = [_view(index, row, with_default=with_default) for index, row in enumerate(rows)]
    headings = ("Option", "Tag", "Default") if with_default else ("Option", "Tag")
    return RowTable(
        PREFIX,
        "Field values",
        headings,
        tuple(views),
        "Add option",
        ordered=True,
        error=complaints.by_input.get(ATTRIBUTE, "") if complaints else "",
    )


def _view(index: int, row: Row, *, with_default: bool) -> RowView:
    place = index + 1

    def called(name: str) -> str:
        return row_tables.input_name(PREFIX, index, name)

    fields = [
        forms.field(called("name"), f"Option {place}", row["name"]),
        forms.field(called("value"), f"Tag of option {place}", row["value"]),
    ]
    if with_default:
        fields.append(
            forms.field(
                called("default"), f"Default {place}", row["default"] == "true", kind="checkbox"
            )
        )
    hidden = row_tables.hidden(PREFIX, index, {"id": row["id"]})
    return RowView("", hidden, tuple(fields))
