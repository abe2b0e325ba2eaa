"""Notification schemes: who is told of what."""

from __future__ import annotations

from tests.tracker.site import Site

PATH = "notificationscheme"


def test_a_scheme_is_made_changed_and_removed(site: Site) -> None:
    """Recipients are added and removed; a scheme in use stays."""
    told = {
        "event": {"id": "1"},
        "notifications": [
            {"notificationType": "Group", "parameter": "jira-users"},
            {"notificationType": "CurrentAssignee"},
        ],
    }
    made = site.post(PATH, {"name": "Loud", "notificationSchemeEvents": [told]})
    path = f"{PATH}/{made['id']}"
    shown = site.get(f"{path}?expand=all")
    event = shown["notificationSchemeEvents"][0]
    assert event["event"]["name"] == "Issue created"
    group, assignee = event["notifications"]
    assert (group["parameter"], group["group"]["name"]) == ("jira-users", "jira-users")
    assert group["recipient"] == group["group"]["groupId"]
    assert assignee == {"id": assignee["id"], "notificationType": "CurrentAssignee"}
    assert "notificationSchemeEvents" not in site.get(path)
    more = {"event": {"id": 6}, "notifications": [{"notificationType": "User"}]}
    more["notifications"][0]["parameter"] = site.ids["dev"]  # type: ignore[index]
    site.put(f"{path}/notification", {"notificationSchemeEvents": [more]})
    error = site.put(f"{path}/notification", {"notificationSchemeEvents": [told]}, status=400)
    assert error["errorMessages"] == ["The notification already exists in the notification scheme."]
    site.delete(f"{path}/notification/{group['id']}")
    events = site.get(f"{path}?expand=user")["notificationSchemeEvents"]
    assert [
        (one["event"]["id"], [to["notificationType"] for to in one["notifications"]])
        for one in events
    ] == [(1, ["CurrentAssignee"]), (6, ["User"])]
    assert events[1]["notifications"][0]["user"]["displayName"] == "Dev Anand"
    site.put(path, {"name": "Louder", "description": "Much"})
    site.put("project/LAS", {"notificationScheme": int(made["id"])}, status=200)
    shown = site.get("project/LAS/notificationscheme")
    assert (shown["name"], shown["description"]) == ("Louder", "Much")
    assert shown["projects"] == [int(site.get("project/LAS")["id"])]
    error = site.delete(path, status=400)
    assert error["errorMessages"] == ["The notification scheme is associated with projects."]
    usual = site.get(f"{PATH}?onlyDefault=true")["values"][0]["id"]
    site.put("project/LAS", {"notificationScheme": usual}, status=200)
    site.delete(path)
    error = site.get(path, status=404)
    assert error["errorMessages"] == [f"Notification scheme with ID {made['id']} not found."]


def test_schemes_and_their_spaces_are_listed(site: Site) -> None:
    """Those who run spaces see the schemes of those."""
    made = site.post(PATH, {"name": "Apart"})["id"]
    found = site.get(f"{PATH}?maxResults=1")
    assert ([one["name"] for one in found["values"]], found["total"]) == (["Apart"], 2)
    assert found["isLast"] is False
    las = site.get("project/LAS")["id"]
    assert site.get(f"{PATH}?projectId={las}")["values"][0]["name"].startswith("Default")
    assert site.get(f"{PATH}?id={made}&onlyDefault=true")["values"] == []
    assert site.get(PATH, by="dev")["values"] == []
    error = site.get(f"{PATH}/{made}", by="dev", status=404)
    assert error["errorMessages"] == [f"Notification scheme with ID {made} not found."]
    rows = site.get(f"{PATH}/project?maxResults=2")
    assert rows["total"] == 3
    assert rows["values"][0]["projectId"] == las
    usual = rows["values"][0]["notificationSchemeId"]
    assert site.get(f"{PATH}/project?notificationSchemeId={made}")["values"] == []
    assert site.get(f"{PATH}/project?projectId={las}")["values"] == [
        {"notificationSchemeId": usual, "projectId": las}
    ]
    error = site.get("project/LAS/notificationscheme", by="dev", status=404)
    assert error["errorMessages"] == ["The project has no notification scheme that you may see."]
    error = site.get(f"{PATH}?id=x", status=400)
    text = "x is not a valid value. id must be zero or a positive integer."
    assert error["errorMessages"] == [text]


def test_unverified_what_is_wrong_with_schemes(site: Site) -> None:
    """Events, kinds of recipients and they themselves must be known."""

    def events(id: str, kind: str, parameter: str | None = None) -> dict[str, object]:
        one = {"notificationType": kind, "parameter": parameter}
        told = {"event": {"id": id}, "notifications": [one]}
        return {"name": "New", "notificationSchemeEvents": [told]}

    for body, text in (
        ({"name": " "}, "The name of the notification scheme must not be empty."),
        (
            {"name": "default notification SCHEME"},
            "A notification scheme with the name 'default notification SCHEME' already exists.",
        ),
        (
            {"name": "N", "description": "x" * 4001},
            "The length of the description must not exceed 4000 characters.",
        ),
        (events("99", "Reporter"), "Event type with ID 99 not found."),
        (events("1", "Cat"), "Cat is not a valid notification type."),
        (events("1", "User", "x"), "The user with account ID 'x' does not exist."),
        (events("1", "Group"), "The parameter is required for the type 'group'."),
    ):
        assert site.post(PATH, body, status=400)["errorMessages"] == [text]
    error = site.post(PATH, {"name": "N"}, by="dev", status=403)
    assert error["errorMessages"] == [
        "You are not authorized to perform this action. Administrator privileges are required."
    ]
    usual = site.get(f"{PATH}?onlyDefault=true")["values"][0]["id"]
    error = site.delete(f"{PATH}/{usual}", status=400)
    assert error["errorMessages"] == ["The default notification scheme cannot be deleted."]
    error = site.delete(f"{PATH}/{usual}/notification/1", status=404)
    assert error["errorMessages"] == ["Notification with ID 1 not found."]
