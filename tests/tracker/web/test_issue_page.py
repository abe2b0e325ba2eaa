"""The page of an issue: what it shows, and what its forms change."""

from __future__ import annotations

from typing import Any

from tests.tracker.boards import counted
from tests.tracker.issues import add_component, add_field, doc, last_changes
from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor


def fields(site: Site, key: str) -> Any:
    """Return the fields of an issue."""
    return site.get(f"issue/{key}")["fields"]


def test_an_issue_is_shown_to_those_who_see_it(site: Site) -> None:
    key = site.issue("Laser & mirror", description=doc("It <b>stops</b>."), labels=["hot"])
    page = visitor(site, "dev").get(f"/browse/{key}")
    assert page.part("issue.views.issue-base.foundation.summary.heading") == "Laser & mirror"
    assert page.part("issue.views.field.rich-text.description") == "It <b>stops</b>."
    assert "hot" in page.part("issue.views.field.labels")
    crumb = page.part("issue.views.issue-base.foundation.breadcrumbs.current-issue.item")
    assert crumb == key
    assert f"[{key}] Laser & mirror - Tracker" in page.html.replace("&amp;", "&")
    assert "Created " in page.part("created-date.ui.read.meta-date")
    assert visitor(site, "dev").get(f"/browse/{key.lower()}", 302).location == f"/browse/{key}"
    for login, status in (("guest", 404), ("cara", 403)):
        assert "mirror" not in visitor(site, login).get(f"/browse/{key}", status).text
    assert "Issue does not exist" in visitor(site).get("/browse/LAS-999", 404).text


def test_fields_change_in_their_places(site: Site) -> None:
    key, component = site.issue(), add_component(site, "Optics")
    choice, [first, second] = add_field(site, "select", "Bay", "One", "Two")
    rich, _ = add_field(site, "textarea", "Notes")
    number, _ = add_field(site, "float", "Weight")
    dana = site.ids["dana"]
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    cases: list[tuple[str, dict[str, Any], Any, str]] = [
        ("summary", {"summary": " Burns "}, "Burns", "summary.heading"),
        ("duedate", {"duedate": "2027-02-03"}, "2027-02-03", "Feb 3, 2027"),
        ("labels", {"labels": "red, blue"}, ["blue", "red"], "blue"),
        ("components", {"components": [component]}, None, "Optics"),
        (choice, {choice: second}, None, "Two"),
        (number, {number: "2.5"}, 2.5, "2.5"),
        (rich, {rich: "*bold*"}, None, "bold"),
        ("assignee", {"assignee": dana}, None, "Dana Ruiz"),
    ]
    for id, sent, expected, shown in cases:
        form = dev.get(at, edit=id).form(f"/fields/{id}")
        answer = dev.post(f"{at}/fields/{id}", {**form, **sent})
        assert answer.location == at, id
        if expected is not None:
            assert fields(site, key)[id] == expected
        assert shown in dev.get(at).html, id
        same = dev.get(at, edit=id).form(f"/fields/{id}")
        count = len(site.get(f"issue/{key}/changelog")["values"])
        dev.post(f"{at}/fields/{id}", same)
        assert len(site.get(f"issue/{key}/changelog")["values"]) == count, id
    found = fields(site, key)
    assert found["assignee"]["accountId"] == dana
    assert found[choice]["value"] == "Two"
    assert found[rich]["content"][0]["content"][0]["marks"] == [{"type": "strong"}]
    assert last_changes(site, key)[0][0] == "assignee"
    dev.post(f"{at}/fields/{choice}", {choice: ""})
    assert fields(site, key)[choice] is None
    assert first


def test_what_is_refused_stays_where_it_was_typed(site: Site) -> None:
    key = site.issue("Fine")
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    number, _ = add_field(site, "float", "Weight")
    for id, value, sentence in (
        ("summary", "", "You must specify a summary of the issue."),
        ("parent", "NO-1", "Could not find issue by id or key."),
        (number, "heavy", "Operation value must be a number"),
    ):
        page = dev.post(f"{at}/fields/{id}", {id: value}, 422)
        assert sentence in page.text, id
        assert page.form(f"/fields/{id}")[id] == value
        assert 'aria-invalid="true"' in page.html
    assert fields(site, key)["summary"] == "Fine"
    assert "form has expired" in dev.post(at + "/vote", {"atl_token": "x"}, 403).text
    with site.writing():
        from clones.tracker.models import PermissionGrant  # noqa: PLC0415 - the store is bound

        PermissionGrant.objects.filter(permission="EDIT_ISSUES").delete()
    assert "Edit Summary" not in dev.get(at).html
    assert "permission to edit" in dev.post(f"{at}/fields/summary", {"summary": "x"}, 403).text


