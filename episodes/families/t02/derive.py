"""The facts of T02 a second time, from the request that anybody can read, and by the query.

What `arrange` finds with the slow reading of rows is found here by running the query that the
request's words come to.
"""

from __future__ import annotations

import re
from typing import Any, Final

from clones.tracker.models import Filter, Group, Issue, Project, User
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import search
from episodes.families.t02.request import read_request
from episodes.tasks.tracker_acts import text_of

NAME: Final = re.compile(r'filter[^"\n]*"([^"]+)"')
SHARE: Final = re.compile(r'(?:Share it with|Only) the (group|space) "([^"]+)"')


def derive(goal: str) -> dict[str, Any]:
    """Return the facts as plain loops over the bound sandbox find them.

    Raises:
        LookupError: the goal names nobody who asks for a filter.
    """
    asker, issue = _request(goal)
    text = text_of(issue.description)
    named, shared = NAME.search(text), SHARE.search(text)
    if named is None:
        raise LookupError("the request names no filter")
    share, key = "loggedin", None
    if shared is not None and shared.group(1) == "group":
        share = "group"
        key = next(group.id for group in Group.objects.all() if group.name == shared.group(2))
    elif shared is not None:
        share = "project"
        key = next(row.id for row in Project.objects.all() if row.name == shared.group(2))
    jql = read_request(text).jql
    return {
        "asker": asker.id,
        "request": issue.id,
        "request_key": issue.key,
        "name": named.group(1),
        "share": share,
        "share_key": key,
        "filters": sorted(row.id for row in Filter.objects.all()),
        "inside": sorted(found.id for found in search(jql, Rights(asker))),
        "obligations": [],
    }


def _request(goal: str) -> tuple[User, Issue]:
    for issue in Issue.objects.select_related("reporter", "status").order_by("-created"):
        reporter = issue.reporter
        fresh = issue.status.category == "new" and issue.assignee_id is not None
        if reporter is None or not fresh or reporter.display_name not in goal:
            continue
        if "filter" in text_of(issue.description).lower():
            return reporter, issue
    raise LookupError("nobody whom the goal names asks for a filter")
