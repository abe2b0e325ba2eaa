"""Who may write to a desk and who works there: people of the world that arrangements draw on."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from clones.core.models import Account
from clones.helpdesk.models import User
from episodes.tasks.personas import CannotArrange

MARKED = frozenset({"vip", "dealer"})


def plain_customers(chance: Random) -> list[User]:
    """Return customers in a random order: with an address, no dealers, no VIPs, none listed."""
    listed = set(Account.objects.filter(listed=True).values_list("subject", flat=True))
    found = [
        user
        for user in User.objects.filter(role="end-user", active=True, suspended=False)
        .select_related("organization")
        .order_by("id")
        if user.email and str(user.id) not in listed and not MARKED & tags_from(user)
    ]
    chance.shuffle(found)
    return found


def tags_from(user: User) -> set[str]:
    """Return the tags that tickets of somebody come in with."""
    firm: Iterable[str] = user.organization.tags if user.organization else []
    return {*user.tags, *firm}


def first_line_but(login: str) -> list[User]:
    """Return the first line's agents without the one of that login, the longest there first.

    Raises:
        CannotArrange: that one works there alone.
    """
    found = list(
        User.objects.filter(
            role="agent",
            active=True,
            suspended=False,
            group_memberships__group__name__icontains="support",
        )
        .exclude(email__iexact=login)
        .order_by("id")
    )
    if not found:
        raise CannotArrange("nobody but the agent works in the first line")
    return found