def test_the_status_changes_by_the_menu(site: Site) -> None:
    key = site.issue()
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    moves = site.get(f"issue/{key}/transitions", by="dev")["transitions"]
    page = dev.get(at)
    for one in moves:
        assert one["name"] in page.text
    plain = next(one for one in moves if not one["hasScreen"])
    dev.post(f"{at}/transition/{plain['id']}", page.form(f"/transition/{plain['id']}"))
    assert fields(site, key)["status"]["id"] == plain["to"]["id"]
    page = dev.post(f"{at}/transition/9999", {}, 422)
    assert "Transition id '9999' is not valid for this issue." in page.text


def test_who_has_watches_and_wants_it(site: Site) -> None:
    key = site.issue()
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    dev.post(f"{at}/assign-to-me")
    assert fields(site, key)["assignee"]["accountId"] == site.ids["dev"]
    assert "Assign to me" not in dev.get(at).text
    dev.change(at, f"{at}/watch")
    dev.change(at, f"{at}/vote")
    assert site.get(f"issue/{key}/watchers", by="dev")["isWatching"]
    assert site.get(f"issue/{key}/votes", by="dev")["hasVoted"]
    dev.change(at, f"{at}/vote")
    assert site.get(f"issue/{key}/votes", by="dev")["votes"] == 0
    dev.change(at, f"{at}/flag")
    assert "Remove flag" in dev.get(at).main
    dev.change(at, f"{at}/flag")
    assert "Add flag" in dev.get(at).main


def test_comments_are_written_changed_and_deleted(site: Site) -> None:
    key = site.issue()
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    dev.change(at, f"{at}/comments", body="*Look* at it", audience="")
    [comment] = site.get(f"issue/{key}/comment")["comments"]
    assert comment["body"]["content"][0]["content"][0]["marks"] == [{"type": "strong"}]
    assert comment["author"]["accountId"] == site.ids["dev"]
    assert "Look at it" in dev.get(at).part("issue.activity.comments-list")
    form = dev.get(at, editComment=comment["id"]).form(f"/comments/{comment['id']}")
    assert form["body"] == "*Look* at it"
    dev.post(f"{at}/comments/{comment['id']}", {**form, "body": "Never mind"})
    assert "Never mind" in dev.get(at).main
    assert "Edited" in dev.get(at).main
    page = dev.post(f"{at}/comments", {"body": " ", "audience": ""}, 422)
    assert "Comment body can not be empty!" in page.text
    delete = f"{at}/comments/{comment['id']}/delete"
    assert "Delete this comment?" in dev.get(delete).main
    dev.change(delete, delete)
    assert site.get(f"issue/{key}/comment")["total"] == 0
    ada = visitor(site)
    chosen = next(value for value in _audiences(ada.get(at).html) if value.startswith("role:"))
    ada.post(f"{at}/comments", {"body": "Between us", "audience": chosen})
    [comment] = site.get(f"issue/{key}/comment")["comments"]
    assert comment["visibility"]["type"] == "role"
    assert "Restricted to" in ada.get(at).main
    edit = f"{at}/comments/{comment['id']}"
    form = ada.get(at, editComment=comment["id"]).form(f"/comments/{comment['id']}")
    assert form["audience"] == chosen
    ada.post(edit, {**form, "body": "Still between us"})
    assert site.get(f"issue/{key}/comment")["comments"][0]["visibility"] == comment["visibility"]
    ada.post(edit, {**form, "audience": ""})
    assert "visibility" not in site.get(f"issue/{key}/comment")["comments"][0]


def _audiences(html: str) -> list[str]:
    inner = html.partition('id="comment-audience"')[2].partition("</select>")[0]
    return [part.partition('"')[0] for part in inner.split('value="')[1:]]


def test_agents_answer_customers_or_each_other(site: Site) -> None:
    key = site.issue(project={"key": "IT"}, issuetype=_first_type(site, "IT"))
    at = f"/browse/{key}"
    ada = visitor(site)
    for internal in ("1", "0"):
        ada.change(at, f"{at}/comments", body=f"way {internal}", internal=internal)
    said = site.get(f"issue/{key}/comment")["comments"]
    assert [one["jsdPublic"] for one in said] == [False, True]
    assert "Internal note" in ada.get(at).main


def _first_type(site: Site, project: str) -> dict[str, str]:
    found = site.get(f"issue/createmeta/{project}/issuetypes")["issueTypes"]
    return {"id": next(one["id"] for one in found if one["hierarchyLevel"] == 0)}


