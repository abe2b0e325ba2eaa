"""The way to an issue's pages: by its key, by keys it had, and by the key of a space."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import urlencode

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.access import lead_to_own
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Issue
from clones.tracker.queries.rights import find_issue, find_project
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.frame.entries import space_address
from clones.tracker.web.parts.attempts import FormErrors
from clones.tracker.web.parts.controls import Typed
from clones.tracker.web.plain_pages import not_found

TABS = {"all": "All", "comments": "Comments", "history": "History", "worklog": "Work log"}
MOST = 5000  # entries of a feed
_KEPT = ("tab", "sort", "shown")


@dataclass(frozen=True, slots=True)
class IssuePageState:
    """What somebody asks of an issue's page, or what was refused on it.

    `edit` is the field in whose place a control stands, `comment` the comment that is edited,
    `focus` the one that a link leads to, and `query` what the addresses of the page's forms carry
    on.
    """

    tab: str = "comments"
    newest: bool = True
    shown: int = 20
    edit: str = ""
    comment: str = ""
    focus: int = 0
    query: str = ""
    place: str = ""
    typed: Typed = field(default_factory=dict)
    refusal: FormErrors = field(default_factory=FormErrors)


def read_page_state(request: HttpRequest) -> IssuePageState:
    """Read what is asked out of an address."""
    given = request.GET
    shown = given.get("shown", "")
    focus = given.get("focusedCommentId", "")
    if is_digits(focus):
        return IssuePageState(shown=MOST, focus=int(focus))
    kept = {name: given[name] for name in _KEPT if given.get(name)}
    return IssuePageState(
        tab=given.get("tab", "") if given.get("tab") in TABS else "comments",
        newest=given.get("sort") != "oldest",
        shown=min(int(shown), MOST) if is_digits(shown, 5) else 20,
        edit=given.get("edit", ""),
        comment=given.get("editComment", ""),
        query=f"?{urlencode(kept)}" if kept else "",
    )


def issue_address(issue: Issue, asked: IssuePageState | None = None) -> str:
    """Return the address of an issue's page."""
    return f"/browse/{issue.key}{asked.query if asked is not None else ''}"


def print_address(issue: Issue) -> str:
    """Return the address of an issue's page to print."""
    return f"/si/jira.issueviews:issue-html/{issue.key}/{issue.key}.html"


@page_of_staff.about
def page_of_issue(request: SandboxRequest, who: Visitor, key: str) -> Issue | HttpResponse:
    """Open a page of an issue to those who see it; keys that it had lead to the one it has."""
    issue = find_issue(who.rights, key)
    own = request.path.replace(f"/browse/{key}", f"/browse/{issue.key}", 1)
    return lead_to_own(request, own) or issue


@page_of_issue.only
def form_of_issue(request: SandboxRequest, _who: Visitor, issue: Issue) -> HttpResponse | None:
    """Take what a form of an issue's page sends; to look at there is the page itself."""
    return None if request.method == "POST" else HttpResponseRedirect(issue_address(issue))


@page_of_staff
def space(request: SandboxRequest, who: Visitor, key: str) -> HttpResponse:
    """Lead to where a space begins."""
    try:
        return HttpResponseRedirect(space_address(who.rights, find_project(who.rights, key)))
    except NotFound as error:
        return not_found(str(error))
