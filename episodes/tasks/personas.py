"""Who the agent is: the accounts that a world lists for agents."""

from __future__ import annotations

from collections.abc import Iterable

from clones.core.models import Account
from clones.helpdesk.models import User
from episodes.tasks.spec import Persona


class CannotArrange(Exception):
    """Raised when a world has nobody to whom this can have happened."""


def persona_at(
    title: str, *, role: str = "agent", group: str | None = None, clones: Iterable[str] = ()
) -> Persona:
    """Return a persona: the first listed helpdesk account of a role, and one in each other clone.

    `group` is a word of the name of a group that the account's person is in; None for any.

    Raises:
        CannotArrange: the world lists no such account.
    """
    accounts = Account.objects.filter(clone="helpdesk", role=role, listed=True).order_by("id")
    people = User.objects.all()
    if group is not None:
        people = people.filter(group_memberships__group__name__icontains=group)
    fitting = set(people.values_list("id", flat=True))
    logins = [account.login for account in accounts if int(account.subject) in fitting]
    if not logins:
        raise CannotArrange(f"the world lists no {title}")
    found = {"helpdesk": logins[0]}
    for clone in clones:
        other = Account.objects.filter(clone=clone, listed=True).order_by("id").first()
        if other is None:
            raise CannotArrange(f"the world lists no account of {clone}")
        found[clone] = other.login
    return Persona(title, found)
