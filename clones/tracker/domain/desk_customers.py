"""Customers of service desks: making their accounts, letting them ask a desk."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from clones.core.models import Account
from clones.tracker.domain import audit, people
from clones.tracker.domain.errors import Conflict, Forbidden, Invalid
from clones.tracker.domain.numbering import next_ids
from clones.tracker.domain.organizations import people_of
from clones.tracker.models import DeskCustomer, ServiceDesk, User
from clones.tracker.queries.desks import is_agent, is_agent_somewhere, is_manager
from clones.tracker.queries.rights import Rights

TAKEN: Final = "An account already exists for this email."
EMAIL_WRONG: Final = "The email address is not valid."


def create_customer(
    display_name: str | None, email: str | None, *, actor: Rights, conflicts: bool = False
) -> User:
    """Make the account of a customer, who can then sign in.

    Args:
        display_name: what they are called; their address, if nothing is given.
        email: their address.
        actor: an admin of the site, or an agent.
        conflicts: whether an address that is taken is a conflict instead of invalid.

    Raises:
        Conflict: somebody has the address.
        Forbidden: the actor is neither.
        Invalid: the address is none, or somebody has it.
    """
    if not is_agent_somewhere(actor):
        raise Forbidden(
            "You do not have permission to create customers.",
            i18n_key="sd.admin.people.create.customer.permission.error",
        )
    address = (email or "").strip().lower()
    if len(address) > 254 or not people.EMAIL.fullmatch(address):
        raise Invalid(EMAIL_WRONG, i18n_key="sd.admin.people.create.customer.error.email.invalid")
    if User.objects.filter(email__iexact=address).exists():
        key = "sd.admin.people.create.customer.error.email.exists"
        raise (Conflict if conflicts else Invalid)(TAKEN, i18n_key=key)
    made = people.create_user(
        (display_name or "").strip() or address, address, actor=actor, account_type="customer"
    )
    people.open_account(made, role="customer")
    return made


def add_customers(desk: ServiceDesk, accounts: Collection[str], *, actor: Rights) -> None:
    """Let people ask a desk; who may already still may.

    Raises:
        Forbidden: the actor neither works at nor administer the desk.
        Invalid: nobody is named.
        NotFound: an account is unknown.
    """
    _require(actor, desk)
    users = people_of(accounts)
    already = set(desk.customers.filter(user__in=users).values_list("user_id", flat=True))
    missing = [user for user in users if user.id not in already]
    keys = next_ids(DeskCustomer, len(missing))
    DeskCustomer.objects.bulk_create(
        [
            DeskCustomer(id=key, desk=desk, user=user)
            for key, user in zip(keys, missing, strict=True)
        ]
    )


def invite_customers(
    desk: ServiceDesk, emails: Collection[str], *, actor: Rights
) -> Sequence[User]:
    """Let the people of some addresses ask a desk; who has no account is given a customer's.

    Raises:
        Forbidden: the actor neither works at nor administer the desk.
        Invalid: nobody is named, or an address is none.
    """
    _require(actor, desk)
    wanted = list(dict.fromkeys(email.strip().lower() for email in emails if email.strip()))
    if not wanted:
        raise Invalid(fields={"emails": "Enter at least one email address."})
    found = []
    for email in wanted:
        user = User.objects.filter(email__iexact=email, active=True).order_by("id").first()
        found.append(user or create_customer(None, email, actor=actor))
    add_customers(desk, [user.account_id for user in found], actor=actor)
    return found


def remove_customers(desk: ServiceDesk, accounts: Collection[str], *, actor: Rights) -> None:
    """Take people off a desk's customers; an open desk has no list to take them from.

    Raises:
        Forbidden: the actor neither works at nor administer the desk.
        Invalid: nobody is named, or the desk is open.
        NotFound: an account is unknown.
    """
    _require(actor, desk)
    users = people_of(accounts)
    if desk.access == "open":
        raise Invalid(
            "Customers cannot be removed from a service desk that is open to everyone.",
            i18n_key="sd.customer.remove.error.open.access",
        )
    desk.customers.filter(user__in=users).delete()


def revoke_portal_access(user: User, *, actor: Rights) -> None:
    """Take a customer's sign-in: what they asked stays.

    Raises:
        Forbidden: the actor is no admin of the site.
        Invalid: the account is not one of a customer only.
    """
    if not actor.is_admin:
        raise Forbidden(
            "Only site administrators can revoke access.",
            i18n_key="sd.customer.revoke.error.permission",
        )
    if user.account_type != "customer":
        raise Invalid(
            "The user does not have a portal-only account.",
            i18n_key="sd.customer.revoke.error.not.portal.only",
        )
    user.active = False
    user.save(update_fields=["active"])
    Account.objects.filter(clone="tracker", subject=str(user.id)).update(active=False)
    audit.record(
        "Portal only access revoked",
        "user management",
        actor=actor,
        object=("USER", user.account_id, user.display_name),
    )


def _require(actor: Rights, desk: ServiceDesk) -> None:
    if not (is_manager(actor, desk) or is_agent(actor, desk)):
        raise Forbidden(
            "You do not have permission to manage customers in this service desk.",
            i18n_key="sd.customer.manage.error.permission",
        )
