"""Merging tickets, marking them as spam, and hiding what an update said."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpdesk.conftest import Desk


def _merge(desk: Desk, target: int, *sources: int, by: str = "ana", **said: Any) -> Any:
    """Merge tickets and return the job's results."""
    body = {"ids": list(sources), **said}
    job = desk.post(f"tickets/{target}/merge.json", body, by=by, status=200)["job_status"]
    assert (job["status"], job["results"]) == ("queued", None)
    desk.drain()
    done = desk.get(f"job_statuses/{job['id']}.json", by=by)["job_status"]
    assert done["status"] == "completed"
    return done["results"]


def _comments(desk: Desk, key: int) -> Any:
    return desk.get(f"tickets/{key}/comments.json")["comments"]


def _ticket(desk: Desk, key: int) -> Any:
    return desk.get(f"tickets/{key}.json")["ticket"]


def test_sources_are_closed_and_tagged_and_both_sides_get_their_comment(desk: Desk) -> None:
    target = desk.ticket()["id"]
    sources = [desk.ticket(tags=["vip"])["id"], desk.ticket()["id"]]
    said = {"target_comment": "Combining.", "source_comment": f"See #{target}."}
    [result] = _merge(desk, target, *sources, **said)
    assert (result["id"], result["success"]) == (target, True)
    for source in sources:
        shown = _ticket(desk, source)
        assert (shown["status"], "closed_by_merge" in shown["tags"]) == ("closed", True)
        last = _comments(desk, source)[-1]
        assert (last["body"], last["public"]) == (f"See #{target}.", False)
    assert "vip" in _ticket(desk, sources[0])["tags"]
    shown = _ticket(desk, target)
    assert (shown["status"], shown["tags"]) == ("new", [])
    last = _comments(desk, target)[-1]
    assert (last["body"], last["public"], last["author_id"]) == (
        "Combining.",
        False,
        desk.ids["ana"],
    )
    audit = desk.get(f"tickets/{sources[0]}/audits.json")["audits"][-1]
    changed = {item.get("field_name"): item.get("value") for item in audit["events"]}
    assert changed["status"] == "closed"


def test_comments_of_a_merge_are_public_if_asked_unless_a_ticket_is_private(desk: Desk) -> None:
    said: dict[str, Any] = {"target_comment": "t", "target_comment_is_public": True}
    said |= {"source_comment": "s", "source_comment_is_public": True}
    target, source = desk.ticket()["id"], desk.ticket()["id"]
    _merge(desk, target, source, **said)
    assert [_comments(desk, key)[-1]["public"] for key in (target, source)] == [True, True]
    hidden = desk.ticket(comment={"body": "n", "public": False})["id"]
    target = desk.ticket()["id"]
    _merge(desk, target, hidden, **said)
    assert [_comments(desk, key)[-1]["public"] for key in (target, hidden)] == [False, False]


def test_requesters_and_copies_of_sources_are_copied_on_the_target(desk: Desk) -> None:
    target = desk.ticket()["id"]
    other = desk.ticket(requester_id=desk.ids["tom"], email_ccs=[{"user_email": "eve@x.example"}])[
        "id"
    ]
    _merge(desk, target, other)
    copied = [user["email"] for user in desk.get(f"tickets/{target}/email_ccs.json")["users"]]
    assert copied == ["tom@acme.example", "eve@x.example"]
    assert desk.get("requests.json", by="tom")["count"] == 2
    assert len(_comments(desk, target)) == 1


def test_files_of_sources_are_carried_by_the_targets_comment(desk: Desk) -> None:
    upload = desk.call("POST", "uploads.json?filename=a.txt", b"hello").body["upload"]["token"]
    source = desk.ticket(comment={"body": "see", "uploads": [upload]})["id"]
    target = desk.ticket()["id"]
    _merge(desk, target, source, target_comment="Combining.")
    [file] = _comments(desk, target)[-1]["attachments"]
    [first] = _comments(desk, source)[0]["attachments"]
    assert (file["file_name"], file["size"]) == ("a.txt", 5)
    assert file["id"] != first["id"]
    assert desk.get(f"attachments/{file['id']}.json")["attachment"]["id"] == file["id"]


def test_what_solving_requires_does_not_stop_a_merge(desk: Desk) -> None:
    target, source = desk.ticket()["id"], desk.ticket()["id"]
    refused = desk.call("PUT", f"tickets/{source}.json", {"ticket": {"status": "solved"}})
    assert refused.status == 422
    _merge(desk, target, source)
    assert _ticket(desk, source)["status"] == "closed"


@pytest.mark.parametrize("wrong", ["solved target", "closed source", "itself", "gone"])
def test_a_merge_that_cannot_be_changes_nothing(desk: Desk, wrong: str) -> None:
    agent: dict[str, Any] = {"assignee_id": desk.ids["ana"]}
    target, source = desk.ticket(**agent)["id"], desk.ticket(**agent)["id"]
    good = desk.ticket()["id"]
    if wrong == "solved target":
        desk.put(f"tickets/{target}.json", {"ticket": {"status": "solved"}})
    if wrong == "closed source":
        desk.put(f"tickets/{source}.json", {"ticket": {"status": "closed"}})
    if wrong == "gone":
        desk.call("DELETE", f"tickets/{source}.json")
    sources = [good, target if wrong == "itself" else source]
    [result] = _merge(desk, target, *sources, target_comment="Combining.")
    assert result["error"] == ("RecordNotFound" if wrong == "gone" else "RecordInvalid")
    assert _ticket(desk, good)["status"] == "new"
    assert len(_comments(desk, target)) == 1


