"""How a desk's SLAs stand for a request."""

from __future__ import annotations

from clones.core.operations import Call
from clones.tracker.api.desk.parts import REQUEST, Json, PageQuery, request_in
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.api.paging import desk_page
from clones.tracker.api.presenters.desk.slas import present_standing, present_standings
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.models import Issue
from clones.tracker.queries.desks import AGENTS_ONLY
from clones.tracker.queries.requests import works_on
from clones.tracker.queries.slas import Standing, metrics_of, standings_of

GONE = "The SLA metric does not exist or you do not have permission to view it."


@operation(
    "desk.getSlaInformation",
    "GET",
    f"{REQUEST}/sla",
    summary="List how SLAs stand for a request.",
    query=PageQuery,
)
def list_slas(call: Call) -> Json:
    """List SLAs."""
    issue = _worked(call)
    return desk_page(
        call, _standings(issue), lambda rows: present_standings(issue.id, rows, show(call))
    )


@operation(
    "desk.getSlaInformationById",
    "GET",
    f"{REQUEST}/sla/{{slaMetricId}}",
    summary="Show how an SLA stands for a request.",
)
def show_sla(call: Call) -> Json:
    """Show an SLA."""
    issue = _worked(call)
    for standing in _standings(issue):
        if str(standing.metric.id) == call.path["slaMetricId"]:
            return present_standing(issue.id, standing, show(call))
    raise NotFound(GONE, i18n_key="sd.sla.error.metric.not.found")


def _worked(call: Call) -> Issue:
    issue = request_in(call)
    if not works_on(actor(call), issue):
        raise Forbidden(AGENTS_ONLY, i18n_key="sd.agent.servicedesk.error.not.agent")
    return issue


def _standings(issue: Issue) -> list[Standing]:
    metrics = list(metrics_of([issue.project_id]))
    found = standings_of([issue.id], metrics).get(issue.id, {})
    return [found[metric.id] for metric in metrics if metric.id in found]
