"""Work logs: time that people spent, and what it does to estimates."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.domain.settings import set_setting
from clones.tracker.models import (
    ChangeItem,
    DeletedWorklog,
    PermissionGrant,
    Project,
    WorkflowStatus,
)
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph

Json = dict[str, Any]


def estimated(site: Site, remaining: str = "2h") -> str:
    """Make an issue with an estimate and return its key."""
    key = site.issue()
    estimate = {"originalEstimate": "4h", "remainingEstimate": remaining}
    site.put(f"issue/{key}", {"fields": {"timetracking": estimate}})
    return key


def times(site: Site, key: str) -> tuple[int | None, int | None]:
    """Return an issue's remaining and spent seconds."""
    fields = site.get(f"issue/{key}?fields=timeestimate,timespent")["fields"]
    return fields["timeestimate"], fields["timespent"]


def items(site: Site, key: str) -> list[tuple[str, str | None, str | None]]:
    """Return the items of an issue's last history entry."""
    with site.store():
        rows = ChangeItem.objects.filter(issue__key=key).order_by("-group_id", "position")
        last = rows[0].group_id
        return [(row.field, row.old, row.new) for row in rows if row.group_id == last]


def test_work_is_logged_changed_and_deleted(site: Site) -> None:
    """The life of a work log, with the issue's times and its history."""
    key = estimated(site)
    body = {
        "timeSpent": "1h 30m",
        "started": "2026-01-05T09:00:00.000+0100",
        "comment": paragraph("Soldering"),
    }
    made = site.post(f"issue/{key}/worklog", body, by="dev")
    id = made["id"]
    assert made["timeSpent"] == "1h 30m"
    assert made["timeSpentSeconds"] == 5400
    assert made["started"] == "2026-01-05T03:00:00.000-0500"  # in dev's zone
    assert made["comment"] == paragraph("Soldering")
    assert made["author"]["accountId"] == made["updateAuthor"]["accountId"] == site.ids["dev"]
    assert site.get(f"issue/{made['issueId']}?fields=summary")["key"] == key
    assert times(site, key) == (1800, 5400)
    assert items(site, key) == [
        ("WorklogId", None, id),
        ("timeestimate", "7200", "1800"),
        ("timespent", None, "5400"),
    ]
    assert site.get(f"/rest/api/2/issue/{key}/worklog/{id}")["comment"] == "Soldering"
    changed = site.put(
        f"issue/{key}/worklog/{id}", {"timeSpentSeconds": 7200}, by="dev", status=200
    )
    assert changed["timeSpent"] == "2h"
    assert changed["comment"] == paragraph("Soldering")
    assert times(site, key) == (0, 7200)
    assert items(site, key) == [("timeestimate", "1800", "0"), ("timespent", "5400", "7200")]
    site.delete(f"issue/{key}/worklog/{id}", by="dev")
    assert times(site, key) == (7200, 0)
    assert items(site, key)[0] == ("WorklogId", id, None)
    assert site.get(f"issue/{key}/worklog/{id}", status=404)["errorMessages"] == [
        f"Cannot find worklog with id: '{id}'."
    ]
    with site.store():
        assert DeletedWorklog.objects.filter(id=int(id)).exists()


@pytest.mark.parametrize(
    ("query", "remaining"),
    [
        ("", 3600),
        ("?adjustEstimate=auto", 3600),
        ("?adjustEstimate=leave", 7200),
        ("?adjustEstimate=new&newEstimate=1d", 28800),
        ("?adjustEstimate=manual&reduceBy=30m", 5400),
        ("?adjustEstimate=manual&reduceBy=3d", 0),
    ],
)
def test_logging_adjusts_the_estimate(site: Site, query: str, remaining: int) -> None:
    """Each way to adjust, of 2 h after 1 h of work."""
    key = estimated(site)
    site.post(f"issue/{key}/worklog{query}", {"timeSpent": "1h"})
    assert times(site, key) == (remaining, 3600)


def test_deleting_adjusts_the_estimate(site: Site) -> None:
    """What is deleted goes back, by an amount, or not at all."""
    key = estimated(site)
    logs = [site.post(f"issue/{key}/worklog", {"timeSpent": "30m"})["id"] for _ in range(3)]
    assert times(site, key) == (1800, 5400)
    site.delete(f"issue/{key}/worklog/{logs[0]}?adjustEstimate=leave")
    assert times(site, key) == (1800, 3600)
    site.delete(f"issue/{key}/worklog/{logs[1]}?adjustEstimate=manual&increaseBy=1h")
    assert times(site, key) == (5400, 1800)
    site.delete(f"issue/{key}/worklog/{logs[2]}?adjustEstimate=new&newEstimate=3h")
    assert times(site, key) == (10800, 0)