def test_a_merge_names_tickets_and_is_the_agents(desk: Desk) -> None:
    target = desk.ticket()["id"]
    path = f"tickets/{target}/merge.json"
    assert desk.call("POST", path, {}).body["error"] == "RequiredParameterMissing"
    many = desk.call("POST", path, {"ids": list(range(101))})
    assert (many.status, many.body["error"]) == (400, "TooManyValues")
    assert desk.call("POST", path, {"ids": [target]}, by="rosa").status == 403
    assert desk.call("POST", "tickets/999/merge.json", {"ids": [target]}).status == 404


def test_unverified_a_merge_says_in_via_which_tickets_it_joined(desk: Desk) -> None:
    target, one, two = (desk.ticket()["id"] for _ in range(3))
    _merge(desk, target, one, two, target_comment="Combining.")
    source = desk.get(f"tickets/{one}/audits.json")["audits"][-1]["via"]["source"]
    assert (source["rel"], source["from"]["ticket_id"]) == ("merge", target)
    source = desk.get(f"tickets/{target}/audits.json")["audits"][-1]["via"]["source"]
    assert (source["rel"], source["from"]) == ("merge", {"ticket_ids": [one, two]})


def test_spam_is_deleted_and_its_requester_suspended(desk: Desk) -> None:
    key = desk.ticket(requester_id=desk.ids["tom"])["id"]
    assert desk.put(f"tickets/{key}/mark_as_spam.json", None) == {}
    assert [item["id"] for item in desk.get("deleted_tickets.json")["deleted_tickets"]] == [key]
    assert desk.call("GET", f"tickets/{key}.json").status == 404
    assert desk.get(f"users/{desk.ids['tom']}.json")["user"]["suspended"] is True
    assert desk.call("GET", "requests.json", by="tom").status == 401
    desk.put(f"deleted_tickets/{key}/restore.json", None)
    assert _ticket(desk, key)["requester_id"] == desk.ids["tom"]


def test_neither_closed_tickets_nor_those_of_agents_are_spam(desk: Desk) -> None:
    closed = desk.ticket(status="closed", assignee_id=desk.ids["ana"])["id"]
    agents = desk.ticket(requester_id=desk.ids["ben"])["id"]
    for key in (closed, agents):
        answer = desk.call("PUT", f"tickets/{key}/mark_as_spam.json")
        assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
        assert _ticket(desk, key)["id"] == key
    assert desk.get(f"users/{desk.ids['rosa']}.json")["user"]["suspended"] is False
    assert desk.call("PUT", f"tickets/{closed}/mark_as_spam.json", by="rosa").status == 403
    assert desk.call("PUT", "tickets/999/mark_as_spam.json").status == 404


def test_many_tickets_are_spam_as_a_job(desk: Desk) -> None:
    spam, agents = desk.ticket()["id"], desk.ticket(requester_id=desk.ids["ben"])["id"]
    job = desk.put(f"tickets/mark_many_as_spam.json?ids={spam},{agents},999", None)["job_status"]
    desk.drain()
    results = desk.get(f"job_statuses/{job['id']}.json")["job_status"]["results"]
    errors = [item.get("error") for item in results]
    assert errors == [None, "RecordInvalid", "RecordNotFound"]
    assert [item["id"] for item in desk.get("deleted_tickets.json")["deleted_tickets"]] == [spam]
    assert desk.get(f"users/{desk.ids['rosa']}.json")["user"]["suspended"] is True
    assert desk.call("PUT", "tickets/mark_many_as_spam.json").status == 400


def test_agents_mark_only_what_they_see(desk: Desk) -> None:
    key = desk.ticket(requester_id=desk.ids["tom"])["id"]
    restricted = {"user": {"ticket_restriction": "assigned"}}
    desk.put(f"users/{desk.ids['ben']}.json", restricted, by="olga")
    path = f"tickets/mark_many_as_spam.json?ids={key}"
    job = desk.put(path, None, by="ben")["job_status"]
    desk.drain()
    [result] = desk.get(f"job_statuses/{job['id']}.json", by="ben")["job_status"]["results"]
    assert result["error"] == "RecordNotFound"
    assert _ticket(desk, key)["id"] == key


def test_the_comment_of_an_update_is_hidden_by_its_audit(desk: Desk) -> None:
    key = desk.ticket()["id"]
    reply = {"ticket": {"comment": {"body": "Try again.", "public": True}}}
    audit = desk.put(f"tickets/{key}.json", reply)["audit"]["id"]
    assert desk.put(f"tickets/{key}/audits/{audit}/make_private.json", None) == {}
    assert [item["public"] for item in _comments(desk, key)] == [True, False]
    assert desk.get(f"requests/{key}/comments.json", by="rosa")["count"] == 1
    silent = desk.put(f"tickets/{key}.json", {"ticket": {"priority": "high"}})["audit"]["id"]
    for wrong in (silent, 999):
        answer = desk.call("PUT", f"tickets/{key}/audits/{wrong}/make_private.json")
        assert (answer.status, answer.body["error"]) == (404, "RecordNotFound")
    path = f"tickets/{key}/audits/{audit}/make_private.json"
    assert desk.call("PUT", path, by="rosa").status == 403
