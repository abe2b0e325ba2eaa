"""How many statements an answer takes does not grow with what hangs on an issue."""

from __future__ import annotations

from clones.tracker.domain import people
from clones.tracker.models import Vote, Watcher
from tests.tracker.boards import counted
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph

LISTS = """
issue/{key}/comment?expand=renderedBody,properties
issue/{key}/worklog?expand=properties
issue/{key}/watchers
issue/{key}/votes
issue/{key}/remotelink
issue/{key}/properties
issueLinkType
worklog/updated?expand=properties
"""


def fill(site: Site, key: str, start: int, end: int) -> None:
    """Let more people say and log more on an issue."""
    hidden = {"type": "group", "value": "jira-administrators"}
    for number in range(start, end):
        body = {"body": paragraph(str(number)), "properties": [{"key": "n", "value": number}]}
        site.post(f"issue/{key}/comment", body if number % 2 else {**body, "visibility": hidden})
        site.post(f"issue/{key}/worklog", {"timeSpent": "1m"}, by="ada" if number % 2 else "dev")
        site.post(f"issue/{key}/remotelink", {"object": {"url": "http://x.example", "title": "x"}})
        site.put(f"issue/{key}/properties/p{number}", b"1", status=201)
        words = {"name": f"Kind {number}", "inward": "in", "outward": "out"}
        site.post("issueLinkType", words)
        with site.writing():
            user = people.create_user(f"Person {number}", f"p{number}@site.example")
            issue = Watcher.objects.filter(issue__key=key)[0].issue
            Watcher.objects.create(id=90_000 + number, issue=issue, user=user)
            Vote.objects.create(id=90_000 + number, issue=issue, user=user)
    site.advance(120)


def test_lists_take_as_many_statements_for_many_rows_as_for_few(site: Site) -> None:
    """Comments, work logs, people, links and properties."""
    key = site.issue()
    counts: dict[str, list[int]] = {}
    for start, end in ((0, 2), (2, 9)):
        fill(site, key, start, end)
        for address in LISTS.strip().split("\n"):
            path = address.format(key=key)
            site.call("GET", path)  # once for what is made once
            with counted(site) as statements:
                assert site.call("GET", path).status == 200
            counts.setdefault(address, []).append(len(statements))
    assert {address: found for address, found in counts.items() if found[0] != found[1]} == {}
    assert all(found[0] > 2 for found in counts.values()), "they are counted"
