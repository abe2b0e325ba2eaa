"""What operations on spaces, people and access refuse that no other test sees refused."""

from __future__ import annotations

from typing import Any

from clones.tracker.api.errors import UNREADABLE_TOKEN
from tests.tracker.site import Site

SIGN_IN = "Client must be authenticated to access this resource."
NOT_ADMIN = "You are not authorized to perform this action. Administrator privileges are required."
NO_SPACE = "No project could be found with key 'X'."
NO_VERSION = "Could not find version for id '4711'"
NO_COMPONENT = "The component with id 4711 does not exist."
NO_SCHEME = "Permission scheme with id '4711' was not found."
NO_SECURITY = "Issue security scheme with ID 4711 not found."
NO_NOTIFICATION = "Notification scheme with ID 4711 not found."
NO_ROLE = "Can not retrieve role details, role with id 4711 does not exist."
ONLY_ADMINS = "Only Jira administrators can perform this operation."
SECURITY = "issuesecurityschemes"
BROWSING = "Browse users and groups permission is required to view users."


def test_what_is_not_there_is_not_found(site: Site) -> None:
    """Each under an id or a key that nothing has."""
    for method, path, body, text in (
        ("POST", "version/4711/removeAndSwap", {}, NO_VERSION),
        ("PUT", "version/4711/mergeto/4712", None, "Could not find version for id '4712'"),
        ("GET", "version/4711/relatedwork", None, NO_VERSION),
        ("GET", "version/4711/relatedIssueCounts", None, NO_VERSION),
        ("GET", "version/4711/unresolvedIssueCount", None, NO_VERSION),
        ("DELETE", "version/4711/relatedwork/x", None, NO_VERSION),
        ("GET", "component/4711/relatedIssueCounts", None, NO_COMPONENT),
        ("PUT", "component/4711", {"name": "x"}, NO_COMPONENT),
        ("GET", "project/X/components", None, NO_SPACE),
        ("GET", "project/X/versions", None, NO_SPACE),
        ("GET", "project/X/statuses", None, NO_SPACE),
        ("GET", "project/X/avatars", None, NO_SPACE),
        ("GET", "project/X/features", None, NO_SPACE),
        ("GET", "project/X/properties", None, NO_SPACE),
        ("DELETE", "project/X/properties/a", None, NO_SPACE),
        ("GET", "project/X/roledetails", None, NO_SPACE),
        ("GET", "project/X/securitylevel", None, NO_SPACE),
        ("POST", "project/X/delete", None, NO_SPACE),
        ("GET", "project/4711/email", None, "No project could be found with id '4711'."),
        ("PUT", "permissionscheme/4711", {"name": "x"}, NO_SCHEME),
        ("GET", "permissionscheme/4711/permission", None, NO_SCHEME),
        ("DELETE", "permissionscheme/4711/permission/1", None, NO_SCHEME),
        ("PUT", "notificationscheme/4711", {"name": "x"}, NO_NOTIFICATION),
        ("PUT", f"{SECURITY}/4711", {"name": "x"}, NO_SECURITY),
        ("PUT", f"{SECURITY}/4711/level/1", {"name": "x"}, NO_SECURITY),
        ("DELETE", f"{SECURITY}/4711/level/1", None, NO_SECURITY),
        ("GET", f"{SECURITY}/4711/members", None, NO_SECURITY),
        ("POST", "role/4711", {"name": "x"}, NO_ROLE),
        ("DELETE", "role/4711/actors?group=x", None, NO_ROLE),
        ("DELETE", "projectCategory/4711", None, "Could not find project category with ID '4711'"),
        ("POST", "universal_avatar/type/priority/owner/x", {}, "The avatar was not found."),
        ("GET", "universal_avatar/view/type/tea", None, "The avatar type 'tea' is not supported."),
        ("GET", "universal_avatar/view/type/user/owner/x", None, "The avatar was not found."),
    ):  # fmt: skip
        answer = site.call(method, path, body)
        assert (answer.status, answer.body["errorMessages"]) == (404, [text]), (method, path)


def test_what_only_others_may(site: Site) -> None:
    """Who is no admin, runs no space or may browse no users is told so."""
    role = next(role["id"] for role in site.get("role") if role["name"] == "Developers")
    account = site.ids["ada"]
    mapped: dict[str, Any] = {"defaultValues": []}
    for method, path, body, by, text in (
        ("GET", "application-properties/advanced-settings", None, "dev", NOT_ADMIN),
        ("GET", "configuration/timetracking", None, "dev", NOT_ADMIN),
        ("GET", "configuration/timetracking/list", None, "dev", NOT_ADMIN),
        ("GET", "configuration/timetracking/options", None, "dev", NOT_ADMIN),
        ("GET", "license/approximateLicenseCount/product/x", None, "dev", NOT_ADMIN),
        ("GET", SECURITY, None, "dev", NOT_ADMIN),
        ("GET", f"{SECURITY}/project", None, "dev", NOT_ADMIN),
        ("GET", f"{SECURITY}/level/member", None, "dev", NOT_ADMIN),
        ("PUT", f"{SECURITY}/level/default", mapped, "dev", NOT_ADMIN),
        ("PUT", f"user/properties/a?accountId={account}", 1, "dev", ONLY_ADMINS),
        ("DELETE", f"user/columns?accountId={account}", None, "dev", ONLY_ADMINS),
        ("GET", "users/search", None, "guest", BROWSING),
        ("GET", f"user/groups?accountId={account}", None, "guest", BROWSING),
        ("GET", "user/search/query/key?query=is voter of LAS", None, "guest", BROWSING),
    ):  # fmt: skip
        answer = site.call(method, path, body, by=by)
        assert (answer.status, answer.body["errorMessages"]) == (403, [text]), (method, path)
    body = {"categorisedActors": {"cat": []}}
    error = site.put(f"project/LAS/role/{role}", body, status=400)
    assert error["errorMessages"] == ["Unknown kinds of actors: cat"]
    error = site.get("notificationscheme/project?projectId=x", status=400)
    text = "x is not a valid value. projectId must be zero or a positive integer."
    assert error["errorMessages"] == [text]


def test_who_has_not_signed_in_or_wrongly(site: Site) -> None:
    """Some answers are for everybody who has signed in; a wrong credential opens nothing."""
    for path in (
        "configuration",
        "instance/license",
        "permissionscheme",
        "projectCategory",
        "project/type/accessible",
        "projectvalidate/key?key=X",
        "projectvalidate/validProjectKey?key=X",
    ):
        assert site.call("GET", path, by=None).raw == SIGN_IN.encode(), path
    for path in (
        "serverInfo",
        "permissions",
        "project",
        "project/recent",
        "mypreferences/locale",
        "project/type",
        "groups/picker",
    ):
        error = site.get(path, by=None, status=403, Authorization="Bearer wrong")
        assert error == {"error": UNREADABLE_TOKEN}, path
