"""What stands in the forms of request types, and what could."""

from __future__ import annotations

from typing import Final

from clones.tracker.models import RequestType
from clones.tracker.queries.fieldsets import Fieldset, fields_of

FILES: Final = "attachment"
# What the portal itself sets, or has its own places for.
_NOT_ASKED: Final = frozenset(
    {"project", "issuetype", "reporter", "status", "resolution", "security", "parent", "issuelinks"}
)
_KINDS: Final = frozenset(
    {
        *("text", "url", "rich", "number", "day", "moment", "option", "options", "cascade"),
        *("user", "users", "group", "groups", "version", "versions", "components", "labels"),
        "priority",
    }
)


def fieldset_of_type(row: RequestType) -> Fieldset:
    """Return the fields of the issues that a request type makes."""
    return fields_of(row.desk.project, row.issue_type)


def addable_fields(row: RequestType) -> dict[str, str]:
    """Return the names of the fields that could be added to a form, by id, in their order."""
    already = set(row.fields.values_list("field", flat=True))
    found = {
        id: field.name
        for id, field in fieldset_of_type(row).fields.items()
        if field.kind.name in _KINDS and id not in _NOT_ASKED
    }
    found[FILES] = "Attachment"
    return {id: name for id, name in found.items() if id not in already}
