"""The list of a space's versions, and the old address of a space's pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_from
from clones.tracker.domain.administration import runs_project
from clones.tracker.domain.versions import is_overdue
from clones.tracker.models import Project, Version
from clones.tracker.queries.releases import STATUSES, Progress, progress_of, versions_shown
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.times import day_text
from clones.tracker.web.releases.access import version_address
from clones.tracker.web.space.access import page_of_space, space_page
from clones.tracker.web.space.tabs import RELEASES, components_address, space_address

LABELS: Final = {"unreleased": "Unreleased", "released": "Released", "archived": "Archived"}
USUAL: Final = ("unreleased", "released")
COMPONENTS: Final = RELEASES.replace("release-page", "components-page")


@dataclass(frozen=True, slots=True)
class State:
    """What is said of where a version stands: the words, and the look of the lozenge."""

    name: str
    look: str


@dataclass(frozen=True, slots=True)
class VersionItem:
    """A version in the list, `first` and `last` among all of the space."""

    version: Version
    address: str
    actions: str
    state: State
    overdue: bool
    progress: Progress
    start: str
    release: str
    first: bool
    last: bool


def state_of(version: Version) -> State:
    """Return where a version stands."""
    if version.archived:
        return State("Archived", "archived")
    return State("Released", "done") if version.released else State("Unreleased", "indeterminate")


@page_of_space
def classic(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the releases, or lead from a space's old address to the page that it names."""
    wanted = request.GET.get("selectedItem", "")
    if wanted == RELEASES:
        return list_page(request, who, project)
    if wanted == COMPONENTS:
        return HttpResponseRedirect(components_address(project))
    return HttpResponseRedirect(space_address(project, "summary"))


def list_page(
    request: SandboxRequest, who: Visitor, project: Project, *, refused: str = ""
) -> HttpResponse:
    """Return the list of a space's versions.

    Args:
        request: its address says which are shown: `status` (several), `contains`, `startAt`.
        who: who looks.
        project: the space.
        refused: why what they did there was not done.
    """
    statuses = [one for one in request.GET.getlist("status") if one in STATUSES] or list(USUAL)
    text = request.GET.get("contains", "").strip()
    found = versions_shown(project, statuses, text)
    listed = page_from(request, found)
    for row in listed.rows:
        sightings.note(row, "list")
    asked = {"selectedItem": RELEASES, "status": statuses, "contains": text}
    context = {
        "lines": _lines(project, listed.rows, who),
        "statuses": [(key, name, key in statuses) for key, name in LABELS.items()],
        "contains": text,
        "narrows": bool(text) or tuple(statuses) != USUAL,
        "page": listed,
        "before": _address(project, asked, listed.before),
        "after": _address(project, asked, listed.after),
        "selected": RELEASES,
        "manages": runs_project(who.rights, project),
        "root": f"/projects/{project.key}",
    }
    return space_page(
        request, who, project, "tracker/releases/list.html", context,
        name="Releases", current="releases", refused=refused, status=400 if refused else 200,
    )  # fmt: skip


def _address(project: Project, asked: dict[str, Any], start: int | None) -> str:
    if start is None:
        return ""
    query = urlencode({**asked, "startAt": start}, doseq=True)
    return f"/projects/{project.key}?{query}"


def _lines(project: Project, rows: Sequence[Version], who: Visitor) -> list[VersionItem]:
    progress = progress_of(rows, who.rights)
    places = list(
        Version.objects.filter(project=project)
        .order_by("position", "id")
        .values_list("id", flat=True)
    )
    today = who.rights.asked_at.astimezone(who.rights.zone).date()
    return [
        VersionItem(
            row,
            version_address(row),
            version_address(row, ""),
            state_of(row),
            is_overdue(row, today),
            progress[row.id],
            day_text(row.start_date),
            day_text(row.release_date),
            row.id == places[0],
            row.id == places[-1],
        )
        for row in rows
    ]
