"""The addresses of the settings of spaces."""

from __future__ import annotations

from typing import Final

from clones.tracker.models import Project

# The families of addresses: company-managed and team-managed software, desks, business.
FAMILIES: Final = (
    "jira/software/c/projects",
    "jira/software/projects",
    "jira/servicedesk/projects",
    "jira/core/projects",
)


def settings_address(project: Project, rest: str = "") -> str:
    """Return the address of a space's settings, or of a page of them."""
    if project.type == "service_desk":
        family = FAMILIES[2]
    elif project.type == "business":
        family = FAMILIES[3]
    else:
        family = FAMILIES[1] if project.simplified else FAMILIES[0]
    return f"/{family}/{project.key}/settings" + (f"/{rest}" if rest else "")
