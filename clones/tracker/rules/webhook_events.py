"""What webhooks can be told of, which queries they may filter by, and their addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from clones.core.webhooks.addresses import flaw_of
from clones.tracker.rules.jql import JqlError, parse
from clones.tracker.rules.jql.nodes import And, Clause, Comparison, Not, Or

# Events that apps may register for.
DYNAMIC: Final = (
    "jira:issue_created",
    "jira:issue_updated",
    "jira:issue_deleted",
    "comment_created",
    "comment_updated",
    "comment_deleted",
    "issue_property_set",
    "issue_property_deleted",
)
# And those that admins may, by the thing that they are about.
_OTHERS: Final = {
    "worklog": ("created", "updated", "deleted"),
    "attachment": ("created", "deleted"),
    "issuelink": ("created", "deleted"),
    "project": (
        *("created", "updated", "deleted", "soft_deleted", "restored_deleted"),
        *("archived", "restored_archived"),
    ),
    "jira:version": ("created", "updated", "deleted", "moved", "merged", "released", "unreleased"),
    "user": ("created", "updated", "deleted"),
    "sprint": ("created", "updated", "deleted", "started", "closed"),
    "board": ("created", "updated", "deleted", "configuration_changed"),
    "issuetype": ("created", "updated", "deleted"),
    "filter": ("created", "updated", "deleted"),
    "option": (
        *("voting_changed", "watching_changed", "unassigned_issues_changed", "subtasks_changed"),
        *("attachments_changed", "issuelinks_changed", "timetracking_changed"),
    ),
}
ADMIN: Final = frozenset(DYNAMIC) | {
    f"{thing}_{act}" for thing, acts in _OTHERS.items() for act in acts
}
# Events that a filter of issues counts for.
OF_ISSUES: Final = ("jira:issue_", "comment_", "issue_property_", "worklog_", "attachment_")
FILTER_FIELDS: Final = frozenset(
    {"issuekey", "key", "issue", "id", "project", "issuetype", "type", "status"}
    | {"assignee", "reporter", "issue.property"}
)
FILTER_OPERATORS: Final = frozenset({"=", "!=", "in", "not in"})
_VARIABLE: Final = re.compile(r"\$?\{([a-z]+\.[A-Za-z]+)\}")
LONGEST_ADDRESS: Final = 2048
MINUTES: Final = (5, 7, 10, 12, 15)  # after each attempt that failed, until the next
AGAIN: Final = frozenset({408, 409, 425, 429})


def address_problem(url: str) -> str | None:
    """Return what is wrong with the address of a webhook, None if nothing is."""
    flaw = flaw_of(url)
    if flaw in ("scheme", "host"):
        return "The URL must begin with http:// or https://."
    # An address may hold credentials: they are no flaw here.
    if flaw in ("unreadable", "spaces") or len(url) > LONGEST_ADDRESS:
        return "The URL is not valid."
    return None


def filter_problems(jql: str) -> list[str]:
    """Return what is wrong with the filter of an app's webhook: apps have a part of JQL only."""
    if not jql.strip():
        return []
    try:
        query = parse(jql)
    except JqlError as error:
        return list(error.texts)
    found = ["The ORDER BY clause is unsupported"] if query.order_by else []
    pending: list[Clause] = [] if query.where is None else [query.where]
    while pending:
        clause = pending.pop(0)
        if isinstance(clause, And | Or):
            pending.extend(clause.clauses)
        elif isinstance(clause, Not):
            pending.append(clause.clause)
        else:
            found.extend(_problems(clause))
    return found


def address(url: str, values: Mapping[str, str]) -> str:
    """Return an address with its variables filled in: `${issue.key}`, `{project.id}`..."""
    return _VARIABLE.sub(
        lambda found: quote(values[found[1]], safe="") if found[1] in values else found[0], url
    )


def minutes_after(number: int, status: int | None) -> int | None:
    """Return how long after an attempt, by its number, the next one is due; None: there is none.

    `status` is what the host answered, None if nothing.
    """
    if number > len(MINUTES) or not (status is None or status >= 500 or status in AGAIN):
        return None
    return MINUTES[number - 1]


def _problems(clause: Comparison) -> list[str]:
    name = clause.field.name
    if name.lower() not in FILTER_FIELDS:
        return [f"The clause {name} is unsupported"]
    if str(clause.operator).lower() not in FILTER_OPERATORS:
        return [f"The operator {clause.operator} of the clause {name} is unsupported"]
    return []
