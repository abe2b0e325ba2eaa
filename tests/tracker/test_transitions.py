"""Transitions: which there are, what they ask for, and what they do to an issue."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clones.tracker.models import (
    ChangeItem,
    Issue,
    PermissionGrant,
    ProjectRole,
    Screen,
    User,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.transitions import available
from tests.tracker.conftest import Site
from tests.tracker.workflows import all_of, change, rule

DONE = "31"


def moves(site: Site, key: str, query: str = "", *, by: str | None = "ada") -> dict[str, Any]:
    """Return the transitions of an issue by name."""
    found = site.get(f"issue/{key}/transitions{query}", by=by)
    assert found["expand"] == "transitions"
    return {move["name"]: move for move in found["transitions"]}


def take(
    site: Site, key: str, id: str = DONE, *, by: str | None = "ada", status: int = 204, **more: Any
) -> Any:
    """Take a transition."""
    body = {"transition": {"id": id}, **more}
    return site.post(f"issue/{key}/transitions", body, by=by, status=status)


def history(site: Site, key: str) -> list[tuple[str, str | None, str | None]]:
    """Return what changed in an issue: field, before, after."""
    with site.store():
        rows = ChangeItem.objects.filter(issue__key=key).order_by("id")
        return [(row.field, row.old_string, row.new_string) for row in rows]


def test_a_board_workflow_resolves_what_is_done_and_clears_it_again(site: Site) -> None:
    key = site.issue()
    found = moves(site, key)
    assert list(found) == ["To Do", "In Progress", "Done"]
    assert found["Done"]["id"] == "31"
    assert found["Done"]["to"]["statusCategory"]["key"] == "done"
    assert (found["Done"]["isGlobal"], found["Done"]["hasScreen"]) == (True, False)
    assert found["To Do"]["isLooped"] is True
    begun = site.get(f"issue/{key}")["fields"]
    take(site, key)
    fields = site.get(f"issue/{key}")["fields"]
    assert fields["status"]["name"] == "Done"
    assert fields["resolution"]["name"] == "Done"
    assert fields["resolutiondate"] is not None
    assert fields["statuscategorychangedate"] > begun["statuscategorychangedate"]
    assert history(site, key) == [("resolution", None, "Done"), ("status", "To Do", "Done")]
    with site.store():
        assert len({item.group_id for item in ChangeItem.objects.all()}) == 1
    take(site, key, "21", by="dev")
    fields = site.get(f"issue/{key}")["fields"]
    assert (fields["resolution"], fields["resolutiondate"]) == (None, None)
    assert fields["status"]["name"] == "In Progress"


def test_a_done_status_without_a_rule_leaves_the_issue_unresolved(site: Site) -> None:
    change(site, DONE, actions=[])
    key = site.issue()
    take(site, key)
    fields = site.get(f"issue/{key}")["fields"]
    assert fields["status"]["statusCategory"]["key"] == "done"
    assert (fields["resolution"], fields["resolutiondate"]) == (None, None)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "Missing 'transition' identifier"),
        ({"transition": {}}, "Missing 'transition' identifier"),
        ({"transition": {"id": "Done"}}, "'transition' identifier must be an integer"),
        ({"transition": {"id": "99"}}, "Transition id '99' is not valid for this issue."),
    ],
)
def test_a_transition_must_be_named_and_be_there(
    site: Site, body: dict[str, Any], message: str
) -> None:
    key = site.issue()
    found = site.post(f"issue/{key}/transitions", body, status=400)
    assert found == {"errorMessages": [message], "errors": {}}


def test_who_may_not_move_an_issue_sees_nothing_or_no_transitions(site: Site) -> None:
    key = site.issue()
    gone = "Issue does not exist or you do not have permission to see it."
    refused = {"errorMessages": [gone], "errors": {}}
    assert site.get("issue/LAS-99/transitions", status=404) == refused
    assert take(site, key, by="guest", status=404) == refused
    assert take(site, key, by=None, status=404) == refused
    with site.writing():
        PermissionGrant.objects.filter(permission="TRANSITION_ISSUES").delete()
    assert moves(site, key) == {}
    found = take(site, key, status=403)
    assert found["errorMessages"] == ["You do not have permission to transition this issue."]
    assert moves(site, key, "?transitionId=31") == {}


def test_one_transition_can_be_asked_for_and_an_unknown_one_is_an_empty_list(site: Site) -> None:
    key = site.issue()
    assert list(moves(site, key, "?transitionId=21")) == ["In Progress"]
    assert moves(site, key, "?transitionId=77") == {}
    assert list(moves(site, key, "?sortByOpsBarAndStatus=true")) == ["To Do", "In Progress", "Done"]


def test_a_screen_says_what_may_and_must_be_set_on_the_way(site: Site) -> None:
    change(site, DONE, actions=[], transitionScreen=resolve_screen(site))
    key = site.issue()
    done = moves(site, key, "?expand=transitions.fields")["Done"]
    assert done["hasScreen"] is True
    assert done["fields"]["resolution"]["required"] is True
    assert {one["name"] for one in done["fields"]["resolution"]["allowedValues"]} >= {"Done"}
    assert "summary" not in done["fields"]
    assert moves(site, key, "?expand=transitions.fields")["To Do"]["fields"] == {}
    off = take(site, key, fields={"summary": "Other"}, status=400)
    text = "Field 'summary' cannot be set. It is not on the appropriate screen, or unknown."
    assert off == {"errorMessages": [], "errors": {"summary": text}}
    off = take(site, key, "21", fields={"resolution": {"name": "Done"}}, status=400)
    assert list(off["errors"]) == ["resolution"]
    said = {"comment": [{"add": {"body": document("Mended in 4.2")}}]}
    fields = {"resolution": {"name": "Won't Do"}, "assignee": {"accountId": site.ids["dev"]}}
    plain = {"comment": [{"add": {"body": "Mended in *4.1*"}}]}
    second = f"/rest/api/2/issue/{key}/transitions"
    again = {"transition": {"id": DONE}, "fields": {"resolution": {"name": "Done"}}}
    site.post(second, {**again, "update": plain}, status=204)
    take(site, key, fields=fields, update=said)
    shown = site.get(f"issue/{key}")["fields"]
    assert shown["resolution"]["name"] == "Won't Do"
    assert shown["assignee"]["displayName"] == "Dev Anand"
    assert shown["resolutiondate"] is not None
    assert shown["comment"]["total"] == 2
    marks = shown["comment"]["comments"][0]["body"]["content"][0]["content"][1]["marks"]
    assert marks == [{"type": "strong"}]
    assert {field for field, _, _ in history(site, key)} == {"resolution", "assignee", "status"}


def test_unverified_a_resolution_on_a_screen_must_be_chosen(site: Site) -> None:
    change(site, DONE, actions=[], transitionScreen=resolve_screen(site))
    found = take(site, site.issue(), status=400)
    assert found == {"errorMessages": [], "errors": {"resolution": "Resolution is required."}}


def resolve_screen(site: Site) -> dict[str, Any]:
    """Return the rule that shows people the screen on which work is resolved."""
    with site.store():
        screen = Screen.objects.get(name="Resolve Issue Screen")
    return rule("transition-screen", screenId=str(screen.id))


def document(text: str) -> dict[str, Any]:
    """Return the document of a line."""
    line = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
    return {"type": "doc", "version": 1, "content": [line]}


def test_a_comment_is_dropped_where_there_is_no_screen(site: Site) -> None:
    key = site.issue()
    take(site, key, update={"comment": [{"add": {"body": document("Lost")}}]})
    shown = site.get(f"issue/{key}")["fields"]
    assert (shown["status"]["name"], shown["comment"]["total"]) == ("Done", 0)


def test_history_metadata_and_properties_go_with_a_transition(site: Site) -> None:
    key = site.issue()
    said = {"type": "myplugin:type", "description": "by the robot"}
    pairs = [{"key": "build", "value": {"number": 7}}]
    take(site, key, historyMetadata=said, properties=pairs)
    assert site.get(f"issue/{key}/properties/build")["value"] == {"number": 7}
    with site.store():
        [item] = ChangeItem.objects.filter(issue__key=key, field="status")
        assert item.group.metadata == said


def _conditions(site: Site) -> dict[str, tuple[dict[str, Any], set[str]]]:
    """Return conditions by what they are about, and who passes them on an issue of dev's."""
    with site.store():
        admins = ProjectRole.objects.get(name="Administrators")
        group = next(iter(Rights(User.objects.get(account_id=site.ids["dev"])).group_uuids))
    return {
        "the assignee": (
            rule("restrict-issue-transition", accountIds="allow-assignee"),
            {"dev"},
        ),
        "the reporter or dana": (
            rule("restrict-issue-transition", accountIds=f"allow-reporter,{site.ids['dana']}"),
            {"ada", "dana"},
        ),
        "a role": (rule("restrict-issue-transition", roleIds=str(admins.id)), {"ada"}),
        "a group": (rule("restrict-issue-transition", groupIds=group), {"ada", "dev", "dana"}),
        "a permission": (
            rule("restrict-issue-transition", permissionKeys="ADMINISTER_PROJECTS"),
            {"ada"},
        ),
        "any criterion": (
            rule(
                "restrict-issue-transition",
                accountIds="allow-assignee",
                permissionKeys="ADMINISTER_PROJECTS",
            ),
            {"ada", "dev"},
        ),
    }


