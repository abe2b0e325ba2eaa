"""What the description says of defaults, of what may be left out and of what is ignored."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.api.entry import operations
from tests.tracker.boards import AGILE
from tests.tracker.site import Site
from tests.tracker.workflows import change, payload, read, rule, transition

KINDS = "com.atlassian.jira.plugin.system.customfieldtypes:"


def one_of(site: Site, path: str, name: str) -> Any:
    """Return the row of a name in a list."""
    return next(row for row in site.get(path) if row["name"] == name)


def one_of_values(site: Site, path: str, name: str) -> Any:
    """Return the row of a name in a page."""
    found = site.get(f"{path}?maxResults=100")["values"]
    return next(row for row in found if row["name"] == name)


def test_preferences_of_the_system_have_their_defaults(site: Site) -> None:
    """They are shown before anybody sets them, and again after what was set is removed."""
    for key, usual in (
        ("user.notifications.mimetype", "html"),
        ("user.default.share.private", "true"),
        ("user.keyboard.shortcuts.disabled", "false"),
    ):
        path = f"mypreferences?key={key}"
        assert site.get(path, by="dev") == usual
        site.put(path, "else", by="dev")
        assert site.get(path, by="dev") == "else"
        site.delete(path, by="dev")
        assert site.get(path, by="dev") == usual
    for key in ("user.autowatch.disabled", "user.notifiy.own.changes"):
        site.get(f"mypreferences?key={key}", by="dev", status=404)


def test_an_id_goes_before_a_key_where_permissions_are_asked_for(site: Site) -> None:
    """The key beside it is ignored, even where it names nothing or something else."""
    scheme = site.get("project/LAS/permissionscheme")["id"]
    grant = {"permission": "DELETE_ISSUES", "holder": {"type": "reporter"}}
    site.post(f"permissionscheme/{scheme}/permission", grant)
    own, other = site.issue(by="dev"), site.issue(by="ada")
    number = site.get(f"issue/{own}")["id"]
    space = site.get("project/LAS")["id"]
    for place in (
        *(f"issueId={number}&issueKey={key}" for key in (own, other, "NONE-1")),
        *(f"projectId={space}&projectKey={key}" for key in ("LAS", "NONE")),
    ):
        found = site.get(f"mypermissions?permissions=DELETE_ISSUES&{place}", by="dev")
        assert found["permissions"]["DELETE_ISSUES"]["havePermission"] is True, place


def test_new_types_are_standard_and_at_level_zero(site: Site) -> None:
    cases: list[tuple[dict[str, Any], int]] = [
        ({}, 0),
        ({"hierarchyLevel": -1}, -1),
        ({"type": "subtask"}, -1),
        ({"type": "standard"}, 0),
    ]
    for number, (given, level) in enumerate(cases):
        made = site.post("issuetype", {"name": f"Kind {number}", **given})
        assert (made["hierarchyLevel"], made["subtask"]) == (level, level < 0)


CHANGES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("component", {"project": "LAS", "description": "a", "assigneeType": "PROJECT_LEAD"}, {}),
    ("version", {"project": "LAS", "description": "a", "startDate": "2026-01-02"}, {}),
    ("version", {"project": "LAS", "archived": True, "releaseDate": "2026-01-02"}, {}),
    ("role", {"description": "a"}, {}),
]


@pytest.mark.parametrize(
    ("path", "body", "none"), CHANGES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_a_change_leaves_out_stays(
    site: Site, path: str, body: dict[str, Any], none: dict[str, Any]
) -> None:
    """Each part of a body is optional in a change; a change of nothing changes nothing."""
    made = site.call("POST", path, {"name": "First", **body}).body
    own = f"{path}/{made['id']}"
    change = site.post if path == "role" else site.put
    kept = site.get(own)
    if path != "role":
        assert change(own, none, status=200) == kept == site.get(own)
    for name, value in (("name", "Second"), ("description", "b")):
        changed = change(own, {name: value}, status=200)
        assert changed[name] == value
        kept = {**kept, name: value}
        assert site.get(own) == kept


def test_a_change_of_a_space_leaves_its_schemes(site: Site) -> None:
    """All of a body is optional, and a scheme that is not named stays."""
    las = site.get("project/LAS")["id"]
    schemes = {
        kind: site.post(kind, {"name": "Own"})["id"]
        for kind in ("permissionscheme", "notificationscheme")
    }
    named = {
        "permissionScheme": schemes["permissionscheme"],
        "notificationScheme": int(schemes["notificationscheme"]),
    }
    site.put("project/LAS", named, status=200)
    for body in ({}, {"description": "Other"}, {"permissionScheme": named["permissionScheme"]}):
        before = site.get("project/LAS?expand=description,lead,url")
        after = site.put("project/LAS", body, status=200)
        assert after["id"] == las
        assert {**before, **body, "permissionScheme": 0} == {
            **site.get("project/LAS?expand=description,lead,url"),
            "permissionScheme": 0,
        }
        assert site.get("project/LAS/permissionscheme")["id"] == schemes["permissionscheme"]
        held = site.get(f"notificationscheme/project?projectId={las}")["values"]
        assert [row["notificationSchemeId"] for row in held] == [str(schemes["notificationscheme"])]


def test_lists_of_mappings_are_of_all_unless_told(site: Site) -> None:
    las = site.get("project/LAS")["id"]
    made = site.post("issuesecurityschemes", {"name": "Secret", "levels": [{"name": "Low"}]})["id"]
    assert site.get("issuesecurityschemes/project")["total"] == 0
    site.call("PUT", "issuesecurityschemes/project", {"projectId": las, "schemeId": made})
    site.advance()
    mapped = [{"issueSecuritySchemeId": made, "projectId": las}]
    path = "issuesecurityschemes/project"
    for query in ("", f"?projectId={las}", f"?issueSecuritySchemeId={made}"):
        assert site.get(path + query)["values"] == mapped, query
    loud = site.post("notificationscheme", {"name": "Loud"})["id"]
    site.put("project/LAS", {"notificationScheme": int(loud)}, status=200)
    path = "notificationscheme/project"
    whole = site.get(path)
    assert whole["total"] == 3
    only = [row for row in whole["values"] if row["projectId"] == las]
    assert [row["notificationSchemeId"] for row in only] == [str(loud)]
    for query in (f"?projectId={las}", f"?notificationSchemeId={loud}"):
        assert site.get(path + query)["values"] == only, query


def test_the_default_notification_scheme_alone(site: Site) -> None:
    """By itself, beside its own ids and beside a space that uses it; never another."""
    usual = site.get("notificationscheme?onlyDefault=true")["values"]
    assert [row["name"] for row in usual] == ["Default Notification Scheme"]
    las, ops = (site.get(f"project/{key}")["id"] for key in ("LAS", "OPS"))
    loud = site.post("notificationscheme", {"name": "Loud"})["id"]
    site.put("project/LAS", {"notificationScheme": int(loud)}, status=200)

    def found(query: str) -> list[Any]:
        values = site.get(f"notificationscheme?onlyDefault=true&{query}")["values"]
        return [row["id"] for row in values]

    assert found(f"id={usual[0]['id']}") == found(f"projectId={ops}") == [usual[0]["id"]]
    assert found(f"projectId={las}") == found(f"id={loud}") == []
    assert site.get(f"notificationscheme?projectId={las}")["values"][0]["id"] == int(loud)
    assert site.get("notificationscheme?onlyDefault=false")["total"] == 2


def test_recent_spaces_show_properties_that_they_have(site: Site) -> None:
    """A space without the property is there without it."""
    site.put("project/LAS/properties/seat", {"row": 3}, status=201)
    for key in (site.issue(by="dev"), site.issue(by="dev", project={"key": "OPS"})):
        site.get(f"issue/{key}?updateHistory=true", by="dev")
    found = site.get("project/recent?properties=seat", by="dev")
    assert {row["key"]: row["properties"] for row in found} == {
        "LAS": {"seat": {"row": 3}},
        "OPS": {},
    }
    none = site.get("project/recent?properties=nothing", by="dev")
    assert {row["key"]: row["properties"] for row in none} == {"LAS": {}, "OPS": {}}


def test_the_default_configuration_is_that_of_spaces_without_a_scheme(site: Site) -> None:
    """It comes first, without a scheme; null takes a space back to it."""
    las, ops = (site.get(f"project/{key}")["id"] for key in ("LAS", "OPS"))
    scheme = site.post("fieldconfigurationscheme", {"name": "Strict"})["id"]
    path = "fieldconfigurationscheme/project"

    def uses() -> list[tuple[Any, Any]]:
        found = site.get(f"{path}?projectId={las}&projectId={ops}")["values"]
        return [
            (row.get("fieldConfigurationScheme", {}).get("id"), sorted(row["projectIds"]))
            for row in found
        ]

    assert uses() == [(None, sorted([las, ops]))]
    site.put(path, {"fieldConfigurationSchemeId": scheme, "projectId": las})
    assert uses() == [(None, [ops]), (scheme, [las])]
    for body in ({"fieldConfigurationSchemeId": None, "projectId": las}, {"projectId": las}):
        site.put(path, {"fieldConfigurationSchemeId": scheme, "projectId": las})
        site.put(path, body)
        assert uses() == [(None, sorted([las, ops]))]
    usual = site.get("fieldconfiguration?isDefault=true")["values"]
    assert [row["isDefault"] for row in usual] == [True]
    made = site.post("fieldconfiguration", {"name": "Strict"}, status=200)["id"]
    assert made not in [row["id"] for row in usual]
    others = site.get("fieldconfiguration?isDefault=false")["values"]
    assert made in [row["id"] for row in others]
    fields = site.get(f"fieldconfiguration/{made}/fields?maxResults=200")["values"]
    assert len(fields) == site.get(f"fieldconfiguration/{usual[0]['id']}/fields")["total"]
    assert not any(
        row.get("isRequired") for row in fields if row["id"] not in ("summary", "issuetype")
    )


def test_options_are_moved_to_an_end_or_after_another(site: Site) -> None:
    """One of `after` and `position` is needed, and not both."""
    field = site.post("field", {"name": "Colour", "type": f"{KINDS}select"})["id"]
    context = site.get(f"field/{field}/context")["values"][0]["id"]
    path = f"field/{field}/context/{context}/option"
    wanted = {"options": [{"value": name} for name in ("Red", "Green", "Blue")]}
    red, green, blue = (row["id"] for row in site.post(path, wanted, status=200)["options"])

    def move(*ids: str, **to: str) -> list[str]:
        site.put(f"{path}/move", {"customFieldOptionIds": list(ids), **to})
        return [row["id"] for row in site.get(path)["values"]]

    assert move(blue, position="First") == [blue, red, green]
    assert move(blue, position="Last") == [red, green, blue]
    assert move(red, after=green) == [green, red, blue]
    for to in ({}, {"after": green, "position": "First"}, {"position": "Middle"}):
        site.put(f"{path}/move", {"customFieldOptionIds": [red], **to}, status=400)
    assert [row["id"] for row in site.get(path)["values"]] == [green, red, blue]


def test_a_scheme_of_screens_by_type_has_one_default_entry(site: Site) -> None:
    """It is required when the scheme is made, and is no mapping that is added later."""
    screens = str(site.get("screenscheme")["values"][0]["id"])
    task = one_of(site, "issuetype", "Task")["id"]
    usual = {"issueTypeId": "default", "screenSchemeId": screens}
    own = {"issueTypeId": task, "screenSchemeId": screens}
    path = "issuetypescreenscheme"
    for mappings in ([], [own], [usual, usual]):
        site.post(path, {"name": "Some", "issueTypeMappings": mappings}, status=400)
    made = site.post(path, {"name": "Some", "issueTypeMappings": [usual]})["id"]
    for mappings in ([usual], [own, usual]):
        site.put(f"{path}/{made}/mapping", {"issueTypeMappings": mappings}, status=400)
    listed = f"{path}/mapping?issueTypeScreenSchemeId={made}"
    assert [row["issueTypeId"] for row in site.get(listed)["values"]] == ["default"]


def test_a_field_has_one_context_for_all_spaces(site: Site) -> None:
    """A second is refused: when it is made, and when the last space would leave another."""
    field = site.post("field", {"name": "Colour", "type": f"{KINDS}select"})["id"]
    path = f"field/{field}/context"
    las = site.get("project/LAS")["id"]
    for body in ({"name": "Again"}, {"name": "Again", "projectIds": []}):
        site.post(path, body, status=409)
    own = site.post(path, {"name": "Own", "projectIds": [las]})["id"]
    site.post(f"{path}/{own}/project/remove", {"projectIds": [las]}, status=400)
    shown = {row["name"]: row["isGlobalContext"] for row in site.get(path)["values"]}
    assert sorted(shown.values()) == [False, True]
    usual = next(row["id"] for row in site.get(path)["values"] if row["isGlobalContext"])
    site.delete(f"{path}/{usual}")
    site.post(f"{path}/{own}/project/remove", {"projectIds": [las]}, status=204)
    assert [row["isGlobalContext"] for row in site.get(path)["values"]] == [True]


def test_pictures_are_as_they_are_loaded_unless_told(site: Site) -> None:
    """Without a size or format, the default size and the original format are sent."""
    for kind in ("project", "issuetype", "priority"):
        path = f"universal_avatar/view/type/{kind}"
        plain = site.call("GET", path)
        assert plain.status == 200
        usual = site.call("GET", f"{path}?format=svg")
        assert usual.headers["Content-Type"].startswith(plain.headers["Content-Type"])
        assert usual.raw == plain.raw


def test_comments_and_work_need_only_their_first_parts(site: Site) -> None:
    """Properties, texts and times are optional, then and later."""
    key = site.issue()
    text = {"type": "doc", "version": 1, "content": [
        {"type": "paragraph", "content": [{"type": "text", "text": "a"}]}]}  # fmt: skip
    comment = site.post(f"issue/{key}/comment", {"body": text})
    assert comment["jsdPublic"] is True
    flag = {"key": "flag", "value": 1}
    own = f"issue/{key}/comment/{comment['id']}"
    site.put(own, {"body": text, "properties": [flag]}, status=200)
    site.put(own, {"body": text}, status=200)
    assert site.get(f"comment/{comment['id']}/properties/flag")["value"] == 1
    work = site.post(f"issue/{key}/worklog", {"timeSpent": "1h"})
    assert "comment" not in work
    own = f"issue/{key}/worklog/{work['id']}"
    changed = site.put(own, {"comment": text}, status=200)
    assert (changed["started"], changed["timeSpentSeconds"]) == (work["started"], 3600)
    both = {"timeSpent": "1h", "timeSpentSeconds": 60}
    site.post(f"issue/{key}/worklog", both, status=400)
    site.put(own, both, status=400)


def test_sprints_need_a_name_and_a_board_alone(site: Site) -> None:
    board = site.get(f"{AGILE}/board?type=scrum")["values"][0]["id"]
    made = site.post(f"{AGILE}/sprint", {"name": "Next", "originBoardId": board})
    assert {"startDate", "endDate"} & set(made) == set()


def test_a_shared_filter_belongs_to_its_maker(site: Site) -> None:
    """It is shared by the maker's default; a body's owner is not taken over in silence."""
    made = site.post("filter", {"name": "Mine", "jql": "project = LAS"}, by="dev", status=200)
    assert made["owner"]["accountId"] == site.ids["dev"]
    assert made["sharePermissions"] == []
    site.put("filter/defaultShareScope", {"scope": "AUTHENTICATED"}, by="dev", status=200)
    shared = site.post("filter", {"name": "Ours", "jql": "project = LAS"}, by="dev", status=200)
    assert [row["type"] for row in shared["sharePermissions"]] == ["loggedin"]
    assert site.get("filter/defaultShareScope", by="dana") == {"scope": "PRIVATE"}


def test_fields_are_taken_away_from_all(site: Site) -> None:
    """`-description` alone is every field but the description, of one issue and of many."""
    key = site.issue(description=None, labels=["a"])
    whole = set(site.get(f"issue/{key}")["fields"])
    assert set(site.get(f"issue/{key}?fields=-description")["fields"]) == whole - {"description"}
    asked = {"issueIdsOrKeys": [key]}
    wide = site.post("issue/bulkfetch", asked, status=200)["issues"][0]["fields"]
    less = {**asked, "fields": ["-description"]}
    found = site.post("issue/bulkfetch", less, status=200)["issues"][0]["fields"]
    assert set(found) == set(wide) - {"description"}
    assert "description" in wide


def test_the_default_assignee_is_minus_one(site: Site) -> None:
    site.put("project/LAS", {"assigneeType": "PROJECT_LEAD"}, status=200)
    key = site.issue()
    site.put(f"issue/{key}/assignee", {"accountId": "-1"})
    lead = site.get("project/LAS")["lead"]["accountId"]
    assert site.get(f"issue/{key}")["fields"]["assignee"]["accountId"] == lead
    site.put(f"issue/{key}/assignee", {"accountId": None})
    assert site.get(f"issue/{key}")["fields"]["assignee"] is None


def test_reports_on_limits_show_ids_unless_told(site: Site) -> None:
    assert set(site.get("issue/limit/report")) >= {"limits", "issuesApproachingLimit"}
    assert site.get("issue/limit/report?isReturningKeys=false") == site.get("issue/limit/report")


def test_an_order_of_ones_own_goes_before_rank(site: Site) -> None:
    """On a board, in its backlog and in a sprint."""
    keys = [site.issue(name) for name in ("b", "c", "a")]
    board = next(
        row["id"]
        for row in site.get(f"{AGILE}/board?type=scrum")["values"]
        if row["location"]["projectKey"] == "LAS"
    )
    sprint = site.post(f"{AGILE}/sprint", {"name": "Next", "originBoardId": board})["id"]
    for path in (
        f"board/{board}/issue",
        f"board/{board}/backlog",
        f"board/{board}/sprint/{sprint}/issue",
    ):
        if "sprint/" in path:
            site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": keys}, status=204)
        usual = [row["key"] for row in site.get(f"{AGILE}/{path}")["issues"]]
        assert usual == keys, path
        back = site.get(f"{AGILE}/{path}?jql=order by key desc")["issues"]
        assert [row["key"] for row in back] == keys[::-1], path


def test_security_levels_add_up_and_each_scheme_has_its_default(site: Site) -> None:
    """Schemes and levels that are named both count; `onlyDefault` is each scheme's own."""
    path = "issuesecurityschemes"
    found = {}
    for name in ("One", "Two"):
        levels = [{"name": f"{name} low", "isDefault": True}, {"name": f"{name} high"}]
        scheme = site.post(path, {"name": name, "levels": levels})["id"]
        rows = site.get(f"{path}/level?schemeId={scheme}")["values"]
        found[name] = (scheme, {row["name"]: row["id"] for row in rows})
    one, (_, two) = found["One"][0], found["Two"]
    usual = site.get(f"{path}/level?onlyDefault=true")["values"]
    assert sorted(row["name"] for row in usual) == ["One low", "Two low"]
    both = site.get(f"{path}/level?schemeId={one}&id={two['Two high']}")["values"]
    assert sorted(row["name"] for row in both) == ["One high", "One low", "Two high"]


