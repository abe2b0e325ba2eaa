"""The portal: desks, request types with their forms, headings, and what this site has none of."""

from __future__ import annotations

from typing import Any

from clones.tracker.api.entry import operations
from clones.tracker.models import RequestType, RequestTypeField, ServiceDesk
from tests.tracker.conftest import Site
from tests.tracker.desk_site import OPT_IN, open_desk

NO_DESK = (
    "The service desk does not exist or you do not have permission to view it.",
    "sd.servicedesk.error.not.found",
)
NO_TYPE = (
    "The request type does not exist or you do not have permission to view it.",
    "sd.request.type.error.not.found",
)
EXPERIMENTAL = (
    "This is an experimental API. Set the header 'X-ExperimentalApi: opt-in' to use it.",
    "sd.rest.experimental.api.opt.in",
)


def test_nobody_comes_in_with_a_wrong_secret(site: Site) -> None:
    headers = {"Authorization": "Basic bm9ib2R5OnRvaw=="}
    mine = [found for id, found in operations().all.items() if id.startswith("desk.")]
    for found in mine:
        path = found.path.format_map(_Ones())
        answer = site.call(found.method, path, {}, by=None, **headers)
        nobody = site.call(found.method, path, {}, by=None)
        assert (answer.status, answer.raw) == (nobody.status, nobody.raw), found.id
        if found.access != "anyone":
            assert answer.status == 401, found.id
    assert len(mine) > 60


