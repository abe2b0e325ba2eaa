"""Settings of the site: properties, what is turned on, time tracking, the banner."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.tracker.api.operations import Body, Query, actor, operation
from clones.tracker.domain import site_settings
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.domain.settings import setting
from clones.tracker.domain.site_options import unassigned_allowed
from clones.tracker.domain.site_settings import PROPERTIES, PROVIDER, ApplicationProperty
from clones.tracker.queries.work_time import is_tracked

Json = dict[str, Any]
PATH: Final = "/rest/api/3/application-properties"
TRACKING: Final = "/rest/api/3/configuration/timetracking"
BANNER: Final = "/rest/api/3/announcementBanner"


class PropertiesQuery(Query):
    """The application properties to show: one, or those whose keys match a pattern."""

    key: str | None = None
    pattern: str | None = Field(None, alias="keyFilter")
    level: str | None = Field(None, alias="permissionLevel")


class PropertyBody(Body):
    """The new value of an application property."""

    id: str | None = None
    value: str | None = None


class ProviderBody(Body):
    """The time tracking provider to select."""

    key: str


class TrackingBody(Body):
    """The settings of time tracking: hours and days of work, format, unit."""

    hours: float = Field(alias="workingHoursPerDay")
    days: float = Field(alias="workingDaysPerWeek")
    format: str = Field(alias="timeFormat")
    unit: str = Field(alias="defaultUnit")


class BannerBody(Body):
    """The announcement banner's message, visibility and state to change."""

    message: str | None = None
    is_enabled: bool | None = Field(None, alias="isEnabled")
    is_dismissible: bool | None = Field(None, alias="isDismissible")
    visibility: str | None = None


def _body(found: ApplicationProperty, value: str) -> Json:
    body: Json = {
        "id": found.key,
        "key": found.key,
        "value": value,
        "name": found.name,
        "type": found.kind,
        "defaultValue": found.default,
    }
    if found.allowed:
        body["allowedValues"] = list(found.allowed)
    return body


def _present(found: list[ApplicationProperty]) -> list[Json]:
    return [_body(one, site_settings.property_value(one.key)) for one in found]


@operation(
    "getApplicationProperty",
    "GET",
    PATH,
    summary="List application properties, or show one.",
    query=PropertiesQuery,
    access="admin",
)
def list_properties(call: Call) -> Any:
    """List properties, or show the one of a key as an object.

    The filter is a pattern in which only `.*` means anything.
    """
    asked = call.query
    if asked.key:
        found = PROPERTIES.get(asked.key)
        if found is None:
            raise NotFound(f"No property exists with key '{asked.key}'")
        return _present([found])[0]
    wanted = list(PROPERTIES.values())
    if asked.pattern:
        wanted = [one for one in wanted if _is_like(one.key, asked.pattern)]
    return _present(wanted)


def _is_like(key: str, pattern: str) -> bool:
    """Tell whether a key is like a pattern in which `.*` stands for anything."""
    first, *rest = pattern.split(".*")
    if not rest:
        return key == pattern
    if not key.startswith(first):
        return False
    place, last = len(first), rest.pop()
    for part in rest:
        found = key.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return key.endswith(last) and len(key) - len(last) >= place


@operation(
    "getAdvancedSettings",
    "GET",
    PATH + "/advanced-settings",
    summary="List the properties of the page of advanced settings.",
    access="admin",
)
def list_advanced(call: Call) -> list[Json]:
    """List the advanced settings."""
    return _present([one for one in PROPERTIES.values() if one.advanced])


@operation(
    "setApplicationProperty",
    "PUT",
    PATH + "/{id}",
    summary="Set an application property.",
    body=PropertyBody,
    access="admin",
)
def set_property(call: Call) -> Json:
    """Set an application property."""
    key = call.path["id"]
    value = site_settings.set_property_value(key, call.body.value, actor=actor(call))
    return _body(PROPERTIES[key], value)


@operation(
    "getConfiguration", "GET", "/rest/api/3/configuration", summary="Tell what is turned on."
)
def show_configuration(call: Call) -> Json:
    """Tell what is turned on, and how time is tracked."""
    found: Json = {
        "votingEnabled": bool(setting("voting_enabled", True)),
        "watchingEnabled": bool(setting("watching_enabled", True)),
        "unassignedIssuesAllowed": unassigned_allowed(),
        "subTasksEnabled": True,
        "issueLinkingEnabled": bool(setting("issue_linking_enabled", True)),
        "timeTrackingEnabled": is_tracked(),
        "attachmentsEnabled": bool(setting("attachments_enabled", True)),
    }
    if found["timeTrackingEnabled"]:
        found["timeTrackingConfiguration"] = site_settings.time_tracking()
    return found


# Time tracking


def _provider() -> Json:
    return {"key": PROVIDER[0], "name": PROVIDER[1]}


@operation(
    "getSelectedTimeTrackingImplementation",
    "GET",
    TRACKING,
    summary="Show what tracks time; nothing if time is not tracked.",
    access="admin",
)
def show_provider(call: Call) -> Reply:
    """Show what tracks time."""
    return Reply(_provider()) if is_tracked() else Reply(None, 204)


@operation(
    "selectTimeTrackingImplementation",
    "PUT",
    TRACKING,
    summary="Select what tracks time.",
    body=ProviderBody,
    access="admin",
    status=204,
)
def select_provider(call: Call) -> None:
    """Select what tracks time."""
    site_settings.select_provider(call.body.key, actor=actor(call))


@operation(
    "getAvailableTimeTrackingImplementations",
    "GET",
    TRACKING + "/list",
    summary="List what can track time.",
    access="admin",
)
def list_providers(call: Call) -> list[Json]:
    """List what can track time."""
    return [_provider()]


@operation(
    "getSharedTimeTrackingConfiguration",
    "GET",
    TRACKING + "/options",
    summary="Show how time is tracked.",
    access="admin",
)
def show_tracking(call: Call) -> Json:
    """Show how time is tracked."""
    return site_settings.time_tracking()


@operation(
    "setSharedTimeTrackingConfiguration",
    "PUT",
    TRACKING + "/options",
    summary="Set how time is tracked.",
    body=TrackingBody,
    access="admin",
)
def set_tracking(call: Call) -> Json:
    """Set how time is tracked."""
    values = call.body.model_dump(by_alias=True)
    return site_settings.set_time_tracking(values, actor=actor(call))


# The banner


@operation("getBanner", "GET", BANNER, summary="Show the announcement that pages bear.")
def show_banner(call: Call) -> Json:
    """Show the announcement to admins."""
    if not actor(call).is_admin:
        raise Forbidden("Only admins can read banner configuration.")
    return site_settings.banner()


@operation(
    "setBanner",
    "PUT",
    BANNER,
    summary="Change the announcement that pages bear.",
    body=BannerBody,
    status=204,
)
def set_banner(call: Call) -> None:
    """Change the announcement."""
    given = call.body.model_dump(by_alias=True, exclude_unset=True)
    site_settings.set_banner(given, actor=actor(call))
