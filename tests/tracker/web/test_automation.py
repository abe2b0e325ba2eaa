"""The pages of automation: the list, the builder, the log, running by hand, web requests."""

from __future__ import annotations

import json
import re
from typing import Any

from clones.tracker.models import AutomationRule
from tests.tracker.automation import log, only, reread, rule, runs, step_texts, when
from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor

SPACE = "/jira/software/c/projects/LAS/settings/automate"
SITE = "/jira/settings/automation"


def newest(site: Site) -> AutomationRule:
    """Return the rule that was made last."""
    with site.store():
        found = AutomationRule.objects.order_by("-id").first()
    assert found is not None
    return found


def test_a_rule_is_built_turned_on_and_runs(site: Site) -> None:
    """Name and trigger, a condition, an action with its form, the switch; then the log."""
    ada = visitor(site)
    assert "No rules yet" in ada.get(SPACE).main
    page = ada.get(f"{SPACE}/create")
    assert "Work item created" in page.main
    kind = "jira.issue.event.trigger:created"
    made = ada.post(f"{SPACE}/create", {"name": "Label it", "trigger": kind})
    at = f"{SPACE}/rule/{newest(site).uuid}"
    assert made.location == f"{at}?part=0"
    refused = ada.post(f"{at}/state", {"enabled": "1", "back": "rule"})
    assert refused.location == at
    assert not newest(site).enabled
    offers = ada.get(f"{at}?add=children")
    for words in ("JQL condition", "IF or ELSE block", "Branch rule", "Edit work item"):
        assert words in offers.main
    jql = ada.post(f"{at}/add", {"slot": "children", "within": "", "type": "jira.jql.condition"})
    part = jql.location.rpartition("=")[2]
    action = f"{at}/part/{part}"
    sent = {**ada.get(jql.location).form(action), "f.value": "priority = High"}
    assert ada.post(action, sent).location == f"{at}?part={part}"
    edit = ada.post(f"{at}/add", {"slot": "children", "within": "", "type": "jira.issue.edit"})
    part = edit.location.rpartition("=")[2]
    rows: dict[str, Any] = {
        "f.operations.field": ["labels", "summary"],
        "f.operations.verb": ["ADD", "SET"],
        "f.operations.value": ["hot", "{{issue.summary}}!"],
        "f.advancedFields": "",
    }
    ada.post(f"{at}/part/{part}", rows)
    ada.post(f"{at}/state", {"enabled": "1", "back": "rule"})
    chain = ada.get(at)
    assert "When: Work item created" in chain.part("automation.rule-chain")
    assert "If: JQL condition priority = High" in chain.part("automation.rule-chain")
    assert "Then: Edit work item" in chain.part("automation.rule-chain")
    assert chain.part("automation.rule.state") == "Enabled"
    key = site.issue("Stop", priority={"name": "High"})
    site.issue("Go", priority={"name": "Low"})
    assert [run.outcome for run in runs(site)] == ["SUCCESS", "NO_ACTIONS"]
    fields = site.get(f"issue/{key}")["fields"]
    assert (fields["labels"], fields["summary"]) == (["hot"], "Stop!")
    audit = ada.get(f"{at}/audit")
    assert f"Work items edited successfully: {key}" in audit.main
    assert "No actions performed" in audit.main
    assert "Rule enabled by Ada Brandt" in audit.main
    whole = ada.get(f"{SPACE}/audit")
    assert whole.main.count("Label it") >= 2


def test_components_are_arranged(site: Site) -> None:
    """Blocks get their own parts; parts move, double and go; a rule that is on stays whole."""
    ada = visitor(site)
    uuid = rule(site, when("created"), log("one"), log("two"), spaces=("LAS",))
    at = f"{SPACE}/rule/{uuid}"
    ada.post(f"{at}/part/2/up")
    assert [one["value"] for one in reread(site, uuid).components] == ["two", "one"]
    ada.post(f"{at}/part/2/duplicate")
    assert [one["value"] for one in reread(site, uuid).components] == ["two", "two", "one"]
    for part in ("2", "3"):
        ada.post(f"{at}/part/{part}/remove")
    refused = ada.post(f"{at}/part/1/remove", status=400)
    assert refused.said == ["A rule needs at least one action."]
    block = ada.post(f"{at}/add", {"slot": "children", "type": "jira.condition.container.block"})
    box = block.location.rpartition("=")[2]
    ada.post(f"{at}/add", {"slot": "block", "within": box})
    chain = ada.get(at)
    inner = re.findall(r"add=children&amp;within=(\d+)", chain.html)
    assert len(inner) == 2
    ada.post(
        f"{at}/add",
        {"slot": "conditions", "within": inner[0], "type": "jira.comparator.condition"},
    )
    ada.post(f"{at}/add", {"slot": "children", "within": inner[1], "type": "jira.issue.delete"})
    first, second = reread(site, uuid).components[-1]["children"]
    assert [one["type"] for one in first["conditions"]] == ["jira.comparator.condition"]
    assert [one["type"] for one in second["children"]] == ["jira.issue.delete"]
    ada.post(f"{at}/add", {"slot": "children", "type": "moon"}, status=404)
    ada.post(f"{at}/part/99/up", status=404)