def test_work_logs_are_held_to_their_rules(site: Site) -> None:
    """What is refused, and in which words."""
    key = estimated(site)
    path = f"issue/{key}/worklog"
    must = ["Worklog must not be null."]
    refused: list[tuple[str, Json, Json]] = [
        ("", {}, {"timeLogged": "You must indicate the time spent working."}),
        ("", {"timeSpent": "soon"}, {"timeLogged": "Invalid time duration entered."}),
        ("", {"timeSpentSeconds": 0}, {"timeLogged": "Time Spent can not be zero."}),
        (
            "?adjustEstimate=new",
            {"timeSpent": "1h"},
            {"newEstimate": "You must supply a valid new estimate."},
        ),
        (
            "?adjustEstimate=manual&reduceBy=x",
            {"timeSpent": "1h"},
            {"reduceBy": "You must supply a valid amount of time to adjust the estimate by."},
        ),
    ]
    for query, body, errors in refused:
        found = site.post(path + query, body, status=400)
        assert found == {"errorMessages": must, "errors": errors}
    wrong = site.post(path, {"timeSpent": "1h", "started": "yesterday"}, status=400)
    assert list(wrong["errors"]) == ["started"]
    assert site.post(f"{path}?adjustEstimate=less", {"timeSpent": "1h"}, status=400)[
        "errorMessages"
    ] == ["The value 'less' is invalid for the parameter 'adjustEstimate'."]
    id = site.post(path, {"timeSpent": "1h"}, by="dev")["id"]
    for verb, call in (("edit", site.put), ("delete", site.delete)):
        found = call(f"{path}/{id}", {"timeSpent": "2h"}, by="dana", status=400)
        assert found["errorMessages"] == [
            f"Dana Ruiz, you do not have the permission to {verb} this worklog."
        ]
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission="WORK_ON_ISSUES").delete()
    found = site.post(path, {"timeSpent": "1h"}, by="dev", status=400)
    assert found["errorMessages"] == [
        "Dev Anand, you do not have the permission to associate a worklog to this issue."
    ]
    site.get("issue/LAS-999/worklog", status=404)


def test_work_logs_are_listed(site: Site) -> None:
    """Pages, times of start, and restrictions."""
    key = site.issue()
    ids = []
    for day in (3, 1, 2):
        body = {"timeSpent": "1h", "started": f"2026-01-0{day}T12:00:00.000+0000"}
        ids.append(site.post(f"issue/{key}/worklog", body)["id"])
    path = f"issue/{key}/worklog"
    page = site.get(f"{path}?startAt=1&maxResults=1")
    assert [page[name] for name in ("startAt", "maxResults", "total")] == [1, 1, 3]
    assert [log["id"] for log in page["worklogs"]] == [ids[1]]
    noon = 1767355200000  # 2026-01-02T12:00Z
    after = site.get(f"{path}?startedAfter={noon}")["worklogs"]
    assert [log["id"] for log in after] == [ids[0], ids[2]]
    before = site.get(f"{path}?startedBefore={noon}")["worklogs"]
    assert [log["id"] for log in before] == [ids[1]]
    restricted = {"type": "group", "value": "jira-administrators"}
    made = site.post(path, {"timeSpent": "1h", "visibility": restricted})
    assert made["visibility"]["value"] == "jira-administrators"
    assert site.get(path)["total"] == 4
    assert site.get(path, by="dev")["total"] == 3
    site.get(f"{path}/{made['id']}", by="dev", status=404)
    both = {"ids": [int(made["id"]), int(ids[0])]}
    assert len(site.post("worklog/list", both, status=200)) == 2
    assert len(site.post("worklog/list", both, by="dev", status=200)) == 1
    assert site.post("worklog/list", {"ids": []}, status=400)["errorMessages"] == [
        "The number of worklog IDs must be between 1 and 1000."
    ]


