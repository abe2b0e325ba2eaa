"""Many organizations at once, as jobs."""

from __future__ import annotations

from clones.helpdesk.domain import bulk, organizations
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import JobStatus, Organization

CREATE = "create_organizations"
UPDATE = "update_organizations"
DELETE = "delete_organizations"


def _organization(item: bulk.Item) -> Organization:
    """Return the organization that an item names by its id or external id."""
    rows = Organization.objects.order_by("id")
    if item.get("external_id") is not None:
        found = rows.filter(external_id=item["external_id"]).first()
    else:
        found = rows.filter(id=item["id"] or 0).first()
    if found is None:
        raise RecordNotFound("organization", item.get("external_id") or item.get("id"))
    return found


@bulk.does(CREATE, "Bulk Create Organization")
def _create(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    made = organizations.create_organization(actor=job.requested_by, changes=item["changes"])
    return {"index": index, "status": "Created", "id": made.id}


@bulk.does(UPDATE, "Bulk Update Organization")
def _update(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    found = organizations.update_organization(
        _organization(item), actor=job.requested_by, changes=item["changes"]
    )
    return bulk.updated(index, found.id)


@bulk.does(DELETE, "Bulk Delete Organization")
def _delete(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    found = _organization(item)
    key = found.id
    organizations.delete_organization(found, actor=job.requested_by)
    return bulk.updated(index, key, "delete")
