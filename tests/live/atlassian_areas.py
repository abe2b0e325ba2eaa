"""What the public `atlassian-python-api` client does at a site, area by area.

Arguments: the site's address, an admin's e-mail and API token, a developer's e-mail and API token.
Prints one JSON object: by area, what the client returned and what a second read shows.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

KEY = "APC"
SCRUM = "com.pyxis.greenhopper.jira:gh-simplified-scrum-classic"
SPAN = {"startDate": "2026-06-16T09:00:00.000Z", "endDate": "2026-06-30T09:00:00.000Z"}


def words(text: str) -> dict[str, Any]:
    """Return a document of one paragraph."""
    paragraph = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
    return {"type": "doc", "version": 1, "content": [paragraph]}


def words_of(document: dict[str, Any]) -> str:
    """Return the words of a document of one paragraph."""
    return str(document["content"][0]["content"][0]["text"])


class Areas:
    """The steps, area by area; the project of the first is that of all others."""

    def __init__(self, clients: dict[str, Any], developer: Any, failure: type[Exception]) -> None:
        self.client = clients["Jira"]
        self.cloud = clients["JiraCloud"]
        self.software = clients["JiraSoftware"]
        self.desks = clients["ServiceDesk"]
        self.management = clients["JiraServiceManagement"]
        self.developer = developer
        self.failure = failure
        self.me = self.client.myself()["accountId"]
        self.other = developer.myself()["accountId"]

    def refused(self, attempt: Callable[[], Any]) -> list[Any]:
        """Return the status and the words of a refusal, 200 if there was none."""
        try:
            attempt()
        except self.failure as error:
            found: Any = error
            while getattr(found, "response", None) is None:
                found = found.__cause__ or getattr(found, "reason", None)
            return [found.response.status_code, str(error)]
        return [200, ""]

    def task(self, summary: str, **fields: Any) -> str:
        """Create a task in the project and return its key."""
        given = {"project": {"key": KEY}, "issuetype": {"name": "Task"}, "summary": summary}
        return str(self.client.create_issue({**given, **fields})["key"])

    def keys(self, page: Any) -> list[str]:
        """Return the keys of the issues in an answer."""
        return [issue["key"] for issue in page["issues"]]

    def site(self) -> dict[str, Any]:
        """Ask what the site is and what it has."""
        client, found = self.client, dict[str, Any]()
        found["kind"] = client.get_server_info()["deploymentType"]
        found["me"] = [client.myself()["active"], self.me != self.other]
        fields = {field["id"]: field["name"] for field in client.get_all_fields()}
        found["fields"] = [fields["summary"], "Rank" in fields.values()]
        custom = client.get_custom_fields(start=0, limit=5)
        found["page"] = [custom["startAt"], custom["maxResults"], len(custom["values"])]
        found["status"] = client.get_status_id_from_name("Done") in [
            int(status["id"]) for status in client.get_all_statuses()
        ]
        allowed = client.get_permissions("ADMINISTER")["permissions"]
        found["admin"] = allowed["ADMINISTER"]["havePermission"]
        found["lists"] = [
            bool(listed())
            for listed in (
                client.get_all_priorities,
                client.get_all_resolutions,
                client.get_issue_types,
                client.get_all_workflows,
                client.get_all_screens,
                client.get_all_project_types,
                client.get_all_global_project_roles,
                client.get_all_application_roles,
                client.get_issue_link_types,
                client.get_configurations_of_jira,
                client.get_time_tracking_settings,
                client.get_all_system_avatars,
            )
        ]
        workflows = client.get_workflows_paginated(max_results=1)
        found["workflows"] = [len(workflows["values"]), workflows["maxResults"]]
        found["nowhere"] = self.refused(lambda: client.get("rest/api/3/nowhere"))[0]
        return found

    def projects(self) -> dict[str, Any]:
        """Make the project; give it people, components and versions."""
        client, found = self.client, dict[str, Any]()
        body = {
            "key": KEY,
            "name": "Plant works",
            "projectTypeKey": "software",
            "projectTemplateKey": SCRUM,
            "leadAccountId": self.me,
        }
        made = client.create_project_from_raw_json(body)
        project = client.project(KEY)
        found["made"] = [project["name"], project["id"] == str(made["id"])]
        found["lead"] = project["lead"]["accountId"] == self.me
        found["taken"] = self.refused(lambda: client.create_project_from_raw_json(body))
        found["listed"] = KEY in [item["key"] for item in client.projects()]
        client.update_project(KEY, {"description": "Pumps and belts"})
        found["described"] = client.project(KEY)["description"]
        kinds = client.get_status_for_project(KEY)
        found["kinds"] = sorted(kind["name"] for kind in kinds)
        found["no project"] = self.refused(lambda: client.project("NONE"))
        role = client.get_project_roles(KEY)["Administrators"].rpartition("/")[2]
        client.add_user_into_project_role(KEY, role, self.other)
        actors = client.get_project_actors_for_role_project(KEY, role)
        client.delete_project_actors(KEY, role, self.other, "user")
        left = client.get_project_actors_for_role_project(KEY, role)
        found["actors"] = [
            self.other in [actor.get("actorUser", {}).get("accountId") for actor in listed]
            for listed in (actors, left)
        ]
        scheme = client.get_project_permission_scheme(KEY)
        client.assign_project_permission_scheme(KEY, scheme["id"])
        found["scheme"] = client.get_project_permission_scheme(KEY)["name"]
        found["components"] = self._components()
        found["versions"] = self._versions(str(made["id"]))
        return found

    def _components(self) -> list[Any]:
        client = self.client
        made = client.create_component({"name": "Pump", "project": KEY})
        client.update_component({"name": "Water pump", "leadAccountId": self.other}, made["id"])
        key = self.task("It leaks", components=[{"id": made["id"]}])
        shown = client.component(made["id"])
        listed = client.get_project_components(KEY)
        counted = client.get_component_related_issues(made["id"])["issueCount"]
        client.delete_component(made["id"])
        return [
            [shown["name"], shown["lead"]["accountId"] == self.other],
            [item["name"] for item in listed],
            counted,
            client.issue(key, fields="components")["fields"],
            self.refused(lambda: client.component(made["id"]))[0],
        ]

    def _versions(self, project: str) -> list[Any]:
        client = self.client
        ids = [
            client.add_version(project_id=project, version=name)["id"]
            for name in ("1.0", "1.1", "2.0")
        ]
        client.update_version(ids[0], name="1.0.1", is_released=True, release_date="2026-06-10")
        client.move_version(ids[2], position="first")
        client.move_version(ids[0], after=ids[1])
        page = client.get_project_versions_paginated(KEY, start=1, limit=2, order_by="sequence")
        client.delete_version(ids[1])
        shown = client.get_version(ids[0])
        return [
            [page["total"], [item["name"] for item in page["values"]], page["isLast"]],
            [shown["name"], shown["released"], shown["releaseDate"]],
            [item["name"] for item in client.get_project_versions(KEY)],
        ]

    def issues(self) -> dict[str, Any]:
        """Create, read, change, assign, move and delete issues."""
        client, found = self.client, dict[str, Any]()
        key = self.task("It drips", description="*Slowly*", labels=["water"])
        shown = client.issue(key)["fields"]
        found["made"] = [shown["summary"], shown["description"], shown["labels"]]
        client.update_issue_field(key, {"summary": "It drips fast", "priority": {"name": "High"}})
        client.issue_update(key, {}, update={"labels": [{"add": "urgent"}]})
        client.label_issue(key, ["night"])
        client.unlabel_issue(key, ["water"])
        client.issue_field_value_append(key, "labels", "hall")
        client.edit_issue(key, {"description": [{"set": "h1. Fast"}]})
        found["changed"] = [
            client.issue_field_value(key, "summary"),
            client.issue_field_value(key, "description"),
            client.issue_field_value(key, "priority")["name"],
            sorted(client.get_issue_labels(key)),
        ]
        found["assigned"] = []
        for whom in (self.other, None):
            client.assign_issue(key, whom)
            person = client.issue_field_value(key, "assignee")
            found["assigned"].append(person and person["accountId"] == whom)
        found["no assignee"] = self.refused(lambda: client.assign_issue(key, "712020:nobody"))
        names = [item["name"] for item in client.get_issue_transitions(key)]
        client.set_issue_status(key, "In Progress")
        found["by name"] = self.refused(
            lambda: client.set_issue_status_by_transition_name(key, "Done")
        )
        client.set_issue_status(key, "Done")
        changes = client.get_issue_status_changelog(key)
        found["moved"] = [
            names,
            client.get_issue_status(key),
            sorted([item["from"], item["to"]] for item in changes),
        ]
        log = client.get_issue_changelog(key, limit=2)
        found["log"] = [len(log["values"]), log["total"] > 2, log["isLast"]]
        found |= self._children(key)
        client.delete_issue(key)
        found["gone"] = [client.issue_exists(key), client.issue_deleted(found.pop("child"))]
        found["refused"] = self.refused(lambda: client.issue(key))
        found["wrong"] = self.refused(lambda: self.task("Two\nlines"))
        return found

    def _children(self, key: str) -> dict[str, Any]:
        """Make two sub-tasks at once, one of which cannot be."""
        client, found = self.client, dict[str, Any]()
        made = client.create_issues(
            [
                {
                    "fields": {
                        "project": {"key": KEY},
                        "issuetype": {"name": "Sub-task"},
                        "parent": {"key": key},
                        "summary": summary,
                    }
                }
                for summary in ("Close the tap", "")
            ]
        )
        child = made["issues"][0]["key"]
        found["many"] = [
            [entry["status"], entry["failedElementNumber"], entry["elementErrors"]["errors"]]
            for entry in made["errors"]
        ]
        found["children"] = [
            [item["key"] == child for item in client.issue_field_value(key, "subtasks")],
            self.refused(lambda: client.delete_issue(key, delete_subtasks=False))[0],
        ]
        found["child"] = child
        return found

    def search(self) -> dict[str, Any]:
        """Search page by page, wholly and wrongly."""
        client, found = self.client, dict[str, Any]()
        keys = [self.task(f"Sought {number}", labels=["sought"]) for number in range(5)]
        jql = f"project = {KEY} AND labels = sought ORDER BY key ASC"
        token, pages = None, list[list[Any]]()
        while token is not None or not pages:
            page = client.enhanced_jql(jql, fields=["summary"], limit=2, nextPageToken=token)
            pages.append([self.keys(page), page["isLast"]])
            token = page.get("nextPageToken")
        found["pages"] = [
            [[len(page), is_last] for page, is_last in pages],
            [key for page, _ in pages for key in page] == keys,
        ]
        listed = client.jql_get_list_of_tickets(jql)
        found["all"] = [issue["key"] for issue in listed] == keys
        old = "created >= 2000-01-01 ORDER BY key"
        every = client.enhanced_jql_get_list_of_tickets(old, fields="key")
        found["every"] = [
            len(every) > 100,
            len({item["id"] for item in every}) == len(every),
            client.approximate_issue_count(old)["count"] == len(every),
        ]
        found["count"] = client.approximate_issue_count(jql)
        shown = client.jql(jql, limit=1, expand="names,changelog,renderedFields")
        found["expanded"] = [
            shown["names"]["summary"],
            shown["issues"][0]["changelog"]["total"],
            "renderedFields" in shown["issues"][0],
        ]
        ids = [int(client.issue(key, fields="id")["id"]) for key in keys[:2]]
        matched = client.match_jql(ids, [jql, "labels = nothing"])
        found["matched"] = [entry["matchedIssues"] == ids for entry in matched["matches"]]
        found["unbounded"] = self.refused(lambda: client.jql("ORDER BY key"))
        found["unknown"] = self.refused(lambda: client.jql("colour = red"))
        found["broken"] = self.refused(lambda: client.jql("project ="))[0]
        found["removed"] = self.refused(lambda: client.get("rest/api/3/search?jql=key=X-1"))
        found["of others"] = len(self.developer.jql(jql)["issues"])
        return found

    def said(self) -> dict[str, Any]:
        """Comment, log work, attach."""
        client, found = self.client, dict[str, Any]()
        key = self.task("Talked about")
        first = client.issue_add_comment(key, "Hello, *all*")
        limit = {"type": "role", "value": "Administrators"}
        second = client.issue_add_comment(key, "Admins", visibility=limit)
        client.issue_edit_comment(key, first["id"], "Hello again")
        listed = client.issue_get_comments(key)
        found["comments"] = [
            listed["total"],
            [item["body"] for item in listed["comments"]],
            client.issue_get_comment(key, second["id"])["visibility"]["value"],
        ]
        client.set_comment_property(first["id"], "mood", {"value": {"kind": True}})
        found["property"] = client.get_comment_property(first["id"], "mood")["key"]
        logged = client.issue_worklog(key, "2026-06-15T09:00:00.000+0000", 5400, "Looked")
        times = client.issue_field_value(key, "timetracking")
        found["work"] = [
            logged["timeSpent"],
            [item["comment"] for item in client.issue_get_worklog(key)["worklogs"]],
            times["timeSpent"],
            [item["id"] == logged["id"] for item in client.get_worklogs([int(logged["id"])])],
        ]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "Plan 1.txt"
            file.write_bytes(b"\x00pumps\xff")
            made = client.add_attachment(key, str(file))
        listed = client.get_attachments_ids_from_issue(key)
        found["attached"] = [
            [[item["filename"], item["attachment_id"] == made[0]["id"]] for item in listed],
            client.get_attachment(made[0]["id"])["size"],
            client.get_attachment_content(made[0]["id"]) == b"\x00pumps\xff",
        ]
        client.remove_attachment(made[0]["id"])
        found["removed"] = client.get_attachments_ids_from_issue(key)
        return found

    def ties(self) -> dict[str, Any]:
        """Link, watch and vote."""
        client, found = self.client, dict[str, Any]()
        one, two = self.task("No water"), self.task("Broken pipe")
        client.create_issue_link(
            {
                "type": {"name": "Blocks"},
                "inwardIssue": {"key": two},
                "outwardIssue": {"key": one},
                "comment": {"body": "Cannot start"},
            }
        )
        link = client.issue_field_value(one, "issuelinks")[0]
        found["link"] = [link["inwardIssue"]["key"] == two, link["type"]["inward"]]
        found["shown"] = client.get_issue_link(link["id"])["outwardIssue"]["key"] == one
        client.remove_issue_link(link["id"])
        found["unlinked"] = [client.issue_field_value(key, "issuelinks") for key in (one, two)]
        made = client.create_or_update_issue_remote_links(
            one, "https://wiki.example/water", "Water", global_id="wiki=7"
        )
        again = client.create_or_update_issue_remote_links(
            one, "https://wiki.example/water", "All water", global_id="wiki=7"
        )
        listed = client.get_issue_remote_links(one)
        found["remote"] = [made["id"] == again["id"], [item["object"]["title"] for item in listed]]
        client.delete_issue_remote_link_by_id(one, made["id"])
        found["no remote"] = client.get_issue_remote_links(one)
        client.issue_add_watcher(one, self.other)
        watched = client.issue_get_watchers(one)
        client.issue_delete_watcher(one, account_id=self.other)
        found["watchers"] = [
            self.other in [person["accountId"] for person in watched["watchers"]],
            client.issue_get_watchers(one)["watchCount"],
        ]
        self.cloud.add_vote(one)
        votes = self.cloud.get_votes(one)
        self.cloud.remove_vote(one)
        found["votes"] = [votes["votes"], votes["hasVoted"], self.cloud.get_votes(one)["votes"]]
        client.set_issue_property(one, "shelf", {"row": 3})
        found["property"] = client.get_issue_property(one, "shelf")["value"]
        client.delete_issue_property(one, "shelf")
        found["no property"] = client.get_issue_property_keys(one)["keys"]
        return found

    def boards(self) -> dict[str, Any]:
        """Make a board; plan, start and close a sprint; rank; flag."""
        client, found = self.client, dict[str, Any]()
        chosen = client.create_filter("Plant works", f"project = {KEY} ORDER BY Rank ASC")
        place = {"type": "project", "projectKeyOrId": KEY}
        board = client.create_agile_board("Plant board", "scrum", chosen["id"], location=place)[
            "id"
        ]
        listed = client.get_all_agile_boards(board_name="Plant board", project_key=KEY)
        found["board"] = [[item["id"] == board for item in listed["values"]], listed["isLast"]]
        found["configured"] = [
            client.get_agile_board_configuration(board)["filter"]["id"] == chosen["id"],
            [
                item["key"]
                for item in client.get_all_projects_associated_with_board(board)["values"]
            ],
            [
                item["id"] == board
                for item in client.get_agile_board_by_filter_id(chosen["id"])["values"]
            ],
        ]
        sprint = client.create_sprint("Sprint one", board, goal="Dry floors")["id"]
        keys = [self.task(f"Planned {number}", labels=["planned"]) for number in range(3)]
        client.add_issues_to_sprint(sprint, keys)
        client.move_issues_to_backlog(keys[2:])
        found["planned"] = [
            self.keys(client.get_sprint_issues(sprint, 0, 50)) == keys[:2],
            self.keys(client.get_all_issues_for_sprint_in_board(board, sprint)) == keys[:2],
            keys[2] in self.keys(client.get_issues_for_backlog(board)),
        ]
        rank = next(item for item in client.get_all_fields() if item["name"] == "Rank")
        client.update_rank([keys[1]], keys[0], rank["schema"]["customId"])
        page = client.get_issues_for_board(board, "labels = planned", fields="summary", limit=2)
        found["ranked"] = [self.keys(page) == keys[1::-1], page["total"], page["maxResults"]]
        client.update_partially_sprint(sprint, {"state": "active", **SPAN})
        running = client.get_all_sprints_from_board(board, state="active")["values"]
        found["started"] = [[item["goal"], item["originBoardId"] == board] for item in running]
        client.update_partially_sprint(sprint, {"state": "closed"})
        found["closed"] = [
            client.get_sprint(sprint)["state"],
            "completeDate" in client.get_sprint(sprint),
            client.update_partially_sprint(sprint, {"state": "active"})["state"],
        ]
        found["epic"] = self._epic(board, keys)
        found["tokens"] = self._tokens(board, sprint, keys)
        client.delete_agile_board(board)
        found["gone"] = self.refused(lambda: client.get_agile_board(board))[0]
        client.delete_filter(chosen["id"])
        return found

    def _epic(self, board: int, keys: list[str]) -> list[Any]:
        fields = {"project": {"key": KEY}, "issuetype": {"name": "Epic"}, "summary": "Dry"}
        epic = self.client.create_issue(fields)["key"]
        number = int(self.client.issue(epic, fields="id")["id"])
        self.software.move_issues_to_epic(epic, data={"issues": keys[:2]})
        loose = self.client.get_issues_without_epic(board, jql="labels = planned")
        return [
            [item["key"] == epic for item in self.client.get_epics(board)["values"]],
            sorted(self.keys(self.client.get_issues_for_epic(board, number))) == keys[:2],
            self.keys(loose) == keys[2:],
            self.software.get_epic(epic)["summary"],
        ]

    def _tokens(self, board: int, sprint: int, keys: list[str]) -> list[Any]:
        """Read lists of issues the way that has been offered since 2026."""
        software = self.software
        first = software.get_issues_for_board_jsis(board, max_results=1, jql="labels = planned")
        second = software.get_issues_for_board_jsis(
            board, max_results=5, jql="labels = planned", next_page_token=first["nextPageToken"]
        )
        software.estimate_issue_for_board(keys[0], board_id=board, data={"value": "5"})
        software.set_board_property(board, "colour", data={"shade": "blue"})
        return [
            sorted(self.keys(first) + self.keys(second)) == keys,
            [first["isLast"], second["isLast"], "nextPageToken" in second],
            sorted(self.keys(software.get_issues_for_sprint_jsis(sprint))) == keys[:2],
            software.get_approximate_issue_count_for_board(board, jql="labels = planned")["count"],
            software.get_issue_estimation_for_board(keys[0], board_id=board)["value"],
            software.get_board_property(board, "colour")["value"],
        ]

    def filters(self) -> dict[str, Any]:
        """Keep searches and share them."""
        client, found = self.client, dict[str, Any]()
        kept = client.create_filter("Leaks", f"project = {KEY}", "What drips", favourite=True)
        found["made"] = [kept["favourite"], client.get_filter(kept["id"])["description"]]
        client.update_filter(kept["id"], f"project = {KEY} AND labels = x", name="All leaks")
        shown = client.get_filter(kept["id"])
        found["changed"] = [shown["name"], shown["jql"]]
        client.add_filter_share_permission(
            kept["id"], "project", project_id=client.project(KEY)["id"]
        )
        shared = client.get_filter_share_permissions(kept["id"])
        found["shared"] = [[item["type"], item["project"]["key"]] for item in shared]
        client.delete_filter_share_permission(kept["id"], shared[0]["id"])
        found["unshared"] = client.get_filter_share_permissions(kept["id"])
        found["wrong"] = self.refused(lambda: client.create_filter("Wrong", "colour = red"))
        client.delete_filter(kept["id"])
        found["gone"] = self.refused(lambda: client.get_filter(kept["id"]))[0]
        made = self.cloud.create_dashboard(
            data={"name": "Plant", "sharePermissions": [], "editPermissions": []}
        )
        listed = client.get_dashboards(limit=100)
        found["dashboard"] = [
            client.get_dashboard(made["id"])["name"],
            made["id"] in [item["id"] for item in listed["dashboards"]],
        ]
        self.cloud.delete_dashboard(made["id"])
        found["no dashboard"] = self.refused(lambda: client.get_dashboard(made["id"]))[0]
        return found

    def people(self) -> dict[str, Any]:
        """Find people, gather them in groups."""
        client, cloud, found = self.client, self.cloud, dict[str, Any]()
        shown = client.user(account_id=self.other, expand="groups")
        found["user"] = [shown["active"], shown["groups"]["size"] > 0]
        email = self.developer.myself()["emailAddress"]
        found["found"] = [
            self.other in [person["accountId"] for person in listed]
            for listed in (
                client.user_find_by_user_string(query=email),
                client.user_find_by_user_string(account_id=self.other),
                client.users_get_all(limit=1000),
                client.get_all_assignable_users_for_project(KEY, limit=1000),
            )
        ]
        pages = [client.users_get_all(start=start, limit=2) for start in (0, 2)]
        found["pages"] = [len(page) for page in pages]
        found["distinct"] = len({person["accountId"] for page in pages for person in page})
        group = client.create_group("plant-works")
        cloud.add_user_to_group(groupname="plant-works", data={"accountId": self.other})
        members = client.get_all_users_from_group("plant-works")
        found["group"] = [
            group["name"],
            members["total"],
            [person["accountId"] == self.other for person in members["values"]],
            [item["name"] for item in client.get_groups("plant-w")["groups"]],
            [item["name"] for item in cloud.bulk_get_groups(group_name="plant-works")["values"]],
        ]
        cloud.remove_user_from_group(groupname="plant-works", account_id=self.other)
        found["left"] = client.get_all_users_from_group("plant-works")["total"]
        client.remove_group("plant-works")
        found["gone"] = self.refused(lambda: client.get_all_users_from_group("plant-works"))[0]
        found["taken"] = self.refused(lambda: client.create_group("jira-users"))
        found["not by a developer"] = self.refused(lambda: self.developer.create_group("mine"))[0]
        return found

    def desk(self) -> dict[str, Any]:
        """Ask at a service desk, work on what was asked."""
        desks, found = self.desks, dict[str, Any]()
        found["info"] = "version" in desks.get_info()
        desk = desks.get_service_desks()[0]
        found["desk"] = desks.get_service_desk_by_id(desk["id"])["projectKey"] == desk["projectKey"]
        kinds = desks.get_request_types(desk["id"])["values"]
        kind = next(item for item in kinds if self._plain(desk["id"], item["id"]))
        asked = desks.create_customer_request(
            desk["id"],
            kind["id"],
            {"summary": "A new tap", "description": "Mine drips"},
            request_participants=[self.other],
        )
        key = asked["issueKey"]
        found["asked"] = [
            desks.get_customer_request(key)["reporter"]["accountId"] == self.me,
            self.client.issue_field_value(key, "summary"),
            key in [item["issueKey"] for item in desks.get_my_customer_requests()],
            desks.get_customer_request_status(key) == asked["currentStatus"]["status"],
        ]
        people = desks.get_request_participants(key)
        desks.remove_request_participants(key, account_list=[self.other])
        found["participants"] = [
            [person["accountId"] == self.other for person in people],
            desks.get_request_participants(key),
        ]
        desks.create_request_comment(key, "Within", public=False)
        desks.create_request_comment(key, "For you")
        found["said"] = [
            [item["body"] for item in desks.get_request_comments(key, internal=internal)]
            for internal in (True, False)
        ]
        found["slas"] = [
            "ongoingCycle" in item or bool(item["completedCycles"]) for item in desks.get_sla(key)
        ]
        queue = next(
            item
            for item in desks.get_queues(desk["id"], include_count=True)["values"]
            if item["issueCount"]
        )
        page = desks.get_issues_in_queue(desk["id"], queue["id"], limit=1)
        found["queue"] = [page["size"], page["isLastPage"] == (queue["issueCount"] == 1)]
        found["customers"] = self._customers(desk["id"])
        found["wrong"] = self.refused(
            lambda: self.management.create_customer_request(
                data={"serviceDeskId": desk["id"], "requestTypeId": kind["id"]}
            )
        )
        return found

    def _plain(self, desk: str, kind: str) -> bool:
        """Tell whether a request type asks for a summary and a description only."""
        fields = self.desks.get_request_type_fields(desk, kind)["requestTypeFields"]
        needed = {field["fieldId"] for field in fields if field["required"]}
        return needed <= {"summary", "description"} <= {field["fieldId"] for field in fields}

    def _customers(self, desk: str) -> list[Any]:
        desks = self.desks
        made = desks.create_customer("Lee Guest", "lee@guests.example")
        desks.add_customers(desk, list_of_accountids=[made["accountId"]])
        listed = desks.get_customers(desk, query="lee@guests.example")["values"]
        firm = desks.create_organization("Guests Ltd")
        desks.add_users_to_organization(firm["id"], account_list=[made["accountId"]])
        desks.add_organization(desk, int(firm["id"]))
        members = desks.get_users_in_organization(firm["id"])["values"]
        names = [item["name"] for item in desks.get_organisations(desk)["values"]]
        desks.delete_organization(firm["id"])
        return [
            made["displayName"],
            [person["accountId"] == made["accountId"] for person in listed],
            [person["displayName"] for person in members],
            "Guests Ltd" in names,
            self.refused(lambda: desks.get_organization(firm["id"]))[0],
        ]

    def third(self) -> dict[str, Any]:
        """Write rich text by the third version of the API."""
        cloud, found = self.cloud, dict[str, Any]()
        fields = {"project": {"key": KEY}, "issuetype": {"name": "Task"}, "summary": "Rich"}
        key = cloud.create_issue(data={"fields": {**fields, "description": words("Wet *floor*")}})[
            "key"
        ]
        found["made"] = [
            words_of(cloud.get_issue(key, fields="description")["fields"]["description"]),
            self.client.issue_field_value(key, "description"),
        ]
        cloud.edit_issue(key, data={"fields": {"description": words("Dry floor")}})
        shown = cloud.get_issue(key, fields="description", expand="renderedFields")
        found["changed"] = shown["renderedFields"]["description"]
        comment = cloud.add_comment(key, data={"body": words("Mopped")})
        cloud.update_comment(key, comment["id"], data={"body": words("Mopped twice")})
        page = cloud.get_comments(key, max_results=1, order_by="-created")
        found["comment"] = [page["total"], [words_of(item["body"]) for item in page["comments"]]]
        cloud.delete_comment(key, comment["id"])
        found["silent"] = cloud.get_comments(key)["total"]
        found["plain"] = self.refused(lambda: cloud.add_comment(key, data={"body": "Text"}))[0]
        kinds = cloud.get_create_issue_meta_issue_types(KEY)
        kind = next(item for item in kinds["issueTypes"] if item["name"] == "Task")
        form = cloud.get_create_issue_meta_issue_type_id(KEY, kind["id"], max_results=3)
        found["form"] = [kinds["total"], len(form["fields"]), form["total"] > 3]
        both = cloud.bulk_fetch_issues(
            data={"issueIdsOrKeys": [key, "NONE-1"], "fields": ["summary"]}
        )
        found["fetched"] = [self.keys(both) == [key], len(both["issueErrors"])]
        moves = {
            "bulkTransitionInputs": [
                {"selectedIssueIdsOrKeys": [key], "transitionId": self._done(key)}
            ]
        }
        task = cloud.submit_bulk_transition(data={**moves, "sendBulkNotification": False})["taskId"]
        found["task"] = [
            cloud.get_bulk_operation_progress(task)["status"],
            self.client.get_issue_status(key),
        ]
        page = cloud.search_projects(query="Plant works", max_results=1)
        found["projects"] = [[item["key"] for item in page["values"]], page["isLast"]]
        return found

    def _done(self, key: str) -> str:
        entries = self.cloud.get_transitions(key)["transitions"]
        return next(str(entry["id"]) for entry in entries if entry["to"]["name"] == "Done")

    def forms(self) -> dict[str, Any]:
        """Ask which fields may be given."""
        client, found = self.client, dict[str, Any]()
        full = client.issue_createmeta(KEY)["projects"][0]["issuetypes"]
        task = next(kind for kind in full if kind["name"] == "Task")
        found["full"] = [len(full), task["fields"]["summary"]["required"]]
        listed = client.issue_createmeta_fieldtypes(KEY, task["id"], limit=50)["fields"]
        found["same"] = sorted(task["fields"]) == sorted(field["fieldId"] for field in listed)
        found["edited"] = client.issue_editmeta(self.task("Edited"))["fields"]["summary"]["name"]
        return found

    def end(self) -> dict[str, Any]:
        """Delete the project."""
        client, found = self.client, dict[str, Any]()
        found["not by a developer"] = self.refused(lambda: self.developer.delete_project(KEY))[0]
        client.delete_project(KEY)
        found["left"] = KEY in [item["key"] for item in client.projects()]
        found["issues"] = self.refused(lambda: client.jql(f"project = {KEY}"))
        stranger = type(client)(client.url, "nobody@site.example", "x", cloud=True)
        found["stranger"] = self.refused(stranger.myself)
        return found


AREAS = (
    "site",
    "projects",
    "issues",
    "search",
    "said",
    "ties",
    "boards",
    "filters",
    "people",
    "desk",
    "third",
    "forms",
    "end",
)


def make(url: str, email: str, token: str, other: str, other_token: str) -> Areas:
    """Return the areas with clients of an admin and of a developer."""
    clients = {}
    for module, name in (
        ("atlassian", "Jira"),
        ("atlassian", "ServiceDesk"),
        ("atlassian.jira", "JiraCloud"),
        ("atlassian.jira", "JiraSoftware"),
        ("atlassian.jira", "JiraServiceManagement"),
    ):
        kind = getattr(import_module(module), name)
        clients[name] = kind(url, username=email, password=token, cloud=True)
    developer = type(clients["Jira"])(url, username=other, password=other_token, cloud=True)
    return Areas(clients, developer, import_module("requests").HTTPError)


def main(*arguments: str) -> None:
    """Do the work."""
    areas = make(*arguments)
    found = {}
    for area in AREAS:
        try:
            found[area] = getattr(areas, area)()
        except Exception as error:
            raise SystemExit(f"{area}: {error!r} after {json.dumps(found)}") from error
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
