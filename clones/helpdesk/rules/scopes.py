"""What a token may do: reading and writing, of everything or of one resource."""

from __future__ import annotations

from collections.abc import Iterable

READS = ("GET", "HEAD")
ACCESS = ("read", "write")
RESOURCES = frozenset(
    {
        "any_channel",
        "apps",
        "auditlogs",
        "automations",
        "dynamic_content",
        "hc",
        "macros",
        "organizations",
        "requests",
        "satisfaction_ratings",
        "targets",
        "tickets",
        "triggers",
        "users",
        "web_widget",
        "webhooks",
    }
)

# The parts of addresses that go by another resource's name.
CALLED = {"guide": "hc", "help_center": "hc"}


def needed(method: str) -> str:
    """Return the access that a method needs: read or write."""
    return "read" if method in READS else "write"


def allows(scopes: Iterable[str], method: str, resource: str) -> bool:
    """Tell whether scopes let a method be used on a resource; what is no scope allows nothing.

    A scope is an access, of everything; a resource, to read and write it; or `resource:access`.
    """
    wanted, resource = needed(method), CALLED.get(resource, resource)
    own = {resource, f"{resource}:{wanted}"} if resource in RESOURCES else set()
    return not {wanted, *own}.isdisjoint(scopes)
