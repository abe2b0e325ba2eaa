"""What rules do: each kind of action, by what the API then says."""

from __future__ import annotations

from typing import Any

from clones.core.models import Message
from tests.tracker.automation import (
    act,
    edit,
    log,
    only,
    reread,
    rule,
    runs,
    setting,
    step_texts,
    when,
)
from tests.tracker.desk_site import open_desk
from tests.tracker.site import Site


def shown(site: Site, key: str) -> Any:
    """Return the fields of an issue."""
    return site.get(f"issue/{key}")["fields"]


def test_fields_of_all_kinds_are_set(site: Site) -> None:
    """By names, ids and smart values; copied, cleared, added to and taken from."""
    site.post("component", {"name": "Beam", "project": "LAS"})
    las = int(site.get("project/LAS")["id"])
    site.post("version", {"name": "1.0", "projectId": las})
    points = next(one for one in site.get("field") if one["name"] == "Story point estimate")["id"]
    more = '{"fields": {"environment": "Lab {{issue.key}}"}, "update": {"labels": [{"add": "z"}]}}'
    action = edit(
        setting("priority", "Highest"),
        setting("assignee", {"type": "COPY", "value": "reporter"}),
        setting("duedate", "{{now.plusDays(3)}}"),
        setting("components", [{"type": "NAME", "value": "Beam"}]),
        setting("fixVersions", "1.0", "ADD"),
        setting("description", "*{{issue.summary}}* for {{issue.project.name}}"),
        setting(points, "{{#=}}2 * 4{{/}}"),
        setting("nothing", "x"),
    )
    action["value"]["advancedFields"] = more
    uuid = rule(site, when("created"), action)
    key = site.issue("It stops", labels=["a"], by="dev")
    run = only(site, uuid)
    assert step_texts(run, "edit") == [
        f"Work items edited successfully: {key} The field nothing is not available and was ignored."
    ]
    found = shown(site, key)
    assert found["priority"]["name"] == "Highest"
    assert found["assignee"]["accountId"] == site.ids["dev"]
    assert found["duedate"] == "2026-06-19"
    assert [one["name"] for one in found["components"]] == ["Beam"]
    assert [one["name"] for one in found["fixVersions"]] == ["1.0"]
    (first, second) = found["description"]["content"][0]["content"]
    assert (first["text"], first["marks"]) == ("It stops", [{"type": "strong"}])
    assert second["text"] == " for Laser control"
    assert found[points] == 8
    assert found["labels"] == ["a", "z"]
    clear = edit(setting("duedate", None), setting("labels", "a", "REMOVE"))
    rule(site, when("commented"), clear)
    body = {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [
        {"type": "text", "text": "x"}]}]}  # fmt: skip
    site.post(f"issue/{key}/comment", {"body": body})
    site.advance()
    found = shown(site, key)
    assert (found["duedate"], found["labels"]) == (None, ["z"])


def test_issues_are_made(site: Site) -> None:
    """New ones, sub-tasks, clones and links; the next components know of them."""
    create = act(
        "jira.issue.create",
        {
            "operations": [
                setting("project", {"type": "ID", "value": site.get("project/OPS")["id"]}),
                setting("issuetype", {"type": "NAME", "value": "Task"}),
                setting("summary", "Deploy {{issue.key}}"),
            ]
        },
    )
    linked = {"linkType": "outward:Blocks", "issue": {"copy": "created", "value": ""}}
    uuid = rule(
        site,
        when("created"),
        create,
        act("jira.issue.link", linked),
        act("jira.issue.create.subtasks", {"subtasks": ["Check {{issue.key}}", "Tell"]}),
        act("jira.issue.clone", {"operations": [setting("summary", "Twin of {{issue.key}}")]}),
        log("{{createdIssues.size}} {{createdIssue.summary}}"),
        spaces=("LAS",),
    )
    key = site.issue("First")
    run = only(site, uuid)
    assert run.outcome == "SUCCESS", run.steps
    assert step_texts(run, "log") == [f"4 Twin of {key}"]
    found = shown(site, key)
    assert [one["fields"]["summary"] for one in found["subtasks"]] == [f"Check {key}", "Tell"]
    by_name = {one["type"]["name"]: one for one in found["issuelinks"]}
    assert by_name["Blocks"]["outwardIssue"]["key"].startswith("OPS-")
    assert by_name["Blocks"]["outwardIssue"]["fields"]["summary"] == f"Deploy {key}"
    assert by_name["Cloners"]["inwardIssue"]["fields"]["summary"] == f"Twin of {key}"


