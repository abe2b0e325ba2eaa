"""How many statements an answer takes does not grow with the rows in it.

Lists of spaces and people are counted in `test_space_statements`, what hangs on an issue in
`test_conversation_counts`, kinds and their schemes in `test_space_kinds`, service desks in
`test_desk_queues`; here are all others.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.tiers import EVERYTHING, ON_POSTGRES, in_turn_on_postgres
from tests.tracker.boards import AGILE, END, SOFTWARE, START, board_of, counted, sprint_on
from tests.tracker.site import Site
from tests.tracker.test_attachments import attach
from tests.tracker.test_comments import paragraph

# A statement for each row shows in ten rows more as in thirty. Lists long enough to be asked for in
# parts are SQLite's, and making the rows is nearly all of the work on a database server.
FEW, MANY = (5, 15) if ON_POSTGRES and not EVERYTHING else (10, 40)
KINDS = "com.atlassian.jira.plugin.system.customfieldtypes:"
ALL = "fields=*all&maxResults=100"
LISTS = f"""
search/jql?jql=project=LAS&{ALL}&expand=names,schema,renderedFields,changelog,transitions,operations
search/jql?jql=project=LAS&{ALL}&expand=editmeta,versionedRepresentations
search/jql?jql=labels=hot+and+fixVersion=One+order+by+rank&maxResults=100
issue/{{key}}?fields=*all&expand=names,renderedFields,changelog,transitions,editmeta,operations
issue/{{key}}/changelog
issue/{{key}}/transitions?expand=transitions.fields
issue/createmeta/LAS/issuetypes
issue/createmeta?projectKeys=LAS&expand=projects.issuetypes.fields
issue/picker?query=Nr&currentJQL=project=LAS
bulk/issues/fields?issueIdsOrKeys={{keys}}
bulk/issues/transition?issueIdsOrKeys={{keys}}
label
jql/autocompletedata
jql/autocompletedata/suggestions?fieldName=labels&fieldValue=
{AGILE}/board?maxResults=100
{AGILE}/board/{{board}}/issue?{ALL}
{AGILE}/board/{{board}}/backlog?{ALL}
{AGILE}/board/{{board}}/epic
{AGILE}/board/{{board}}/sprint
{AGILE}/board/{{board}}/version
{AGILE}/board/{{board}}/properties
{AGILE}/sprint/{{sprint}}/issue?{ALL}
{AGILE}/epic/{{epic}}/issue?{ALL}
{SOFTWARE}/board/{{board}}/issue?fields=*all
{SOFTWARE}/sprint/{{sprint}}/issue?fields=*all
filter/search?expand=description,favourite,favouritedCount,jql,owner,searchUrl,viewUrl,subscriptions
filter/search?expand=sharePermissions,editPermissions,isWritable
filter/my?expand=sharedUsers,subscriptions
filter/favourite
filter/{{filter}}/permission
dashboard
dashboard/search?expand=description,owner,viewUrl,favourite,favouritedCount,sharePermissions
dashboard/{{dashboard}}/gadget
dashboard/{{dashboard}}/items/{{gadget}}/properties
field
field/search?maxResults=100&expand=screensCount,contextsCount,projectsCount,lastUsed,searcherKey
field/search/trashed?expand=trashed
field/{{field}}/context
field/{{field}}/context/{{context}}/option
field/{{field}}/context/defaultValue
field/{{field}}/context/projectmapping
field/{{field}}/context/issuetypemapping
field/{{field}}/screens
screens?maxResults=100&expand=projects
screens/tabs
screens/{{screen}}/tabs
screenscheme?expand=issueTypeScreenSchemes
issuetypescreenscheme?expand=projects
issuetypescreenscheme/mapping
issuetypescheme?expand=projects,issueTypes
issuetypescheme/mapping
issuetype
fieldconfiguration
fieldconfiguration/{{configuration}}/fields
fieldconfigurationscheme
fieldconfigurationscheme/mapping
workflow/search?expand=transitions,transitions.rules,statuses,projects,schemes,hasDraftWorkflow
workflows/search?expand=usage,values.transitions
workflowscheme
statuses/search?expand=usages,workflowUsages
resolution/search
user/properties?accountId={{ada}}
auditing/record
"""


def made(site: Site, path: str, body: Any, status: int = 201) -> str:
    """Make a record and return its id."""
    return str(site.post(path, body, status=status)["id"])


class Stocked:
    """A site that holds a number of everything."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.count = 0
        self.keys: list[str] = []
        kinds = {one["name"]: one["id"] for one in site.get("issuetype")}
        self.kind, self.space = kinds["Task"], int(site.get("project/LAS")["id"])
        board = board_of(site)
        field = made(site, "field", {"name": "Cause", "type": f"{KINDS}select"})
        dashboard = {"name": "All", "sharePermissions": [], "editPermissions": []}
        words = {"name": "All", "jql": "project = LAS"}
        self.names: dict[str, Any] = {
            "ada": site.ids["ada"],
            "epic": site.issue("Epic", issuetype={"name": "Epic"}),
            "board": board,
            "sprint": sprint_on(site, board, "Now", startDate=START, endDate=END),
            "field": field,
            "context": site.get(f"field/{field}/context")["values"][0]["id"],
            "filter": made(site, "filter", words, 200),
            "dashboard": made(site, "dashboard", dashboard, 200),
            "screen": made(site, "screens", {"name": "All"}),
            "configuration": made(site, "fieldconfiguration", {"name": "All"}, 200),
            "version": made(site, "version", {"name": "One", "projectId": self.space}),
            "part": made(site, "component", {"name": "One", "project": "LAS"}),
        }
        self.names["gadget"] = self._gadget()

    def _gadget(self) -> str:
        path = f"dashboard/{self.names['dashboard']}/gadget"
        kind = self.site.get("dashboard/gadgets")["gadgets"][0]
        return made(self.site, path, {"uri": kind["uri"]}, 200)

    def fill(self, count: int) -> None:
        """Let there be so many of everything."""
        for number in range(self.count, count):
            self._issue(number)
            self._plans(number)
            self._fields(number)
            self._schemes(number)
        self.count = count
        self.names |= {"key": self.keys[0], "keys": ",".join(self.keys)}

    def _issue(self, number: int) -> None:
        """Add an issue with one of everything on it, and let the first one have more."""
        site, names = self.site, self.names
        key = site.issue(
            f"Nr {number}",
            labels=["hot", f"l{number}"],
            components=[{"id": names["part"]}],
            fixVersions=[{"id": names["version"]}],
            assignee={"accountId": site.ids["dev"]},
            parent={"key": names["epic"]},
        )
        self.keys.append(key)
        site.issue(f"Part {number}", issuetype={"name": "Sub-task"}, parent={"key": key})
        first = self.keys[0]
        for one in {first, key}:
            site.post(f"issue/{one}/comment", {"body": paragraph(str(number))})
            site.post(f"issue/{one}/worklog", {"timeSpent": "1m"})
            attach(site, one, f"{number}.txt", b"x")
            site.put(f"issue/{one}", {"fields": {"description": paragraph(str(number))}})
        ends = {"inwardIssue": {"key": first}, "outwardIssue": {"key": names["epic"]}}
        if number:
            ends["outwardIssue"] = {"key": key}
        site.post("issueLink", {"type": {"name": "Relates"}, **ends})
        if number % 2:
            path = f"{AGILE}/sprint/{names['sprint']}/issue"
            site.post(path, {"issues": [key]}, status=204)

    def _plans(self, number: int) -> None:
        """Add what one plans and looks with."""
        site, names = self.site, self.names
        sprint_on(site, names["board"], f"Sprint {number}")
        site.issue(f"Epic {number}", issuetype={"name": "Epic"})
        made(site, "version", {"name": f"V{number}", "projectId": self.space})
        words = {"name": f"Filter {number}", "jql": "project = LAS", "favourite": True}
        kept = made(site, "filter", {**words, "sharePermissions": [{"type": "authenticated"}]}, 200)
        share = {"type": "user", "accountId": site.ids["dev"]}
        if number < 5:
            site.post(f"filter/{names['filter']}/permission", share)
        board = {"name": f"Board {number}", "type": "kanban", "filterId": int(kept)}
        site.post(f"{AGILE}/board", board)
        site.put(f"{AGILE}/board/{names['board']}/properties/p{number}", 1, status=201)
        everybody = [{"type": "authenticated"}]
        shown = {"name": f"Dashboard {number}", "sharePermissions": everybody}
        site.post("dashboard", {**shown, "editPermissions": []}, status=200)
        if number < 15:
            self._gadget()
        path = f"dashboard/{names['dashboard']}/items/{names['gadget']}/properties"
        site.put(f"{path}/p{number}", 1, status=201)
        site.put(f"user/properties/p{number}?accountId={site.ids['ada']}", 1, status=201)

    def _fields(self, number: int) -> None:
        """Add fields, options, contexts and screens."""
        site, names = self.site, self.names
        made(site, "field", {"name": f"Field {number}", "type": f"{KINDS}textfield"})
        trash = made(site, "field", {"name": f"Old {number}", "type": f"{KINDS}textfield"})
        site.post(f"field/{trash}/trash", status=200)
        path = f"field/{names['field']}/context/{names['context']}/option"
        site.post(path, {"options": [{"value": f"Option {number}"}]}, status=200)
        screen = made(site, "screens", {"name": f"Screen {number}"})
        tab = site.get(f"screens/{screen}/tabs")[0]["id"]
        site.post(f"screens/{screen}/tabs/{tab}/fields", {"fieldId": names["field"]}, status=200)
        site.post(f"screens/{names['screen']}/tabs", {"name": f"Tab {number}"}, status=200)
        body: dict[str, Any] = {"name": f"Screens {number}", "screens": {"default": int(screen)}}
        scheme = made(site, "screenscheme", body)
        mapping = [{"issueTypeId": "default", "screenSchemeId": scheme}]
        made(site, "issuetypescreenscheme", {"name": f"I{number}", "issueTypeMappings": mapping})

    def _schemes(self, number: int) -> None:
        """Add kinds of issues, configurations, workflow schemes and resolutions."""
        site = self.site
        kind = made(site, "issuetype", {"name": f"Kind {number}", "type": "standard"})
        kinds = {"name": f"Kinds {number}", "issueTypeIds": [kind]}
        site.post("issuetypescheme", kinds)
        given = made(site, "fieldconfiguration", {"name": f"Config {number}"}, 200)
        scheme = made(site, "fieldconfigurationscheme", {"name": f"Configs {number}"})
        mapping = {"issueTypeId": self.kind, "fieldConfigurationId": given}
        site.put(f"fieldconfigurationscheme/{scheme}/mapping", {"mappings": [mapping]})
        site.post("workflowscheme", {"name": f"Flows {number}", "issueTypeMappings": {}})
        site.post("resolution", {"name": f"Resolution {number}"})
        new = {"name": f"Status {number}", "statusCategory": "TODO", "description": ""}
        body = {"scope": {"type": "GLOBAL"}, "statuses": [new]}
        site.post("statuses", body, status=200)

    def statements(self, address: str) -> list[str]:
        """Return the statements of the answer to a GET."""
        path = address.format(**self.names)
        assert self.site.call("GET", path).status == 200, path  # once for what is made once
        with counted(self.site) as found:
            self.site.get(path)
        return found


@pytest.mark.slow
@in_turn_on_postgres
def test_answers_take_as_many_statements_for_few_rows_as_for_many(site: Site) -> None:
    stocked, counts = Stocked(site), dict[str, list[int]]()
    for number in (FEW, MANY):
        stocked.fill(number)
        for address in LISTS.split():
            counts.setdefault(address, []).append(len(stocked.statements(address)))
    assert {address: found for address, found in counts.items() if found[0] != found[1]} == {}
    assert all(found[0] > 1 for found in counts.values()), "they are counted"
