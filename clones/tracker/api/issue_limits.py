"""What issues hold, against the vendor's limits; and the events of issues."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call
from clones.tracker.api.operations import Query, actor, flag, operation
from clones.tracker.queries.issue_limits import LIMITS, counts_near
from clones.tracker.rules.notification_events import EVENTS

Json = dict[str, Any]


class LimitQuery(Query):
    """Whether issues that near a limit are named by key, not by id."""

    isReturningKeys: str | None = None


NAMES: Final = [{"id": id, "name": name.title()} for id, (name, _) in EVENTS.items()]


@operation(
    "getEvents",
    "GET",
    "/rest/api/3/events",
    summary="List the events of issues that people can be told of.",
    access="admin",
)
def events(call: Call) -> list[Json]:
    """List the events."""
    return NAMES


@operation(
    "getIssueLimitReport",
    "GET",
    "/rest/api/3/issue/limit/report",
    summary="Tell which issues hold more than the vendor allows, or nearly so much.",
    query=LimitQuery,
    access="admin",
)
def limit_report(call: Call) -> Json:
    """Report on limits."""
    with_keys = flag(call.query.isReturningKeys)
    near: Json = {}
    over: Json = {}
    for name, limit in LIMITS.items():
        for issue, key, count in counts_near(name, actor(call)):
            found = over if count > limit else near
            found.setdefault(name, {})[key if with_keys else str(issue)] = count
    return {
        "issuesApproachingLimit": near,
        "issuesBreachingLimit": over,
        "limits": dict(LIMITS),
    }
