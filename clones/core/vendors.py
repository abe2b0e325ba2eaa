"""What core must know of a clone: its addresses, its credentials and its way to refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from django.http import HttpRequest, HttpResponse

from clones.core.accounts.authentication import Presented
from clones.core.accounts.directory import AccountCard

if TYPE_CHECKING:
    from clones.core.operations import Operations

RefusalReason = Literal[
    "unauthenticated",  # no credential, or one that proves nothing here
    "unknown_sandbox",  # the address names no live sandbox
    "unknown_path",
    "wrong_method",
    "unavailable",  # the sandbox was reset under the request, or its store is away: try again
    "too_large",
    "rate_limited",
    "failed",  # our own failure
]


def plain_account_view(card: AccountCard) -> dict[str, Any]:
    """Return a handed-out account as its role, login and secrets by kind."""
    return {"role": card.role, "login": card.login, **card.secrets}


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone of one vendor's product.

    `api_prefixes` are the paths under which the vendor's API lies (they do not collide between
    vendors, so on the bare host a path says which clone is meant). `presented` reads the vendor's
    ways to send a credential; `refuse` answers in the vendor's own words; `account_view` shows a
    handed-out account under the names the vendor's clients use and `authorization` returns the
    headers that prove it; `operations` lists what its API has. `takes_handover` says that pages of
    other clones may open its pages by a hand-over, in the query or then as the session cookie.
    Requests under `ambient_prefixes` write ambient tables only (drafts) or nothing: they do not
    move the clock.
    """

    name: str
    api_prefixes: tuple[str, ...]
    urlconf: str
    presented: Callable[[HttpRequest], Presented | None]
    refuse: Callable[[HttpRequest, RefusalReason], HttpResponse]
    session_cookie: str
    authorization: Callable[[AccountCard], dict[str, str]]
    account_view: Callable[[AccountCard], dict[str, Any]] = plain_account_view
    operations: Operations | None = None
    takes_handover: bool = False
    ambient_prefixes: tuple[str, ...] = ()

    def is_api(self, path: str) -> bool:
        """Tell whether a path belongs to the vendor's API."""
        return path.startswith(self.api_prefixes)

    def is_ambient(self, path: str) -> bool:
        """Tell whether a request to a path leaves the sandbox's clock alone."""
        return path.startswith(self.ambient_prefixes)


_clones: dict[str, Clone] = {}


def register(clone: Clone) -> None:
    """Make a clone known. Called once per clone while Django starts."""
    _clones[clone.name] = clone


def clone_named(name: str) -> Clone | None:
    """Return the clone of that name, or None."""
    return _clones.get(name)


def clone_of_path(path: str) -> Clone | None:
    """Return the clone whose API a path belongs to, or None."""
    for clone in _clones.values():
        if clone.is_api(path):
            return clone
    return None


def clones() -> list[Clone]:
    """Return the clones this build serves, by name."""
    return [_clones[name] for name in sorted(_clones)]
