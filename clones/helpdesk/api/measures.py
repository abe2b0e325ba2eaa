"""Ratings, metrics, metric events and job statuses."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.helpdesk import queries
from clones.helpdesk.api.history import ticket_of
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    Body,
    PagedQuery,
    Query,
    list_request,
    listed,
    show,
    via,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.measures import (
    present_job,
    present_metric,
    present_metric_event,
    present_rating,
)
from clones.helpdesk.api.tickets import counted
from clones.helpdesk.domain import satisfaction
from clones.helpdesk.domain.errors import InvalidAttribute, MissingParameter, TooManyValues
from clones.helpdesk.models import (
    JobStatus,
    MetricEvent,
    SatisfactionRating,
    Ticket,
    TicketMetric,
)

BY_TIME = Order(("created_at", "id"))


class RatingList(PagedQuery):
    """Filters and paging of the list of satisfaction ratings."""

    score: str | None = None
    start_time: int | None = None
    end_time: int | None = None


class RatingWrite(Body):
    """A satisfaction rating to give: the score and a comment."""

    score: str = Field(description="good or bad.")
    comment: str | None = None


class RatingBody(Body):
    """A satisfaction rating to give."""

    satisfaction_rating: RatingWrite


def _ratings(call: Call) -> Any:
    rows = SatisfactionRating.objects.filter(ticket__in=queries.visible_tickets(call.actor))
    score = call.query.score
    if score in ("good", "bad", "offered", "unoffered"):
        rows = rows.filter(score=score)
    elif score in ("received", "received_with_comment", "received_without_comment"):
        rows = rows.filter(score__in=("good", "bad"))
    elif score is not None and score.removesuffix("_with_comment") in ("good", "bad"):
        rows = rows.filter(score=score.removesuffix("_with_comment"))
    elif score is not None and score.removesuffix("_without_comment") in ("good", "bad"):
        rows = rows.filter(score=score.removesuffix("_without_comment"))
    elif score is not None:
        raise InvalidAttribute("score", "a satisfaction score")
    if score is not None and "_with_comment" in score:
        rows = rows.exclude(comment=None).exclude(comment="")
    elif score is not None and "_without_comment" in score:
        rows = rows.exclude(comment__gt="")
    if call.query.start_time is not None:
        rows = rows.filter(created_at__gte=_moment(call.query.start_time))
    if call.query.end_time is not None:
        rows = rows.filter(created_at__lt=_moment(call.query.end_time))
    return rows


def _moment(seconds: int) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError) as error:
        raise InvalidAttribute("start_time", "a time in seconds") from error


@OPERATIONS.operation(
    "ListSatisfactionRatings",
    "GET",
    "/satisfaction_ratings",
    summary="List what requesters thought.",
    query=RatingList,
)
def list_ratings(call: Call) -> dict[str, Any]:
    """List satisfaction ratings."""
    page = paginate(_ratings(call), list_request(call), BY_TIME)
    bodies = [present_rating(item, show(call)) for item in page.rows]
    return listed("satisfaction_ratings", bodies, page)


@OPERATIONS.operation(
    "ListReceivedSatisfactionRatings",
    "GET",
    "/satisfaction_ratings/received",
    summary="List what requesters thought, without what they were only asked.",
    query=RatingList,
)
def list_received_ratings(call: Call) -> dict[str, Any]:
    """List the ratings that were given."""
    page = paginate(_ratings(call).filter(score__in=("good", "bad")), list_request(call), BY_TIME)
    bodies = [present_rating(item, show(call)) for item in page.rows]
    return listed("satisfaction_ratings", bodies, page)


@OPERATIONS.operation(
    "CountSatisfactionRatings",
    "GET",
    "/satisfaction_ratings/count",
    summary="Count the ratings.",
    query=RatingList,
)
def count_ratings(call: Call) -> dict[str, Any]:
    """Count satisfaction ratings."""
    return counted(_ratings(call).count())


@OPERATIONS.operation(
    "ShowSatisfactionRating",
    "GET",
    "/satisfaction_ratings/{rating_id:int}",
    summary="Show one rating.",
)
def show_rating(call: Call) -> dict[str, Any]:
    """Show a satisfaction rating."""
    rows = SatisfactionRating.objects.filter(ticket__in=queries.visible_tickets(call.actor))
    found = queries.one(rows, "rating", call.path["rating_id"])
    return {"satisfaction_rating": present_rating(found, show(call, "detail"))}


@OPERATIONS.operation(
    "CreateTicketSatisfactionRating",
    "POST",
    "/tickets/{ticket_id:int}/satisfaction_rating",
    summary="Say how your solved ticket was handled.",
    body=RatingBody,
    access="end-user",
)
def create_rating(call: Call) -> dict[str, Any]:
    """Rate a ticket as its requester."""
    given = call.body.satisfaction_rating
    made = satisfaction.rate_ticket(
        ticket_of(call), actor=call.actor, score=given.score, comment=given.comment, via=via(call)
    )
    return {"satisfaction_rating": present_rating(made, show(call, "detail"))}


@OPERATIONS.operation(
    "ListTicketMetrics",
    "GET",
    "/ticket_metrics",
    summary="List the counters of tickets.",
    query=PagedQuery,
)
def list_metrics(call: Call) -> dict[str, Any]:
    """List ticket metrics, newest first."""
    rows = TicketMetric.objects.filter(ticket__in=queries.visible_tickets(call.actor))
    page = paginate(rows, list_request(call), BY_TIME.reversed())
    return listed("ticket_metrics", [present_metric(item, show(call)) for item in page.rows], page)


@OPERATIONS.operation(
    "ShowTicketMetrics",
    "GET",
    "/ticket_metrics/{metric_id:int}",
    summary="Show the counters of one ticket.",
)
def show_metric(call: Call) -> dict[str, Any]:
    """Show a ticket metric."""
    rows = TicketMetric.objects.filter(ticket__in=queries.visible_tickets(call.actor))
    found = queries.one(rows, "metric", call.path["metric_id"])
    return {"ticket_metric": present_metric(found, show(call, "detail"))}


@OPERATIONS.operation(
    "ShowMetricsOfTicket",
    "GET",
    "/tickets/{ticket_id:int}/metrics",
    summary="Show the counters of a ticket.",
)
def show_metrics_of_ticket(call: Call) -> dict[str, Any]:
    """Show a ticket's metric."""
    ticket: Ticket = ticket_of(call)
    rows = TicketMetric.objects.filter(ticket=ticket)
    found = queries.one(rows, "metric", rows.values_list("id", flat=True).first() or 0)
    return {"ticket_metric": present_metric(found, show(call, "detail"))}


