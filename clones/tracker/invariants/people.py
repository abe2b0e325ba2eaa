"""People: accounts are what their users say."""

from __future__ import annotations

from collections.abc import Iterator

from clones.core.models import Account
from clones.tracker.models import User


def accounts() -> Iterator[str]:
    """Check that who signs in is a user with that address, as active as the account.

    Source: `domain.people.open_account`, `domain.people.remove_user`.
    """
    rows = User.objects.exclude(email=None).values_list("id", "email", "active")
    users = {str(key): ((email or "").lower(), active) for key, email, active in rows}
    accounts = Account.objects.filter(clone="tracker").order_by("id")
    for subject, login, active in accounts.values_list("subject", "login", "active"):
        if users.get(subject) != (login.lower(), active):
            yield f"tracker account {login} is not what its user says"
