"""The way to a workflow: from the settings of a space, or from the site's administration.

Both show the same pages; `Seat` says which, and whether whoever looks may change the workflow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.administration import admins_only, project_admins_only
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.domain.workflow_drafts import keep_draft
from clones.tracker.domain.workflows import ADMINS_ONLY, NOT_FOUND
from clones.tracker.models import Project, Workflow
from clones.tracker.queries.rights import find_project
from clones.tracker.queries.workflow_drafts import has_draft, working_copy
from clones.tracker.queries.workflows import projects_using
from clones.tracker.rules.workflow.editing import Drafted
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.parts.attempts import Refusal, attempt
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.settings.navigation import lines_of
from clones.tracker.web.shell import from_script, go, page

P = ParamSpec("P")
HERE: Final = "workflows"
ADMIN: Final = "/jira/settings/issues/workflows"


@dataclass(frozen=True, slots=True)
class Seat:
    """A workflow before somebody: `root` is the address of its page, `project` where they stand."""

    workflow: Workflow
    project: Project | None
    root: str
    writes: bool

    @property
    def drafted(self) -> Drafted:
        """The draft of the workflow, or what it is now."""
        return working_copy(self.workflow)


SeatView = Callable[Concatenate[SandboxRequest, Visitor, Seat, P], HttpResponse]
Door = Callable[..., HttpResponse]


def page_of_workflow(view: SeatView[P]) -> Door:
    """Open a page of a workflow to those who run a space that uses it, or the site.

    Raises:
        NotFound: there is no such workflow, or the space does not use it.
        Forbidden: whoever asks runs neither.
    """

    @wraps(view)
    def guarded(
        request: SandboxRequest,
        who: Visitor,
        /,
        workflow: str,
        place: str = "",
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> HttpResponse:
        project = find_project(who.rights, place) if place else None
        if project is None:
            admins_only(who.rights)
        else:
            project_admins_only(who.rights, project)
        found = Workflow.objects.select_related("project").filter(uuid=workflow).first()
        if found is None:
            raise NotFound(NOT_FOUND)
        if project is not None and not projects_using(found).filter(id=project.id).exists():
            raise NotFound(NOT_FOUND)
        rights = who.rights
        writes = not found.is_system and (
            rights.is_admin
            or (found.project is not None and rights.may("ADMINISTER_PROJECTS", found.project))
        )
        if project is None:
            root = f"{ADMIN}/{found.uuid}/edit"
        else:
            root = settings_address(project, f"{HERE}/{found.uuid}")
        return view(request, who, Seat(found, project, root, writes), *args, **kwargs)

    return page_of_staff(guarded)


def editing(view: SeatView[P]) -> Door:
    """Open a page that changes a workflow to those who may."""

    @wraps(view)
    def guarded(
        request: SandboxRequest, who: Visitor, seat: Seat, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if not seat.writes:
            raise Forbidden(ADMINS_ONLY)
        return view(request, who, seat, *args, **kwargs)

    return page_of_workflow(guarded)


def form_of_editing(view: SeatView[P]) -> Door:
    """Take what a form of the editor sends; there is nothing there to look at."""

    @wraps(view)
    def posted(
        request: SandboxRequest, who: Visitor, seat: Seat, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if request.method != "POST":
            return not_found()
        return view(request, who, seat, *args, **kwargs)

    return editing(posted)


def flow_page(
    request: SandboxRequest,
    who: Visitor,
    seat: Seat,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    status: int = 200,
) -> HttpResponse:
    """Return a page of a workflow, in the frame of the space's settings or of the site's."""
    project = seat.project
    frame: dict[str, Any] = {
        "frame": "tracker/settings/workflow/plain.html",
        "seat": seat,
        "root": seat.root,
        "draft": has_draft(seat.workflow),
        "admin": ADMIN,
    }
    if project is not None:
        frame |= {
            "frame": "tracker/settings/frame.html",
            "groups": lines_of(project, HERE),
            "at": settings_address(project),
        }
    return page(
        request, who, template, {**frame, **context},
        title=f"{title} - {seat.workflow.name}",
        active="settings" if project is not None else "", project=project, status=status,
    )  # fmt: skip


def flow_sheet(request: SandboxRequest, who: Visitor, seat: Seat, sheet: FormPage) -> HttpResponse:
    """Return the page of one form of the editor; with problems it is a refusal."""
    return flow_page(
        request, who, seat, "tracker/settings/workflow/sheet.html", {"sheet": sheet},
        title=sheet.heading, status=400 if sheet.is_refused else 200,
    )  # fmt: skip


def kept(who: Visitor, seat: Seat, drafted: Drafted) -> Refusal | None:
    """Keep a draft, or return why it cannot be."""
    _, refusal = attempt(lambda: keep_draft(seat.workflow, drafted, actor=who.rights))
    return refusal


def back_to(request: SandboxRequest, seat: Seat, rest: str = "", flag: str = "") -> HttpResponse:
    """Lead on to a page of the workflow, from a script or without."""
    return from_script(request, go(seat.root + rest, flag))
