"""Many organizations at once."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    Body,
    IdsQuery,
    many_ids,
    show,
)
from clones.helpdesk.api.organizations import (
    OrganizationBody,
    OrganizationWrite,
    changes_of,
)
from clones.helpdesk.api.presenters.people import (
    present_organization,
)
from clones.helpdesk.api.ticket_bulk import start
from clones.helpdesk.domain import organization_jobs, organizations
from clones.helpdesk.domain.errors import MissingParameter, TooManyValues


class OrganizationsBody(Body):
    """Several organizations, or one set of changes for several (`ids` in the query)."""

    organizations: list[OrganizationWrite] | None = None
    organization: OrganizationWrite | None = None


class OrganizationIds(IdsQuery):
    """The organizations that a bulk call is about: by our ids, or by external ids."""

    external_ids: CommaList[str] | None = Field(
        None, description="External ids, in place of `ids`."
    )


def _given(call: Call) -> list[OrganizationWrite]:
    found: list[OrganizationWrite] | None = call.body.organizations
    if found is None:
        raise MissingParameter("organizations")
    if len(found) > MANY:
        raise TooManyValues(MANY)
    return found


def _named(call: Call) -> list[dict[str, Any]]:
    """Return the items of the organizations that a call's query names."""
    if call.query.external_ids is None:
        return [{"id": key} for key in many_ids(call)]
    names = call.query.external_ids
    if not names:
        raise MissingParameter("external_ids")
    if len(names) > MANY:
        raise TooManyValues(MANY)
    return [{"external_id": name} for name in dict.fromkeys(names)]


@OPERATIONS.operation(
    "CreateOrUpdateOrganization",
    "POST",
    "/organizations/create_or_update",
    summary="Create an organization, or update the one of the id or external id.",
    body=OrganizationBody,
)
def create_or_update(call: Call) -> Reply:
    """Create or update an organization: 201 for a new one, 200 for one there was."""
    given = call.body.organization
    found, created = organizations.create_or_update_organization(
        actor=call.actor, key=given.id, changes=changes_of(given)
    )
    body = present_organization(found, show(call, "detail"))
    return Reply({"organization": body}, 201 if created else 200, {"Location": body["url"]})


@OPERATIONS.operation(
    "CreateManyOrganizations",
    "POST",
    "/organizations/create_many",
    summary="Create up to 100 organizations as a job.",
    body=OrganizationsBody,
    access="admin",
)
def create_many(call: Call) -> dict[str, Any]:
    """Queue the creation of organizations."""
    items = [{"changes": changes_of(given)} for given in _given(call)]
    return start(call, organization_jobs.CREATE, items)


@OPERATIONS.operation(
    "UpdateManyOrganizations",
    "PUT",
    "/organizations/update_many",
    summary="Update up to 100 organizations as a job: each its own changes, or all the same.",
    query=OrganizationIds,
    body=OrganizationsBody,
)
def update_many(call: Call) -> dict[str, Any]:
    """Queue the update of organizations: each its own changes, or the same for `ids`."""
    if call.body.organization is not None:
        changes = changes_of(call.body.organization)
        items = [{**item, "changes": changes} for item in _named(call)]
    else:
        items = [{"id": given.id, "changes": changes_of(given)} for given in _given(call)]
    return start(call, organization_jobs.UPDATE, items)


@OPERATIONS.operation(
    "DeleteManyOrganizations",
    "DELETE",
    "/organizations/destroy_many",
    summary="Delete up to 100 organizations as a job.",
    query=OrganizationIds,
    access="admin",
)
def destroy_many(call: Call) -> dict[str, Any]:
    """Queue the deletion of organizations."""
    return start(call, organization_jobs.DELETE, _named(call))
