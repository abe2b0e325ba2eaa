"""Finding users: by name, by what they may, by what they did."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from tests.tracker.site import Site

NEITHER = "Either the 'query' or the 'accountId' parameter must be provided."
BOTH = "Only one of the query parameters 'query' and 'accountId' may be provided."


def names(site: Site, path: str, by: str | None = "ada") -> list[str]:
    """Return what the users of an answer are called."""
    return [one["displayName"] for one in site.get(path, by=by)]


def test_users_are_found_by_beginnings_of_names_and_addresses(site: Site) -> None:
    """The list is bare and has windows; whoever may not browse users finds nobody."""
    path = "user/search"
    assert names(site, f"{path}?query=d") == ["Dana Ruiz", "Dev Anand"]
    assert names(site, f"{path}?query=RUIZ") == ["Dana Ruiz"]
    assert names(site, f"{path}?query=cara@s") == ["Cara Holm"]
    assert names(site, f"{path}?query=uiz") == []
    everybody = ["Ada Brandt", "Cara Holm", "Dana Ruiz", "Dev Anand", "Guy Est"]
    assert names(site, f"{path}?query=") == everybody
    assert names(site, f"{path}?query=&startAt=1&maxResults=2") == everybody[1:3]
    assert names(site, f"{path}?accountId={site.ids['dev']}") == ["Dev Anand"]
    assert names(site, f"{path}?query=d", by="guest") == []
    assert names(site, f"{path}?query=d", by=None) == []
    kept = f"user/properties/desk?accountId={site.ids['dev']}"
    site.put(kept, {"office": {"city": "Oslo", "floor": 2}}, by="dev", status=201)
    assert names(site, f"{path}?property=desk.office.city=Oslo") == ["Dev Anand"]
    assert names(site, f"{path}?property=desk.office.floor=2") == ["Dev Anand"]
    assert names(site, f"{path}?property=desk.office.city=Rome") == []
    for query, text in (
        ("", NEITHER),
        ("?query=a&accountId=b", BOTH),
        ("?property=desk", "The property query parameter is not valid."),
        ("?query=a&startAt=x", "The value 'x' is not a valid number for the parameter 'startAt'."),
    ):
        assert site.get(path + query, status=400)["errorMessages"] == [text]


ODD_NAMES = ["7", "0", "-1", "9" * 25, "1_0", "#-1", "$", "[0]", "é", "a\\b"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_in_properties_are_taken_as_they_are_written(site: Site, name: str) -> None:
    """Whoever asks for users by one, for users by a query, or for spaces."""
    value = {"own": {name: "violet"}, name: {"own": "violet"}, "list": ["violet"]}
    site.put(f"user/properties/desk?accountId={site.ids['dev']}", value, by="dev", status=201)
    site.put("project/LAS/properties/desk", value, status=201)
    wanted = {f"own.{name}": 1, f"{name}.own": 1, f"list.{name}": 0, "list.0": 0, "own.x": 0}
    for path, count in wanted.items():
        assert found_by_property(site, path) == [count] * 3, path


def found_by_property(site: Site, path: str) -> list[int]:
    """Return how many users, users by a query, and spaces have a property violet at a path."""
    users = site.get("user/search?" + urlencode({"property": f"desk.{path}=violet"}))
    query = urlencode({"query": f'[desk].{path} is "violet"'})
    queried = site.get(f"user/search/query?{query}")["values"]
    query = urlencode({"propertyQuery": f"[desk].{path}=violet"})
    return [len(users), len(queried), len(site.get(f"project/search?{query}")["values"])]


@pytest.mark.parametrize(
    "path", ["a" + ".a" * 3000, "\0", "own.\0", 'a"b.own', "list.-1", ".", ".."]
)
def test_names_of_no_property_find_nothing(site: Site, path: str) -> None:
    value = {"own": "x", "list": ["x"], 'a"b': {"own": "x"}}
    site.put(f"user/properties/desk?accountId={site.ids['dev']}", value, by="dev", status=201)
    assert site.get("user/search?" + urlencode({"property": f"desk.{path}=x"})) == []
    query = urlencode({"propertyQuery": f"[desk].{path}=x"})
    assert site.get(f"project/search?{query}")["values"] == []


def test_the_picker_marks_what_it_found(site: Site) -> None:
    """It leaves out whom it is told to."""
    found = site.get("user/picker?query=d&showAvatar=true&maxResults=1", by="dev")
    assert (found["total"], found["header"]) == (2, "Showing 1 of 2 matching users")
    one = found["users"][0]
    assert one["html"] == ("<strong>D</strong>ana Ruiz - <strong>d</strong>ana@site.example")
    assert "avatarUrl" in one
    query = f"query=d&excludeAccountIds={site.ids['dana']},x"
    found = site.get(f"user/picker?{query}")
    assert [user["displayName"] for user in found["users"]] == ["Dev Anand"]
    assert "avatarUrl" not in found["users"][0]
    error = site.get("user/picker", status=400)
    assert error["errorMessages"] == ["The query parameter 'query' must be provided."]


def test_whom_issues_can_be_given_to(site: Site) -> None:
    """Members of the staff in software spaces; in the desk's those of its team."""
    path = "user/assignable/search"
    staff = ["Ada Brandt", "Dana Ruiz", "Dev Anand"]
    assert names(site, f"{path}?project=LAS", by="dev") == staff
    assert names(site, f"{path}?project=IT") == ["Ada Brandt"]
    key = site.issue()
    assert names(site, f"{path}?issueKey={key}&query=d&maxResults=1", by="dev") == ["Dana Ruiz"]
    team = next(role for role in site.get("role") if role["name"] == "Service Desk Team")
    site.post(f"project/IT/role/{team['id']}", {"user": [site.ids["dana"]]}, status=200)
    assert names(site, f"{path}?project=IT") == ["Ada Brandt", "Dana Ruiz"]
    path = "user/assignable/multiProjectSearch"
    assert names(site, f"{path}?projectKeys=LAS,IT&query=") == ["Ada Brandt", "Dana Ruiz"]
    for query, status, text in (
        ("search", 400, "Either the 'issueKey' or the 'project' parameter must be provided."),
        ("search?project=X", 404, "No project could be found with key 'X'."),
        ("multiProjectSearch?query=", 400, "The query parameter 'projectKeys' must be provided."),
        ("multiProjectSearch?projectKeys=LAS", 400, NEITHER),
    ):
        error = site.get(f"user/assignable/{query}", status=status)
        assert error["errorMessages"] == [text]


