"""Spaces that are put away: archived, in the trash, gone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.db.models import Model

from clones.core import clock, jobs
from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.people import NOBODY
from clones.tracker.domain.properties import forget_properties
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.models import (
    Issue,
    IssueType,
    IssueTypeScheme,
    IssueTypeScreenScheme,
    Project,
    Status,
    Task,
    Workflow,
    WorkflowScheme,
)
from clones.tracker.queries.rights import Rights

CATEGORY: Final = "projects"
RETENTION: Final = timedelta(days=60)
PURGE: Final = "tracker.purge_project"
DELETE: Final = "delete_project"
ARCHIVED: Final = (
    "You can't delete a project if it's archived. To delete an archived project, restore the "
    "project and then delete it."
)


def archive_project(project: Project, *, actor: Rights) -> None:
    """Put a space into the archive: it can only be looked at.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is archived or in the trash already.
    """
    admins_only(actor)
    if not project.is_live:
        raise Invalid(f"The project '{project.key}' is archived or in the trash already.")
    project.archived_at, project.archived_by = clock.now(), actor.user
    project.save(update_fields=["archived_at", "archived_by"])
    _record_and_publish("project_archived", "Project archived", project, actor)


def restore_project(project: Project, *, actor: Rights) -> Project:
    """Bring a space back, from the trash or the archive.

    Raises:
        NotFound: the actor is no admin, nor the lead of a team-managed space in the trash.
        Invalid: it is in neither.
    """
    leads = project.simplified and project.lead == actor.user and project.deleted_at is not None
    _admins_find(project, actor, also=leads)
    if project.deleted_at is not None:
        project.deleted_at = project.deleted_by = None
        jobs.cancel(f"{PURGE}:{project.id}")
        kind, summary = "project_restored_deleted", "Project restored"
    elif project.archived_at is not None:
        project.archived_at = project.archived_by = None
        kind, summary = "project_restored_archived", "Project unarchived"
    else:
        raise Invalid(f"The project '{project.key}' is neither archived nor in the trash.")
    project.save(update_fields=["deleted_at", "deleted_by", "archived_at", "archived_by"])
    _record_and_publish(kind, summary, project, actor)
    return project


def trash_project(project: Project, *, actor: Rights) -> None:
    """Put a space into the trash, where it stays for sixty days.

    Raises:
        NotFound: the actor is no admin.
        Invalid: it is archived, or in the trash already.
    """
    _admins_find(project, actor)
    if project.archived_at is not None:
        raise Invalid(ARCHIVED)
    if project.deleted_at is not None:
        raise Invalid(f"The project '{project.key}' is in the trash already.")
    project.deleted_at, project.deleted_by = clock.now(), actor.user
    project.save(update_fields=["deleted_at", "deleted_by"])
    due = project.deleted_at + RETENTION
    jobs.enqueue(PURGE, due=due, payload={"project": project.id}, key=f"{PURGE}:{project.id}")
    _record_and_publish("project_soft_deleted", "Project moved to trash", project, actor)


def delete_project(project: Project, *, actor: Rights) -> None:
    """Remove a space with all that is in it, for good.

    Raises:
        NotFound: the actor is no admin.
        Invalid: it is archived.
    """
    _admins_find(project, actor)
    if project.archived_at is not None:
        raise Invalid(ARCHIVED)
    _remove(project, actor)


def begin_deletion(project: Project, *, actor: Rights) -> Task:
    """Begin to remove a space for good.

    Raises:
        NotFound: the actor is no admin.
        Invalid: it is archived.
    """
    _admins_find(project, actor)
    if project.archived_at is not None:
        raise Invalid(ARCHIVED)
    about = f"Delete project {project.name}"
    return start_task(DELETE, {"project": project.id}, actor=actor, description=about)


def _admins_find(project: Project, actor: Rights, *, also: bool = False) -> None:
    """Let others than admins find no space to remove: so the vendor describes it."""
    if not actor.is_admin and not also:
        raise NotFound(f"No project could be found with key '{project.key}'.")


@carries_out(DELETE)
def _delete_later(task: Task, actor: Rights) -> None:
    project = Project.objects.filter(id=task.payload["project"]).first()
    if project is not None:
        _remove(project, actor)


@jobs.handles(PURGE)
def _purge(payload: dict[str, Any]) -> None:
    project = Project.objects.filter(id=payload["project"]).first()
    if project is not None and project.deleted_at is not None:
        _remove(project, NOBODY)


def _remove(project: Project, actor: Rights) -> None:
    jobs.cancel(f"{PURGE}:{project.id}")
    _record_and_publish("project_deleted", "Project deleted", project, actor)
    issues = Issue.objects.filter(project=project)
    keys = list(issues.values_list("id", flat=True))
    forget_properties("issue", map(str, keys))
    forget_properties("project", [str(project.id)])
    issues.delete()
    if project.simplified:
        _remove_kinds(project)
    project.delete()


def _remove_kinds(project: Project) -> None:
    """Remove the types, statuses, workflows and schemes that only a team-managed space has."""
    schemes = project.workflow_scheme_id, project.issue_type_scheme_id, project.screen_scheme_id
    project.workflow_scheme = (
        WorkflowScheme.objects.filter(is_default=True).order_by("id")[:1].get()
    )
    project.issue_type_scheme = (
        IssueTypeScheme.objects.filter(is_default=True).order_by("id")[:1].get()
    )
    project.screen_scheme = (
        IssueTypeScreenScheme.objects.filter(is_default=True).order_by("id")[:1].get()
    )
    project.save()
    kinds: tuple[type[Model], ...] = (WorkflowScheme, IssueTypeScheme, IssueTypeScreenScheme)
    for model, key in zip(kinds, schemes, strict=True):
        rows = model._default_manager.filter(id=key, is_default=False)
        if not rows.filter(projects__isnull=False).exists():
            rows.delete()
    Workflow.objects.filter(project=project).delete()
    Status.objects.filter(project=project).delete()
    IssueType.objects.filter(project=project).delete()


def _record_and_publish(kind: str, summary: str, project: Project, actor: Rights) -> None:
    about = ("PROJECT", str(project.id), project.name)
    audit.record(summary, CATEGORY, actor=actor, object=about)
    publish(Event(kind, actor, project=project))
