"""Many users created or updated at once, as a job."""

from __future__ import annotations

from clones.helpdesk.domain import bulk, users
from clones.helpdesk.models import JobStatus

CREATE_OR_UPDATE = "create_or_update_users"


@bulk.does(CREATE_OR_UPDATE, "Bulk Create Or Update User")
def _work(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    user, created = users.create_or_update_user(actor=job.requested_by, changes=item["changes"])
    if created:
        return {"index": index, "action": "create", "id": user.id, "status": "Created"}
    return bulk.updated(index, user.id)
