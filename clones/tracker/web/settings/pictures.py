"""Pictures that are loaded for a space: a new one, which it then has, and the end of one."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.avatars import create_avatar, delete_avatar
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.projects import update_project
from clones.tracker.models import Project
from clones.tracker.rules.pictures import DEFAULTS
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.access import done, form_of_settings
from clones.tracker.web.settings.details import HERE, details_page

NO_CHECK: Final = "no-check"  # what the API's header says: the form has its own token


@form_of_settings
def load(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Take a picture and give it to the space."""
    file = request.FILES.get("picture")

    def write() -> None:
        if file is None:
            raise Invalid("Choose a picture to upload.")
        made = create_avatar("project", str(project.id), file.read(), token=NO_CHECK)
        update_project(project, {"avatar_id": made.id}, actor=who.rights)

    _, refusal = attempt(write)
    if refusal is not None:
        project.refresh_from_db()
        return details_page(request, who, project, refusal=refusal)
    return done(request, project, HERE, "Picture uploaded")


@form_of_settings
def remove(request: SandboxRequest, who: Visitor, project: Project, key: int) -> HttpResponse:
    """Remove a picture that was loaded; a space that has it gets the usual one."""

    def write() -> None:
        if project.avatar_id == key:
            update_project(project, {"avatar_id": DEFAULTS["project"]}, actor=who.rights)
        delete_avatar("project", str(project.id), key)

    _, refusal = attempt(write)
    if refusal is not None:
        project.refresh_from_db()
        return details_page(request, who, project, refusal=refusal)
    return done(request, project, HERE, "Picture removed")
