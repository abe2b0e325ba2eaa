"""The fields of issues that service desks keep: SLAs, request type, who takes part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.custom_values import shows_kind
from clones.tracker.api.presenters.desk.basics import Json, self_link
from clones.tracker.api.presenters.desk.conversation import present_approvals
from clones.tracker.api.presenters.desk.request_types import present_request_type_ref
from clones.tracker.api.presenters.desk.requests import present_status
from clones.tracker.api.presenters.desk.slas import present_standing
from clones.tracker.api.presenters.refs import user_ref
from clones.tracker.models import Approval, Issue, RequestOrganization, SlaMetric
from clones.tracker.queries.requests import (
    all_requests,
    participants_of,
    portal_names,
    status_histories,
)
from clones.tracker.queries.shown_fields import ShownField
from clones.tracker.queries.slas import standings_of


@shows_kind("sla")
def show_slas(issues: Sequence[Issue], field: ShownField, show: Show) -> Mapping[int, Json]:
    """Return how the SLA of a field stands, by issue."""
    spaces = {issue.project_id for issue in issues}
    metrics = list(SlaMetric.objects.filter(field=field.number, desk__project__in=spaces))
    standings = standings_of([issue.id for issue in issues], metrics)
    return {
        issue: present_standing(issue, standing, show)
        for issue, by_metric in standings.items()
        for standing in by_metric.values()
    }


@shows_kind("request_type")
def show_request_types(
    issues: Sequence[Issue], field: ShownField, show: Show
) -> Mapping[int, Json]:
    """Return the request that an issue is, with what its customer reads, by issue."""
    rows = list(all_requests().filter(id__in=[issue.id for issue in issues]))
    names, histories = portal_names(rows), status_histories(rows)
    show = replace(show, version="2")  # desks name the platform's second version wherever they are
    found: dict[int, Json] = {}
    for row in rows:
        kind, desk = row.request.request_type, row.project.desk
        if kind is None:
            continue
        name = names.get((kind.id, row.status_id), row.status.name)
        found[row.id] = {
            "_links": {
                "jiraRest": show.url(f"issue/{row.id}"),
                "web": show.at(f"/servicedesk/customer/portal/{desk.id}/{row.key}"),
                "agent": show.at(f"/browse/{row.key}"),
                **self_link(f"request/{row.id}", show),
            },
            "requestType": present_request_type_ref(kind, desk.id, show),
            "currentStatus": present_status(name, row.status, histories[row.id][0][1], show),
        }
    return found


@shows_kind("participants")
def show_participants(
    issues: Sequence[Issue], field: ShownField, show: Show
) -> Mapping[int, list[Any]]:
    """Return who takes part in a request, by issue."""
    people = participants_of(issues)
    return {issue: [user_ref(user, show) for user in users] for issue, users in people.items()}


@shows_kind("organizations")
def show_organizations(
    issues: Sequence[Issue], field: ShownField, show: Show
) -> Mapping[int, list[Json]]:
    """Return the organizations that share a request, by issue."""
    found: dict[int, list[Json]] = defaultdict(list)
    rows = RequestOrganization.objects.filter(issue__in=[issue.id for issue in issues])
    for row in rows.select_related("organization").order_by("issue_id", "id"):
        shared = row.organization
        links = self_link(f"organization/{shared.id}", show)
        found[row.issue_id].append({"id": str(shared.id), "name": shared.name, "_links": links})
    return found


@shows_kind("approvals")
def show_approvals(
    issues: Sequence[Issue], field: ShownField, show: Show
) -> Mapping[int, list[Json]]:
    """Return the approvals of a request, by issue."""
    rows = list(
        Approval.objects.filter(issue__in=[issue.id for issue in issues]).order_by("issue_id", "id")
    )
    found: dict[int, list[Json]] = defaultdict(list)
    show = replace(show, version="2")
    for row, shown in zip(rows, present_approvals(rows, show), strict=True):
        found[row.issue_id].append(shown)
    return found
