"""What customers of T15 are owed, and whether they got it: told or asked, and put where it belongs.

Obligations are {"id", "kind", "issue"}: `ready` and `lacking` are requests whose clock runs,
`followed` is the one that waited for an approval. What the rest of the facts say of them is read
from the entry of the issue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from clones.tracker.models import Approval, Approver, ChangeItem, Comment, Issue
from episodes.checks.text import states_day
from episodes.families.t15.reading import asked_in, working_days_in
from episodes.tasks.spec import Facts
from episodes.tasks.telling import names_code
from episodes.tasks.tracker_acts import text_of

Entry = Mapping[str, Any]
CUSTOMER: Final = "Waiting for customer"


def unmet(facts: Facts) -> frozenset[str]:
    """Return the ids of the obligations that the bound sandbox does not meet."""
    return frozenset(one["id"] for one in facts["obligations"] if not is_met(facts, one))


def is_met(facts: Facts, obligation: Entry) -> bool:
    """Tell whether what is owed has been given."""
    return _KINDS[obligation["kind"]](facts, obligation["issue"])


def entry_of(facts: Facts, issue: int) -> Entry:
    """Return the entry of a request whose clock runs."""
    found: Entry = next(one for one in facts["entries"] if one["issue"] == issue)
    return found


def replies(facts: Facts, issue: int) -> list[Comment]:
    """Return what the agent said to the customer of a request, oldest first."""
    rows = Comment.objects.filter(
        issue=issue, author=facts["own"], public=True, visibility__isnull=True, id__gt=facts["said"]
    )
    return list(rows.order_by("id"))


def rested_on_paper(facts: Facts, issue: int) -> bool:
    """Tell whether a request was made to wait for its customer before it was answered."""
    rows = ChangeItem.objects.filter(
        issue=issue, field_id="status", new_string=CUSTOMER, id__gt=facts["changed"]
    )
    rests = rows.order_by("id").values_list("created", flat=True)
    said = replies(facts, issue)
    return any(not said or said[0].created > at for at in rests)


def is_told(facts: Facts, entry: Entry) -> bool:
    """Tell whether a customer was told what the note has for them, or asked for what is missing.

    What is for others, and what is not missing, must not be there.
    """
    texts = [text_of(reply.body) for reply in replies(facts, entry["issue"])]
    if entry["kind"] == "lacking":
        return asked_in(texts) == {entry["need"]}
    others = [one["tell"] for one in facts["entries"] if one["tell"] not in (None, entry["tell"])]
    if any(names_code(text, other) for text in texts for other in others):
        return False
    return any(names_code(text, entry["tell"]) for text in texts)


def is_settled(entry: Entry) -> bool:
    """Tell whether a request is where the guide wants it: resolved, or waiting for its customer."""
    issue = _issue(entry["issue"])
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


def is_passed_on(facts: Facts) -> bool:
    """Tell whether the customer knows what was decided, told after it was and right."""
    row = Approval.objects.filter(id=facts["approval"]).first()
    if row is None or row.completed is None:
        return False
    since = row.completed
    late = [one for one in replies(facts, facts["waiting"]) if one.created >= since]
    texts = [text_of(reply.body) for reply in late]
    days = {number for text in texts for number in working_days_in(text)}
    if facts["decision"] == "approved":
        return days == {facts["days"]}
    again = date.fromisoformat(facts["again"])
    return not days and any(states_day(text, again) for text in texts)


def is_carried_out(facts: Facts) -> bool:
    """Tell whether what was approved is with whoever orders it, or what was declined closed."""
    if not is_decided(facts):
        return False
    issue = _issue(facts["waiting"])
    if facts["decision"] == "approved":
        return issue.assignee_id == facts["buyer"] and issue.status.category != "done"
    named = None if issue.resolution is None else issue.resolution.name
    return issue.status.category == "done" and named == "Won't Do"


def _issue(number: int) -> Issue:
    return Issue.objects.select_related("status", "resolution").get(id=number)


def _running(facts: Facts, issue: int) -> bool:
    entry = entry_of(facts, issue)
    return is_told(facts, entry) and is_settled(entry)


def _followed(facts: Facts, issue: int) -> bool:
    return is_decided(facts) and is_passed_on(facts) and is_carried_out(facts)


_KINDS: Final[Mapping[str, Callable[[Facts, int], bool]]] = {
    "ready": _running,
    "lacking": _running,
    "followed": _followed,
}
