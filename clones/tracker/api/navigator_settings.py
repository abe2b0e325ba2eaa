"""The columns of lists of issues that a site shows to whoever has chosen none."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.tracker.api.column_bodies import CONSUMES, columns_of
from clones.tracker.api.operations import actor, operation
from clones.tracker.api.users import column_items
from clones.tracker.domain.site_columns import set_site_columns

PATH: Final = "/rest/api/3/settings/columns"


@operation(
    "getIssueNavigatorDefaultColumns",
    "GET",
    PATH,
    summary="List the columns of lists of issues that the site shows.",
    access="admin",
)
def show_columns(call: Call) -> list[dict[str, Any]]:
    """List the site's columns."""
    return column_items(None, actor(call))


@operation(
    "setIssueNavigatorDefaultColumns",
    "PUT",
    PATH,
    summary="Set the columns of lists of issues that the site shows.",
    access="admin",
    raw_body=True,
    consumes=CONSUMES,
)
def set_columns(call: Call) -> Reply:
    """Set the site's columns."""
    set_site_columns(columns_of(call), actor=actor(call))
    return Reply(None)
