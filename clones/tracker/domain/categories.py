"""Categories of spaces."""

from __future__ import annotations

from typing import Final

from clones.core.resources import Resource, ResourceField
from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Conflict, Invalid
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import ProjectCategory
from clones.tracker.queries.rights import Rights

CATEGORY: Final = "projects"
NAME: Final = ResourceField("name", limit=255, required=True)
DESCRIPTION: Final = ResourceField("description", "text", limit=1000)


def create_category(name: str | None, description: str | None, *, actor: Rights) -> ProjectCategory:
    """Make a category of spaces.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the name is missing or too long, or the description too long.
        Conflict: the name is taken, in any case.
    """
    admins_only(actor)
    made = ProjectCategory(id=next_id(ProjectCategory))
    _set(made, name or "", description or "")
    made.save(force_insert=True)
    _record("Project category created", made, actor)
    return made


def update_category(
    category: ProjectCategory, name: str | None, description: str | None, *, actor: Rights
) -> ProjectCategory:
    """Change a category; what is not given stays.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the name is empty or too long, or the description too long.
        Conflict: the name is taken, in any case.
    """
    admins_only(actor)
    _set(
        category,
        category.name if name is None else name,
        category.description if description is None else description,
    )
    category.save()
    _record("Project category updated", category, actor)
    return category


def delete_category(category: ProjectCategory, *, actor: Rights) -> None:
    """Remove a category; its spaces stay without one.

    Raises:
        Forbidden: the actor is no admin.
    """
    admins_only(actor)
    _record("Project category deleted", category, actor)
    category.delete()


def _set(category: ProjectCategory, name: str, description: str) -> None:
    wanted = name.strip()
    if not wanted:
        raise Invalid(fields={"name": "Project category name is required."})
    for field, text in ((NAME, wanted), (DESCRIPTION, description)):
        if field.is_too_long(text):
            said = f"Project category {field.name} cannot exceed {field.limit} characters."
            raise Invalid(fields={field.name: said})
    if ProjectCategory.objects.filter(name__iexact=wanted).exclude(id=category.id).exists():
        raise Conflict(fields={"name": f"The project category name '{wanted}' already exists."})
    category.name, category.description = wanted, description


def _record(summary: str, category: ProjectCategory, actor: Rights) -> None:
    about = ("PROJECT_CATEGORY", str(category.id), category.name)
    audit.record(summary, CATEGORY, actor=actor, object=about)


PROJECT_CATEGORY: Final = Resource(
    ProjectCategory,
    "project category",
    (NAME, DESCRIPTION),
    plural="project categories",
    order=("name", "id"),
    create=create_category,
    update=update_category,
    delete=delete_category,
)
