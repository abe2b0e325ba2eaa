"""Screens, their tabs and schemes; field configurations and theirs."""

from __future__ import annotations

from typing import Any

from tests.tracker.conftest import Site

NOBODY = "You are not authorized to perform this action. Administrator privileges are required."
PREFIX = "com.atlassian.jira.plugin.system.customfieldtypes:"
Refusal = tuple[str, str, Any, int, str]


def _refused(site: Site, cases: list[Refusal]) -> None:
    for method, path, body, status, text in cases:
        answer = site.call(method, path, body)
        assert answer.status == status, (method, path, body, answer.body)
        said = [*answer.body["errorMessages"], *answer.body["errors"].values()]
        assert text in said[0], (method, path, body, answer.body)


def _screen(site: Site, name: str) -> int:
    found: int = site.get(f"screens?queryString={name}")["values"][0]["id"]
    return found


def _on_tab(site: Site, screen: int, tab: int) -> list[str]:
    return [one["id"] for one in site.get(f"screens/{screen}/tabs/{tab}/fields")]


def test_what_is_off_the_screen_cannot_be_set(site: Site) -> None:
    screen = _screen(site, "LAS: Scrum Default Issue Screen")
    tab = site.get(f"screens/{screen}/tabs")[0]["id"]
    key = site.issue("Labelled", labels=["first"])
    site.delete(f"screens/{screen}/tabs/{tab}/fields/labels")
    task = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": "x"}
    text = "Field 'labels' cannot be set. It is not on the appropriate screen, or unknown."
    refused = site.post("issue", {"fields": {**task, "labels": ["x"]}}, status=400)
    assert refused["errors"] == {"labels": text}
    change = {"fields": {"labels": ["x"]}}
    assert site.put(f"issue/{key}", change, status=400)["errors"] == {"labels": text}
    # Bugs have a screen of their own.
    bug = {**task, "issuetype": {"name": "Bug"}, "labels": ["x"]}
    site.post("issue", {"fields": bug})
    free = {one["id"] for one in site.get(f"screens/{screen}/availableFields")}
    assert "labels" in free
    assert "summary" not in free
    path = f"screens/{screen}/tabs/{tab}/fields"
    assert site.post(path, {"fieldId": "labels"}, status=200) == {"id": "labels", "name": "Labels"}
    site.post("issue", {"fields": {**task, "labels": ["x"]}})
    error = site.get("field/labels/screens", status=404)  # the site's own fields are no custom ones
    assert error["errorMessages"] == ["The custom field was not found."]
    where = site.get("field/customfield_10021/screens?expand=tab&maxResults=100")["values"]
    assert {"id": tab, "name": "Field Tab"} in [one["tab"] for one in where]


def _screen_refusals(site: Site, tabs: str, first: int, second: int) -> list[Refusal]:
    field = f"{tabs}/{first}/fields"
    return [
        ("POST", "screens", {"name": "checks"}, 400, "The name is used by another screen."),
        ("POST", "screens", {"name": "x" * 256}, 400, "length of the name must not exceed 255"),
        ("PUT", "screens/99999", {"name": "x"}, 404, "The screen was not found."),
        ("POST", tabs, {"name": "most"}, 400, "The name is used by another tab of the screen."),
        ("POST", tabs, {"name": "x" * 256}, 400, "length of the name must not exceed 255"),
        ("POST", f"{tabs}/{second}/move/2", None, 404, "The position 2 is invalid."),
        ("POST", f"{tabs}/{second}/move/x", None, 400, "The position 'x' is invalid."),
        ("PUT", f"{tabs}/1", {"name": "x"}, 404, "The screen tab was not found."),
        ("POST", field, {"fieldId": "labels"}, 400, "is already on the screen"),
        ("POST", field, {"fieldId": "created"}, 404, "The field was not found."),
        ("POST", field, {"fieldId": "customfield_1"}, 404, "The field was not found."),
        ("DELETE", f"{field}/components", None, 404, "The field was not found."),
        ("POST", f"{field}/labels/move", {"position": "Up"}, 400, "The position 'Up' is invalid"),
        ("POST", f"{field}/labels/move", {"after": "components"}, 404, "field was not found"),
        ("GET", "screens?scope=LOCAL", None, 400, "The scope must be one of"),
        ("DELETE", f"screens/{_screen(site, 'LAS:')}", None, 400, "used in a screen scheme"),
        ("DELETE", f"screens/{_screen(site, 'Resolve')}", None, 400, "The screen is used in a"),
        ("POST", "screens/addToDefault/summary", None, 404, "is already on the screen"),
    ]


