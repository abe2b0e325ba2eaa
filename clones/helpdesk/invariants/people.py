"""People: addresses, memberships, accounts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from clones.core.models import Account
from clones.helpdesk import models as helpdesk


def people() -> Iterator[str]:
    """Check addresses and memberships."""
    users = {
        row["id"]: row
        for row in helpdesk.User.objects.values(
            "id", "email", "role", "organization_id", "default_group_id"
        )
    }
    addresses = Counter(
        value.lower()
        for value in helpdesk.Identity.objects.filter(type="email").values_list("value", flat=True)
    )
    yield from (
        f"address {value} belongs to {count} users"
        for value, count in addresses.items()
        if count > 1
    )
    primary = dict(helpdesk.Identity.objects.filter(primary=True).values_list("user_id", "value"))
    belongs = set(
        helpdesk.OrganizationMembership.objects.filter(default=True).values_list(
            "user_id", "organization_id"
        )
    )
    members = set(
        helpdesk.GroupMembership.objects.filter(default=True).values_list("user_id", "group_id")
    )
    for key, user in users.items():
        if user["email"] and primary.get(key) != user["email"]:
            yield f"user {key}: primary identity and email differ"
        if user["organization_id"] and (key, user["organization_id"]) not in belongs:
            yield f"user {key} is no member of their organization"
        if user["role"] != "end-user" and (key, user["default_group_id"]) not in members:
            yield f"agent {key} is not in their default group"


def accounts() -> Iterator[str]:
    """Check that accounts are what their users say."""
    users = {
        str(key): ((email or "").lower(), role)
        for key, email, role in helpdesk.User.objects.exclude(email=None).values_list(
            "id", "email", "role"
        )
    }
    for subject, login, role in Account.objects.filter(clone="helpdesk").values_list(
        "subject", "login", "role"
    ):
        if users.get(subject) != (login, role):
            yield f"account {login} is not what its user says"
