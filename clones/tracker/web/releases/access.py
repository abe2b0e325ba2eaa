"""The way to versions: below their space's classic address, to those who see the space."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import Write
from clones.tracker.domain.administration import project_admins_only
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.versions import GONE
from clones.tracker.models import Project, Version
from clones.tracker.queries.projects import find_version
from clones.tracker.web.access import Visitor, only_posted
from clones.tracker.web.parts import asking
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.shell import page
from clones.tracker.web.space.access import page_of_space

TAB = "release-report-all-issues"


def version_address(version: Version, rest: str = f"tab/{TAB}") -> str:
    """Return the address of a version's page, or of another below it."""
    return f"/projects/{version.project.key}/versions/{version.id}/{rest}"


def version_of(who: Visitor, project: Project, version: int) -> Version:
    """Return a version of a space.

    Raises:
        NotFound: the space has no such version.
    """
    found = find_version(who.rights, version)
    if found.project_id != project.id:
        raise NotFound(GONE.format(version))
    return found


@page_of_space.about
def page_of_version(
    _request: SandboxRequest, who: Visitor, project: Project, version: int
) -> Version:
    """Open a page of a version to those who see its space.

    Raises:
        NotFound: there is no such space or version, or none for the visitor.
    """
    return version_of(who, project, version)


@page_of_version.only
def sheet_of_version(_request: SandboxRequest, who: Visitor, version: Version) -> None:
    """Open a form about a version to those who run its space.

    Raises:
        NotFound: there is no such space or version, or none for the visitor.
        Forbidden: they do not run the space.
    """
    project_admins_only(who.rights, version.project)


# Take what a form about a version sends; there is nothing there to look at.
form_of_version = sheet_of_version.only(only_posted)


def sheet_page(
    request: SandboxRequest, who: Visitor, project: Project, sheet: FormPage, *, active: str
) -> HttpResponse:
    """Return the page of a form, which also stands in a dialog; with problems it is a refusal."""
    return page(
        request, who, "tracker/space/sheet.html", {"sheet": sheet},
        title=f"{sheet.heading} - {project.name}", active=active, project=project,
        status=400 if sheet.is_refused else 200,
    )  # fmt: skip


def ask(
    request: SandboxRequest,
    who: Visitor,
    project: Project,
    sheet: FormPage,
    write: Write,
    *,
    active: str,
    names: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Show a form about a part of a space, or take it (`parts.asking.ask`)."""

    def show(shown: FormPage) -> HttpResponse:
        return sheet_page(request, who, project, shown, active=active)

    return asking.ask(request, who, sheet, write, show=show, names=names)