def test_conditions_hide_a_transition_from_those_they_are_not_for(site: Site) -> None:
    key = site.issue(assignee={"accountId": site.ids["dev"]})
    for about, (condition, allowed) in _conditions(site).items():
        change(site, DONE, conditions=all_of(condition))
        seen = {who for who in ("ada", "dev", "dana") if "Done" in moves(site, key, by=who)}
        assert seen == allowed, about
    assert moves(site, key, by="dev")["Done"]["isConditional"] is True
    shown = moves(site, key, "?includeUnavailableTransitions=true", by="dana")["Done"]
    assert shown["isAvailable"] is False
    found = take(site, key, by="dana", status=400)
    assert found["errorMessages"] == ["Transition id '31' is not valid for this issue."]


def test_any_and_all_of_conditions_nest(site: Site) -> None:
    key = site.issue(assignee={"accountId": site.ids["dev"]}, priority={"name": "High"})
    high = rule(
        "check-field-value",
        fieldId="priority",
        fieldValue='["High"]',
        comparator="=",
        comparisonType="STRING",
    )
    mine = rule("restrict-issue-transition", accountIds="allow-assignee")
    tree = {
        "operation": "ALL",
        "conditions": [high],
        "conditionGroups": [{"operation": "ANY", "conditions": [mine], "conditionGroups": []}],
    }
    change(site, DONE, conditions=tree)
    assert "Done" in moves(site, key, by="dev")
    assert "Done" not in moves(site, key)
    site.put(f"issue/{key}", {"fields": {"priority": {"name": "Low"}}})
    assert "Done" not in moves(site, key, by="dev")
    change(site, DONE, conditions={**tree, "operation": "ANY"})
    assert "Done" in moves(site, key, by="dev")


