"""Organizations: firms whose people are customers of service desks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from clones.core import clock
from clones.core.digits import is_digits
from clones.tracker.domain import audit
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.numbering import new_uuid, next_id, next_ids
from clones.tracker.domain.properties import forget_properties
from clones.tracker.models import (
    DeskOrganization,
    Organization,
    OrganizationMember,
    ServiceDesk,
    User,
)
from clones.tracker.queries.desks import is_agent_somewhere, require_agent
from clones.tracker.queries.rights import Rights

PROPERTIES: Final = "organization"
GONE: Final = "The organization does not exist or you do not have permission to view it."
AGENTS_ONLY: Final = "You need to be an agent or an administrator of a service desk to do this."
NAME_LIMIT: Final = 200


def create_organization(name: str, *, actor: Rights) -> Organization:
    """Make an organization, or return the one that is called so already: names are taken once.

    Raises:
        Forbidden: the actor is no agent.
        Invalid: the name is empty or too long.
    """
    require_agent_somewhere(actor)
    called = name.strip()
    if not called or len(called) > NAME_LIMIT:
        raise Invalid(
            f"The organization name must have between 1 and {NAME_LIMIT} characters.",
            i18n_key="sd.organisation.error.name.invalid",
        )
    found = Organization.objects.filter(name__iexact=called).order_by("id").first()
    if found is not None:
        return found
    made = Organization.objects.create(
        id=next_id(Organization),
        uuid=new_uuid(Organization),
        name=called,
        created=clock.now(),
    )
    audit.record(
        "Organization created",
        "organizations",
        actor=actor,
        object=("ORGANIZATION", str(made.id), made.name),
    )
    return made


def delete_organization(organization: Organization, *, actor: Rights) -> None:
    """Delete an organization, whatever desks and requests it is tied to.

    Raises:
        Forbidden: the actor is no admin of the site.
    """
    if not actor.is_admin:
        raise Forbidden(
            "Only Jira administrators can delete organizations.",
            i18n_key="sd.organisation.error.delete.permission",
        )
    audit.record(
        "Organization deleted",
        "organizations",
        actor=actor,
        object=("ORGANIZATION", str(organization.id), organization.name),
    )
    forget_properties(PROPERTIES, [str(organization.id)])
    organization.delete()


def add_organization_users(
    organization: Organization, accounts: Collection[str], *, actor: Rights
) -> None:
    """Put people into an organization; who is in it stays.

    Raises:
        Forbidden: the actor is no agent.
        Invalid: nobody is named.
        NotFound: an account is unknown.
    """
    require_agent_somewhere(actor)
    users = people_of(accounts)
    rows = OrganizationMember.objects.filter(organization=organization, user__in=users)
    already = set(rows.values_list("user_id", flat=True))
    missing = [user for user in users if user.id not in already]
    keys = next_ids(OrganizationMember, len(missing))
    OrganizationMember.objects.bulk_create(
        [
            OrganizationMember(id=key, organization=organization, user=user)
            for key, user in zip(keys, missing, strict=True)
        ]
    )


def remove_organization_users(
    organization: Organization, accounts: Collection[str], *, actor: Rights
) -> None:
    """Take people out of an organization; who is not in it stays out.

    Raises:
        Forbidden: the actor is no agent.
        Invalid: nobody is named.
        NotFound: an account is unknown.
    """
    require_agent_somewhere(actor)
    users = people_of(accounts)
    OrganizationMember.objects.filter(organization=organization, user__in=users).delete()


def share_desk(desk: ServiceDesk, organization: Organization, *, actor: Rights) -> None:
    """Let an organization's people ask a desk; twice is once.

    Raises:
        Forbidden: the actor is not the desk's agent.
    """
    require_agent(actor, desk)
    if not DeskOrganization.objects.filter(desk=desk, organization=organization).exists():
        key = next_id(DeskOrganization)
        DeskOrganization.objects.create(id=key, desk=desk, organization=organization)


def unshare_desk(desk: ServiceDesk, organization: Organization, *, actor: Rights) -> None:
    """Take a desk from an organization; requests stay shared with it.

    Raises:
        Forbidden: the actor is not the desk's agent.
    """
    require_agent(actor, desk)
    DeskOrganization.objects.filter(desk=desk, organization=organization).delete()


def require_agent_somewhere(actor: Rights) -> None:
    """Hold somebody to being an agent of some desk, or an admin of the site.

    Raises:
        Forbidden: they are neither.
    """
    if not is_agent_somewhere(actor):
        raise Forbidden(AGENTS_ONLY, i18n_key="sd.organisation.error.permission")


def people_of(accounts: Collection[str]) -> Sequence[User]:
    """Return the users of account ids, in the order in which they are named.

    Raises:
        Invalid: none is named.
        NotFound: an id is nobody's.
    """
    if not accounts:
        raise Invalid(
            "You must provide at least one accountId.", i18n_key="sd.user.error.account.id.missing"
        )
    found = {user.account_id: user for user in User.objects.filter(account_id__in=accounts)}
    for account in accounts:
        if account not in found:
            raise NotFound(
                f"The user with the accountId '{account}' does not exist.",
                i18n_key="sd.user.error.not.found",
            )
    return [found[account] for account in dict.fromkeys(accounts)]


def find_organization(actor: Rights, text: str) -> Organization:
    """Return the organization with an id: agents see all, others those that they belong to.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    found = None
    if is_digits(text):
        rows = Organization.objects.filter(id=int(text))
        if not is_agent_somewhere(actor):
            rows = rows.filter(members__user=actor.user)
        found = rows.first()
    if found is None:
        raise NotFound(GONE, i18n_key="sd.organisation.error.not.found")
    return found
