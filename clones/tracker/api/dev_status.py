"""What development tools tell of an issue: nothing, since none is connected to a site.

Pages of the vendor's ask here, and so do public clients; no description has it.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call
from clones.tracker.api.operations import Query, actor, operation
from clones.tracker.domain.errors import Invalid
from clones.tracker.queries.rights import find_issue

Json = dict[str, Any]
PATH: Final = "/rest/dev-status/{version}/issue"
# What is told of nothing, by the kind of thing.
_NOTHING: Final[dict[str, Json]] = {
    "pullrequest": {
        "stateCount": 0,
        "state": "OPEN",
        "open": True,
        "details": {"openCount": 0, "mergedCount": 0, "declinedCount": 0, "total": 0},
    },
    "build": {"failedBuildCount": 0, "successfulBuildCount": 0, "unknownBuildCount": 0},
    "review": {
        "stateCount": 0,
        "state": None,
        "dueDate": None,
        "overDue": False,
        "completed": False,
    },
    "deployment-environment": {"topEnvironments": [], "showProjects": False, "successfulCount": 0},
    "repository": {},
    "branch": {},
}


class SummaryQuery(Query):
    """The issue whose development summary is shown."""

    issue: str | None = Field(None, alias="issueId")


class DetailQuery(SummaryQuery):
    """The issue, the tool and the kind of data whose development details are shown."""

    tool: str | None = Field(None, alias="applicationType")
    kind: str | None = Field(None, alias="dataType")


def _require_issue(call: Call) -> None:
    """Hold a call to an issue that its caller sees.

    Raises:
        Invalid: it names none.
        NotFound: they see none of the id.
    """
    if not call.query.issue:
        raise Invalid("The issueId must be specified.")
    find_issue(actor(call), call.query.issue)


@operation(
    "devStatus.getSummary",
    "GET",
    f"{PATH}/summary",
    summary="Tell how many branches, commits, pull requests, builds... an issue has.",
    query=SummaryQuery,
)
def show_summary(call: Call) -> Json:
    """Tell that an issue has nothing of any kind."""
    _require_issue(call)
    return {
        "errors": [],
        "configErrors": [],
        "summary": {
            kind: {"overall": {"count": 0, "lastUpdated": None, **more}, "byInstanceType": {}}
            for kind, more in _NOTHING.items()
        },
    }


@operation(
    "devStatus.getDetail",
    "GET",
    f"{PATH}/detail",
    summary="List the branches, commits or pull requests of an issue.",
    query=DetailQuery,
)
def show_detail(call: Call) -> Json:
    """List nothing: no tool is connected."""
    _require_issue(call)
    return {"errors": [], "detail": []}
