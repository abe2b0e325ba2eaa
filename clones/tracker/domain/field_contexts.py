"""Contexts of custom fields: in which spaces and for which types a field is there.

A context without spaces is for all of them, and a field can have one such; one without types is for
all types. A space is in at most one context of a field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Conflict, Invalid, NotFound
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.scheme_parts import checked_name, checked_text, key_of, note_act
from clones.tracker.models import (
    CustomField,
    FieldContext,
    FieldContextProject,
    FieldContextType,
    IssueType,
    Project,
)
from clones.tracker.queries.rights import Rights

CATEGORY: Final = "fields"
GONE: Final = "The context was not found."
TAKEN: Final = "The name is used by another context."
TWO_GLOBAL: Final = "A custom field can have only one global context."


def create_context(
    field: CustomField,
    name: str | None,
    description: str | None,
    project_ids: Sequence[str],
    type_ids: Sequence[str],
    *,
    actor: Rights,
) -> FieldContext:
    """Make a context for spaces and types; none of a kind means all.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule, a space has a context of the field already, or it has a
            context for all spaces.
        NotFound: a space or a type does not exist.
        Conflict: the name is taken.
    """
    admins_only(actor)
    others = FieldContext.objects.filter(field=field)
    wanted = checked_name(name, others, taken=Conflict(TAKEN))
    about = checked_text(description)
    projects = _projects(project_ids) if project_ids else []
    types = _types(type_ids) if type_ids else []
    if not projects and others.filter(all_projects=True).exists():
        raise Conflict(TWO_GLOBAL)
    _check_free(field, projects)
    context = FieldContext.objects.create(
        id=next_id(FieldContext),
        field=field,
        name=wanted,
        description=about,
        all_projects=not projects,
        all_issue_types=not types,
    )
    _give_projects(context, projects)
    _give_types(context, types)
    note_act("Custom field context created", CATEGORY, field, actor=actor, kind="CUSTOM_FIELD")
    return context


def update_context(
    context: FieldContext, name: str | None, description: str | None, *, actor: Rights
) -> None:
    """Change the name or description of a context; what is None stays.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value is too long.
        Conflict: the name is taken.
    """
    admins_only(actor)
    if name is not None:
        others = FieldContext.objects.filter(field=context.field_id).exclude(id=context.id)
        context.name = checked_name(name, others, taken=Conflict(TAKEN))
    if description is not None:
        context.description = checked_text(description)
    context.save()
    note_act("Custom field context updated", CATEGORY, context, actor=actor, kind="CUSTOM_FIELD")


def delete_context(context: FieldContext, *, actor: Rights) -> None:
    """Remove a context with its options; issues lose the values that were such options.

    Raises:
        Forbidden: the actor is no admin.
    """
    admins_only(actor)
    note_act("Custom field context deleted", CATEGORY, context, actor=actor, kind="CUSTOM_FIELD")
    context.delete()


def add_types(context: FieldContext, type_ids: Sequence[str], *, actor: Rights) -> None:
    """Let a context be for types, too; one that was for all is for these alone from then on.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: a type does not exist.
        Invalid: the context is for one of them already.
    """
    admins_only(actor)
    types = _types(type_ids)
    have = set(context.issue_types.values_list("issue_type_id", flat=True))
    twice = [str(kind.id) for kind in types if kind.id in have]
    if twice:
        raise Invalid(
            f"These issue types are already associated with the context: {', '.join(twice)}."
        )
    _give_types(context, types)
    context.all_issue_types = False
    context.save(update_fields=["all_issue_types"])


def remove_types(context: FieldContext, type_ids: Sequence[str], *, actor: Rights) -> None:
    """Take types out of a context; without any it is for all.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: a type does not exist.
        Invalid: the context is not for one of them.
    """
    admins_only(actor)
    types = _types(type_ids)
    have = set(context.issue_types.values_list("issue_type_id", flat=True))
    missing = [str(kind.id) for kind in types if kind.id not in have]
    if missing:
        raise Invalid(
            f"These issue types are not associated with the context: {', '.join(missing)}."
        )
    context.issue_types.filter(issue_type__in=types).delete()
    context.all_issue_types = not context.issue_types.exists()
    context.save(update_fields=["all_issue_types"])


def add_projects(context: FieldContext, project_ids: Sequence[str], *, actor: Rights) -> None:
    """Let a context be for spaces, too; one that was for all is for these alone from then on.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: a space does not exist.
        Invalid: a space has a context of the field already.
    """
    admins_only(actor)
    projects = _projects(project_ids)
    _check_free(context.field, projects)
    _give_projects(context, projects)
    context.all_projects = False
    context.save(update_fields=["all_projects"])


def remove_projects(context: FieldContext, project_ids: Sequence[str], *, actor: Rights) -> None:
    """Take spaces out of a context; without any it is for all.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: a space does not exist.
        Invalid: the context is not for one of them, or the field would have two for all.
    """
    admins_only(actor)
    projects = _projects(project_ids)
    have = set(context.projects.values_list("project_id", flat=True))
    missing = [str(project.id) for project in projects if project.id not in have]
    if missing:
        raise Invalid(f"These projects are not associated with the context: {', '.join(missing)}.")
    is_global = len(have) == len(projects)
    others = FieldContext.objects.filter(field=context.field_id, all_projects=True)
    if is_global and others.exclude(id=context.id).exists():
        raise Invalid(TWO_GLOBAL)
    context.projects.filter(project__in=projects).delete()
    context.all_projects = is_global
    context.save(update_fields=["all_projects"])


def find_context(field: CustomField, id: str | int) -> FieldContext:
    """Return a context of a field.

    Raises:
        NotFound: it has none with this id.
    """
    rows = FieldContext.objects.select_related("field")
    found = rows.filter(field=field, id=key_of(id)).first()
    if found is None:
        raise NotFound(GONE)
    return found


def _unique(ids: Sequence[str], name: str) -> list[int]:
    if not ids:
        raise Invalid(f"The {name} have to be provided.")
    if len(set(ids)) < len(ids):
        raise Invalid(f"The {name} must not contain duplicates.")
    return [key_of(id) for id in ids]


def _types(ids: Sequence[str]) -> list[IssueType]:
    keys = _unique(ids, "issueTypeIds")
    found = IssueType.objects.in_bulk(keys)
    gone = [text for text, key in zip(ids, keys, strict=True) if key not in found]
    if gone:
        raise NotFound(f"These issue types were not found: {', '.join(gone)}.")
    return [found[key] for key in keys]


def _projects(ids: Sequence[str]) -> list[Project]:
    keys = _unique(ids, "projectIds")
    found = Project.objects.filter(deleted_at=None).in_bulk(keys)
    gone = [text for text, key in zip(ids, keys, strict=True) if key not in found]
    if gone:
        raise NotFound(f"These projects were not found: {', '.join(gone)}.")
    return [found[key] for key in keys]


def _check_free(field: CustomField, projects: Sequence[Project]) -> None:
    taken = FieldContextProject.objects.filter(context__field=field, project__in=projects)
    ids = sorted(set(taken.values_list("project_id", flat=True)))
    if ids:
        listed = ", ".join(str(id) for id in ids)
        raise Invalid(f"These projects are already associated with a context: {listed}.")


def _give_projects(context: FieldContext, projects: Sequence[Project]) -> None:
    keys = next_ids(FieldContextProject, len(projects))
    FieldContextProject.objects.bulk_create(
        [
            FieldContextProject(id=key, context=context, project=project)
            for key, project in zip(keys, projects, strict=True)
        ]
    )


def _give_types(context: FieldContext, types: Sequence[IssueType]) -> None:
    keys = next_ids(FieldContextType, len(types))
    FieldContextType.objects.bulk_create(
        [
            FieldContextType(id=key, context=context, issue_type=kind)
            for key, kind in zip(keys, types, strict=True)
        ]
    )
