"""The navigator: searching by menus and by queries, columns, files, filters, bulk changes."""

from __future__ import annotations

import csv
import io
from typing import Any

from clones.tracker.models import PermissionGrant, Project, User
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import site_of
from clones.tracker.web.navigator.basic import basic_of, jql_of, sorted_by
from clones.tracker.web.navigator.completing import options_at, place_of
from tests.tracker.boards import counted
from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor


def several(site: Site) -> list[str]:
    """Make a few issues and return their keys."""
    dev = {"accountId": site.ids["dev"]}
    return [
        site.issue("Laser stops", labels=["hot"], assignee=dev),
        site.issue("Mirror is dusty", priority={"name": "High"}),
        site.issue("Fan is loud <b>", labels=["hot", "cold"]),
    ]


def test_a_query_is_listed_sorted_and_paged(site: Site) -> None:
    first, second, third = several(site)
    dev = visitor(site, "dev")
    page = dev.get("/issues/", jql="project = LAS ORDER BY key ASC", mode="jql")
    assert page.part("issue-navigator.count") == "1 – 3 of 3"
    assert page.html.index(first) < page.html.index(second) < page.html.index(third)
    assert "Fan is loud &lt;b&gt;" in page.html
    assert page.part("jql-editor-input") == "project = LAS ORDER BY key ASC"
    # The head of the column that sorts turns it round.
    turned = dev.get(page.links("Key")["Key"].replace("&amp;", "&"))
    assert turned.html.index(third) < turned.html.index(first)
    for at in range(50):
        site.issue(f"More {at}")
    page = dev.get("/issues/", jql="project = LAS ORDER BY key ASC")
    assert "of 53" in page.main
    rest = dev.get(page.links("Next")["Next"])
    assert "More 49" in rest.main
    assert "More 46" not in rest.main


def test_the_sentences_on_a_wrong_query_stand_below_the_editor(site: Site) -> None:
    dev = visitor(site, "dev")
    page = dev.get("/issues/", jql="flavour = sweet")
    assert "Field 'flavour' does not exist" in page.part("jql-editor-validation")
    assert page.part("jql-editor-input") == "flavour = sweet"
    page = dev.get("/issues/", jql="project in (LAS")
    assert "Error in the JQL Query" in page.part("jql-editor-validation")


def test_nobody_sees_what_is_not_theirs_and_customers_see_nothing(site: Site) -> None:
    several(site)
    assert "No results were found" in visitor(site, "guest").get("/issues/").main
    assert "Customers have no access" in visitor(site, "cara").get("/issues/", status=403).text
    client = visitor(site, "dev").client
    client.cookies.clear()
    assert client.get("/issues/").headers["Location"].startswith("/login?dest-url=")


def test_menus_make_queries_and_queries_fill_menus(site: Site) -> None:
    first, second, _ = several(site)
    dev = visitor(site, "dev")
    page = dev.get("/issues/", basic="1", project="LAS", assignee="currentUser()", status=302)
    shown = dev.get(page.location)
    assert first in shown.main
    assert second not in shown.main
    assert "Assignee: Current user" in shown.main
    sent = shown.form("/issues/")
    assert sent["project"] == ["LAS"]
    assert sent["assignee"] == ["currentUser()"]
    page = dev.get("/issues/", basic="1", project="LAS", text="mirror", status=302)
    shown = dev.get(page.location)
    assert second in shown.main
    assert first not in shown.main
    # A query that menus cannot show is the editor's.
    page = dev.get("/issues/", jql="project = LAS OR labels = hot", mode="basic")
    assert page.part("jql-editor-input") == "project = LAS OR labels = hot"


def test_basic_queries_go_both_ways() -> None:
    cases: list[tuple[dict[str, list[str]], str, str]] = [
        ({"project": ["LAS", "OPS"]}, "", "project in (LAS, OPS)"),
        ({"status": ['"In Progress"']}, "", 'status = "In Progress"'),
        ({"assignee": ["EMPTY"]}, "", "assignee is EMPTY"),
        ({"assignee": ["EMPTY", "currentUser()"]}, "", "assignee in (EMPTY, currentUser())"),
        ({}, "laser cut", 'text ~ "laser cut*"'),
        ({"labels": ["x) OR (y"]}, "", 'labels = "x) OR (y"'),
    ]
    for chosen, text, jql in cases:
        assert jql_of(chosen, text) == jql
        found = basic_of(jql)
        assert found is not None, jql
        assert found.text == text
    for jql in (
        "project = LAS OR x = y",
        "project != LAS",
        "status was Done",
        "created > -1d",
        "(",
    ):
        assert basic_of(jql) is None
    assert sorted_by("project = LAS ORDER BY key", "cf[10020]", descending=True) == (
        "project = LAS ORDER BY cf[10020] DESC"
    )


