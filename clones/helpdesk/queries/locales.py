"""Which languages an account has: its own and those of its people."""

from __future__ import annotations

from clones.helpdesk.models import User
from clones.helpdesk.rules.locales import DEFAULT, LOCALES, Locale


def account_locales(*, agents_only: bool = False) -> list[Locale]:
    """Return the account's own language and those of its active people (or agents), by number."""
    people = User.objects.filter(active=True)
    if agents_only:
        people = people.filter(role__in=("agent", "admin"))
    used = set(people.order_by().values_list("locale", flat=True).distinct())
    return [locale for locale in LOCALES if locale is DEFAULT or locale.code in used]
