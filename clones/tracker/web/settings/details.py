"""What a space is called and how it is found: name, key, lead, category, picture; its end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.project_removal import archive_project, trash_project
from clones.tracker.domain.projects import set_feature, update_project
from clones.tracker.models import Avatar, Project, ProjectCategory, User
from clones.tracker.rules.pictures import SYSTEM
from clones.tracker.rules.project_templates import TYPES, features_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.frame.entries import ALL_SPACES, is_there
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.settings.access import (
    done,
    form_of_settings,
    page_of_settings,
    settings_page,
)
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.forms import (
    FormPage,
    Input,
    chosen,
    number_of,
    people,
)
from clones.tracker.web.settings.sheets import ask
from clones.tracker.web.shell import home_address
from clones.tracker.web.vocabulary import said, say, words

HERE: Final = "details"
FEATURES: Final = "features"
OFFERED: Final = 500
ASSIGNEES: Final = {"PROJECT_LEAD": "Space lead", "UNASSIGNED": "Unassigned"}
# Inputs, by what the domain calls their faults.
_NAMES: Final = {
    "projectName": "name",
    "projectKey": "key",
    "projectLead": "lead",
    "assigneeType": "assignee_type",
    "avatarId": "avatar",
}


@page_of_settings
def show(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the details of a space, or take changes of them."""
    if request.method != "POST":
        return details_page(request, who, project)
    sent = {key: posted_text(request, key) for key in _filled(project)}
    changes = _changes(project, sent)
    _, refusal = attempt(lambda: update_project(project, changes, actor=who.rights))
    if refusal is not None:
        project.refresh_from_db()
        return details_page(request, who, project, sent, refusal)
    return done(request, project, HERE, "Details saved")


def _filled(project: Project) -> dict[str, str]:
    return {
        "name": project.name,
        "url": project.url,
        "description": project.description,
        "lead": project.lead.account_id,
        "assignee_type": project.assignee_type,
        "category": "" if project.category_id is None else str(project.category_id),
        "avatar": str(project.avatar_id),
    }


def _changes(project: Project, sent: dict[str, str]) -> dict[str, Any]:
    """Return what was changed, as the domain takes it."""
    before = _filled(project)
    changed = {key for key, text in sent.items() if text != before[key]}
    found: dict[str, Any] = {
        key: sent[key] for key in ("name", "url", "description", "assignee_type") if key in changed
    }
    if "lead" in changed:
        found["lead"] = User.objects.filter(account_id=sent["lead"]).first()
    if "category" in changed:
        key = number_of(sent["category"])
        found["category"] = ProjectCategory.objects.filter(id=key or 0).first()
    if "avatar" in changed:
        found["avatar_id"] = number_of(sent["avatar"]) or 0
    return found


def details_page(
    request: SandboxRequest,
    who: Visitor,
    project: Project,
    filled: dict[str, str] | None = None,
    refusal: FormErrors | None = None,
) -> HttpResponse:
    """Return the page of a space's details, as they are unless others were typed."""
    filled = filled or _filled(project)
    form = FormPage("Details", request.path, "", _inputs(project, filled))
    if refusal is not None:
        form = form.refused(refusal, _NAMES)
    rows = Avatar.objects.filter(kind="project", entity=str(project.id)).order_by("id")
    loaded = list(rows.values_list("id", flat=True))
    avatars = [*SYSTEM["project"], *loaded]
    context = {
        "form": form,
        "avatars": [(key, str(key) == filled["avatar"]) for key in avatars],
        "loaded": loaded,
        "type": TYPES[project.type][0],
        "managed": "Team-managed" if project.simplified else "Company-managed",
        "former": list(project.former_keys.order_by("id").values_list("key", flat=True)),
        "admin": who.rights.is_admin,
    }
    return settings_page(
        request, who, project, "tracker/settings/details.html", context,
        title="Details", current=HERE, status=200 if refusal is None else 400,
    )  # fmt: skip


