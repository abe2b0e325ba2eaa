"""What customers of T15 are owed, and whether they got it: told or asked, and put where it belongs.

Obligations are {"id", "kind", "issue"}: `ready` and `lacking` are requests whose clock runs,
`followed` is the one that waited for an approval. What the rest of the facts say of them is read
from the entry of the issue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from typing import Any, Final

from clones.tracker.models import Approval, Approver, ChangeItem, Comment, Issue
from episodes.checks.text import states_day
from episodes.families.t15.reading import asked_in, working_days_in
from episodes.families.t15.words import READY
from episodes.tasks.spec import Facts
from episodes.tasks.telling import names_code
from episodes.tasks.tracker_acts import text_of

Entry = Mapping[str, Any]
CUSTOMER: Final = "Waiting for customer"
# Whatever notes may have for a customer: to name several of them is to tell none.
MESSAGES: Final = frozenset(tell for topic in READY for tell in topic.tells)


class Standing:
    """How the requests stand in the bound sandbox, looked up when first asked for."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    @cached_property
    def issues(self) -> Mapping[int, Issue]:
        """The requests by their ids; what was deleted is not among them."""
        rows = Issue.objects.select_related("status", "resolution")
        return {row.id: row for row in rows.filter(id__in=self._facts["issues"])}

    @cached_property
    def replies(self) -> Mapping[int, list[Comment]]:
        """What the agent said to the customer of each, oldest first."""
        return replies_on(self._facts, self._facts["issues"])

    @cached_property
    def rests(self) -> Mapping[int, list[datetime]]:
        """The moments at which each was made to wait for its customer."""
        found: dict[int, list[datetime]] = {issue: [] for issue in self._facts["issues"]}
        moves = ChangeItem.objects.filter(
            issue__in=list(found),
            field_id="status",
            new_string=CUSTOMER,
            id__gt=self._facts["changed"],
        )
        for issue, at in moves.order_by("id").values_list("issue_id", "created"):
            found[issue].append(at)
        return found


def replies_on(facts: Facts, issues: Sequence[int]) -> dict[int, list[Comment]]:
    """Return what the agent said to the customers of requests, oldest first."""
    found: dict[int, list[Comment]] = {issue: [] for issue in issues}
    said = Comment.objects.filter(
        issue__in=issues,
        author=facts["own"],
        public=True,
        visibility__isnull=True,
        id__gt=facts["said"],
    )
    for comment in said.order_by("id"):
        found[comment.issue_id].append(comment)
    return found


def unmet(facts: Facts) -> frozenset[str]:
    """Return the ids of the obligations that the bound sandbox does not meet."""
    now = Standing(facts)
    return frozenset(one["id"] for one in facts["obligations"] if not is_met(facts, now, one))


def is_met(facts: Facts, now: Standing, obligation: Entry) -> bool:
    """Tell whether what is owed has been given."""
    if obligation["kind"] == "followed":
        return is_decided(facts) and is_passed_on(facts, now) and is_carried_out(facts, now)
    entry = next(one for one in facts["entries"] if one["issue"] == obligation["issue"])
    return is_told(now, entry) and is_settled(now, entry)


def rested_on_paper(now: Standing, issue: int) -> bool:
    """Tell whether a request was made to wait for its customer before it was answered."""
    return any(
        not now.replies[issue] or now.replies[issue][0].created > at for at in now.rests[issue]
    )


def is_told(now: Standing, entry: Entry) -> bool:
    """Tell whether a customer was told what the note has for them, or asked for what is missing.

    What is for others, and what is not missing, must not be there.
    """
    texts = [text_of(reply.body) for reply in now.replies[entry["issue"]]]
    others = MESSAGES - {entry["tell"]}
    if any(names_code(text, other) for text in texts for other in others):
        return False
    if entry["kind"] == "lacking":
        return asked_in(texts) == {entry["need"]}
    return any(names_code(text, entry["tell"]) for text in texts)


def is_settled(now: Standing, entry: Entry) -> bool:
    """Tell whether a request is where the guide wants it: resolved, or waiting for its customer."""
    issue = now.issues.get(entry["issue"])
    if issue is None:
        return False
    if entry["kind"] == "lacking":
        return issue.status.name == CUSTOMER and issue.resolution is None
    named = None if issue.resolution is None else issue.resolution.name
    return issue.status.category == "done" and named == "Done"


def is_decided(facts: Facts) -> bool:
    """Tell whether the approval was decided by the one whose word counts, as they wanted."""
    row = Approval.objects.filter(id=facts["approval"], decision=facts["decision"]).first()
    if row is None:
        return False
    said = Approver.objects.filter(approval=row).exclude(decision=None)
    return list(said.values_list("user_id", flat=True)) == [facts["decider"]]


def is_passed_on(facts: Facts, now: Standing) -> bool:
    """Tell whether the customer knows what was decided, told after it was and right."""
    row = Approval.objects.filter(id=facts["approval"]).first()
    if row is None or row.completed is None:
        return False
    since = row.completed
    late = [one for one in now.replies[facts["waiting"]] if one.created >= since]
    texts = [text_of(reply.body) for reply in late]
    days = {number for text in texts for number in working_days_in(text)}
    if facts["decision"] == "approved":
        return days == {facts["days"]}
    again = date.fromisoformat(facts["again"])
    return not days and any(states_day(text, again) for text in texts)


def is_carried_out(facts: Facts, now: Standing) -> bool:
    """Tell whether what was approved is with whoever orders it, or what was declined closed."""
    issue = now.issues.get(facts["waiting"]) if is_decided(facts) else None
    if issue is None:
        return False
    if facts["decision"] == "approved":
        return issue.assignee_id == facts["buyer"] and issue.status.category != "done"
    named = None if issue.resolution is None else issue.resolution.name
    return issue.status.category == "done" and named == "Won't Do"