def test_screens_have_tabs_with_fields_in_an_order(site: Site) -> None:
    made = site.post("screens", {"name": "Check", "description": "For checks"})
    screen = made["id"]
    assert made == {"id": screen, "name": "Check", "description": "For checks"}
    tabs = f"screens/{screen}/tabs"
    first = site.get(tabs)[0]["id"]
    second = site.post(tabs, {"name": "More"}, status=200)["id"]
    site.post(f"{tabs}/{second}/move/0", status=204)
    assert [one["id"] for one in site.get(tabs)] == [second, first]
    assert site.put(f"{tabs}/{second}", {"name": "Most"}, status=200)["name"] == "Most"
    for field in ("summary", "labels", "duedate", "customfield_10015"):
        site.post(f"{tabs}/{first}/fields", {"fieldId": field}, status=200)
    moves: list[tuple[str, dict[str, str], list[str]]] = [
        ("duedate", {"position": "First"}, ["duedate", "summary", "labels", "customfield_10015"]),
        ("duedate", {"position": "Later"}, ["summary", "duedate", "labels", "customfield_10015"]),
        ("labels", {"position": "Earlier"}, ["summary", "labels", "duedate", "customfield_10015"]),
        (
            "summary",
            {"after": "duedate", "position": "First"},
            ["labels", "duedate", "summary", "customfield_10015"],
        ),
        ("labels", {"position": "Last"}, ["duedate", "summary", "customfield_10015", "labels"]),
    ]
    for field, body, order in moves:
        site.post(f"{tabs}/{first}/fields/{field}/move", body, status=204)
        assert _on_tab(site, screen, first) == order
    page = site.get(f"screens/tabs?screenId={screen}&maxResult=1")
    assert page["values"] == [{"screenId": screen, "tabId": second, "tabName": "Most"}]
    assert (page["total"], page["isLast"]) == (2, False)
    assert site.put(f"screens/{screen}", {"name": "Checks"}, status=200)["name"] == "Checks"
    _refused(site, _screen_refusals(site, tabs, first, second))
    site.delete(f"{tabs}/{second}")
    assert [one["id"] for one in site.get(tabs)] == [first]
    site.delete(f"screens/{screen}")
    assert site.get(f"screens/{screen}/tabs", status=404)["errorMessages"] == [
        "The screen was not found."
    ]
    assert site.get("screens", by="dev", status=403)["errorMessages"] == [NOBODY]
    assert site.post("screens/addToDefault/customfield_10021", status=200) == {}
    default = _screen(site, "Default Screen")
    tab = site.get(f"screens/{default}/tabs")[0]["id"]
    assert _on_tab(site, default, tab)[-1] == "customfield_10021"


def test_who_runs_a_space_reads_its_screens(site: Site) -> None:
    screen = _screen(site, "LAS:")
    assert site.get(f"screens/{screen}/tabs", by="dev", status=403)["errorMessages"] == [NOBODY]
    role = next(
        url.rpartition("/")[2]
        for name, url in site.get("project/LAS/role").items()
        if name == "Administrators"
    )
    site.post(f"project/LAS/role/{role}", {"user": [site.ids["dev"]]}, status=200)
    tabs = site.get(f"screens/{screen}/tabs?projectKey=LAS", by="dev")
    fields = f"screens/{screen}/tabs/{tabs[0]['id']}/fields"
    assert site.get(f"{fields}?projectKey=LAS", by="dev")[0]["id"] == "summary"
    other = _screen(site, "OPS:")
    gone = site.get(f"screens/{other}/tabs?projectKey=LAS", by="dev", status=404)
    assert gone["errorMessages"] == ["The screen was not found."]
    assert site.get(f"screens/{other}/tabs?projectKey=OPS", by="dev", status=403)["errorMessages"]