def test_queries_to_sanitize_are_each_of_its_own(site: Site) -> None:
    query = {"query": "project = LAS"}
    assert len(site.post("jql/sanitize", {"queries": [query]}, status=200)["queries"]) == 1
    site.post("jql/sanitize", {"queries": [query, query]}, status=400)


def test_a_key_that_is_taken_is_answered_with_another(site: Site) -> None:
    """A free one comes back as it is."""
    assert site.get("projectvalidate/validProjectKey?key=FREE") == "FREE"
    for key in ("LAS", "1", "las"):
        other = site.get(f"projectvalidate/validProjectKey?key={key}")
        assert other not in ("LAS", "OPS", "IT", "1")
        assert other.isupper()
        assert other.isalnum()


def test_each_kind_of_field_takes_its_own_default(site: Site) -> None:
    """The value that the description names for its type, and null to take it back."""
    people = [site.ids["ada"], site.ids["dev"]]
    group = site.get("groups/picker?query=jira-users")["groups"][0]["groupId"]
    las = site.get("project/LAS")["id"]
    version = site.post("version", {"name": "1.0", "project": "LAS"})["id"]
    kinds: dict[str, tuple[str, dict[str, Any]]] = {
        "float": ("float", {"number": 2.5}),
        "datepicker": ("datepicker", {"date": "2026-07-01"}),
        "datetime": ("datetimepicker", {"dateTime": "2026-07-01T10:00:00.000+0000"}),
        "grouppicker": ("grouppicker.single", {"groupId": group}),
        "multigrouppicker": ("grouppicker.multiple", {"groupIds": [group]}),
        "labels": ("labels", {"labels": ["a", "b"]}),
        "multiuserpicker": ("multi.user.select", {"accountIds": people}),
        "project": ("project", {"projectId": las}),
        "readonlyfield": ("readonly", {"text": "a"}),
        "textarea": ("textarea", {"text": "a"}),
        "textfield": ("textfield", {"text": "a"}),
        "url": ("url", {"url": "https://site.example"}),
        "version": ("version.single", {"versionId": version}),
        "multiversion": ("version.multiple", {"versionIds": [version]}),
    }
    for kind, (type, default) in kinds.items():
        field = site.post("field", {"name": f"A {kind}", "type": f"{KINDS}{kind}"})["id"]
        context = site.get(f"field/{field}/context")["values"][0]["id"]
        path = f"field/{field}/context/defaultValue"
        value = {"contextId": context, "type": type, **default}
        site.put(path, {"defaultValues": [value]})
        assert site.get(path)["values"] == [value], kind
        none = {**value, **dict.fromkeys(default)}
        site.put(path, {"defaultValues": [none]})
        assert site.get(path)["values"] == [], kind
    field = site.post("field", {"name": "Colours", "type": f"{KINDS}multiselect"})["id"]
    context = site.get(f"field/{field}/context")["values"][0]["id"]
    body = {"options": [{"value": "Red"}, {"value": "Blue"}]}
    options = site.post(f"field/{field}/context/{context}/option", body, status=200)["options"]
    chosen = {"contextId": context, "type": "option.multiple"}
    for ids in ([row["id"] for row in options], None):
        path = f"field/{field}/context/defaultValue"
        site.put(path, {"defaultValues": [{**chosen, "optionIds": ids}]})
        assert site.get(path)["values"] == ([{**chosen, "optionIds": ids}] if ids else [])


