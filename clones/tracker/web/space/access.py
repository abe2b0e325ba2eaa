"""The way to a space's pages, and what stands above them."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse
from django.urls import URLPattern, path

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.access import View, lead_to_own
from clones.tracker.models import Project
from clones.tracker.queries.boards import visible_boards
from clones.tracker.queries.desks import works_at
from clones.tracker.queries.rights import find_project
from clones.tracker.web.access import Visitor, only_posted, page_of_staff
from clones.tracker.web.boards.header import has_backlog
from clones.tracker.web.settings.navigation import FAMILIES
from clones.tracker.web.shell import page
from clones.tracker.web.space.tabs import space_address, tabs_of

# What stands in the address of a space before its key, below `/projects/KEY`, too.
CLASSIC: Final = "projects"


@page_of_staff.about
def page_of_space(request: SandboxRequest, who: Visitor, place: str) -> Project | HttpResponse:
    """Open a page of a space to those who see it; other addresses lead to the space's own.

    Raises:
        NotFound: there is no such space, or none for the visitor.
    """
    project = find_project(who.rights, place)
    return lead_to_own(request, _own(request.path, place, project)) or project


def _own(path: str, place: str, project: Project) -> str:
    """Return a space's own address of a page: former keys and other families lead there."""
    head, _, rest = path.partition(f"/projects/{place}")
    root = f"/{CLASSIC}/{project.key}" if not head else space_address(project)
    return root + rest


# Take what a form of a space's page sends; there is nothing there to look at.
form_of_space = page_of_space.only(only_posted)


def everywhere(rest: str, view: View) -> list[URLPattern]:
    """Return the addresses of a page of spaces, in every family."""
    return [path(f"{family}/<str:place>/{rest}", view) for family in FAMILIES]


def space_page(
    request: SandboxRequest,
    who: Visitor,
    project: Project,
    template: str,
    context: dict[str, Any],
    *,
    name: str,
    current: str,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return a page of a space, below its header.

    Args:
        request: the request at hand.
        who: who looks.
        project: the space.
        template: of the page; it includes `tracker/boards/_header.html`.
        context: what it needs beside the header's.
        name: what the page is called.
        current: the key of its tab (see `tabs_of`).
        refused: why what somebody did there was not done.
        status: of the answer.
    """
    board = visible_boards(who.rights).filter(project=project).first()
    header = {
        "board": board,
        "place": project.name,
        "tabs": tabs_of(
            project,
            board,
            current,
            backlog=board is not None and has_backlog(board),
            desk=works_at(who.rights, project),
        ),
        "crumb": name,
        "refused": refused,
        "at": request.path,
    }
    return page(
        request, who, template, {**header, **context},
        title=f"{name} - {project.name}", active=f"space-{current}", project=project, status=status,
    )  # fmt: skip
