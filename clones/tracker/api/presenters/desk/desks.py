"""Service desks, their queues, and organizations."""

from __future__ import annotations

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.desk.basics import Json, present_date, self_link
from clones.tracker.models import Organization, Queue, RequestTypeGroup, ServiceDesk


def present_desk(desk: ServiceDesk, show: Show) -> Json:
    """Return a service desk."""
    show.note(desk)
    return {
        "id": str(desk.id),
        "projectId": str(desk.project_id),
        "projectName": desk.project.name,
        "projectKey": desk.project.key,
        "_links": self_link(f"servicedesk/{desk.id}", show),
    }


def present_group(group: RequestTypeGroup) -> Json:
    """Return a heading of a portal."""
    return {"id": str(group.id), "name": group.name}


def present_queue(queue: Queue, show: Show, count: int | None = None) -> Json:
    """Return a queue, with the number of its requests if that was asked for."""
    show.note(queue)
    found: Json = {
        "id": str(queue.id),
        "name": queue.name,
        "jql": queue.jql,
        "fields": list(queue.columns),
    }
    if count is not None:
        found["issueCount"] = count
    return found | {"_links": self_link(f"servicedesk/{queue.desk_id}/queue/{queue.id}", show)}


def present_organization(organization: Organization, show: Show) -> Json:
    """Return an organization."""
    show.note(organization)
    return {
        "id": str(organization.id),
        "name": organization.name,
        "uuid": organization.uuid,
        "created": present_date(organization.created, show),
        "scimManaged": False,
        "_links": self_link(f"organization/{organization.id}", show),
    }
