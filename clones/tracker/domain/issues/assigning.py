"""Who an issue goes to: whom the space names, where nobody is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clones.tracker.domain.components import default_assignee
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.site_options import unassigned_allowed
from clones.tracker.models import Component, Project, User
from clones.tracker.queries.rights import Rights

NO_DEFAULT: Final = (
    "The default assignee does NOT have ASSIGNABLE permission OR Unassigned work items are turned"
    " off."
)


def assignee_of_space(project: Project, components: Sequence[Component] = ()) -> User | None:
    """Return who gets new issues of a space: by their first component, else by the space.

    Nobody, where whoever is named cannot have issues of the space; the lead of the space, where the
    site has no unassigned issues.

    Raises:
        Invalid: the site has no unassigned issues, and the lead cannot have issues of the space.
    """
    found: User | None = project.lead if project.assignee_type == "PROJECT_LEAD" else None
    for component in sorted(components, key=lambda one: one.name.casefold()):
        kind, person = default_assignee(component)
        if kind != "PROJECT_DEFAULT":
            found = person
            break
    if found is not None and _can_have(found, project):
        return found
    if unassigned_allowed():
        return None
    if not _can_have(project.lead, project):
        raise Invalid(fields={"assignee": NO_DEFAULT})
    return project.lead


def _can_have(user: User, project: Project) -> bool:
    return Rights(user).may("ASSIGNABLE_USER", project)
