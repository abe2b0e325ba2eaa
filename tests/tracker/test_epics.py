"""Epics as boards show them, and what belongs to them."""

from __future__ import annotations

from clones.tracker.models import Issue
from tests.tracker.boards import AGILE, board_of, history, keys, ranks, withdraw
from tests.tracker.conftest import Site


def epic_in(site: Site, name: str = "Big thing") -> str:
    return site.issue(name, issuetype={"name": "Epic"})


def test_an_epic_gets_a_name_a_colour_and_an_end(site: Site) -> None:
    board, epic, other = board_of(site), epic_in(site), epic_in(site, "Other")
    with site.store():
        number = Issue.objects.get(key=epic).id
    path = f"{AGILE}/epic/{number}"
    before = site.get(f"{AGILE}/epic/{epic}")
    assert (before["name"], before["color"], before["done"]) == (
        "Big thing",
        {"key": "color_1"},
        False,
    )
    body = {"name": "Big", "summary": "A big thing", "color": {"key": "color_6"}, "done": True}
    after = site.post(path, body, status=200)
    root = f"http://tracker.{site.row.id}.localhost:8800"
    assert after == {
        "id": number,
        "key": epic,
        "self": f"{root}{path}",
        "name": "Big",
        "summary": "A big thing",
        "color": {"key": "color_6"},
        "done": True,
    }
    told = {field for field, _, _ in history(site, epic)}
    assert "summary" in told
    assert site.post(path, {"color": {"key": "color_2"}}, status=200)["name"] == "Big"

    def listed(query: str) -> list[str]:
        return [one["key"] for one in site.get(f"{AGILE}/board/{board}/epic{query}")["values"]]

    assert (listed(""), listed("?done=true"), listed("?done=false")) == (
        [epic, other],
        [epic],
        [other],
    )


def test_issues_belong_to_one_epic_by_their_parent(site: Site) -> None:
    epic, other, a, b = epic_in(site), epic_in(site, "Other"), site.issue("a"), site.issue("b")
    site.post(f"{AGILE}/epic/{epic}/issue", {"issues": [a, b]}, status=204)
    assert keys(site.get(f"{AGILE}/epic/{epic}/issue")) == [a, b]
    assert site.get(f"issue/{a}")["fields"]["parent"]["key"] == epic
    site.post(f"{AGILE}/epic/{other}/issue", {"issues": [a]}, status=204)
    assert keys(site.get(f"{AGILE}/epic/{epic}/issue")) == [b]
    assert history(site, a)[-1][1:] == (epic, other)
    site.post(f"{AGILE}/epic/none/issue", {"issues": [a, b]}, status=204)
    assert keys(site.get(f"{AGILE}/epic/none/issue")) == [a, b]
    assert "parent" not in site.get(f"issue/{a}")["fields"]


def test_epics_are_ranked(site: Site) -> None:
    first, second = epic_in(site), epic_in(site, "Second")
    path = f"{AGILE}/epic/{second}/rank"
    site.put(path, {"rankBeforeEpic": first})
    found = ranks(site)
    assert found[second] < found[first]
    refused = site.put(path, {}, status=400)
    text = "Either rankBeforeEpic or rankAfterEpic must be specified."
    assert refused == {"errorMessages": [text], "errors": {}}
    withdraw(site, "SCHEDULE_ISSUES")
    refused = site.put(path, {"rankAfterEpic": first}, status=403)
    assert refused["errorMessages"] == [f"You do not have permission to rank issue {second}."]


def test_unverified_what_is_no_epic_and_what_cannot_belong_to_one(site: Site) -> None:
    epic, a = epic_in(site), site.issue("a")
    part = site.issue("part", issuetype={"name": "Sub-task"}, parent={"key": a})
    gone = "The requested epic does not exist or you do not have permission to view it."
    assert site.get(f"{AGILE}/epic/{a}", status=404) == {"errorMessages": [gone], "errors": {}}
    missing = site.get(f"{AGILE}/epic/LAS-999", status=404)
    assert missing["errorMessages"][0].startswith("Issue does not exist")
    for key in (part, epic):
        refused = site.post(f"{AGILE}/epic/{epic}/issue", {"issues": [key]}, status=400)
        text = f"Issue {key} cannot be assigned to an epic because of its issue type."
        assert refused == {"errorMessages": [text], "errors": {}}
    wrong = site.post(f"{AGILE}/epic/{epic}", {"color": {"key": "red"}}, status=400)
    assert wrong["errors"] == {"color": "'red' is not a valid epic color."}
    withdraw(site, "EDIT_ISSUES")
    for path, body in ((f"epic/{epic}", {"done": True}), (f"epic/{epic}/issue", {"issues": [a]})):
        refused = site.post(f"{AGILE}/{path}", body, status=403)
        assert refused["errorMessages"] == ["You do not have permission to edit this epic."]
    refused = site.post(f"{AGILE}/epic/none/issue", {"issues": [a]}, status=403)
    assert refused["errorMessages"] == [f"You do not have permission to edit issue {a}."]