def test_work_is_logged_and_history_told(site: Site) -> None:
    key = site.issue()
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    form = dev.get(f"{at}/worklog").form("/worklog")
    given = {**form, "spent": "2h", "started": "2026-01-05T09:30", "body": "Aligned"}
    dev.post(f"{at}/worklog", {**given, "adjust": "new", "remaining": "1d"})
    [work] = site.get(f"issue/{key}/worklog")["worklogs"]
    assert (work["timeSpentSeconds"], work["started"][:16]) == (7200, "2026-01-05T09:30")
    assert fields(site, key)["timetracking"]["remainingEstimateSeconds"] == 8 * 3600
    assert "logged 2h" in dev.get(at, tab="worklog").main
    assert "changed" in dev.get(at, tab="history").main
    page = dev.post(f"{at}/worklog", {**form, "spent": "soon"}, 422)
    assert "Invalid time duration entered." in page.text
    for name, words in (("remaining", "Set to"), ("reduce", "Reduce by")):
        page = dev.post(f"{at}/worklog", {**given, "adjust": "auto", name: "1h"}, 422)
        assert f'Choose "{words}" for the time that is typed beside it' in page.text
    assert site.get(f"issue/{key}/worklog")["total"] == 1
    dev.change(f"{at}/worklog/{work['id']}", f"{at}/worklog/{work['id']}", spent="3h")
    assert site.get(f"issue/{key}/worklog")["worklogs"][0]["timeSpentSeconds"] == 3 * 3600
    delete = f"{at}/worklog/{work['id']}/delete"
    dev.change(delete, delete)
    assert site.get(f"issue/{key}/worklog")["total"] == 0


def test_issues_are_linked_parted_and_filed(site: Site) -> None:
    key, other = site.issue("One"), site.issue("Other")
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    kind = next(
        one for one in site.get("issueLinkType")["issueLinkTypes"] if one["name"] == "Blocks"
    )
    dev.post(f"{at}/links", {"type": f"{kind['id']}:inward", "keys": other.lower()})
    [link] = fields(site, key)["issuelinks"]
    assert link["inwardIssue"]["key"] == other
    assert "is blocked by" in dev.get(at).main
    assert "blocks" in dev.get(f"/browse/{other}").main
    dev.change(at, f"{at}/links/{link['id']}/delete")
    assert fields(site, key)["issuelinks"] == []
    page = dev.post(f"{at}/links", {"type": f"{kind['id']}:inward", "keys": "NO-1"}, 422)
    assert "Issue does not exist" in page.text
    # The kind that was chosen stays, and each key that leads nowhere is named.
    assert page.form(f"{at}/links")["type"] == f"{kind['id']}:inward"
    given = {"type": f"{kind['id']}:inward", "keys": f"{other}, NO-1 NO-2"}
    (said,) = dev.post(f"{at}/links", given, 422).said
    assert "NO-1: Issue does not exist" in said
    assert "NO-2: Issue does not exist" in said
    assert other not in said
    assert fields(site, key)["issuelinks"] == []
    dev.change(at, f"{at}/children", summary="A part")
    [part] = fields(site, key)["subtasks"]
    assert part["fields"]["summary"] == "A part"
    child = dev.get(f"/browse/{part['key']}")
    assert key in child.part("issue.views.issue-base.foundation.breadcrumbs.parent-issue.item")
    assert "You must specify a summary" in dev.post(f"{at}/children", {}, 422).text


def test_pages_elsewhere_are_linked_and_let_go(site: Site) -> None:
    key = site.issue("One")
    at, api = f"/browse/{key}", f"issue/{key}/remotelink"
    dev = visitor(site, "dev")
    assert "Add web link" in dev.get(at).main
    url = "https://help.example.com/tickets/7?a=1&b=2"
    dev.change(at, f"{at}/weblinks", url=f" {url} ", title="Ticket <7>")
    dev.change(at, f"{at}/weblinks", url="https://status.example.com/")
    first, second = site.get(api)
    assert first["object"] == {"url": url, "title": "Ticket <7>"}
    assert second["object"]["title"] == "https://status.example.com/"
    assert dev.get(at).links("Ticket") == {"Ticket <7>": url}
    for typed in ("", "status.example.com"):
        page = dev.post(f"{at}/weblinks", {"url": typed, "title": "Status"}, 422)
        assert "'url' is" in page.text
    script = {"object": {"url": "javascript://%0aalert(1)", "title": "Look"}}
    site.post(api, script)
    page = dev.get(at)
    assert "Look" in page.main
    assert "javascript:" not in page.html
    dev.change(at, f"{at}/weblinks/{first['id']}/delete")
    assert [one["object"]["title"] for one in site.get(api)] == [second["object"]["title"], "Look"]
    guest = visitor(site, "guest")
    guest.post(f"{at}/weblinks", {"url": url}, 404)


