"""Which media types the operations read whose bodies are not only JSON, and what of others."""

from __future__ import annotations

import re
from typing import Any

from clones.core.operations import Operation
from clones.tracker.api.column_bodies import FORM, MULTIPART
from clones.tracker.api.entry import operations
from clones.tracker.api.operations import ANYTHING, consumed
from snapshots.sandboxes import Sandboxes
from tests.tracker.boards import board_of, sprint_on
from tests.tracker.desk_site import OPT_IN, open_desk
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph

# What the description says that these read; its `*/*` beside a form stands for JSON at sites.
COLUMNS = {"setColumns", "setUserColumns", "setIssueNavigatorDefaultColumns"}
PICTURES = {"createIssueTypeAvatar", "createProjectAvatar", "storeAvatar"}
FILES = {"addAttachment", "desk.attachTemporaryFile"}  # multipart alone: their own tests see to it
SENT = {
    "application/json": b'{"columns": ["summary", "status"]}',
    "application/json; charset=utf-8": b'{"columns": ["summary", "status"]}',
    FORM: b"columns=summary&columns=status",
    f"{MULTIPART}; boundary=edge": b"".join(
        b'--edge\r\nContent-Disposition: form-data; name="columns"\r\n\r\n%s\r\n' % name
        for name in (b"summary", b"status")
    )
    + b"--edge--\r\n",
    "text/plain": b'{"columns": ["summary", "status"]}',
    "application/xml": b"<columns/>",
    "image/png": b"columns=summary",
    "application/octet-stream": b"{}",
}


def raw() -> dict[str, Operation]:
    """Return the operations that read their bodies themselves."""
    return {one.id: one for one in operations().all.values() if one.raw_body}


def addresses(site: Site) -> dict[str, str]:
    """Return an address of each operation that reads its body itself."""
    desk = open_desk(site)
    key = site.issue()
    comment = site.post(f"issue/{key}/comment", {"body": paragraph("It hums")})["id"]
    worklog = site.post(f"issue/{key}/worklog", {"timeSpent": "1m"})["id"]
    kept = site.post("filter", {"name": "Mine", "jql": "project = LAS"}, status=200)["id"]
    shown = {"name": "Wall", "sharePermissions": [], "editPermissions": []}
    dashboard = site.post("dashboard", shown, status=200)["id"]
    gadget = site.get("dashboard/gadgets")["gadgets"][0]
    item = site.post(f"dashboard/{dashboard}/gadget", gadget, status=200)["id"]
    board = board_of(site)
    values = {
        "board": board, "sprint": sprint_on(site, board), "key": key, "commentId": comment,
        "dashboardId": dashboard, "itemId": item, "projectIdOrKey": "LAS", "serviceDeskId": desk.id,
        "issueTypeId": site.get("issuetype")[0]["id"], "propertyKey": "flag", "property": "flag",
        "organizationId": desk.post("organization", {"name": "Acme"})["id"],
        "requestTypeId": next(iter(desk.types.values())),
    }  # fmt: skip
    ids = {"setColumns": kept, "setCommentProperty": comment, "setWorklogProperty": worklog}
    queries = {"setUserProperty": f"?accountId={site.ids['ada']}", "setPreference": "?key=colour"}
    found = dict[str, str]()
    for name, one in raw().items():
        if name not in PICTURES | FILES:
            path = one.path.replace("{id}", str(ids.get(name)))
            named = re.sub(r"\{(\w+)(?::int)?\}", lambda part: str(values[part[1]]), path)
            found[name] = named + queries.get(name, "")
    return found


def test_each_body_has_a_type_that_its_operation_reads(site: Site, sandboxes: Sandboxes) -> None:
    """All others are 415, and change nothing: no body is taken for a form because it is no JSON."""
    for name, path in addresses(site).items():
        method, wanted = raw()[name].method, consumed(raw()[name])
        sandboxes.mark(site.row.id, "before")
        for kind, body in SENT.items():
            headers: dict[str, Any] = {"Content-Type": kind, **OPT_IN}
            answer = site.call(method, path, body, **headers)
            is_read = kind.partition(";")[0] in wanted
            assert (answer.status == 415) == (not is_read), (name, kind, answer.status, answer.body)
            assert not is_read or answer.status in (200, 201, 204), (name, kind, answer.body)
            if not is_read:
                assert sandboxes.diff(site.row.id, "before") == [], (name, kind)
            sandboxes.rewind(site.row.id, "before")
    assert {name for name, one in raw().items() if consumed(one) == ANYTHING} == PICTURES | FILES
    assert {name for name, one in raw().items() if FORM in consumed(one)} == COLUMNS


def test_columns_are_read_alike_from_each_type(site: Site) -> None:
    """A form names each, JSON has them in an object; a bare list is refused, as sites do."""
    kept = site.post("filter", {"name": "Mine", "jql": "project = LAS"}, status=200)["id"]
    for path in ("user/columns", "settings/columns", f"filter/{kept}/columns"):
        for kind, body in SENT.items():
            if kind.partition(";")[0] not in ("application/json", FORM, MULTIPART):
                continue
            site.put(path, {"columns": ["labels"]}, status=200)
            headers: dict[str, Any] = {"Content-Type": kind}
            assert site.call("PUT", path, body, **headers).status == 200, (path, kind)
            found = [column["value"] for column in site.get(path)]
            assert found == ["summary", "status"], (path, kind)
        for wrong in (
            b'["labels"]',
            b'"labels"',
            b'{"columns": "labels"}',
            b'{"columns": [1]}',
            b"[",
        ):
            answer = site.call("PUT", path, wrong)
            assert answer.status == 400, (path, wrong)
            assert list(answer.body) == ["errorMessages"], (path, wrong)
        assert [column["value"] for column in site.get(path)] == ["summary", "status"], path


def test_a_site_has_columns_for_who_has_chosen_none(site: Site) -> None:
    """Admins set them; a user's own and a filter's go before them; none at all is none."""
    usual = [column["value"] for column in site.get("settings/columns")]
    assert usual[:3] == ["issuetype", "issuekey", "summary"]
    assert [column["value"] for column in site.get("user/columns", by="dev")] == usual
    site.put("settings/columns", {"columns": ["summary", "labels", "summary"]}, status=200)
    assert site.get("user/columns", by="dev") == [
        {"label": "Summary", "value": "summary"},
        {"label": "Labels", "value": "labels"},
    ]
    site.put("user/columns", {"columns": ["status"]}, by="dev", status=200)
    assert [column["value"] for column in site.get("user/columns", by="dev")] == ["status"]
    error = site.put("settings/columns", {"columns": ["colour"]}, status=404)
    assert error["errorMessages"] == ["The column 'colour' does not exist."]
    assert len(site.get("settings/columns")) == 2
    site.put("settings/columns", {}, status=200)
    assert site.get("settings/columns") == []
    site.put("settings/columns", {"columns": ["summary"]}, by="dev", status=403)
