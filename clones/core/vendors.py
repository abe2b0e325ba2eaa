"""What a clone tells of itself: to core how it is reached, to the layers above what they ask it.

No module outside a clone's own keeps a table of clones: it goes through `clones()` and reads there
what it needs (docs/adr/0042-clones-declare-what-others-ask.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest, HttpResponse

from clones.core.accounts.authentication import Presented
from clones.core.accounts.directory import AccountCard

if TYPE_CHECKING:
    from clones.core.gaps import Chance
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


class VendorFault(HttpResponse):
    """A refusal that the vendor sends by a status of the 500s, as in SOAP: no failure of ours."""

    _has_been_logged = True  # Django's mark: nothing for the log of errors


# Checks a rule over a store's rows, and yields a sentence for each row that breaks it.
Invariant = Callable[[], Iterable[str]]
# Tables of the ground floor whose rows follow their cause, as `Clone.derived_tables` do.
CORE_DERIVED: Final = frozenset({"core_blob", "core_message"})


@dataclass(frozen=True, slots=True)
class Probes:
    """Addresses of a clone's API at which certification knocks: nothing may leak, nothing break.

    `listing` answers whoever may read and `creating` takes bodies. `behind` leads out of the API,
    `broken` are addresses under it that are hardly requests, and `missing` are of nothing. `taking`
    is an address with a body that it cannot read; `closed` is one with an `Authorization` that
    proves nothing there.
    """

    listing: str
    creating: str
    behind: str
    broken: tuple[str, ...]
    missing: tuple[str, ...]
    taking: tuple[str, bytes]
    closed: tuple[str, str]


def plain_account_view(card: AccountCard) -> dict[str, Any]:
    """Return a handed-out account as its role, login and secrets by kind."""
    return {"role": card.role, "login": card.login, **card.secrets}


def nobodys_zone(_address: str) -> str | None:
    """Return None: in most products the people at an address have no zone."""
    return None


def every_number_is_taken(_chance: Chance) -> None:
    """Leave no number out: the product counts nothing, or without gaps."""


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

    The rest is for the layers above. `takes_forms` says that the API reads forms where others read
    JSON, `signs_in` that a browser at work in it begins with a session. Rows of `derived_tables`
    (audits, ledgers) follow those that led to them and are nobody's own act. `probes` are tried by
    certification; `invariants` hold of a world's rows and of what writes by the clone's domain make
    of them. `description` makes the OpenAPI document of the API. `app_tools` are the ids of the
    operations that work is mostly done with: what agents of the surface `app` have (25 to 40).

    `framed` names the function that puts what was refused into the frame of the clone's pages, with
    the navigation, for somebody who is signed in, and returns None for whoever is not. It is
    imported when the first page is refused: processes that serve no pages do without them.

    `zone_of` returns the time zone (its IANA name) of the person who has an e-mail address in the
    clone, or None: mail, whose people have no settings of their own, shows times by it.

    `privacy` names the clone's `clones.core.privacy.Privacy`: who its people are, what is private
    to them, which changes of rows send text out of the house. Graders import it, workers do not.

    `pass_over` leaves some numbers out where the vendor's leave gaps (those of records that were
    deleted for good), as many as the generators draw that it asks for by purpose. Codes, stamps and
    the like, which core gives, are no matter of it.
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
    app_tools: tuple[str, ...] = ()
    takes_handover: bool = False
    ambient_prefixes: tuple[str, ...] = ()
    takes_forms: bool = False
    signs_in: bool = False
    derived_tables: frozenset[str] = frozenset()
    probes: Probes | None = None
    invariants: tuple[Invariant, ...] = ()
    description: Callable[[], dict[str, Any]] | None = None
    framed: str = ""
    zone_of: Callable[[str], str | None] = nobodys_zone
    privacy: str = ""
    pass_over: Callable[[Chance], None] = every_number_is_taken

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


def zone_of(address: str) -> ZoneInfo:
    """Return the time zone of the person who has an e-mail address; UTC where no clone has one."""
    for clone in clones():
        name = clone.zone_of(address)
        if name is not None:
            try:
                return ZoneInfo(name)
            except (ZoneInfoNotFoundError, ValueError):
                continue
    return ZoneInfo("UTC")


def is_derived(table: str) -> bool:
    """Tell whether the rows of a table follow those that led to them, in whichever clone it is."""
    found = _clones.get(table.partition("_")[0])
    return table in (CORE_DERIVED if found is None else found.derived_tables)