def _inputs(project: Project, filled: dict[str, str]) -> list[Input]:
    staff = User.objects.filter(account_type="atlassian", active=True)
    leads = [*staff.order_by("display_name", "id")[:OFFERED]]
    if project.lead not in leads:
        leads.insert(0, project.lead)
    used = words()
    assignees = [(key, said(label, used)) for key, label in ASSIGNEES.items()]
    categories = ProjectCategory.objects.order_by("name", "id").values_list("id", "name")
    return [
        Input("name", "Name", value=filled["name"], required=True),
        Input("url", "URL", value=filled["url"]),
        Input("description", "Description", "area", filled["description"]),
        Input(
            "category",
            "Category",
            "select",
            choices=chosen(categories, [filled["category"]]),
            none="None",
        ),
        Input("lead", "Space lead", "select", choices=people(leads, [filled["lead"]])),
        Input(
            "assignee_type",
            "Default assignee",
            "select",
            choices=chosen(assignees, [filled["assignee_type"]]),
        ),
    ]


@page_of_settings
def change_key(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the form of the key, or take it: former keys lead to the space still."""
    admins_only(who.rights)
    sheet = FormPage(
        "Change key",
        request.path,
        settings_address(project, HERE),
        [
            Input(
                "key",
                "Key",
                value=project.key,
                required=True,
                hint="Two to ten capital letters and digits, beginning with a letter.",
            )
        ],
        button="Change key",
        said=f"{say('All work items')} of {project.name} get keys that begin with the new one. "
        "The old keys keep leading to them.",
    )

    def write(sent: PageForm) -> tuple[str, str]:
        key = sent.text("key")
        update_project(project, {"key": key}, actor=who.rights)
        return f"Key changed to {key}", settings_address(project, HERE)

    return ask(request, who, project, sheet, write, current=HERE, names=_NAMES)


@page_of_settings
def archive(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Ask whether a space is to be archived, or archive it."""
    admins_only(who.rights)
    sheet = _question(
        request,
        project,
        f"Archive {project.name}?",
        say("Its work items can be looked at and not changed. An admin can restore it."),
        "Archive",
    )

    def write(_sent: PageForm) -> tuple[str, str]:
        archive_project(project, actor=who.rights)
        return f"{project.name} archived", _away()

    return ask(request, who, project, sheet, write, current=HERE)


@page_of_settings
def trash(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Ask whether a space is to go to the trash, or put it there."""
    admins_only(who.rights)
    sheet = _question(
        request,
        project,
        f"Move {project.name} to the trash?",
        "It is deleted for good after 60 days. Until then an admin can restore it.",
        "Move to trash",
    )
    sheet = replace(sheet, danger=True)

    def write(_sent: PageForm) -> tuple[str, str]:
        trash_project(project, actor=who.rights)
        return f"{project.name} moved to the trash", _away()

    return ask(request, who, project, sheet, write, current=HERE)


def _question(
    request: SandboxRequest, project: Project, heading: str, said: str, button: str
) -> FormPage:
    back = settings_address(project, HERE)
    return FormPage(heading, request.path, back, button=button, said=said)


def _away() -> str:
    """Return an address away from a space that is no more."""
    return ALL_SPACES if is_there(ALL_SPACES) else home_address()


@page_of_settings
def show_features(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show which parts of a space are shown."""
    return _features(request, who, project)


def _features(
    request: SandboxRequest, who: Visitor, project: Project, problems: Iterable[str] = ()
) -> HttpResponse:
    rows = [
        (one, project.features.get(one.key) == "ENABLED")
        for one in features_of(project.type, project.style)
    ]
    said = list(problems)
    return settings_page(
        request, who, project, "tracker/settings/features.html", {"rows": rows, "problems": said},
        title="Features", current=FEATURES, status=400 if said else 200,
    )  # fmt: skip


@form_of_settings
def toggle_feature(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show a part of a space, or hide it."""
    feature, state = posted_text(request, "feature"), posted_text(request, "state")
    _, refusal = attempt(lambda: set_feature(project, feature, state, actor=who.rights))
    if refusal is not None:
        return _features(request, who, project, refusal.sentences)
    return done(request, project, FEATURES, "Features saved")
