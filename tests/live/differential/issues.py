"""Writes to issues: what is written most, of bodies that no schema of the operations tells."""

from __future__ import annotations

from typing import Any

from tests.live.differential.questions import Asker

Made = tuple[str, str, Any]
NAMES = {"Bug": 4, "Task": 4, "Story": 2, "Epic": 1, "Sub-task": 1, "Nonsense": 1}
PRIORITIES = ("Highest", "High", "Medium", "Low", "Lowest", "Nonsense")
SPENT = ("1h", "2d 3h", "45m", "0m", "1w", "3 parsecs", "999999w")
DAYS = ("2026-06-30", "2026-07-01", "2026-02-30", "0001-01-01", None)


class IssueWriter:
    """Makes writes to issues with an asker's chance and texts."""

    def __init__(self, asker: Asker, text: Any) -> None:
        self._asker, self._chance, self._text = asker, asker.chance, text

    def request(self) -> Made:
        """Return method, path and body."""
        issue = f"/rest/api/3/issue/{self._asker.key('issue')}"
        kinds: tuple[Made, ...] = (
            ("POST", "/rest/api/3/issue", {"fields": self._fields(new=True)}),
            ("PUT", issue, {"fields": self._fields(new=False)}),
            ("POST", f"{issue}/comment", {"body": self._document()}),
            ("PUT", f"{issue}/assignee", {"accountId": self._asker.key("account")}),
            ("POST", f"{issue}/transitions", {"transition": {"id": self._chance.choice("1234 ")}}),
            ("POST", f"{issue}/worklog", {"timeSpent": self._chance.choice(SPENT)}),
            ("PUT", f"{issue}/properties/state", {"at": self._text(), "size": 3}),
            ("POST", f"{issue}/watchers", self._asker.key("account")),
            ("POST", "/rest/api/3/issueLink", self._link()),
            ("PUT", "/rest/agile/1.0/issue/rank", self._rank()),
        )
        return self._chance.choice(kinds)

    def _fields(self, *, new: bool) -> dict[str, Any]:
        fields = {
            "summary": self._text(),
            "description": self._document(),
            "labels": [self._text().replace(" ", "-") for _ in range(self._chance.randint(0, 3))],
            "priority": {"name": self._chance.choice(PRIORITIES)},
            "duedate": self._chance.choice(DAYS),
            "assignee": {"accountId": self._asker.key("account")},
        }
        chosen = self._chance.sample(sorted(fields), self._chance.randint(1, 3))
        found = {name: fields[name] for name in chosen}
        if new:
            (kind,) = self._chance.choices(list(NAMES), list(NAMES.values()))
            found |= {"summary": fields["summary"], "issuetype": {"name": kind}}
            found["project"] = {"key": self._asker.key("issue").partition("-")[0]}
        return found

    def _document(self) -> dict[str, Any]:
        words = [{"type": "text", "text": self._text()} for _ in range(self._chance.randint(0, 2))]
        content = [{"type": "paragraph", "content": words}]
        return {"type": "doc", "version": 1, "content": content}

    def _link(self) -> dict[str, Any]:
        ends = {end: {"key": self._asker.key("issue")} for end in ("inwardIssue", "outwardIssue")}
        return {"type": {"name": self._chance.choice(("Blocks", "Relates", "Nonsense"))}, **ends}

    def _rank(self) -> dict[str, Any]:
        place = self._chance.choice(("rankBeforeIssue", "rankAfterIssue"))
        return {"issues": [self._asker.key("issue")], place: self._asker.key("issue")}
