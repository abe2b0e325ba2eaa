"""What is said on an issue, and the work that is logged on it."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.comments import KEPT, add_comment, delete_comment, edit_comment
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.worklogs import KEPT as UNSAID
from clones.tracker.domain.worklogs import (
    Work,
    add_worklog,
    delete_worklog,
    edit_worklog,
    read_adjustment,
    read_seconds,
    require_tracking,
)
from clones.tracker.models import Issue, Worklog
from clones.tracker.queries.comments import find_comment
from clones.tracker.queries.rights import find_issue
from clones.tracker.queries.work_time import work_time
from clones.tracker.queries.worklogs import find_worklog
from clones.tracker.rules.durations_of_work import text_of as time_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.issue.access import (
    form_of_issue,
    issue_address,
    page_of_issue,
    read_page_state,
)
from clones.tracker.web.issue.changes import settle
from clones.tracker.web.issue.issue_page import audiences
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.parts.controls import typed_of
from clones.tracker.web.parts.rich import Text, read_text, text_of, typed_text
from clones.tracker.web.parts.times import read_moment, typed_moment
from clones.tracker.web.shell import from_script, go, page


def visibility_of(text: str) -> dict[str, str] | None:
    """Return the restriction that was chosen: `role:10002` or `group:<uuid>`; "" for none."""
    kind, _, name = text.partition(":")
    return {"type": kind, "identifier": name} if name else None


@form_of_issue
def add(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Add a comment."""

    def write() -> None:
        add_comment(
            issue,
            read_text(typed_of(request), "body", None, "comment"),
            actor=who.rights,
            visibility=visibility_of(posted_text(request, "audience")),
            public=posted_text(request, "internal") != "1",
        )

    return settle(request, who, issue, write, "comment")


@form_of_issue
def edit(request: SandboxRequest, who: Visitor, issue: Issue, id: int) -> HttpResponse:
    """Change a comment's text, and who sees it if the form says so."""
    comment = find_comment(who.rights, str(id), issue)

    def write() -> None:
        body = read_text(typed_of(request), "body", comment.body, "comment")
        before = comment.visibility
        audience = request.POST.get("audience")
        same = before is not None and audience == f"{before['type']}:{before['identifier']}"
        visibility = KEPT if audience is None or same else visibility_of(audience)
        edit_comment(comment, body, actor=who.rights, visibility=visibility)

    return settle(request, who, issue, write, "comment-edit", comment=str(id))


@page_of_issue
def delete(request: SandboxRequest, who: Visitor, issue: Issue, id: int) -> HttpResponse:
    """Ask whether a comment is to be deleted; then delete it."""
    comment = find_comment(who.rights, str(id), issue)
    if request.method != "POST":
        action = f"/browse/{issue.key}/comments/{id}/delete{read_page_state(request).query}"
        said = "Once you delete, it's gone for good."
        return _confirm(request, who, issue, "Delete this comment?", said, action)
    answer = settle(
        request, who, issue, lambda: delete_comment(comment, actor=who.rights), "comment"
    )
    return from_script(request, answer) if answer.status_code == 302 else answer


# What is typed beside a way to adjust the estimate counts with that way alone.
IDLE: Final = (("remaining", "new", "Set to"), ("reduce", "manual", "Reduce by"))


@page_of_issue
def worklog(
    request: SandboxRequest, who: Visitor, issue: Issue, id: int | None = None
) -> HttpResponse:
    """Show the form of time that was spent, new or logged already; or take it."""
    require_tracking()
    row = None if id is None else find_worklog(who.rights, str(id), issue)
    if request.method != "POST":
        return _form(request, who, issue, row, FormErrors())
    _, refusal = attempt(lambda: _log(request, who, issue, row))
    if refusal is not None:
        return _form(request, who, find_issue(who.rights, issue.id), row, refusal)
    return from_script(request, go(issue_address(issue, read_page_state(request)), "Work logged"))


def _log(request: SandboxRequest, who: Visitor, issue: Issue, row: Worklog | None) -> None:
    given = request.POST
    way = given.get("adjust", "auto")
    for name, its_way, words in IDLE:
        if way != its_way and given.get(name, "").strip():
            raise Invalid(
                f'Choose "{words}" for the time that is typed beside it, or leave it empty.'
            )
    adjustment = read_adjustment(way, new=given.get("remaining"), amount=given.get("reduce"))
    started = given.get("started", "").strip()
    seconds = read_seconds(given.get("spent", "").strip(), None)
    before = None if row is None else row.comment
    comment: Any = read_text(typed_of(request), "body", before, "comment")
    work = Work(
        seconds=seconds,
        started=read_moment(started, who.rights.zone) if started else None,
        comment=comment,
        visibility=visibility_of(given.get("audience", "")) if row is None else UNSAID,
    )
    if row is None:
        add_worklog(issue, work, actor=who.rights, adjustment=adjustment)
    else:
        edit_worklog(row, work, actor=who.rights, adjustment=adjustment)


@page_of_issue
def delete_work(request: SandboxRequest, who: Visitor, issue: Issue, id: int) -> HttpResponse:
    """Ask whether logged time is to be deleted; then delete it."""
    row = find_worklog(who.rights, str(id), issue)
    if request.method != "POST":
        action = f"/browse/{issue.key}/worklog/{id}/delete{read_page_state(request).query}"
        said = "The remaining estimate grows by the time that is deleted."
        return _confirm(request, who, issue, "Delete worklog?", said, action)
    answer = settle(request, who, issue, lambda: delete_worklog(row, actor=who.rights), "comment")
    return from_script(request, answer) if answer.status_code == 302 else answer


def _form(
    request: SandboxRequest, who: Visitor, issue: Issue, row: Worklog | None, refusal: FormErrors
) -> HttpResponse:
    if request.method == "POST":
        given = typed_of(request)
        typed = {name: values[0] for name, values in given.items() if values}
        body = typed_text(given, "body")
    elif row is not None:
        typed = {
            "spent": time_of(row.seconds, work_time()),
            "started": typed_moment(row.started, who.rights.zone),
        }
        body = text_of(row.comment)
    else:
        typed, body = {}, Text()
    part = "" if row is None else f"/{row.id}"
    context = {
        "issue": issue,
        "row": row,
        "typed": typed,
        "body": body,
        "problems": [text for text in refusal.sentences if text != "Worklog must not be null."],
        "action": f"/browse/{issue.key}/worklog{part}{read_page_state(request).query}",
        "cancel": issue_address(issue, read_page_state(request)),
        "remaining": _remaining(issue),
        "audiences": audiences(issue, who.rights, typed.get("audience", "")),
    }
    return page(
        request,
        who,
        "tracker/issue/worklog.html",
        context,
        title="Time tracking",
        project=issue.project,
        status=422 if refusal.sentences else 200,
    )


def _remaining(issue: Issue) -> str:
    seconds = issue.remaining_estimate
    return "" if seconds is None else time_of(seconds, work_time())


def _confirm(  # noqa: PLR0917 - what a question is made of
    request: SandboxRequest, who: Visitor, issue: Issue, heading: str, said: str, action: str
) -> HttpResponse:
    context = {
        "heading": heading,
        "said": said,
        "action": action,
        "button": "Delete",
        "cancel": issue_address(issue, read_page_state(request)),
    }
    return page(
        request, who, "tracker/parts/confirm.html", context, title=heading, project=issue.project
    )
