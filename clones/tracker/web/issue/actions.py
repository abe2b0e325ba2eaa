"""What is done to an issue as a whole: cloning, archiving, printing."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.attachments import are_enabled
from clones.tracker.domain.errors import Forbidden
from clones.tracker.domain.issues.archiving import NOT_ADMIN, archive_named
from clones.tracker.domain.issues.cloning import NOT_ALLOWED, Cloning, clone_issue
from clones.tracker.models import Attachment, Issue, IssueLink
from clones.tracker.queries.comments import comments_of
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.issue.access import (
    IssuePageState,
    form_of_issue,
    issue_address,
    page_of_issue,
    print_address,
)
from clones.tracker.web.issue.changes import settle
from clones.tracker.web.issue.details import Details
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.parts.texts import names_in, shown
from clones.tracker.web.parts.times import when
from clones.tracker.web.plain_pages import plain_page
from clones.tracker.web.shell import from_script, go, page, words

BEFORE = "CLONE - "  # what the vendor's dialog puts before the summary


@page_of_issue
def clone(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Ask what a clone is to be called and what comes along; then make it."""
    if not who.rights.may("CREATE_ISSUES", issue.project):
        raise Forbidden(NOT_ALLOWED)
    refusal: FormErrors | None = None
    if request.method == "POST":
        asked = Cloning(
            posted_text(request, "summary", strip=False),
            links=posted_text(request, "links") == "1",
            subtasks=posted_text(request, "subtasks") == "1",
            attachments=posted_text(request, "attachments") == "1",
            sprint=posted_text(request, "sprint") == "1",
        )
        made, refusal = attempt(lambda: clone_issue(issue, asked, actor=who.rights))
        if made is not None:
            text = f"{issue.key} cloned as {made.key}"
            return from_script(request, go(issue_address(made), text))
    context = {
        "issue": issue,
        "summary": posted_text(request, "summary", f"{BEFORE}{issue.summary}"[:255], strip=False),
        "error": refusal.fields.get("summary", "") if refusal is not None else "",
        "problems": refusal.beside(["summary"]) if refusal is not None else [],
        "options": [
            (name, label, posted_text(request, name) == "1")
            for name, label in _options(issue, who.rights)
        ],
    }
    return page(
        request, who, "tracker/issue/clone.html", context,
        title=f"Clone {issue.key}", project=issue.project,
        status=422 if refusal is not None else 200,
    )  # fmt: skip


def _options(issue: Issue, rights: Rights) -> list[tuple[str, str]]:
    """Return what can come along with a clone: only what there is."""
    found = []
    parts = Issue.objects.filter(parent=issue, issue_type__hierarchy_level__lt=0)
    links = IssueLink.objects.filter(source=issue) | IssueLink.objects.filter(destination=issue)
    if parts.exists():
        found.append(("subtasks", "Include subtasks"))
    if rights.may_on("LINK_ISSUES", issue) and links.exclude(type__name="Cloners").exists():
        found.append(("links", f"Include linked {words().items}"))
    files = are_enabled() and rights.may_on("CREATE_ATTACHMENTS", issue)
    if files and Attachment.objects.filter(issue=issue).exists():
        found.append(("attachments", "Include attachments"))
    open_sprints = issue.sprint_links.exclude(sprint__state="closed")
    if rights.may_on("SCHEDULE_ISSUES", issue) and open_sprints.exists():
        found.append(("sprint", "Include sprint"))
    return found


@page_of_issue
def archive(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Ask whether the issue is to be archived; then archive it."""
    if not who.rights.is_admin:
        raise Forbidden(NOT_ADMIN)
    problems: list[str] = []
    if request.method == "POST":
        _, refusal = attempt(lambda: archive_named([issue.key], actor=who.rights, archived=True))
        if refusal is None:
            return from_script(request, go(issue_address(issue), f"{issue.key} archived"))
        problems = refusal.sentences
    said = (
        f"{issue.key} can be looked at and restored, but not changed, and no search finds it."
        " Its subtasks are archived with it."
    )
    context: dict[str, Any] = {
        "heading": f"Archive {issue.key}?",
        "said": " ".join([*problems, said]),
        "action": f"/browse/{issue.key}/archive",
        "button": "Archive",
        "cancel": issue_address(issue),
    }
    return page(
        request, who, "tracker/parts/confirm.html", context,
        title="Archive", project=issue.project, status=422 if problems else 200,
    )  # fmt: skip


@form_of_issue
def restore(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Take the issue out of the archive."""
    return settle(
        request,
        who,
        issue,
        lambda: archive_named([issue.key], actor=who.rights, archived=False),
        "status",
    )


@page_of_staff
def printable(request: SandboxRequest, who: Visitor, key: str, name: str) -> HttpResponse:
    """Show an issue on a page to print: its fields, description and comments."""
    issue = find_issue(who.rights, key)
    if issue.key != key:
        return HttpResponseRedirect(print_address(issue))
    sightings.note(issue, "detail")
    rights = who.rights
    details = Details(issue, rights, IssuePageState())
    rows = list(comments_of(issue, rights))
    names = names_in(row.body for row in rows)
    context = {
        "title": f"[{issue.key}] {issue.summary}",
        "issue": issue,
        "words": words(),
        "panel": [one for one in details.panel if not one.is_empty],
        "description": details.detail("description").html
        if "description" in details.fieldset.fields
        else None,
        "comments": [
            (row.author, when(row.created, rights.zone), shown(row.body, names)) for row in rows
        ],
        "created": when(issue.created, rights.zone),
        "updated": when(issue.updated, rights.zone),
    }
    return plain_page("tracker/issue/print.html", context)
