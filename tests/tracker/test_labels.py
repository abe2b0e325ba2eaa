"""The labels of the site."""

from __future__ import annotations

from clones.tracker.models import Issue
from tests.conftest import PRESENT
from tests.tracker.site import Site


def test_labels_are_listed_once_and_paged(site: Site) -> None:
    site.issue("One", labels=["red", "Blue"])
    hidden = site.issue("Two", labels=["red", "green"])
    found = site.get("label?maxResults=2")
    assert found["values"] == ["Blue", "green"]
    assert [found["total"], found["isLast"], found["startAt"]] == [3, False, 0]
    assert site.get("label?startAt=2&maxResults=2")["values"] == ["red"]
    assert site.get("label")["maxResults"] == 1000
    # Labels of issues that one does not see are not told.
    with site.writing():
        Issue.objects.filter(key=hidden).update(archived_at=PRESENT)
    assert site.get("label")["values"] == ["Blue", "red"]
    assert site.get("label", by=None)["values"] == []
    answer = site.call("GET", "label?startAt=x")
    assert [answer.status, answer.body["errorMessages"]] == [
        400,
        ["The value 'x' is not a valid number for the parameter 'startAt'."],
    ]


def test_a_label_that_is_sent_twice_is_kept_once(site: Site) -> None:
    many = [f"l{number}" for number in range(500)]
    key = site.issue("One", labels=["red", "blue", "red", *many, "blue"])
    found = site.get(f"issue/{key}")["fields"]["labels"]
    assert sorted(found) == sorted(["red", "blue", *many])