def test_schemes_choose_the_screen_of_an_operation_and_of_a_type(site: Site) -> None:
    full, small = (site.post("screens", {"name": name})["id"] for name in ("Full", "Small"))
    for screen, fields in (
        (full, ["summary", "issuetype", "labels", "reporter"]),
        (small, ["summary", "issuetype", "reporter"]),
    ):
        tab = site.get(f"screens/{screen}/tabs")[0]["id"]
        for field in fields:
            site.post(f"screens/{screen}/tabs/{tab}/fields", {"fieldId": field}, status=200)
    screens = {"default": full, "create": small}
    scheme = site.post("screenscheme", {"name": "Little to make", "screens": screens})["id"]
    types = {one["name"]: one["id"] for one in site.get("issuetype")}
    default = site.get("screenscheme?queryString=OPS: Kanban Default")["values"][0]
    mappings = [
        {"issueTypeId": "default", "screenSchemeId": str(default["id"])},
        {"issueTypeId": types["Task"], "screenSchemeId": str(scheme)},
    ]
    body = {"name": "Little", "issueTypeMappings": mappings}
    by_type = site.post("issuetypescreenscheme", body)["id"]
    project = site.get("project/LAS")["id"]
    use = {"issueTypeScreenSchemeId": by_type, "projectId": project}
    site.put("issuetypescreenscheme/project", use)
    task = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": "x"}
    refused = site.post("issue", {"fields": {**task, "labels": ["x"]}}, status=400)
    assert set(refused["errors"]) == {"labels"}
    key = site.post("issue", {"fields": task})["key"]
    site.put(f"issue/{key}", {"fields": {"labels": ["x"]}})
    uses = site.get(f"screenscheme?id={scheme}&expand=issueTypeScreenSchemes")["values"][0]
    assert uses["screens"] == screens
    assert [one["id"] for one in uses["issueTypeScreenSchemes"]["values"]] == [by_type]
    path = f"issuetypescreenscheme/{by_type}"
    listed = site.get(f"issuetypescreenscheme/mapping?issueTypeScreenSchemeId={by_type}")
    assert [one["issueTypeId"] for one in listed["values"]] == [types["Task"], "default"]
    assert [one["key"] for one in site.get(f"{path}/project")["values"]] == ["LAS"]
    used = site.get(f"issuetypescreenscheme/project?projectId={project}")["values"][0]
    assert (used["issueTypeScreenScheme"]["id"], used["projectIds"]) == (by_type, [project])
    site.put(f"screenscheme/{scheme}", {"screens": {"create": None}})
    site.post("issue", {"fields": {**task, "labels": ["x"]}})
    site.post(f"{path}/mapping/remove", {"issueTypeIds": [types["Task"]]}, status=204)
    more = {"issueTypeMappings": [{**mappings[1], "issueTypeId": types["Story"]}]}
    site.put(f"{path}/mapping", more)
    site.put(f"{path}/mapping/default", {"screenSchemeId": str(scheme)})
    listed = site.get(f"issuetypescreenscheme/mapping?issueTypeScreenSchemeId={by_type}")["values"]
    by_kind = {one["issueTypeId"]: one["screenSchemeId"] for one in listed}
    assert by_kind == {types["Story"]: str(scheme), "default": str(scheme)}
    site.put(path, {"name": "Less", "description": "Fewer fields"})
    page = site.get("issuetypescreenscheme?orderBy=name&queryString=less&expand=projects")
    assert page["values"][0]["projects"]["values"][0]["key"] == "LAS"
    _refused(site, _scheme_refusals(site, path, scheme, mappings, more))


def _scheme_refusals(
    site: Site, path: str, scheme: int, mappings: list[dict[str, str]], more: dict[str, Any]
) -> list[Refusal]:
    screens = {"default": 99_999}
    types = "issuetypescreenscheme"
    kind = mappings[1]["issueTypeId"]
    return [
        ("POST", "screenscheme", {"name": "x", "screens": screens}, 404, "One or more screens"),
        ("POST", "screenscheme", {"name": "x"}, 400, "The screens have to be provided."),
        ("POST", "screenscheme", {"name": "x", "screens": {}}, 400, "The default screen has to"),
        ("PUT", f"screenscheme/{scheme}", {"name": "default screen scheme"}, 400, "The name is"),
        ("PUT", f"screenscheme/{scheme}", {"screens": {"default": None}}, 400, "default screen"),
        ("PUT", "screenscheme/99999", {"name": "x"}, 404, "The screen scheme was not found."),
        ("DELETE", f"screenscheme/{scheme}", None, 400, "cannot be deleted as it is in use"),
        ("POST", types, {"name": "Less", "issueTypeMappings": mappings}, 400, "name is in use."),
        ("POST", types, {"name": "x", "issueTypeMappings": mappings[1:]}, 400, "A default mapping"),
        (
            "POST",
            types,
            {"name": "x", "issueTypeMappings": [*mappings, {**mappings[1], "issueTypeId": "1"}]},
            404,
            "One or more issue types were not found.",
        ),
        (
            "PUT",
            f"{path}/mapping",
            {"issueTypeMappings": mappings},
            400,
            "A default mapping cannot",
        ),
        ("PUT", f"{path}/mapping", more, 400, "These issue types are already mapped"),
        ("PUT", f"{path}/mapping/default", {}, 400, "The screenSchemeId has to be provided."),
        ("PUT", f"{path}/mapping/default", {"screenSchemeId": "1a"}, 404, "screen scheme was not"),
        (
            "POST",
            f"{path}/mapping/remove",
            {"issueTypeIds": [kind, kind]},
            400,
            "The issueTypeIds must not contain duplicates.",
        ),
        ("POST", f"{path}/mapping/remove", {"issueTypeIds": [kind]}, 404, "were not found in the"),
        ("DELETE", path, None, 400, "cannot be deleted because it is assigned to one or more"),
        ("PUT", f"{types}/99", {"name": "x"}, 404, "The issue type screen scheme was not found."),
        (
            "PUT",
            f"{types}/project",
            {"issueTypeScreenSchemeId": path.rpartition("/")[2], "projectId": "1"},
            404,
            "The project was not found.",
        ),
    ]


