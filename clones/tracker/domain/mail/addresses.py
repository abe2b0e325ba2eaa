"""The addresses at which the tracker takes mail: of its desks, of its spaces, and its own."""

from __future__ import annotations

from typing import Final

from clones.core.addresses import address_of
from clones.tracker.domain.notifications import SENDER
from clones.tracker.models import ServiceDesk
from clones.tracker.queries.hot import ADDRESSES_OF_DESKS, SENDERS_OF_SPACES

DOMAIN: Final = SENDER.rpartition("@")[2]


def desk_address(desk: ServiceDesk) -> str:
    """Return the address of a desk: its own, else one that its space's key makes."""
    return (desk.email or usual_address(desk.project.key)).lower()


def usual_address(key: str) -> str:
    """Return the address that a desk has unless somebody gave it another."""
    return f"{key.lower()}@{DOMAIN}"


def takes(address: str) -> bool:
    """Tell whether mail to an address comes to the tracker."""
    said = address_of(address)
    if not said or not said.endswith(f"@{DOMAIN}"):
        return said in _others()
    return said == SENDER or said in _desks() or said in _others()


def desk_of_address(address: str) -> ServiceDesk | None:
    """Return the desk that takes mail at an address, None if none does."""
    key = _desks().get(address_of(address))
    if key is None:
        return None
    return ServiceDesk.objects.select_related("project").get(id=key)


def own_addresses() -> frozenset[str]:
    """Return all addresses of the tracker, in small letters."""
    return frozenset({SENDER, *_desks(), *_others()})


def _desks() -> dict[str, int]:
    return {
        (email or usual_address(key)).lower(): id for id, email, key in ADDRESSES_OF_DESKS.all()
    }  # fmt: skip


def _others() -> set[str]:
    desks = {email.lower() for _, email, _ in ADDRESSES_OF_DESKS.all() if email}
    return desks | {email.lower() for email in SENDERS_OF_SPACES.all()}