def test_who_holds_permissions(site: Site) -> None:
    """Roles count, and on an issue its reporter and level of security, too."""
    path = "user/permission/search?query="
    query = "permissions=DELETE_ISSUES,BROWSE_PROJECTS"
    assert names(site, f"{path}&projectKey=LAS&{query}") == ["Ada Brandt"]
    key = site.issue(by="dev")
    grant = {"permission": "DELETE_ISSUES", "holder": {"type": "reporter"}}
    scheme = site.get("project/LAS/permissionscheme")["id"]
    site.post(f"permissionscheme/{scheme}/permission", grant)
    assert names(site, f"{path}&issueKey={key}&{query}") == ["Ada Brandt", "Dev Anand"]
    path = "user/viewissue/search?query="
    assert names(site, f"{path}&issueKey={key}", by="dev") == [
        "Ada Brandt",
        "Dana Ruiz",
        "Dev Anand",
    ]
    assert names(site, f"{path}&projectKey=IT") == ["Ada Brandt"]
    assert names(site, f"{path}&projectKey=IT", by="guest") == []
    # Without a search everybody who holds them; and permissions by what they were called once.
    wanted = "user/permission/search?projectKey=LAS"
    assert names(site, f"{wanted}&permissions=BROWSE,DELETE_ISSUE") == ["Ada Brandt"]
    for query, by, status, text in (
        (wanted, "ada", 400, "The query parameter 'permissions' must be provided."),
        (f"{wanted}&permissions=TEA", "ada", 400, "The permission 'TEA' does not exist."),
        (
            f"{wanted}&permissions=EDIT_ISSUES",
            "dev",
            404,
            "The project or issue was not found, or you do not administer it.",
        ),
        (
            "user/viewissue/search?query=a",
            "ada",
            400,
            "Either the 'issueKey' or the 'projectKey' parameter must be provided.",
        ),
    ):
        assert site.get(query, by=by, status=status)["errorMessages"] == [text]