class _Ones(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "1"


def test_desks_are_seen_by_agents_customers_and_admins(site: Site) -> None:
    desk = open_desk(site)
    for by in ("dev", "cara", "ada"):
        [shown] = desk.get("servicedesk", by=by)["values"]
        assert shown == desk.get(f"servicedesk/{desk.id}", by=by)
        assert (shown["projectKey"], shown["projectName"]) == ("IT", "IT help")
        assert shown["_links"]["self"].endswith(f"/rest/servicedeskapi/servicedesk/{desk.id}")
    assert shown["projectId"] == str(site.get("project/IT")["id"])
    assert desk.get("servicedesk", by="guest")["values"] == []
    assert desk.error(desk.get(f"servicedesk/{desk.id}", by="guest", status=404)) == NO_DESK
    assert desk.get("servicedesk?limit=1&start=1")["values"] == []
    with site.writing():
        ServiceDesk.objects.update(access="open")
    assert desk.get("servicedesk/IT", by="guest")["id"] == desk.id
    info = desk.get("info", by=None)
    assert (info["isLicensedForUse"], info["version"]) == (True, "1001.0.0-SNAPSHOT")
    assert info["buildDate"]["epochMillis"] == 1768210200000


def test_a_site_without_articles_and_assets(site: Site) -> None:
    desk = open_desk(site)
    for path in ("knowledgebase/article", f"servicedesk/{desk.id}/knowledgebase/article"):
        page = desk.get(f"{path}?query=printer", by="cara")
        assert (page["values"], page["limit"], page["isLastPage"]) == ([], 100, True)
        later = desk.get(f"{path}?query=printer&start=4&limit=2", by="cara")
        assert (later["values"], later["start"], later["limit"]) == ([], 4, 2)
        assert later["_links"]["self"].endswith(f"{path}?query=printer&start=4&limit=2")
        refused = desk.get(path, by="cara", status=400)
        assert desk.error(refused)[0] == "The query parameter 'query' is required."
    for path in ("assets/workspace", "insight/workspace"):
        page = desk.get(f"{path}?start=4&limit=2", by="cara")
        assert (page["values"], page["start"], page["limit"]) == ([], 4, 2)
        assert page["_links"]["self"].endswith(f"{path}?start=4&limit=2")


def test_request_types_are_listed_and_found(site: Site) -> None:
    desk = open_desk(site)
    path = f"servicedesk/{desk.id}/requesttype"

    def names(query: str = "", by: str = "cara") -> list[str]:
        return [one["name"] for one in desk.get(f"{path}{query}", by=by)["values"]]

    groups = desk.get(f"servicedesk/{desk.id}/requesttypegroup", by="cara")["values"]
    assert [one["name"] for one in groups] == [
        "Common Requests", "Logins and Accounts", "Computers", "Applications",
    ]  # fmt: skip
    assert desk.get(f"servicedesk/{desk.id}/requesttypegroup?limit=1")["isLastPage"] is False
    every = [
        "Get IT help",
        "Report a system problem",
        "Request a new account",
        "Fix an account problem",
        "Request new hardware",
        "Request new software",
        "Emailed request",
    ]
    assert names() == every
    assert names(f"?groupId={groups[1]['id']}") == [
        "Request a new account", "Fix an account problem",
    ]  # fmt: skip
    assert names("?searchQuery=request") == [
        "Request a new account",
        "Request new hardware",
        "Request new software",
    ]
    assert "Emailed request" in names("?searchQuery=request&includeHiddenRequestTypesInSearch=true")
    assert names("?start=1&limit=2") == every[1:3]
    one = desk.get(f"{path}/{desk.types['Get IT help']}", by="cara")
    assert one == desk.get(path, by="cara")["values"][0]
    assert (one["groupIds"], one["portalId"]) == ([groups[0]["id"]], desk.id)
    assert (one["practice"], one["restrictionStatus"]) == ("service_requests", "OPEN")
    assert one["canCreateRequest"] is True
    assert set(one["icon"]["_links"]["iconUrls"]) == {"48x48", "24x24", "16x16", "32x32"}
    with site.writing():
        RequestType.objects.filter(name="Get IT help").update(restricted=True)
    assert names() == every[1:]
    assert names("?restrictionStatus=restricted", by="ada") == ["Get IT help"]
    gone = desk.get(f"{path}/{one['id']}", by="cara", status=404)
    assert desk.error(gone) == NO_TYPE
    for query, text in {
        "?restrictionStatus=x": "The restriction status must be either 'open' or 'restricted'.",
        "?groupId=x": "The value of 'groupId' must be a number.",
    }.items():
        assert desk.error(desk.get(path + query, status=400))[0] == text
    assert desk.error(desk.get(f"servicedesk/99/requesttype/{one['id']}", status=404)) == NO_DESK
    for below in ("", "group"):
        lost = desk.get(f"servicedesk/99/requesttype{below}", by="cara", status=404)
        assert desk.error(lost) == NO_DESK


def test_a_form_tells_its_fields_and_what_can_be_chosen(site: Site) -> None:
    desk = open_desk(site)
    path = f"servicedesk/{desk.id}/requesttype/{desk.types['Get IT help']}"
    form = desk.get(f"{path}/field", by="cara")
    assert (form["canRaiseOnBehalfOf"], form["canAddRequestParticipants"]) == (False, False)
    fields = {one["fieldId"]: one for one in form["requestTypeFields"]}
    assert list(fields) == ["summary", "description", "priority", "attachment"]
    assert fields["summary"] == {
        "fieldId": "summary",
        "name": "What can we help you with?",
        "description": "",
        "required": True,
        "defaultValues": [],
        "validValues": [],
        "presetValues": [],
        "jiraSchema": {"type": "string", "system": "summary"},
        "visible": True,
    }
    assert [one["label"] for one in fields["priority"]["validValues"]] == [
        "Highest", "High", "Medium", "Low", "Lowest",
    ]  # fmt: skip
    agents = desk.get(f"{path}/field")
    assert agents["canRaiseOnBehalfOf"] is True
    shown = desk.get(f"{path}?expand=field", by="cara")
    assert shown["fields"] == form
    listed = desk.get(f"servicedesk/{desk.id}/requesttype?expand=field", by="cara")["values"]
    assert listed[0]["fields"] == form
    # A hidden field takes its preset and is shown to nobody but admins who ask.
    with site.writing():
        RequestTypeField.objects.filter(field="priority").update(visible=False, preset={"id": "1"})
    made = desk.ask()
    assert [one["fieldId"] for one in made["requestFieldValues"]] == ["summary", "description"]
    issue = site.get(f"issue/{made['issueKey']}", by="dev")
    assert issue["fields"]["priority"]["name"] == "Highest"
    desk.ask(values={"priority": {"id": "5"}}, status=400)
    for by, found in (("cara", 0), ("ada", 1)):
        form = desk.get(f"{path}/field?expand=hiddenFields", by=by)
        hidden = [one for one in form["requestTypeFields"] if not one["visible"]]
        assert len(hidden) == found
    assert hidden[0]["presetValues"] == ["1"]
    gone = desk.get(f"servicedesk/{desk.id}/requesttype/99/field", by="cara", status=404)
    assert desk.error(gone) == NO_TYPE


def test_unverified_admins_make_and_delete_request_types(site: Site) -> None:
    desk = open_desk(site)
    path = f"servicedesk/{desk.id}/requesttype"
    kind = site.get("project/IT")["issueTypes"][0]["id"]
    body: dict[str, Any] = {"name": "Ask for a chair", "issueTypeId": kind, "helpText": "Help"}
    assert desk.error(desk.post(path, body, by="ada", status=412)) == EXPERIMENTAL
    refused = desk.post(path, body, by="dev", status=403, **OPT_IN)
    assert desk.error(refused)[1] == "sd.admin.servicedesk.error.permission"
    made = desk.post(path, body, by="ada", status=200, **OPT_IN)
    assert (made["name"], made["helpText"], made["groupIds"]) == ("Ask for a chair", "Help", [])
    for wrong, text in (
        (body, "A request type with the name 'Ask for a chair' already exists."),
        ({**body, "name": " "}, "The request type name must have between 1 and 255 characters."),
        (
            {**body, "name": "Other", "issueTypeId": "1"},
            "The issue type does not exist in this project.",
        ),
    ):
        assert desk.error(desk.post(path, wrong, by="ada", status=400, **OPT_IN))[0] == text
    desk.types["chair"] = made["id"]
    key = desk.ask(kind="chair")["issueKey"]
    every = desk.get("requesttype?searchQuery=chair", by="cara", **OPT_IN)["values"]
    assert [one["id"] for one in every] == [made["id"]]
    assert desk.get(f"requesttype?serviceDeskId={desk.id}&limit=2", **OPT_IN)["size"] == 2
    assert desk.error(desk.get("requesttype", by="cara", status=412)) == EXPERIMENTAL
    wrong = desk.get("requesttype?serviceDeskId=x", status=400, **OPT_IN)
    assert desk.error(wrong)[0] == "The value of 'serviceDeskId' must be a number."
    # Without its type, what was asked is an issue and no request any more.
    desk.delete(f"{path}/{made['id']}", by="ada", **OPT_IN)
    assert desk.error(desk.get(f"{path}/{made['id']}", by="cara", status=404)) == NO_TYPE
    desk.delete(f"{path}/{made['id']}", by="ada", status=404, **OPT_IN)
    desk.get(f"request/{key}", by="cara", status=404)
    assert site.get(f"issue/{key}", by="dev")["fields"]["customfield_10010"] is None
    records = site.get("auditing/record?filter=request%20type")["records"]
    assert [one["summary"] for one in records] == ["Request type deleted", "Request type created"]


def test_unverified_integrations_keep_things_with_request_types(site: Site) -> None:
    desk = open_desk(site)
    path = f"servicedesk/{desk.id}/requesttype/{desk.types['Get IT help']}/property"
    desk.put(f"{path}/color", b'{"hex": "#fff"}', by="ada", status=201, **OPT_IN)
    desk.put(f"{path}/color", b"7", by="ada", status=200, **OPT_IN)
    keys = desk.get(path, by="cara", **OPT_IN)["keys"]
    assert [one["key"] for one in keys] == ["color"]
    assert keys[0]["self"].endswith(f"{path}/color")
    assert desk.get(f"{path}/color", by="cara", **OPT_IN) == {"key": "color", "value": 7}
    refused = desk.put(f"{path}/color", b"8", by="dev", status=403, **OPT_IN)
    assert desk.error(refused)[0] == "Only administrators of this service desk can do this."
    desk.delete(f"{path}/color", by="ada", **OPT_IN)
    gone = desk.get(f"{path}/color", by="cara", status=404, **OPT_IN)
    assert desk.error(gone)[0] == "The property with key 'color' does not exist."
    desk.delete(f"{path}/color", by="ada", status=404, **OPT_IN)
    assert desk.error(desk.get(path, by="cara", status=412)) == EXPERIMENTAL
