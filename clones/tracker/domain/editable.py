"""Whether work can be logged on an issue where it is: a step of its workflow may forbid changes."""

from __future__ import annotations

from typing import Final

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.issues.editing import is_editable
from clones.tracker.models import Issue
from clones.tracker.queries.rights import Rights

NOT_EDITABLE: Final = "You can not edit the issue as it is in a non-editable workflow state."


def require_editable(issue: Issue, actor: Rights, *, override: bool = False) -> None:
    """Hold an issue to being in a status in which it can be changed.

    `override` lets apps with the rights of an admin change it all the same.

    Raises:
        Invalid: it is in another (the vendor answers 400).
    """
    is_app = actor.user is not None and actor.user.account_type == "app"
    if override and is_app and actor.is_admin:
        return
    if not is_editable(issue):
        raise Invalid(NOT_EDITABLE)