MAJOR = "/images/icons/priorities/major.png"
UNIQUE: dict[str, tuple[dict[str, Any], str]] = {
    "fieldconfiguration": ({}, "PUT"),
    "filter": ({"jql": "project = LAS"}, "PUT"),
    "issuesecurityschemes": ({}, "PUT"),
    "notificationscheme": ({}, "PUT"),
    "permissionscheme": ({}, "PUT"),
    "priority": ({"statusColor": "#ff0000", "iconUrl": MAJOR}, "PUT"),
    "priorityscheme": ({"priorityIds": [1], "defaultPriorityId": 1}, "PUT"),
    "resolution": ({}, "PUT"),
    "role": ({"description": "a"}, "PUT"),
}  # fmt: skip


@pytest.mark.parametrize("path", UNIQUE)
def test_names_that_must_be_unique_are(site: Site, path: str) -> None:
    """A second record is not made or renamed to the name of a first."""
    body, method = UNIQUE[path]
    made = [site.call("POST", path, {"name": name, **body}) for name in ("One", "Two")]
    assert {answer.status for answer in made} <= {200, 201}, made[0].body
    again = site.call("POST", path, {"name": "One", **body})
    assert again.status in (400, 409), again.body
    renamed = site.call(method, f"{path}/{made[1].body['id']}", {"name": "One", **body})
    assert renamed.status in (400, 409), renamed.body


