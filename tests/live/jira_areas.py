"""What the public `jira` client does at a site, area by area.

Arguments: the site's address, an admin's e-mail and API token, a developer's e-mail and API token.
Prints one JSON object: by area, what the client returned and what a second read shows.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

KEY = "JCL"


class Areas:
    """The steps, area by area; the project of the first is that of all others."""

    def __init__(self, client: Any, developer: Any, errors: Any) -> None:
        self.client = client
        self.developer = developer
        self.errors = errors
        self.me = client.current_user()
        self.other = developer.current_user()
        self.other_email = developer.current_user("emailAddress")

    def refused(self, attempt: Callable[[], Any]) -> list[Any]:
        """Return the status and the words of a refusal, 200 if there was none."""
        try:
            attempt()
        except self.errors.JIRAError as error:
            return [error.status_code, error.text]
        return [200, ""]

    def task(self, summary: str, **fields: Any) -> Any:
        """Create a task in the project and return it as it is read again."""
        given = {"project": KEY, "issuetype": "Task", "summary": summary, **fields}
        return self.client.create_issue(fields=given)

    def site(self) -> dict[str, Any]:
        """Ask what the site is and what it has."""
        client, found = self.client, dict[str, Any]()
        found["kind"] = [client.server_info()["deploymentType"], client._is_cloud]
        found["me"] = [client.myself()["accountId"] == self.me, self.me != self.other]
        found["session"] = client.session().name == self.me
        ranks = [field for field in client.fields() if field["name"] == "Rank"]
        found["rank"] = [field["schema"]["custom"] for field in ranks]
        for name, listed, single in (
            ("issue types", client.issue_types(), client.issue_type),
            ("priorities", client.priorities(), client.priority),
            ("resolutions", client.resolutions(), client.resolution),
            ("statuses", client.statuses(), client.status),
            ("link types", client.issue_link_types(), client.issue_link_type),
        ):
            found[name] = single(listed[0].id).name == listed[0].name
        categories = client.statuscategories()
        found["categories"] = sorted(category.key for category in categories)
        found["category"] = client.statuscategory(categories[-1].id).key == categories[-1].key
        allowed = client.my_permissions(permissions="BROWSE_PROJECTS,ADMINISTER")["permissions"]
        found["admin may"] = {key: entry["havePermission"] for key, entry in allowed.items()}
        allowed = self.developer.my_permissions(permissions="ADMINISTER")["permissions"]
        found["developer may"] = allowed["ADMINISTER"]["havePermission"]
        found["no permission"] = self.refused(lambda: client.my_permissions(permissions="NONE"))
        found["lists"] = [
            bool(listed())
            for listed in (
                client.permissionschemes,
                client.notificationschemes,
                client.screens,
                client.workflows,
                client.role,
                client.avatars,
                client.application_properties,
            )
        ]
        return found

    def projects(self) -> dict[str, Any]:
        """Make the project; give it components and versions."""
        client, found = self.client, dict[str, Any]()
        made = client.create_project(KEY, "Client works", issueSecurityScheme=0)
        project = client.project(KEY)
        found["made"] = [made["key"], str(made["id"]) == project.id, project.name]
        found["lead"] = project.lead.accountId == self.me
        found["listed"] = KEY in [item.key for item in client.projects()]
        project.update(description="Made by a client")
        found["described"] = client.project(KEY).description
        kinds = client.issue_types_for_project(KEY)
        found["kinds"] = sorted(kind.name for kind in kinds)
        found["taken"] = self.refused(
            lambda: client.create_project(KEY, "Again", issueSecurityScheme=0)
        )
        found["no project"] = self.refused(lambda: client.project("NONE"))
        roles = client.project_roles(KEY)
        role = client.project_role(KEY, roles["Administrators"]["id"])
        found["role"] = role.name
        role.add_user(users=[self.other])
        again = client.project_role(KEY, role.id)
        found["actors"] = self.other in [
            actor.actorUser.accountId for actor in again.actors if hasattr(actor, "actorUser")
        ]
        found["schemes"] = [
            client.project_permissionscheme(KEY).name,
            client.project_notification_scheme(KEY).name,
        ]
        found["components"] = self._components()
        found["versions"] = self._versions()
        return found

    def _components(self) -> list[Any]:
        client = self.client
        optics = client.create_component("Optics", KEY, description="Lenses")
        spare = client.create_component("Spare", KEY)
        optics.update(name="Optical path")
        issue = self.task("A lens is dim", components=[{"name": "Spare"}])
        counted = client.component_count_related_issues(spare.id)
        spare.delete(moveIssuesTo=optics.id)
        return [
            client.component(optics.id).name,
            [item.name for item in client.project_components(KEY)],
            counted,
            [item.name for item in client.issue(issue.key).fields.components],
            self.refused(lambda: client.component(spare.id))[0],
        ]

    def _versions(self) -> list[Any]:
        client = self.client
        first = client.create_version("1.0", KEY, releaseDate="2026-07-01")
        second = client.create_version("2.0", KEY, description="Next")
        client.rename_version(KEY, "2.0", "2.1")
        client.move_version(second.id, position="First")
        issue = self.task("Fixed later", fixVersions=[{"name": "1.0"}])
        counts = [
            client.version_count_related_issues(first.id)["issuesFixedCount"],
            client.version_count_unresolved_issues(first.id),
        ]
        first.update(released=True)
        released = client.version(first.id).released
        first.delete(moveFixIssuesTo=second.id)
        return [
            counts,
            released,
            [item.name for item in client.project_versions(KEY)],
            [item.name for item in client.issue(issue.key).fields.fixVersions],
            client.get_project_version_by_name(KEY, "1.0"),
        ]

    def issues(self) -> dict[str, Any]:
        """Create, read, change, assign, move and delete issues."""
        client, found = self.client, dict[str, Any]()
        issue = self.task("It hums", description="*Loud* hum", labels=["noise"])
        found["made"] = [
            issue.fields.summary,
            issue.fields.description,
            issue.fields.issuetype.name,
            issue.fields.labels,
            issue.fields.reporter.accountId == self.me,
            issue.permalink().endswith(f"/browse/{issue.key}"),
        ]
        issue.update(summary="It hums loudly", description="h1. Loud", labels=[{"add": "motor"}])
        issue.add_field_value("labels", "night")
        again = client.issue(issue.key, fields="summary,description,labels")
        found["changed"] = [
            again.fields.summary,
            again.fields.description,
            sorted(again.fields.labels),
            hasattr(again.fields, "status"),
        ]
        found["many"] = self._many()
        found["assigned"] = self._assigned(issue)
        found["moved"] = self._moved(issue)
        child = client.create_issue(
            project=KEY,
            issuetype={"name": "Sub-task"},
            parent={"key": issue.key},
            summary="Tighten the belt",
        )
        found["children"] = [
            [item.key == child.key for item in client.issue(issue.key).fields.subtasks],
            child.fields.parent.key == issue.key,
            self.refused(issue.delete),
        ]
        issue.delete(deleteSubtasks=True)
        found["gone"] = [
            self.refused(lambda: client.issue(issue.key)),
            self.refused(lambda: client.issue(child.key))[0],
        ]
        found["wrong"] = self.refused(
            lambda: client.create_issue(
                project={"key": KEY}, issuetype={"name": "Task"}, summary="x" * 256
            )
        )
        return found

    def _many(self) -> list[Any]:
        plain = {"project": {"key": KEY}, "issuetype": {"name": "Task"}}
        made = self.client.create_issues(
            [{**plain, "summary": "First of many"}, plain, {**plain, "summary": "Last of many"}]
        )
        return [
            [entry["status"], entry["error"], entry["issue"] and entry["issue"].fields.summary]
            for entry in made
        ]

    def _assigned(self, issue: Any) -> list[Any]:
        client = self.client
        seen = []
        for whom in (self.other_email, None, "-1"):
            client.assign_issue(issue, whom)
            person = client.issue(issue.key).fields.assignee
            seen.append({self.me: "me", self.other: "other"}[person.accountId] if person else None)
        return [*seen, self.refused(lambda: client.assign_issue(issue, "nobody at all"))[0]]

    def _moved(self, issue: Any) -> list[Any]:
        client = self.client
        names = [entry["name"] for entry in client.transitions(issue)]
        client.transition_issue(issue, "in progress", comment="On it")
        between = client.issue(issue.key)
        client.transition_issue(issue.key, "Done")
        done = client.issue(issue.key, expand="changelog")
        items = [item for entry in done.changelog.histories for item in entry.items]
        return [
            names,
            [between.fields.status.name, [item.body for item in between.fields.comment.comments]],
            [done.fields.status.name, done.fields.status.statusCategory.key],
            sorted([item.fromString, item.toString] for item in items if item.field == "status"),
            self.refused(lambda: client.transition_issue(issue, "9999")),
        ]

    def search(self) -> dict[str, Any]:
        """Search page by page, wholly, with some fields, and wrongly."""
        client, found = self.client, dict[str, Any]()
        keys = [self.task(f"Searched {number}", labels=["sought"]).key for number in range(5)]
        jql = f"project = {KEY} AND labels = sought ORDER BY key ASC"
        token, pages = None, list[list[str]]()
        while token is not None or not pages:
            page = client.enhanced_search_issues(jql, maxResults=2, nextPageToken=token)
            pages.append([item.key for item in page])
            token = page.nextPageToken
        found["pages"] = [
            [len(page) for page in pages],
            [key for page in pages for key in page] == keys,
        ]
        found["all"] = [item.key for item in client.search_issues(jql, maxResults=0)] == keys
        every = client.search_issues("created >= 2000-01-01 ORDER BY key", maxResults=0)
        found["every"] = [
            len(every) > 100,
            len({item.key for item in every}) == len(every),
            abs(len(every) - client.approximate_issue_count("created >= 2000-01-01")),
        ]
        posted = client.search_issues(jql, use_post=True, fields="summary,status", maxResults=1)
        found["posted"] = [
            [item.fields.summary, item.fields.status.name, hasattr(item.fields, "labels")]
            for item in posted
        ]
        raw = client.search_issues(jql, json_result=True, maxResults=3, expand="changelog")
        found["raw"] = [
            len(raw["issues"]),
            raw["isLast"],
            [item["changelog"]["total"] for item in raw["issues"]],
        ]
        last = client.enhanced_search_issues(
            jql, reconcileIssues=[int(client.issue(keys[0]).id)], fields=["Rank"]
        )
        found["by name"] = [item.raw["fields"]["Rank"][0] for item in last]
        found["count"] = client.approximate_issue_count(jql)
        found["unbounded"] = self.refused(lambda: client.search_issues("ORDER BY key"))
        found["unknown"] = self.refused(lambda: client.search_issues("colour = red"))
        found["of others"] = len(self.developer.search_issues(jql))
        return found

    def words(self) -> dict[str, Any]:
        """Say, correct and take back; attach files; log work."""
        client, found = self.client, dict[str, Any]()
        issue = self.task("Talked about")
        first = client.add_comment(issue, "Hello, *all*")
        second = client.add_comment(
            issue, "Admins only", visibility={"type": "role", "value": "Administrators"}
        )
        first.update(body="Hello again")
        client.add_comment(issue, "Inside", is_internal=True)
        found["comments"] = [item.body for item in client.comments(issue)]
        found["page"] = [
            item.body
            for item in client.comments(issue, start_at=1, max_results=1, order_by="-created")
        ]
        found["rendered"] = client.comment(issue, first.id, expand="renderedBody").renderedBody
        found["visibility"] = client.comment(issue, second.id).visibility.value
        second.delete()
        found["left"] = [item.body for item in client.comments(issue)]
        found["no comment"] = self.refused(lambda: client.comment(issue, second.id))[0]
        found["attachments"] = self._attachments(issue)
        found["worklogs"] = self._worklogs(issue)
        return found

    def _attachments(self, issue: Any) -> list[Any]:
        client = self.client
        made = client.add_attachment(issue, io.BytesIO(b"0123456789"), filename="Größe 1.txt")
        seen = client.issue(issue.key).fields.attachment
        found = [
            [item.filename for item in seen],
            [item.id == made.id for item in seen],
            client.attachment(made.id).size,
            made.get().decode(),
            b"".join(made.iter_content(4)).decode(),
            client.attachment_meta()["enabled"],
        ]
        client.delete_attachment(made.id)
        return [*found, client.issue(issue.key).fields.attachment]

    def _worklogs(self, issue: Any) -> list[Any]:
        client = self.client
        issue.update(timetracking={"originalEstimate": "1d"})
        started = datetime(2026, 6, 15, 9, tzinfo=UTC)
        first = client.add_worklog(issue, timeSpent="2h", started=started, comment="Looked")
        client.add_worklog(issue, timeSpent="1h", adjustEstimate="new", newEstimate="3h")
        first.update(timeSpent="1h 30m")
        times = client.issue(issue.key).fields.timetracking
        found = [
            [[item.timeSpent, item.timeSpentSeconds] for item in client.worklogs(issue)],
            [
                client.worklog(issue, first.id).comment,
                datetime.fromisoformat(first.started) == started,
            ],
            [times.originalEstimate, times.remainingEstimate, times.timeSpent],
        ]
        first.delete(adjustEstimate="leave")
        times = client.issue(issue.key).fields.timetracking
        return [*found, [times.remainingEstimate, times.timeSpent]]

    def ties(self) -> dict[str, Any]:
        """Link, watch, vote; keep properties."""
        client, found = self.client, dict[str, Any]()
        one, two = self.task("A belt is torn"), self.task("No belts in stock")
        client.create_issue_link("Blocks", two.key, one.key, comment={"body": "Waits for it"})
        links = client.issue(one.key).fields.issuelinks
        found["links"] = [[item.type.name, item.inwardIssue.key == two.key] for item in links]
        client.create_issue_link("is blocked by", two.key, one.key)
        found["other side"] = [
            [item.type.inward, hasattr(item, "inwardIssue")]
            for item in client.issue(two.key).fields.issuelinks
        ]
        found["link"] = client.issue_link(links[0].id).outwardIssue.key == one.key
        for item in client.issue(one.key).fields.issuelinks:
            client.delete_issue_link(item.id)
        found["unlinked"] = client.issue(two.key).fields.issuelinks
        found["no link"] = self.refused(lambda: client.issue_link(links[0].id))[0]
        found["remote"] = self._remote(one)
        watched = client.watchers(one).watchCount
        client.add_watcher(one, self.other_email)
        people = [person.accountId for person in client.watchers(one).watchers]
        client.remove_watcher(one, self.other_email)
        found["watchers"] = [watched, self.other in people, client.watchers(one).watchCount]
        client.add_vote(one)
        votes = client.votes(one)
        client.remove_vote(one)
        found["votes"] = [votes.votes, votes.hasVoted, client.votes(one).votes]
        client.add_issue_property(one.key, "shelf", {"row": 3})
        kept = client.issue_properties(one.key)
        found["properties"] = [[item.key, item.value.row] for item in kept]
        kept[0].delete()
        found["no property"] = self.refused(lambda: client.issue_property(one.key, "shelf"))[0]
        return found

    def _remote(self, issue: Any) -> list[Any]:
        client = self.client
        told = {"url": "https://wiki.example/belts", "title": "Belts"}
        made = client.add_simple_link(issue.key, told)
        named = client.add_remote_link(
            issue.key,
            {"url": "https://wiki.example/motors", "title": "Motors"},
            globalId="wiki=1",
            relationship="explained by",
        )
        named.update(
            {"url": "https://wiki.example/motors", "title": "All motors"}, globalId="wiki=1"
        )
        listed = client.remote_links(issue)
        found = [
            [item.object.title for item in listed],
            client.remote_link(issue, named.id).object.title,
            client.remote_link(issue, made.id).object.url,
        ]
        client.delete_remote_link(issue, internal_id=made.id)
        client.delete_remote_link(issue, global_id="wiki=1")
        return [*found, client.remote_links(issue)]

    def boards(self) -> dict[str, Any]:
        """Make a board; plan, start and close a sprint; rank; fill an epic."""
        client, found = self.client, dict[str, Any]()
        chosen = client.create_filter(
            "Client works", jql=f"project = {KEY} ORDER BY Rank ASC", favourite=False
        )
        board = client.create_board(
            "Client board", chosen.id, location_type="project", location_id=KEY
        )
        listed = client.boards(name="Client board", projectKeyOrID=KEY)
        found["board"] = [board.type, [item.id == board.id for item in listed], listed.isLast]
        pages = [client.boards(startAt=start, maxResults=1) for start in (0, 1)]
        found["pages"] = [[len(page) for page in pages], pages[0][0].id != pages[1][0].id]
        sprint = client.create_sprint("Sprint one", board.id, goal="Less noise")
        found["sprint"] = [sprint.state, client.sprint(sprint.id).goal]
        keys = [self.task(f"Planned {number}").key for number in range(3)]
        client.add_issues_to_sprint(sprint.id, keys)
        client.move_to_backlog(keys[2:])
        jql = f"sprint = {sprint.id} ORDER BY Rank ASC"
        found["in it"] = [item.key for item in client.search_issues(jql)] == keys[:2]
        client.rank(keys[1], next_issue=keys[0])
        found["ranked"] = [item.key for item in client.search_issues(jql)] == keys[1::-1]
        client.rank(keys[1], prev_issue=keys[0])
        found["back"] = [item.key for item in client.search_issues(jql)] == keys[:2]
        started = client.update_sprint(
            sprint.id,
            name="Sprint 1",
            state="active",
            startDate="2026-06-16T09:00:00.000Z",
            endDate="2026-06-30T09:00:00.000Z",
        )
        running = client.sprints(board.id, state="active")
        found["started"] = [started["state"], [item.name for item in running]]
        client.update_sprint(
            sprint.id,
            name="Sprint 1",
            state="closed",
            startDate="2026-06-16T09:00:00.000Z",
            endDate="2026-06-30T09:00:00.000Z",
        )
        found["closed"] = [
            client.sprint_info(board.id, sprint.id)["state"],
            list(client.sprints_by_name(board.id, state="closed")),
        ]
        found["epic"] = self._epic(keys)
        board.delete()
        found["gone"] = [len(client.boards(name="Client board"))]
        chosen.delete()
        return found

    def _epic(self, keys: list[str]) -> list[Any]:
        client = self.client
        epic = client.create_issue(project=KEY, issuetype="Epic", summary="Quiet machines")
        client.add_issues_to_epic(epic.id, keys[:2])
        children = client.search_issues(f"parent = {epic.key} ORDER BY key")
        return [
            [item.key for item in children] == keys[:2],
            client.issue(keys[0]).fields.parent.key == epic.key,
        ]

    def filters(self) -> dict[str, Any]:
        """Keep searches and dashboards."""
        client, found = self.client, dict[str, Any]()
        kept = client.create_filter("Noise", "What hums", f"project = {KEY}", favourite=True)
        found["made"] = [client.filter(kept.id).jql, kept.favourite]
        found["favourites"] = "Noise" in [item.name for item in client.favourite_filters()]
        client.update_filter(kept.id, name="All noise")
        found["renamed"] = client.filter(kept.id).name
        found["run"] = len(client.search_issues(f"filter = {kept.id}")) > 0
        found["wrong"] = self.refused(lambda: client.create_filter("Wrong", jql="colour = red"))
        found["taken"] = self.refused(lambda: client.create_filter("All noise", jql="key = X-1"))
        kept.delete()
        found["gone"] = self.refused(lambda: client.filter(kept.id))[0]
        board = client.create_dashboard("Wall", "Seen from afar")
        found["gadgets"] = len(client.all_dashboard_gadgets()) > 5
        gadget = client.add_gadget_to_dashboard(
            board.id,
            uri="https://gadgets.example/numbers.xml",
            ignore_uri_and_module_key_validation=True,
            title="Numbers",
        )
        client.set_dashboard_item_property(board.id, gadget.id, "look", {"big": True})
        seen = client.dashboard(board.id)
        found["dashboard"] = [
            seen.name,
            [item.title for item in seen.gadgets],
            [entry.raw["value"] for item in seen.gadgets for entry in item.item_properties],
        ]
        again = gadget.update(board.id, title="More numbers")
        gadget.delete(board.id)
        copy = client.copy_dashboard(board.id, "Wall two")
        listed = [item.name for item in client.dashboards(maxResults=0)]
        found["gadget"] = [again.title, client.dashboard_gadgets(board.id)]
        found["copied"] = [copy.name, "Wall" in listed, "Wall two" in listed]
        board.delete()
        copy.delete()
        found["no dashboard"] = self.refused(lambda: client.dashboard(board.id))[0]
        return found

    def people(self) -> dict[str, Any]:
        """Find people, gather them in groups."""
        client, found = self.client, dict[str, Any]()
        other = client.user(self.other)
        found["user"] = [other.accountId == self.other, other.active]
        found["found"] = [
            self.other in [person.accountId for person in listed]
            for listed in (
                client.search_users(query=other.displayName),
                client.search_assignable_users_for_issues(query=other.displayName, project=KEY),
                client.search_allowed_users_for_issue(other.displayName, projectKey=KEY),
            )
        ]
        found["nobody"] = self.refused(lambda: client.user("712020:nobody"))
        client.add_group("client-works")
        found["group"] = ["client-works" in client.groups(), client.groups(query="client-w")]
        found["empty"] = list(client.group_members("client-works"))
        members = client.group_members("jira-users")
        found["members"] = [self.other in members, len(members) > 5]
        client.remove_group("client-works")
        found["no group"] = self.refused(lambda: client.group("client-works"))[0]
        return found

    def desk(self) -> dict[str, Any]:
        """Ask at a service desk, and answer."""
        client, found = self.client, dict[str, Any]()
        found["supported"] = client.supports_service_desk()
        customer = client.create_customer("kim@guests.example", "Kim Guest")
        found["customer"] = [customer.emailAddress, customer.displayName]
        desk = client.service_desks()[0]
        found["desk"] = client.service_desk(desk.id).projectKey == desk.projectKey
        kinds = client.request_types(desk)
        kind = client.request_type_by_name(desk, kinds[0].name)
        asked = client.create_customer_request(
            {
                "serviceDeskId": int(desk.id),
                "requestTypeId": int(kind.id),
                "requestFieldValues": {"summary": "A new screen", "description": "Mine flickers"},
            }
        )
        found["asked"] = [asked.fields.summary, asked.key.startswith(desk.projectKey)]
        client.add_comment(asked.key, "Within", is_internal=True)
        client.add_comment(asked.key, "For you")
        found["said"] = [[item.body, item.jsdPublic] for item in client.comments(asked.key)]
        found["wrong"] = self.refused(
            lambda: client.create_customer_request(
                {"serviceDeskId": desk, "requestTypeId": 999999, "requestFieldValues": {}}
            )
        )
        return found

    def forms(self) -> dict[str, Any]:
        """Ask which fields may be given."""
        client, found = self.client, dict[str, Any]()
        bare = client.createmeta(projectKeys=KEY)
        kinds = {kind["name"]: kind for kind in bare["projects"][0]["issuetypes"]}
        found["bare"] = [sorted(kinds), "fields" in kinds["Task"]]
        full = client.createmeta(
            projectKeys=KEY, issuetypeNames="Task", expand="projects.issuetypes.fields"
        )
        fields = full["projects"][0]["issuetypes"][0]["fields"]
        found["summary"] = [fields["summary"]["required"], fields["summary"]["operations"]]
        found["types"] = [kind["name"] for kind in full["projects"][0]["issuetypes"]]
        issue = self.task("Edited")
        edited = client.editmeta(issue)["fields"]
        found["edited"] = ["summary" in edited, "labels" in edited]
        return found

    def end(self) -> dict[str, Any]:
        """Delete the project."""
        client, found = self.client, dict[str, Any]()
        found["not by a developer"] = self.refused(lambda: self.developer.delete_project("FWR"))[0]
        found["deleted"] = client.delete_project(KEY)
        found["trashed"] = [
            client.project(KEY).deleted,
            KEY in [item.key for item in client.projects()],
        ]
        found["issues"] = self.refused(lambda: client.search_issues(f"project = {KEY}"))
        stranger = type(client)(
            client.server_url, basic_auth=("nobody@site.example", "x"), get_server_info=False
        )
        found["stranger"] = self.refused(stranger.myself)[0]
        found["not validated"] = self.refused(
            lambda: type(client)(
                client.server_url, basic_auth=("nobody@site.example", "x"), validate=True
            )
        )[0]
        return found


AREAS = (
    "site",
    "projects",
    "issues",
    "search",
    "words",
    "ties",
    "boards",
    "filters",
    "people",
    "desk",
    "forms",
    "end",
)


def main(url: str, email: str, token: str, other: str, other_token: str) -> None:
    """Do the work."""
    jira = import_module("jira")
    admin, developer = (
        jira.JIRA(url, basic_auth=(login, secret), max_retries=0, validate=True)
        for login, secret in ((email, token), (other, other_token))
    )
    areas = Areas(admin, developer, jira)
    found = {}
    for area in AREAS:
        try:
            found[area] = getattr(areas, area)()
        except Exception as error:
            raise SystemExit(f"{area}: {error!r} after {json.dumps(found)}") from error
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
