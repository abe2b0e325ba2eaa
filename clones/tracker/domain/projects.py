"""Making spaces, and changing what they are called and which schemes they use.

create_project("LAS", "Laser control", type="software", template="...", lead=user, actor=rights)
makes a space with all that its template gives: schemes, roles, board or service desk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from clones.core import clock
from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only, project_admins_only
from clones.tracker.domain.boards import create_board_for
from clones.tracker.domain.desks import open_desk
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.numbering import new_uuid, next_id
from clones.tracker.domain.project_keys import change_key, check_key
from clones.tracker.domain.roles import copy_defaults, fill_role
from clones.tracker.domain.security_schemes import use_security_scheme
from clones.tracker.domain.setup.access import (
    ADMINISTRATORS,
    SOFTWARE_SCHEME,
    TEAM,
    add_scheme,
    desk_grants,
    roles_by_name,
    team_grants,
)
from clones.tracker.domain.setup.spaces import create_space_kinds
from clones.tracker.domain.setup.workflows import workflow_scheme_for
from clones.tracker.models import (
    Avatar,
    FieldConfigurationScheme,
    IssueTypeScheme,
    IssueTypeScreenScheme,
    NotificationScheme,
    PermissionScheme,
    Project,
    ProjectCategory,
    SecurityScheme,
    User,
    WorkflowScheme,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.pictures import SYSTEM
from clones.tracker.rules.project_keys import NAME_LENGTH
from clones.tracker.rules.project_templates import (
    TEMPLATES,
    TYPES,
    USUAL,
    SpaceTemplate,
    features_of,
)

CATEGORY: Final = "projects"
NAMELESS: Final = "You must specify a valid project name."
NAME_TAKEN: Final = "A project with that name already exists."
NO_LEAD: Final = "You must specify a valid project lead."
NO_TYPE: Final = (
    "An invalid project type was specified. Make sure the project type is available in your Jira "
    "instance. Please talk to your Jira administrator if you need more help."
)
NO_TEMPLATE: Final = (
    "The project template specified does not exist. Make sure the project template is available "
    "in your Jira instance. Please talk to your Jira administrator if you need more help."
)
# Who leads a space for which somebody unknown was named.
NOBODY: Final = User(active=False)
ASSIGNEES: Final = ("PROJECT_LEAD", "UNASSIGNED")


@dataclass(frozen=True, slots=True)
class Schemes:
    """The schemes that a new space is to use in place of its template's."""

    permission: PermissionScheme | None = None
    notification: NotificationScheme | None = None
    security: SecurityScheme | None = None
    issue_type: IssueTypeScheme | None = None
    screen: IssueTypeScreenScheme | None = None
    field: FieldConfigurationScheme | None = None
    workflow: WorkflowScheme | None = None


def create_project(
    key: str,
    name: str,
    *,
    actor: Rights,
    lead: User | None = None,
    type: str | None = None,
    template: str | None = None,
    description: str = "",
    url: str = "",
    assignee_type: str | None = None,
    avatar_id: int | None = None,
    category: ProjectCategory | None = None,
    schemes: Schemes | None = None,
) -> Project:
    """Make a space with all that its template gives it.

    Args:
        key: up to ten letters and digits, in capitals.
        name: up to 80 characters, no other space's.
        actor: who makes it: an admin, or for a team-managed one whoever may.
        lead: who leads it, a member of the staff; the actor if not given.
        type: software, service_desk or business; the template's if not given.
        template: the vendor's key of one; the type's usual one if not given. Either is needed.
        description: what is said of it.
        url: where more is.
        assignee_type: PROJECT_LEAD or UNASSIGNED.
        avatar_id: one of the site's own pictures.
        category: its category.
        schemes: schemes to use in place of the template's.

    Raises:
        Forbidden: the actor may not.
        Invalid: something breaks these rules, under projectKey, projectName, projectType...
    """
    made_from = _template(type, template)
    _may_create(made_from, actor)
    lead = lead or actor.user
    faults = _faults(key, name, lead) | _faults_of_choices(assignee_type, avatar_id)
    faults |= {} if type or template else {"projectType": NO_TYPE}
    if faults or lead is None:
        raise Invalid(fields=faults)
    project = Project(
        id=next_id(Project),
        key=key,
        name=name.strip(),
        description=description,
        lead=lead,
        assignee_type=assignee_type or "UNASSIGNED",
        url=url,
        category=category,
        uuid=new_uuid(Project),
        created=clock.now(),
        **_of_template(made_from),
    )
    project.avatar_id = avatar_id or min(SYSTEM["project"]) + project.id % len(SYSTEM["project"])
    _furnish(project, made_from, schemes or Schemes(), actor)
    _record("Project created", project, actor)
    publish(Event("project_created", actor, project=project))
    return project


def _of_template(template: SpaceTemplate) -> dict[str, Any]:
    features = features_of(template.type, template.style)
    return {
        "type": template.type,
        "template": template.key,
        "style": template.style,
        "features": {found.key: "ENABLED" for found in features},
    }


