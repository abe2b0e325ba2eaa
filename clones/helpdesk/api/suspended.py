"""Mail that was held back: see it, let it in, delete it."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.digits import whole_number
from clones.core.operations import Call, Reply
from clones.helpdesk.api import errors
from clones.helpdesk.api.operations import (
    OPERATIONS,
    IdsQuery,
    Query,
    SortedQuery,
    list_request,
    listed,
    many_ids,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.measures import present_upload
from clones.helpdesk.api.presenters.suspended import present_outcomes, present_suspended
from clones.helpdesk.domain import recovery, suspended
from clones.helpdesk.domain.errors import InvalidAttribute, MissingParameter
from clones.helpdesk.models import Attachment, SuspendedTicket
from clones.helpdesk.queries.suspended import suspended_ticket, suspended_tickets

SORTED_BY = ("author_email", "cause", "created_at", "subject")


class SuspendedIdQuery(Query):
    """The ids of the suspended tickets meant; the view refuses a call that names none."""

    id: str | None = Field(None, description="The suspended ticket's id.")


def _found(call: Call) -> SuspendedTicket:
    return suspended_ticket(call.actor, call.path["suspended_id"])


def _named(call: Call) -> list[SuspendedTicket]:
    """Return the mails of the ids that a call gives, in their order; unknown ones are left out."""
    keys = many_ids(call)
    rows = suspended_tickets(call.actor).filter(id__in=keys).select_related("author", "ticket")
    found = {row.id: row for row in rows}
    return [found[key] for key in keys if key in found]


@OPERATIONS.operation(
    "ListSuspendedTickets",
    "GET",
    "/suspended_tickets",
    summary="List the mail that was held back.",
    query=SortedQuery,
)
def list_suspended(call: Call) -> dict[str, Any]:
    """List suspended tickets."""
    sign = "-" if call.query.sort_order == "desc" else ""
    fields = [f"{sign}id"]
    if call.query.sort_by in SORTED_BY:
        fields.insert(0, f"{sign}{call.query.sort_by}")
    page = paginate(suspended_tickets(call.actor), list_request(call), Order(tuple(fields)))
    return listed("suspended_tickets", present_suspended(page.rows, show(call)), page)


@OPERATIONS.operation(
    "ShowSuspendedTickets",
    "GET",
    "/suspended_tickets/{suspended_id:int}",
    summary="Show a mail that was held back.",
)
def show_suspended(call: Call) -> dict[str, Any]:
    """Show a suspended ticket."""
    return {"suspended_ticket": present_suspended([_found(call)], show(call, "detail"))[0]}


@OPERATIONS.operation(
    "DeleteSuspendedTicket",
    "DELETE",
    "/suspended_tickets/{suspended_id:int}",
    summary="Delete a mail that was held back.",
    status=204,
)
def delete_suspended(call: Call) -> None:
    """Delete a suspended ticket."""
    suspended.delete_suspended(_found(call), actor=call.actor)


@OPERATIONS.operation(
    "DeleteSuspendedTickets",
    "DELETE",
    "/suspended_tickets/destroy_many",
    summary="Delete up to 100 mails that were held back.",
    query=IdsQuery,
    status=204,
)
def delete_many(call: Call) -> None:
    """Delete suspended tickets; unknown ids are left alone."""
    for found in _named(call):
        suspended.delete_suspended(found, actor=call.actor)


@OPERATIONS.operation(
    "RecoverSuspendedTicket",
    "PUT",
    "/suspended_tickets/{suspended_id:int}/recover",
    summary="Let in a mail that was held back; a new ticket's requester is the caller.",
)
def recover(call: Call) -> Reply:
    """Recover a suspended ticket."""
    outcome = recovery.recover_suspended(_found(call), actor=call.actor)
    body = {"ticket": present_outcomes([outcome], show(call, "detail"))}
    return Reply(body, 200 if outcome.problem is None else 422)


@OPERATIONS.operation(
    "RecoverSuspendedTickets",
    "PUT",
    "/suspended_tickets/recover_many",
    summary="Let in up to 100 mails that were held back, as their senders' tickets and comments.",
    query=IdsQuery,
)
def recover_many(call: Call) -> dict[str, Any]:
    """Recover suspended tickets; those that cannot be are shown with what hinders it."""
    outcomes = recovery.recover_many_suspended(_named(call), actor=call.actor)
    return {"tickets": present_outcomes(outcomes, show(call, "detail"))}


@OPERATIONS.operation(
    "SuspendedTicketsAttachments",
    "POST",
    "/suspended_tickets/attachments",
    summary="Copy a held mail's files into an upload, for a comment to carry them.",
    query=SuspendedIdQuery,
)
def copy_attachments(call: Call) -> dict[str, Any]:
    """Copy the files of a suspended ticket."""
    key = call.query.id
    if not key:
        raise MissingParameter("id")
    if whole_number(key) is None:
        raise InvalidAttribute("id", "an integer")
    found = suspended_ticket(call.actor, int(key))
    made = suspended.copy_attachments(found, actor=call.actor)
    files = list(Attachment.objects.filter(upload=made).order_by("id"))
    return {"upload": present_upload(made, files, show(call, "detail"))}


@OPERATIONS.operation(
    "ExportSuspendedTickets",
    "POST",
    "/suspended_tickets/export",
    summary="Have a table of all held mail made; its address comes by mail.",
)
def export(call: Call) -> Reply:
    """Queue an export of the suspended tickets, one a minute."""
    suspended.check_manager(call.actor)
    wait = suspended.export_pause()
    if wait:
        status, body = errors.REFUSALS["rate_limited"]
        return Reply(body, status, {"Retry-After": str(wait)})
    suspended.export_suspended(actor=call.actor)
    return Reply({"export": {"status": "enqueued", "view_id": "suspended"}})