@pytest.fixture
def busy(site: Site) -> Site:
    """Return the site with two issues on which people did things."""
    first = site.issue(by="dev", assignee={"accountId": site.ids["dana"]})
    second = site.issue(by="ada", project={"key": "OPS"}, assignee={"accountId": site.ids["dev"]})
    assert (first, second) == ("LAS-1", "OPS-1")
    kept = f"user/properties/location?accountId={site.ids['dana']}"
    site.put(kept, {"office": {"city": "Sydney"}}, by="dana", status=201)
    return site


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("is assignee of LAS", ["Dana Ruiz"]),
        ("is assignee of (LAS-1, OPS-1)", ["Dev Anand", "Dana Ruiz"]),
        ("is reporter of LAS-1", ["Dev Anand"]),
        ("is watcher of LAS-1", ["Dev Anand"]),
        ("is voter of LAS", []),
        ("is commenter of LAS", []),
        ("is assignee of OPS and is reporter of LAS", ["Dev Anand"]),
        ("is assignee of OPS OR is reporter of OPS", ["Ada Brandt", "Dev Anand"]),
        ('[location].office.city is "Sydney"', ["Dana Ruiz"]),
        ('(is assignee of LAS OR is assignee of OPS) AND [location].office.city is "Sydney"',
         ["Dana Ruiz"]),
    ],
)  # fmt: skip
def test_users_are_found_by_what_they_did(busy: Site, query: str, found: list[str]) -> None:
    """Structured queries, of issues that the caller sees."""
    answer = busy.get(f"user/search/query?query={query}")
    assert sorted(one["displayName"] for one in answer["values"]) == sorted(found)
    keys = busy.get(f"user/search/query/key?query={query}&maxResults=1")
    assert (keys["total"], keys["isLast"]) == (len(found), len(found) < 2)
    ids = [one["accountId"] for one in answer["values"]]
    assert [one["accountId"] for one in keys["values"]] == ids[:1]
    second = busy.get(f"user/search/query?query={query}&startAt=1&maxResults=1")
    assert [one["accountId"] for one in second["values"]] == ids[1:2]


@pytest.mark.parametrize("joined", [" AND ", " OR "])
@pytest.mark.parametrize("one", ["is assignee of LAS", '[location].office.city is "Sydney"'])
def test_a_query_has_so_many_statements(busy: Site, one: str, joined: str) -> None:
    query = urlencode({"query": joined.join([one] * 50)})
    assert len(busy.get(f"user/search/query?{query}")["values"]) == 1
    query = urlencode({"query": joined.join([one] * 5000)})
    refused = busy.get(f"user/search/query?{query}", status=400)["errorMessages"]
    assert refused == ["The query is invalid: The query has more than 50 statements."]


def test_unverified_transitions_count_as_deeds(busy: Site) -> None:
    """Who moved an issue is its transitioner; bad queries are refused."""
    move = busy.get("issue/LAS-1/transitions", by="dana")["transitions"][1]["id"]
    busy.post("issue/LAS-1/transitions", {"transition": {"id": move}}, by="dana", status=204)
    answer = busy.get("user/search/query?query=is transitioner of LAS")
    assert [one["displayName"] for one in answer["values"]] == ["Dana Ruiz"]
    for query, text in (
        ("is cat of LAS", "The query is invalid: Expected 'assignee' but got 'cat'."),
        ("is assignee of", "The query is invalid: Unexpected end of the query."),
        ("is assignee of LAS tea", "The query is invalid: Unexpected 'tea'."),
        ("", "The query parameter 'query' must be provided."),
    ):
        error = busy.get(f"user/search/query?query={query}", status=400)
        assert error["errorMessages"] == [text]
    error = busy.get("user/search/query?query=is voter of LAS", by="guest", status=403)
    assert error["errorMessages"][0].startswith("Browse users and groups")
