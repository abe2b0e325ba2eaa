"""The way to the pages of a desk, and what stands above them."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.access import lead_to_own
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.domain.request_types import require_manager
from clones.tracker.models import ServiceDesk
from clones.tracker.queries.desks import AGENTS_ONLY, DESK_GONE, desk_of, is_agent, is_manager
from clones.tracker.queries.rights import find_project
from clones.tracker.web.access import Visitor, only_posted, page_of_staff
from clones.tracker.web.shell import page
from clones.tracker.web.space.tabs import tabs_of

HOME: Final = "/jira/servicedesk/projects"


def desk_address(desk: ServiceDesk, rest: str = "queues") -> str:
    """Return the address of a page of a desk."""
    return f"{HOME}/{desk.project.key}/{rest}"


def portal_address(desk: ServiceDesk, rest: str = "") -> str:
    """Return the address of a desk's portal, or of a page of it."""
    return f"/servicedesk/customer/portal/{desk.id}" + (f"/{rest}" if rest else "")


@page_of_staff.about
def page_of_desk(request: SandboxRequest, who: Visitor, place: str) -> ServiceDesk | HttpResponse:
    """Open a page of a desk to its agents and administrators; former keys lead to the present one.

    Raises:
        NotFound: there is no such desk, or none for the visitor.
        Forbidden: they neither work at it nor administer it.
    """
    project = find_project(who.rights, place)
    desk = desk_of(project)
    if desk is None:
        raise NotFound(DESK_GONE)
    if not (is_agent(who.rights, desk) or is_manager(who.rights, desk)):
        raise Forbidden(AGENTS_ONLY)
    own = request.path.replace(f"/projects/{place}/", f"/projects/{project.key}/", 1)
    return lead_to_own(request, own) or desk


# Take what a form of a desk's pages sends; there is nothing there to look at.
form_of_desk = page_of_desk.only(only_posted)


@page_of_desk.only
def page_of_manager(_request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> None:
    """Open a page of a desk to its administrators.

    Raises:
        NotFound: there is no such desk, or none for the visitor.
        Forbidden: they do not administer it.
    """
    require_manager(who.rights, desk)


def desk_page(
    request: SandboxRequest,
    who: Visitor,
    desk: ServiceDesk,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    current: str = "queues",
    status: int = 200,
) -> HttpResponse:
    """Return a page of a desk; its template extends `tracker/desk/frame.html`."""
    frame = {
        "desk": desk,
        "place": desk.project.name,
        "crumb": title,
        "tabs": tabs_of(desk.project, None, current, backlog=False, desk=True),
        "manages": is_manager(who.rights, desk),
        "home": f"{HOME}/{desk.project.key}",
        "portal": portal_address(desk),
    }
    return page(
        request, who, template, {**frame, **context},
        title=f"{title} - {desk.project.name}", active=current, project=desk.project, status=status,
    )  # fmt: skip
