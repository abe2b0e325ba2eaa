"""Who may set things up: the site's admins, and those who run a space."""

from __future__ import annotations

from typing import Final

from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.models import Project
from clones.tracker.queries.rights import Rights

NOT_ADMIN: Final = (
    "You are not authorized to perform this action. Administrator privileges are required."
)
NOT_PROJECT_ADMIN: Final = "You do not have permission to administer this project."


def admins_only(actor: Rights, message: str = NOT_ADMIN) -> None:
    """Hold somebody to being an admin of the site.

    Raises:
        Forbidden: they are none.
    """
    if not actor.is_admin:
        raise Forbidden(message)


def runs_project(actor: Rights, project: Project) -> bool:
    """Tell whether somebody may set up a space; nobody sets up what is archived or in the trash."""
    if actor.may("ADMINISTER_PROJECTS", project):
        return True
    return actor.is_admin and project.is_live


def project_admins_only(actor: Rights, project: Project, message: str = NOT_PROJECT_ADMIN) -> None:
    """Hold somebody to running a space.

    Raises:
        Forbidden: they do not.
    """
    if not runs_project(actor, project):
        raise Forbidden(message)


def checked_description(text: str | None, limit: int = 4000) -> str:
    """Return a description, none being empty.

    Raises:
        Invalid: it is too long.
    """
    if text is not None and len(text) > limit:
        raise Invalid(f"The length of the description must not exceed {limit} characters.")
    return text or ""