def test_schemes_that_nothing_uses_can_go(site: Site) -> None:
    screen = _screen(site, "Default Screen")
    body = {"name": "Spare", "screens": {"default": screen, "view": screen}}
    scheme = site.post("screenscheme", body)["id"]
    mapping = [{"issueTypeId": "default", "screenSchemeId": scheme}]
    by_type = site.post("issuetypescreenscheme", {"name": "Spare", "issueTypeMappings": mapping})[
        "id"
    ]
    site.delete(f"issuetypescreenscheme/{by_type}")
    site.delete(f"screenscheme/{scheme}")
    assert site.get("screenscheme?queryString=Spare")["total"] == 0
    assert site.get("issuetypescreenscheme?queryString=Spare")["total"] == 0
    for path in ("screenscheme", "issuetypescreenscheme"):
        assert site.get(path, by="dev", status=403)["errorMessages"] == [NOBODY]


def test_a_configuration_hides_and_requires_fields(site: Site) -> None:
    made = site.post("fieldconfiguration", {"name": "Strict"}, status=200)
    strict = made["id"]
    assert made == {"id": strict, "name": "Strict", "description": ""}
    items = [
        {"id": "duedate", "isRequired": True, "description": "When it must be done"},
        {"id": "labels", "isHidden": True},
        {"id": "description", "renderer": "text-renderer"},
    ]
    path = f"fieldconfiguration/{strict}"
    site.put(f"{path}/fields", {"fieldConfigurationItems": items})
    listed = {one["id"]: one for one in site.get(f"{path}/fields?maxResults=100")["values"]}
    assert listed["duedate"]["isRequired"]
    assert listed["labels"]["isHidden"]
    assert listed["description"]["renderer"] == "text-renderer"
    assert "created" not in listed
    scheme = site.post("fieldconfigurationscheme", {"name": "Strict tasks"})["id"]
    types = {one["name"]: one["id"] for one in site.get("issuetype")}
    mapping = {"issueTypeId": types["Task"], "fieldConfigurationId": str(strict)}
    where = f"fieldconfigurationscheme/{scheme}"
    site.put(f"{where}/mapping", {"mappings": [mapping]})
    las, ops = (site.get(f"project/{key}")["id"] for key in ("LAS", "OPS"))
    use = {"fieldConfigurationSchemeId": scheme, "projectId": las}
    site.put("fieldconfigurationscheme/project", use)
    task: dict[str, Any] = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}}
    task["summary"] = "Strict"
    refused = site.post("issue", {"fields": task}, status=400)["errors"]
    assert set(refused) == {"duedate"}
    full = {**task, "duedate": "2026-07-01", "labels": ["x"]}
    assert set(site.post("issue", {"fields": full}, status=400)["errors"]) == {"labels"}
    site.post("issue", {"fields": {**task, "duedate": "2026-07-01"}})
    site.post("issue", {"fields": {**task, "issuetype": {"name": "Bug"}, "labels": ["x"]}})
    found = site.get(f"fieldconfigurationscheme/mapping?fieldConfigurationSchemeId={scheme}")
    assert [one["issueTypeId"] for one in found["values"]] == [types["Task"], "default"]
    users = site.get(f"fieldconfigurationscheme/project?projectId={las}&projectId={ops}")["values"]
    assert users[0] == {"projectIds": [ops]}
    assert users[1]["fieldConfigurationScheme"]["name"] == "Strict tasks"
    site.post(f"{where}/mapping/delete", {"issueTypeIds": [types["Task"]]}, status=204)
    site.post("issue", {"fields": {**task, "labels": ["x"]}})
    site.put(f"{where}", {"name": "Mild tasks", "description": "As all others"})
    schemes = site.get(f"fieldconfigurationscheme?id={scheme}")["values"]
    assert schemes[0]["name"] == "Mild tasks"
    _refused(site, _configuration_refusals(site, strict, scheme))
    free = {"fieldConfigurationSchemeId": None, "projectId": las}
    site.put("fieldconfigurationscheme/project", free)
    site.delete(where)
    assert site.get(f"fieldconfigurationscheme?id={scheme}")["total"] == 0
    site.put(path, {"name": "Stricter", "description": "Very"})
    page = site.get("fieldconfiguration?query=very")["values"]
    assert [one["name"] for one in page] == ["Stricter"]
    site.delete(path)
    assert [one["isDefault"] for one in site.get("fieldconfiguration")["values"]] == [True]
    only = site.get("fieldconfiguration?isDefault=true")["values"]
    assert only == site.get("fieldconfiguration")["values"]
    assert site.get("fieldconfiguration", by="dev", status=403)["errorMessages"] == [NOBODY]


