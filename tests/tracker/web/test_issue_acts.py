"""What is done to an issue as a whole: moved, converted, cloned, archived, shared, watched."""

from __future__ import annotations

from typing import Any

from clones.core.models import Message
from clones.tracker.models import Issue
from tests.tracker.boards import AGILE, board_of, sprint_on, withdraw
from tests.tracker.issues import add_component, configure, doc, last_changes
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.pages import Page


def fields(site: Site, key: str) -> Any:
    """Return the fields of an issue."""
    return site.get(f"issue/{key}")["fields"]


def kind_of(site: Site, name: str, project: str = "LAS") -> str:
    """Return the id of a type of a space."""
    kinds = site.get(f"project/{project}")["issueTypes"]
    return str(next(one["id"] for one in kinds if one["name"] == name))


def next_step(who: Visit, page: Page, action: str, status: int = 200, **changes: Any) -> Page:
    """Send the form of a step with changes and return the next step."""
    return who.post(action, {**page.form(action), **changes}, status)


def test_an_issue_is_moved_step_by_step(site: Site) -> None:
    add_component(site, "Optics")
    key = site.issue("Mirror drifts", components=[{"name": "Optics"}])
    part = site.issue("Clean it", issuetype={"name": "Sub-task"}, parent={"key": key})
    with site.writing():
        from clones.tracker.models import Status  # noqa: PLC0415 - the store is bound

        odd = Status.objects.create(id=99_001, name="Odd", category="indeterminate")
        Issue.objects.filter(key=key).update(status=odd)
    at = f"/browse/{key}/move"
    ada = visitor(site)
    assert ada.get(f"/browse/{key}").links("Move")["Move"] == at
    page = ada.get(at)
    ops = site.get("project/OPS")["id"]
    # Another space offers its own types.
    page = ada.post(at, {**page.form(at), "pid": ops, "reload": "1"}, 200)
    assert page.form(at)["pid"] == ops
    page = next_step(ada, page, at, issuetype=kind_of(site, "Task", "OPS"))
    assert "New status for Odd" in page.main
    done = next(
        one["id"]
        for kind in site.get("project/OPS/statuses")
        for one in kind["statuses"]
        if one["name"] == "Done"
    )
    page = next_step(ada, page, at, **{"status-99001": done})
    assert "with 1 subtask" in page.main
    assert f"{key} status Odd Done" in page.main
    assert f"{key} Component Optics None" in page.main
    # The last look has changed nothing.
    assert fields(site, key)["project"]["key"] == "LAS"
    assert site.get("project/OPS/statuses")
    end = ada.post(at, page.form(at))
    assert end.location == "/browse/OPS-1"
    assert f"{key} moved to OPS-1" in ada.get(end.location).part("flag")
    found = fields(site, "OPS-1")
    assert (found["project"]["key"], found["status"]["name"]) == ("OPS", "Done")
    assert found["components"] == []
    assert site.get(f"issue/{part}")["key"] == "OPS-2"
    assert {one[0] for one in last_changes(site, "OPS-1")} >= {
        "project",
        "Key",
        "status",
        "Component",
    }


def test_a_move_asks_for_what_is_required_there(site: Site) -> None:
    key = site.issue("Mirror drifts", project={"key": "OPS"})
    configure(site, "labels", is_required=True)
    at = f"/browse/{key}/move"
    ada = visitor(site)
    las = site.get("project/LAS")["id"]
    page = next_step(ada, ada.get(at), at, pid=las, issuetype=kind_of(site, "Task"))
    assert "New status for Backlog" in page.main
    page = next_step(ada, page, at)
    assert "These fields are required there." in page.main
    refused = next_step(ada, page, at, 422, labels=" ")
    assert "Labels is required." in refused.said
    page = next_step(ada, refused, at, labels="optics dust")
    assert "Confirm" in page.main
    assert ada.post(at, page.form(at)).location == "/browse/LAS-1"
    assert fields(site, "LAS-1")["labels"] == ["dust", "optics"]


