"""What can be made: spaces, types, fields with their allowed values and defaults."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from clones.core.tenancy import unit_of_work
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.createmeta import FieldMetas
from clones.tracker.models import Project, User
from clones.tracker.queries.allowed_values import AllowedValues
from clones.tracker.queries.createmeta import creatable_projects, creatable_types
from clones.tracker.queries.fieldsets import fieldsets_of
from clones.tracker.queries.rights import Rights
from tests.tracker.conftest import Site
from tests.tracker.issues import (
    add_component,
    add_field,
    add_version,
    configure,
    take_off_screens,
    withdraw,
)

ALL = "issue/createmeta?expand=projects.issuetypes.fields"


def types_of(site: Site, key: str = "LAS") -> dict[str, str]:
    """Return the ids of a space's types by their names."""
    page = site.get(f"issue/createmeta/{key}/issuetypes")
    return {kind["name"]: kind["id"] for kind in page["issueTypes"]}


def fields_of(site: Site, kind: str = "Task", *, by: str = "ada") -> dict[str, Any]:
    """Return the fields of new issues of a type in LAS by their ids."""
    path = f"issue/createmeta/LAS/issuetypes/{types_of(site)[kind]}?maxResults=200"
    page = site.get(path, by=by)
    assert page["total"] == len(page["fields"])
    return {field["fieldId"]: field for field in page["fields"]}


def test_the_old_list_has_spaces_with_types_and_fields(site: Site) -> None:
    found = site.get("issue/createmeta", by="dev")
    assert found["expand"] == "projects"
    assert {"LAS", "OPS"} <= {project["key"] for project in found["projects"]}
    las = site.get("issue/createmeta?projectKeys=LAS,NOPE")["projects"]
    assert [project["key"] for project in las] == ["LAS"]
    names = [kind["name"] for kind in las[0]["issuetypes"]]
    assert {"Epic", "Story", "Task", "Bug", "Sub-task"} <= set(names)
    assert "fields" not in las[0]["issuetypes"][0]
    id = las[0]["id"]
    some = site.get(f"{ALL}&projectIds={id}&issuetypeNames=Bug&issuetypeNames=Sub-task")
    bug, part = some["projects"][0]["issuetypes"]
    assert (bug["name"], part["name"], part["subtask"]) == ("Bug", "Sub-task", True)
    assert (bug["fields"]["parent"]["required"], part["fields"]["parent"]["required"]) == (
        False,
        True,
    )
    assert bug["fields"]["issuetype"]["allowedValues"][0]["name"] == "Bug"
    assert bug["fields"]["project"]["allowedValues"][0]["key"] == "LAS"
    assert "environment" in bug["fields"]
    assert site.get("issue/createmeta?projectKeys=NOPE") == {"expand": "projects", "projects": []}
    assert site.get("issue/createmeta", by="guest")["projects"] == []
    assert site.get("issue/createmeta?projectKeys=LAS", by=None)["projects"] == []


def test_types_are_listed_in_pages(site: Site) -> None:
    page = site.get("issue/createmeta/LAS/issuetypes?startAt=1&maxResults=2")
    assert (page["startAt"], page["maxResults"], len(page["issueTypes"])) == (1, 2, 2)
    assert page["total"] == len(types_of(site))
    wide = site.call("GET", "issue/createmeta/LAS/issuetypes?maxResults=201")
    assert wide.status == 400
    assert wide.body["errorMessages"] == ["Parameter 'maxResults' must not exceed the limit '200'"]
    for named, what in (("NOPE", "key"), ("99999", "id")):
        gone = site.call("GET", f"issue/createmeta/{named}/issuetypes")
        text = f"No project could be found with {what} '{named}'."
        assert (gone.status, gone.body["errorMessages"]) == (404, [text])
    assert site.call("GET", "issue/createmeta/LAS/issuetypes", by="guest").status == 404
    assert site.call("GET", "issue/createmeta/LAS/issuetypes/99999").status == 404


