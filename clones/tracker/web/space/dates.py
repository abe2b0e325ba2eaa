"""Changing when an issue is planned, in a form of its own, for timelines and calendars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.fieldset import fields_of, read_changes
from clones.tracker.domain.issues.editing import edit_issue, require_edit
from clones.tracker.models import Issue, Project
from clones.tracker.queries.plans import spans_of, start_field
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.web.access import Visitor
from clones.tracker.web.releases.access import ask
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.space.access import page_of_space
from clones.tracker.web.space.tabs import space_address

BACK: Final = ("timeline", "calendar")


def issue_of(who: Visitor, project: Project, key: str) -> Issue:
    """Return an issue of a space.

    Raises:
        NotFound: the space has no such issue, or none for the visitor.
    """
    found = find_issue(who.rights, key)
    if found.project_id != project.id:
        raise NotFound("The work item is not of this space.")
    return found


def set_days(issue: Issue, days: Mapping[str, str], rights: Rights) -> None:
    """Set days of an issue, an empty text taking one away.

    Args:
        issue: which.
        days: `yyyy-MM-dd` by the id of the field.
        rights: of who changes it.

    Raises:
        Forbidden: they may not change the issue.
        Invalid: a day is none, or its field is not on the screen.
    """
    require_edit(issue, rights)
    fieldset = fields_of(issue.project, issue.issue_type)
    planned = read_changes(
        fieldset,
        {"fields": {field: day or None for field, day in days.items()}},
        issue,
        actor=rights,
        version="2",
        screen=fieldset.screen("edit"),
    )
    edit_issue(issue, planned, actor=rights, trusted=True)


@page_of_space
def edit(request: SandboxRequest, who: Visitor, project: Project, key: str) -> HttpResponse:
    """Show the form of an issue's dates, or take it."""
    issue = issue_of(who, project, key)
    require_edit(issue, who.rights)
    wanted = request.GET.get("back", "")
    page = wanted if wanted in BACK else BACK[0]
    month = request.GET.get("month", "")
    tail = f"?month={month}" if page == "calendar" and month else ""
    back = f"{space_address(project, page)}{tail}"
    sheet = _sheet(issue, request.get_full_path(), back)

    def write(sent: PageForm) -> str:
        set_days(issue, {one.name: sent.text(one.name) for one in sheet.inputs}, who.rights)
        return f"{issue.key} updated"

    return ask(request, who, project, sheet, write, active=page)


def _sheet(issue: Issue, action: str, back: str) -> FormPage:
    fieldset = fields_of(issue.project, issue.issue_type)
    field = start_field()
    span = spans_of([issue], field)[issue.id]
    shown = set(fieldset.screen("edit"))
    inputs = []
    if field is not None and field.key in fieldset.fields and field.key in shown:
        value = "" if span.first is None else span.first.isoformat()
        inputs.append(Input(field.key, field.name, "date", value))
    value = "" if span.last is None else span.last.isoformat()
    inputs.append(Input("duedate", "Due date", "date", value))
    return FormPage(f"Dates of {issue.key}", action, back, inputs, "Save", issue.summary)
