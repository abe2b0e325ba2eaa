"""The templates from which spaces are made, by the vendor's keys: what sort of space each gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SOFTWARE: Final = "com.pyxis.greenhopper.jira:"
DESK: Final = "com.atlassian.servicedesk:"
BUSINESS: Final = "com.atlassian.jira-core-project-templates:jira-core-simplified-"


@dataclass(frozen=True, slots=True)
class SpaceTemplate:
    """A template: the type of its spaces, their style, and the type of their board if any."""

    key: str
    type: str
    style: str = "classic"
    board: str | None = None


_SOFTWARE: Final = (
    SpaceTemplate(f"{SOFTWARE}gh-simplified-scrum-classic", "software", board="scrum"),
    SpaceTemplate(f"{SOFTWARE}gh-simplified-kanban-classic", "software", board="kanban"),
    SpaceTemplate(f"{SOFTWARE}gh-simplified-basic", "software", board="kanban"),
    SpaceTemplate(f"{SOFTWARE}gh-simplified-agility-scrum", "software", "next-gen", "scrum"),
    SpaceTemplate(f"{SOFTWARE}gh-simplified-agility-kanban", "software", "next-gen", "kanban"),
    SpaceTemplate(f"{SOFTWARE}gh-cross-team-template", "software", board="scrum"),
    SpaceTemplate(f"{SOFTWARE}gh-cross-team-planning-template", "software", board="scrum"),
)
_CLASSIC_DESKS: Final = (
    "simplified-it-service-management",
    "simplified-it-service-management-basic",
    "simplified-it-service-management-operations",
    "simplified-general-service-desk",
    "simplified-internal-service-desk",
    "simplified-external-service-desk",
    "simplified-hr-service-desk",
    "simplified-facilities-service-desk",
    "simplified-legal-service-desk",
    "simplified-marketing-service-desk",
    "simplified-finance-service-desk",
    "simplified-analytics-service-desk",
    "simplified-design-service-desk",
    "simplified-sales-service-desk",
    "simplified-halp-service-desk",
    "company-managed-blank-service-project",
    "company-managed-general-service-project",
)
_BUSINESS: Final = (
    "content-management",
    "document-approval",
    "lead-tracking",
    "process-control",
    "procurement",
    "project-management",
    "recruitment",
    "task-tracking",
    "task-",
)
# What is served: team-managed service spaces are not.
TEMPLATES: Final = {
    found.key: found
    for found in (
        *_SOFTWARE,
        *(SpaceTemplate(f"{DESK}{name}", "service_desk") for name in _CLASSIC_DESKS),
        *(SpaceTemplate(f"{BUSINESS}{name}", "business") for name in _BUSINESS),
    )
}
# What a space of a type is made from when no template is named.
USUAL: Final = {
    "software": f"{SOFTWARE}gh-simplified-kanban-classic",
    "service_desk": f"{DESK}simplified-it-service-management",
    "business": f"{BUSINESS}project-management",
}

# Type: name, colour.
TYPES: Final = {
    "software": ("Software", "#0065FF"),
    "service_desk": ("Service Management", "#FFAB00"),
    "business": ("Business", "#36B37E"),
}


@dataclass(frozen=True, slots=True)
class Feature:
    """A part of a space that can be shown or not; a locked one is as it is."""

    key: str
    name: str
    about: str
    locked: bool = False
    needs: tuple[str, ...] = ()


_CLASSIC: Final = (
    Feature("jsw.classic.roadmap", "Timeline", "Plan epics along a timeline."),
    Feature("jsw.classic.backlog", "Backlog", "Plan work in a list of its own.", locked=True),
    Feature("jsw.classic.reports", "Reports", "Look at how work goes.", locked=True),
    Feature("jsw.classic.deployments", "Deployments", "See what was deployed where."),
    Feature("jsw.classic.code", "Code", "See repositories and pull requests."),
)
_AGILITY: Final = (
    Feature("jsw.agility.board", "Board", "See work in columns.", locked=True),
    Feature("jsw.agility.roadmap", "Timeline", "Plan epics along a timeline."),
    Feature("jsw.agility.backlog", "Backlog", "Plan work in a list of its own."),
    Feature(
        "jsw.agility.sprints",
        "Sprints",
        "Do work in spans of time.",
        needs=("jsw.agility.backlog",),
    ),
    Feature("jsw.agility.estimation", "Estimation", "Estimate how much work it is."),
    Feature("jsw.agility.reports", "Reports", "Look at how work goes."),
    Feature("jsw.agility.releases", "Releases", "Gather work into versions."),
)


def features_of(type: str, style: str) -> tuple[Feature, ...]:
    """Return the features that a space of a type and style can have."""
    if type != "software":
        return ()
    return _AGILITY if style == "next-gen" else _CLASSIC
