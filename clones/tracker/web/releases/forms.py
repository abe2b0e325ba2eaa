"""What is done to versions: each a form of its own, which also stands in a dialog."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from django.http import HttpResponse

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text
from clones.tracker.domain import versions
from clones.tracker.domain.administration import project_admins_only
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Project, User, Version
from clones.tracker.queries.people import find_user, holding
from clones.tracker.queries.projects import versions_of
from clones.tracker.queries.releases import unresolved_count, uses_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.asking import lead
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.releases.access import (
    ask,
    form_of_version,
    sheet_of_version,
    version_address,
    version_of,
)
from clones.tracker.web.releases.list_page import list_page
from clones.tracker.web.settings.forms import FormPage, Input, chosen, people
from clones.tracker.web.shell import go, words
from clones.tracker.web.space.access import form_of_space, page_of_space
from clones.tracker.web.space.tabs import releases_address

PEOPLE: Final = 500
ACTIVE: Final = "releases"
NOT_A_DAY: Final = "The date must be of the form yyyy-MM-dd."
NO_TARGET: Final = "Choose the version that the {items} are moved to."


def day_of(text: str, field: str) -> date | None:
    """Return the day that an input of days sent, None for none.

    Raises:
        Invalid: it is no day.
    """
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Invalid(fields={field: NOT_A_DAY}) from error


@page_of_space
def create(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the form of a new version, or take it."""
    project_admins_only(who.rights, project)
    sheet = _details(project, who, "Create version", f"/projects/{project.key}/versions/create")

    def write(sent: PageForm) -> str:
        made = versions.create_version(project, _read(sent), actor=who.rights)
        return f"Version {made.name} created"

    return ask(request, who, project, sheet, write, active=ACTIVE)


@sheet_of_version
def edit(request: SandboxRequest, who: Visitor, version: Version) -> HttpResponse:
    """Show the form that changes a version, or take it."""
    project = version.project
    sheet = _details(project, who, "Edit version", _action(request, version, "edit"), version)
    sheet = replace(sheet, back=_back(request, version))

    def write(sent: PageForm) -> str:
        versions.update_version(version, _read(sent), actor=who.rights)
        return f"Version {version.name} updated"

    return ask(request, who, project, sheet, write, active=ACTIVE)


def _details(
    project: Project, who: Visitor, heading: str, action: str, version: Version | None = None
) -> FormPage:
    """Return the form of a version: empty, or as it is."""
    known = version or Version()
    holders = User.objects.filter(
        holding("BROWSE_PROJECTS", project, products=who.rights.product_groups), active=True
    )
    rows = list(holders.order_by("display_name", "id")[:PEOPLE])
    if known.driver is not None and known.driver not in rows:
        rows.append(known.driver)
    now = [known.driver.account_id] if known.driver is not None else []
    return FormPage(
        heading,
        action,
        releases_address(project),
        [
            Input("name", "Name", value=known.name, required=True),
            Input("startDate", "Start date", "date", _iso(known.start_date)),
            Input("releaseDate", "Release date", "date", _iso(known.release_date)),
            Input("description", "Description", "area", known.description),
            Input("driver", "Driver", "select", choices=people(rows, now), none="None"),
        ],
        "Save",
    )


def _iso(day: date | None) -> str:
    return "" if day is None else day.isoformat()


def _read(sent: PageForm) -> dict[str, Any]:
    driver = sent.text("driver")
    return {
        "name": sent.text("name"),
        "description": sent.lines("description"),
        "start_date": day_of(sent.text("startDate"), "startDate"),
        "release_date": day_of(sent.text("releaseDate"), "releaseDate"),
        "driver": find_user(driver) if driver else None,
    }


def _back(request: SandboxRequest, version: Version) -> str:
    """Return where a form was opened: the version's page if its address says so, or the list."""
    if request.GET.get("back") == "version":
        return version_address(version)
    return releases_address(version.project)


def _action(request: SandboxRequest, version: Version, rest: str) -> str:
    """Return where a form is sent to; it leads back to where it was opened."""
    tail = "?back=version" if request.GET.get("back") == "version" else ""
    return version_address(version, rest) + tail


@sheet_of_version
def release(request: SandboxRequest, who: Visitor, version: Version) -> HttpResponse:
    """Ask when a version is released and what becomes of its open issues, and release it."""
    project = version.project
    left = unresolved_count(version)
    others = _others(version, released=False)
    today = who.rights.asked_at.astimezone(who.rights.zone).date()
    sheet = replace(
        _release_sheet(version, left, others, version.release_date or today),
        action=_action(request, version, "release"),
        back=_back(request, version),
    )

    def write(sent: PageForm) -> str:
        day = day_of(sent.text("releaseDate"), "releaseDate")
        target = (
            _chosen(sent, who, version, "moveTo") if sent.text("unresolved") == "move" else None
        )
        changes = {"released": True, "release_date": day}
        versions.update_version(version, changes, actor=who.rights, move_unfixed_to=target)
        return f"Version {version.name} released"

    names = {"moveUnfixedIssuesTo": "moveTo"}
    return ask(request, who, project, sheet, write, active=ACTIVE, names=names)


def _release_sheet(version: Version, left: int, others: Sequence[Version], day: date) -> FormPage:
    items = words().items if left != 1 else words().item
    inputs = []
    said = "" if left else f"All {words().items} of this version are resolved."
    if left:
        said = f"There {'are' if left != 1 else 'is'} still {left} unresolved {items}."
        ways = [("ignore", "Ignore and proceed with release")]
        if others:
            ways.append(("move", f"Move unresolved {items} to version"))
        inputs.append(
            Input("unresolved", f"Unresolved {items}", "radio", choices=chosen(ways, ["ignore"]))
        )
        if others:
            rows = [(one.id, one.name) for one in others]
            inputs.append(
                Input("moveTo", "Move to version", "select", choices=chosen(rows, rows[0][:1]))
            )
    inputs.append(Input("releaseDate", "Release date", "date", day.isoformat()))
    return FormPage(
        f"Release {version.name}", "", "", inputs, "Release", said,
    )  # fmt: skip