def test_transitions_kept_from_people_are_taken_through_the_api(site: Site) -> None:
    key = site.issue()
    change(site, DONE, conditions=all_of(rule("restrict-from-all-users", restrictMode="users")))
    assert "Done" not in moves(site, key)
    assert "Done" in moves(site, key, "?skipRemoteOnlyCondition=true")
    assert "Done" not in moves(site, key, "?skipRemoteOnlyCondition=true", by="dev")
    take(site, key)
    change(
        site, "21", conditions=all_of(rule("restrict-from-all-users", restrictMode="usersAndAPI"))
    )
    take(site, key, "21", status=400)


def test_conditions_look_at_where_issues_and_their_parts_were(site: Site) -> None:
    key = site.issue()
    with site.store():
        ids = {
            row.status.name: str(row.status_id) for row in Issue.objects.select_related("status")
        }
    progress = moves(site, key)["In Progress"]["to"]["id"]
    done = moves(site, key)["Done"]["to"]["id"]
    was = rule("previous-status-condition", previousStatusIds=progress)
    change(site, DONE, conditions=all_of(was))
    assert "Done" not in moves(site, key)
    take(site, key, "21")
    assert "Done" not in moves(site, key)  # it is there, it was not
    take(site, key, "11")
    assert "Done" in moves(site, key)
    fresh = {"not": "true", "includeCurrentStatus": "true"}
    never = rule("previous-status-condition", previousStatusIds=progress, **fresh)
    change(site, DONE, conditions=all_of(never))
    assert "Done" not in moves(site, key)
    apart = rule("separation-of-duties", fromStatusId=ids["To Do"], toStatusId=progress)
    change(site, DONE, conditions=all_of(apart))
    assert "Done" not in moves(site, key)
    assert "Done" in moves(site, key, by="dev")
    part = site.issue("A part", issuetype={"name": "Sub-task"}, parent={"key": key})
    ended = rule("parent-or-child-blocking-condition", blocker="CHILD", statusIds=done)
    change(site, DONE, conditions=None, validators=[])
    change(site, "21", conditions=all_of(ended))
    assert "In Progress" not in moves(site, key)
    take(site, part)
    assert "In Progress" in moves(site, key)


