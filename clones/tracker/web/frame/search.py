"""The search box above every page: a key leads to its issue, words to what has them.

While one types, it offers what begins with the words; before that, what one looked at last.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Issue
from clones.tracker.queries.rights import Rights, find_issue, visible_issues, visible_projects
from clones.tracker.queries.searching import read_search
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.frame.entries import is_there
from clones.tracker.web.plain_pages import secured
from clones.tracker.web.shell import page, words

SHOWN: Final = 30
OFFERED: Final = 6
OFFERED_SPACES: Final = 3
TYPED: Final = 255  # characters that are looked at


@page_of_staff
def quick_search(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Lead to the issue of a key, or show the issues and spaces in which words are found."""
    text = request.GET.get("searchString", "").strip()
    issue = _of_key(text, who.rights)
    if issue is not None:
        return HttpResponseRedirect(f"/browse/{issue.key}")
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


@page_of_staff
def offers(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Return the part of a page that the search box shows below it."""
    text = request.GET.get("searchString", "").strip()[:TYPED]
    context = {
        "text": text,
        "words": words(),
        "issues": _offered(text, who.rights) if text else _viewed(who),
        "projects": list(visible_projects(who.rights).filter(name__icontains=text)[:OFFERED_SPACES])
        if text
        else [],
        "query": urlencode({"searchString": text}),
    }
    return secured(HttpResponse(render_to_string("tracker/frame/_offers.html", context)))


def _viewed(who: Visitor) -> list[Issue]:
    rows = visible_issues(who.rights).filter(views__user=who.user).order_by("-views__at", "-id")
    return list(rows.select_related("project", "issue_type")[:OFFERED])


def _offered(text: str, rights: Rights) -> list[Issue]:
    """Return the issue of a key, then those whose summary has words that begin as typed ones."""
    named = _of_key(text, rights)
    found = [] if named is None else [named]
    beginnings = " ".join(f"{word.lower()}*" for word in re.findall(r"\w+", text))
    try:
        rows = read_search(f'summary ~ "{beginnings}" ORDER BY updated DESC', rights).issues
    except JqlError:  # words of which nothing can be looked for
        return found
    rows = rows.exclude(id__in=[issue.id for issue in found])
    return found + list(rows.select_related("project", "issue_type")[: OFFERED - len(found)])


def _of_key(text: str, rights: Rights) -> Issue | None:
    """Return the issue that a text is the key of, if any."""
    if " " in text or "-" not in text:
        return None
    try:
        return find_issue(rights, text)
    except NotFound:
        return None


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
