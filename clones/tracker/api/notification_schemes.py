"""Notification schemes, and which space uses which."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from pydantic import Field

from clones.core.digits import is_digits, whole_number
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList, Digits
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import actor, flag, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.access import present_notification_schemes
from clones.tracker.api.query_params import ExpandQuery, PagedQuery
from clones.tracker.domain import notification_schemes
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.notification_schemes import GONE, Told
from clones.tracker.models import Notification, NotificationScheme, Project
from clones.tracker.queries.rights import Rights, find_project

Json = dict[str, Any]
PATH: Final = "/rest/api/3/notificationscheme"
ONE: Final = PATH + "/{id}"


class SchemesQuery(PagedQuery, ExpandQuery):
    """Which notification schemes."""

    ids: CommaList[Digits] = Field([], alias="id")
    projects: CommaList[Digits] = Field([], alias="projectId")
    default: str | None = Field(None, alias="onlyDefault")


class MappingsQuery(PagedQuery):
    """Which spaces, or the spaces of which schemes."""

    schemes: CommaList[Digits] = Field([], alias="notificationSchemeId")
    projects: CommaList[Digits] = Field([], alias="projectId")


class EventBody(AdminBody):
    """An event, by its number."""

    id: str


class RecipientsBody(AdminBody):
    """Who is told."""

    kind: str = Field(alias="notificationType")
    parameter: str | None = None


class ToldBody(AdminBody):
    """An event, and who is told of it."""

    event: EventBody
    notifications: list[RecipientsBody]


class SchemeBody(AdminBody):
    """A scheme to make."""

    name: str
    description: str | None = None
    events: list[ToldBody] | None = Field(None, alias="notificationSchemeEvents")


class ChangeBody(AdminBody):
    """What to change of a scheme."""

    name: str | None = None
    description: str | None = None


class AddBody(AdminBody):
    """Who is to be told, too."""

    events: list[ToldBody] = Field(alias="notificationSchemeEvents")


def _told(events: list[ToldBody]) -> list[Told]:
    return [
        (one.event.id, recipients.kind, recipients.parameter)
        for one in events
        for recipients in one.notifications
    ]


def _scheme(text: str) -> NotificationScheme:
    if whole_number(text) is None:
        raise Invalid(f"{text} is not a valid value. id must be zero or a positive integer.")
    found = NotificationScheme.objects.filter(id=int(text)).first()
    if found is None:
        raise NotFound(GONE.format(id=text))
    return found


def _seen(reader: Rights) -> QuerySet[NotificationScheme]:
    """Return the schemes that somebody sees: those of spaces that they run."""
    rows = NotificationScheme.objects.order_by("name", "id")
    if reader.is_admin:
        return rows
    run = Project.objects.filter(id__in=reader.projects_with("ADMINISTER_PROJECTS"))
    return rows.filter(
        id__in=run.filter(notification_scheme__isnull=False).values("notification_scheme")
    )


@operation(
    "getNotificationSchemes", "GET", PATH, summary="List notification schemes.", query=SchemesQuery
)
def list_schemes(call: Call) -> Json:
    """List the notification schemes of spaces that the caller runs."""
    rows = _seen(actor(call))
    wanted, projects = call.query.ids, call.query.projects
    if wanted:
        rows = rows.filter(id__in=wanted)
    if projects:
        rows = rows.filter(projects__in=projects).distinct()
    if flag(call.query.default):
        rows = rows.filter(is_default=True)
    expand = frozenset(call.query.expand)
    return page_bean(
        call, rows, lambda found: present_notification_schemes(found, show(call), expand)
    )


@operation(
    "createNotificationScheme",
    "POST",
    PATH,
    summary="Make a notification scheme.",
    body=SchemeBody,
    access="admin",
    status=201,
)
def create_scheme(call: Call) -> Json:
    """Make a notification scheme."""
    given = call.body
    made = notification_schemes.create_notification_scheme(
        given.name, given.description, _told(given.events or []), actor=actor(call)
    )
    return {"id": str(made.id)}


@operation(
    "getNotificationSchemeToProjectMappings",
    "GET",
    PATH + "/project",
    summary="List which company-managed space uses which notification scheme.",
    query=MappingsQuery,
)
def list_mappings(call: Call) -> Json:
    """List which space uses which scheme."""
    rows = Project.objects.filter(
        style="classic",
        deleted_at=None,
        notification_scheme__in=_seen(actor(call)).order_by().values("id"),
    )
    schemes = call.query.schemes
    projects = call.query.projects
    if schemes:
        rows = rows.filter(notification_scheme__in=schemes)
    if projects:
        rows = rows.filter(id__in=projects)
    return page_bean(
        call,
        rows.order_by("id"),
        lambda found: [
            {
                "notificationSchemeId": str(project.notification_scheme_id),
                "projectId": str(project.id),
            }
            for project in found
        ],
    )


@operation(
    "getNotificationScheme", "GET", ONE, summary="Show a notification scheme.", query=ExpandQuery
)
def show_scheme(call: Call) -> Json:
    """Show a notification scheme of a space that the caller runs."""
    scheme = _scheme(call.path["id"])
    if not _seen(actor(call)).filter(id=scheme.id).exists():
        raise NotFound(GONE.format(id=scheme.id))
    return present_notification_schemes([scheme], show(call), frozenset(call.query.expand))[0]


@operation(
    "updateNotificationScheme",
    "PUT",
    ONE,
    summary="Change a notification scheme's name or description.",
    body=ChangeBody,
    access="admin",
    status=204,
)
def update_scheme(call: Call) -> None:
    """Change a notification scheme."""
    notification_schemes.update_notification_scheme(
        _scheme(call.path["id"]), call.body.name, call.body.description, actor=actor(call)
    )


@operation(
    "addNotifications",
    "PUT",
    ONE + "/notification",
    summary="Add recipients to a notification scheme.",
    body=AddBody,
    access="admin",
    status=204,
)
def add_notifications(call: Call) -> None:
    """Add recipients to a scheme."""
    notification_schemes.add_notifications(
        _scheme(call.path["id"]), _told(call.body.events), actor=actor(call)
    )


@operation(
    "deleteNotificationScheme",
    "DELETE",
    PATH + "/{notificationSchemeId}",
    summary="Remove a notification scheme that no space uses.",
    access="admin",
    status=204,
)
def delete_scheme(call: Call) -> None:
    """Remove a notification scheme."""
    scheme = _scheme(call.path["notificationSchemeId"])
    notification_schemes.delete_notification_scheme(scheme, actor=actor(call))


@operation(
    "removeNotificationFromNotificationScheme",
    "DELETE",
    PATH + "/{notificationSchemeId}/notification/{notificationId}",
    summary="Take recipients from a notification scheme.",
    access="admin",
    status=204,
)
def remove_notification(call: Call) -> None:
    """Take recipients from a scheme."""
    scheme = _scheme(call.path["notificationSchemeId"])
    text = call.path["notificationId"]
    rows = Notification.objects.filter(scheme=scheme).select_related("scheme")
    found = rows.filter(id=int(text)).first() if is_digits(text) else None
    if found is None:
        raise NotFound(f"Notification with ID {text} not found.")
    notification_schemes.remove_notification(found, actor=actor(call))


@operation(
    "getNotificationSchemeForProject",
    "GET",
    "/rest/api/3/project/{projectKeyOrId}/notificationscheme",
    summary="Show the notification scheme of a space.",
    query=ExpandQuery,
)
def show_of_project(call: Call) -> Json:
    """Show a space's notification scheme to those who run it."""
    reader = actor(call)
    project = find_project(reader, call.path["projectKeyOrId"])
    scheme = project.notification_scheme
    if scheme is None or not (reader.is_admin or reader.may("ADMINISTER_PROJECTS", project)):
        raise NotFound("The project has no notification scheme that you may see.")
    return present_notification_schemes([scheme], show(call), frozenset(call.query.expand))[0]