class EventList(Query):
    """Start time and page of the list of ticket metric events."""

    start_time: int | None = None
    page: str | None = None


@OPERATIONS.operation(
    "ListTicketMetricEvents",
    "GET",
    "/incremental/ticket_metric_events",
    summary="List the turns of SLA clocks since a time.",
    query=EventList,
    access="admin",
)
def list_metric_events(call: Call) -> dict[str, Any]:
    """List metric events in time order."""
    wanted = list_request(call)
    if call.query.start_time is None and not wanted.by_cursor:
        raise MissingParameter("start_time")
    rows = MetricEvent.objects.all()
    if call.query.start_time is not None:
        rows = rows.filter(time__gte=_moment(call.query.start_time))
    if wanted.by_cursor:
        page = paginate(rows, wanted, Order(("time", "id")), offset=False)
        bodies = [present_metric_event(item, show(call)) for item in page.rows]
        return listed("ticket_metric_events", bodies, page)
    found = list(rows.order_by("time", "id")[:1000])
    last = int(found[-1].time.timestamp()) if found else call.query.start_time
    return {
        "ticket_metric_events": [present_metric_event(item, show(call)) for item in found],
        "count": len(found),
        "end_time": last,
        "next_page": wanted.link(start_time=last) if found else None,
        "end_of_stream": len(found) < 1000,
    }


@OPERATIONS.operation(
    "ListJobStatuses",
    "GET",
    "/job_statuses",
    summary="List bulk changes, newest first.",
    query=PagedQuery,
)
def list_jobs(call: Call) -> dict[str, Any]:
    """List the bulk changes of the caller."""
    rows = JobStatus.objects.filter(requested_by=call.actor)
    page = paginate(rows, list_request(call), BY_TIME.reversed())
    return listed("job_statuses", [present_job(item, show(call)) for item in page.rows], page)


class JobIds(Query):
    """The ids of the job statuses to show."""

    ids: CommaList[str] = Field([], description="Their ids.")


@OPERATIONS.operation(
    "ShowManyJobStatuses",
    "GET",
    "/job_statuses/show_many",
    summary="Show several bulk changes.",
    query=JobIds,
)
def show_many_jobs(call: Call) -> dict[str, Any]:
    """Show the bulk changes of some ids; unknown ones are left out."""
    keys = call.query.ids
    if not keys:
        raise MissingParameter("ids")
    if len(keys) > MANY:
        raise TooManyValues(MANY)
    found = JobStatus.objects.filter(id__in=keys).order_by("created_at", "id")
    return {"job_statuses": [present_job(item, show(call)) for item in found]}


@OPERATIONS.operation(
    "ShowJobStatus",
    "GET",
    "/job_statuses/{job_id}",
    summary="Show how far a bulk change is.",
)
def show_job(call: Call) -> dict[str, Any]:
    """Show a bulk change."""
    found = queries.one(JobStatus.objects.all(), "job status", call.path["job_id"])
    return {"job_status": present_job(found, show(call, "detail"))}