def test_files_are_added_sent_and_deleted(site: Site) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile  # noqa: PLC0415 - for one test

    key = site.issue()
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    dev.post(f"{at}/files", {"file": SimpleUploadedFile("log.txt", b"line", "text/plain")})
    [file] = fields(site, key)["attachment"]
    assert (file["filename"], file["size"]) == ("log.txt", 4)
    assert "log.txt" in dev.get(at).part("issue.views.attachments")
    sent = dev.get(f"{at}/files/{file['id']}")
    assert sent.html == "line"
    assert "attachment" in sent.headers["Content-Disposition"]
    assert "Choose a file" in dev.post(f"{at}/files", {}, 422).text
    delete = f"{at}/files/{file['id']}/delete"
    dev.change(delete, delete)
    assert fields(site, key)["attachment"] == []
    other = site.issue()
    assert dev.get(f"/browse/{other}/files/{file['id']}", 404).status == 404


def test_an_issue_is_deleted_with_its_parts(site: Site) -> None:
    key = site.issue("Gone")
    at = f"/browse/{key}"
    ada = visitor(site)
    ada.post(f"{at}/children", {"summary": "Part"})
    assert "1 subtasks" in ada.get(f"{at}/delete").main
    assert ada.change(f"{at}/delete", f"{at}/delete").location == "/browse/LAS"
    site.get(f"issue/{key}", status=404)
    assert f"{key} has been deleted" in ada.get("/jira/for-you").part("flag")


def test_what_was_looked_at_is_listed(site: Site) -> None:
    key = site.issue("Seen")
    dev = visitor(site, "dev")
    assert "Seen" not in dev.get("/jira/for-you", tab="viewed").main
    assert dev.post(f"/jira/viewed/{key}", {}, 204).status == 204
    assert "Seen" in dev.get("/jira/for-you", tab="viewed").main


def test_a_page_takes_as_many_statements_for_much_as_for_little(site: Site) -> None:
    key = site.issue()
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    counts = []
    for many in (2, 6):
        for number in range(many):
            dev.post(f"{at}/comments", {"body": f"Say {number}", "audience": ""})
            dev.post(f"{at}/children", {"summary": f"Part {number}"})
        dev.get(at)
        with counted(site) as statements:
            dev.get(at, tab="all")
        counts.append(len(statements))
    assert counts[0] == counts[1] < 110


def test_a_list_that_changed_is_one_line_of_the_history(site: Site) -> None:
    space = int(site.get("project/LAS")["id"])
    for name in ("1.0", "2.0"):
        site.post("version", {"name": name, "projectId": space})
    key = site.issue(fixVersions=[{"name": "1.0"}])
    site.put(f"issue/{key}", {"fields": {"fixVersions": [{"name": "2.0"}]}})
    # The API has an item for each version that went or came, as the vendor's.
    (entry,) = site.get(f"issue/{key}/changelog")["values"]
    assert len(entry["items"]) == 2
    page = visitor(site, "dev").get(f"/browse/{key}", tab="history")
    assert "changed the Fix versions" in page.main
    assert page.html.count('class="entry__change"') == 1
    assert "1.0 to 2.0" in page.main


def test_the_history_is_told_in_words(site: Site) -> None:
    whole = site.issue("Whole", issuetype={"name": "Epic"})
    key = site.issue()
    moment, _ = add_field(site, "datetime", "Seen at")
    cascade, [above, below] = add_field(site, "cascadingselect", "Place", "Hall", "Hall/Bay")
    sent: list[tuple[dict[str, Any], str]] = [
        ({"duedate": "2026-06-20"}, "changed the Due date"),
        (
            {"timetracking": {"originalEstimate": "1w 2d 3h"}},
            "None to 1w 2d 3h",
        ),
        ({"assignee": {"accountId": site.ids["dana"]}}, "changed the Assignee"),
        ({"parent": {"key": whole}}, "changed the Parent"),
        ({"description": doc("Dust")}, "changed the Description"),
        ({cascade: {"id": above, "child": {"id": below}}}, "None to Hall - Bay"),
        ({moment: "2026-06-20T09:30:00.000+0000"}, "June 20, 2026 at"),
    ]
    for changed, _ in sent:
        site.put(f"issue/{key}", {"fields": changed})
    page = visitor(site, "dev").get(f"/browse/{key}", tab="history")
    for _, said in sent:
        assert said in page.main, page.main
    assert "None to Jun 20, 2026" in page.main
    assert "changed the Original estimate" in page.main
    assert "00:00:00" not in page.main
    # Changelogs keep the vendor's words.
    told_all = [
        (item["field"], item["toString"])
        for entry in site.get(f"issue/{key}/changelog")["values"]
        for item in entry["items"]
    ]
    assert ("duedate", "2026-06-20 00:00:00.0") in told_all
    assert ("timeoriginalestimate", str(((5 + 2) * 8 + 3) * 3600)) in told_all
