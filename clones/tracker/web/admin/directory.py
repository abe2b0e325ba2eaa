"""The spaces that somebody sees, and making one: for everybody who works at the site.

The vendor's addresses: `/jira/projects` for the list, `/jira/create-project` for the form.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from django.db.models import Q
from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel, SearchForm
from clones.core.web.paging import page_from
from clones.tracker.domain.errors import Forbidden
from clones.tracker.domain.project_keys import taken_keys
from clones.tracker.domain.projects import create_project
from clones.tracker.models import Project
from clones.tracker.queries.people import find_user
from clones.tracker.queries.rights import Rights, visible_projects
from clones.tracker.rules.project_keys import valid_key
from clones.tracker.rules.project_templates import BUSINESS, DESK, SOFTWARE, TEMPLATES, TYPES
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.admin.access import ATTEMPTS
from clones.tracker.web.admin.inputs import area, grouped, line, people, select
from clones.tracker.web.admin.spaces import STYLES
from clones.tracker.web.admin.spaces import TYPES as KINDS
from clones.tracker.web.frame.entries import space_address
from clones.tracker.web.parts.attempts import FormErrors
from clones.tracker.web.parts.pictures import face
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.shell import from_script, go, page, words

AT: Final = "/jira/projects"
CREATE: Final = "/jira/create-project"
NOT_CREATOR: Final = "You do not have permission to create projects."
# What templates are called whose keys do not say it.
NAMES: Final = {
    f"{SOFTWARE}gh-simplified-scrum-classic": "Scrum",
    f"{SOFTWARE}gh-simplified-kanban-classic": "Kanban",
    f"{SOFTWARE}gh-simplified-basic": "Bug tracking",
    f"{SOFTWARE}gh-simplified-agility-scrum": "Scrum (team-managed)",
    f"{SOFTWARE}gh-simplified-agility-kanban": "Kanban (team-managed)",
    f"{SOFTWARE}gh-cross-team-template": "Cross-team",
    f"{SOFTWARE}gh-cross-team-planning-template": "Cross-team planning",
    f"{DESK}simplified-it-service-management": "IT service management",
    f"{DESK}simplified-it-service-management-basic": "IT service management, basic",
    f"{DESK}simplified-it-service-management-operations": "IT service management, operations",
    f"{DESK}simplified-hr-service-desk": "HR service desk",
    f"{BUSINESS}task-": "Tasks",
}
# Which input a field of the domain is.
INPUTS: Final = {
    "projectKey": "key",
    "projectName": "name",
    "projectLead": "lead",
    "projectTemplateKey": "template",
}


def may_create(rights: Rights) -> bool:
    """Tell whether somebody may make spaces: admins any, others at most team-managed ones."""
    return rights.is_admin or rights.holds_global("CREATE_PROJECT")


@page_of_staff
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List the spaces that the visitor sees: with a text in their name or key, of a type."""
    text, kind = request.GET.get("query", "").strip(), request.GET.get("type", "")
    rows = visible_projects(who.rights).filter(archived_at=None)
    if text:
        rows = rows.filter(Q(name__icontains=text) | Q(key__icontains=text))
    if kind in Project.TYPES:
        rows = rows.filter(type=kind)
    pages = page_from(request, rows.select_related("lead", "category"))
    for one in pages.rows:
        sightings.note(one, "list")
    panel = Panel(
        ["Name", "Key", "Type", "Lead", "Category"],
        [_row(one) for one in pages.rows],
        empty=f"No {words().spaces} were found.",
    )
    acts = [Action(f"Create {words().space}", CREATE, primary=True)]
    shown = ListPage(
        words().spaces.capitalize(),
        "spaces",
        [panel],
        acts=acts if may_create(who.rights) else [],
        search=SearchForm(f"Search {words().spaces}", text, [
            select("type", "Type", KINDS, kind, none="All types")
        ]),
        pages=pages,
    )  # fmt: skip
    return page(
        request, who, "tracker/admin/directory.html", {"shown": shown},
        title=shown.title, active="projects",
    )  # fmt: skip


def _row(one: Project) -> ListRow:
    return ListRow(
        [
            Cell(one.name, f"/browse/{one.key}", STYLES.get(one.style, "")),
            Cell(one.key),
            Cell(dict(KINDS).get(one.type, one.type)),
            Cell(one.lead.display_name, picture=face(one.lead)),
            Cell("" if one.category is None else one.category.name),
        ]
    )


def _name_of(key: str) -> str:
    """Return what a template is called, by its key's own words where nothing else says it."""
    short = key.removeprefix(DESK).removeprefix(BUSINESS).removeprefix("simplified-")
    return NAMES.get(key) or short.replace("-", " ").strip().capitalize()


def _inputs(who: Visitor) -> list[Input]:
    templates = [
        one for one in TEMPLATES.values() if who.rights.is_admin or one.style == "next-gen"
    ]
    kinds = [
        (TYPES[kind][0], [(one.key, _name_of(one.key)) for one in templates if one.type == kind])
        for kind in TYPES
    ]
    lead = select("lead", "Lead", people(), who.user.account_id, required=True)
    return [
        grouped("template", "Template", kinds, templates[0].key, required=True),
        line("name", "Name", required=True),
        line("key", "Key", hint="Capitals and digits. Without one, it is made of the name."),
        lead,
        area("description", "Description"),
    ]  # fmt: skip


def _suggested(name: str) -> str:
    """Return a free key for a name: the initials of several words, the beginning of one."""
    parts = re.findall(r"[A-Za-z0-9]+", name)
    wanted = "".join(part[0] for part in parts) if len(parts) > 1 else "".join(parts)[:4]
    return valid_key(wanted, taken_keys())


@page_of_staff
def create(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a space from a template, and go there.

    Raises:
        Forbidden: the visitor may make none.
    """
    if not may_create(who.rights):
        raise Forbidden(NOT_CREATOR)
    sheet = FormPage(f"Create {words().space}", CREATE, AT, _inputs(who), "Create")
    if request.method != "POST":
        return _show(request, who, sheet)
    sheet = sheet.filled(request.POST)

    def write() -> Project:
        sent = sheet.form
        name = sent.text("name")
        return create_project(
            sent.text("key").upper() or _suggested(name),
            name,
            lead=find_user(sent.text("lead")),
            template=sent.text("template"),
            description=sent.text("description"),
            actor=who.rights,
        )

    made, refusal = ATTEMPTS.attempt(write)
    if made is None:
        refused = sheet.refused(refusal or FormErrors(), INPUTS)
        return _show(request, who, refused, status=422)
    # Made just now: what they may there is asked anew.
    address = space_address(Rights(who.user), made)
    said = f"{words().space.capitalize()} “{made.name}” created"
    return from_script(request, go(address, said))


def _show(
    request: SandboxRequest, who: Visitor, sheet: FormPage, *, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {"sheet": replace(sheet, back=AT)}
    return page(
        request, who, "tracker/admin/create_space.html", context,
        title=sheet.heading, active="projects", status=status,
    )  # fmt: skip
