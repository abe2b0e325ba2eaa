"""Articles and their versions; times of tasks and events."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import Org

MASTERS = "/knowledgeManagement/articleVersions/masterVersions"


def move(org: Org, id: str, status: str, *, answer: int = 204) -> Any:
    return org.call("PATCH", f"{MASTERS}/{id}", {"publishStatus": status}, status=answer)


def test_a_version_is_of_an_article_and_is_published(org: Org) -> None:
    id = org.make("Knowledge__kav", Title="Oil the wheel", UrlName="oil-the-wheel")
    shown = org.show("Knowledge__kav", id)
    assert (shown["PublishStatus"], shown["VersionNumber"]) == ("Draft", 1)
    article = org.show("KnowledgeArticle", shown["KnowledgeArticleId"])
    assert article["ArticleNumber"] == shown["ArticleNumber"] == "000001000"
    org.call("PATCH", f"/sobjects/Knowledge__kav/{id}", {"Summary": "Weekly"}, status=204)
    move(org, id, "Online")
    soql = "SELECT Id,Title,Summary FROM KnowledgeArticleVersion WHERE PublishStatus='Online'"
    (found,) = org.call("GET", f"/query?q={soql}")["records"]
    assert (found["Id"], found["Summary"]) == (id, "Weekly")
    assert org.show("Knowledge__kav", id)["FirstPublishedDate"] is not None
    move(org, id, "archived")
    assert org.show("Knowledge__kav", id)["PublishStatus"] == "Archived"


def test_unverified_only_drafts_are_changed_and_published(org: Org) -> None:
    id = org.make("Knowledge__kav", Title="Oil", UrlName="oil")
    move(org, id, "Archived", answer=400)
    move(org, id, "Online")
    move(org, id, "Online", answer=400)
    move(org, id, "Sold", answer=400)
    error = org.refused("PATCH", f"/sobjects/Knowledge__kav/{id}", {"Title": "x"})
    assert error["errorCode"] == "INSUFFICIENT_ACCESS_OR_READONLY"
    assert org.refused("PATCH", f"{MASTERS}/ka00000000000AA", {"publishStatus": "Online"})


def test_addresses_of_articles_are_theirs_alone(org: Org) -> None:
    org.make("Knowledge__kav", Title="Oil", UrlName="oil")
    error = org.refused("POST", "/sobjects/Knowledge__kav", {"Title": "b", "UrlName": "oil"})
    assert error["errorCode"] == "DUPLICATE_VALUE"
    org.make("Knowledge__kav", Title="Oel", UrlName="oil", Language="de")


@pytest.mark.parametrize(
    ("said", "start", "end", "minutes"),
    [
        (
            {"StartDateTime": "2026-06-01T10:00:00Z", "EndDateTime": "2026-06-01T11:30:00Z"},
            "2026-06-01T10:00:00.000+0000",
            "2026-06-01T11:30:00.000+0000",
            90,
        ),
        (
            {"ActivityDateTime": "2026-06-01T10:00:00Z", "DurationInMinutes": 15},
            "2026-06-01T10:00:00.000+0000",
            "2026-06-01T10:15:00.000+0000",
            15,
        ),
        (
            {"ActivityDate": "2026-06-01", "IsAllDayEvent": True},
            "2026-06-01T00:00:00.000+0000",
            "2026-06-02T00:00:00.000+0000",
            1440,
        ),
    ],
)
def test_an_event_knows_its_times(
    org: Org, said: dict[str, Any], start: str, end: str, minutes: int
) -> None:
    shown = org.show("Event", org.make("Event", Subject="Call", **said))
    assert (shown["StartDateTime"], shown["EndDateTime"]) == (start, end)
    assert (shown["ActivityDateTime"], shown["DurationInMinutes"]) == (start, minutes)
    assert (shown["ActivityDate"], shown["EndDate"]) == ("2026-06-01", "2026-06-01")


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"StartDateTime": "2026-06-01T10:00:00Z"},
        {"StartDateTime": "2026-06-01T10:00:00Z", "EndDateTime": "2026-06-01T09:00:00Z"},
        {"StartDateTime": "2026-06-01T10:00:00Z", "DurationInMinutes": 2**31 - 1},
        {"StartDateTime": "4000-12-31T10:00:00Z", "DurationInMinutes": -5},
    ],
)
def test_unverified_an_event_has_a_time(org: Org, said: dict[str, Any]) -> None:
    assert org.refused("POST", "/sobjects/Event", {"Subject": "Call", **said})["status"] == 400


def test_what_is_done_is_the_last_activity(org: Org) -> None:
    account = org.make("Account", Name="Acme")
    contact = org.make("Contact", LastName="Ash", AccountId=account)
    said = {"Subject": "Call", "WhoId": contact, "ActivityDate": "2026-03-04"}
    task = org.make("Task", **said)
    assert org.show("Account", account)["LastActivityDate"] is None
    org.call("PATCH", f"/sobjects/Task/{task}", {"Status": "Completed"}, status=204)
    assert org.show("Task", task)["CompletedDateTime"] is not None
    assert org.show("Account", account)["LastActivityDate"] == "2026-03-04"
    assert org.show("Contact", contact)["LastActivityDate"] == "2026-03-04"
    org.make("Task", **{**said, "ActivityDate": "2026-02-01"}, Status="Completed")
    assert org.show("Contact", contact)["LastActivityDate"] == "2026-03-04"
    org.call("PATCH", f"/sobjects/Task/{task}", {"Status": "Not Started"}, status=204)
    assert org.show("Task", task)["CompletedDateTime"] is None
