"""Issues beside and below an issue, and its files."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.api.file_answers import send_file
from clones.tracker.domain.attachments import Upload, add_attachments, delete_attachment
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.fieldset import fields_of, read_changes
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.links import find_kind, find_link, link_issues, unlink_issues
from clones.tracker.domain.remote_links import (
    delete_remote_link,
    find_remote_link,
    keep_remote_link,
    read_target,
)
from clones.tracker.domain.site_options import require_links
from clones.tracker.models import Issue
from clones.tracker.queries.attachments import find_attachment
from clones.tracker.queries.rights import find_issue, find_project
from clones.tracker.web.access import Visitor
from clones.tracker.web.issue.access import form_of_issue, issue_address, page_of_issue
from clones.tracker.web.issue.changes import settle
from clones.tracker.web.issue.issue_page import child_types
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.shell import from_script, page


@form_of_issue
def add_link(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Link the issue with others, named by their keys."""

    def write() -> None:
        kind, _, way = posted_text(request, "type").partition(":")
        keys = posted_text(request, "keys", strip=False).replace(",", " ").split()
        if not keys:
            raise Invalid("Select a work item to link to.")
        found = find_kind({"id": kind})
        for other in _named(who, keys):
            pair = (other, issue) if way == "inward" else (issue, other)
            link_issues(*pair, found, actor=who.rights)

    return settle(request, who, issue, write, "link")


def _named(who: Visitor, keys: Sequence[str]) -> list[Issue]:
    """Return the issues with these keys.

    Raises:
        NotFound: they see none of some keys: a sentence for each.
    """
    found, gone = [], []
    for key in keys:
        try:
            found.append(find_issue(who.rights, key))
        except NotFound as error:
            gone += [f"{key}: {text}" for text in error.messages]
    if gone:
        raise NotFound(*gone)
    return found


@form_of_issue
def delete_link(request: SandboxRequest, who: Visitor, issue: Issue, id: int) -> HttpResponse:
    """Take a link away."""

    def write() -> None:
        link = find_link(str(id), who.rights)
        if issue.id not in (link.source_id, link.destination_id):
            raise NotFound(f"No issue link with id '{id}' exists.")
        unlink_issues(link, actor=who.rights)

    return settle(request, who, issue, write, "link")


@form_of_issue
def add_web_link(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Link the issue with a page elsewhere: its address, and the words that stand for it."""

    def write() -> None:
        require_links(remote=True)
        address = posted_text(request, "url")
        text = posted_text(request, "title")
        target = read_target({"object": {"url": address, "title": text or address}})
        keep_remote_link(issue, target, actor=who.rights)

    return settle(request, who, issue, write, "web_link")


@form_of_issue
def delete_web_link(request: SandboxRequest, who: Visitor, issue: Issue, id: int) -> HttpResponse:
    """Take a link to a page elsewhere away."""

    def write() -> None:
        require_links(remote=True)
        delete_remote_link(find_remote_link(issue, str(id)), actor=who.rights)

    return settle(request, who, issue, write, "web_link")


@form_of_issue
def add_child(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Make an issue below this one: of a type, with a summary."""

    def write() -> None:
        kinds = child_types(issue)
        wanted = posted_text(request, "type")
        kind = next((one for one in kinds if str(one.id) == wanted), kinds[0] if kinds else None)
        if kind is None:
            raise Invalid("There are no types of work items below this one.")
        project = find_project(who.rights, issue.project_id)
        fieldset = fields_of(project, kind)
        fields = {
            "summary": posted_text(request, "summary"),
            "parent": {"id": str(issue.id)},
        }
        planned = read_changes(
            fieldset,
            {"fields": fields},
            None,
            actor=who.rights,
            version="2",
            screen=fieldset.screen("create"),
        )
        create_issue(project, kind, planned, actor=who.rights)

    return settle(request, who, issue, write, "child")


@form_of_issue
def add_files(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Add files."""

    def write() -> None:
        files = request.FILES.getlist("file")
        if not files:
            raise Invalid("Choose a file to attach.")
        uploads = [
            Upload(str(file.name or ""), str(file.content_type or ""), file.read())
            for file in files
        ]
        add_attachments(issue, uploads, actor=who.rights)

    return settle(request, who, issue, write, "file")


@page_of_issue
def get_file(request: SandboxRequest, who: Visitor, issue: Issue, id: int) -> HttpResponse:
    """Send a file."""
    found = find_attachment(who.rights, str(id), with_data=True)
    if found.issue_id != issue.id:
        return not_found()
    return send_file(bytes(found.blob.data), name=found.filename, mime_type=found.mime_type)


@page_of_issue
def delete_file(request: SandboxRequest, who: Visitor, issue: Issue, id: int) -> HttpResponse:
    """Ask whether a file is to be deleted; then delete it."""
    found = find_attachment(who.rights, str(id))
    if found.issue_id != issue.id:
        return not_found()
    if request.method == "POST":
        answer = settle(
            request, who, issue, lambda: delete_attachment(found, actor=who.rights), "file"
        )
        return from_script(request, answer) if answer.status_code == 302 else answer
    context = {
        "heading": "Delete this attachment?",
        "said": f"{found.filename} will be permanently deleted.",
        "action": request.path,
        "button": "Delete",
        "cancel": issue_address(issue),
    }
    return page(
        request, who, "tracker/parts/confirm.html", context, title="Delete", project=issue.project
    )
