"""Histories: in pages, by ids, of many issues."""

from __future__ import annotations

from typing import Any

from tests.tracker.conftest import Site


def changed(site: Site, key: str, times: int) -> list[str]:
    """Change an issue so often and return the ids of the entries."""
    for number in range(times):
        fields: dict[str, Any] = {"summary": f"Number {number}"}
        if number % 2:
            fields["priority"] = {"name": "Low" if number % 4 == 1 else "High"}
        site.put(f"issue/{key}", {"fields": fields})
    return [entry["id"] for entry in site.get(f"issue/{key}/changelog")["values"]]


def test_pages_begin_with_the_oldest(site: Site) -> None:
    key = site.issue()
    ids = changed(site, key, 5)
    page = site.get(f"issue/{key}/changelog?startAt=1&maxResults=2")
    assert [entry["id"] for entry in page["values"]] == ids[1:3]
    assert (page["startAt"], page["maxResults"], page["total"], page["isLast"]) == (1, 2, 5, False)
    assert "startAt=3" in page["nextPage"]
    last = site.get(f"issue/{key}/changelog?startAt=3")
    assert (last["isLast"], "nextPage" in last) == (True, False)
    assert site.get(f"issue/{key}/changelog?startAt=9")["values"] == []
    wrong = site.call("GET", f"issue/{key}/changelog?startAt=x")
    assert wrong.status == 400
    assert "startAt" in wrong.body["errorMessages"][0]
    gone = site.call("GET", f"issue/{key}/changelog", by="guest")
    assert gone.status == 404
    assert gone.body["errors"] == {}


def test_entries_by_their_ids(site: Site) -> None:
    key, other = site.issue(), site.issue()
    ids, (foreign,) = changed(site, key, 3), changed(site, other, 1)
    wanted = [int(ids[2]), int(ids[0]), int(foreign), 1]
    found = site.post(f"issue/{key}/changelog/list", {"changelogIds": wanted}, status=200)
    assert [entry["id"] for entry in found["histories"]] == [ids[0], ids[2]]
    assert (found["startAt"], found["maxResults"], found["total"]) == (0, 2, 2)
    wrong = site.call("POST", f"issue/{key}/changelog/list", {})
    assert (wrong.status, wrong.body["errors"]) == (
        400,
        {"changelogIds": "changelogIds is required."},
    )
    assert site.call("POST", "issue/LAS-99/changelog/list", {"changelogIds": [1]}).status == 404


def test_histories_of_many_issues(site: Site) -> None:
    first, second = site.issue(), site.issue()
    numbers = {key: site.get(f"issue/{key}")["id"] for key in (first, second)}
    ids = changed(site, first, 3) + changed(site, second, 2)
    sent = {"issueIdsOrKeys": [first, numbers[second], "LAS-99"]}
    whole = site.post("changelog/bulkfetch", sent, status=200)
    assert [one["issueId"] for one in whole["issueChangeLogs"]] == list(numbers.values())
    assert "nextPageToken" not in whole
    # A client that fills in every key sends null for what it does not ask for.
    filled = sent | {"fieldIds": None, "maxResults": None}
    assert site.post("changelog/bulkfetch", filled, status=200) == whole
    seen: list[str] = []
    token: dict[str, str] = {}
    while True:
        page = site.post("changelog/bulkfetch", sent | {"maxResults": 2} | token, status=200)
        seen += [entry["id"] for one in page["issueChangeLogs"] for entry in one["changeHistories"]]
        if "nextPageToken" not in page:
            break
        token = {"nextPageToken": page["nextPageToken"]}
    assert seen == ids
    some = site.post("changelog/bulkfetch", sent | {"fieldIds": ["priority"]}, status=200)
    items = [
        item["fieldId"]
        for one in some["issueChangeLogs"]
        for entry in one["changeHistories"]
        for item in entry["items"]
    ]
    assert items == ["priority", "priority"]
    hidden = site.post("changelog/bulkfetch", sent, by="guest", status=200)
    assert hidden["issueChangeLogs"] == []
    for wrong, field, text in (
        ({"issueIdsOrKeys": []}, "issueIdsOrKeys", "At least one issue id or key is required."),
        (
            {"issueIdsOrKeys": ["1"] * 1001},
            "issueIdsOrKeys",
            "The number of issue ids or keys must not exceed 1000.",
        ),
        (
            sent | {"fieldIds": [str(n) for n in range(11)]},
            "fieldIds",
            "The number of field ids must not exceed 10.",
        ),
        (sent | {"maxResults": 0}, "maxResults", "The value must be between 1 and 10000."),
    ):
        answer = site.call("POST", "changelog/bulkfetch", wrong)
        assert (answer.status, answer.body["errors"]) == (400, {field: text})
    bad = site.call("POST", "changelog/bulkfetch", sent | {"nextPageToken": "e30"})
    assert (bad.status, bad.body["errorMessages"]) == (
        400,
        ["The provided next page token is invalid."],
    )