VALIDATORS: list[tuple[dict[str, Any], str | None, dict[str, Any]]] = [
    (
        rule("validate-field-value", ruleType="fieldRequired", fieldsRequired="duedate"),
        "Field Due date is required.",
        {"duedate": "2026-07-01"},
    ),
    (
        rule(
            "validate-field-value",
            ruleType="fieldRequired",
            fieldsRequired="assignee",
            errorMessage="Somebody must have done it!",
        ),
        "Somebody must have done it!",
        {"assignee": "dev"},
    ),
    (
        rule(
            "validate-field-value",
            ruleType="fieldMatchesRegularExpression",
            fieldKey="summary",
            regexp="^v[0-9]+",
        ),
        "Summary does not match the required pattern.",
        {"summary": "v4 is out"},
    ),
    (
        rule("validate-field-value", ruleType="fieldHasSingleValue", fieldKey="labels"),
        "Labels must have a single value.",
        {"labels": ["one"]},
    ),
    (
        rule(
            "validate-field-value",
            ruleType="dateFieldComparison",
            date1FieldKey="duedate",
            date2FieldKey="created",
            conditionSelected=">",
        ),
        None,
        {"duedate": "2026-07-01"},
    ),
]


def test_validators_refuse_in_their_own_words(site: Site) -> None:
    key = site.issue()
    for validator, message, mended in VALIDATORS:
        change(site, DONE, validators=[validator])
        if message is not None:
            found = take(site, key, status=400)
            assert found == {"errorMessages": [message], "errors": {}}
        given = {
            name: {"accountId": site.ids["dev"]} if name == "assignee" else value
            for name, value in mended.items()
        }
        site.put(f"issue/{key}", {"fields": given})
        take(site, key)
        take(site, key, "11")


def test_unverified_validators_look_at_dates_permissions_parents_and_the_past(site: Site) -> None:
    key = site.issue(duedate="2026-01-01")
    part = site.issue("A part", issuetype={"name": "Sub-task"}, parent={"key": key})
    progress = moves(site, key)["In Progress"]["to"]["id"]
    late = rule(
        "validate-field-value",
        ruleType="dateFieldComparison",
        date1FieldKey="duedate",
        date2FieldKey="created",
        conditionSelected=">",
    )
    near = rule(
        "validate-field-value",
        ruleType="windowDateComparison",
        date1FieldKey="duedate",
        date2FieldKey="created",
        numberOfDays="3",
    )
    changed = rule("validate-field-value", ruleType="fieldChanged", fieldKey="fixVersions")
    allowed = rule("check-permission-validator", permissionKey="ADMINISTER_PROJECTS")
    before = rule("previous-status-validator", previousStatusIds=progress)
    change(site, DONE, validators=[late, near, changed, allowed, before])
    found = take(site, key, by="dev", status=400)
    assert found["errorMessages"] == [
        "Due date must be > Created.",
        "Due date must be within 3 days of Created.",
        "Field Fix versions has not been modified.",
        "User does not have the required permission ADMINISTER_PROJECTS.",
        "The issue has not been in the status In Progress before.",
    ]
    above = rule("parent-or-child-blocking-validator", blocker="PARENT", statusIds=progress)
    change(site, DONE, validators=[above])
    found = take(site, part, status=400)
    assert found["errorMessages"] == [
        "The parent issue must be in one of these statuses: In Progress."
    ]
    take(site, key, "21")
    take(site, part)


