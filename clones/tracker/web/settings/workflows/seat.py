"""The way to a workflow: from the settings of a space, or from the site's administration.

Both show the same pages; `Seat` says which, and whether whoever looks may change the workflow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import Write
from clones.tracker.domain.administration import admins_only, project_admins_only
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.domain.workflow_drafts import keep_draft
from clones.tracker.domain.workflows import ADMINS_ONLY, NOT_FOUND
from clones.tracker.models import Project, Workflow
from clones.tracker.queries.rights import find_project
from clones.tracker.queries.workflow_drafts import has_draft, working_copy
from clones.tracker.queries.workflows import projects_using
from clones.tracker.rules.workflow.editing import Drafted
from clones.tracker.web.access import Visitor, only_posted, page_of_staff
from clones.tracker.web.parts import asking
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.settings.navigation import lines_of
from clones.tracker.web.shell import from_script, go, page

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


@page_of_staff.about
def page_of_workflow(
    _request: SandboxRequest, who: Visitor, workflow: str, place: str = ""
) -> Seat:
    """Open a page of a workflow to those who run a space that uses it, or the site.

    Raises:
        NotFound: there is no such workflow, or the space does not use it.
        Forbidden: whoever asks runs neither.
    """
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
    return Seat(found, project, root, writes)


@page_of_workflow.only
def editing(_request: SandboxRequest, _who: Visitor, seat: Seat) -> None:
    """Open a page that changes a workflow to those who may."""
    if not seat.writes:
        raise Forbidden(ADMINS_ONLY)


# Take what a form of the editor sends; there is nothing there to look at.
form_of_editing = editing.only(only_posted)


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


def ask(
    request: SandboxRequest, who: Visitor, seat: Seat, sheet: FormPage, write: Write
) -> HttpResponse:
    """Show a form of the editor, or take it (`parts.asking.ask`)."""

    def show(shown: FormPage) -> HttpResponse:
        if shown.refusal is not None:
            seat.workflow.refresh_from_db()  # as it is, not as it nearly became
        return flow_sheet(request, who, seat, shown)

    return asking.ask(request, who, sheet, write, show=show)


def keep(who: Visitor, seat: Seat, drafted: Drafted) -> None:
    """Keep a draft, if it can be one."""
    keep_draft(seat.workflow, drafted, actor=who.rights)


def back_to(request: SandboxRequest, seat: Seat, rest: str = "", flag: str = "") -> HttpResponse:
    """Lead on to a page of the workflow, from a script or without."""
    return from_script(request, go(seat.root + rest, flag))
