"""The reasons that a customer may give for a bad rating."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clones.core.operations import Call
from clones.helpdesk.api.locales import account_since
from clones.helpdesk.api.operations import OPERATIONS, show
from clones.helpdesk.api.presenters.context import when
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.rules.satisfaction_reasons import BY_ID, REASONS, Reason


def _body(reason: Reason, call: Call, since: datetime | None) -> dict[str, Any]:
    return {
        "url": show(call).url(f"satisfaction_reasons/{reason.id}"),
        "id": reason.id,
        "reason_code": reason.code,
        "value": reason.text,
        "raw_value": reason.text,
        "created_at": when(since),
        "updated_at": when(since),
        "deleted_at": None,
    }


@OPERATIONS.operation(
    "ListSatisfactionRatingReasons",
    "GET",
    "/satisfaction_reasons",
    summary="List the reasons for a bad rating.",
    access="admin",
)
def list_reasons(call: Call) -> dict[str, Any]:
    """List the account's reasons, unpaginated."""
    since = account_since()
    return {"reasons": [_body(reason, call, since) for reason in REASONS]}


@OPERATIONS.operation(
    "ShowSatisfactionRatings",
    "GET",
    "/satisfaction_reasons/{reason_id:int}",
    summary="Show one reason for a bad rating.",
    access="admin",
)
def show_reason(call: Call) -> dict[str, Any]:
    """Show a reason: alone in a list, as the service describes it."""
    found = BY_ID.get(call.path["reason_id"])
    if found is None:
        raise RecordNotFound("reason", call.path["reason_id"])
    return {"reason": [_body(found, call, account_since())]}