def test_post_functions_set_fields_assign_and_copy(site: Site) -> None:
    actions = [
        rule("change-assignee", type="to-selected-user", accountId=site.ids["dana"]),
        rule("update-field", field="labels", value="shipped", mode="append"),
        rule("update-field", field="priority", value="Low", mode=""),
        rule("update-field", field="duedate", value="2026-07-02", mode="replace"),
        rule("copy-value-from-other-field", sourceFieldKey="summary", targetFieldKey="environment"),
        rule("update-field", field="customfield_99999", value="nothing has it", mode="replace"),
    ]
    change(site, DONE, actions=actions)
    key = site.issue("Beam stops", labels=["beam"])
    take(site, key, by="dev")
    fields = site.get(f"issue/{key}")["fields"]
    assert fields["assignee"]["displayName"] == "Dana Ruiz"
    assert fields["labels"] == ["beam", "shipped"]
    assert (fields["priority"]["name"], fields["duedate"]) == ("Low", "2026-07-02")
    assert fields["environment"]["content"][0]["content"][0]["text"] == "Beam stops"
    with site.store():
        assert len({item.group_id for item in ChangeItem.objects.filter(issue__key=key)}) == 1
    change(site, "11", actions=[rule("change-assignee", type="to-unassigned")])
    take(site, key, "11")
    assert site.get(f"issue/{key}")["fields"]["assignee"] is None
    copied = rule(
        "copy-value-from-other-field",
        sourceFieldKey="priority",
        targetFieldKey="priority",
        issueSource="PARENT",
    )
    change(site, DONE, actions=[copied, rule("change-assignee", type="to-current-user")])
    part = site.issue("A part", issuetype={"name": "Sub-task"}, parent={"key": key})
    take(site, part, by="dev")
    fields = site.get(f"issue/{part}")["fields"]
    assert (fields["priority"]["name"], fields["assignee"]["displayName"]) == ("Low", "Dev Anand")


def test_the_initial_transition_has_rules_too(site: Site) -> None:
    change(
        site,
        "1",
        validators=[
            rule("validate-field-value", ruleType="fieldRequired", fieldsRequired="duedate")
        ],
        actions=[rule("change-assignee", type="to-current-user")],
    )
    body = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": "New"}
    found = site.post("issue", {"fields": body}, status=400)
    assert found["errorMessages"] == ["Field Due date is required."]
    key = site.issue(duedate="2026-07-01", by="dev")
    assert site.get(f"issue/{key}")["fields"]["assignee"]["displayName"] == "Dev Anand"
    assert history(site, key) == []


def test_many_issues_take_as_many_statements_as_one(site: Site) -> None:
    condition = rule(
        "check-field-value",
        fieldId="labels",
        fieldValue='["x"]',
        comparator="!=",
        comparisonType="STRING",
    )
    part = rule("parent-or-child-blocking-condition", blocker="CHILD", statusIds="10001")
    change(site, DONE, conditions=all_of(condition, part))
    for number in range(6):
        site.issue(f"Issue {number}")
    counts = []
    for most in (1, 6):
        with site.store():
            rows = Issue.objects.select_related("project", "issue_type", "status").order_by("id")
            issues = list(rows[:most])
            rights = Rights(User.objects.get(account_id=site.ids["dev"]))
            with CaptureQueriesContext(
                connection,
            ) as captured:
                found = available(issues, rights)
            assert all(len(moves) == 3 for moves in found.values())
            counts.append(len(captured))
    assert counts[0] == counts[1]
