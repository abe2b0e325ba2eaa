"""The way to versions: below their space's classic address, to those who see the space."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.administration import project_admins_only
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.versions import GONE
from clones.tracker.models import Project, Version
from clones.tracker.queries.projects import find_version
from clones.tracker.web.access import Visitor
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.shell import page
from clones.tracker.web.space.access import Door, page_of_space

P = ParamSpec("P")
VersionView = Callable[Concatenate[SandboxRequest, Visitor, Version, P], HttpResponse]
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


def page_of_version(view: VersionView[P]) -> Door:
    """Open a page of a version to those who see its space.

    Raises:
        NotFound: there is no such space or version, or none for the visitor.
    """

    @wraps(view)
    def guarded(
        request: SandboxRequest,
        who: Visitor,
        project: Project,
        /,
        version: int,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> HttpResponse:
        return view(request, who, version_of(who, project, version), *args, **kwargs)

    return page_of_space(guarded)


def sheet_of_version(view: VersionView[P]) -> Door:
    """Open a form about a version to those who run its space.

    Raises:
        NotFound: there is no such space or version, or none for the visitor.
        Forbidden: they do not run the space.
    """

    @wraps(view)
    def guarded(
        request: SandboxRequest,
        who: Visitor,
        version: Version,
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> HttpResponse:
        project_admins_only(who.rights, version.project)
        return view(request, who, version, *args, **kwargs)

    return page_of_version(guarded)


def form_of_version(view: VersionView[P]) -> Door:
    """Take what a form about a version sends; there is nothing there to look at."""

    @wraps(view)
    def posted(
        request: SandboxRequest,
        who: Visitor,
        version: Version,
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> HttpResponse:
        if request.method != "POST":
            return not_found()
        return view(request, who, version, *args, **kwargs)

    return sheet_of_version(posted)


def sheet_page(
    request: SandboxRequest, who: Visitor, project: Project, sheet: FormPage, *, active: str
) -> HttpResponse:
    """Return the page of a form, which also stands in a dialog; with problems it is a refusal."""
    return page(
        request, who, "tracker/space/sheet.html", {"sheet": sheet},
        title=f"{sheet.heading} - {project.name}", active=active, project=project,
        status=400 if sheet.is_refused else 200,
    )  # fmt: skip
