"""Moving issues to another space or type, and what becomes of them there."""

from __future__ import annotations

from typing import Any

from clones.tracker.models import (
    ChangeItem,
    FieldConfiguration,
    FieldConfigurationItem,
    FieldConfigurationSchemeItem,
    FormerIssueKey,
    Issue,
    PermissionGrant,
    Project,
    Status,
)
from tests.tracker.site import Site
from tests.tracker.test_comments import without

Json = dict[str, Any]


def kind_of(site: Site, name: str, project: str = "OPS") -> str:
    """Return the id of a type of a space."""
    types = site.get(f"project/{project}")["issueTypes"]
    return str(next(kind["id"] for kind in types if kind["name"] == name))


def move(site: Site, place: str, *keys: str, by: str = "ada", **more: Any) -> Json:
    """Move issues and return how it went."""
    body = {"targetToSourcesMapping": {place: {"issueIdsOrKeys": list(keys), **more}}}
    task = site.post("bulk/issues/move", body, by=by)["taskId"]
    site.advance()
    found: Json = site.get(f"bulk/queue/{task}", by=by)
    return found


def failures(found: Json) -> list[str]:
    """Return why issues were not moved."""
    return [text for texts in found["failedAccessibleIssues"].values() for text in texts]


def changes_by_field(site: Site, key: str) -> dict[str, tuple[str | None, str | None]]:
    """Return what an issue's history tells, by field."""
    with site.store():
        rows = ChangeItem.objects.filter(issue__key=key)
        return {row.field: (row.old_string, row.new_string) for row in rows}


def test_names_lead_to_what_is_called_the_same(site: Site) -> None:
    """Components and versions of the same name stay, others go; so does who may not be assigned."""
    for project, names in (("LAS", ("Both", "Only here")), ("OPS", ("Both",))):
        number = site.get(f"project/{project}")["id"]
        for name in names:
            site.post("component", {"project": project, "name": name})
            site.post("version", {"projectId": int(number), "name": name})
    key = site.issue(
        components=[{"name": "Both"}, {"name": "Only here"}],
        fixVersions=[{"name": "Both"}, {"name": "Only here"}],
    )
    found = move(site, f"OPS,{kind_of(site, 'Task')}", key)
    assert "failedAccessibleIssues" not in found, found
    fields = site.get(f"issue/{key}?fields=components,fixVersions")["fields"]
    assert [one["name"] for one in fields["components"]] == ["Both"]
    assert [one["name"] for one in fields["fixVersions"]] == ["Both"]
    with site.store():
        own = Project.objects.get(key="OPS")
        issue = Issue.objects.get(key="OPS-1")
        assert issue.component_links.get().component.project_id == own.id
        assert issue.version_links.get().version.project_id == own.id


def test_unverified_an_issue_that_comes_back_gets_another_key(site: Site) -> None:
    """No number is used twice; all former keys lead to the issue."""
    key = site.issue()
    move(site, f"OPS,{kind_of(site, 'Task')}", key)
    move(site, f"LAS,{kind_of(site, 'Task', 'LAS')}", "OPS-1")
    for name in (key, "OPS-1", "las-2"):
        assert site.get(f"issue/{name}?fields=summary")["key"] == "LAS-2"
    with site.store():
        assert set(FormerIssueKey.objects.values_list("key", flat=True)) == {key, "OPS-1"}


def test_statuses_are_mapped(site: Site) -> None:
    """A status that is not there becomes the one that is named, or the first."""
    key, other = site.issue(), site.issue()
    with site.writing():
        odd = Status.objects.create(id=99_001, name="Odd", category="indeterminate")
        Issue.objects.filter(key__in=[key, other]).update(status=odd)
    place = f"OPS,{kind_of(site, 'Task')}"
    refused = move(site, place, key, inferStatusDefaults=False)
    assert failures(refused) == ["No target status is given for the status 'Odd'."]
    statuses = site.get("project/OPS/statuses")
    names = {one["name"]: one["id"] for kind in statuses for one in kind["statuses"]}
    done = names["Done"]
    mapping = [{"statuses": {done: ["99001"]}}]
    move(site, place, key, inferStatusDefaults=False, targetStatus=mapping)
    assert site.get(f"issue/{key}?fields=status")["fields"]["status"]["name"] == "Done"
    assert changes_by_field(site, "OPS-1")["status"] == ("Odd", "Done")
    move(site, place, other)
    shown = site.get(f"issue/{other}?fields=status")["fields"]["status"]
    assert shown["statusCategory"]["key"] == "new"


