"""The tracker's side of a world holds together, and has what a site of some years has."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from clones.core import clock
from clones.core.models import Account, Job
from clones.tracker import models as tracker
from clones.tracker.domain.project_removal import PURGE
from clones.tracker.domain.slas import JOB
from clones.tracker.queries import searching
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.rules.jql import JqlError
from seeds.worlds import BuildReport


def test_every_request_has_its_clocks_and_those_that_run_a_timer(tiny: BuildReport) -> None:
    asked = set(tracker.Request.objects.values_list("issue_id", flat=True))
    cycles = tracker.SlaCycle.objects.all()
    assert asked == set(cycles.values_list("issue_id", flat=True)) != set()
    unresolved = cycles.filter(issue__resolution=None, metric__name="Time to resolution")
    assert not unresolved.exclude(stopped_at=None).exists()
    closed = cycles.exclude(issue__resolution=None)
    assert not closed.filter(stopped_at=None).exists()
    running = cycles.filter(stopped_at=None, paused_at=None, breached=False, goal__isnull=False)
    timers = Job.objects.filter(kind=JOB, state="pending")
    due = {row.payload["cycle"]: row.due for row in timers}
    assert due == dict(running.values_list("id", "breach_at"))
    assert all(moment > clock.now() for moment in due.values())


def test_parts_are_in_the_sprints_of_the_whole(tiny: BuildReport) -> None:
    sprints: dict[int, set[int]] = defaultdict(set)
    for issue, sprint in tracker.IssueSprint.objects.values_list("issue", "sprint"):
        sprints[issue].add(sprint)
    parts = tracker.Issue.objects.filter(issue_type__hierarchy_level=-1)
    pairs = list(parts.values_list("id", "parent_id"))
    assert pairs
    assert all(sprints[part] == sprints[whole or 0] for part, whole in pairs)


def test_a_board_has_one_sprint_at_a_time(tiny: BuildReport) -> None:
    """As on a site whose switch for parallel sprints is off, which it is."""
    boards = tracker.Sprint.objects.values_list("board", flat=True).distinct()
    assert boards
    for board in boards:
        rows = list(tracker.Sprint.objects.filter(board=board).order_by("id"))
        states = [row.state for row in rows]
        assert states == sorted(states, key=["closed", "active", "future"].index)
        assert states.count("active") <= 1
        for before, after in pairwise(row for row in rows if row.start_date is not None):
            assert before.complete_date is not None
            assert after.start_date is not None
            assert before.complete_date < after.start_date <= clock.now()
    running = tracker.IssueSprint.objects.exclude(sprint__state="closed")
    assert len({row.issue_id for row in running}) == running.count() > 0


def test_moved_work_is_found_by_the_key_that_it_had(tiny: BuildReport) -> None:
    admin = Account.objects.get(clone="tracker", role="admin", listed=True)
    rights = Rights(tracker.User.objects.get(id=int(admin.subject)))
    former = list(tracker.FormerIssueKey.objects.select_related("issue__project"))
    assert former
    for row in former:
        assert find_issue(rights, row.key) == row.issue
        assert not row.key.startswith(f"{row.issue.project.key}-")
        key = tracker.ChangeItem.objects.get(issue=row.issue, field="Key")
        assert (key.old_string, key.new_string) == (row.key, row.issue.key)


def test_spaces_go_out_of_use(tiny: BuildReport) -> None:
    spaces = tracker.Project.objects
    assert spaces.exclude(archived_at=None).count() == 1
    trashed = spaces.exclude(deleted_at=None).get()
    timer = Job.objects.get(kind=PURGE, state="pending")
    assert timer.payload == {"project": trashed.id}
    assert timer.due > clock.now()
    for space in spaces.filter(archived_at=None, deleted_at=None):
        assert tracker.Issue.objects.filter(project=space).exists()


def test_saved_queries_are_shared_starred_and_some_are_broken(tiny: BuildReport) -> None:
    rows = list(tracker.Filter.objects.filter(boards=None).select_related("owner"))
    broken, empty = 0, 0
    for row in rows:
        try:
            found = searching.planned_search(row.jql, searching.site_of(Rights(row.owner))).found
            empty += not found.exists()
        except JqlError:
            broken += 1
    assert 30 <= len(rows) <= 60
    assert broken == 3
    assert empty
    kinds = set(tracker.Share.objects.values_list("type", flat=True))
    assert {"loggedin", "project", "group"} <= kinds
    assert tracker.Favourite.objects.filter(kind="filter").exists()
    pages = tracker.Dashboard.objects.filter(is_system=False)
    assert pages.count() == 6
    assert all(page.gadgets.exists() for page in pages)
    boards = tracker.Board.objects.filter(project__archived_at=None, project__deleted_at=None)
    assert all(board.quick_filters.exists() for board in boards)


def test_accounts_of_each_role_are_handed_out(tiny: BuildReport) -> None:
    listed = Account.objects.filter(clone="tracker", listed=True)
    assert sorted(listed.values_list("role", flat=True)) == [
        "admin",
        "customer",
        "developer",
        "developer",
    ]
    users = tracker.User.objects.in_bulk([int(row.subject) for row in listed])
    assert all(user.active for user in users.values())
    customer = listed.get(role="customer")
    assert users[int(customer.subject)].account_type == "customer"


def test_histories_end_where_issues_stand(tiny: BuildReport) -> None:
    issues = tracker.Issue.objects.in_bulk()
    last: dict[tuple[int, str], str | None] = {}
    fields = ("status", "assignee", "priority", "resolution")
    rows = tracker.ChangeItem.objects.filter(field_id__in=fields).order_by("created", "id")
    for issue, field, new in rows.values_list("issue_id", "field_id", "new"):
        last[issue, field] = new
    users = dict(tracker.User.objects.values_list("account_id", "id"))
    assert last
    for (issue, field), new in last.items():
        held = getattr(issues[issue], f"{field}_id")
        value = users.get(str(new)) if field == "assignee" else new and int(new)
        assert held == value, (issues[issue].key, field)
    ids = list(tracker.ChangeGroup.objects.order_by("created", "id").values_list("id", flat=True))
    assert ids == sorted(ids)
