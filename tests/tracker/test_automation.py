"""Rules: what sets them off, what stops them, whose rights they have, what the log says."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.models import Delivery, Job, Message
from clones.tracker.domain.automation import chains
from clones.tracker.domain.automation import rules as writing
from clones.tracker.domain.automation.asking import find_hook, receive_hook, run_manually
from clones.tracker.domain.automation.exchange import export_rules, import_rules
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, Unauthenticated
from clones.tracker.models import AutomationRule, AutomationRun, Issue, Project, User
from clones.tracker.queries.rights import Rights
from tests.tracker.automation import (
    act,
    branch,
    check,
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
from tests.tracker.test_comments import paragraph as document

APP = "Automation for Jira"


def field(site: Site, key: str, name: str) -> Any:
    """Return a field of an issue, as the API says it."""
    return site.get(f"issue/{key}?fields={name}")["fields"][name]


def move(site: Site, key: str, name: str) -> None:
    """Take an issue through a transition."""
    steps = site.get(f"issue/{key}/transitions")["transitions"]
    step = next(one["id"] for one in steps if one["name"] == name)
    site.post(f"issue/{key}/transitions", {"transition": {"id": step}}, status=204)


def test_a_new_issue_sets_a_rule_off(site: Site) -> None:
    """The rule acts as the app; history and log say so; other spaces are left alone."""
    uuid = rule(
        site,
        when("created"),
        edit(
            setting("labels", "seen", "ADD"), setting("summary", "{{issue.key}} {{issue.summary}}")
        ),
        log("{{issue.key}} by {{initiator.displayName}}"),
        spaces=("LAS",),
    )
    key = site.issue("It stops", by="dev")
    site.issue("Elsewhere", project={"key": "OPS"})
    run = only(site, uuid)
    assert (run.outcome, run.issues) == ("SUCCESS", [key])
    assert step_texts(run, "log") == [f"{key} by Dev Anand"]
    assert field(site, key, "labels") == ["seen"]
    assert field(site, key, "summary") == f"{key} It stops"
    (entry,) = site.get(f"issue/{key}/changelog")["values"]
    assert entry["author"]["displayName"] == APP
    assert entry["author"]["accountType"] == "app"


def test_each_event_has_its_trigger(site: Site) -> None:
    """Updated, transitioned, assigned, commented, linked, logged, moved on: each its own."""
    one, two = site.issue("One"), site.issue("Two")
    names = ("updated", "transitioned", "assigned", "commented", "link", "worklog", "deleted")
    made = {name: rule(site, when(name), log("{{issue.key}}"), name=name) for name in names}
    site.put(f"issue/{one}", {"fields": {"summary": "Uno"}})
    assert [run.rule.name for run in runs(site)] == ["updated"]
    move(site, one, "In Progress")
    site.put(f"issue/{one}/assignee", {"accountId": site.ids["dev"]})
    site.post(f"issue/{one}/comment", {"body": document("Hi")})
    ends = {"inwardIssue": {"key": one}, "outwardIssue": {"key": two}}
    site.post("issueLink", {"type": {"name": "Blocks"}, **ends})
    site.post(f"issue/{one}/worklog", {"timeSpent": "1h"})
    site.delete(f"issue/{two}")
    found = runs(site)
    assert [run.rule.name for run in found] == list(names)
    assert step_texts(found[-1], "log") == [two]
    assert reread(site, made["link"]).memory["last"]


def test_triggers_and_conditions_choose(site: Site) -> None:
    """Statuses, monitored fields, JQL, fields, comparisons, users, related issues."""
    key = site.issue("One", priority={"name": "High"})
    to_done = [{"type": "NAME", "value": "Done"}]
    passed = rule(
        site,
        when("transitioned", toStatus=to_done),
        check("jira.jql.condition", "project = LAS AND priority = High"),
        check(
            "jira.issue.condition",
            {
                "selectedField": {"type": "ID", "value": "priority"},
                "comparison": "ONE_OF",
                "compareValue": {"type": "NAME", "value": "Highest, High"},
            },
        ),
        check(
            "jira.comparator.condition",
            {"first": "{{issue.summary.length}}", "operator": "LESS_THAN", "second": "10"},
        ),
        check(
            "jira.user.condition",
            {
                "operator": "AND",
                "conditions": [
                    {
                        "field": "initiator",
                        "check": "USER_IS",
                        "criteria": [{"type": "SMART", "value": "Ada Brandt"}],
                    },
                    {"field": "assignee", "check": "EMPTY", "criteria": []},
                ],
            },
        ),
        check("jira.issues.related.condition", {"relatedType": "linked", "operator": "notexist"}),
        log("done"),
    )
    stopped = rule(
        site,
        when("jira.issue.field.changed", fields=[{"type": "ID", "value": "status"}]),
        check("jira.jql.condition", "priority = Lowest"),
        log("{{fieldChange.fromString}} to {{fieldChange.toString}}"),
    )
    move(site, key, "In Progress")
    assert runs(site, passed) == []
    assert only(site, stopped).outcome == "NO_ACTIONS"
    move(site, key, "Done")
    run = only(site, passed)
    assert run.outcome == "SUCCESS"
    assert [step["outcome"] for step in run.steps] == ["SUCCESS"] * 7
    last = runs(site, stopped)[-1]
    assert step_texts(last) == [f"The following work items did not match the condition: {key}"]


def test_the_first_block_that_fits_is_done(site: Site) -> None:
    """If, else if, else: one of them."""

    def block(label: str, *conditions: Any) -> Any:
        return {
            "component": "CONDITION_BLOCK",
            "type": "jira.condition.if.block",
            "value": {"conditionMatchType": "ALL"},
            "conditions": list(conditions),
            "children": [edit(setting("labels", label, "ADD"))],
        }

    def named(name: str) -> Any:
        value = {"first": "{{issue.priority.name}}", "operator": "EQUALS", "second": name}
        return check("jira.comparator.condition", value)

    container = {
        "component": "CONDITION",
        "type": "jira.condition.container.block",
        "children": [block("hot", named("Highest")), block("warm", named("High")), block("cold")],
    }
    rule(site, when("created"), container, log("after"))
    keys = [site.issue("x", priority={"name": name}) for name in ("Highest", "High", "Low")]
    assert [run.outcome for run in runs(site)] == ["SUCCESS"] * 3
    assert [field(site, key, "labels") for key in keys] == [["hot"], ["warm"], ["cold"]]


def test_branches_reach_related_issues(site: Site) -> None:
    """Sub-tasks, linked ones, those of a query and those that were made; the trigger stays."""
    parent = site.issue("Parent")
    child = site.issue("Child", issuetype={"name": "Sub-task"}, parent={"key": parent})
    other = site.issue("Other")
    ends = {"inwardIssue": {"key": parent}, "outwardIssue": {"key": other}}
    site.post("issueLink", {"type": {"name": "Blocks"}, **ends})
    note = edit(setting("labels", "{{triggerIssue.key}}", "ADD"))
    uuid = rule(
        site,
        when("transitioned"),
        branch("subtasks", note),
        branch("linked", note, linkTypes=["outward:Blocks", "inward:Blocks"]),
        branch("jql", note, jql="summary ~ Third"),
        branch("parent", log("never")),
    )
    third = site.issue("Third")
    move(site, parent, "Done")
    run = only(site, uuid)
    assert run.outcome == "SUCCESS"
    assert [field(site, key, "labels") for key in (child, other, third)] == [[parent]] * 3
    assert step_texts(run, "related") == ["No related work items could be found."]
    assert run.steps[1]["issues"] == [child]


def test_what_goes_wrong_is_logged_and_told(site: Site) -> None:
    """The other actions go on; the owner is mailed once, until it works again."""
    uuid = rule(
        site,
        when("created"),
        act("jira.issue.transition", {"destinationStatus": {"type": "NAME", "value": "Nowhere"}}),
        log("{{issue.summary.toUpperCase()}}"),
    )
    broken = rule(site, when("created"), log("{{issue.key"), notify_on_error="NEVER")
    key = site.issue("one")
    run = only(site, uuid)
    assert run.outcome == "SOME_ERRORS"
    assert step_texts(run)[0].startswith("Destination status could not be resolved.")
    assert step_texts(run)[0].endswith(key)
    assert step_texts(run)[1] == "ONE"
    wrong = only(site, broken)
    assert wrong.outcome == "FAILURE"
    assert step_texts(wrong) == [
        "Error rendering smart values: A smart value is not closed: {{issue.key"
    ]
    site.issue("two")
    assert len(runs(site, uuid)) == 2
    with site.store():
        rows = list(Message.objects.filter(subject__startswith="Automation rule failed"))
    assert [row.recipients for row in rows] == [["Ada Brandt <ada@site.example>"]]
    assert "Some errors" in rows[0].text
    assert reread(site, uuid).memory["failures"] == 2


def test_rules_that_fail_again_and_again_are_turned_off(site: Site) -> None:
    """After ten times in a row."""
    uuid = rule(site, when("created"), log("{{boom()}}"), notify_on_error="NEVER")
    for _ in range(11):
        site.issue()
    assert len(runs(site, uuid)) == 10
    assert not reread(site, uuid).enabled
    with site.store():
        last = AutomationRun.objects.order_by("-id").first()
    assert last is not None
    assert last.summary == "Rule disabled: it failed 10 times in a row"


def test_rules_do_not_set_each_other_off_unless_they_may(site: Site) -> None:
    """And those that may end after ten."""
    quiet = rule(site, when("updated"), log("heard"), name="quiet")
    again = edit(setting("summary", "{{issue.summary}}+"))
    loud = rule(site, when("updated"), again, name="loud", allow_chains=True)
    rule(site, when("created"), edit(setting("labels", "new", "ADD")), name="first")
    key = site.issue("x")
    site.advance()
    found = runs(site, loud)
    # The end of the chain is written while its last link still runs.
    (stop,) = [run for run in found if run.outcome == "LOOP"]
    assert [run.outcome for run in found if run is not stop] == ["SUCCESS"] * 9
    assert "set each other off 10 times" in step_texts(stop)[0]
    assert field(site, key, "summary") == "x" + "+" * 9
    assert runs(site, quiet) == []


def test_rules_that_answer_each_other_end_soon(site: Site) -> None:
    """Each after ten runs, not after as many as their chains have ways."""
    again = edit(setting("summary", "{{issue.summary}}+"))
    made = [
        rule(site, when("updated"), again, name=f"rule {number}", allow_chains=True)
        for number in range(2)
    ]
    key = site.issue("x")
    site.put(f"/rest/api/3/issue/{key}", {"fields": {"summary": "y"}}, status=204)
    found = [runs(site, uuid) for uuid in made]
    outcomes = [run.outcome for run in found[0] + found[1]]
    assert set(outcomes) == {"SUCCESS", "LOOP"}
    assert 2 <= outcomes.count("LOOP") <= 4
    assert len(outcomes) <= 2 * chains.DEEPEST + 4


def test_all_that_follows_of_one_event_has_an_end(site: Site) -> None:
    """However many rules there are."""
    again = edit(setting("summary", "{{issue.summary}}+"))
    made = [
        rule(site, when("updated"), again, name=f"rule {number}", allow_chains=True)
        for number in range(15)
    ]
    key = site.issue("x")
    site.put(f"/rest/api/3/issue/{key}", {"fields": {"summary": "y"}}, status=204)
    found = [run.outcome for uuid in made for run in runs(site, uuid)]
    assert found.count("SUCCESS") <= chains.BUDGET + len(made)
    assert "THROTTLED" in found


def test_actors_have_their_own_rights(site: Site) -> None:
    """A rule does what its actor may, and hears only of what they see."""
    uuid = rule(
        site, when("created"), edit(setting("labels", "x", "ADD")), actor="guest", name="guest's"
    )
    key = site.issue()
    run = only(site, uuid)
    assert run.outcome == "FAILURE"
    assert step_texts(run) == [
        "Actor does not have permissions to view the event that triggered this execution"
    ]
    own = rule(site, when("commented"), edit(setting("labels", "y", "ADD")), actor="dev")
    site.post(f"issue/{key}/comment", {"body": document("Hi")})
    assert only(site, own).outcome == "SUCCESS"
    assert field(site, key, "labels") == ["y"]
    author = site.get(f"issue/{key}/changelog")["values"][-1]["author"]
    assert author["accountId"] == site.ids["dev"]


def test_scheduled_rules_run_when_they_are_due(site: Site) -> None:
    """By a rate or a cron expression; for the issues of a query; not while they are off."""
    key = site.issue("Old")
    daily = {"method": "RATE", "rate": 1, "rateInterval": 86400}
    uuid = rule(
        site,
        when(
            "jira.jql.scheduled",
            jql="summary ~ Old AND labels is EMPTY",
            executionMode="search",
            schedule=daily,
        ),
        edit(setting("labels", "stale", "ADD")),
    )
    cron = {"method": "CRON", "cronExpression": "0 0 9 ? * *", "timeZone": "UTC"}
    nine = rule(
        site,
        when("jira.jql.scheduled", executionMode="nosearch", schedule=cron),
        log('{{now.format("HH:mm")}}'),
    )
    assert runs(site) == []
    site.advance(86400)
    assert field(site, key, "labels") == ["stale"]
    assert step_texts(only(site, nine), "log") == ["09:00"]
    site.advance(86400)
    assert only(site, uuid).outcome == "SUCCESS"
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        writing.set_state(AutomationRule.objects.get(uuid=nine), enabled=False, actor=ada)
    site.advance(3 * 86400)
    assert len(runs(site, nine)) == 2
    with site.store():
        kinds = Job.objects.filter(kind="tracker.automation_timer", state="pending")
        assert kinds.count() == 1


def test_people_run_manual_rules(site: Site) -> None:
    """Of their groups, on issues that they see, with what the rule asks for."""
    with site.store():
        group = next(iter(Rights(User.objects.get(account_id=site.ids["ada"])).group_names))
    asks = when("jira.manual.trigger.issue", inputs=["reason"], groups=["site-admins"])
    uuid = rule(site, asks, log("{{userInputs.reason}} by {{initiator.displayName}}"))
    key = site.issue()
    with site.writing():
        found = AutomationRule.objects.get(uuid=uuid)
        issue = Issue.objects.select_related("project").get(key=key)
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        run_manually(found, [issue], {"reason": "Because", "other": "x"}, actor=ada)
        dev = Rights(User.objects.get(account_id=site.ids["dev"]))
        with pytest.raises(Forbidden):
            run_manually(found, [issue], {}, actor=dev)
    assert group
    assert step_texts(only(site, uuid), "log") == ["Because by Ada Brandt"]


def test_web_requests_set_rules_off(site: Site) -> None:
    """With the secret alone; issues come in the body; what is said there can be named."""
    uuid = rule(
        site,
        when("jira.incoming.webhook", searchOrProvide="provided"),
        act("jira.issue.comment", {"comment": "Build {{webhookData.build.number}}"}),
    )
    key = site.issue()
    body = {"issues": [key], "build": {"number": 17}}
    with site.writing():
        found = find_hook(uuid)
        with pytest.raises(Unauthenticated):
            receive_hook(found, "wrong", body)
        with pytest.raises(Invalid):
            receive_hook(found, found.hook, {})
        receive_hook(found, found.hook, body)
        with pytest.raises(NotFound):
            find_hook("x")
    assert only(site, uuid).outcome == "SUCCESS"
    (comment,) = site.get(f"issue/{key}/comment")["comments"]
    assert comment["author"]["displayName"] == APP
    assert comment["body"]["content"][0]["content"][0]["text"] == "Build 17"


def test_versions_and_sprints_set_rules_off(site: Site) -> None:
    """Their names are asked for, and can be named."""
    created = rule(site, when("jira.version.event.trigger:created"), log("{{version.name}}"))
    released = rule(
        site,
        when("jira.version.event.trigger:released", versionNameFilter="^1"),
        log("{{version.name}} {{version.released}}"),
        spaces=("LAS",),
    )
    las = int(site.get("project/LAS")["id"])
    ids = [site.post("version", {"name": name, "projectId": las})["id"] for name in ("1.0", "2.0")]
    for id in ids:
        site.put(f"version/{id}", {"released": True}, status=200)
    assert [step_texts(run, "log") for run in runs(site, created)] == [["1.0"], ["2.0"]]
    assert step_texts(only(site, released), "log") == ["1.0 true"]
    started = rule(site, when("jira.sprint.event.trigger:created"), log("{{sprint.name}}"))
    board = site.get("/rest/agile/1.0/board?projectKeyOrId=LAS")["values"][0]["id"]
    site.post("/rest/agile/1.0/sprint", {"name": "S 1", "originBoardId": board})
    assert step_texts(only(site, started), "log") == ["S 1"]


def test_promises_set_rules_off(site: Site) -> None:
    """When they are missed, and some time before."""
    desk = open_desk(site)
    missed = rule(site, when("jira.sla.threshold", threshold="BREACHED"), log("{{sla.name}}"))
    soon = rule(
        site,
        when("jira.sla.threshold", threshold="WILL_BREACH", minutes=30),
        act("jira.issue.comment", {"comment": "Hurry", "publicComment": False}),
        spaces=("IT",),
    )
    key = desk.ask()["issueKey"]
    site.advance(2 * 86400)
    names = {text for run in runs(site, missed) for text in step_texts(run, "log")}
    assert "Time to first response" in names
    hurried = runs(site, soon)
    assert {run.outcome for run in hurried} == {"SUCCESS"}
    comments = site.get(f"issue/{key}/comment", by="dev")["comments"]
    assert {one["jsdPublic"] for one in comments} == {False}
    assert hurried[0].started < runs(site, missed)[0].started


def test_rules_are_managed_by_those_who_run_spaces(site: Site) -> None:
    """Admins of the site everywhere; others in one space; a rule that lacks something stays off."""
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        dev = Rights(User.objects.get(account_id=site.ids["dev"]))
        las = Project.objects.get(key="LAS")
        draft = writing.RuleDraft("Empty", when("created"), [], projects=[las])
        with pytest.raises(Forbidden):
            writing.create_rule(draft, actor=dev)
        with pytest.raises(Invalid, match="needs at least one action"):
            writing.create_rule(draft, actor=ada)
        off = writing.create_rule(
            writing.RuleDraft(" Empty ", when("created"), [], projects=[las], enabled=False),
            actor=ada,
        )
        assert off.name == "Empty"
        with pytest.raises(Invalid):
            writing.set_state(off, enabled=True, actor=ada)
        writing.update_rule(off, {"components": [log("x")], "labels": ["a", " a "]}, actor=ada)
        writing.set_state(off, enabled=True, actor=ada)
        twin = writing.copy_rule(off, actor=ada)
        assert (twin.name, twin.enabled, twin.labels) == ("Copy of Empty", False, ["a"])
        file = export_rules([off], "site")
        (back,) = import_rules(file, actor=ada)
        assert (back.name, back.enabled, back.projects) == ("Empty", False, [las.id])
        assert back.components == off.components
        with pytest.raises(Invalid, match="no automation rules"):
            import_rules({"rules": []}, actor=ada)
        writing.delete_rule(twin, actor=ada)
        rows = AutomationRun.objects.filter(rule=off).order_by("id")
        assert [run.summary for run in rows] == ["Rule created", "Rule updated", "Rule enabled"]
        assert rows[1].steps[0]["messages"] == ["Labels: None → a", "Components changed"]


def test_web_requests_are_owed_like_webhooks(site: Site) -> None:
    """Address, headers and body are written out; nothing leaves a sandbox that sends nothing."""
    uuid = rule(
        site,
        when("created"),
        act(
            "jira.issue.outgoing.webhook",
            {
                "url": "https://hooks.example/{{issue.key}}",
                "method": "PUT",
                "headers": [{"name": "X-Key", "value": "{{issue.key}}"}],
                "contentType": "custom",
                "customBody": '{"summary": {{issue.summary.asJsonString}}}',
            },
        ),
    )
    key = site.issue('Say "hi"')
    assert only(site, uuid).outcome == "SUCCESS"
    with site.store():
        (owed,) = Delivery.objects.filter(clone="tracker")
    assert (owed.method, owed.url) == ("PUT", f"https://hooks.example/{key}")
    assert owed.headers == [["X-Key", key], ["Content-Type", "application/json"]]
    assert owed.body == '{"summary": "Say \\"hi\\""}'


@pytest.mark.parametrize(
    ("method", "name", "text"),
    [
        *(("POST", name, "1") for name in ("Host", "content-length", "Transfer-Encoding", "TE")),
        *(("POST", name, "1") for name in ("Proxy-Authorization", "X Y", "X:Y", "Ключ")),
        ("POST", "X-Key", "ключ"),
        ("CONNECT", "X-Key", "1"),
        ("GET /x HTTP/1.1", "X-Key", "1"),
    ],
)
def test_a_web_request_is_one_request_to_the_host_of_its_address(
    site: Site, method: str, name: str, text: str
) -> None:
    """What a rule adds changes neither where the request ends nor whose it is."""
    uuid = rule(
        site,
        when("created"),
        act(
            "jira.issue.outgoing.webhook",
            {
                "url": "https://hooks.example/",
                "method": method,
                "headers": [{"name": name, "value": text}],
            },
        ),
    )
    site.issue("An issue")
    assert only(site, uuid).outcome != "SUCCESS"
    with site.store():
        assert not Delivery.objects.filter(clone="tracker").exists()