def test_required_fields_are_filled(site: Site) -> None:
    """What the new place requires is sent along, or kept where it may be."""
    key, other = site.issue(), site.issue(labels=["own"])
    with site.writing():
        own = Project.objects.get(key="OPS")
        rows = FieldConfigurationSchemeItem.objects.filter(scheme=own.field_scheme)
        default = FieldConfiguration.objects.get(is_default=True).id
        own_configuration = rows.values_list("configuration", flat=True).first()
        FieldConfigurationItem.objects.update_or_create(
            configuration_id=own_configuration or default,
            field="labels",
            defaults={"is_required": True},
            create_defaults={"id": 99_001, "is_required": True},
        )
    place = f"OPS,{kind_of(site, 'Task')}"
    assert failures(move(site, place, key)) == ["Labels is required."]
    value = {"labels": {"retain": True, "type": "raw", "value": ["new"]}}
    found = move(
        site, place, key, other, inferFieldDefaults=False, targetMandatoryFields=[{"fields": value}]
    )
    assert "failedAccessibleIssues" not in found, found
    for name, labels in ((key, ["new"]), (other, ["own"])):
        assert site.get(f"issue/{name}?fields=labels")["fields"]["labels"] == labels


def test_types_change_within_a_space(site: Site) -> None:
    """The key stays; a standard issue becomes a sub-task where it gets a parent."""
    key, parent = site.issue(), site.issue()
    bug = kind_of(site, "Bug", "LAS")
    move(site, f"LAS,{bug}", key)
    shown = site.get(f"issue/{key}?fields=issuetype")
    assert (shown["key"], shown["fields"]["issuetype"]["name"]) == (key, "Bug")
    assert changes_by_field(site, key)["issuetype"] == ("Task", "Bug")
    subtask = kind_of(site, "Sub-task", "LAS")
    assert failures(move(site, f"LAS,{subtask}", key)) == [
        "Issue type is a sub-task but parent issue key or id not specified."
    ]
    move(site, f"LAS,{subtask},{parent}", key)
    assert site.get(f"issue/{key}?fields=parent")["fields"]["parent"]["key"] == parent
    assert failures(move(site, f"LAS,{subtask},{key}", parent)) == [
        "Given parent work item does not belong to appropriate hierarchy"
    ]


def test_moves_need_permissions(site: Site) -> None:
    """To move from here, and to make issues there."""
    key = site.issue()
    place = f"OPS,{kind_of(site, 'Task')}"
    with site.writing():
        here, there = Project.objects.get(key="LAS"), Project.objects.get(key="OPS")
        if here.permission_scheme_id == there.permission_scheme_id:
            copied = list(PermissionGrant.objects.filter(scheme=there.permission_scheme))
            scheme = there.permission_scheme
            scheme.pk = 99_001
            scheme.save(force_insert=True)
            for number, grant in enumerate(copied):
                grant.pk, grant.scheme = 99_001 + number, scheme
                grant.save(force_insert=True)
            Project.objects.filter(key="OPS").update(permission_scheme=scheme)
            there = Project.objects.get(key="OPS")
        grants = PermissionGrant.objects.filter(scheme=there.permission_scheme)
        grants.filter(permission="CREATE_ISSUES").delete()
    assert failures(move(site, place, key)) == [
        "You do not have permission to create issues in the target project."
    ]
    without(site, "MOVE_ISSUES")
    assert failures(move(site, place, key)) == [
        "You do not have permission to move issues in this project."
    ]
    assert site.get(f"issue/{key}?fields=summary")["key"] == key
