"""Recorded requests, sent again to a desk: with its own records in place of the recorded ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from clones.helpdesk.models import CustomRole, User
from tests.helpdesk.conftest import Answer, Desk

FACTS = Path(__file__).parents[1] / "facts" / "helpdesk"
REQUESTS: dict[str, list[dict[str, Any]]] = json.loads((FACTS / "requests.json").read_text())
MISSING = 9223372036854775807
# Lists that were cut off where they were recorded: too many to be taken, or a few.
CUT_OFF = {"400": 101, "200": 2}
OPEN = [{"field": "status", "operator": "less_than", "value": "solved"}]
TEXTS = count(1)


class Stage:
    """A desk on which recorded requests are sent again, by its admin."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.address = ""  # of the last request
        # The recorded admin belongs to an organization.
        olga = {"user": {"organization_id": 900}}
        desk.put(f"users/{desk.ids['olga']}.json", olga, by="olga")

    def replay(self, name: str, request: dict[str, Any]) -> Answer:
        """Send the request that was recorded as `METHOD path status`."""
        method, path, status = name.split()
        whole, keys = path, list[Any]()
        if request["missing"]:
            whole, keys = path.replace("{id}", str(MISSING)), [MISSING]
        elif "{id}" in path:
            whole, keys = self._address(path, request)
        given = {"status": status, "keys": keys, "request": request, "path": path}
        query = {key: self._fill(value, given) for key, value in request["query"].items()}
        body = self._fill(request["body"], given)
        if path == "/api/v2/uploads.json":
            body = b"# Read me"
        if path == "/api/v2/activities.json":
            self._news()
        if name == "GET /api/v2/help_center/categories.json 200":
            self._place("categories", "category")
        if path == "/api/v2/help_center/sections/{id}/articles.json":
            body["article"] |= self._readers()
        self.address = whole
        return self.desk.call(method, f"{whole}?{urlencode(query)}", body, by="olga")

    def _address(self, path: str, request: dict[str, Any]) -> tuple[str, list[Any]]:
        kind = path.split("/")[3]
        if path.endswith("/redact.json"):
            keys = self._file_of_a_ticket()
        else:
            keys = [self._make(kind, path, request)]
        whole = path
        for key in keys:
            whole = whole.replace("{id}", str(key), 1)
        return whole, keys

    def _make(self, kind: str, path: str, request: dict[str, Any]) -> Any:
        """Return the id of a record for the request to be about."""
        special: dict[str, Callable[[], Any]] = {
            "brands": lambda: self._first("brands"),
            "custom_roles": lambda: self._first("custom_roles"),
            "help_center": lambda: self._help_center(path),
            "deleted_tickets": lambda: self._deleted(erased=path.endswith("/restore.json")),
            "job_statuses": self._job,
            "macros": lambda: self._posted("macro", actions=[{"field": "status", "value": "open"}]),
            "users": lambda: self._posted("user", name="text"),
            "views": self._view,
        }
        if path.endswith("/invocations"):
            return self._called_webhook()
        if path == "/api/v2/users/{id}.json" and request["body"] is None:
            return self.desk.ids["olga"]
        if kind in special:
            return special[kind]()
        (name,) = (
            name for name in REQUESTS if re.fullmatch(rf"POST \S+/{kind}(\.json)? 201", name)
        )
        if kind == "tickets":
            return self.desk.ticket()["id"]
        made = self.replay(name, REQUESTS[name][0])
        assert made.status == 201, (name, made.body)
        (record,) = made.body.values()
        return record["id"]

    def _fill(self, value: Any, given: dict[str, Any], key: Any = None) -> Any:
        """Return a part of a request with its names in braces replaced."""
        if isinstance(value, dict) and set(value) == {"times", "each"}:
            times = value["times"] or CUT_OFF[given["status"]]
            keys = self._tickets(times) if "/tickets/" in given["path"] else [""] * times
            return [self._fill(value["each"], given, one) for one in keys]
        if isinstance(value, dict):
            return {name: self._fill(item, given, key) for name, item in value.items()}
        if isinstance(value, list):
            return [self._fill(item, given, key) for item in value]
        named: dict[str, Callable[[], Any]] = {
            "{text}": lambda: f"text{next(TEXTS)}",
            "{email}": lambda: f"text{next(TEXTS)}@kestrel.example",
            "{endpoint}": lambda: "https://hooks.example.com/",
            "{missing}": lambda: MISSING,
            "{id}": lambda: key or (given["keys"] or [self._make("webhooks", "", given)])[0],
            "{ids}": lambda: ",".join(map(str, self._people_or_tickets(given["path"]))),
            "{token}": self._token,
            "{cursor}": lambda: self._cursor(given["keys"][0]),
        }
        return named[value]() if isinstance(value, str) and value in named else value

    def _news(self) -> None:
        # The recorded people have filled in what can be; nobody here has a picture.
        told = {"alias": "text", "details": "text", "notes": "text", "signature": "text"}
        user = {**told, "tags": ["text"], "organization_id": 900}
        for who in ("olga", "ana"):
            self.desk.put(f"users/{self.desk.ids[who]}.json", {"user": user}, by="olga")
        with self.desk.writing():
            both = User.objects.filter(id__in=[self.desk.ids["olga"], self.desk.ids["ana"]])
            both.update(custom_role=CustomRole.objects.order_by("id").first())
        ticket = self.desk.ticket(by="olga", assignee_id=self.desk.ids["olga"])["id"]
        self.desk.put(f"tickets/{ticket}.json", {"ticket": {"comment": {"body": "text"}}})

    def _tickets(self, number: int) -> list[int]:
        return [self.desk.ticket()["id"] for _ in range(number)]

    def _people_or_tickets(self, path: str) -> list[int]:
        if "/users/" in path:  # by name alone, as they were recorded
            return [self._posted("user", name=name) for name in ("text", "more")]
        return self._tickets(3)

    def _posted(self, kind: str, **values: Any) -> Any:
        body = {kind: {"title": "text", **values}}
        return self.desk.post(f"{kind}s.json", body, by="olga")[kind]["id"]

    def _place(self, path: str, kind: str) -> Any:
        given = {kind: {"name": "text", "description": "text"}}
        return self.desk.post(f"help_center/{path}.json", given, by="olga")[kind]["id"]

    def _help_center(self, path: str) -> Any:
        category = self._place("categories", "category")
        if "/sections/" not in path:
            return category
        return self._place(f"categories/{category}/sections", "section")

    def _readers(self) -> dict[str, Any]:
        """Return who reads and edits an article here, in the recorded account's place."""
        segments = self.desk.get("help_center/user_segments.json", by="olga")["user_segments"]
        groups = self.desk.get("guide/permission_groups.json", by="olga")["permission_groups"]
        return {
            "locale": "en-us",
            "permission_group_id": groups[0]["id"],
            "user_segment_id": segments[0]["id"],
        }

    def _first(self, kind: str) -> Any:
        return self.desk.get(f"{kind}.json", by="olga")[kind][0]["id"]

    def _token(self) -> str:
        name = "POST /api/v2/uploads.json 201"
        return str(self.replay(name, REQUESTS[name][0]).body["upload"]["token"])

    def _deleted(self, *, erased: bool) -> int:
        key = int(self.desk.ticket()["id"])
        self.desk.call("DELETE", f"tickets/{key}.json")
        if erased:
            self.desk.call("DELETE", f"deleted_tickets/{key}.json", by="olga")
            self.desk.drain()
        return key

    def _job(self) -> str:
        """Return a job that has run: the recorded one made tickets."""
        given = {"tickets": [{"description": "text"}, {"description": "more"}]}
        made = self.desk.post("tickets/create_many.json", given, by="olga", status=200)
        self.desk.drain()
        return str(made["job_status"]["id"])

    def _view(self) -> Any:
        self._tickets(2)
        return self._posted("view", all=OPEN)

    def _cursor(self, view: int) -> str:
        first = self.desk.get(f"views/{view}/tickets.json?page[size]=1", by="olga")
        return str(first["meta"]["after_cursor"])

    def _file_of_a_ticket(self) -> list[int]:
        comment = {"body": "b", "uploads": [self._token()]}
        made = self.desk.post("tickets.json", {"ticket": {"comment": comment}}, by="olga")
        said = next(event for event in made["audit"]["events"] if event["type"] == "Comment")
        return [made["ticket"]["id"], said["id"], said["attachments"][0]["id"]]

    def _called_webhook(self) -> str:
        webhook = str(self._make("webhooks", "", {"body": None}))
        action = {"field": "notification_webhook", "value": [webhook, "{}"]}
        created = [{"field": "update_type", "operator": "is", "value": "Create"}]
        self._posted("trigger", all=created, actions=[action])
        self._tickets(2)
        return webhook
