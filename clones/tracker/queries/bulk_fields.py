"""Which fields several issues have in common, and can be edited on all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clones.tracker.models import Issue
from clones.tracker.queries.fieldsets import Fieldset, IssueField, fieldsets_of

# What bulk edits have no part for.
_NOT_IN_BULK: Final = frozenset(
    {"summary", "comment", "worklog", "attachment", "issuelinks", "project", "environment"}
)
SEVERAL: Final = ("labels", "versions", "components")
KINDS: Final = frozenset(
    {
        *("text", "url", "rich", "number", "day", "moment", "option", "options", "cascade"),
        *("user", "users", "group", "groups", "version", "versions", "labels", "components"),
        *("priority", "issuetype", "timetracking"),
    }
)


@dataclass(frozen=True, slots=True)
class Editable:
    """A field that can be edited on all issues; `reason` is why it cannot be now, if so."""

    field: IssueField
    is_required: bool
    reason: str | None = None


def editable_together(issues: Sequence[Issue]) -> list[Editable]:
    """Return the fields on the edit screens of all issues, by name.

    A fixed number of statements for any number of issues of the same spaces and types.
    """
    pairs = {
        (issue.project_id, issue.issue_type_id): (issue.project, issue.issue_type)
        for issue in issues
    }
    sets = list(fieldsets_of(pairs.values()).values())
    if not sets:
        return []
    first, *others = sets
    found = []
    for id in first.screen("edit"):
        known = first.fields[id]
        if id in _NOT_IN_BULK or known.kind.name not in KINDS or not known.kind.operations:
            continue
        if all(_has(other, known) for other in others):
            required = any(one.fields[id].required for one in sets)
            found.append(Editable(known, required))
    return sorted(found, key=lambda one: (one.field.name.casefold(), one.field.id))


def _has(fieldset: Fieldset, known: IssueField) -> bool:
    return known.id in fieldset.fields and known.id in fieldset.screen("edit")