def test_who_may_not_move_is_not_offered_it(site: Site) -> None:
    key = site.issue()
    withdraw(site, "MOVE_ISSUES")
    dev = visitor(site, "dev")
    assert "Move" not in dev.get(f"/browse/{key}").links("Move")
    said = dev.get(f"/browse/{key}/move", 403).text
    assert "You do not have permission to move issues in this project." in said


def test_an_issue_becomes_a_part_and_one_of_its_own_again(site: Site) -> None:
    key, whole = site.issue("Part"), site.issue("Whole")
    withdraw(site, "MOVE_ISSUES")
    dev = visitor(site, "dev")
    at = f"/browse/{key}/convert"
    assert dev.get(f"/browse/{key}").links("Convert") == {"Convert to subtask": at}
    refused = next_step(dev, dev.get(at), at, 422)
    assert "Select a parent: its key." in refused.said
    page = next_step(dev, refused, at, parent=whole.lower())
    end = dev.post(at, page.form(at))
    assert end.location == f"/browse/{key}"
    found = fields(site, key)
    assert (found["parent"]["key"], found["issuetype"]["subtask"]) == (whole, True)
    # What has parts cannot become one; a part becomes a whole.
    assert dev.get(f"/browse/{whole}").links("Convert") == {}
    assert dev.get(f"/browse/{key}").links("Convert") == {"Convert to work item": at}
    page = next_step(dev, dev.get(at), at, issuetype=kind_of(site, "Bug"))
    dev.post(at, page.form(at))
    found = fields(site, key)
    assert (found.get("parent"), found["issuetype"]["name"]) == (None, "Bug")


def test_an_issue_is_cloned_with_what_is_wanted(site: Site) -> None:
    dana = {"accountId": site.ids["dana"]}
    other = site.issue("Other")
    key = site.issue(
        "Mirror", labels=["hot"], assignee=dana, description=doc("Dust"), duedate="2026-09-09"
    )
    site.issue("Part", issuetype={"name": "Sub-task"}, parent={"key": key})
    sent = {
        "type": {"name": "Blocks"}, "inwardIssue": {"key": key}, "outwardIssue": {"key": other},
    }  # fmt: skip
    site.post("issueLink", sent)
    board = board_of(site)
    sprint = sprint_on(site, board, "One")
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": [key]}, status=204)
    dev = visitor(site, "dev")
    at = f"/browse/{key}/clone"
    form = dev.get(at).form(at)
    assert form["summary"] == "CLONE - Mirror"
    refused = dev.post(at, {**form, "summary": " "}, 422)
    assert "You must specify a summary of the issue." in refused.said
    end = dev.post(at, {**form, "links": "1", "subtasks": "1", "sprint": "1"})
    made = end.location.rpartition("/")[2]
    found = fields(site, made)
    assert (found["summary"], found["labels"]) == ("CLONE - Mirror", ["hot"])
    assert (found["assignee"]["accountId"], found["duedate"]) == (dana["accountId"], "2026-09-09")
    assert found["description"] == doc("Dust")
    assert found["creator"]["accountId"] == site.ids["dev"]
    assert [one["fields"]["summary"] for one in found["subtasks"]] == ["Part"]
    links = {
        (one["type"]["name"], (one.get("outwardIssue") or one["inwardIssue"])["key"])
        for one in found["issuelinks"]
    }
    assert links == {("Cloners", key), ("Blocks", other)}
    inside = site.get(f"{AGILE}/sprint/{sprint}/issue")["issues"]
    assert made in [one["key"] for one in inside]
    # Alone it brings its fields only.
    plain = dev.post(at, form).location.rpartition("/")[2]
    found = fields(site, plain)
    assert (found["subtasks"], len(found["issuelinks"])) == ([], 1)
    withdraw(site, "CREATE_ISSUES")
    assert "permission to create" in dev.get(at, 403).text


