"""Notification schemes, and which space uses which."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from pydantic import Field

from clones.core import resources
from clones.core.digits import is_digits, whole_number
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList, Digits
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import actor, flag, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.access import present_notification_schemes
from clones.tracker.api.query_params import ExpandQuery, PagedQuery
from clones.tracker.api.resources import id_only, register_resource
from clones.tracker.domain import notification_schemes
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.notification_schemes import GONE, Told
from clones.tracker.models import Notification, NotificationScheme, Project
from clones.tracker.queries.rights import Rights, find_project

Json = dict[str, Any]
PATH: Final = "/rest/api/3/notificationscheme"


class SchemesQuery(PagedQuery, ExpandQuery):
    """Filters, paging and expansions of the list of notification schemes."""

    ids: CommaList[Digits] = Field([], alias="id")
    projects: CommaList[Digits] = Field([], alias="projectId")
    default: str | None = Field(None, alias="onlyDefault")


class MappingsQuery(PagedQuery):
    """Filters and paging of which spaces use which notification schemes."""

    schemes: CommaList[Digits] = Field([], alias="notificationSchemeId")
    projects: CommaList[Digits] = Field([], alias="projectId")


class EventBody(AdminBody):
    """An event of a notification scheme, by its number."""

    id: str


class RecipientsBody(AdminBody):
    """A recipient of a notification scheme: its type and parameter."""

    kind: str = Field(alias="notificationType")
    parameter: str | None = None


class ToldBody(AdminBody):
    """An event of a notification scheme, and its recipients."""

    event: EventBody
    notifications: list[RecipientsBody]


class SchemeBody(AdminBody):
    """A notification scheme to create: its name, text and events with recipients."""

    name: str
    description: str | None = None
    events: list[ToldBody] | None = Field(None, alias="notificationSchemeEvents")


class ChangeBody(AdminBody):
    """A notification scheme's new name or description."""

    name: str | None = None
    description: str | None = None


class AddBody(AdminBody):
    """Events with recipients to add to a notification scheme."""

    events: list[ToldBody] = Field(alias="notificationSchemeEvents")


def _notifications_of(events: list[ToldBody]) -> list[Told]:
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


def _list(call: Call) -> Json:
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


def _show(call: Call) -> Json:
    """Show a notification scheme of a space that the caller runs."""
    scheme = SCHEMES.record(call)
    if not _seen(actor(call)).filter(id=scheme.id).exists():
        raise NotFound(GONE.format(id=scheme.id))
    return present_notification_schemes([scheme], show(call), frozenset(call.query.expand))[0]


def _values(given: SchemeBody) -> Json:
    told = _notifications_of(given.events or [])
    return {"name": given.name, "description": given.description, "told": told}


SCHEMES: Final = resources.ResourceApi(
    resource=notification_schemes.NOTIFICATION_SCHEME,
    path=PATH,
    one="/{id}",
    find=_scheme,
    present=id_only,
)
register_resource(
    SCHEMES,
    resources.lists(
        "getNotificationSchemes", "List notification schemes.", query=SchemesQuery, view=_list
    ),
    resources.creates(
        "createNotificationScheme", "Make a notification scheme.", body=SchemeBody, values=_values
    ),
    resources.shows(
        "getNotificationScheme", "Show a notification scheme.", query=ExpandQuery, view=_show
    ),
    resources.updates(
        "updateNotificationScheme",
        "Change a notification scheme's name or description.",
        body=ChangeBody,
        status=204,
    ),
    resources.deletes(
        "deleteNotificationScheme",
        "Remove a notification scheme that no space uses.",
        path="/{notificationSchemeId}",
    ),
    module=__name__,
)


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
    "addNotifications",
    "PUT",
    PATH + "/{id}/notification",
    summary="Add recipients to a notification scheme.",
    body=AddBody,
    access="admin",
    status=204,
)
def add_notifications(call: Call) -> None:
    """Add recipients to a scheme."""
    notification_schemes.add_notifications(
        SCHEMES.record(call), _notifications_of(call.body.events), actor=actor(call)
    )


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
    scheme = SCHEMES.of_key(call.path["notificationSchemeId"])
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