def test_levels_of_a_scheme_have_names_of_their_own(site: Site) -> None:
    path = "issuesecurityschemes"
    twice = [{"name": "Low"}, {"name": "Low"}]
    site.post(path, {"name": "None", "levels": twice}, status=400)
    scheme = site.post(path, {"name": "One", "levels": [{"name": "Low"}, {"name": "High"}]})["id"]
    site.put(f"{path}/{scheme}/level", {"levels": [{"name": "Low"}]}, status=400)
    rows = site.get(f"{path}/level?schemeId={scheme}")["values"]
    high = next(row["id"] for row in rows if row["name"] == "High")
    site.put(f"{path}/{scheme}/level/{high}", {"name": "Low"}, status=400)


def test_members_of_schemes_and_of_levels_add_up(site: Site) -> None:
    path, found = "issuesecurityschemes", {}
    for name in ("One", "Two"):
        levels = [
            {"name": f"{name} {part}", "members": [{"type": "reporter"}]}
            for part in ("low", "high")
        ]
        scheme = site.post(path, {"name": name, "levels": levels})["id"]
        rows = site.get(f"{path}/level?schemeId={scheme}")["values"]
        found[name] = (scheme, [row["id"] for row in rows])
    (one, levels_of_one), (_, levels_of_two) = found["One"], found["Two"]
    query = f"schemeId={one}&levelId={levels_of_two[0]}"
    rows = site.get(f"{path}/level/member?{query}")["values"]
    wanted = {*levels_of_one, levels_of_two[0]}
    assert {row["issueSecurityLevelId"] for row in rows} == wanted