def test_admins_archive_and_restore(site: Site) -> None:
    key = site.issue("Old")
    at = f"/browse/{key}"
    dev, ada = visitor(site, "dev"), visitor(site)
    assert "Archive" not in dev.get(at).links("Archive")
    dev.post(f"{at}/archive", {}, 403)
    ada.change(f"{at}/archive", f"{at}/archive")
    page = ada.get(at)
    assert "This work item is archived" in page.main
    assert "Edit Summary" not in page.html
    assert page.links("Clone") == {}
    jql = {"jql": "project = LAS", "fields": ["summary"]}
    assert site.post("search/jql", jql, status=200)["issues"] == []
    dev.post(f"{at}/restore", {}, 403)
    ada.change(at, f"{at}/restore")
    assert len(site.post("search/jql", jql, status=200)["issues"]) == 1
    assert "is archived" not in ada.get(at).main


def test_watchers_are_added_and_removed_by_who_manages_them(site: Site) -> None:
    key = site.issue()
    at = f"/browse/{key}/watchers"
    ada, dev = visitor(site), visitor(site, "dev")
    ada.post(at, {"add": site.ids["dana"]}, 200)
    names = [one["displayName"] for one in site.get(f"issue/{key}/watchers")["watchers"]]
    assert names == ["Ada Brandt", "Dana Ruiz"]
    refused = ada.post(at, {"add": site.ids["guest"]}, 422)
    assert "does not have permission to view this issue" in refused.said[0]
    page = ada.post(at, {"remove": site.ids["dana"]}, 200)
    assert "Dana Ruiz" not in page.main.partition("Add watchers")[0]
    assert site.get(f"issue/{key}/watchers")["watchCount"] == 1
    withdraw(site, "MANAGE_WATCHERS")
    assert not dev.get(at).has_form("/watchers")
    dev.post(at, {"add": site.ids["dana"]}, 403)
    dev.change(f"/browse/{key}", f"/browse/{key}/vote")
    assert "Dev Anand" in dev.get(f"/browse/{key}/voters").main
    withdraw(site, "VIEW_VOTERS_AND_WATCHERS")
    dev.get(f"/browse/{key}/voters", 403)
    assert "View voters" not in dev.get(f"/browse/{key}").main


def test_an_issue_is_shared_by_mail(site: Site) -> None:
    key = site.issue("Mirror drifts")
    at = f"/browse/{key}/share"
    dev = visitor(site, "dev")
    refused = dev.post(at, {"people": [], "message": "Look"}, 422)
    assert "Select at least one person to share with." in refused.said
    assert refused.form(at)["message"] == "Look"
    refused = dev.post(at, {"people": [site.ids["guest"]]}, 422)
    assert "None of them can see this work item." in refused.said
    with site.writing():
        Message.objects.filter(clone="tracker").delete()
    dev.post(at, {"people": [site.ids["dana"], site.ids["guest"]], "message": "Please look"})
    with site.store():
        (row,) = Message.objects.filter(clone="tracker")
    assert row.recipients == ["Dana Ruiz <dana@site.example>"]
    assert row.subject == f"Dev Anand shared “{key} Mirror drifts” with you"
    assert "Please look" in row.text
    assert f"/browse/{key}" in row.text
    assert "Shared with Dana Ruiz" in dev.get(f"/browse/{key}").part("flag")


def test_comments_have_addresses(site: Site) -> None:
    key = site.issue()
    for number in range(25):
        site.post(f"issue/{key}/comment", {"body": doc(f"Say {number}")})
    first = site.get(f"issue/{key}/comment?maxResults=1")["comments"][0]["id"]
    dev = visitor(site, "dev")
    assert "Say 0" not in dev.get(f"/browse/{key}").main
    page = dev.get(f"/browse/{key}", focusedCommentId=first)
    assert "Say 0" in page.main
    assert f'entry--focused" id="comment-{first}"' in page.html
    address = f"/browse/{key}?focusedCommentId={first}#comment-{first}"
    assert address in page.links("Link to comment").values()


