"""What an agent does at a site through the public `mcp-atlassian` server, which speaks to a cloud.

Arguments: the site's address (of a host in `atlassian.net`: by that the server tells a cloud from
others), the authority to trust, a file of hosts, an admin's e-mail and API token, a developer's
e-mail and account id, and the command that starts another with mounts of its own. The server is
started by it, over stdio, with the file of hosts as its `/etc/hosts`. Prints one JSON object: by
area, what came of each step.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from base64 import b64decode
from importlib import import_module
from pathlib import Path
from typing import Any

# Two spaces of the caller's, with scrum boards.
PROJECT, ELSEWHERE = "MCA", "MCB"
# Later than any clock of a machine that runs this: the server refuses starts in its past.
SPAN = {"start_date": "2199-01-07T09:00:00.000Z", "end_date": "2199-01-21T09:00:00.000Z"}
PICTURE = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
BOUND = 'mount --bind "$0" /etc/hosts && exec "$@"'


def picture() -> str:
    """Write a picture into the folder that this runs in, and return its path."""
    path = Path("spot.png")
    path.write_bytes(PICTURE)
    return str(path.resolve())


class Areas:
    """The steps, area by area."""

    def __init__(self, session: Any, email: str, other: str, other_id: str) -> None:
        self.session = session
        self.email = email
        self.other = other
        self.other_id = other_id
        self.called = set[str]()

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Return what a tool answers: its JSON, or the words of its refusal."""
        self.called.add(f"jira_{tool}")
        answer = await self.session.call_tool(f"jira_{tool}", arguments)
        text = answer.content[0].text if answer.content else "null"
        if answer.isError:
            return str(text).removeprefix(f"Error calling tool '{tool}': ")
        return json.loads(text)

    async def files(self, tool: str, key: str) -> list[Any]:
        """Return how many files a tool found, and which of them it did not fetch, and why."""
        told = await self.call(tool, issue_key=key)
        total = told.get("total", told.get("total_images"))
        return [total, [[item["filename"], item["error"]] for item in told["failed"]]]

    async def task(self, summary: str, **more: Any) -> str:
        """Create a task and return its key."""
        made = await self.call(
            "create_issue", project_key=PROJECT, summary=summary, issue_type="Task", **more
        )
        return str(made["issue"]["key"])

    async def shown(self, key: str, fields: str) -> dict[str, Any]:
        """Return an issue as it is read again."""
        found: dict[str, Any] = await self.call("get_issue", issue_key=key, fields=fields)
        return found

    async def found(self, jql: str, **more: Any) -> Any:
        """Return the answer to a search, with the keys of its issues."""
        answer = await self.call("search", jql=jql, **more)
        if isinstance(answer, str):
            return answer
        return [issue["key"] for issue in answer["issues"]], answer.get("next_page_token")

    async def site(self) -> dict[str, Any]:
        """Ask what there is."""
        listed = await self.session.list_tools()
        names = {tool.name for tool in listed.tools}
        user = await self.call("get_user_profile", user_identifier=self.email)
        projects = await self.call("get_all_projects")
        kinds = await self.call("get_project_issue_types", project_key=PROJECT)
        fields = await self.call("search_fields", keyword="Flagged", limit=1)
        options = await self.call(
            "get_field_options", field_id=fields[0]["id"], project_key=PROJECT, issue_type="Task"
        )
        task = next(kind["id"] for kind in kinds if kind["name"] == "Task")
        form = await self.call("get_create_fields", project_key=PROJECT, issue_type_id=task)
        people = await self.call("search_assignable_users", query=self.other, project_key=PROJECT)
        links = await self.call("get_link_types", name_filter="block")
        return {
            "tools": [len(names) > 60, "jira_search" in names],
            "user": user["user"]["email"] == self.email,
            "projects": PROJECT in [project["key"] for project in projects],
            "types": sorted(kind["name"] for kind in kinds),
            "field": [fields[0]["name"], [option["value"] for option in options]],
            "form": [field["field_id"] for field in form if field["required"]],
            "people": [person["account_id"] == self.other_id for person in people["users"]],
            "links": [[link["name"], link["inward"]] for link in links],
        }

    async def issues(self) -> dict[str, Any]:
        """Create, read, change, assign, comment, move and delete issues."""
        more = json.dumps({"labels": ["mcp"], "priority": {"name": "High"}})
        text = "# Head\n\nSome **bold** words\n\n- one\n- two"
        key = await self.task(
            "Over MCP", description=text, assignee=self.other, additional_fields=more
        )
        found = dict[str, Any]()
        made = await self.shown(key, "*all")
        found["made"] = [
            [made[part] for part in ("summary", "description", "labels")],
            [made["priority"]["name"], made["status"]["name"]],
            made["assignee"]["account_id"] == self.other_id,
        ]
        change = json.dumps({"summary": "Changed over MCP", "description": "Now *this*"})
        await self.call("update_issue", issue_key=key, fields=change)
        await self.call("assign_issue", issue_key=key, assignee=self.email)
        changed = await self.shown(key, "summary,description,assignee")
        found["changed"] = [
            changed["summary"],
            changed["description"],
            changed["assignee"]["email"] == self.email,
        ]
        comment = await self.call("add_comment", issue_key=key, body="It is **done**")
        await self.call("edit_comment", issue_key=key, comment_id=comment["id"], body="All of it")
        await self.call("add_worklog", issue_key=key, time_spent="1h 30m", comment="Looked")
        logged = await self.call("get_worklog", issue_key=key)
        found["said"] = [
            [item["body"] for item in (await self.shown(key, "comment"))["comments"]],
            [[item["time_spent"], item["comment"]] for item in logged["worklogs"]],
        ]
        moves = await self.call("get_transitions", issue_key=key)
        done = next(str(move["id"]) for move in moves if move["name"] == "Done")
        await self.call("transition_issue", issue_key=key, transition_id=done)
        dates = await self.call("get_issue_dates", issue_key=key)
        log = await self.call("batch_get_changelogs", issue_ids_or_keys=key, fields="status")
        found["moved"] = [
            (await self.shown(key, "status"))["status"],
            [entry["status"] for entry in dates["status_changes"]],
            [
                [item["from_string"], item["to_string"]]
                for entry in log[0]["changelogs"]
                for item in entry["items"]
            ],
        ]
        found["no transition"] = await self.call(
            "transition_issue", issue_key=key, transition_id="9999"
        )
        await self.call("delete_issue", issue_key=key)
        gone = await self.call("get_issue", issue_key=key)
        found["gone"] = gone.replace(key, "KEY")
        found["wrong"] = await self.call(
            "create_issue", project_key="NONE", summary="x", issue_type="Task"
        )
        return found

    async def search(self) -> dict[str, Any]:
        """Search page by page, and wrongly."""
        made = await self.call(
            "batch_create_issues",
            issues=json.dumps(
                [
                    {"project_key": PROJECT, "summary": f"Many {number}", "issue_type": "Task"}
                    for number in range(3)
                ]
            ),
        )
        keys = sorted(issue["key"] for issue in made["issues"])
        jql = f"project = {PROJECT} AND summary ~ many AND key >= {keys[0]} ORDER BY key"
        first, token = await self.found(jql, limit=2, fields="summary")
        second, none = await self.found(jql, limit=2, fields="summary", page_token=token)
        return {
            "pages": [len(first), first + second == keys, none],
            "unknown": await self.found("colour = red"),
            "unbounded": await self.found("ORDER BY key"),
        }

    async def ties(self) -> dict[str, Any]:
        """Link issues with each other, an epic and a page; watch; move to another space."""
        one, two = await self.task("No current"), await self.task("Cable cut")
        made = await self.call(
            "create_issue", project_key=PROJECT, summary="Power", issue_type="Epic"
        )
        epic = made["issue"]["key"]
        await self.call("link_to_epic", issue_key=one, epic_key=epic)
        await self.call(
            "create_issue_link", link_type="Blocks", inward_issue_key=two, outward_issue_key=one
        )
        await self.call(
            "create_remote_issue_link", issue_key=one, url="https://wiki.example/1", title="Wiki"
        )
        shown = await self.shown(one, "parent,issuelinks")
        link = shown["issuelinks"][0]
        await self.call("remove_issue_link", link_id=link["id"])
        await self.call("add_watcher", issue_key=one, user_identifier=self.other_id)
        watched = await self.call("get_issue_watchers", issue_key=one)
        await self.call("remove_watcher", issue_key=one, account_id=self.other_id)
        left = await self.call("get_issue_watchers", issue_key=one)
        moved = await self.call("move_issue", issue_key=two, target_project_key=ELSEWHERE)
        return {
            "epic": shown["parent"]["key"] == epic,
            "link": [link["type"]["name"], link["inward_issue"]["key"] == two],
            "unlinked": (await self.shown(one, "issuelinks")).get("issuelinks", []),
            "watchers": [watched["watcher_count"], left["watcher_count"]],
            "moved": [
                moved["issue"]["key"].startswith(f"{ELSEWHERE}-"),
                (await self.shown(two, "summary"))["key"] == moved["issue"]["key"],
            ],
        }

    async def plans(self) -> dict[str, Any]:
        """Plan a sprint and a version."""
        boards = await self.call("get_agile_boards", project_key=PROJECT, board_type="scrum")
        board = str(boards[0]["id"])
        sprint = await self.call("create_sprint", board_id=board, name="Over MCP", goal="g", **SPAN)
        id = str(sprint["id"])
        made = await self.call(
            "create_issue", project_key=PROJECT, summary="Planned", issue_type="Task"
        )
        key = made["issue"]["key"]
        await self.call("add_issues_to_sprint", sprint_id=id, issue_keys=key)
        planned = await self.call("get_sprint_issues", sprint_id=id)
        await self.call("move_issues_to_backlog", issue_keys=key)
        left = await self.call("get_sprint_issues", sprint_id=id)
        await self.call("update_sprint", sprint_id=id, name="Renamed over MCP")
        future = await self.call("get_sprints_from_board", board_id=board, state="future")
        on_board = await self.call("get_board_issues", board_id=board, jql=f"key = {key}")
        version = await self.call("create_version", project_key=PROJECT, name="MCP 1")
        await self.call("update_version", version_id=version["id"], released=True)
        versions = await self.call("get_project_versions", project_key=PROJECT)
        return {
            "sprint": [sprint["state"], sprint["name"]],
            "planned": [
                [item["key"] == key for item in page["issues"]] for page in (planned, left)
            ],
            "renamed": [item["name"] for item in future if str(item["id"]) == id],
            "board": [item["key"] == key for item in on_board["issues"]],
            "version": [item["released"] for item in versions if item["name"] == "MCP 1"],
        }

    async def desk(self) -> dict[str, Any]:
        """Ask at a service desk."""
        types = await self.call("get_request_types", service_desk_id="1")
        kind = next(item for item in types["request_types"] if item["name"] == "Get IT help")
        fields = await self.call(
            "get_request_type_fields", service_desk_id="1", request_type_id=kind["id"]
        )
        asked = await self.call(
            "create_customer_request",
            service_desk_id="1",
            request_type_id=kind["id"],
            request_field_values=json.dumps({"summary": "A screen", "description": "Mine is dark"}),
            raise_on_behalf_of=self.other_id,
        )
        key = asked["request_key"]
        await self.call("add_comment", issue_key=key, body="Within", public=False)
        shown = await self.shown(key, "summary,reporter,comment")
        return {
            "form": [field["field_id"] for field in fields["fields"] if field["required"]],
            "asked": [shown["summary"], shown["reporter"]["account_id"] == self.other_id],
            "said": [item["body"] for item in shown["comments"]],
        }

    async def files_and_forms(self) -> dict[str, Any]:
        """Fetch what hangs at an issue: files, pictures, forms, and what other tools developed."""
        key = await self.task("A picture of it")
        await self.call("update_issue", issue_key=key, fields="{}", attachments=picture())
        form = {"issue_key": key, "form_id": "1"}
        asked = [
            await self.call("get_issue_proforma_forms", issue_key=key),
            await self.call("get_proforma_form_details", **form),
            await self.call("update_proforma_form_answers", **form, answers=[]),
        ]
        one = await self.call("get_issue_development_info", issue_key=key)
        both = await self.call("get_issues_development_info", issue_keys=f"{key},{key}")
        return {
            "downloaded": await self.files("download_attachments", key),
            "pictures": await self.files("get_issue_images", key),
            "forms": ["ATLASSIAN_OAUTH_CLOUD_ID" in str(answer) for answer in asked],
            "developed": [one.get("error"), one["pullRequests"], len(both)],
        }

    async def overviews(self) -> dict[str, Any]:
        """Look at a project as a whole, and at the site's."""
        listed = await self.call("get_project_issues", project_key=PROJECT, limit=50)
        searched = await self.call("search_projects", query=PROJECT)
        fields = await self.call("get_project_fields", project_key=PROJECT)
        made = await self.call(
            "batch_create_versions",
            project_key=PROJECT,
            versions=json.dumps([{"name": "MCP 2"}, {"name": "MCP 3"}, {"name": "MCP 2"}]),
        )
        parts = await self.call("get_project_components", project_key=PROJECT)
        tree = await self.call("get_project_epic_hierarchy", project_key=PROJECT)
        ties = await self.call("get_cross_project_dependencies", project_key=PROJECT)
        times = await self.call("get_issue_sla", issue_key=listed["issues"][0]["key"])
        desk = await self.call("get_service_desk_for_project", project_key="ITS")
        queues = [
            await self.call("get_service_desk_queues", service_desk_id="1"),
            await self.call("get_queue_issues", service_desk_id="1", queue_id="1"),
        ]
        return {
            "issues": len(listed["issues"]) > 5,
            "searched": [item["key"] for item in searched],
            "fields": fields,
            "versions": [item["success"] for item in made],
            "components": parts,
            "tree": [epic["summary"] for group in tree["groups"] for epic in group["epics"]],
            "ties": ties["total_cross_project_links"],
            "times": times["metrics"]["cycle_time"]["reason"],
            "desk": ["Server/Data Center" in answer for answer in (desk, *queues)],
        }


