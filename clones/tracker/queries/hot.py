"""The reads that many requests make: compiled once per process, each by its name.

When to prepare a read, and when a queryset will do: docs/data-access.md.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clones.core.prepared import Prepared
from clones.tracker.models import (
    ChangeGroup,
    ChangeItem,
    EpicLook,
    FieldValue,
    Issue,
    IssueLabel,
    IssueLink,
    IssueSprint,
    IssueText,
    IssueType,
    IssueVersion,
    Preference,
    Priority,
    Project,
    ServiceDesk,
    Setting,
    Status,
    User,
    Watcher,
    Webhook,
)

ACTIVE_USER: Prepared[User] = Prepared(lambda key: User.objects.filter(id=key, active=True), int)
ITEMS_OF_GROUPS: Prepared[ChangeItem] = Prepared(
    lambda keys: ChangeItem.objects.filter(group__in_csv=keys).order_by("group_id", "position"), str
)
CHANGE_GROUPS_OF_ISSUES: Prepared[ChangeGroup] = Prepared(
    lambda keys: (
        ChangeGroup.objects.filter(issue__in_csv=keys)
        .select_related("author")
        .order_by("issue_id", "-created", "-id")
    ),
    str,
)
USER: Prepared[User] = Prepared(lambda key: User.objects.filter(id=key), int)
ADDRESSES_OF_DESKS: Prepared[tuple[int, str | None, str]] = Prepared(
    lambda: (
        ServiceDesk.objects.filter(project__deleted_at=None, project__archived_at=None)
        .order_by("id")
        .values_list("id", "email", "project__key")
    )
)
SENDERS_OF_SPACES: Prepared[str] = Prepared(
    lambda: (
        Project.objects.filter(sender_email__isnull=False)
        .order_by("id")
        .values_list("sender_email", flat=True)
    )
)
VALUE_OF_SETTING: Prepared[Any] = Prepared(
    lambda key: Setting.objects.filter(key=key).order_by("id").values_list("value", flat=True), str
)
ENABLED_WEBHOOKS: Prepared[Webhook] = Prepared(
    lambda now: (
        Webhook.objects.filter(enabled=True)
        .exclude(expires__lte=now)
        .select_related("owner")
        .order_by("id")
    ),
    datetime,
)
WEBHOOK: Prepared[Webhook] = Prepared(lambda key: Webhook.objects.filter(id=key), int)
ISSUE_TYPES_AMONG: Prepared[IssueType] = Prepared(
    lambda keys: IssueType.objects.filter(id__in_csv=keys).order_by("id"), str
)
PRIORITIES_AMONG: Prepared[Priority] = Prepared(
    lambda keys: Priority.objects.filter(id__in_csv=keys).order_by("position", "id"), str
)
STATUSES_AMONG: Prepared[Status] = Prepared(
    lambda keys: Status.objects.filter(id__in_csv=keys).order_by("id"), str
)
USERS_AMONG: Prepared[User] = Prepared(
    lambda keys: User.objects.filter(id__in_csv=keys).order_by("display_name", "id"), str
)
NUMBERS_OF_ISSUES: Prepared[tuple[int, float | None]] = Prepared(
    lambda keys, field: (
        FieldValue.objects.filter(issue__in_csv=keys, field=field)
        .order_by("issue_id", "position")
        .values_list("issue_id", "number")
    ),
    str,
    int,
)
ISSUES_WITH_VALUE: Prepared[int] = Prepared(
    lambda keys, field: (
        FieldValue.objects.filter(issue__in_csv=keys, field=field)
        .order_by("issue_id")
        .values_list("issue_id", flat=True)
    ),
    str,
    int,
)
EPIC_LOOKS_AMONG: Prepared[EpicLook] = Prepared(
    lambda keys: EpicLook.objects.filter(id__in_csv=keys).order_by("id"), str
)
OPEN_SPRINTS_OF_ISSUES: Prepared[tuple[int, int]] = Prepared(
    lambda keys: (
        IssueSprint.objects.filter(issue__in_csv=keys)
        .exclude(sprint__state="closed")
        .order_by("id")
        .values_list("issue_id", "sprint_id")
    ),
    str,
)
LABELS_OF_ISSUES: Prepared[tuple[int, str]] = Prepared(
    lambda keys: (
        IssueLabel.objects.filter(issue__in_csv=keys)
        .order_by("issue_id", "label")
        .values_list("issue_id", "label")
    ),
    str,
)
FIX_VERSIONS_OF_ISSUES: Prepared[tuple[int, int, str]] = Prepared(
    lambda keys: (
        IssueVersion.objects.filter(issue__in_csv=keys, kind="fix")
        .order_by("issue_id", "id")
        .values_list("issue_id", "version_id", "version__name")
    ),
    str,
)
TEXT_OF_ISSUE: Prepared[IssueText] = Prepared(
    lambda issue, field, source: IssueText.objects.filter(issue=issue, field=field, source=source),
    int,
    str,
    int,
)
PREFERENCE: Prepared[Any] = Prepared(
    lambda user, key: (
        Preference.objects.filter(user=user, key=key).order_by("id").values_list("value", flat=True)
    ),
    int,
    str,
)
WATCHER: Prepared[int] = Prepared(
    lambda issue, user: (
        Watcher.objects.filter(issue=issue, user=user).order_by("id").values_list("id", flat=True)
    ),
    int,
    int,
)
LINK_BETWEEN: Prepared[int] = Prepared(
    lambda source, destination, kind: (
        IssueLink.objects.filter(source=source, destination=destination, type=kind)
        .order_by("id")
        .values_list("id", flat=True)
    ),
    int,
    int,
    int,
)
# An issue with what a row of a list names.
ISSUE_OF_ROW: Prepared[Issue] = Prepared(
    lambda key: Issue.objects.filter(id=key).select_related(
        "project", "issue_type", "status", "priority", "resolution", "assignee"
    ),
    int,
)