def test_a_person_to_assign_is_needed_where_one_is_selected(site: Site) -> None:
    """The account of a rule is required of the type `to-selected-user` alone."""
    for type in ("to-unassigned", "to-current-user", "to-default-user"):
        change(site, "31", actions=[rule("change-assignee", type=type)])
    found = read(site)
    transition(found, "31")["actions"] = [rule("change-assignee", type="to-selected-user")]
    assert site.call("POST", "workflows/update", payload(found)).status == 400
    account = {"type": "to-selected-user", "accountId": site.ids["dev"]}
    change(site, "31", actions=[rule("change-assignee", **account)])


def test_issues_made_together_take_their_transitions(site: Site) -> None:
    """Each may name another step than the first, and bring its properties."""
    fields = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": "Made"}
    moved = {"transition": {"id": "21"}, "properties": [{"key": "flag", "value": 1}]}
    sent = {"issueUpdates": [{"fields": fields}, {"fields": fields, **moved}]}
    first, second = (row["key"] for row in site.post("issue/bulk", sent)["issues"])
    shown = [site.get(f"issue/{key}?fields=status&properties=flag") for key in (first, second)]
    assert [one["fields"]["status"]["name"] for one in shown] == ["To Do", "In Progress"]
    assert [one["properties"] for one in shown] == [{}, {"flag": 1}]


