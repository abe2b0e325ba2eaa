"""Who an issue goes to: whom the space names, where nobody is named."""

from __future__ import annotations

from collections.abc import Sequence

from clones.tracker.domain.components import default_assignee
from clones.tracker.models import Component, Project, User
from clones.tracker.queries.rights import Rights


def assignee_of_space(project: Project, components: Sequence[Component] = ()) -> User | None:
    """Return who gets new issues of a space: by their first component, else by the space.

    Nobody, where he who is named cannot have issues of the space.
    """
    found: User | None = project.lead if project.assignee_type == "PROJECT_LEAD" else None
    for component in sorted(components, key=lambda one: one.name.casefold()):
        kind, person = default_assignee(component)
        if kind != "PROJECT_DEFAULT":
            found = person
            break
    if found is None or not Rights(found).may("ASSIGNABLE_USER", project):
        return None
    return found
