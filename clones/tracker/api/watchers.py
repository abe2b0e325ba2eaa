"""Who watches issues."""

from __future__ import annotations

from typing import Any

from clones.core.digits import whole_number
from clones.core.operations import Call, Reply
from clones.tracker.api.errors import PAYLOAD, Unreadable
from clones.tracker.api.operations import Body, Query, actor, operation, show
from clones.tracker.api.presenters.refs import user_ref
from clones.tracker.domain import watching
from clones.tracker.domain.site_options import require_watching
from clones.tracker.models import Watcher
from clones.tracker.queries.rights import find_issue, visible_issues

Json = dict[str, Any]
PATH = "/rest/api/3/issue/{key}/watchers"


class RemoveQuery(Query):
    """The watcher whom an issue loses."""

    accountId: str | None = None
    username: str | None = None


class IssueIds(Body):
    """The ids of the issues that the caller may be watching."""

    issueIds: list[str]


@operation("getIssueWatchers", "GET", PATH, summary="List who watches an issue.", access="anyone")
def list_watchers(call: Call) -> Json:
    """List the watchers; who may not see others sees themselves alone."""
    rights = actor(call)
    require_watching()
    issue = find_issue(rights, call.path["key"])
    view = show(call)
    watchers = Watcher.objects.filter(issue=issue)
    shown = watchers.select_related("user").order_by("user__display_name", "user_id")
    if not rights.may_on("VIEW_VOTERS_AND_WATCHERS", issue):
        shown = shown.filter(user=rights.user) if rights.user is not None else shown.none()
    return {
        "self": view.url(f"issue/{issue.key}/watchers"),
        "isWatching": rights.user is not None and watchers.filter(user=rights.user).exists(),
        "watchCount": watchers.count(),
        "watchers": [user_ref(watcher.user, view) for watcher in shown],
    }


@operation(
    "addWatcher",
    "POST",
    PATH,
    summary="Let somebody watch an issue. The body is an account id; without one, the caller.",
    body=Any,
    status=204,
)
def add_watcher(call: Call) -> Reply:
    """Add a watcher."""
    rights = actor(call)
    require_watching()
    # A missing body is read as an empty object.
    account = call.body or None
    if account is not None and not isinstance(account, str):
        raise Unreadable(PAYLOAD)
    watching.add_watcher(find_issue(rights, call.path["key"]), account, actor=rights)
    return Reply(None, 204)


@operation(
    "removeWatcher",
    "DELETE",
    PATH,
    summary="Take somebody off the watchers of an issue.",
    query=RemoveQuery,
    status=204,
)
def remove_watcher(call: Call) -> None:
    """Remove a watcher."""
    rights = actor(call)
    require_watching()
    issue = find_issue(rights, call.path["key"])
    watching.remove_watcher(issue, call.query.accountId, actor=rights)


@operation(
    "getIsWatchingIssueBulk",
    "POST",
    "/rest/api/3/issue/watching",
    summary="Tell which of some issues the caller watches.",
    body=IssueIds,
    writes=False,
)
def list_watching(call: Call) -> Json:
    """Tell of each issue whether the caller watches it; what is no issue they do not."""
    rights = actor(call)
    require_watching()
    numbers = [int(id) for id in call.body.issueIds if _is_id(id)]
    seen = visible_issues(rights).filter(id__in=numbers).values("id")
    rows = Watcher.objects.filter(user=rights.user, issue__in=seen)
    watched = {str(id) for id in rows.values_list("issue_id", flat=True)}
    return {"issuesIsWatching": {id: id in watched for id in call.body.issueIds}}


def _is_id(text: str) -> bool:
    return whole_number(text) is not None
