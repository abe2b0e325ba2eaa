"""Components: the parts of what a space makes, and who leads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.tracker.domain import audit
from clones.tracker.domain.administration import project_admins_only
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.mass_changes import Alteration, note_changes
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import Component, IssueComponent, Project, User
from clones.tracker.queries.rights import Rights

ASSIGNEES: Final = ("PROJECT_DEFAULT", "COMPONENT_LEAD", "PROJECT_LEAD", "UNASSIGNED")
NAMELESS: Final = "The component name specified is invalid - cannot be an empty string."
NOT_ALLOWED: Final = "You do not have permission to administer components in this project."


def create_component(
    project: Project,
    *,
    actor: Rights,
    name: str,
    description: str = "",
    lead: User | None = None,
    assignee_type: str = "PROJECT_DEFAULT",
) -> Component:
    """Make a component of a space.

    Raises:
        Forbidden: the actor does not run the space.
        Invalid: the name is missing, too long or taken, or the type of assignees unknown.
    """
    project_admins_only(actor, project, NOT_ALLOWED)
    made = Component(id=next_id(Component), project=project)
    values = {"description": description, "lead": lead, "assignee_type": assignee_type}
    _set(made, {"name": name, **values})
    made.save(force_insert=True)
    _record("Project component created", made, actor)
    return made


def update_component(
    component: Component, changes: Mapping[str, Any], *, actor: Rights
) -> Component:
    """Change a component: name, description, lead, assignee_type.

    Raises:
        Forbidden: the actor does not run the space.
        Invalid: as for a new one.
    """
    project_admins_only(actor, component.project, NOT_ALLOWED)
    _set(component, changes)
    component.save()
    _record("Project component updated", component, actor)
    return component


def delete_component(component: Component, *, move_to: Component | None, actor: Rights) -> None:
    """Remove a component; its issues get another, or none.

    Raises:
        Forbidden: the actor does not run the space.
        NotFound: the other is the same, or another space's.
    """
    project_admins_only(actor, component.project, NOT_ALLOWED)
    if move_to is not None and (
        move_to.id == component.id or move_to.project_id != component.project_id
    ):
        raise NotFound(f"The component with id {move_to.id} does not exist.")
    _replace(component, move_to, actor)
    _record("Project component deleted", component, actor)
    component.delete()


def _replace(component: Component, by: Component | None, actor: Rights) -> None:
    links = IssueComponent.objects.filter(component=component).order_by("issue_id")
    issues = list(links.values_list("issue_id", flat=True))
    old = Alteration("Component", "components", str(component.id), component.name, None, None)
    changed: dict[int, list[Alteration]] = {issue: [old] for issue in issues}
    if by is not None:
        have = set(IssueComponent.objects.filter(component=by).values_list("issue_id", flat=True))
        lacking = [issue for issue in issues if issue not in have]
        new = Alteration("Component", "components", None, None, str(by.id), by.name)
        for issue in lacking:
            changed[issue].append(new)
        keys = next_ids(IssueComponent, len(lacking))
        IssueComponent.objects.bulk_create(
            [
                IssueComponent(id=key, issue_id=issue, component=by)
                for key, issue in zip(keys, lacking, strict=True)
            ]
        )
    links.delete()
    note_changes(changed, actor=actor)


def _set(component: Component, changes: Mapping[str, Any]) -> None:
    if "name" in changes:
        component.name = _name(component, changes["name"])
    if "description" in changes:
        component.description = changes["description"] or ""
    if "lead" in changes:
        component.lead = changes["lead"]
    if "assignee_type" in changes:
        kind = changes["assignee_type"] or "PROJECT_DEFAULT"
        if kind not in ASSIGNEES:
            raise Invalid(fields={"assigneeType": f"The assignee type '{kind}' is invalid."})
        component.assignee_type = kind


def _name(component: Component, name: str | None) -> str:
    wanted = (name or "").strip()
    if not wanted:
        raise Invalid(fields={"name": NAMELESS})
    if len(wanted) > 255:
        raise Invalid(fields={"name": "The component name must not exceed 255 characters."})
    others = Component.objects.filter(project=component.project_id, name__iexact=wanted)
    if others.exclude(id=component.id).exists():
        text = f"A component with the name {wanted} already exists in this project."
        raise Invalid(fields={"name": text})
    return wanted


def default_assignee(component: Component) -> tuple[str, User | None]:
    """Return who gets new issues of a component: the type that counts, and the user.

    Where the component's own type finds nobody, the space's default counts.
    """
    project = component.project
    kind = component.assignee_type
    if kind == "COMPONENT_LEAD" and component.lead is not None:
        return kind, component.lead
    if kind == "PROJECT_LEAD":
        return kind, project.lead
    if kind == "UNASSIGNED":
        return kind, None
    return "PROJECT_DEFAULT", project.lead if project.assignee_type == "PROJECT_LEAD" else None


def _record(summary: str, component: Component, actor: Rights) -> None:
    project = component.project
    audit.record(
        summary,
        "projects",
        actor=actor,
        object=("PROJECT_COMPONENT", str(component.id), component.name),
        associated=[("PROJECT", str(project.id), project.name)],
    )
