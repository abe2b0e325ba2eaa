"""Saved filters: made, listed, shared, starred, handed on; who sees and who may change them."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import AuditRecord, Filter, Group, PermissionGrant
from tests.tracker.site import Site

GONE = (
    "The selected filter is not available to you, perhaps it has been deleted or had its "
    "permissions changed."
)


def make(site: Site, name: str = "Red ones", *, by: str = "dev", **given: Any) -> Any:
    body = {"name": name, "jql": "project = LAS ORDER BY key", **given}
    return site.post("filter", body, by=by, status=200)


def refused(site: Site, method: str, path: str, body: Any = None, **how: Any) -> Any:
    status = how.pop("status", 400)
    answer = site.call(method, path, body, **how)
    assert answer.status == status, answer.body
    return answer.body["errors"] or answer.body["errorMessages"]


def names(found: Any) -> list[str]:
    rows = found["values"] if isinstance(found, dict) else found
    return [row["name"] for row in rows]


def group(site: Site, name: str) -> str:
    with site.store():
        return Group.objects.get(name=name).uuid


def test_a_filter_is_made_changed_and_deleted(site: Site) -> None:
    made = make(site, description="All that is red", favourite=True)
    assert made["owner"]["accountId"] == site.ids["dev"]
    assert made["jql"] == "project = LAS ORDER BY key"
    assert made["favourite"] is True
    assert made["favouritedCount"] == 1
    assert made["sharePermissions"] == made["editPermissions"] == []
    assert made["searchUrl"].endswith(
        "/rest/api/3/search?jql=project%20%3D%20LAS%20ORDER%20BY%20key"
    )
    assert made["viewUrl"].endswith(f"/issues/?filter={made['id']}")
    path = f"filter/{made['id']}"
    changed = site.put(path, {"name": "Blue ones", "jql": "project = OPS"}, by="dev", status=200)
    assert [changed["name"], changed["jql"]] == ["Blue ones", "project = OPS"]
    assert changed["description"] == "All that is red"
    assert refused(site, "GET", path, by="dana", status=404) == [GONE]
    assert refused(site, "PUT", path, {"name": "Mine"}, by="dana", status=404) == [GONE]
    site.delete(path, by="dev")
    assert refused(site, "GET", path, by="dev", status=404) == [GONE]


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({"name": " "}, {"filterName": "You must specify a name to save this filter as."}),
        ({"name": "RED ones"}, {"filterName": "Filter with same name already exists."}),
        (
            {"name": "a" * 256},
            {"filterName": "The name must not be longer than 255 characters."},
        ),
        (
            {"name": "B", "jql": "project = NONE"},
            ["The value 'NONE' does not exist for the field 'project'."],
        ),
        (
            {"name": "B", "sharePermissions": [{"type": "planet"}]},
            {"shares": "The share type 'planet' is invalid."},
        ),
        (
            {"name": "B", "sharePermissions": [{"type": "project", "project": {"id": "1"}}]},
            {"shares": "You do not have permission to share with Project: '1'."},
        ),
        (
            {"name": "B", "sharePermissions": [{"type": "group", "group": {"name": "none"}}]},
            {"shares": "The group 'none' does not exist."},
        ),
    ],
)
def test_unverified_what_a_filter_may_not_be(site: Site, body: Any, errors: Any) -> None:
    make(site)
    assert refused(site, "POST", "filter", body, by="dev") == errors
    # Somebody else may have one of this name.
    make(site, by="ada")


@pytest.mark.parametrize("kind", [{"a": 1}, ["x"], 5, None])
def test_the_kind_of_a_share_is_a_text(site: Site, kind: Any) -> None:
    for path in ("filter", "dashboard"):
        body = {"name": "Z", "jql": "project = LAS", "sharePermissions": [{"type": kind}]}
        answer = site.call("POST", path, body | {"editPermissions": []})
        assert answer.status == 400, path


def test_a_filter_may_not_look_into_itself(site: Site) -> None:
    made = make(site)
    path = f"filter/{made['id']}"
    body = {"name": "Red ones", "jql": f"filter = {made['id']} or project = OPS"}
    (message,) = refused(site, "PUT", path, body, by="dev")
    assert message == (
        "Field 'filter' with value 'Red ones' matches filter 'Red ones' and causes a cyclical "
        "reference, this query can not be executed and should be edited."
    )
    key = site.issue("Beam")
    found = site.post("search/jql", {"jql": "filter = 'red ones'", "fields": ["key"]}, by="dev",
                      status=200)  # fmt: skip
    assert [issue["key"] for issue in found["issues"]] == [key]


def test_who_sees_a_filter_and_who_may_change_it(site: Site) -> None:
    path = f"filter/{make(site)['id']}"
    rights = f"{path}/permission"
    # A member of the group sees it, and whoever fills the role may change it too.
    uuid = group(site, "jira-software-users")
    (share,) = site.post(rights, {"type": "group", "groupId": uuid}, by="dev")
    assert share["group"]["name"] == "jira-software-users"
    assert site.get(path, by="dana")["name"] == "Red ones"
    assert refused(site, "PUT", path, {"name": "Mine"}, by="dana") == [
        "You do not have permission to edit this filter."
    ]
    assert refused(site, "GET", path, by="guest", status=404) == [GONE]
    assert refused(site, "GET", rights, by="guest", status=404) == [GONE]
    editors = [{"type": "user", "user": {"accountId": site.ids["dana"]}}]
    body = {"name": "Red ones", "editPermissions": editors}
    assert site.put(path, body, by="dev", status=200)["editPermissions"][0]["type"] == "user"
    assert site.put(path, {"name": "Shared"}, by="dana", status=200)["name"] == "Shared"
    # Sharing with everybody takes the place of all other shares.
    both = site.post(rights, {"type": "project", "projectId": project(site)}, by="dev")
    assert [one["type"] for one in both] == ["group", "project"]
    (everybody,) = site.post(rights, {"type": "global"}, by="dev")
    assert everybody["type"] == "global"
    assert site.get(path, by=None)["name"] == "Shared"
    assert site.get(f"{rights}/{everybody['id']}", by="guest") == {
        "id": everybody["id"],
        "type": "global",
    }
    assert refused(site, "POST", rights, {"type": "global"}, by="dana") == [
        "You do not have permission to edit this filter."
    ]
    assert refused(site, "DELETE", f"{rights}/{everybody['id']}", by="dana", status=404) == [GONE]
    site.delete(f"{rights}/{everybody['id']}", by="dev")
    assert site.get(rights, by="dev") == []
    assert refused(site, "GET", f"{rights}/{everybody['id']}", by="dev", status=404) == [
        f"The share permission with ID '{everybody['id']}' does not exist."
    ]


def project(site: Site) -> str:
    found: str = site.get("project/LAS")["id"]
    return found


def test_a_space_that_is_not_seen_is_not_told(site: Site) -> None:
    secret = [{"type": "project", "project": {"id": project(site)}}, {"type": "projectRole"}]
    given = {"type": "user", "user": {"accountId": site.ids["guest"]}}
    made = make(site, sharePermissions=[secret[0], given])
    shown = site.get(f"filter/{made['id']}", by="dev")["sharePermissions"]
    assert shown[0]["project"]["key"] == "LAS"
    wrong = refused(site, "POST", "filter", {"name": "C", "sharePermissions": secret[1:]}, by="dev")
    assert wrong == {"shares": "The project must be provided for a share of this type."}
    with site.writing():
        PermissionGrant.objects.filter(permission="BROWSE_PROJECTS").delete()
    assert [one["type"] for one in site.get(f"filter/{made['id']}/permission", by="guest")] == [
        "project-unknown",
        "user",
    ]


def test_new_filters_are_shared_as_one_says(site: Site) -> None:
    assert site.get("filter/defaultShareScope", by="dev") == {"scope": "PRIVATE"}
    scope = site.put("filter/defaultShareScope", {"scope": "GLOBAL"}, by="dev", status=200)
    assert scope == {"scope": "AUTHENTICATED"}
    assert [one["type"] for one in make(site)["sharePermissions"]] == ["loggedin"]
    assert make(site, "Own", sharePermissions=[])["sharePermissions"] == []
    assert refused(site, "PUT", "filter/defaultShareScope", {"scope": "ALL"}, by="dev") == [
        "The scope 'ALL' is invalid. Valid scopes are: GLOBAL, AUTHENTICATED, PRIVATE."
    ]


def test_favourites_and_ones_own(site: Site) -> None:
    shared = make(site, "Zeta", by="ada", sharePermissions=[{"type": "loggedin"}])
    make(site, "Alpha")
    path = f"filter/{shared['id']}/favourite"
    starred = site.put(path, by="dev", status=200)
    assert [starred["favourite"], starred["favouritedCount"]] == [True, 1]
    assert names(site.get("filter/favourite", by="dev")) == ["Zeta"]
    assert names(site.get("filter/my", by="dev")) == ["Alpha"]
    assert names(site.get("filter/my?includeFavourites=true", by="dev")) == ["Alpha", "Zeta"]
    # What is no longer shared is no favourite to see, and cannot be taken back.
    site.put(f"filter/{shared['id']}", {"name": "Zeta", "sharePermissions": []}, status=200)
    assert site.get("filter/favourite", by="dev") == []
    assert refused(site, "DELETE", path, by="dev", status=404) == [GONE]
    whole = site.get(f"filter/{shared['id']}?expand=sharedUsers,subscriptions")
    assert whole["sharedUsers"]["size"] == 0
    assert whole["favouritedCount"] == 1
    site.put(path, status=200)
    assert names(site.get("filter/favourite")) == ["Zeta"]
    assert site.delete(path, status=200)["favourite"] is False
    assert site.get("filter/favourite") == site.get("filter/favourite", by=None) == []


def test_filters_are_searched_and_paged(site: Site) -> None:
    everybody = [{"type": "loggedin"}]
    made = [
        make(site, f"Laser {letter}", sharePermissions=everybody, description=text)
        for letter, text in (("a", "3"), ("b", "2"), ("c", "1"))
    ]
    make(site, "Mirrors", by="ada", sharePermissions=everybody)
    make(site, "Hidden", by="ada")
    owner = f"accountId={site.ids['dev']}"
    page = site.get(f"filter/search?{owner}&maxResults=2&orderBy=-name", by="dana")
    assert names(page) == ["Laser c", "Laser b"]
    assert [page["total"], page["isLast"], page["startAt"]] == [3, False, 0]
    assert names(site.get(f"filter/search?{owner}&startAt=2&orderBy=-name", by="dana")) == [
        "Laser a"
    ]
    assert set(page["values"][0]) == {"self", "id", "name", "expand"}
    parts = "description,owner,jql,sharePermissions,favourite,favouritedCount"
    (one,) = site.get(f"filter/search?id={made[0]['id']}&expand={parts}", by="dana")["values"]
    assert [one["jql"], one["description"]] == ["project = LAS ORDER BY key", "3"]
    assert one["owner"]["accountId"] == site.ids["dev"]
    assert names(site.get("filter/search?filterName=laser%20a", by="dana")) == ["Laser a"]
    assert names(site.get("filter/search?filterName=ase", by="dana")) == []
    assert names(site.get("filter/search?filterName=ASE&isSubstringMatch=true", by="dana")) == [
        "Laser a",
        "Laser b",
        "Laser c",
    ]
    assert names(site.get(f"filter/search?orderBy=description&{owner}", by="dana"))[0] == "Laser c"
    assert "Hidden" not in names(site.get("filter/search", by="dana"))
    assert "Hidden" in names(site.get("filter/search"))
    for query, message in (
        ("expand=all", "The expand parameter contains an invalid value: 'all'."),
        ("orderBy=colour", "The orderBy parameter contains an invalid value: 'colour'."),
        (f"{owner}&owner=dev", "The accountId and owner parameters cannot be used together."),
        (
            "groupId=a&groupname=b",
            "The groupname and groupId parameters cannot be used together.",
        ),
        (
            "&".join(f"id={number}" for number in range(201)),
            "The maximum number of filter IDs is 200.",
        ),
    ):
        assert refused(site, "GET", f"filter/search?{query}") == [message]


def test_a_filter_is_handed_on(site: Site) -> None:
    made = make(site, sharePermissions=[{"type": "loggedin"}])
    path = f"filter/{made['id']}/owner"
    to = {"accountId": site.ids["dana"]}
    assert refused(site, "PUT", path, to, by="dana", status=403) == [
        "You do not have permission to change the owner of this filter."
    ]
    assert refused(site, "PUT", path, {"accountId": "x"}, by="dev", status=404) == [
        "The user with account ID 'x' does not exist."
    ]
    other = make(site, by="dana")
    assert refused(site, "PUT", path, to, by="dev") == {
        "filterName": "Filter with same name already exists."
    }
    site.delete(f"filter/{other['id']}", by="dana")
    site.put(path, to, by="ada")
    assert site.get(f"filter/{made['id']}")["owner"]["accountId"] == site.ids["dana"]
    with site.store():
        assert AuditRecord.objects.filter(summary="Filter owner changed").count() == 1
    # Whoever sees it and does not own it may not delete it.
    answer = site.call("DELETE", f"filter/{made['id']}", by="dev")
    assert [answer.status, answer.body["errorMessages"]] == [
        401,
        ["You do not have permission to delete this filter."],
    ]


def test_a_filter_that_a_board_stands_on_stays(site: Site) -> None:
    with site.store():
        found = Filter.objects.filter(boards__isnull=False).order_by("id")[0]
        board = found.boards.all()[0]
    assert refused(site, "DELETE", f"filter/{found.id}") == [
        f"The filter cannot be deleted because the board '{board.name}' uses it."
    ]


def test_columns_of_a_filter(site: Site) -> None:
    path = f"filter/{make(site, sharePermissions=[{'type': 'loggedin'}])['id']}/columns"
    assert refused(site, "GET", path, by="dana", status=404) == [
        "No columns are set for this filter."
    ]
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    site.put(path, b"columns=summary&columns=issuekey", by="dev", status=200, **form)
    assert site.get(path, by="dana") == [
        {"label": "Summary", "value": "summary"},
        {"label": "Key", "value": "issuekey"},
    ]
    site.put(path, {"columns": ["status"]}, by="dev", status=200)
    assert site.get(path, by="dana") == [{"label": "Status", "value": "status"}]
    assert refused(site, "PUT", path, {"columns": ["colour"]}, by="dev") == [
        "Invalid column id, or column is not navigable: colour."
    ]
    assert refused(site, "PUT", path, {"columns": []}, by="dana", status=403) == [
        "You do not have permission to set the columns of this filter."
    ]
    site.delete(path, by="dev")
    assert site.call("GET", path, by="dev").status == 404