def test_versions_of_fields_stand_in_their_place(site: Site) -> None:
    """`versionedRepresentations` is shown instead of `fields`, of one issue and of many."""
    key = site.issue("Two")
    sent = {"issueIdsOrKeys": [key], "expand": ["versionedRepresentations"]}
    for found in (
        site.get(f"issue/{key}?expand=versionedRepresentations"),
        site.post("issue/bulkfetch", sent, status=200)["issues"][0],
    ):
        assert "fields" not in found
        assert found["versionedRepresentations"]["summary"] == {"1": "Two"}
    # Lists have the fields that were asked for: a search that asks for none has ids alone.
    query = f"search/jql?jql=key={key}&expand=versionedRepresentations"
    for asked, wanted in (("", {}), ("&fields=summary", {"summary": {"1": "Two"}})):
        (found,) = site.get(query + asked)["issues"]
        assert "fields" not in found
        assert found["versionedRepresentations"] == wanted
    sent |= {"fields": ["summary"]}
    (found,) = site.post("issue/bulkfetch", sent, status=200)["issues"]
    assert found["versionedRepresentations"] == {"summary": {"1": "Two"}}


def test_who_turns_watching_off_watches_nothing_new(site: Site) -> None:
    """By the preference of the system, for issues and comments; unset, people watch both."""
    text = {"type": "doc", "version": 1, "content": [
        {"type": "paragraph", "content": [{"type": "text", "text": "a"}]}]}  # fmt: skip
    for value, watches in (("true", False), ("false", True), (None, True)):
        if value is not None:
            site.put("mypreferences?key=user.autowatch.disabled", value, by="dev")
        else:
            site.delete("mypreferences?key=user.autowatch.disabled", by="dev")
        own, other = site.issue(by="dev"), site.issue()
        site.post(f"issue/{other}/comment", {"body": text}, by="dev")
        for key in (own, other):
            shown = site.get(f"issue/{key}/watchers", by="dev")
            assert shown["isWatching"] is watches, (value, key)


