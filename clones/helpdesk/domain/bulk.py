"""Bulk changes as jobs: queued by a request, done on the sandbox's clock, one record at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from clones.core import clock, ids
from clones.core.journal import act
from clones.core.long_jobs import LongJobs, one_by_one
from clones.helpdesk.domain import group_members, organizations, tickets, users
from clones.helpdesk.domain.errors import HelpdeskError, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.values import ACCOUNT_ID, NewComment, Via
from clones.helpdesk.models import JobStatus, Ticket, User

KIND = "helpdesk.bulk"
TYPES: dict[str, str] = {}
Item = dict[str, Any]
Worker = Callable[[int, Item, JobStatus], Item]
_JOBS: LongJobs[Worker, str] = LongJobs(
    KIND,
    name="job",
    longest=JobStatus._meta.get_field("job_type").max_length or 0,
)


def type_of(job: JobStatus) -> str:
    """Return a job's `job_type` as it is shown.

    Its row keeps the kind; rows in snapshots of earlier builds keep what is shown.
    """
    return TYPES.get(job.job_type, job.job_type)


def does(kind: str, job_type: str) -> Callable[[Worker], Worker]:
    """Register what jobs of a kind do with each of their items, and the type they are shown as.

    Raises:
        ValueError: the kind is taken, or too long for its column.
    """

    def register(worker: Worker) -> Worker:
        _JOBS.does(kind)(worker)
        TYPES[kind] = job_type
        return worker

    return register


def start_job(
    kind: str,
    items: list[Item],
    *,
    actor: User,
    client: str | None,
    key: str | None = None,
    channel: str = "api",
) -> JobStatus:
    """Queue a bulk change; each item has an `id`, `changes`, a `comment`, as its kind needs.

    `key` is the job's id, if it has one of its own; `channel` says how it was asked for.
    """
    job = JobStatus.objects.create(
        id=key or _job_id(),
        requested_by=actor,
        job_type=kind,
        total=len(items),
        work={"kind": kind, "items": items, "client": client, "channel": channel},
        created_at=clock.now(),
    )
    _JOBS.set_off(job.id)
    return job


def _job_id() -> str:
    code = ids.next_code("V3-", JobStatus)
    return "V3-" + hashlib.md5(code.encode(), usedforsecurity=False).hexdigest()


@_JOBS.runs
def run_job(key: str) -> None:
    """Do a queued bulk change; a record that is refused does not stop the others."""
    job = JobStatus.objects.select_related("requested_by").get(id=key)
    work = _JOBS.worker(job.work["kind"])
    with act(actor=f"helpdesk.user:{job.requested_by_id}", label=f"job {job.id}"):
        results = [
            _failure(index, item, made) if isinstance(made, HelpdeskError) else made
            for (index, item), made in one_by_one(
                enumerate(job.work["items"]),
                lambda part: work(part[0], part[1], job),
                HelpdeskError,
            )
        ]
        job.status = "completed"
        job.progress = len(results)
        job.message = f"Completed at {clock.now():%Y-%m-%d %H:%M:%S} +0000"
        job.results = results
        job.save()


def _failure(index: int, item: Item, error: HelpdeskError) -> Item:
    found: Item = {"index": index, "error": _ERRORS.get(type(error), "RecordInvalid")}
    if item.get("id") is not None:
        found["id"] = item["id"]
    return {**found, "details": str(error)}


_ERRORS: dict[type[HelpdeskError], str] = {
    RecordNotFound: "RecordNotFound",
    RecordInvalid: "RecordInvalid",
}


def via_of(job: JobStatus) -> Via:
    """Return how the changes of a job came."""
    return Via(job.work.get("channel", "api"), client=job.work.get("client"))


def comment_item(comment: NewComment | None) -> Item | None:
    """Return a comment in the form that jobs keep it in."""
    if comment is None:
        return None
    return {
        "body": comment.body,
        "html_body": comment.html_body,
        "public": comment.public,
        "author": comment.author.id if comment.author else None,
        "uploads": list(comment.uploads),
        "unsaid": comment.unsaid,
    }


def _comment(item: Item) -> NewComment | None:
    given = item.get("comment")
    return comment_of(given) if given is not None else None


def comment_of(given: Item) -> NewComment:
    """Return the comment that a job kept."""
    author = User.objects.filter(id=given["author"]).first() if given["author"] else None
    uploads = tuple(given["uploads"])
    said = given["body"], given["html_body"], given["public"]
    return NewComment(*said, author, uploads, unsaid=given.get("unsaid", False))


def updated(index: int, key: int, action: str = "update") -> Item:
    """Return the result of a record that was changed, or deleted."""
    status = "Deleted" if action == "delete" else "Updated"
    return {"index": index, "action": action, "id": key, "status": status, "success": True}


def _ticket(item: Item, *, deleted: bool = False) -> Ticket:
    found = Ticket.objects.filter(id=item["id"], deleted_at__isnull=not deleted).first()
    if found is None:
        raise RecordNotFound("ticket", item["id"])
    return found


def _user(item: Item) -> User:
    found = User.objects.filter(id=item["id"]).first()
    if found is None:
        raise RecordNotFound("user", item["id"])
    return found


@does("create_tickets", "Bulk Create Ticket")
def _create_ticket(index: int, item: Item, job: JobStatus) -> Item:
    requester = User.objects.filter(id=item["requester"]).first() if item["requester"] else None
    audit = tickets.create_ticket(
        actor=job.requested_by,
        changes=item["changes"],
        comment=_comment(item) or NewComment(None),
        via=via_of(job),
        requester=requester,
    )
    return {"index": index, "id": audit.ticket_id, "account_id": ACCOUNT_ID}


@does("update_tickets", "Bulk Update Ticket")
def _update_ticket(index: int, item: Item, job: JobStatus) -> Item:
    tickets.update_ticket(
        _ticket(item),
        actor=job.requested_by,
        changes=item["changes"],
        comment=_comment(item),
        via=via_of(job),
    )
    return {
        "index": index,
        "action": "update",
        "id": item["id"],
        "status": "Updated",
        "success": True,
    }


@does("delete_tickets", "Bulk Delete Ticket")
def _delete_ticket(index: int, item: Item, job: JobStatus) -> Item:
    tickets.delete_ticket(_ticket(item), actor=job.requested_by)
    return {
        "index": index,
        "action": "delete",
        "id": item["id"],
        "status": "Deleted",
        "success": True,
    }


@does("restore_tickets", "Bulk Restore Ticket")
def _restore_ticket(index: int, item: Item, job: JobStatus) -> Item:
    tickets.restore_ticket(_ticket(item, deleted=True), actor=job.requested_by)
    return {"index": index, "id": item["id"], "status": "Restored", "success": True}


@does("erase_tickets", "Permanent Delete Ticket")
def _erase_ticket(index: int, item: Item, job: JobStatus) -> Item:
    tickets.erase_ticket(_ticket(item, deleted=True), actor=job.requested_by)
    return {"index": index, "id": item["id"], "status": "Deleted", "success": True}


@does("create_users", "Bulk Create User")
def _create_user(index: int, item: Item, job: JobStatus) -> Item:
    user = users.create_user(actor=job.requested_by, changes=item["changes"])
    return {"index": index, "status": "Created", "id": user.id}


@does("update_users", "Bulk Update User")
def _update_user(index: int, item: Item, job: JobStatus) -> Item:
    user = users.update_user(_user(item), actor=job.requested_by, changes=item["changes"])
    return {"index": index, "action": "update", "id": user.id, "status": "Updated", "success": True}


@does("delete_users", "Bulk Delete User")
def _delete_user(index: int, item: Item, job: JobStatus) -> Item:
    user = users.deactivate_user(_user(item), actor=job.requested_by)
    return {"index": index, "action": "delete", "id": user.id, "status": "Deleted", "success": True}


@does("create_group_memberships", "Bulk Create Group Membership")
def _create_group_membership(index: int, item: Item, job: JobStatus) -> Item:
    made = group_members.add_group_member(
        actor=job.requested_by, user_id=item["user"], group_id=item["group"]
    )
    return _place(index, "create", made.id)


@does("create_organization_memberships", "Bulk Create Organization Membership")
def _create_organization_membership(index: int, item: Item, job: JobStatus) -> Item:
    made = organizations.add_organization_member(
        actor=job.requested_by, user_id=item["user"], organization_id=item["organization"]
    )
    return _place(index, "create", made.id)


@does("delete_group_memberships", "Bulk Delete Group Membership")
def _delete_group_membership(index: int, item: Item, job: JobStatus) -> Item:
    """Do what is left to do: the place itself went with the request."""
    if "user" not in item:
        raise RecordNotFound("membership", item["id"])
    group_members.drop_assignments(item["user"], item["group"])
    return _place(index, "delete", item["id"])


@does("delete_organization_memberships", "Bulk Delete Organization Membership")
def _delete_organization_membership(index: int, item: Item, job: JobStatus) -> Item:
    """Do what is left to do: the place itself went with the request."""
    if "user" not in item:
        raise RecordNotFound("membership", item["id"])
    organizations.drop_organization(item["user"], item["organization"])
    return _place(index, "delete", item["id"])


def _place(index: int, action: str, key: int) -> Item:
    status = {"create": "Created", "delete": "Deleted"}[action]
    return {"index": index, "action": action, "id": key, "status": status, "success": True}