def test_issues_are_given_to_people(site: Site) -> None:
    """To whom a text names, in turn, by their load, to nobody."""
    people = [site.ids["dev"], site.ids["dana"]]
    turn = {"assignType": "ROUND_ROBIN", "assignee": {"type": "ID", "values": people}}
    uuid = rule(site, when("created"), act("jira.issue.assign", turn))
    keys = [site.issue(str(number)) for number in range(3)]
    site.advance()
    names = [shown(site, key)["assignee"]["displayName"] for key in keys]
    assert names == ["Dev Anand", "Dana Ruiz", "Dev Anand"]
    assert list(reread(site, uuid).memory["turns"].values()) == [site.ids["dev"]]
    load = {"assignType": "BALANCED", "assignee": {"type": "ID", "values": people}}
    rule(site, when("updated"), act("jira.issue.assign", load))
    free = site.issue("3", project={"key": "LAS"})
    site.advance()
    site.put(f"issue/{free}", {"fields": {"assignee": None, "summary": "four"}})
    site.advance()
    assert shown(site, free)["assignee"]["displayName"] == "Dana Ruiz"
    named = {"assignType": "SPECIFY_USER", "assignee": {"type": "SMART", "value": "Nobody Here"}}
    wrong = rule(site, when("worklog"), act("jira.issue.assign", named))
    site.post(f"issue/{free}/worklog", {"timeSpent": "1h"})
    assert step_texts(only(site, wrong), "assign") == ["The user could not be found: Nobody Here"]


def test_issues_move_and_go(site: Site) -> None:
    """To a status by its name, with fields on the way; deleted with their parts."""
    go = {
        "destinationStatus": {"type": "NAME", "value": "Done"},
        "operations": [],
    }
    uuid = rule(
        site,
        when("created"),
        act("jira.issue.transition", go),
        act("jira.issue.refresh.issue"),
        log("{{issue.status.name}} {{triggerIssue.status.statusCategory.name}}"),
    )
    key = site.issue()
    run = only(site, uuid)
    assert step_texts(run, "transition") == [f"Work items transitioned to Done: {key}"]
    assert step_texts(run, "log") == ["Done Done"]
    assert shown(site, key)["status"]["name"] == "Done"
    rule(site, when("worklog"), act("jira.issue.delete"))
    site.post(f"issue/{key}/worklog", {"timeSpent": "1h"})
    site.advance()
    site.get(f"issue/{key}", status=404)