def test_the_history_begins_with_the_issue(site: Site) -> None:
    key = site.issue(by="dev")
    site.put(f"issue/{key}", {"fields": {"labels": ["hot"]}})
    page = visitor(site, "dev").get(f"/browse/{key}", tab="history")
    said = page.main
    assert "Dev Anand created the work item" in said
    assert "Ada Brandt changed the Labels" in said
    assert said.index("changed the Labels") < said.index("created the work item")


def test_people_are_offered_to_be_named(site: Site) -> None:
    key = site.issue(assignee={"accountId": site.ids["dana"]})
    dev = visitor(site, "dev")
    found = dev.client.get(f"/browse/{key}/mentions?q=d").json()["people"]
    assert [one["name"] for one in found] == ["Dana Ruiz", "Dev Anand"]
    assert found[0]["id"] == site.ids["dana"]
    names = [one["name"] for one in dev.client.get(f"/browse/{key}/mentions?q=ru").json()["people"]]
    assert names == ["Dana Ruiz"]
    dev.change(f"/browse/{key}", f"/browse/{key}/comments", body=f"[~accountid:{found[0]['id']}] x")
    body = site.get(f"issue/{key}/comment")["comments"][0]["body"]
    mention = body["content"][0]["content"][0]
    assert (mention["type"], mention["attrs"]["id"]) == ("mention", site.ids["dana"])
    assert visitor(site, "guest").get(f"/browse/{key}/mentions", 404).status == 404


def test_an_issue_can_be_printed(site: Site) -> None:
    key = site.issue("Mirror & dust", description=doc("Wipe it"), labels=["hot"])
    site.post(f"issue/{key}/comment", {"body": doc("Wiped")})
    dev = visitor(site, "dev")
    address = dev.get(f"/browse/{key}").links("Print")["Print"]
    page = dev.get(address)
    for text in (f"[{key}] Mirror & dust", "Wipe it", "Wiped", "hot"):
        assert text in page.text
    assert "Sidebar" not in page.html
    visitor(site, "guest").get(address, 404)


TASKS = {
    "type": "taskList",
    "attrs": {"localId": "list"},
    "content": [
        {
            "type": "taskItem",
            "attrs": {"localId": "one", "state": "DONE"},
            "content": [{"type": "text", "text": "Wipe"}],
        }
    ],
}
PANEL = {
    "type": "expand",
    "attrs": {"title": "More"},
    "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Inside"}]}],
}


def paragraph(text: str) -> dict[str, Any]:
    """Return a paragraph of one text."""
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]}


def test_blocks_that_nobody_touched_survive_an_edit(site: Site) -> None:
    before: dict[str, Any] = {
        "type": "doc", "version": 1,
        "content": [paragraph("First"), TASKS, PANEL, paragraph("Last")],
    }  # fmt: skip
    key = site.issue(description=before)
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    form = dev.get(at, edit="description").form("/fields/description")
    dev.post(f"{at}/fields/description", form)
    assert fields(site, key)["description"] == before
    text = form["description"].replace("Last", "The end").replace("First", "The *start*")
    dev.post(f"{at}/fields/description", {**form, "description": text})
    found = fields(site, key)["description"]["content"]
    assert found[1:3] == [TASKS, PANEL]
    assert found[3] == paragraph("The end")
    assert found[0]["content"][1]["marks"] == [{"type": "strong"}]
    site.post(f"issue/{key}/comment", {"body": before})
    [comment] = site.get(f"issue/{key}/comment")["comments"]
    ada = visitor(site)
    sent = ada.get(at, editComment=comment["id"]).form(f"/comments/{comment['id']}")
    sent["body"] = sent["body"].replace("Last", "The end")
    ada.post(f"{at}/comments/{comment['id']}", sent)
    [comment] = site.get(f"issue/{key}/comment")["comments"]
    assert comment["body"]["content"] == [*before["content"][:3], paragraph("The end")]