# Operations whose path is no place for a key alone.
TAKE_ANY_CASE: frozenset[str] = frozenset()


def test_keys_of_spaces_are_told_by_their_case(site: Site) -> None:
    """Wherever a path takes an id or key of a space."""
    asked = 0
    for operation in operations().all.values():
        if "{projectIdOrKey}" not in operation.segments or operation.id in TAKE_ANY_CASE:
            continue
        path = "/" + "/".join(
            "las" if part == "{projectIdOrKey}" else "1" if part.startswith("{") else part
            for part in operation.segments
        )
        answer = site.call(operation.method, path, None if operation.method == "GET" else {})
        assert answer.status in (400, 404), (operation.id, answer.status)
        if operation.method == "GET":
            assert answer.status == 404, operation.id
        asked += 1
    assert asked > 25
    site.get("project/LAS")


def test_a_default_workflow_changes_by_the_draft(site: Site) -> None:
    """An active scheme's default is set and taken back in its draft alone, where one asks so."""
    las = site.get("project/LAS")["id"]
    used = site.get(f"workflowscheme/project?projectId={las}")["values"][0]["workflowScheme"]
    path = f"workflowscheme/{used['id']}/default"
    usual = used["defaultWorkflow"]
    assert usual != "jira"
    for body in ({"workflow": "jira"}, {"workflow": "jira", "updateDraftIfNeeded": False}):
        site.put(path, body, status=400)
    site.delete(path, status=400)
    draft = site.put(path, {"workflow": "jira", "updateDraftIfNeeded": True}, status=200)
    assert (draft["draft"], draft["defaultWorkflow"]) == (True, "jira")
    assert site.get(path) == {"workflow": usual}
    assert site.get(f"{path}?returnDraftIfExists=true") == {"workflow": "jira"}
    site.put(path, {"workflow": usual, "updateDraftIfNeeded": True}, status=200)
    assert site.get(f"{path}?returnDraftIfExists=true") == {"workflow": usual}
    gone = site.delete(f"{path}?updateDraftIfNeeded=true", status=200)
    assert (gone["draft"], gone["defaultWorkflow"]) == (True, "jira")
    assert site.get(path) == {"workflow": usual}


def test_mappings_to_take_away_are_each_of_its_own(site: Site) -> None:
    """They may not be empty, nor be said twice."""
    scheme = site.post("fieldconfigurationscheme", {"name": "Own"})["id"]
    usual = str(site.get("fieldconfiguration?isDefault=true")["values"][0]["id"])
    task = one_of(site, "issuetype", "Task")["id"]
    path = f"fieldconfigurationscheme/{scheme}/mapping"
    site.put(path, {"mappings": [{"issueTypeId": task, "fieldConfigurationId": usual}]})
    for ids in ([], [task, task], ["1" * 256]):
        assert site.call("POST", f"{path}/delete", {"issueTypeIds": ids}).status in (400, 404)
    site.post(f"{path}/delete", {"issueTypeIds": [task]}, status=204)


def test_cascading_defaults_name_both_options(site: Site) -> None:
    """The option, and one of those below it if any."""
    field = site.post("field", {"name": "Place", "type": f"{KINDS}cascadingselect"})["id"]
    context = site.get(f"field/{field}/context")["values"][0]["id"]
    path = f"field/{field}/context/{context}/option"
    body = {"options": [{"value": "Hall"}]}
    hall = site.post(path, body, status=200)["options"][0]["id"]
    below = {"options": [{"value": "Left", "optionId": hall}]}
    left = site.post(path, below, status=200)["options"][0]["id"]
    path = f"field/{field}/context/defaultValue"
    value = {"contextId": context, "type": "option.cascading", "optionId": hall}
    for default in (value, {**value, "cascadingOptionId": left}):
        site.put(path, {"defaultValues": [default]})
        assert site.get(path)["values"] == [default]
    wrong = {**value, "optionId": left, "cascadingOptionId": hall}
    site.put(path, {"defaultValues": [wrong]}, status=404)


def test_fields_to_edit_in_bulk_go_on_from_a_cursor(site: Site) -> None:
    """The first page has where it ends, the second where it begins; both lead to each other."""
    for number in range(45):
        made = site.post("field", {"name": f"Extra {number:02}", "type": f"{KINDS}url"})["id"]
        site.post(f"screens/addToDefault/{made}", status=200)
    las = site.get("project/LAS")["id"]
    used = site.get(f"issuetypescreenscheme/project?projectId={las}")["values"][0]
    scheme = used["issueTypeScreenScheme"]["id"]
    usual = one_of_values(site, "screenscheme", "Default Screen Scheme")["id"]
    site.put(f"issuetypescreenscheme/{scheme}/mapping/default", {"screenSchemeId": str(usual)})
    path = f"bulk/issues/fields?issueIdsOrKeys={site.issue()}"
    first = site.get(path)
    assert len(first["fields"]) == 50
    assert "endingBefore" not in first
    second = site.get(f"{path}&startingAfter={first['startingAfter']}")
    assert second["fields"]
    assert not {row["id"] for row in first["fields"]} & {row["id"] for row in second["fields"]}
    back = site.get(f"{path}&endingBefore={second['endingBefore']}")
    assert back["fields"] == first["fields"]