def test_changes_of_work_logs_are_told_since_a_time(site: Site) -> None:
    """`updated` and `deleted`: not of the last minute, after the time that is named."""
    key = site.issue()
    first = site.post(f"issue/{key}/worklog", {"timeSpent": "1h"})["id"]
    assert site.get("worklog/updated")["values"] == []
    site.advance(120)
    second = site.post(f"issue/{key}/worklog", {"timeSpent": "1h"})["id"]
    site.delete(f"issue/{key}/worklog/{first}")
    site.advance(120)
    changed = site.get("worklog/updated")
    assert [entry["worklogId"] for entry in changed["values"]] == [int(second)]
    assert changed["lastPage"] is True
    assert changed["until"] == changed["values"][0]["updatedTime"]
    assert changed["values"][0]["properties"] == []
    gone = site.get("worklog/deleted")
    assert [entry["worklogId"] for entry in gone["values"]] == [int(first)]
    later = site.get(f"worklog/updated?since={changed['until']}")
    assert later["values"] == []
    assert later["since"] == later["until"] == changed["until"]
    site.get("worklog/updated", by=None, status=401)
    site.get("worklog/updated?since=x", status=400)
    assert site.get("worklog/deleted?since=x", status=400)["errorMessages"] == [
        "The value of the query parameter 'since' is invalid."
    ]


def test_many_work_logs_are_deleted_and_moved(site: Site) -> None:
    """Bulk deletion and move adjust both issues, and check every log first."""
    key, other = estimated(site), estimated(site)
    ids = [int(site.post(f"issue/{key}/worklog", {"timeSpent": "30m"})["id"]) for _ in range(3)]
    assert times(site, key) == (1800, 5400)
    move = f"issue/{key}/worklog/move"
    site.post(move, {"ids": ids[:1], "issueIdOrKey": other}, status=204)
    assert times(site, key) == (3600, 3600)
    assert times(site, other) == (5400, 1800)
    assert site.get(f"issue/{other}/worklog")["worklogs"][0]["id"] == str(ids[0])
    missing = site.delete(f"issue/{key}/worklog", {"ids": ids}, status=404)
    assert missing["errorMessages"] == [f"Cannot find worklog with id: '{ids[0]}'."]
    assert times(site, key) == (3600, 3600)
    site.delete(f"issue/{key}/worklog?adjustEstimate=leave", {"ids": ids[1:]})
    assert times(site, key) == (3600, 0)
    assert site.delete(f"issue/{key}/worklog", {"ids": []}, status=400)["errorMessages"] == [
        "The list of worklog IDs must not be empty."
    ]
    refused = site.post(move, {"ids": ids, "issueIdOrKey": other}, by="dev", status=400)
    assert refused["errorMessages"] == ["You do not have permission to move worklogs."]


def test_work_logs_have_properties(site: Site) -> None:
    """Properties of a work log, and who may change them."""
    key = site.issue()
    properties = [{"key": "billed", "value": False}]
    id = site.post(f"issue/{key}/worklog", {"timeSpent": "1h", "properties": properties}, by="dev")[
        "id"
    ]
    path = f"issue/{key}/worklog/{id}/properties"
    assert [entry["key"] for entry in site.get(path)["keys"]] == ["billed"]
    site.put(f"{path}/billed", b"true", by="dev", status=200)
    assert site.get(f"{path}/billed") == {"key": "billed", "value": True}
    assert site.get(f"issue/{key}/worklog/{id}?expand=properties")["properties"] == [
        {"key": "billed", "value": True}
    ]
    refused = site.put(f"{path}/billed", b"1", by="dana", status=403)
    assert refused["errorMessages"] == [
        "Dana Ruiz, you do not have the permission to edit this worklog."
    ]
    site.delete(f"{path}/billed", by="dev")
    for call in (site.get, site.delete):
        assert call(f"{path}/billed", by="dev", status=404)["errorMessages"] == [
            "The property with key 'billed' does not exist."
        ]
    assert site.get(f"issue/{key}/worklog/77/properties", status=404)["errorMessages"] == [
        "Cannot find worklog with id: '77'."
    ]


def test_without_time_tracking_there_are_no_work_logs(site: Site) -> None:
    """A site that does not track time answers 404."""
    key = site.issue()
    with site.writing():
        set_setting("time_tracking_provider", "")
    found = site.get(f"issue/{key}/worklog", status=404)
    assert found["errorMessages"] == ["Time Tracking is currently disabled."]


def test_no_work_is_logged_where_an_issue_is_not_editable(site: Site) -> None:
    """A step of the workflow forbids it; people cannot override that."""
    key = site.issue()
    with site.writing():
        WorkflowStatus.objects.update(properties={"jira.issue.editable": "false"})
    path = f"issue/{key}/worklog?overrideEditableFlag=true"
    assert site.post(path, {"timeSpent": "1h"}, status=400)["errorMessages"] == [
        "You can not edit the issue as it is in a non-editable workflow state."
    ]
