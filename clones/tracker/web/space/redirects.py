"""Addresses of a space that lead to others: of its settings, of boards' timelines, of itself."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.models import Project
from clones.tracker.web.access import Visitor
from clones.tracker.web.space.access import page_of_space
from clones.tracker.web.space.tabs import components_address, releases_address, space_address


@page_of_space
def to_releases(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Lead from the settings of a space to its versions."""
    return HttpResponseRedirect(releases_address(project))


@page_of_space
def to_components(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Lead from the settings of a space to its components."""
    return HttpResponseRedirect(components_address(project))


@page_of_space
def to_page(request: SandboxRequest, who: Visitor, project: Project, board: int) -> HttpResponse:
    """Lead from the timeline or calendar of a board to those of its space."""
    return HttpResponseRedirect(space_address(project, request.path.rpartition("/")[2]))


@page_of_space
def to_summary(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Lead from the address of a space to its summary."""
    return HttpResponseRedirect(space_address(project, "summary"))
