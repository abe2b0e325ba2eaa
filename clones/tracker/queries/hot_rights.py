"""What nearly every request reads first, compiled once: who somebody is on the site, and an issue.

`queries.rights` says what these rows mean.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db.models import Q

from clones.core.prepared import Prepared
from clones.tracker.models import (
    GroupMember,
    Issue,
    PermissionGrant,
    Project,
    RoleActor,
    SecurityMember,
    Setting,
)

# Settings that say who may what: read at once.
_SETTINGS: Final = ("global_permissions", "application_roles", "email_visibility")
_WITH: Final = ("project", "issue_type", "status")

# Group, its uuid, its name; by the user.
GROUPS: Final[Prepared[tuple[int, str, str]]] = Prepared(
    lambda user: (
        GroupMember.objects.filter(user=user)
        .order_by("id")
        .values_list("group_id", "group__uuid", "group__name")
    ),
    int,
)
SETTINGS: Final[Prepared[tuple[str, Any]]] = Prepared(
    lambda: Setting.objects.filter(key__in=_SETTINGS).order_by("id").values_list("key", "value")
)
# Space and role; by the user and the list of their groups.
ROLES: Final[Prepared[tuple[int, int]]] = Prepared(
    lambda user, groups: (
        RoleActor.objects.filter(Q(user=user) | Q(group__in_csv=groups), project__isnull=False)
        .order_by("id")
        .values_list("project_id", "role_id")
    ),
    int,
    str,
)
# Every space that is not in the trash: id, permission scheme, lead, when it was archived.
SPACES: Final[Prepared[tuple[int, int, int, datetime | None]]] = Prepared(
    lambda: (
        Project.objects.filter(deleted_at__isnull=True)
        .order_by("id")
        .values_list("id", "permission_scheme_id", "lead_id", "archived_at")
    )
)
# Scheme, kind of holder, parameter; by the permission.
GRANTS: Final[Prepared[tuple[int, str, str | None]]] = Prepared(
    lambda permission: (
        PermissionGrant.objects.filter(permission=permission)
        .order_by("id")
        .values_list("scheme_id", "holder_type", "parameter")
    ),
    str,
)
# Security level, kind of holder, parameter.
MEMBERS: Final[Prepared[tuple[int, str, str | None]]] = Prepared(
    lambda: SecurityMember.objects.order_by("id").values_list(
        "level_id", "holder_type", "parameter"
    )
)
ISSUE_BY_ID: Final[Prepared[Issue]] = Prepared(
    lambda id: Issue.objects.filter(id=id).select_related(*_WITH), int
)
ISSUE_BY_KEY: Final[Prepared[Issue]] = Prepared(
    lambda key: Issue.objects.filter(key=key).select_related(*_WITH), str
)
ISSUE_BY_FORMER_KEY: Final[Prepared[Issue]] = Prepared(
    lambda key: Issue.objects.filter(former_keys__key=key).select_related(*_WITH), str
)