def test_details_say_whose_rule_it_is(site: Site) -> None:
    """Name, labels, owner, actor, scope and what is told on errors."""
    ada = visitor(site)
    uuid = rule(site, when("created"), log("x"), spaces=("LAS",))
    at = f"{SITE}/rule/{uuid}"
    ops = site.get("project/OPS")["id"]
    ada.change(
        f"{at}/details",
        f"{at}/details",
        name="Better",
        labels="beam, lab",
        allow_chains=["1"],
        notify_on_error="EVERYERROR",
        owner=site.ids["dev"],
        actor=site.ids["dev"],
        scope="spaces",
        projects=[ops],
    )
    found = reread(site, uuid)
    assert (found.name, found.labels, found.allow_chains) == ("Better", ["beam", "lab"], True)
    assert (found.owner.display_name, found.actor.display_name) == ("Dev Anand", "Dev Anand")
    assert found.projects == [int(ops)]
    refused = ada.post(f"{at}/details", {"name": ""}, status=400)
    assert "The rule needs a name." in refused.said
    listed = ada.get(f"{SITE}?label=beam")
    assert "Better" in listed.main
    assert "No rules match" in ada.get(f"{SITE}?search=nothing").main


def test_rules_are_copied_exported_imported_and_deleted(site: Site) -> None:
    """Each from the list."""
    ada = visitor(site)
    uuid = rule(site, when("created"), log("x"), name="Mine", spaces=("LAS",))
    at = f"{SPACE}/rule/{uuid}"
    ada.post(f"{at}/copy")
    assert newest(site).name == "Copy of Mine"
    file = ada.client.get(f"{at}/export")
    assert "attachment" in file.headers["Content-Disposition"]
    document = json.loads(file.content)
    assert document["rules"][0]["trigger"]["type"] == "jira.issue.event.trigger:created"
    ada.post(f"{SPACE}/import", {"rules": json.dumps(document)})
    brought = newest(site)
    assert (brought.name, brought.enabled) == ("Mine", False)
    wrong = ada.post(f"{SPACE}/import", {"rules": "{"}, status=400)
    assert wrong.said == ["The file is not valid JSON."]
    assert "will be gone for good" in ada.get(f"{at}/delete").main
    ada.post(f"{at}/delete")
    ada.get(at, status=404)


def test_only_those_who_run_a_space_come_in(site: Site) -> None:
    """Developers and customers do not; neither do they see rules of the site."""
    uuid = rule(site, when("created"), log("x"), spaces=("LAS",))
    dev = visitor(site, "dev")
    for path in (SPACE, SITE, f"{SPACE}/create", f"{SPACE}/rule/{uuid}", f"{SITE}/audit"):
        dev.get(path, status=403)
    dev.post(f"{SPACE}/rule/{uuid}/delete", status=403)
    visitor(site, "cara").get(SPACE, status=403)
    assert reread(site, uuid).enabled
    other = "/jira/software/c/projects/OPS/settings/automate"
    visitor(site).get(f"{other}/rule/{uuid}", status=404)


def test_people_run_rules_from_an_issue(site: Site) -> None:
    """What it asks for is typed first; the log has it."""
    trigger = when("jira.manual.trigger.issue", inputs=["reason"], groups=[])
    uuid = rule(site, trigger, log("{{userInputs.reason}}"), name="Escalate")
    key = site.issue()
    dev = visitor(site, "dev")
    shown = dev.get(f"/browse/{key}")
    at = f"/jira/automation/run/{uuid}/{key}"
    assert shown.links("Escalate") == {"Escalate": at}
    page = dev.get(at)
    assert "reason" in page.main
    dev.post(at, {"input.reason": "It burns"})
    assert step_texts(only(site, uuid), "log") == ["It burns"]
    visitor(site, "guest").get(at, status=404)


def test_web_requests_need_the_secret(site: Site) -> None:
    """It stands in the builder; without a session the address takes JSON alone."""
    trigger = when("jira.incoming.webhook", searchOrProvide="none")
    uuid = rule(site, trigger, log("{{webhookData.a}}"))
    page = visitor(site).get(f"{SITE}/rule/{uuid}?part=0")
    address = f"/automation/webhooks/jira/a/{uuid}"
    assert address in page.main
    secret = reread(site, uuid).hook
    assert secret in page.main
    client = visitor(site).client.__class__(
        headers={"host": f"tracker.{site.row.id}.localhost:8800"}
    )

    def call(body: str, token: str, path: str = address) -> int:
        answer = client.post(
            path,
            body,
            content_type="application/json",
            headers={"X-Automation-Webhook-Token": token},
        )
        return int(answer.status_code)

    assert call('{"a": 1}', "wrong") == 401
    assert call("{", secret) == 400
    assert call("{}", secret, "/automation/webhooks/jira/a/x") == 404
    assert client.get(address).status_code == 405
    assert call('{"a": 17}', secret) == 200
    assert step_texts(only(site, uuid), "log") == ["17"]
