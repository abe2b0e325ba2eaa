"""Many organizations at once."""

from __future__ import annotations

from typing import Any

from tests.helpdesk.conftest import Desk


def _results(desk: Desk, answer: Any, by: str = "olga") -> Any:
    """Let a job run and return its results."""
    job = answer["job_status"]
    assert job["status"] == "queued"
    desk.drain()
    return desk.get(f"job_statuses/{job['id']}.json", by=by)["job_status"]["results"]


def _delete(desk: Desk, path: str, by: str = "olga") -> Any:
    answer = desk.call("DELETE", path, by=by)
    assert answer.status == 200, answer.body
    return answer.body


def _make(desk: Desk, *names: str) -> list[int]:
    body = {"organizations": [{"name": name, "external_id": f"x-{name}"} for name in names]}
    made = desk.post("organizations/create_many.json", body, by="olga", status=200)
    return [item["id"] for item in _results(desk, made)]


def test_one_call_creates_or_updates_an_organization(desk: Desk) -> None:
    path = "organizations/create_or_update.json"
    body = {"organization": {"name": "Beta", "external_id": "b-1"}}
    made = desk.call("POST", path, body, by="olga")
    assert made.status == 201
    key = made.body["organization"]["id"]
    assert made.headers["Location"] == made.body["organization"]["url"]
    again = {"organization": {"external_id": "b-1", "name": "Beta Ltd", "notes": "n"}}
    assert desk.call("POST", path, again, by="olga").status == 200
    by_id = {"organization": {"id": key, "details": "d"}}
    assert desk.post(path, by_id, by="olga", status=200)["organization"]["id"] == key
    shown = desk.get(f"organizations/{key}.json")["organization"]
    assert (shown["name"], shown["notes"], shown["details"]) == ("Beta Ltd", "n", "d")
    double = desk.call("POST", path, {"organization": {"name": "Beta Ltd"}}, by="olga")
    assert (double.status, double.body["details"]["name"][0]["error"]) == (422, "DuplicateValue")
    missing = desk.call("POST", path, {"organization": {"id": 1, "name": "x"}}, by="olga")
    assert missing.status == 404
    assert desk.call("POST", path, {"organization": {"name": "y"}}, by="ana").status == 403
    # Agents change notes.
    notes = {"organization": {"id": key, "notes": "by an agent"}}
    assert desk.post(path, notes, by="ana", status=200)["organization"]["notes"] == "by an agent"


def test_many_organizations_are_made_as_a_job(desk: Desk) -> None:
    body = {"organizations": [{"name": "Beta"}, {"name": "beta"}, {"name": "Gamma"}]}
    made = desk.post("organizations/create_many.json", body, by="olga", status=200)
    results = _results(desk, made)
    assert [item.get("status") for item in results] == ["Created", None, "Created"]
    assert results[1]["error"] == "RecordInvalid"
    shown = desk.get(f"organizations/{results[2]['id']}.json")["organization"]
    assert shown["name"] == "Gamma"
    assert desk.call("POST", "organizations/create_many.json", body, by="ana").status == 403
    many = {"organizations": [{"name": "n"}] * 101}
    refused = desk.call("POST", "organizations/create_many.json", many, by="olga")
    assert refused.body["description"] == "Parameter  cannot specify more than 100 values"
    empty = desk.call("POST", "organizations/create_many.json", {}, by="olga")
    assert (empty.status, empty.body["error"]) == (400, "RequiredParameterMissing")


def test_many_organizations_are_changed_the_same_or_each_its_own_way(desk: Desk) -> None:
    one, two = _make(desk, "One", "Two")
    path = "organizations/update_many.json"
    same = {"organization": {"notes": "Priority"}}
    done = _results(desk, desk.put(f"{path}?ids={one},{two},1", same, by="olga"))
    assert [item.get("error") for item in done] == [None, None, "RecordNotFound"]
    _results(desk, desk.put(f"{path}?external_ids=x-Two", {"organization": {"tags": ["t"]}}))
    each = {"organizations": [{"id": one, "name": "Uno"}, {"id": two, "name": "Uno"}]}
    done = _results(desk, desk.put(path, each, by="olga"))
    assert [item.get("error") for item in done] == [None, "RecordInvalid"]
    shown = [desk.get(f"organizations/{key}.json")["organization"] for key in (one, two)]
    assert [item["name"] for item in shown] == ["Uno", "Two"]
    assert [item["notes"] for item in shown] == ["Priority", "Priority"]
    assert [item["tags"] for item in shown] == [[], ["t"]]
    # Agents change notes and nothing else.
    done = _results(desk, desk.put(f"{path}?ids={one}", {"organization": {"name": "x"}}), "ana")
    assert done[0]["error"]
    assert desk.get(f"organizations/{one}.json")["organization"]["name"] == "Uno"
    for body in (same, {}):
        missing = desk.call("PUT", path, body, by="olga")
        assert (missing.status, missing.body["error"]) == (400, "RequiredParameterMissing")
    assert desk.call("PUT", f"{path}?ids={one}", same, by="rosa").status == 403


def test_many_organizations_are_deleted_as_a_job(desk: Desk) -> None:
    one, _, three = _make(desk, "One", "Two", "Three")
    path = "organizations/destroy_many.json"
    done = _results(desk, _delete(desk, f"{path}?ids={one},1"))
    assert [item.get("status") for item in done] == ["Deleted", None]
    _results(desk, _delete(desk, f"{path}?external_ids=x-Two"))
    left = [item["id"] for item in desk.get("organizations.json")["organizations"]]
    assert left == [900, three]
    assert desk.call("DELETE", f"{path}?ids={three}", by="ana").status == 403
    assert desk.call("DELETE", path, by="olga").status == 400
    assert desk.call("DELETE", f"{path}?external_ids=", by="olga").status == 400
    many = ",".join(str(number) for number in range(101))
    for name in ("ids", "external_ids"):
        refused = desk.call("DELETE", f"{path}?{name}={many}", by="olga")
        assert refused.body["error"] == "TooManyValues"
