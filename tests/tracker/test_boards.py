"""Boards: which there are for whom, what they are made of, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.domain import board_configuration as configuring
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.projects import create_project
from clones.tracker.domain.settings import set_setting, setting
from clones.tracker.models import (
    Board,
    Filter,
    Project,
    QuickFilter,
    Share,
    Status,
    User,
    Version,
)
from clones.tracker.queries.rights import Rights
from tests.tracker.boards import AGILE, board_of, withdraw
from tests.tracker.conftest import Site
from tests.tracker.heard import heard

BOARD = f"{AGILE}/board"
TEXT = (
    "The requested board cannot be viewed because it either does not exist or you do not have"
    " permission to view it."
)
GONE = {"errorMessages": [TEXT], "errors": {}}
HEARD = heard("board_created", "board_deleted")


def filter_of(site: Site, jql: str, *, owner: str = "ada", shared: bool = True) -> int:
    """Make a filter, shared with whoever signs in or with nobody, and return its id."""
    with site.writing():
        key = Filter.objects.order_by("-id").first()
        user = User.objects.get(account_id=site.ids[owner])
        made = Filter.objects.create(
            id=(key.id if key else 10000) + 500,
            name=jql[:50],
            owner=user,
            jql=jql,
            created=user.created,
        )
        if shared:
            last = Share.objects.order_by("-id").first()
            Share.objects.create(
                id=(last.id if last else 10000) + 500, filter=made, type="loggedin"
            )
    return made.id


def board_over(site: Site, name: str, jql: str, type: str = "kanban", **more: Any) -> int:
    body = {"name": name, "type": type, "filterId": filter_of(site, jql)}
    found: int = site.post(BOARD, {**body, **more})["id"]
    return found


def test_a_new_space_has_a_board_over_a_filter_of_its_own(site: Site) -> None:
    board = board_of(site)
    root = f"http://tracker.{site.row.id}.localhost:8800"
    shown = site.get(f"{BOARD}/{board}", by="dev")
    location = shown.pop("location")
    assert shown == {
        "id": board,
        "self": f"{root}{BOARD}/{board}",
        "name": "LAS board",
        "type": "scrum",
        "isPrivate": False,
    }
    with site.store():
        project = Board.objects.get(id=board).project
        assert project is not None
    assert location.pop("avatarURI").startswith(f"{root}/rest/api/2/universal_avatar/view")
    assert location == {
        "projectId": project.id,
        "displayName": "Laser control (LAS)",
        "projectName": "Laser control",
        "projectKey": "LAS",
        "projectTypeKey": "software",
        "name": "Laser control (LAS)",
    }
    made_of = site.get(f"{BOARD}/{board}/configuration", by="dev")
    filter_id = made_of["filter"]["id"]
    with site.store():
        assert Filter.objects.get(id=filter_id).jql == "project = LAS ORDER BY Rank ASC"
    columns = made_of["columnConfig"]["columns"]
    assert [column["name"] for column in columns] == ["To Do", "In Progress", "Done"]
    with site.store():
        names = {str(status.id): status.name for status in Status.objects.all()}
    assert [names[column["statuses"][0]["id"]] for column in columns] == [
        "To Do",
        "In Progress",
        "Done",
    ]
    assert made_of["columnConfig"]["constraintType"] == "issueCount"
    assert made_of["estimation"]["type"] == "field"
    assert made_of["estimation"]["field"]["fieldId"].startswith("customfield_")
    assert made_of["ranking"] == {"rankCustomFieldId": 10019}
    assert made_of["location"]["key"] == "LAS"
    kanban = site.get(f"{BOARD}/{board_of(site, 'OPS')}/configuration")
    assert kanban["subQuery"]["query"].startswith("fixVersion in unreleasedVersions()")
    assert "estimation" not in kanban


def test_boards_are_found_by_type_name_space_person_and_filter(site: Site) -> None:
    las, ops = board_of(site), board_of(site, "OPS")
    ops_space = {"type": "project", "projectKeyOrId": "OPS"}
    both = board_over(site, "All work", "project in (LAS, 'Operations') AND assignee is EMPTY")
    none = board_over(site, "Mine", "project = LAS OR reporter = currentUser()", location=ops_space)
    with site.store():
        filter_id = Board.objects.get(id=both).filter_id

    def ids(query: str, by: str = "ada") -> list[int]:
        return [board["id"] for board in site.get(f"{BOARD}?{query}", by=by)["values"]]

    assert ids("") == [las, ops, both, none]
    assert ids("type=scrum") == [las]
    assert ids("type=scrum,kanban&name=WORK") == [both]
    # Relevant is a board whose filter is restricted to the space, wherever the board is.
    assert ids("projectKeyOrId=OPS") == [ops, both]
    assert ids("projectKeyOrId=LAS") == [las, both]
    assert ids("projectLocation=OPS") == [ops, none]
    assert ids("projectLocation=OPS&negateLocationFiltering=true") == [las, both]
    assert ids(f"accountIdLocation={site.ids['ada']}") == [both]
    assert ids("projectTypeLocation=software") == [las, ops, none]
    assert ids(f"filterId={filter_id}") == [both]
    assert ids("orderBy=-name") == [ops, none, las, both]
    page = site.get(f"{BOARD}?startAt=1&maxResults=2&expand=admins,permissions", by="dev")
    values = page.pop("values")
    assert page == {"startAt": 1, "maxResults": 2, "total": 4, "isLast": False}
    assert [board["canEdit"] for board in values] == [False, False]
    assert values[0]["admins"]["users"][0]["accountId"] == site.ids["ada"]
    listed = site.get(f"{BOARD}/filter/{filter_id}")["values"]
    assert [(board["id"], board["name"]) for board in listed] == [(both, "All work")]
    for query, text in [
        ("type=round", "'round' is not a valid board type."),
        ("projectKeyOrId=NO", "No project could be found with key 'NO'."),
        ("orderBy=age", "'age' is not a valid value for the parameter 'orderBy'."),
    ]:
        assert site.get(f"{BOARD}?{query}", status=400)["errorMessages"] == [text]


def test_customers_make_no_boards(site: Site) -> None:
    body = {"name": "Own", "type": "scrum", "filterId": filter_of(site, "project = LAS")}
    refused = site.post(BOARD, body, by="cara", status=403)
    assert refused["errorMessages"] == ["You do not have permission to create boards."]
    assert site.get(BOARD, by="cara")["values"] == []


def test_a_board_is_seen_by_whom_its_filter_is_shared_with(site: Site) -> None:
    own = filter_of(site, "project = LAS", owner="dev", shared=False)
    body = {"name": "Own", "type": "scrum", "filterId": own}
    board = site.post(BOARD, body, by="dev")["id"]
    assert site.get(f"{BOARD}/{board}", by="dana", status=404) == GONE
    hidden = site.get(f"{BOARD}/{board}")
    root = f"http://tracker.{site.row.id}.localhost:8800"
    assert hidden == {"id": board, "self": f"{root}{BOARD}/{board}", "isPrivate": True}
    listed = site.get(f"{BOARD}?includePrivate=true")["values"]
    assert listed[-1] == hidden
    assert site.get(f"{BOARD}?includePrivate=true", by="dana")["total"] == 2
    for path in ("configuration", "issue", "backlog", "sprint", "epic", "project", "version"):
        assert site.get(f"{BOARD}/{board}/{path}", by="dana", status=404) == GONE
    with site.writing():
        Share.objects.create(id=99_999, filter_id=own, type="loggedin")
    assert site.get(f"{BOARD}/{board}", by="dana")["name"] == "Own"
    # Nor is it seen in a space that is not.
    own_space = board_of(site)
    withdraw(site, "BROWSE_PROJECTS")
    assert site.get(f"{BOARD}/{own_space}", by="dana", status=404) == GONE


def test_unverified_without_the_right_to_share_a_board_is_private(site: Site) -> None:
    shared = filter_of(site, "project = LAS")
    with site.writing():
        held = dict(setting("global_permissions"))
        set_setting("global_permissions", {**held, "CREATE_SHARED_OBJECTS": []})
    body = {"name": "Own", "type": "kanban", "filterId": shared}
    made = site.post(BOARD, body, by="dev")
    assert made["isPrivate"] is True
    assert site.get(f"{BOARD}/{made['id']}", by="dana", status=404) == GONE
    assert site.get(f"{BOARD}/{made['id']}", by="dev")["name"] == "Own"


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (
            {},
            {
                "name": "The board name must be specified.",
                "type": "The board type must be one of: scrum, kanban.",
                "filterId": "The filter does not exist or you do not have permission to view it.",
            },
        ),
        (
            {"location": {"type": "project"}},
            {"location": "The project of the location must be specified."},
        ),
        (
            {"location": {"type": "moon"}},
            {"location": "The location type must be one of: project, user."},
        ),
    ],
)
def test_unverified_words_about_boards_that_cannot_be(
    site: Site, body: dict[str, Any], fields: dict[str, str]
) -> None:
    assert site.post(BOARD, body, status=400) == {"errorMessages": [], "errors": fields}
    assert site.get(BOARD)["total"] == 2


def test_unverified_a_board_is_deleted_by_its_admins(site: Site) -> None:
    HEARD.clear()
    board = board_over(site, "Extra", "project = LAS")
    refused = site.delete(f"{BOARD}/{board}", by="dev", status=403)
    text = "You do not have permission to delete this board."
    assert refused == {"errorMessages": [text], "errors": {}}
    site.put(f"{BOARD}/{board}/properties/p", [1], status=201)
    site.delete(f"{BOARD}/{board}")
    assert site.get(f"{BOARD}/{board}", status=404) == GONE
    assert site.delete(f"{BOARD}/{board}", status=404) == GONE
    assert site.get(f"{BOARD}?name=Extra")["total"] == 0
    assert [event.kind for event in HEARD] == ["board_created", "board_deleted"]


def test_boards_have_properties_that_their_admins_set(site: Site) -> None:
    board = board_of(site)
    path = f"{BOARD}/{board}/properties"
    refused = site.put(f"{path}/p", {"a": 1}, by="dev", status=403)
    assert refused["errorMessages"] == ["You do not have permission to edit this board."]
    assert site.put(f"{path}/p", {"a": 1}, status=201) is None
    assert site.get(f"{path}/p", by="dev") == {"key": "p", "value": {"a": 1}}
    assert [entry["key"] for entry in site.get(path)["keys"]] == ["p"]
    site.delete(f"{path}/p")
    missing = site.get(f"{path}/p", status=404)
    assert missing["errorMessages"] == ["The property with key 'p' does not exist."]


def test_a_board_is_about_the_spaces_of_its_filter_and_of_its_issues(site: Site) -> None:
    site.issue("a")
    site.issue("b", project={"key": "OPS"})
    las = board_of(site)
    assert [one["key"] for one in site.get(f"{BOARD}/{las}/project")["values"]] == ["LAS"]
    every = board_over(site, "All", "summary ~ a OR summary ~ b", "kanban")
    with site.store():
        statuses = list(Status.objects.values_list("id", flat=True))
        user = User.objects.get(account_id=site.ids["ada"])
        board = Board.objects.get(id=every)
    with site.writing():
        configuring.set_columns(
            board, [configuring.ColumnDraft("Any", statuses)], actor=Rights(user)
        )
    page = site.get(f"{BOARD}/{every}/project?maxResults=1")
    assert [one["key"] for one in page.pop("values")] == ["LAS"]
    assert page == {"startAt": 0, "maxResults": 1, "total": 2, "isLast": False}
    # In full are listed only those that the filter names.
    assert site.get(f"{BOARD}/{every}/project/full")["values"] == []
    named = site.get(f"{BOARD}/{las}/project/full")["values"]
    assert [(one["key"], one["lead"]["accountId"]) for one in named] == [("LAS", site.ids["ada"])]
    with site.writing():
        space = Project.objects.get(key="LAS")
        for number, released in ((1, True), (2, False)):
            name = f"{number}.0"
            Version.objects.create(
                id=number, project=space, name=name, released=released, position=number
            )
    versions = site.get(f"{BOARD}/{las}/version")["values"]
    assert [(one["name"], type(one["id"])) for one in versions] == [("1.0", int), ("2.0", int)]
    unreleased = site.get(f"{BOARD}/{las}/version?released=false")
    assert [one["name"] for one in unreleased["values"]] == ["2.0"]


def test_admins_change_what_a_board_is_made_of(site: Site) -> None:
    board_id = board_of(site)
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        dev = Rights(User.objects.get(account_id=site.ids["dev"]))
        board = Board.objects.get(id=board_id)
        statuses = list(Status.objects.order_by("id").values_list("id", flat=True))[:3]
        columns = [
            configuring.ColumnDraft("Now", statuses[:1], minimum=1, maximum=4),
            configuring.ColumnDraft("Later", statuses[1:]),
        ]
        with pytest.raises(Forbidden):
            configuring.set_columns(board, columns, actor=dev)
        with pytest.raises(Invalid):
            configuring.set_columns(board, [columns[0], columns[0]], actor=ada)
        configuring.set_columns(board, columns, actor=ada)
        configuring.rename_board(board, "New name", actor=ada)
        configuring.set_constraint(board, "issueCountExclSubs", actor=ada)
        configuring.set_estimation(board, "timeoriginalestimate", actor=ada)
        with pytest.raises(Invalid):
            configuring.set_estimation(board, "summary", actor=ada)
        with pytest.raises(Invalid):
            configuring.set_sub_query(board, "project = ", actor=ada)
        configuring.set_swimlanes(board, "assignee", actor=ada)
        configuring.add_quick_filter(board, "Bugs", "issuetype = Bug", actor=ada)
        second = configuring.add_quick_filter(board, "Mine", "assignee = currentUser()", actor=ada)
    found = site.get(f"{BOARD}/{board_id}/configuration")
    assert found["name"] == "New name"
    shown = found["columnConfig"]["columns"]
    assert [(one["name"], one.get("min"), one.get("max")) for one in shown] == [
        ("Now", 1, 4),
        ("Later", None, None),
    ]
    assert found["estimation"]["field"]["displayName"] == "Original estimate"
    page = site.get(f"{BOARD}/{board_id}/quickfilter?maxResults=1")
    assert page["total"] == 2
    assert page["values"][0] | {"id": 0} == {
        "id": 0,
        "boardId": board_id,
        "name": "Bugs",
        "jql": "issuetype = Bug",
        "description": "",
        "position": 0,
    }
    shown = site.get(f"{BOARD}/{board_id}/quickfilter/{second.id}")
    assert (shown["id"], shown["boardId"], shown["name"]) == (second.id, board_id, "Mine")
    missing = site.get(f"{BOARD}/{board_id}/quickfilter/999", status=404)
    assert missing["errorMessages"] == ["The requested quick filter does not exist."]
    with site.writing():
        configuring.update_quick_filter(second, "My bugs", "issuetype = Bug", actor=ada)
        configuring.delete_quick_filter(
            QuickFilter.objects.get(board=board_id, position=0), actor=ada
        )
    assert [one["name"] for one in site.get(f"{BOARD}/{board_id}/quickfilter")["values"]] == [
        "My bugs"
    ]


def test_unverified_features_are_put_on_and_off_on_team_managed_boards(site: Site) -> None:
    template = "com.pyxis.greenhopper.jira:gh-simplified-agility-kanban"
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        create_project("TEAM", "Team", type="software", template=template, actor=ada)
    board = board_of(site, "TEAM")
    assert site.get(f"{BOARD}/{board}")["type"] == "simple"
    path = f"{BOARD}/{board}/features"

    def states() -> dict[str, str]:
        return {one["boardFeature"]: one["state"] for one in site.get(path)["features"]}

    assert states()["SPRINTS"] == "DISABLED"
    site.put(path, {"boardId": board, "feature": "SPRINTS", "enabling": True}, status=200)
    assert states()["SPRINTS"] == "ENABLED"
    assert site.get(f"{BOARD}/{board}/sprint")["total"] == 0
    refused = site.put(path, {"feature": "PAGES", "enabling": True}, status=400)
    text = "Feature 'PAGES' cannot be toggled on this board."
    assert refused == {"errorMessages": [], "errors": {"feature": text}}
    refused = site.delete(f"{BOARD}/{board}", status=403)
    assert refused["errorMessages"] == ["Boards of team-managed projects cannot be deleted."]