def test_runs_keep_values(site: Site) -> None:
    """Variables, found issues, properties, logged work, watchers."""
    site.issue("Old one")
    variable = {"name": {"value": "who"}, "query": {"value": "{{issue.reporter.displayName}}"}}
    uuid = rule(
        site,
        when("commented"),
        act("jira.create.variable", variable),
        act("jira.lookup.issues", {"query": {"value": "project = {{issue.project.key}}"}}),
        act(
            "jira.set.entity.property",
            {"entityType": "issue", "key": "seen", "value": '{"by": "{{who}}"}'},
        ),
        act("jira.issue.log.work", {"timeSpent": "2h", "comment": "{{comment.body}}"}),
        act(
            "jira.issue.manage.watchers", {"addWatchers": [{"type": "FREE", "value": "Dana Ruiz"}]}
        ),
        log("{{who}}: {{lookupIssues.size}} {{#lookupIssues}}{{summary}};{{/}}"),
        actor="ada",
    )
    key = site.issue("New one", by="dev")
    body = {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [
        {"type": "text", "text": "Two hours"}]}]}  # fmt: skip
    site.post(f"issue/{key}/comment", {"body": body})
    run = only(site, uuid)
    assert run.outcome == "SUCCESS", run.steps
    assert step_texts(run, "log")[-1] == "Dev Anand: 2 New one;Old one;"
    assert site.get(f"issue/{key}/properties/seen")["value"] == {"by": "Dev Anand"}
    (work,) = site.get(f"issue/{key}/worklog")["worklogs"]
    assert work["timeSpentSeconds"] == 7200
    assert work["comment"]["content"][0]["content"][0]["text"] == "Two hours"
    watching = site.get(f"issue/{key}/watchers")["watchers"]
    assert "Dana Ruiz" in [one["displayName"] for one in watching]


def test_mail_is_sent_in_the_rules_own_words(site: Site) -> None:
    """To people by their part, to addresses, to groups; each once."""
    uuid = rule(
        site,
        when("created"),
        act(
            "jira.issue.outgoing.email",
            {
                "to": [
                    {"type": "COPY", "value": "reporter"},
                    {"type": "FREE", "value": "help@firm.example"},
                ],
                "cc": [{"type": "SMART", "value": "{{issue.reporter.emailAddress}}"}],
                "bcc": [{"type": "ID", "value": site.ids["dana"]}],
                "subject": "[{{issue.key}}] {{issue.summary}}",
                "body": "Hello,\n<b>{{issue.summary}}</b>",
            },
        ),
    )
    key = site.issue("It & stops", by="dev")
    assert only(site, uuid).outcome == "SUCCESS"
    with site.store():
        rows = list(Message.objects.filter(subject=f"[{key}] It & stops").order_by("id"))
    first, hidden = rows
    assert first.recipients == ["Dev Anand <dev@site.example>", "help@firm.example"]
    assert first.html == "Hello,<br>\n<b>It & stops</b>"
    assert first.text == "Hello,\nIt & stops"
    assert first.sender.startswith("Automation for Jira <")
    assert hidden.recipients == ["Dana Ruiz <dana@site.example>"]
    assert first.headers["Auto-Submitted"] == "auto-generated"


def test_comments_at_desks_are_internal_unless_they_are_public(site: Site) -> None:
    """And with the switch, said once only."""
    desk = open_desk(site)
    once = {"comment": "Welcome", "publicComment": True, "addCommentOnce": True}
    rule(
        site,
        when("created"),
        act("jira.issue.comment", {"comment": "For us"}),
        act("jira.issue.comment", once),
        act("jira.issue.comment", once),
        spaces=("IT",),
    )
    key = desk.ask()["issueKey"]
    (run,) = runs(site)
    assert step_texts(run, "comment")[-1] == f"The comment was there already on work items: {key}"
    comments = desk.get(f"request/{key}/comment")["values"]
    assert [(one["body"], one["public"]) for one in comments] == [
        ("For us", False),
        ("Welcome", True),
    ]
    seen = desk.get(f"request/{key}/comment", by="cara")["values"]
    assert [one["body"] for one in seen] == ["Welcome"]


def test_versions_are_made_and_released(site: Site) -> None:
    """In the space of the run."""
    rule(
        site,
        when("created"),
        act("jira.version.create", {"name": "{{issue.summary}}", "releaseDate": "{{now}}"}),
        act("jira.version.release", {"version": "{{issue.summary}}"}),
        spaces=("LAS",),
    )
    site.issue("3.1")
    site.advance()
    (found,) = site.get("project/LAS/versions")
    assert (found["name"], found["released"], found["releaseDate"]) == ("3.1", True, "2026-06-16")