AREAS = ("site", "issues", "search", "ties", "plans", "desk", "files_and_forms", "overviews")


async def work(url: str, authority: str, hosts: str, *more: str) -> dict[str, Any]:
    """Start the server, do the work and return what came of it."""
    mcp, stdio = import_module("mcp"), import_module("mcp.client.stdio")
    email, token, other, other_id, *mounts = more
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME")},
        "JIRA_URL": url,
        "JIRA_USERNAME": email,
        "JIRA_API_TOKEN": token,
        "REQUESTS_CA_BUNDLE": authority,
        "MCP_ATLASSIAN_USE_SYSTEM_TRUSTSTORE": "false",
        "NO_PROXY": "*",
        "TOOLSETS": "all",
    }
    server = str(Path(sys.executable).with_name("mcp-atlassian"))
    started = mcp.StdioServerParameters(
        command=mounts[0], args=[*mounts[1:], "sh", "-c", BOUND, hosts, server], env=environment
    )
    found = {}
    async with (
        stdio.stdio_client(started) as (reading, writing),
        mcp.ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        areas = Areas(session, email, other, other_id)
        for area in AREAS:
            try:
                found[area] = await getattr(areas, area)()
            except Exception as error:
                raise SystemExit(f"{area}: {error!r} after {json.dumps(found)}") from error
        listed = await session.list_tools()
        found["not called"] = sorted(
            tool.name
            for tool in listed.tools
            if tool.name.startswith("jira_") and tool.name not in areas.called
        )
    return found


if __name__ == "__main__":
    print(json.dumps(asyncio.run(work(*sys.argv[1:]))))
