"""Merges of organizations."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedQuery,
    list_request,
    listed,
    show,
    via,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.domain import organization_merging
from clones.helpdesk.models import JobStatus


class Winner(Body):
    """The organization that a merge leaves."""

    winner_id: int


class MergeBody(Body):
    """A merge of organizations: the one that stays."""

    organization_merge: Winner


def _merge(job: JobStatus, call: Call) -> dict[str, Any]:
    """Return a merge as JSON, made of the job that does it."""
    show(call).note(job)
    [item] = job.work["items"]
    status = "new"
    if job.results:
        status = "error" if "error" in job.results[0] else "complete"
    return {
        "id": job.id,
        "url": show(call).url(f"organization_merges/{job.id}"),
        "loser_id": item["id"],
        "winner_id": item["winner"],
        "status": status,
    }


@OPERATIONS.operation(
    "CreateOrganizationMerge",
    "POST",
    "/organizations/{organization_id:int}/merge",
    summary="Merge an organization into another one, which gets its people and tickets.",
    body=MergeBody,
    access="admin",
)
def create_merge(call: Call) -> dict[str, Any]:
    """Queue a merge."""
    job = organization_merging.start_merge(
        queries.organization(call.path["organization_id"]),
        queries.organization(call.body.organization_merge.winner_id),
        actor=call.actor,
        client=via(call).client,
    )
    return {"organization_merge": _merge(job, call)}


@OPERATIONS.operation(
    "ShowOrganizationMerge",
    "GET",
    "/organization_merges/{merge_id}",
    summary="Show how far a merge of organizations is.",
    access="admin",
)
def show_merge(call: Call) -> dict[str, Any]:
    """Show a merge."""
    found = queries.one(organization_merging.merges(), "merge", call.path["merge_id"])
    return {"organization_merge": _merge(found, call)}


@OPERATIONS.operation(
    "ListOrganizationMerges",
    "GET",
    "/organizations/{organization_id:int}/merges",
    summary="List the merges that an organization won or lost.",
    query=PagedQuery,
    access="admin",
)
def list_merges(call: Call) -> dict[str, Any]:
    """List an organization's merges; it may be gone by one of them."""
    key = call.path["organization_id"]
    rows = organization_merging.merges_of(key)
    if not rows.exists():
        queries.organization(key)
    page = paginate(rows, list_request(call), Order(("created_at", "id")), offset=False)
    return listed("organization_merges", [_merge(item, call) for item in page.rows], page)
