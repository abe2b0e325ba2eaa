"""The way to the settings of a space: for those who run it, at the space's own address."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.access import lead_to_own
from clones.tracker.domain.administration import project_admins_only
from clones.tracker.models import Project
from clones.tracker.queries.rights import find_project
from clones.tracker.web.access import Visitor, only_posted, page_of_staff
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.navigation import LABELS, lines_of
from clones.tracker.web.shell import from_script, go, page
from clones.tracker.web.vocabulary import say


@page_of_staff.about
def page_of_settings(request: SandboxRequest, who: Visitor, place: str) -> Project | HttpResponse:
    """Open a page of a space's settings to those who run the space.

    A former key, and the address of another kind of space, lead to the space's own.

    Raises:
        NotFound: there is no such space, or none for the visitor.
        Forbidden: they do not run it.
    """
    project = find_project(who.rights, place)
    project_admins_only(who.rights, project)
    _, _, rest = request.path.partition(f"/projects/{place}/settings")
    return lead_to_own(request, settings_address(project) + rest) or project


# Take what a form of the settings sends; there is nothing there to look at.
form_of_settings = page_of_settings.only(only_posted)


def settings_page(
    request: SandboxRequest,
    who: Visitor,
    project: Project,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    current: str,
    status: int = 200,
) -> HttpResponse:
    """Return a page of a space's settings.

    Args:
        request: the request at hand.
        who: who looks.
        project: the space.
        template: of the page; it extends `tracker/settings/frame.html`.
        context: what it needs.
        title: of the page: the navigation's word for it, or that of a form.
        current: the path of the navigation's entry that it belongs to.
        status: of the answer.
    """
    heading = say(title) if title in LABELS else title  # else it has a name that somebody gave
    frame = {
        "heading": heading,
        "groups": lines_of(project, current),
        "at": settings_address(project),
    }
    return page(
        request, who, template, {**frame, **context},
        title=f"{heading} - {project.name}", active="settings", project=project, status=status,
    )  # fmt: skip


def done(request: SandboxRequest, project: Project, rest: str, flag: str = "") -> HttpResponse:
    """Lead on to a page of the settings, from a script or without."""
    return from_script(request, go(settings_address(project, rest), flag))
