"""Each rule over the tracker's rows is broken once, and found; the rules of all stores likewise."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db.models import F

from clones.core import clock, jobs
from clones.core.models import Account, IdSequence, Job
from clones.core.vendors import Invariant, clones
from clones.tracker import models as m
from clones.tracker.domain.slas import JOB
from clones.tracker.invariants import INVARIANTS
from clones.tracker.invariants.desk import clocks
from clones.tracker.queries.slas import clock_of
from seeds.invariants import violations
from seeds.invariants.store import sequences, times
from seeds.worlds import BuildReport

DAY = timedelta(days=1)
RULES: dict[str, Invariant] = {
    getattr(check, "__name__", ""): check for check in (*INVARIANTS, times, sequences)
}
# Breaks one row, and returns what is said of it.
Break = Callable[[], str]
BREAKS: list[tuple[str, Break]] = []


def breaks(rule: str) -> Callable[[Break], Break]:
    """Note that a function breaks a rule of that name."""

    def noted(function: Break) -> Break:
        BREAKS.append((rule, function))
        return function

    return noted


def an_issue(**wanted: Any) -> m.Issue:
    """Return the first issue of a kind that is there."""
    found = m.Issue.objects.filter(**wanted).order_by("id").first()
    assert found is not None, wanted
    return found


def write(row: Any, **columns: Any) -> None:
    """Write columns past all rules."""
    assert type(row)._default_manager.filter(pk=row.pk).update(**columns) == 1


@breaks("keys")
def a_key_of_another_number() -> str:
    issue = an_issue()
    write(issue, key="ZZZ-1")
    return f"issue ZZZ-1 is number {issue.number}"


@breaks("keys")
def a_space_that_lost_count() -> str:
    issue = an_issue()
    write(issue.project, last_number=0)
    return f"issue {issue.key} has a number after 0"


@breaks("keys")
def a_former_key_that_is_a_present_one() -> str:
    issue, former = an_issue(), m.FormerIssueKey.objects.order_by("id")[0]
    write(former, key=issue.key)
    return f"issue key {issue.key} is a former and a present one"


@breaks("kinds")
def a_type_that_its_space_does_not_offer() -> str:
    issue = an_issue()
    m.IssueTypeSchemeItem.objects.filter(
        scheme=issue.project.issue_type_scheme_id, issue_type=issue.issue_type_id
    ).delete()
    return f"issue {issue.key} is of type {issue.issue_type_id}"


@breaks("statuses")
def a_status_of_no_workflow() -> str:
    issue = an_issue()
    status = m.Status.objects.create(id=99_999, name="Lost", category="new")
    write(issue, status=status)
    return f"issue {issue.key} is in status 99999"


@breaks("resolutions")
def a_resolution_without_its_date() -> str:
    issue = an_issue(resolution__isnull=False)
    write(issue, resolution_date=None)
    return f"issue {issue.key} has resolution {issue.resolution_id}, and its date None"


@breaks("resolutions")
def a_resolution_before_the_beginning() -> str:
    issue = an_issue(resolution__isnull=False)
    write(issue, resolution_date=issue.created - DAY)
    return f"issue {issue.key} was resolved before"


@breaks("parents")
def a_part_of_nothing() -> str:
    issue = an_issue(issue_type__hierarchy_level=-1)
    write(issue, parent=None)
    return f"sub-task {issue.key} has no parent"


@breaks("parents")
def a_parent_of_the_same_level() -> str:
    issue = an_issue(issue_type__hierarchy_level=0)
    other = m.Issue.objects.filter(issue_type__hierarchy_level=0).exclude(id=issue.id)[0]
    write(issue, parent=other)
    return f"issue {issue.key} of level 0 is below {other.key} of level 0"


@breaks("parents")
def a_part_in_another_space() -> str:
    issue = an_issue(issue_type__hierarchy_level=-1)
    other = m.Issue.objects.filter(issue_type__hierarchy_level=0).exclude(project=issue.project)[0]
    write(issue, parent=other)
    return f"sub-task {issue.key} is in another space than {other.key}"


@breaks("links")
def a_link_to_itself() -> str:
    link = m.IssueLink.objects.order_by("id")[0]
    write(link, destination=link.source)
    return f"link {link.id} leads from {link.source.key} to itself"


@breaks("entries")
def a_change_after_the_last_update() -> str:
    group = m.ChangeGroup.objects.select_related("issue").latest("id")
    write(group.issue, updated=group.issue.created)
    return f"issue {group.issue.key} changed at"


@breaks("entries")
def an_item_of_another_time() -> str:
    item = m.ChangeItem.objects.order_by("id")[0]
    write(item, created=item.created + timedelta(seconds=1))
    return f"item {item.id} of the history of"


@breaks("entries")
def an_entry_of_nothing() -> str:
    group = m.ChangeGroup.objects.latest("id")
    group.items.all().delete()
    return f"entry {group.id} of the history of"


@breaks("histories")
def a_row_that_its_history_does_not_tell() -> str:
    item = m.ChangeItem.objects.filter(field_id="assignee").latest("created", "id")
    other = m.User.objects.exclude(account_id=item.new or "").order_by("id")[0]
    write(item.issue, assignee=other)
    return f"issue {item.issue.key}: its history says assignee is"


@breaks("histories")
def a_change_from_elsewhere() -> str:
    rows = m.ChangeItem.objects.filter(field_id="status").order_by("issue_id", "created", "id")
    first, item = next(pair for pair in pairwise(rows) if pair[0].issue_id == pair[1].issue_id)
    write(item, old="1")
    return f"issue {item.issue.key}: status was {first.new}, not 1"


@breaks("records")
def a_comment_older_than_its_issue() -> str:
    comment = m.Comment.objects.order_by("id")[0]
    write(comment, created=comment.issue.created - DAY)
    return f"comment {comment.id} is older than its issue"


@breaks("records")
def an_issue_updated_before_it_was_made() -> str:
    issue = an_issue()
    write(issue, updated=issue.created - DAY)
    return f"issue {issue.id} was updated before it was made"


@breaks("records")
def the_look_of_an_epic_that_is_gone() -> str:
    m.EpicLook.objects.create(id=999_999)
    return "the look of an epic is of issue 999999, which is gone"


@breaks("records")
def a_worklog_that_is_said_to_be_deleted() -> str:
    worklog = m.Worklog.objects.order_by("id")[0]
    m.DeletedWorklog.objects.create(id=worklog.id, at=worklog.created)
    return f"worklog {worklog.id} is there and deleted"


@breaks("records")
def a_property_of_what_is_gone() -> str:
    m.EntityProperty.objects.create(id=999_999, kind="comment", entity="999999", key="a", value=1)
    return "property a is of comment 999999, which is gone"


@breaks("texts")
def a_summary_that_is_not_found() -> str:
    issue = an_issue()
    write(issue, summary="Renamed past all rules")
    return f"issue {issue.key} is found by the summary"


@breaks("texts")
def words_of_a_comment_that_is_gone() -> str:
    row = m.IssueText.objects.filter(field="comment").order_by("id")[0]
    m.Comment.objects.filter(id=row.source).delete()
    return f"is found by the words of comment {row.source}, which is gone"


@breaks("spent_time")
def time_that_nobody_logged() -> str:
    worklog = m.Worklog.objects.order_by("id")[0]
    write(worklog, seconds=worklog.seconds + 60)
    return f"issue {worklog.issue.key}: {worklog.issue.time_spent} seconds are spent"


@breaks("ranks")
def two_issues_in_one_place() -> str:
    one, other = m.Issue.objects.order_by("rank", "id")[:2]
    write(other, rank=one.rank)
    return f"have one rank, {one.rank}"


@breaks("ranks")
def a_rank_that_is_none() -> str:
    issue = an_issue()
    write(issue, rank="first")
    return f"issue {issue.key} has 'first' for a rank"


@breaks("sprints")
def a_running_sprint_without_an_end() -> str:
    sprint = m.Sprint.objects.filter(state="active")[0]
    write(sprint, end_date=None)
    return f"sprint {sprint.id} is active without its two dates"


@breaks("sprints")
def a_sprint_that_ends_before_it_starts() -> str:
    sprint = m.Sprint.objects.filter(state="active")[0]
    write(sprint, end_date=F("start_date") - DAY)
    return f"sprint {sprint.id} ends before it starts"


@breaks("sprints")
def a_closed_sprint_that_was_not_completed() -> str:
    sprint = m.Sprint.objects.filter(state="closed")[0]
    write(sprint, complete_date=None)
    return f"sprint {sprint.id} is closed, completed at None"


@breaks("sprints")
def two_sprints_at_a_time() -> str:
    running = m.Sprint.objects.filter(state="active")[0]
    other = m.Sprint.objects.filter(board=running.board, state="closed").latest("id")
    write(other, state="active", complete_date=None)
    return f"board {running.board_id} has 2 active sprints"


@breaks("sprint_contents")
def an_issue_in_two_open_sprints() -> str:
    link = m.IssueSprint.objects.filter(sprint__state="active").order_by("id")[0]
    other = m.Sprint.objects.filter(state="future")[0]
    m.IssueSprint.objects.create(id=999_999, issue=link.issue, sprint=other)
    return f"issue {link.issue.key} is in 2 open sprints"


@breaks("sprint_contents")
def a_part_that_stayed_behind() -> str:
    rows = m.IssueSprint.objects.filter(issue__issue_type__hierarchy_level=-1)
    link = rows.select_related("issue").order_by("id")[0]
    link.delete()
    return f"sub-task {link.issue.key} is not in the sprints of its parent"


@breaks("board_columns")
def a_status_in_two_columns() -> str:
    place = m.BoardColumnStatus.objects.order_by("id")[0]
    other = m.BoardColumn.objects.filter(board=place.column.board).exclude(id=place.column_id)[0]
    m.BoardColumnStatus.objects.create(id=999_999, column=other, status=place.status, position=0)
    return f"board {place.column.board_id} shows status {place.status_id} in 2 columns"


@breaks("requests")
def a_request_of_another_desk() -> str:
    request = m.Request.objects.exclude(request_type=None).order_by("id")[0]
    elsewhere = m.Project.objects.filter(type="software")[0]
    assert request.request_type is not None
    m.ServiceDesk.objects.filter(id=request.request_type.desk_id).update(project=elsewhere)
    return f"request {request.issue.key} is of a type of another desk"


def a_running_clock() -> m.SlaCycle:
    """Return a clock of an SLA that runs to its goal, which nothing pauses."""
    rows = m.SlaCycle.objects.exclude(stopped_at=None).exclude(goal=None)
    cycle = rows.select_related("issue", "metric", "calendar").order_by("id")[0]
    write(cycle.metric, pause=[])
    cycle.started_at = cycle.counted_at = clock.now()
    cycle.elapsed, cycle.breached, cycle.stopped_at = 0, False, None
    cycle.breach_at = clock_of(cycle).breaks_at()
    cycle.save()
    assert cycle.breach_at is not None
    jobs.enqueue(JOB, due=cycle.breach_at, payload={"cycle": cycle.id})
    assert [line for line in clocks() if f"clock {cycle.id} " in line] == []
    return cycle


@breaks("clocks")
def a_clock_ahead_of_the_present() -> str:
    cycle = a_running_clock()
    write(cycle, counted_at=clock.now() + DAY)
    return f"clock {cycle.id} of request {cycle.issue.key} counts from"


@breaks("clocks")
def a_stopped_clock_that_rests() -> str:
    cycle = m.SlaCycle.objects.exclude(stopped_at=None).select_related("issue")[0]
    write(cycle, paused_at=cycle.stopped_at)
    return f"clock {cycle.id} of request {cycle.issue.key} stopped at"


@breaks("clocks")
def a_clock_that_rests_for_no_reason() -> str:
    cycle = a_running_clock()
    write(cycle, paused_at=cycle.counted_at, breach_at=None)
    return f"clock {cycle.id} of request {cycle.issue.key} is paused since"


@breaks("clocks")
def two_clocks_of_one_sla() -> str:
    cycle = a_running_clock()
    cycle.pk = 999_999
    cycle.save(force_insert=True)
    return f"issue {cycle.issue_id} has 2 running clocks of SLA {cycle.metric_id}"


@breaks("clocks")
def a_goal_missed_before_its_time() -> str:
    cycle = a_running_clock()
    write(cycle, breached=True)
    return f"clock {cycle.id} of request {cycle.issue.key} is missed before its time"


@breaks("clocks")
def a_goal_used_up_unnoticed() -> str:
    cycle = a_running_clock()
    write(cycle, elapsed=cycle.goal)
    return f"clock {cycle.id} of request {cycle.issue.key} is not missed"


@breaks("clocks")
def a_goal_missed_at_another_time() -> str:
    cycle = a_running_clock()
    write(cycle, breach_at=F("breach_at") + DAY)
    return f"clock {cycle.id} of request {cycle.issue.key} is missed at"


@breaks("timers")
def a_clock_without_its_timer() -> str:
    cycle = a_running_clock()
    Job.objects.filter(kind=JOB, payload={"cycle": cycle.id}).delete()
    return f"SLA clock {cycle.id} is due {cycle.breach_at}, its timer None"


@breaks("timers")
def a_clock_with_two_timers() -> str:
    cycle = a_running_clock()
    job = Job.objects.get(kind=JOB, payload={"cycle": cycle.id}, state="pending")
    job.pk, job.key = 999_999, None
    job.save(force_insert=True)
    return f"SLA clock {cycle.id} has two timers"


def an_approval(**columns: Any) -> m.Approval:
    """Return a new approval of a request, with one person asked."""
    issue = m.Request.objects.order_by("id")[0].issue
    given = {"name": "a", "status": issue.status, "needed": 1, "created": clock.now()} | columns
    row = m.Approval.objects.create(id=999_990 + m.Approval.objects.count(), issue=issue, **given)
    user = m.User.objects.order_by("id")[0]
    m.Approver.objects.create(id=row.id, approval=row, user=user)
    return row


@breaks("approvals")
def an_answer_at_no_time() -> str:
    row = an_approval()
    m.Approver.objects.filter(approval=row).update(decision="approved")
    return f"an answer to approval {row.id} is approved, given at None"


@breaks("approvals")
def a_decision_at_no_time() -> str:
    row = an_approval(decision="declined")
    return f"approval {row.id} of request {row.issue.key} is declined, completed at None"


@breaks("approvals")
def an_approval_of_a_status_that_was_left() -> str:
    issue = m.Request.objects.order_by("id")[0].issue
    other = m.Status.objects.exclude(id=issue.status_id).order_by("id")[0]
    row = an_approval(status=other)
    return f"approval {row.id} of request {row.issue.key} waits in status {other.id}"


@breaks("approvals")
def an_approval_that_waits_though_declined() -> str:
    row = an_approval()
    m.Approver.objects.filter(approval=row).update(decision="declined", decided=clock.now())
    return f"approval {row.id} of request {row.issue.key} waits, and somebody declined"


@breaks("approvals")
def a_decision_of_nobody() -> str:
    row = an_approval(decision="declined", completed=clock.now())
    return f"approval {row.id} of request {row.issue.key} is declined by nobody"


@breaks("approvals")
def an_approval_by_too_few() -> str:
    row = an_approval(decision="approved", completed=clock.now())
    return f"approval {row.id} of request {row.issue.key} is approved by 0 of 1"


@breaks("approvals")
def a_request_that_waits_twice() -> str:
    row = an_approval()
    an_approval()
    return f"issue {row.issue_id} waits for 2 approvals"


@breaks("accounts")
def an_account_of_another_address() -> str:
    account = Account.objects.filter(clone="tracker").order_by("id")[0]
    write(account, login="somebody@else.example")
    return "tracker account somebody@else.example is not what its user says"


@breaks("times")
def a_row_of_tomorrow() -> str:
    write(m.Sprint.objects.order_by("id")[0], created=clock.now() + DAY)
    return "tracker.Sprint has a row of"


@breaks("sequences")
def an_issue_beyond_its_counter() -> str:
    IdSequence.objects.filter(name="tracker.issue.serial").update(last=1)
    return "tracker.Issue: id"


def test_no_rule_is_broken_before(tiny: BuildReport) -> None:
    assert violations() == []


@pytest.mark.parametrize(("rule", "broken"), BREAKS, ids=[each.__name__ for _, each in BREAKS])
def test_a_broken_row_is_found(rule: str, broken: Break, tiny: BuildReport) -> None:
    expected = broken()
    assert [line for line in RULES[rule]() if expected in line] != []


def test_every_rule_is_broken_once() -> None:
    assert {name for name, _ in BREAKS} == set(RULES)


def test_every_clone_with_rows_of_work_says_what_must_hold() -> None:
    assert {clone.name for clone in clones() if clone.invariants} >= {"helpdesk", "tracker"}
