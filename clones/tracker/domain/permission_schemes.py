"""Permission schemes: who holds which permission in the spaces that use them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from clones.core.resources import Resource, ResourceField
from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.holders import Held
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import PermissionGrant, PermissionScheme, Project
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.permission_catalogue import PROJECT

CATEGORY: Final = "permissions"
GONE: Final = "Permission scheme with id '{id}' was not found."
NAME: Final = ResourceField("name", limit=255, required=True)
Grant = tuple[str, Held]


def create_permission_scheme(
    name: str, description: str, grants: Sequence[Grant], *, actor: Rights
) -> PermissionScheme:
    """Make a permission scheme with its grants: permissions with their holders.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the name is missing, too long or taken, or a permission unknown.
    """
    admins_only(actor)
    made = PermissionScheme(id=next_id(PermissionScheme), description=description)
    made.name = _name(made, name)
    _check(grants)
    made.save(force_insert=True)
    _write(made, grants)
    _record("Permission scheme created", made, actor)
    return made


def update_permission_scheme(
    scheme: PermissionScheme,
    name: str,
    description: str | None,
    grants: Sequence[Grant] | None,
    *,
    actor: Rights,
) -> PermissionScheme:
    """Change a scheme: grants that are given take the place of all that it has.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: as for a new one.
    """
    admins_only(actor)
    before = scheme.name
    scheme.name = _name(scheme, name)
    if description is not None:
        scheme.description = description
    if grants is not None:
        _check(grants)
        scheme.grants.all().delete()
        _write(scheme, grants)
    scheme.save()
    _record("Permission scheme updated", scheme, actor, [("Name", before, scheme.name)])
    return scheme


def delete_permission_scheme(scheme: PermissionScheme, *, actor: Rights) -> None:
    """Remove a scheme that no space uses.

    Raises:
        Forbidden: the actor is no admin; or it is in use, or the default one.
    """
    admins_only(actor)
    if scheme.is_default or scheme.projects.exists():
        raise Forbidden("Cannot delete a permission scheme that is in use by a project.")
    _record("Permission scheme deleted", scheme, actor)
    scheme.delete()


def create_grant(scheme: PermissionScheme, grant: Grant, *, actor: Rights) -> PermissionGrant:
    """Add a grant to a scheme.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the permission is unknown, or the holder has it already.
    """
    admins_only(actor)
    _check([grant])
    permission, (kind, parameter) = grant
    held = scheme.grants.filter(permission=permission, holder_type=kind, parameter=parameter)
    if held.exists():
        raise Invalid("The permission grant already exists in the permission scheme.")
    made = _write(scheme, [grant])[0]
    _record("Permission scheme updated", scheme, actor, [("Permission", None, permission)])
    return made


def delete_grant(grant: PermissionGrant, *, actor: Rights) -> None:
    """Take a grant from its scheme.

    Raises:
        Forbidden: the actor is no admin.
    """
    admins_only(actor)
    changes = [("Permission", grant.permission, None)]
    _record("Permission scheme updated", grant.scheme, actor, changes)
    grant.delete()


def assign_permission_scheme(project: Project, scheme: PermissionScheme, *, actor: Rights) -> None:
    """Let a space use a scheme.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the space's own team manages it.
    """
    admins_only(actor)
    if project.simplified:
        raise Invalid("Permission schemes of team-managed projects cannot be changed.")
    project.permission_scheme = scheme
    project.save(update_fields=["permission_scheme"])
    audit.record(
        "Permission scheme added to project",
        CATEGORY,
        actor=actor,
        object=("SCHEME", str(scheme.id), scheme.name),
        associated=[("PROJECT", str(project.id), project.name)],
    )


def _check(grants: Sequence[Grant]) -> None:
    for permission, _ in grants:
        if permission not in PROJECT:
            raise Invalid(f"Invalid permission key '{permission}'.")


def _write(scheme: PermissionScheme, grants: Sequence[Grant]) -> Sequence[PermissionGrant]:
    wanted = list(dict.fromkeys(grants))
    keys = next_ids(PermissionGrant, len(wanted))
    return PermissionGrant.objects.bulk_create(
        [
            PermissionGrant(
                id=key,
                scheme=scheme,
                permission=permission,
                holder_type=kind,
                parameter=parameter,
            )
            for key, (permission, (kind, parameter)) in zip(keys, wanted, strict=True)
        ]
    )


def _name(scheme: PermissionScheme, name: str) -> str:
    wanted = name.strip()
    if not wanted:
        raise Invalid(fields={"name": "The name of the permission scheme must be specified."})
    if NAME.is_too_long(wanted):
        raise Invalid(fields={"name": f"The name must not exceed {NAME.limit} characters."})
    if PermissionScheme.objects.filter(name__iexact=wanted).exclude(id=scheme.id).exists():
        raise Invalid(fields={"name": "A permission scheme with this name already exists."})
    return wanted


def _record(
    summary: str,
    scheme: PermissionScheme,
    actor: Rights,
    changes: Sequence[tuple[str, str | None, str | None]] = (),
) -> None:
    about = ("SCHEME", str(scheme.id), scheme.name)
    audit.record(summary, CATEGORY, actor=actor, object=about, changes=changes)


PERMISSION_SCHEME: Final = Resource(
    PermissionScheme,
    "permission scheme",
    (NAME, ResourceField("description", "text")),
    order=("-is_default", "name", "id"),
    create=partial(create_permission_scheme, grants=()),
    update=partial(update_permission_scheme, grants=None),
    delete=delete_permission_scheme,
)
PERMISSION_GRANT: Final = Resource(
    PermissionGrant, "permission grant", create=create_grant, delete=delete_grant
)