def test_fields_tell_what_can_be_chosen_and_what_must_be(site: Site) -> None:
    add_component(site, "Optics")
    add_version(site, "1.0")
    add_version(site, "0.9", archived=True)
    colour, (red, _) = add_field(site, "select", "Colour", "Red", "Blue")
    note, _ = add_field(
        site, "textfield", "Note", default={"type": "textfield", "text": "None yet"}
    )
    fields = fields_of(site)
    assert fields["summary"] == {
        "required": True,
        "schema": {"type": "string", "system": "summary"},
        "name": "Summary",
        "key": "summary",
        "operations": ["set"],
        "hasDefaultValue": False,
        "fieldId": "summary",
    }
    assert [one["name"] for one in fields["components"]["allowedValues"]] == ["Optics"]
    assert [one["name"] for one in fields["fixVersions"]["allowedValues"]] == ["1.0"]
    assert fields["fixVersions"]["operations"] == ["add", "set", "remove"]
    priority = fields["priority"]
    assert [one["name"] for one in priority["allowedValues"]] == [
        "Highest",
        "High",
        "Medium",
        "Low",
        "Lowest",
    ]
    assert (priority["hasDefaultValue"], priority["defaultValue"]["name"]) == (True, "Medium")
    assert fields["reporter"]["hasDefaultValue"] is True
    assert "project=LAS" in fields["assignee"]["autoCompleteUrl"]
    assert fields["timetracking"]["operations"] == ["set", "edit"]
    assert fields["issuetype"]["operations"] == []
    assert fields[colour]["allowedValues"][0] | {"self": ""} == {
        "self": "",
        "value": "Red",
        "id": red,
    }
    assert fields[note]["defaultValue"] == "None yet"
    assert fields[note]["schema"]["customId"] == int(note.removeprefix("customfield_"))


def test_screens_configurations_and_permissions_decide(site: Site) -> None:
    assert {"labels", "assignee", "duedate", "reporter"} <= set(fields_of(site))
    take_off_screens(site, "labels")
    configure(site, "duedate", is_hidden=True)
    configure(site, "description", is_required=True)
    withdraw(site, "MODIFY_REPORTER")
    left = fields_of(site)
    assert {"labels", "duedate", "reporter"}.isdisjoint(left)
    assert left["description"]["required"] is True
    withdraw(site, "CREATE_ISSUES")
    gone = site.call("GET", "issue/createmeta/LAS/issuetypes")
    assert gone.status == 404
    assert "LAS" not in {one["key"] for one in site.get("issue/createmeta")["projects"]}


def test_what_can_be_edited(site: Site) -> None:
    key = site.issue()
    fields = site.get(f"issue/{key}/editmeta")["fields"]
    assert "project" not in fields
    assert {"Story", "Task", "Bug"} == {
        kind["name"] for kind in fields["issuetype"]["allowedValues"]
    }
    assert fields["comment"]["operations"] == ["add", "edit", "remove"]
    assert fields["issuelinks"]["operations"] == ["add", "copy"]
    assert f"issueKey={key}" in fields["assignee"]["autoCompleteUrl"]
    withdraw(site, "ADD_COMMENTS")
    assert "comment" not in site.get(f"issue/{key}/editmeta")["fields"]
    assert site.call("GET", f"issue/{key}/editmeta", by="guest").status == 404
    denied = site.call("GET", f"issue/{key}/editmeta?overrideEditableFlag=true")
    assert denied.status == 403
    assert denied.body["errors"] == {}


def test_the_number_of_statements_does_not_grow_with_spaces(site: Site) -> None:
    with site.store(), unit_of_work("read"):
        rights = Rights(User.objects.get(account_id=site.ids["ada"]))
        show = Show("http://x", "3", rights)
        every = creatable_projects(rights, ids=[], keys=[])
        assert len(every) == 3

        def statements(projects: list[Project]) -> int:
            with CaptureQueriesContext(connection) as seen:
                types = creatable_types(projects, [], [])
                pairs = [(one, kind) for one in projects for kind in types[one.id]]
                metas = FieldMetas(show, AllowedValues(rights, projects))
                for fieldset in fieldsets_of(pairs).values():
                    assert "summary" in metas.new(fieldset)
            return len(seen)

        statements(every)
        assert 5 < statements(every[:1]) == statements(every)