def test_a_field_comes_onto_the_first_tab_of_the_default_screen(site: Site) -> None:
    screen = one_of_values(site, "screens", "Default Screen")["id"]
    tabs = f"screens/{screen}/tabs"
    site.post(tabs, {"name": "More"}, status=200)
    field = site.post("field", {"name": "Extra", "type": f"{KINDS}url"})["id"]
    site.post(f"screens/addToDefault/{field}", status=200)
    first, last = (site.get(f"{tabs}/{row['id']}/fields") for row in site.get(tabs))
    assert field in [row["id"] for row in first]
    assert last == []


def test_default_actors_are_listed_by_their_names(site: Site) -> None:
    role = one_of(site, "role", "Developers")["id"]
    for login in ("dev", "ada", "dana"):
        site.post(f"role/{role}/actors", {"user": [site.ids[login]]}, status=200)
    shown = [row["displayName"] for row in site.get(f"role/{role}")["actors"]]
    assert shown == ["Ada Brandt", "Dana Ruiz", "Dev Anand"]
    assert [row["displayName"] for row in site.get(f"role/{role}/actors")["actors"]] == shown


def test_a_component_without_an_assignee_leaves_issues_to_nobody(site: Site) -> None:
    """Even where the space gives them to its lead; its own default gives them to the lead."""
    site.put("project/LAS", {"assigneeType": "PROJECT_LEAD"}, status=200)
    lead = site.get("project/LAS")["lead"]["accountId"]
    for kind, wanted in (("UNASSIGNED", None), ("PROJECT_DEFAULT", lead), (None, lead)):
        body = {"name": f"For {kind}", "project": "LAS"}
        site.post("component", {**body, **({"assigneeType": kind} if kind else {})})
        key = site.issue(components=[{"name": body["name"]}])
        found = site.get(f"issue/{key}?fields=assignee")["fields"]["assignee"]
        assert (found and found["accountId"]) == wanted, kind


def test_an_admin_removes_a_board_that_only_others_see(site: Site) -> None:
    own = site.post("filter", {"name": "Own", "jql": "project = LAS"}, by="dev", status=200)["id"]
    body = {"name": "Own", "type": "kanban", "filterId": int(own)}
    board = site.post(f"{AGILE}/board", body, by="dev")["id"]
    assert set(site.get(f"{AGILE}/board/{board}")) == {"id", "self", "isPrivate"}
    site.delete(f"{AGILE}/board/{board}")
    site.get(f"{AGILE}/board/{board}", by="dev", status=404)


PROPERTIES: dict[str, str] = {
    "jira.clone.prefix": "CLONE -",
    "jira.date.picker.java.format": "d/MMM/yy",
    "jira.date.picker.javascript.format": "%e/%b/%y",
    "jira.date.time.picker.java.format": "dd/MMM/yy h:mm a",
    "jira.date.time.picker.javascript.format": "%e/%b/%y %I:%M %p",
    "jira.issue.actions.order": "asc",
    "jira.view.issue.links.sort.order": "type, status, priority",
    "jira.comment.collapsing.minimum.hidden": "4",
    "jira.newsletter.tip.delay.days": "7",
    "jira.lf.date.time": "h:mm a",
    "jira.lf.date.day": "EEEE h:mm a",
    "jira.lf.date.complete": "dd/MMM/yy h:mm a",
    "jira.lf.date.dmy": "dd/MMM/yy",
    "jira.date.time.picker.use.iso8061": "false",
    "jira.lf.logo.url": "/images/icon-jira-logo.png",
    "jira.lf.logo.show.application.title": "false",
    "jira.lf.favicon.url": "/favicon.ico",
    "jira.lf.favicon.hires.url": "/images/64jira.png",
    "jira.lf.navigation.bgcolour": "#0747A6",
    "jira.lf.navigation.highlightcolour": "#DEEBFF",
    "jira.lf.hero.button.base.bg.colour": "#3b7fc4",
    "jira.title": "Jira",
    "jira.option.globalsharing": "true",
    "xflow.product.suggestions.enabled": "true",
    "jira.issuenav.criteria.autoupdate": "true",
}


def test_properties_of_the_site_have_the_defaults_of_the_vendor(site: Site) -> None:
    """Each that the description tables, until somebody sets it."""
    found = {row["key"]: row for row in site.get("application-properties")}
    for key, usual in PROPERTIES.items():
        shown = found.get(key) or site.get(f"application-properties?key={key}")
        assert (shown["value"], shown.get("defaultValue", shown["value"])) == (usual, usual), key