def _furnish(project: Project, template: SpaceTemplate, schemes: Schemes, actor: Rights) -> None:
    """Write a new space with its schemes, its roles, and its board or service desk."""
    _give_schemes(project, schemes)
    project.save(force_insert=True)
    lead = project.lead
    copy_defaults(project)
    roles = roles_by_name()
    fill_role(roles[ADMINISTRATORS], project, [lead], [])
    if template.type == "service_desk":
        fill_role(roles[TEAM], project, [lead], [])
        open_desk(project, actor=actor)
    elif template.board is not None:
        create_board_for(project, template.board, actor=actor)


def _template(type: str | None, key: str | None) -> SpaceTemplate:
    if type is not None and type not in TYPES:
        raise Invalid(fields={"projectType": NO_TYPE})
    found = TEMPLATES.get(key or USUAL[type or "software"])
    if found is None:
        raise Invalid(NO_TEMPLATE)
    if type is not None and found.type != type:
        text = "The project template is not of the project type."
        raise Invalid(fields={"projectTemplateKey": text})
    return found


def _may_create(template: SpaceTemplate, actor: Rights) -> None:
    if actor.is_admin:
        return
    if template.style != "next-gen" or not actor.holds_global("CREATE_PROJECT"):
        raise Forbidden("You do not have permission to create projects.")


def _faults(key: str, name: str, lead: User | None) -> dict[str, str]:
    faults: dict[str, str] = {}
    fault = check_key(key)
    if fault is not None:
        faults["projectKey"] = fault
    fault = _fault_of_name(name, None)
    if fault is not None:
        faults["projectName"] = fault
    if lead is None or not lead.active or lead.account_type != "atlassian":
        faults["projectLead"] = NO_LEAD
    return faults


def _faults_of_choices(assignee_type: str | None, avatar_id: int | None) -> dict[str, str]:
    faults: dict[str, str] = {}
    if assignee_type is not None and assignee_type not in ASSIGNEES:
        faults["assigneeType"] = "Invalid default assignee."
    if avatar_id is not None and avatar_id not in SYSTEM["project"]:
        faults["avatarId"] = "The avatar does not exist."
    return faults


def _fault_of_name(name: str, project: Project | None) -> str | None:
    wanted = name.strip()
    if not wanted:
        return NAMELESS
    if len(wanted) > NAME_LENGTH:
        return f"The project name must not exceed {NAME_LENGTH} characters in length."
    others = Project.objects.filter(name__iexact=wanted)
    if project is not None:
        others = others.exclude(id=project.id)
    return NAME_TAKEN if others.exists() else None


def _give_schemes(project: Project, given: Schemes) -> None:
    """Set every scheme of a space that is about to be written."""
    project.permission_scheme = given.permission or _permission_scheme(project)
    project.notification_scheme = given.notification or (
        NotificationScheme.objects.filter(is_default=True).order_by("id").first()
    )
    project.security_scheme = given.security
    project.field_scheme = given.field
    if given.issue_type is not None:
        project.issue_type_scheme = given.issue_type
    if given.screen is not None:
        project.screen_scheme = given.screen
    create_space_kinds(project)
    project.workflow_scheme = given.workflow or workflow_scheme_for(project, project.template)


def _permission_scheme(project: Project) -> PermissionScheme:
    """Return the scheme that a template gives: the shared one, or the space's own."""
    if project.style == "next-gen":
        about = "Counts for one team-managed space."
        name = f"Simplified scheme for {project.key}"
        return add_scheme(name, about, team_grants(roles_by_name()))
    if project.type == "service_desk":
        about = "Counts for one service space."
        name = f"Jira Service Management Permission Scheme for Project {project.key}"
        return add_scheme(name, about, desk_grants(roles_by_name()))
    rows = PermissionScheme.objects.order_by("id")
    if project.type == "software":
        found = rows.filter(name=SOFTWARE_SCHEME).first()
        if found is not None:
            return found
    return rows.get(is_default=True)


def update_project(project: Project, changes: Mapping[str, Any], *, actor: Rights) -> Project:
    """Change a space.

    Args:
        project: the space.
        changes: name, description, lead, url, assignee_type, avatar_id, category; for admins of
            the site key, released_keys and the schemes permission_scheme, notification_scheme and
            security_scheme.
        actor: who.

    Raises:
        Forbidden: the actor does not run the space, or it takes an admin of the site.
        Invalid: something breaks the rules of `create_project`.
    """
    project_admins_only(actor, project)
    of_the_site = {"key", "released_keys", *_SCHEMES, "security_scheme"}
    if of_the_site & set(changes) and changes.get("key", project.key) != project.key:
        admins_only(actor)
    if (of_the_site - {"key"}) & set(changes):
        admins_only(actor)
    _check_changes(project, changes)
    noted = _set(project, changes)
    project.save()
    if "security_scheme" in changes:
        use_security_scheme(project, changes["security_scheme"], {}, actor=actor)
    if changes.get("released_keys"):
        _release_keys(project, changes["released_keys"])
    wanted = changes.get("key", project.key)
    if wanted != project.key:
        noted.append(("Key", project.key, wanted))
        change_key(project, wanted)
    _record("Project updated", project, actor, noted)
    publish(Event("project_updated", actor, project=project))
    return project


