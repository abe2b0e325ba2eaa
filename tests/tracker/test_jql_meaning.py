"""What queries mean where the vendor's documents are silent, and what they cost."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clones.core.clock import now
from clones.core.tenancy import unit_of_work
from clones.tracker.models import (
    Board,
    ChangeGroup,
    ChangeItem,
    CustomField,
    Issue,
    IssueLink,
    IssueLinkType,
    ServiceDesk,
    SlaCycle,
    SlaMetric,
    Sprint,
    User,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import matches, read_search
from clones.tracker.rules.jql import JqlError
from tests.conftest import bind
from tests.tracker.site import Site


@pytest.fixture
def some(site: Site) -> tuple[Site, list[str]]:
    """A site with three issues."""
    return site, [site.issue(text) for text in ("Red beam", "Blue beam", "Mirror")]


def found(site: Site, jql: str, by: str = "ada") -> list[str]:
    with bind(site.row), unit_of_work("read"):
        rights = Rights(User.objects.get(account_id=site.ids[by]))
        return [issue.key for issue in read_search(jql, rights).issues]


def link(site: Site, type_: str, source: str, destination: str) -> None:
    with site.writing():
        ends = {issue.key: issue for issue in Issue.objects.all()}
        kind = IssueLinkType.objects.get(name=type_)
        IssueLink.objects.create(id=IssueLink.objects.count() + 900, type=kind, source=ends[source],
                             destination=ends[destination])  # fmt: skip


def test_unverified_links_are_named_from_the_issue(some: tuple[Site, list[str]]) -> None:
    site, (one, two, three) = some
    link(site, "Blocks", one, two)
    link(site, "Relates", three, two)
    for jql, keys in (
        (f"issueBlocks = {two}", [one]),
        (f"workItemIsBlockedBy = {one}", [two]),
        (f"issueBlocks = {one}", []),
        (f"issueRelatesTo = {two}", [three]),
        (f"issueRelatesTo = {three}", [two]),
        ("issueLinkType = blocks", [one]),
        ("issueLinkType = 'is blocked by'", [two]),
        ("issueLinkType = Blocks", [one]),
        ("issueLinkType in (Relates, Blocks) order by key", [one, two, three]),
        ("issueLinkType is empty and project = LAS", []),
        (f"issue in linkedIssues({one})", [two]),
        (f"issue in linkedIssues({two}, 'is blocked by')", [one]),
        (f"issue in linkedIssues({two}, blocks)", []),
        (f"issueLink = {two}", [three, one]),
        (f"linkedIssue != {two} and project = LAS", [two]),
    ):
        assert found(site, jql) == keys, jql


def test_unverified_keys_are_compared_in_their_space(some: tuple[Site, list[str]]) -> None:
    site, (one, two, three) = some
    other = site.issue("Elsewhere", project={"key": "OPS"})
    assert found(site, f"key > {one}") == [three, two]
    assert found(site, f"key <= {two}") == [two, one]
    assert found(site, f"not key > {one}") == [other, one]


def test_unverified_empty_values_come_last(some: tuple[Site, list[str]]) -> None:
    site, (one, two, three) = some
    site.put(f"issue/{one}", {"fields": {"duedate": "2026-07-01"}})
    site.put(f"issue/{two}", {"fields": {"duedate": "2026-06-01"}})
    assert found(site, "project = LAS order by due asc") == [two, one, three]
    assert found(site, "project = LAS order by due desc") == [one, two, three]
    assert found(site, "project = LAS") == [three, two, one]


def test_unverified_votes_are_never_empty(some: tuple[Site, list[str]]) -> None:
    site, (one, two, three) = some
    site.post(f"issue/{two}/votes", status=204)
    assert found(site, "project = LAS and votes != 1") == [three, one]
    assert found(site, "votes >= 1") == [two]
    assert found(site, "votes is empty") == []


def test_unverified_without_comments_all_words_are_missing(some: tuple[Site, list[str]]) -> None:
    site, (one, two, three) = some
    said = {"type": "paragraph", "content": [{"type": "text", "text": "Polish it"}]}
    body = {"type": "doc", "version": 1, "content": [said]}
    site.post(f"issue/{two}/comment", {"body": body})
    assert found(site, "comment ~ polish") == [two]
    assert found(site, "project = LAS and comment !~ polish") == [three, one]


def test_unverified_words_are_found_as_they_are_written(some: tuple[Site, list[str]]) -> None:
    site, (one, two, _) = some
    assert found(site, "summary ~ beams") == []
    assert found(site, "summary ~ 'beam*' order by key") == [one, two]
    assert found(site, "summary ~ '\"red beam\"'") == [one]
    assert found(site, "summary ~ 'beam -red'") == [two]


def test_unverified_sprints_are_asked_for_what_came_and_went(
    some: tuple[Site, list[str]],
) -> None:
    site, (one, two, _) = some
    with site.writing():
        board, began = Board.objects.order_by("id")[0], now() - timedelta(days=1)
        sprint = Sprint(id=905, board=board, name="Run", state="active", created=began)
        sprint.start_date = began
        sprint.save(force_insert=True)
        rows = Issue.objects.in_bulk(field_name="key")
        for at, (key, old, new) in enumerate(
            [(one, "15", f"15, {sprint.id}"), (two, f"{sprint.id}", "")]
        ):
            _change(900 + at, rows[key], "Sprint", "customfield_10020", old, new)
    assert found(site, "issue in workItemsAddedDuringSprint(Run)") == [one]
    assert found(site, "issue in workItemsRemovedDuringSprint(Run)") == [two]


def _change(id: int, issue: Any, field: str, field_id: str, old: str, new: str) -> None:
    group = ChangeGroup.objects.create(id=id, issue=issue, author=issue.reporter, created=now())
    ChangeItem.objects.create(id=id, group=group, issue=issue, created=now(), field=field,
                              field_id=field_id, field_type="custom", old=old, new=new)  # fmt: skip


def test_unverified_an_sla_without_a_goal_has_no_time_left(
    some: tuple[Site, list[str]],
) -> None:
    site, (one, two, _) = some
    with site.writing():
        rows = Issue.objects.in_bulk(field_name="key")
        name = "com.atlassian.servicedesk:sd-sla-field"
        field = CustomField.objects.create(id=10990, name="Reply", type=name, created=now())
        metric = SlaMetric.objects.create(
            id=99, desk=ServiceDesk.objects.all()[0], field=field, name="Reply"
        )
        hour = 3_600_000
        for at, (key, goal) in enumerate([(one, 4 * hour), (two, None)]):
            breaks = now() + timedelta(hours=3) if goal else None
            SlaCycle.objects.create(id=900 + at, issue=rows[key], metric=metric, goal=goal,
                                    started_at=now(), counted_at=now(), elapsed=hour,
                                    breach_at=breaks)  # fmt: skip
    for jql, keys in (
        ("Reply < remaining('4h')", [one]),
        ("Reply > remaining('2h')", [one]),
        ("Reply < remaining('2h')", []),
        ("Reply >= elapsed('1h')", [one]),
        ("Reply > elapsed('90m')", []),
        ("Reply = running()", [two, one]),
        ("Reply = breached()", []),
    ):
        assert found(site, jql) == keys, jql
    site.advance(4 * 3600)
    assert found(site, "Reply = breached()") == [one]
    assert found(site, "Reply > elapsed('4h')") == [one]


def test_unverified_a_query_has_so_many_conditions(some: tuple[Site, list[str]]) -> None:
    site, (one, two, three) = some
    keys = ", ".join([one, *(f"LAS-{number}" for number in range(900, 901))])
    assert "does not exist" in _refusal(site, f"key in ({keys})")
    # Ids and labels may be many, conditions may not.
    many = ", ".join([f"'{'red' if at else 'blue'} {at}'" for at in range(350)])
    assert found(site, f"project = LAS and labels not in ({many})") == []
    assert found(site, f"key in ({', '.join([one, two] * 2000)})") == [two, one]
    assert found(site, " or ".join([f"key = {three}"] * 100)) == [three]
    # not (OPS or not (OPS or ... key = two)), denied an even number of times.
    deep = "not (project = OPS or "
    assert found(site, f"{deep * 20}key = {two}{')' * 20}") == [two]
    heavy = "fixVersion was empty during (-9d, -1d) or issue.property[a].b ~ 'c* d' or status "
    heavy += "was not in (Done) by membersOf('jira-users') before -1d"
    assert found(site, f"{deep * 18}({heavy}){')' * 18} and project = LAS") == [three, two, one]
    assert _refusal(site, f"{deep * 32}key = {two}{')' * 32}") == (
        "The query is too complex: it is nested more than 25 levels deep."
    )
    message = "The query is too complex: it has more than 400 conditions."
    assert _refusal(site, " or ".join([f"key = {one}"] * 401)) == message
    # A text has an end of its own, long before: clones/core/words.py.
    assert _refusal(site, f"summary ~ '{'a ' * 500}'").startswith("Unable to parse the text 'a a a")


def _refusal(site: Site, jql: str) -> str:
    with pytest.raises(JqlError) as error:
        found(site, jql)
    return error.value.texts[0]


def test_the_sites_own_rules_see_everything(some: tuple[Site, list[str]]) -> None:
    site, (one, _, three) = some
    with site.store():
        rows = Issue.objects.in_bulk(field_name="key")
        assert matches(rows[one], "summary ~ beam and project = 'Laser control'")
        assert not matches(rows[three], "summary ~ beam")
        assert matches(rows[three], "")


def test_a_query_costs_the_same_whatever_it_finds(some: tuple[Site, list[str]]) -> None:
    site, _ = some
    jql = (
        "project = LAS and status was 'To Do' and assignee in (membersOf('jira-users'), empty) and "
        "labels not in (red, blue) and issue in updatedBy('Ada Brandt', '-5d') "
        "order by priority, fixVersion, cf[10020], votes desc"
    )

    def cost() -> tuple[int, int]:
        with bind(site.row), unit_of_work("read"):
            rights = Rights(User.objects.get(account_id=site.ids["ada"]))
            with CaptureQueriesContext(connection) as spent:
                return len(list(read_search(jql, rights).issues)), len(spent)

    few, before = cost()
    for number in range(12):
        site.issue(f"More {number}", labels=["green"])
    many, after = cost()
    assert many == few + 12
    assert before == after < 20


def test_what_the_api_writes_is_found_again(some: tuple[Site, list[str]]) -> None:
    site, (one, two, three) = some
    site.post("version", {"name": "1.0", "projectId": int(site.get("project/LAS")["id"])})
    site.advance(86_400)
    moves = {
        move["name"]: move["id"] for move in site.get(f"issue/{one}/transitions")["transitions"]
    }
    site.post(f"issue/{one}/transitions", {"transition": {"id": moves["Done"]}}, status=204)
    site.put(f"issue/{one}/assignee", {"accountId": site.ids["dev"]})
    site.put(f"issue/{one}/assignee", {"accountId": site.ids["dana"]})
    site.put(f"issue/{one}", {"fields": {"fixVersions": [{"name": "1.0"}]}})
    site.put(f"issue/{one}", {"fields": {"priority": {"name": "Highest"}}})
    site.put(f"issue/{two}", {"update": {"labels": [{"add": "hot"}]}})
    for jql, keys in (
        ("status was 'To Do'", [three, two, one]),
        ("status was 'To Do' after -1h", [three, two, one]),
        ("status was not Done and project = LAS", [three, two]),
        ("status changed from 'To Do' to Done by 'Ada Brandt' after -1h", [one]),
        ("status changed before -1h", []),
        ("status changed by 'Ada Brandt'", [one]),
        ("status changed by 'Dev Anand'", []),
        ("status was Done by 'Dev Anand'", []),
        ("statusCategory = Done and resolution is not empty", [one]),
        ("assignee was 'Dev Anand'", [one]),
        ("assignee changed from 'Dev Anand' to 'Dana Ruiz'", [one]),
        ("assignee was empty before -1h order by key", [one, two, three]),
        ("fixVersion was '1.0' and fixVersion = earliestUnreleasedVersion(LAS)", [one]),
        ("fixVersion changed to '1.0' on -0d", [one]),
        ("priority changed to Highest and priority was Medium", [one]),
        ("issue in updatedBy('Ada Brandt', '-1h') order by key", [one, two]),
        ("labels = HOT", [two]),
        ("watcher = currentUser() order by key", [one, two, three]),
        ("issue in watchedIssues() and created < -1h order by key", [one, two, three]),
        ("text ~ 'red beam'", [one]),
    ):
        assert found(site, jql) == keys, jql