def _configuration_refusals(site: Site, strict: int, scheme: str) -> list[Refusal]:
    default = site.get("fieldconfiguration?isDefault=true")["values"][0]["id"]
    path, where = f"fieldconfiguration/{strict}", f"fieldconfigurationscheme/{scheme}"

    def items(*rows: dict[str, Any]) -> dict[str, Any]:
        return {"fieldConfigurationItems": list(rows)}

    mapping = {"issueTypeId": "default", "fieldConfigurationId": "1"}
    twice = {"issueTypeIds": ["1", "1"]}
    return [
        ("POST", "fieldconfiguration", {"name": "strict"}, 400, "A field configuration is using"),
        ("PUT", f"fieldconfiguration/{default}", {"name": "x"}, 400, "The default field config"),
        ("DELETE", f"fieldconfiguration/{default}", None, 400, "The default field configuration"),
        ("GET", "fieldconfiguration/1/fields", None, 404, "field configuration was not found."),
        ("PUT", f"{path}/fields", items(), 400, "fieldConfigurationItems have to be provided"),
        ("PUT", f"{path}/fields", items({"id": "none"}), 400, "These fields were not found: none"),
        ("PUT", f"{path}/fields", items({"id": "summary", "isHidden": True}), 400, "cannot be hid"),
        ("PUT", f"{path}/fields", items({"id": "labels", "isRequired": True}), 400, "hidden field"),
        (
            "PUT",
            f"{path}/fields",
            items({"id": "duedate", "renderer": "wiki-renderer"}),
            400,
            "The renderer of the field duedate cannot be updated.",
        ),
        (
            "POST",
            "fieldconfigurationscheme",
            {"name": "mild tasks"},
            400,
            "A field configuration s",
        ),
        ("PUT", "fieldconfigurationscheme/1", {"name": "x"}, 404, "scheme was not found."),
        ("PUT", f"{where}/mapping", {"mappings": []}, 400, "The mappings have to be provided."),
        ("PUT", f"{where}/mapping", {"mappings": [mapping]}, 404, "configuration was not found."),
        ("POST", f"{where}/mapping/delete", twice, 400, "The issueTypeIds must not contain dup"),
        ("POST", f"{where}/mapping/delete", {"issueTypeIds": ["1"]}, 404, "One or more issue"),
        ("DELETE", where, None, 400, "The field configuration scheme is used by projects."),
        (
            "PUT",
            "fieldconfigurationscheme/project",
            {"projectId": "1"},
            404,
            "The project was not found.",
        ),
    ]


def test_fields_are_hidden_in_the_configurations_that_a_space_uses(site: Site) -> None:
    las = int(site.get("project/LAS")["id"])
    given = {
        "associationContexts": [{"type": "PROJECT_ID", "identifier": las}],
        "fields": [{"type": "FIELD_ID", "identifier": "customfield_10015"}],
    }
    key = site.issue("Starts", customfield_10015="2026-07-01")
    site.delete("field/association", given)
    assert "customfield_10015" not in site.get(f"issue/{key}")["fields"]
    site.put("field/association", given)
    assert site.get(f"issue/{key}")["fields"]["customfield_10015"] == "2026-07-01"
    wrong = {"type": "FIELD_ID", "identifier": "customfield_1"}
    cases: list[Refusal] = [
        ("PUT", "field/association", {**given, "fields": []}, 400, "Between 1 and 50 fields"),
        ("PUT", "field/association", {**given, "fields": [wrong]}, 404, "One or more fields"),
        (
            "PUT",
            "field/association",
            {**given, "fields": given["associationContexts"]},
            400,
            "The identifier type 'PROJECT_ID' is invalid.",
        ),
    ]
    _refused(site, cases)
