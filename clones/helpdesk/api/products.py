"""What an account without the vendor's other products answers at their addresses.

A product that an account lacks is refused to whoever is signed in, and an API of the product itself
that it does not use has empty lists. `ABSENT` are addresses of the vendor's that no record here is
meant by: they say so, where an `{id}` would take their last word for a number that is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from clones.core.operations import Call
from clones.helpdesk.api.operations import OPERATIONS, PagedQuery

# Products by what their addresses begin with; a bar ends a word.
LACKING: Final[dict[str, tuple[str, ...]]] = {
    "Talk": ("/api/v2/channels/voice/",),
    "Chat": ("/api/v2/chat/", "/api/v2/chats/"),
    "X and Facebook": ("/api/v2/channels/twitter/", "/api/v2/channels/facebook/"),
    "channels of other companies": ("/api/v2/any_channel/",),
}
# Lists of what an account has none of: address, name of the records, and who may ask.
EMPTY: Final = {
    "ListApps": ("/apps", "apps", "agent"),
    "ListOwnedApps": ("/apps/owned", "apps", "admin"),
    "ListAppInstallations": ("/apps/installations", "installations", "agent"),
    "ListSharingAgreements": ("/sharing_agreements", "sharing_agreements", "agent"),
    "ListTargets": ("/targets", "targets", "agent"),
    "ListTargetFailures": ("/target_failures", "target_failures", "admin"),
    "ListUserViews": ("/user_views", "user_views", "agent"),
}
ABSENT: Final = (
    "/automations/definitions",
    "/automations/reorder",
    "/macros/reorder",
    "/views/definitions",
    "/views/reorder",
)


def product_of(path: str) -> str | None:
    """Return the product that an address is of and that the account lacks, or None."""
    whole = f"{path.removesuffix('.json').rstrip('/')}/"
    return next((name for name, starts in LACKING.items() if whole.startswith(starts)), None)


def _none(records: str) -> Callable[[Call], dict[str, Any]]:
    def view(call: Call) -> dict[str, Any]:
        """List none."""
        return {records: [], "next_page": None, "previous_page": None, "count": 0}

    return view


for name, (path, records, access) in EMPTY.items():
    about = f"List {records.replace('_', ' ')}: the account has none."
    OPERATIONS.operation(name, "GET", path, summary=about, query=PagedQuery, access=access)(
        _none(records)
    )
OPERATIONS.reserve(*ABSENT)
