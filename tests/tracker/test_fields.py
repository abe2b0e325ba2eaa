"""Custom fields: their lists, their trash, their contexts, options and defaults."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from clones.tracker.models import CustomField, FieldValue, PermissionGrant, ScreenTabField
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


def _field(site: Site, kind: str = "select", name: str = "Cause") -> str:
    """Make a field, put it on the screen of LAS for making issues, and return its id."""
    body = {"name": name, "type": PREFIX + kind, "description": "Why"}
    id: str = site.post("field", body)["id"]
    for tab in _tabs(site):
        site.post(f"screens/{tab[0]}/tabs/{tab[1]}/fields", {"fieldId": id}, status=200)
    return id


def _tabs(site: Site) -> list[tuple[int, int]]:
    """Return the tabs of the screens of LAS."""
    screens = site.get("screens?queryString=LAS:")["values"]
    return [
        (screen["id"], tab["id"])
        for screen in screens
        for tab in site.get(f"screens/{screen['id']}/tabs")
    ]


def _context(site: Site, field: str) -> str:
    found: str = site.get(f"field/{field}/context")["values"][0]["id"]
    return found


def _options(site: Site, field: str, *values: str) -> dict[str, str]:
    body = {"options": [{"value": value} for value in values]}
    path = f"field/{field}/context/{_context(site, field)}/option"
    made = site.post(path, body, status=200)["options"]
    return {option["value"]: option["id"] for option in made}


def _create_fields(site: Site, kind: str = "Task") -> dict[str, Any]:
    """Return what the description of making issues in LAS says of the fields of a type."""
    types = site.get("issue/createmeta/LAS/issuetypes?maxResults=200")["issueTypes"]
    id = next(one["id"] for one in types if one["name"] == kind)
    fields = site.get(f"issue/createmeta/LAS/issuetypes/{id}?maxResults=200")["fields"]
    return {field["fieldId"]: field for field in fields}


def _issue(site: Site, summary: str, field: str, value: Any) -> str:
    """Create an issue with a value of a field and return its key."""
    fields: dict[str, Any] = {field: value}
    return site.issue(summary, **fields)


def test_all_fields_are_listed_with_what_they_are(site: Site) -> None:
    fields = {field["id"]: field for field in site.get("field", by="dev")}
    assert fields["summary"]["schema"] == {"type": "string", "system": "summary"}
    assert fields["summary"]["orderable"]
    assert not fields["created"]["orderable"]
    points = fields["customfield_10026"]
    assert points["clauseNames"] == ["cf[10026]", "Story Points", "Story Points[Number]"]
    assert points["schema"]["customId"] == 10026
    assert "customfield_10026" not in {field["id"] for field in site.get("field", by=None)}
    page = site.get("field/search?type=custom&query=point&orderBy=-name&expand=key,isLocked")
    assert [one["name"] for one in page["values"]] == ["Story Points", "Story point estimate"]
    assert [one["isLocked"] for one in page["values"]] == [False, True]
    beside = "screensCount,contextsCount,lastUsed,searcherKey,stableId"
    points = site.get(f"field/search?id=customfield_10026&expand={beside}")["values"][0]
    assert points["searcherKey"] == PREFIX + "exactnumber"
    assert (points["contextsCount"], points["lastUsed"]) == (1, {"type": "NO_INFORMATION"})
    assert points["screensCount"] > 1
    key = site.issue("Estimated", customfield_10026=3)
    site.put(f"issue/{key}", {"fields": {"customfield_10026": 5}})
    used = site.get("field/search?id=customfield_10026&expand=lastUsed")["values"][0]["lastUsed"]
    assert used["type"] == "TRACKED"
    first = site.get("field/search?maxResults=5&orderBy=name")
    assert (len(first["values"]), first["isLast"]) == (5, False)
    assert site.get("field/search?orderBy=age", status=400)["errorMessages"] == [
        "The value 'age' is invalid for the parameter 'orderBy'."
    ]
    las = site.get("project/LAS")["id"]
    kinds = site.get("issue/createmeta/LAS/issuetypes")["issueTypes"]
    query = f"projectId={las}&workTypeId={kinds[0]['id']}&fieldId=summary"
    assert site.get(f"projects/fields?{query}")["values"] == [
        {
            "fieldId": "summary",
            "projectId": int(las),
            "workTypeId": int(kinds[0]["id"]),
            "isRequired": True,
            "description": "",
        }
    ]


def test_a_custom_field_is_made_and_changed(site: Site) -> None:
    body = {"name": "Cost", "type": PREFIX + "float", "searcherKey": PREFIX + "numberrange"}
    made = site.post("field", body)
    assert made["searchable"]
    assert made["schema"]["type"] == "number"
    id = made["id"]
    context = site.get(f"field/{id}/context")["values"]
    assert [(one["isGlobalContext"], one["isAnyIssueType"]) for one in context] == [(True, True)]
    assert site.get(f"field/{id}/contexts")["values"][0]["id"] == int(context[0]["id"])
    site.put(f"field/{id}", {"name": "Price", "searcherKey": None})
    found = site.get(f"field/search?id={id}&expand=searcherKey")["values"][0]
    assert found["name"] == "Price"
    assert "searcherKey" not in found
    cases: list[Refusal] = [
        ("POST", "field", {**body, "name": " "}, 400, "name of the custom field has to be"),
        ("POST", "field", {**body, "name": "x" * 256}, 400, "must not exceed 255 characters"),
        ("POST", "field", {**body, "type": "float"}, 400, "type 'float' was not found"),
        (
            "POST",
            "field",
            {**body, "searcherKey": PREFIX + "daterange"},
            400,
            "searcherKey is invalid for the field type.",
        ),
        ("PUT", f"field/{id}", {"searcherKey": "x"}, 400, "searcherKey is invalid"),
        ("PUT", "field/customfield_1", {"name": "x"}, 404, "The custom field was not found."),
        ("PUT", "field/summary", {"name": "x"}, 404, "The custom field was not found."),
        ("PUT", "field/customfield_10019", {"name": "x"}, 400, "The custom field is locked."),
    ]
    _refused(site, cases)
    assert site.post("field", body, by="dev", status=403)["errorMessages"] == [NOBODY]


def test_a_field_in_the_trash_is_nowhere_until_it_is_restored(site: Site) -> None:
    id = _field(site, "textfield", "Serial")
    key = _issue(site, "Numbered", id, "A-1")
    site.post(f"field/{id}/trash", status=200)
    assert id not in site.get(f"issue/{key}")["fields"]
    assert id not in _create_fields(site)
    refused = {"fields": {id: "A-2"}}
    assert id in site.put(f"issue/{key}", refused, status=400)["errors"]
    trash = site.get("field/search/trashed?query=seri&orderBy=-trashDate")["values"]
    assert [(one["id"], one["trashedBy"]["displayName"]) for one in trash] == [(id, "Ada Brandt")]
    cases: list[Refusal] = [
        ("POST", f"field/{id}/trash", None, 400, "already in the trash"),
        ("POST", "field/customfield_10020/trash", None, 400, "The custom field is locked."),
        ("POST", "field/customfield_9/trash", None, 404, "The custom field was not found."),
        ("PUT", f"field/{id}", {"name": "x"}, 404, "The custom field was not found."),
        ("GET", "field/search/trashed?orderBy=size", None, 400, "invalid for the parameter"),
    ]
    _refused(site, cases)
    site.post(f"field/{id}/restore", status=200)
    assert site.get(f"issue/{key}")["fields"][id] == "A-1"
    _refused(site, [("POST", f"field/{id}/restore", None, 400, "is not in the trash")])
    site.post(f"field/{id}/trash", status=200)
    site.advance(timedelta(days=61).total_seconds())
    with site.store():
        assert not CustomField.objects.filter(name="Serial").exists()
        assert not FieldValue.objects.exists()
        assert not ScreenTabField.objects.filter(field=id).exists()


def test_a_field_is_deleted_by_a_task(site: Site) -> None:
    id = _field(site, "userpicker", "Checker")
    answer = site.call("DELETE", f"field/{id}")
    assert answer.status == 303
    assert site.get(f"task/{answer.body['id']}")["result"] == {"fieldId": id}
    assert site.delete(f"field/{id}", status=404)["errorMessages"] == [
        "The custom field was not found."
    ]
    used = _field(site, "userpicker", "Keeper")
    with site.writing():
        grant = PermissionGrant.objects.order_by("id")[0]
        grant.holder_type, grant.parameter = "userCustomField", used
        grant.save()
    assert site.delete(f"field/{used}", status=400)["errorMessages"] == [
        "The custom field is used in a permission scheme."
    ]


def test_options_are_what_can_be_chosen(site: Site) -> None:
    id = _field(site)
    ids = _options(site, id, "Wear", "Dirt", "Heat")
    assert [one["value"] for one in _create_fields(site)[id]["allowedValues"]] == [*ids]
    context = _context(site, id)
    path = f"field/{id}/context/{context}/option"
    worn = _issue(site, "Worn", id, {"value": "Wear"})
    hot = _issue(site, "Hot", id, {"id": ids["Heat"]})
    shown = site.get(f"customFieldOption/{ids['Wear']}")
    assert shown["value"] == "Wear"
    site.put(f"{path}/move", {"customFieldOptionIds": [ids["Heat"]], "position": "First"})
    change = {"options": [{"id": ids["Dirt"], "value": "Dust", "disabled": True}]}
    assert site.put(path, change, status=200) == change
    assert site.put(path, change, status=200) == {"options": []}
    listed = site.get(path)["values"]
    assert [(one["value"], one["disabled"]) for one in listed] == [
        ("Heat", False),
        ("Wear", False),
        ("Dust", True),
    ]
    assert [one["value"] for one in _create_fields(site)[id]["allowedValues"]] == ["Heat", "Wear"]
    off = {"fields": {id: {"value": "Dust"}}}
    assert id in site.put(f"issue/{worn}", off, status=400)["errors"]
    site.delete(f"{path}/{ids['Heat']}")
    assert site.get(f"issue/{hot}?fields={id}")["fields"][id] is None
    assert [one["value"] for one in _create_fields(site)[id]["allowedValues"]] == ["Wear"]
    gone = {"fields": {id: {"id": ids["Heat"]}}}
    assert id in site.put(f"issue/{hot}", gone, status=400)["errors"]
    cases: list[Refusal] = [
        ("POST", path, {"options": []}, 400, "The options have to be provided."),
        ("POST", path, {"options": [{"value": "wear"}]}, 400, "The option 'wear' already exists."),
        ("POST", path, {"options": [{"value": " "}]}, 400, "value of an option has to be"),
        ("POST", path, {"options": [{"value": "x" * 256}]}, 400, "must not exceed 255"),
        (
            "POST",
            path,
            {"options": [{"value": str(one)} for one in range(1001)]},
            400,
            "The options must contain no more than 1,000 items.",
        ),
        (
            "POST",
            path,
            {"options": [{"value": "x", "optionId": ids["Wear"]}]},
            400,
            "doesn't support cascading options",
        ),
        ("PUT", path, {"options": [{"id": "1"}]}, 404, "These options were not found: 1"),
        ("PUT", f"{path}/move", {"customFieldOptionIds": ["1"]}, 404, "were not found: 1"),
        ("DELETE", f"{path}/1", None, 404, "The option was not found."),
        ("GET", f"{path}?optionId=1", None, 404, "The option was not found."),
        ("GET", f"field/{id}/context/1/option", None, 404, "The context was not found."),
        ("GET", "field/customfield_1/context/1/option", None, 404, "custom field was not found"),
        ("GET", "customFieldOption/1", None, 404, "option with id '1' does not exist."),
    ]
    number = _field(site, "float", "Weight")
    plain = f"field/{number}/context/{_context(site, number)}/option"
    cases.append(("GET", plain, None, 400, "The custom field doesn't support options."))
    cases.append(("POST", plain, {"options": []}, 400, "The custom field doesn't support options."))
    _refused(site, cases)


def test_cascading_options_stand_below_others(site: Site) -> None:
    id = _field(site, "cascadingselect", "Place")
    ids = _options(site, id, "Hall", "Yard")
    path = f"field/{id}/context/{_context(site, id)}/option"
    below = [
        {"value": "North", "optionId": ids["Hall"]},
        {"value": "South", "optionId": ids["Hall"]},
    ]
    north, south = site.post(path, {"options": below}, status=200)["options"]
    assert north["optionId"] == ids["Hall"]
    page = site.get(path)["values"]
    assert [one["value"] for one in page] == ["Hall", "Yard", "North", "South"]
    assert [one["value"] for one in site.get(f"{path}?onlyOptions=true")["values"]] == [*ids]
    key = _issue(site, "There", id, {"value": "Hall", "child": {"value": "South"}})
    assert site.get(f"issue/{key}?fields={id}")["fields"][id]["child"]["value"] == "South"
    site.put(f"{path}/move", {"customFieldOptionIds": [south["id"]], "position": "First"})
    assert [one["value"] for one in site.get(path)["values"]][2:] == ["South", "North"]
    cases: list[Refusal] = [
        (
            "PUT",
            f"{path}/move",
            {"customFieldOptionIds": [south["id"], ids["Yard"]], "position": "First"},
            400,
            "must all be options or cascading options of one option",
        ),
        ("DELETE", f"{path}/{ids['Hall']}", None, 400, "The option has cascading options."),
        (
            "POST",
            path,
            {"options": [{"value": "Deep", "optionId": south["id"]}]},
            400,
            "A cascading option cannot have cascading options.",
        ),
    ]
    _refused(site, cases)
    site.delete(f"{path}/{south['id']}")
    assert site.get(f"issue/{key}?fields={id}")["fields"][id] is None


def test_a_task_gives_issues_another_option(site: Site) -> None:
    id = _field(site, "multiselect", "Causes")
    ids = _options(site, id, "Wear", "Dirt")
    both = _issue(site, "Both", id, [{"value": "Wear"}, {"value": "Dirt"}])
    one = _issue(site, "One", id, [{"value": "Wear"}])
    kept = _issue(site, "Kept", id, [{"value": "Wear"}])
    path = f"field/{id}/context/{_context(site, id)}/option/{ids['Wear']}/issue"
    jql = f"key in ({both}, {one})"
    answer = site.call("DELETE", f"{path}?replaceWith={ids['Dirt']}&jql={jql}")
    assert answer.status == 303
    task = site.get(f"task/{answer.body['id']}")
    assert task["description"].endswith(f"and replace with option {ids['Dirt']}")
    assert len(task["result"]["modifiedIssues"]) == 2
    for key, values in ((both, ["Dirt"]), (one, ["Dirt"]), (kept, ["Wear"])):
        found = site.get(f"issue/{key}?fields={id}&expand=changelog")
        assert [value["value"] for value in found["fields"][id]] == values
        assert len(found["changelog"]["histories"]) == (key != kept)
    cases: list[Refusal] = [
        ("DELETE", f"{path}?replaceWith=1", None, 404, "The option was not found."),
        ("DELETE", f"{path}?replaceWith={ids['Wear']}", None, 400, "replaced with itself"),
        ("DELETE", f"{path}?jql=nothing = 1", None, 400, "Field 'nothing' does not exist"),
    ]
    _refused(site, cases)


def _context_refusals(
    path: str, own: str, everywhere: str, pairs: list[dict[str, str]]
) -> list[Refusal]:
    las, bug = pairs[0]["projectId"], pairs[0]["issueTypeId"]
    new: dict[str, Any] = {"name": "New", "projectIds": [las]}
    one = {"projectIds": [las]}
    return [
        ("POST", path, {"name": "all of las"}, 409, "The name is used by another context."),
        ("POST", path, {"name": ""}, 400, "The name has to be provided."),
        ("POST", path, new, 400, f"already associated with a context: {las}."),
        ("POST", path, {**new, "projectIds": ["1"]}, 404, "These projects were not found: 1."),
        ("POST", path, {**new, "issueTypeIds": ["1"]}, 404, "These issue types were not found: 1."),
        ("PUT", f"{path}/{own}/project", one, 400, "already associated with a context"),
        (
            "PUT",
            f"{path}/{own}/project",
            {"projectIds": [las, las]},
            400,
            "The projectIds must not contain duplicates.",
        ),
        ("POST", f"{path}/{everywhere}/project/remove", one, 400, "are not associated with the"),
        (
            "POST",
            f"{path}/{own}/issuetype/remove",
            {"issueTypeIds": [bug]},
            400,
            f"These issue types are not associated with the context: {bug}.",
        ),
        ("PUT", f"{path}/1", {"name": "x"}, 404, "The context was not found."),
        (
            "POST",
            f"{path}/mapping",
            {"mappings": [pairs[0], pairs[0]]},
            400,
            "Duplicate project and issue type mappings cannot be provided.",
        ),
        (
            "POST",
            f"{path}/mapping",
            {"mappings": [{"projectId": "1", "issueTypeId": bug}]},
            404,
            "These projects were not found: 1.",
        ),
    ]


def test_a_context_says_where_a_field_is(site: Site) -> None:
    id = _field(site)
    las, ops = (site.get(f"project/{key}")["id"] for key in ("LAS", "OPS"))
    types = {one["name"]: one["id"] for one in site.get("issuetype")}
    everywhere = _context(site, id)
    body = {"name": "Bugs of LAS", "projectIds": [las], "issueTypeIds": [types["Bug"]]}
    made = site.post(f"field/{id}/context", body)
    path = f"field/{id}/context"
    own = made["id"]
    # A context of the space goes before the one of all spaces, and leaves tasks out.
    assert id not in _create_fields(site)
    assert id in _create_fields(site, "Bug")
    pairs = [
        {"projectId": las, "issueTypeId": types["Bug"]},
        {"projectId": las, "issueTypeId": types["Task"]},
        {"projectId": ops, "issueTypeId": types["Task"]},
    ]
    told = site.post(f"{path}/mapping", {"mappings": pairs}, status=200)["values"]
    assert [one["contextId"] for one in told] == [own, None, everywhere]
    listed = site.get(f"{path}?isGlobalContext=false")["values"]
    assert [(one["id"], one["isAnyIssueType"]) for one in listed] == [(own, False)]
    assert site.get(f"{path}/issuetypemapping")["values"] == [
        {"contextId": everywhere, "isAnyIssueType": True},
        {"contextId": own, "issueTypeId": types["Bug"]},
    ]
    assert site.get(f"{path}/projectmapping?contextId={own}")["values"] == [
        {"contextId": own, "projectId": las}
    ]
    site.put(f"{path}/{own}/issuetype", {"issueTypeIds": [types["Task"]]})
    assert id in _create_fields(site)
    both = {"issueTypeIds": [types["Task"], types["Bug"]]}
    site.post(f"{path}/{own}/issuetype/remove", both, status=204)
    assert site.get(f"{path}?isAnyIssueType=true")["total"] == 2
    site.put(f"{path}/{own}/project", {"projectIds": [ops]})
    site.post(f"{path}/{own}/project/remove", {"projectIds": [ops]}, status=204)
    assert site.get(f"{path}/projectmapping?contextId={own}")["values"] == [
        {"contextId": own, "projectId": las}
    ]
    site.put(f"{path}/{own}", {"name": "All of LAS", "description": "Every type"})
    assert site.get(f"{path}?contextId={own}")["values"][0]["name"] == "All of LAS"
    _refused(site, _context_refusals(path, own, everywhere, pairs))
    site.delete(f"{path}/{own}")
    assert [row["id"] for row in site.get(path)["values"]] == [everywhere]
    assert site.get(path, by="dev", status=403)["errorMessages"] == [NOBODY]


def test_unverified_a_field_has_one_context_for_all_spaces(site: Site) -> None:
    id = _field(site)
    las = site.get("project/LAS")["id"]
    own = site.post(f"field/{id}/context", {"name": "LAS", "projectIds": [las]})["id"]
    text = "A custom field can have only one global context."
    cases: list[Refusal] = [
        ("POST", f"field/{id}/context", {"name": "All", "projectIds": []}, 409, text),
        (
            "POST",
            f"field/{id}/context/{own}/project/remove",
            {"projectIds": [las]},
            400,
            text,
        ),
    ]
    _refused(site, cases)


def _default_refusals(path: str, context: str) -> list[Refusal]:
    return [
        (
            "PUT",
            path,
            {"defaultValues": [{"contextId": context, "type": "url", "url": "x"}]},
            400,
            "The type of the default value does not match the custom field type.",
        ),
        (
            "PUT",
            path,
            {"defaultValues": [{"type": "url"}, {"type": "float"}]},
            400,
            "All default values in the request must have the same type.",
        ),
        (
            "PUT",
            path,
            {"defaultValues": [{"contextId": "1", "type": "option.single", "optionId": "1"}]},
            404,
            "The context was not found.",
        ),
        (
            "PUT",
            path,
            {"defaultValues": [{"contextId": context, "type": "option.single", "optionId": "1"}]},
            404,
            "The option was not found.",
        ),
    ]


def test_new_issues_have_the_default_values(site: Site) -> None:
    choice, day, note = (
        _field(site),
        _field(site, "datepicker", "Due in"),
        _field(site, "url", "At"),
    )
    ids = _options(site, choice, "Wear", "Dirt")
    wanted: list[tuple[str, dict[str, Any], Any]] = [
        (choice, {"type": "option.single", "optionId": ids["Dirt"]}, "Dirt"),
        (day, {"type": "datepicker", "date": "2026-07-01"}, "2026-07-01"),
        (note, {"type": "url", "url": "https://site.example"}, "https://site.example"),
    ]
    for field, default, _ in wanted:
        value = {"contextId": _context(site, field), **default}
        path = f"field/{field}/context/defaultValue"
        assert site.get(path)["values"] == []
        site.put(path, {"defaultValues": [value]})
        assert site.get(path)["values"] == [value]
    shown = site.get(f"issue/{site.issue('With defaults')}")["fields"]
    for field, _, value in wanted:
        found = shown[field]["value"] if field == choice else shown[field]
        assert found == value
    assert _create_fields(site)[choice]["hasDefaultValue"]
    context = _context(site, choice)
    path = f"field/{choice}/context/defaultValue"
    _refused(site, _default_refusals(path, context))
    nothing = {"contextId": context, "type": "option.single", "optionId": None}
    site.put(path, {"defaultValues": [nothing]})
    assert site.get(f"issue/{site.issue('Without')}")["fields"][choice] is None
    site.put(path, {"defaultValues": [{**nothing, "optionId": ids["Dirt"]}]})
    site.delete(f"field/{choice}/context/{context}/option/{ids['Dirt']}")
    assert site.get(path)["values"] == []


def test_what_the_present_time_stands_for_is_no_default_of_its_own(site: Site) -> None:
    """A date beside `useCurrent` is ignored, however it reads; without it, it has to be one."""
    for kind, type, name, good in (
        ("datepicker", "datepicker", "date", "2026-07-01"),
        ("datetime", "datetimepicker", "dateTime", "2026-07-01T10:00:00+00:00"),
    ):
        field = _field(site, kind, f"A {kind}")
        path = f"field/{field}/context/defaultValue"
        plain = {"contextId": _context(site, field), "type": type}
        for value in (good, "soon", None):
            body = {**plain, name: value, "useCurrent": True}
            site.put(path, {"defaultValues": [body]})
            assert site.get(path)["values"] == [{**plain, "useCurrent": True}]
        for more in ({}, {"useCurrent": False}):
            wrong = {**plain, name: "soon", **more}
            refused = site.put(path, {"defaultValues": [wrong]}, status=400)
            assert refused["errorMessages"] == [f"The {name} is invalid."]
        site.put(path, {"defaultValues": [{**plain, name: good, "useCurrent": False}]})
        assert site.get(path)["values"][0][name] == good
