"""What the server says of itself, its licences and products."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any, Final

from clones.core import clock
from clones.core.operations import Call
from clones.tracker.api.operations import operation, show
from clones.tracker.api.presenters.people import (
    ROLES,
    application_roles,
    present_application_role,
)
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.people import site_locale
from clones.tracker.domain.settings import setting
from clones.tracker.domain.site_settings import property_value
from clones.tracker.models import Group, GroupMember

Json = dict[str, Any]
VERSION: Final = "1001.0.0-SNAPSHOT"
BUILD: Final = 100_284
BUILT: Final = datetime(2025, 12, 1, 9, 30, tzinfo=UTC)


@operation(
    "getServerInfo",
    "GET",
    "/rest/api/3/serverInfo",
    summary="Tell which server this is.",
    access="anyone",
)
def server_info(call: Call) -> Json:
    """Tell which server this is; clients ask whether its deployment is Cloud."""
    reading = show(call)
    return {
        "baseUrl": reading.root,
        "displayUrl": reading.root,
        "displayUrlServicedeskHelpCenter": reading.root,
        "version": VERSION,
        "versionNumbers": [1001, 0, 0],
        "deploymentType": "Cloud",
        "buildNumber": BUILD,
        "buildDate": reading.when(BUILT),
        "serverTime": reading.when(clock.now()),
        "scmInfo": hashlib.sha1(VERSION.encode(), usedforsecurity=False).hexdigest(),
        "defaultLocale": {"locale": site_locale()},
        "serverTitle": property_value("jira.title"),
        "serverTimeZone": setting("jira.default.timezone", "America/New_York"),
    }


@operation("getLicense", "GET", "/rest/api/3/instance/license", summary="List the site's products.")
def show_license(call: Call) -> Json:
    """List the site's products with their plans."""
    return {"applications": [{"id": key, "plan": "PAID"} for key in application_roles()]}


@operation(
    "getApproximateLicenseCount",
    "GET",
    "/rest/api/3/license/approximateLicenseCount",
    summary="Count the people who use the site.",
    access="admin",
)
def count_licensed(call: Call) -> Json:
    """Count the active people who have any product."""
    groups = {uuid for role in application_roles().values() for uuid in role["groups"]}
    return {"key": "license.totalApproximateUserCount", "value": str(_people(groups))}


def _people(groups: set[str]) -> int:
    rows = GroupMember.objects.filter(group__uuid__in=groups, user__active=True)
    return rows.values("user").distinct().count()


@operation(
    "getApproximateApplicationLicenseCount",
    "GET",
    "/rest/api/3/license/approximateLicenseCount/product/{applicationKey}",
    summary="Count the people who use a product.",
    access="admin",
)
def count_of_product(call: Call) -> Json:
    """Count the active people who have a product."""
    key = call.path["applicationKey"]
    role = application_roles().get(key)
    count = 0 if role is None else _people(set(role["groups"]))
    return {"key": f"license.{key}.approximateUserCount", "value": str(count)}


@operation(
    "getAllApplicationRoles",
    "GET",
    "/rest/api/3/applicationrole",
    summary="List the products and who has them.",
    access="admin",
)
def list_application_roles(call: Call) -> list[Json]:
    """List the products."""
    return _roles(call, list(application_roles()))


@operation(
    "getApplicationRole",
    "GET",
    "/rest/api/3/applicationrole/{key}",
    summary="Show a product and who has it.",
    access="admin",
)
def show_application_role(call: Call) -> Json:
    """Show a product."""
    key = call.path["key"]
    if key not in ROLES or key not in application_roles():
        raise NotFound(f"The application role with key '{key}' was not found.")
    return _roles(call, [key])[0]


def _roles(call: Call, keys: list[str]) -> list[Json]:
    roles = application_roles()
    uuids = {uuid for key in keys for uuid in roles[key]["groups"]}
    groups = {group.uuid: group for group in Group.objects.filter(uuid__in=uuids)}
    members: dict[str, set[int]] = {uuid: set() for uuid in uuids}
    places = GroupMember.objects.filter(group__uuid__in=uuids, user__active=True)
    for uuid, user in places.values_list("group__uuid", "user_id"):
        members[uuid].add(user)
    return [
        present_application_role(
            key,
            groups,
            len(set().union(*(members[uuid] for uuid in roles[key]["groups"]))),
            show(call),
        )
        for key in keys
    ]
