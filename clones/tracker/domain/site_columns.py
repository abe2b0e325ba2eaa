"""The columns that lists of issues show to whoever has chosen none: the site's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.filters import column_names
from clones.tracker.domain.settings import set_setting, setting
from clones.tracker.domain.site_settings import CATEGORY
from clones.tracker.queries.rights import Rights

SETTING: Final = "issue_columns"
# Those of a new site.
DEFAULT: Final = (
    "issuetype",
    "issuekey",
    "summary",
    "assignee",
    "reporter",
    "priority",
    "status",
    "resolution",
    "created",
    "updated",
    "duedate",
)


def site_columns() -> list[str]:
    """Return the ids of the site's columns, in their order."""
    return list(setting(SETTING, DEFAULT))


def set_site_columns(wanted: Sequence[str], *, actor: Rights) -> None:
    """Set the site's columns; none at all takes all of them away.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: a field is none, or no column.
    """
    admins_only(actor)
    known = column_names(actor)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise NotFound(f"The column '{unknown[0]}' does not exist.")
    before, after = ", ".join(site_columns()), list(dict.fromkeys(wanted))
    set_setting(SETTING, after)
    changes = [("Columns", before, ", ".join(after))]
    audit.record("Default columns updated", CATEGORY, actor=actor, changes=changes)
