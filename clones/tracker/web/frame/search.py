"""The search box above every page: a key leads to its issue, words to what has them."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.errors import NotFound
from clones.tracker.queries.rights import find_issue, visible_projects
from clones.tracker.queries.searching import read_search
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.frame.entries import is_there
from clones.tracker.web.shell import page

SHOWN: Final = 30


@page_of_staff
def quick_search(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Lead to the issue of a key, or show the issues and spaces in which words are found."""
    text = request.GET.get("searchString", "").strip()
    if text and " " not in text and "-" in text:
        try:
            return HttpResponseRedirect(f"/browse/{find_issue(who.rights, text).key}")
        except NotFound:
            pass
    jql = jql_of(text)
    context = {
        "text": text,
        "issues": _issues(jql, who) if text else [],
        "projects": list(visible_projects(who.rights).filter(name__icontains=text)[:8])
        if text
        else [],
        "all_of_them": f"/issues/?{urlencode({'jql': jql})}" if is_there("/issues/") else "",
    }
    return page(request, who, "tracker/frame/search.html", context, title="Search")


def jql_of(text: str) -> str:
    """Return the query of words that are looked for."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'text ~ "{quoted}" ORDER BY updated DESC'


def _issues(jql: str, who: Visitor) -> list[object]:
    try:
        rows = read_search(jql, who.rights).issues
        return list(rows.select_related("project", "issue_type", "status", "priority")[:SHOWN])
    except JqlError:  # words of which nothing can be looked for
        return []