def _others(version: Version, *, released: bool | None = None) -> list[Version]:
    """Return the other versions of a space that are not archived; `released` narrows them."""
    rows = versions_of(version.project).exclude(id=version.id).filter(archived=False)
    return list(rows if released is None else rows.filter(released=released))


def _chosen(sent: PageForm, who: Visitor, version: Version, name: str) -> Version:
    text = sent.text(name)
    if not is_digits(text):
        raise Invalid(fields={name: NO_TARGET.format(items=words().items)})
    return version_of(who, version.project, int(text))


@form_of_version
def unrelease(request: SandboxRequest, who: Visitor, version: Version) -> HttpResponse:
    """Take back that a version is released."""
    return _set(request, who, version, {"released": False}, f"{version.name} is unreleased")


@form_of_version
def archive(request: SandboxRequest, who: Visitor, version: Version) -> HttpResponse:
    """Archive a version."""
    return _set(request, who, version, {"archived": True}, f"{version.name} archived")


@form_of_version
def unarchive(request: SandboxRequest, who: Visitor, version: Version) -> HttpResponse:
    """Bring an archived version back."""
    return _set(request, who, version, {"archived": False}, f"{version.name} restored")


def _set(
    request: SandboxRequest, who: Visitor, version: Version, changes: dict[str, Any], said: str
) -> HttpResponse:
    _, refusal = attempt(lambda: versions.update_version(version, changes, actor=who.rights))
    if refusal is not None:
        return list_page(request, who, version.project, refused=" ".join(refusal.sentences))
    return lead(request, _back(request, version), said)


@sheet_of_version
def merge(request: SandboxRequest, who: Visitor, version: Version) -> HttpResponse:
    """Ask into which version another goes, and merge it."""
    project, name = version.project, version.name
    rows = [(one.id, one.name) for one in _others(version)]
    said = (
        f"{name} is deleted, and its {words().items} get the other version in its place, among"
        " fix versions and affected versions."
    )
    sheet = FormPage(
        f"Merge {name}",
        version_address(version, "merge"),
        releases_address(project),
        [Input("moveTo", "Merge into", "select", choices=chosen(rows, ()), required=True)],
        "Merge",
        said if rows else f"There is no other version to merge {name} into.",
        danger=True,
    )

    def write(sent: PageForm) -> str:
        target = _chosen(sent, who, version, "moveTo")
        versions.delete_version(version, actor=who.rights, fix_to=target, affected_to=target)
        return f"Version {name} merged"

    names = {"moveFixIssuesTo": "moveTo"}
    return ask(request, who, project, sheet, write, active=ACTIVE, names=names)


@sheet_of_version
def delete(request: SandboxRequest, who: Visitor, version: Version) -> HttpResponse:
    """Ask what issues get in place of a version that goes, and delete it."""
    project, name = version.project, version.name
    uses = uses_of(version)
    rows = [(one.id, one.name) for one in _others(version)]
    texts = (
        ("fix", "moveFixIssuesTo", "fix version", uses["fix"]),
        ("affects", "moveAffectedIssuesTo", "affected version", uses["affects"]),
    )
    inputs = []
    for _, field, role, count in texts:
        if count:
            items = words().item if count == 1 else words().items
            label = f"{count} {items} with this {role} get"
            choices = chosen(rows, ())
            inputs.append(Input(field, label, "select", choices=choices, none="No version"))
    sheet = FormPage(
        f"Delete {name}",
        version_address(version, "delete"),
        releases_address(project),
        inputs,
        "Delete",
        "The version is removed for good." if inputs else f"No {words().item} has this version.",
        danger=True,
    )

    def write(sent: PageForm) -> str:
        fix_to, affected_to = (
            _chosen(sent, who, version, field) if sent.text(field) else None
            for field in ("moveFixIssuesTo", "moveAffectedIssuesTo")
        )
        versions.delete_version(version, actor=who.rights, fix_to=fix_to, affected_to=affected_to)
        return f"Version {name} deleted"

    return ask(request, who, project, sheet, write, active=ACTIVE)


@form_of_space
def move(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Move a version in the list: `where` (First, Earlier, Later, Last), `before` or `after`."""
    project_admins_only(who.rights, project)

    def write() -> None:
        version = _named(request, who, project, "version")
        if posted_text(request, "before"):
            other = _named(request, who, project, "before")
            rows = [row for row in versions_of(project) if row.id != version.id]
            place = next((at for at, row in enumerate(rows) if row.id == other.id), 0)
            if place:
                versions.move_version(version, after=rows[place - 1], actor=who.rights)
            else:
                versions.move_version(version, position="First", actor=who.rights)
        elif posted_text(request, "after"):
            other = _named(request, who, project, "after")
            versions.move_version(version, after=other, actor=who.rights)
        else:
            where = posted_text(request, "where")
            versions.move_version(version, position=where, actor=who.rights)

    _, refusal = attempt(write)
    if refusal is not None:
        return list_page(request, who, project, refused=" ".join(refusal.sentences))
    return go(releases_address(project))


def _named(request: SandboxRequest, who: Visitor, project: Project, name: str) -> Version:
    text = posted_text(request, name)
    if not is_digits(text):
        raise Invalid("You must say which version.")
    return version_of(who, project, int(text))