_SCHEMES: Final = ("permission_scheme", "notification_scheme")
# What histories of admins' acts call what may be changed.
_NAMES: Final = {
    "name": "Name",
    "description": "Description",
    "url": "URL",
    "assignee_type": "Default assignee",
    "avatar_id": "Avatar",
}


def _check_changes(project: Project, changes: Mapping[str, Any]) -> None:
    faults: dict[str, str] = {}
    if "key" in changes and changes["key"] != project.key:
        fault = check_key(changes["key"], project)
        if fault is not None:
            faults["projectKey"] = fault
    if "name" in changes:
        fault = _fault_of_name(changes["name"], project)
        if fault is not None:
            faults["projectName"] = fault
    if "lead" in changes:
        lead = changes["lead"]
        if lead is None or not lead.active or lead.account_type != "atlassian":
            faults["projectLead"] = NO_LEAD
    if changes.get("assignee_type", "UNASSIGNED") not in ASSIGNEES:
        faults["assigneeType"] = "Invalid default assignee."
    if "avatar_id" in changes and not _has_avatar(project, changes["avatar_id"]):
        faults["avatarId"] = "The avatar does not exist."
    if project.simplified and {*_SCHEMES, "security_scheme"} & set(changes):
        raise Invalid("The schemes of team-managed projects cannot be changed.")
    if faults:
        raise Invalid(fields=faults)


def _has_avatar(project: Project, key: int) -> bool:
    loaded = Avatar.objects.filter(id=key, kind="project", entity=str(project.id))
    return key in SYSTEM["project"] or loaded.exists()


def _set(project: Project, changes: Mapping[str, Any]) -> list[tuple[str, str | None, str | None]]:
    noted: list[tuple[str, str | None, str | None]] = []
    for name, label in _NAMES.items():
        if name in changes and changes[name] != getattr(project, name):
            value = changes[name].strip() if name == "name" else changes[name]
            noted.append((label, str(getattr(project, name)), str(value)))
            setattr(project, name, value)
    if "lead" in changes and changes["lead"] != project.lead:
        noted.append(("Project lead", project.lead.account_id, changes["lead"].account_id))
        project.lead = changes["lead"]
    for name in ("category", *_SCHEMES):
        if name in changes:
            setattr(project, name, changes[name])
    return noted


def _release_keys(project: Project, keys: list[str]) -> None:
    mine = project.former_keys.filter(key__in=keys)
    if project.key in keys or mine.count() != len(set(keys)):
        text = "Released keys must be former keys of the project."
        raise Invalid(fields={"releasedProjectKeys": text})
    mine.delete()


def set_feature(project: Project, feature: str, state: str, *, actor: Rights) -> None:
    """Show or hide a part of a space.

    Raises:
        Forbidden: the actor does not run the space.
        Invalid: there is no such part, it cannot be changed, or one that it needs is off.
    """
    project_admins_only(actor, project)
    found = {one.key: one for one in features_of(project.type, project.style)}.get(feature)
    if found is None:
        raise Invalid(f"The feature '{feature}' does not exist for this project.")
    if state not in ("ENABLED", "DISABLED"):
        raise Invalid(f"The state '{state}' is invalid: use ENABLED or DISABLED.")
    if found.locked:
        raise Invalid(f"The feature '{feature}' cannot be changed.")
    lacking = [key for key in found.needs if project.features.get(key) != "ENABLED"]
    if state == "ENABLED" and lacking:
        raise Invalid(f"The feature '{feature}' needs: {', '.join(lacking)}")
    project.features = {**project.features, feature: state}
    project.save(update_fields=["features"])
    _record("Project feature updated", project, actor, [(feature, None, state)])


def set_sender(project: Project, address: str | None, *, actor: Rights) -> None:
    """Set the address from which a space's mail is sent; None takes it back.

    Raises:
        Forbidden: the actor does not run the space.
        Invalid: it is no address.
    """
    project_admins_only(actor, project)
    text = (address or "").strip()
    if text and ("@" not in text[1:-1] or " " in text or len(text) > 254):
        raise Invalid(fields={"emailAddress": "The email address is not valid."})
    project.sender_email = text or None
    project.save(update_fields=["sender_email"])
    _record("Project sender email updated", project, actor, [("Email", None, text)])


def _record(
    summary: str,
    project: Project,
    actor: Rights,
    changes: list[tuple[str, str | None, str | None]] | None = None,
) -> None:
    about = ("PROJECT", str(project.id), project.name)
    audit.record(summary, CATEGORY, actor=actor, object=about, changes=changes or [])
