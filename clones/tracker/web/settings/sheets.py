"""Sheets: the pages of single forms and of questions, which open in dialogs over their page."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import Write
from clones.tracker.models import Project
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts import asking
from clones.tracker.web.settings.access import settings_page
from clones.tracker.web.settings.forms import FormPage


def sheet_page(
    request: SandboxRequest, who: Visitor, project: Project, sheet: FormPage, *, current: str
) -> HttpResponse:
    """Return the page of a form; with problems it is a refusal."""
    return settings_page(
        request, who, project, "tracker/settings/sheet.html", {"sheet": sheet},
        title=sheet.heading, current=current, status=400 if sheet.is_refused else 200,
    )  # fmt: skip


def ask(
    request: SandboxRequest,
    who: Visitor,
    project: Project,
    sheet: FormPage,
    write: Write,
    *,
    current: str,
    names: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Show a form of a space's settings, or take it (`parts.asking.ask`)."""

    def show(shown: FormPage) -> HttpResponse:
        if shown.refusal is not None:
            project.refresh_from_db()  # as it is, not as it nearly became
        return sheet_page(request, who, project, shown, current=current)

    return asking.ask(request, who, sheet, write, show=show, names=names)
