"""The labels that issues have."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.tracker.api.operations import actor, operation
from clones.tracker.api.paging import page_bean
from clones.tracker.models import IssueLabel
from clones.tracker.queries.rights import visible_issues


@operation(
    "getAllLabels",
    "GET",
    "/rest/api/3/label",
    summary="List the labels of issues that one sees.",
    access="anyone",
)
def list_labels(call: Call) -> dict[str, Any]:
    """List labels, each once."""
    seen = visible_issues(actor(call)).values("pk")
    rows = IssueLabel.objects.filter(issue__in=seen).order_by("label")
    labels = rows.values_list("label", flat=True).distinct()
    return page_bean(call, labels, list, max_results=1000, limit=1000)
