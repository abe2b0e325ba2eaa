"""The caller's session, as older clients ask for it to see whether their credential is good.

`JIRA(..., validate=True)` of the public Python client calls it. The vendor's cloud has no sessions
of this kind any more: nobody begins one here, and who calls with a credential has none to end.
"""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call
from clones.tracker.api.operations import actor, operation, show

PATH: Final = "/rest/auth/1/session"


@operation("auth.currentUser", "GET", PATH, summary="Show whose credential a request has.")
def show_session(call: Call) -> dict[str, Any]:
    """Show the caller, by the address of their profile."""
    user = actor(call).user
    assert user is not None  # noqa: S101 - the operation is for those who signed in
    return {
        "self": show(call).at(f"/rest/api/latest/user?accountId={user.account_id}"),
        "name": user.account_id,
        "loginInfo": {"failedLoginCount": 0, "loginCount": 1},
    }