def test_what_comes_next_in_a_query_is_offered(site: Site) -> None:
    cases: list[tuple[str, str, str]] = [
        ("assig", "field", "assignee"),
        ("project ", "operator", "not in"),
        ("project = L", "value", "LAS"),
        ("project in (LAS, O", "value", "OPS"),
        ('status = "In P', "value", '"In Progress"'),
        ("assignee = curr", "value", "currentUser()"),
        ("project = LAS ", "keyword", "AND"),
        ("project = LAS AND prio", "field", "priority"),
        ("project = LAS ORDER ", "by", "BY"),
        ("project = LAS ORDER BY crea", "sort", "created"),
        ("project = LAS ORDER BY created ", "direction", "DESC"),
        ("assignee is ", "value", "EMPTY"),
    ]
    with site.store():
        seen = site_of(Rights(User.objects.get(account_id=site.ids["dev"])))
        for text, expected, offer in cases:
            place = place_of(text)
            assert place.expected == expected, text
            assert offer in [one.text for one in options_at(place, seen)], (text, place)
    page = visitor(site, "dev").get("/issues/suggest", jql="project = L", at="11")
    assert 'data-from="10"' in page.html
    assert 'data-text="LAS"' in page.html


def test_columns_are_kept_for_oneself_and_for_a_filter(site: Site) -> None:
    several(site)
    dev = visitor(site, "dev")
    at = "/issues/columns"
    back = "/issues/?jql=project+%3D+LAS"
    dev.post(at, {"column": ["issuekey", "labels"], "for": "mine", "back": back})
    assert [one["value"] for one in site.get("user/columns", by="dev")] == ["issuekey", "labels"]
    page = dev.get(back)
    assert "cold, hot" in page.main
    assert page.html.count("aria-sort") == 2
    key = site.post("filter", {"name": "Mine", "jql": "project = LAS"}, by="dev", status=200)["id"]
    dev.post(at, {"column": ["issuekey", "status"], "for": key, "back": f"/issues/?filter={key}"})
    columns = site.get(f"filter/{key}/columns", by="dev")
    assert [one["value"] for one in columns] == ["issuekey", "status"]
    dev.post(at, {"for": f"reset-{key}", "back": back})
    dev.post(at, {"for": "reset", "back": back})
    assert len(site.get("user/columns", by="dev")) == 11


def test_a_list_is_sent_as_a_file(site: Site) -> None:
    keys = several(site)
    site.issue("=1+1")
    dev = visitor(site, "dev")
    page = dev.get("/issues/", jql="project = LAS ORDER BY key ASC")
    links = page.links("Export CSV")
    answer = dev.client.get(links["Export CSV (all fields)"])
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert [row[1] for row in rows[1:4]] == keys
    assert rows[0].count("Labels") == 2
    assert rows[4][0] == "'=1+1"
    answer = dev.client.get(links["Export CSV (my fields)"])
    head = answer.content.decode().splitlines()[0]
    assert head.startswith("Issue Type,Issue key,Summary,Assignee,Reporter,Priority,Status")
    bad = "/sr/jira.issueviews:searchrequest-csv-all-fields/temp/Search.csv"
    assert "does not exist" in dev.get(bad, status=400, jqlQuery="flavour = x").text


def test_a_query_is_saved_as_a_filter_and_changed(site: Site) -> None:
    several(site)
    dev = visitor(site, "dev")
    page = dev.post("/issues/save", {"jql": "project = LAS", "name": "Laser"})
    [saved] = site.get("filter/my", by="dev")
    assert (saved["name"], saved["jql"], saved["favourite"]) == ("Laser", "project = LAS", True)
    assert dev.get(page.location).part("flag") == "Filter “Laser” saved"
    refused = dev.post("/issues/save", {"jql": "project = OPS", "name": "laser"}, status=400)
    assert "Filter with same name already exists." in refused.main
    assert refused.form("/issues/save")["name"] == "laser"
    page = dev.get("/issues/", filter=saved["id"], jql="project = OPS")
    assert "Edited" in page.main
    dev.post(f"/issues/save/{saved['id']}", page.form(f"/issues/save/{saved['id']}"))
    assert site.get(f"filter/{saved['id']}", by="dev")["jql"] == "project = OPS"
    visitor(site, "dana").get("/issues/", filter=saved["id"], status=404)


def test_the_detail_view_shows_one_beside_the_list(site: Site) -> None:
    first, second, _ = several(site)
    dev = visitor(site, "dev")
    jql = "project = LAS ORDER BY key ASC"
    page = dev.get("/issues/", jql=jql, view="detail", selectedIssue=second)
    assert page.links("Open work item")["Open work item"] == f"/browse/{second}"
    assert "High" in page.part("issue.views.field.priority")
    heading = page.part("issue.views.issue-base.foundation.summary.heading")
    assert heading == "Mirror is dusty"
    assert f'aria-label="{second}"' in page.html
    assert first in page.html
    # It can be changed where it stands.
    dev.change(f"/browse/{second}", f"/browse/{second}/comments", body="Wiped", audience="")
    assert "Wiped" in dev.get("/issues/", jql=jql, view="detail", selectedIssue=second).main


