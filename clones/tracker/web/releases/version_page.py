"""The page of a version: how far it is, what is in it, and its release notes."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseRedirect

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.administration import runs_project
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.versions import (
    create_work,
    delete_work,
    is_overdue,
)
from clones.tracker.models import Issue, Version
from clones.tracker.queries.projects import find_version
from clones.tracker.queries.releases import Progress, issues_of_version, progress_of
from clones.tracker.rules.release_notes import STYLES, NoteEntry, Release, grouped
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.parts.times import day_text
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.releases.access import page_of_version, version_address
from clones.tracker.web.releases.list_page import state_of
from clones.tracker.web.shell import go, words
from clones.tracker.web.space.access import space_page
from clones.tracker.web.space.tabs import releases_address

SHOWN: Final = 200
NOTES: Final = 2000
TABS: Final = {
    "release-report-all-issues": ("All {items}", ""),
    "release-report-done": ("Done", "done"),
    "release-report-in-progress": ("In progress", "indeterminate"),
    "release-report-to-do": ("To do", "new"),
    "release-report-warnings": ("Warnings", "warnings"),
}


@page_of_version
def lead(request: SandboxRequest, who: Visitor, version: Version) -> HttpResponse:
    """Lead from the address of a version to its page."""
    return HttpResponseRedirect(version_address(version))


@page_of_version
def show(request: SandboxRequest, who: Visitor, version: Version, tab: str) -> HttpResponse:
    """Show a version: its issues, all or those of one tab."""
    return version_page(request, who, version, tab) if tab in TABS else not_found()


def version_page(
    request: SandboxRequest, who: Visitor, version: Version, tab: str, *, refused: str = ""
) -> HttpResponse:
    """Return the page of a version; `refused` is why what somebody did there was not done."""
    sightings.note(version, "detail")
    found = issues_of_version(version, who.rights)
    progress = progress_of([version], who.rights)[version.id]
    warned = _warned(found)
    counts = {
        "": progress.total,
        "done": progress.done,
        "indeterminate": progress.in_progress,
        "new": progress.to_do,
        "warnings": warned.count(),
    }
    label, category = TABS[tab]
    rows = warned if category == "warnings" else found
    if category not in ("", "warnings"):
        rows = rows.filter(status__category__in=_categories(category))
    issues = list(rows[:SHOWN])
    for issue in issues:
        sightings.note(issue, "list")
    today = who.rights.asked_at.astimezone(who.rights.zone).date()
    overdue = is_overdue(version, today)
    query = {"jql": f"fixVersion = {version.id} ORDER BY rank"}
    context = {
        "version": version,
        "state": state_of(version),
        "overdue": overdue,
        "start": day_text(version.start_date),
        "release": day_text(version.release_date),
        "progress": progress,
        "version_tabs": [
            (
                version_address(version, f"tab/{key}"),
                name.format(items=words().items),
                counts[kind],
                key == tab,
            )
            for key, (name, kind) in TABS.items()
        ],
        "label": label.format(items=words().items),
        "issues": issues,
        "cut": counts[category] > SHOWN,
        "all": f"/issues/?{urlencode(query)}",
        "warnings": _warnings(version, progress, overdue=overdue),
        "manages": runs_project(who.rights, version.project),
        "works": may_keep_work(who, version),
        "related": list(version.related_work.order_by("id")),
        "actions": version_address(version, ""),
        "releases": releases_address(version.project),
        "notes": notes_address(version),
    }
    return space_page(
        request, who, version.project, "tracker/releases/version.html", context,
        name=version.name, current="releases", refused=refused, status=400 if refused else 200,
    )  # fmt: skip


def notes_address(version: Version) -> str:
    """Return the address of a version's release notes."""
    query = urlencode({"projectId": version.project_id, "version": version.id})
    return f"/secure/ReleaseNote.jspa?{query}"


def _categories(category: str) -> tuple[str, ...]:
    return ("new", "undefined") if category == "new" else (category,)


def _warned(issues: QuerySet[Issue]) -> QuerySet[Issue]:
    """Return issues that say two things: done and not resolved, or resolved and not done."""
    return issues.filter(status__category="done", resolution=None) | issues.exclude(
        status__category="done"
    ).exclude(resolution=None)


def _warnings(version: Version, progress: Progress, *, overdue: bool) -> list[str]:
    found = []
    open_ones = progress.total - progress.done
    items = words().item if open_ones == 1 else words().items
    if overdue:
        found.append("The release date has passed and the version is not released.")
    if version.released and open_ones:
        found.append(f"The version is released with {open_ones} {items} that are not done.")
    return found


def may_keep_work(who: Visitor, version: Version) -> bool:
    """Tell whether somebody may tie work elsewhere to a version."""
    wanted = ("RESOLVE_ISSUES", "EDIT_ISSUES")
    return not version.archived and all(who.rights.may(one, version.project) for one in wanted)


@page_of_version
def add_work(request: SandboxRequest, who: Visitor, version: Version) -> HttpResponse:
    """Tie work elsewhere to a version."""
    if request.method != "POST":
        return not_found()
    _, refusal = attempt(
        lambda: create_work(
            version,
            category=posted_text(request, "category"),
            title=posted_text(request, "title"),
            url=posted_text(request, "url"),
            actor=who.rights,
        )
    )
    if refusal is not None:
        said = " ".join(refusal.sentences)
        return version_page(request, who, version, "release-report-all-issues", refused=said)
    return go(version_address(version), "Related work added")


@page_of_version
def remove_work(request: SandboxRequest, who: Visitor, version: Version, work: str) -> HttpResponse:
    """Untie work elsewhere from a version."""
    found = version.related_work.filter(uuid=work).first()
    if request.method != "POST" or found is None:
        return not_found()
    found.version = version
    delete_work(found, actor=who.rights)
    return go(version_address(version), "Related work removed")


@page_of_staff
def notes(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the release notes of a version as a text to copy: `version`, `styleName`."""
    version = find_version(who.rights, request.GET.get("version", ""))
    project = request.GET.get("projectId", str(version.project_id))
    if project != str(version.project_id):
        raise NotFound("The version is not of this project.")
    style = request.GET.get("styleName", "Html")
    style = style if style in STYLES else "Html"
    rows = issues_of_version(version, who.rights)[:NOTES]
    groups = grouped(
        NoteEntry(
            issue.issue_type.name,
            issue.key,
            issue.summary,
            request.build_absolute_uri(f"/browse/{issue.key}"),
        )
        for issue in rows
    )
    release = Release(version.project.name, version.name, version.description)
    sightings.note(version, "detail")
    context = {
        "version": version,
        "groups": list(groups.items()),
        "text": STYLES[style][1](release, groups),
        "styles": [(key, name, key == style) for key, (name, _) in STYLES.items()],
        "style": STYLES[style][0],
        "address": version_address(version),
        "here": notes_address(version),
    }
    return space_page(
        request, who, version.project, "tracker/releases/notes.html", context,
        name="Release notes", current="releases",
    )  # fmt: skip