def bulk(site: Site, login: str, keys: list[str], operation: str, **details: Any) -> str:
    """Go through all steps of a bulk change and return the words of its end."""
    who = visitor(site, login)
    base = {"issue": keys, "operation": operation, **details}
    if details:
        page = who.post("/issues/bulk", {**base, "step": "operation"}, status=200)
        assert "Bulk change" in page.main
    page = who.post("/issues/bulk", {**base, "step": "details"}, status=200)
    sent = page.form("/issues/bulk")
    if sent["step"] == "details":  # there is more to say: what is offered is taken
        page = who.post("/issues/bulk", {**sent, "issue": keys}, status=200)
        sent = page.form("/issues/bulk")
    assert sent["step"] == "confirm", page.main
    sent["issue"] = keys
    page = who.post("/issues/bulk", {**base, "step": "confirm"})
    site.advance(1)
    return who.get(page.location).main


def test_many_are_edited_watched_and_deleted(site: Site) -> None:
    keys = several(site)
    page = visitor(site, "ada").get("/issues/bulk", jql="project = LAS")
    assert all(key in page.main for key in keys)
    said = bulk(
        site, "ada", keys[:2], "edit",
        change=["labels", "priority", "assignee"],
        **{"labels": "new", "way:labels": "ADD", "priority": "1", "assignee": site.ids["dana"]},
    )  # fmt: skip
    assert "complete: 2 work items were changed" in said, said
    fields = site.get(f"issue/{keys[0]}")["fields"]
    assert fields["labels"] == ["hot", "new"]
    assert fields["assignee"]["accountId"] == site.ids["dana"]
    assert fields["priority"]["id"] == "1"
    assert site.get(f"issue/{keys[2]}")["fields"]["labels"] == ["cold", "hot"]
    bulk(site, "dev", keys, "watch")
    assert site.get(f"issue/{keys[2]}/watchers", by="dev")["isWatching"] is True
    bulk(site, "ada", keys[2:], "delete")
    assert site.get(f"issue/{keys[2]}", status=404)


def test_many_are_moved_on_and_elsewhere(site: Site) -> None:
    keys = several(site)
    moves = site.get(f"issue/{keys[0]}/transitions")["transitions"]
    done = next(move for move in moves if move["to"]["statusCategory"]["key"] == "done")
    bulk(site, "ada", keys[:2], "transition", **{"move-0": done["id"]})
    status = site.get(f"issue/{keys[1]}")["fields"]["status"]
    assert status["id"] == done["to"]["id"]
    kinds = site.get("project/OPS")["issueTypes"]
    task = next(kind for kind in kinds if kind["name"] == "Task")["id"]
    las = site.get("project/LAS")["id"]
    bulk(site, "ada", keys[2:], "move", **{f"target-{las}-{task}": f"OPS,{task}"})
    assert site.get(f"issue/{keys[2]}")["key"].startswith("OPS-")


def test_bulk_changes_are_refused_with_a_sentence(site: Site) -> None:
    keys = several(site)
    ada = visitor(site, "ada")
    page = ada.post("/issues/bulk", {"step": "choose", "jql": "project = LAS"}, status=400)
    assert "You must select at least one work item to bulk edit." in page.main
    page = ada.post("/issues/bulk", {"step": "operation", "issue": keys}, status=400)
    assert "Please choose an operation." in page.main
    sent = {"step": "details", "issue": keys, "operation": "edit"}
    page = ada.post("/issues/bulk", sent, status=400)
    assert "Please choose at least one field to change." in page.main
    page = visitor(site, "guest").get("/issues/bulk", status=403)
    assert "You do not have the global permission to make bulk changes." in page.text
    visitor(site, "dev").get("/issues/bulk/999", status=404)


def test_what_somebody_may_not_set_is_not_offered_for_many(site: Site) -> None:
    keys = several(site)
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission="MODIFY_REPORTER").delete()
    sent = {"step": "details", "issue": keys, "operation": "edit"}
    page = visitor(site, "ada").post("/issues/bulk", sent, status=400)
    assert 'value="labels"' in page.html
    assert 'value="reporter"' not in page.html


def test_pages_cost_as_many_statements_for_many_rows_as_for_few(site: Site) -> None:
    several(site)
    dev = visitor(site, "dev")
    body: dict[str, Any] = {"jql": "project = LAS"}
    key = site.post("filter", {**body, "name": "A"}, by="dev", status=200)["id"]
    pages: list[tuple[str, dict[str, Any]]] = [
        ("/issues/", {"jql": "project = LAS"}),
        ("/issues/", {"jql": "project = LAS", "view": "detail", "mode": "jql"}),
        ("/issues/bulk", {"jql": "project = LAS"}),
        ("/jira/filters", {}),
        ("/jira/dashboards", {}),
    ]

    def costs() -> list[int]:
        found = []
        for path, query in pages:
            dev.get(path, **query)
            with counted(site) as statements:
                dev.get(path, **query)
            found.append(len(statements))
        return found

    few = costs()
    assert all(few)
    several(site)
    several(site)
    for at in range(4):
        share = {"sharePermissions": [{"type": "project", "project": {"key": "LAS"}}]}
        name = f"{key} {at}"
        site.post("filter", {**body, **share, "name": name}, by="dev", status=200)
        visitor(site, "dev").post("/jira/dashboards/new", {"name": name, "viewers_add": "loggedin"})
    assert costs() == few, few
