"""How things stand in X02, read from the rows: which bug is the ticket's, what it tells, the links.

Rows count as the agent's if the agent made them since the instance was arranged.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from clones.helpdesk.models import Comment as Said
from clones.helpdesk.models import Ticket
from clones.tracker.models import Comment, Issue, IssueComponent, RemoteLink
from episodes.families.x02.stating import leads_to, states, states_any, working_days
from episodes.tasks.tracker_acts import text_of

Facts = Mapping[str, Any]
ON_HOLD: Final = "hold"


def made_issues(facts: Facts) -> list[Issue]:
    """Return the issues that the agent made, in every space, oldest first."""
    rows = Issue.objects.filter(creator=facts["agent"], created__gte=_since(facts))
    return list(rows.select_related("status", "issue_type", "priority").order_by("id"))


def _since(facts: Facts) -> datetime:
    return datetime.fromisoformat(facts["since"])


def comments_on(facts: Facts, issue: int) -> list[str]:
    """Return what the agent said on an issue, for everybody to read."""
    rows = Comment.objects.filter(
        issue=issue, author=facts["agent"], created__gte=_since(facts), visibility__isnull=True
    )
    return [text_of(body) for body in rows.order_by("id").values_list("body", flat=True)]


def the_bug(facts: Facts) -> Issue | None:
    """Return the one bug that the fault has now, None if there is none, or one more besides.

    A bug that was joined is it once the agent named the code there.
    """
    made = made_issues(facts)
    if facts["joined"] is not None:
        said = comments_on(facts, facts["joined"])
        named = any(states(text, facts["code"]) for text in said)
        return Issue.objects.get(id=facts["joined"]) if named and not made else None
    if len(made) != 1:
        return None
    bug = made[0]
    fits = (
        bug.project_id == facts["space_id"]
        and bug.issue_type.name == "Bug"
        and bug.status.category != "done"
        and bug.archived_at is None
    )
    return bug if fits else None


def told_in(facts: Facts, bug: Issue) -> str:
    """Return all that the agent told of the fault in a bug."""
    said = comments_on(facts, bug.id)
    if facts["joined"] is None:
        said = [text_of(bug.description), *said]
    return "\n\n".join(said)


def share_told(facts: Facts) -> float:
    """Return which share of what a bug has to tell it tells; 0 with a version that is not it.

    What was taken back is such a version. What was fixed before was fixed in the first one.
    """
    bug = the_bug(facts)
    if bug is None:
        return 0.0
    text = told_in(facts, bug)
    if states_any(text, facts["other_versions"]):
        return 0.0
    named = [states(text, value) for value in facts["told"].values()]
    return sum(named) / len(named)


def share_filed(facts: Facts) -> float:
    """Return how much of a new bug's filing is right: component, priority, code in the summary."""
    bug = the_bug(facts)
    if bug is None:
        return 0.0
    rows = IssueComponent.objects.filter(issue=bug).order_by("component_id")
    right: tuple[bool, ...] = (
        list(rows.values_list("component_id", flat=True)) == [facts["component"]],
        bug.priority is not None and bug.priority.name == facts["priority"],
        bug.summary.strip().startswith(str(facts["code"])),
    )
    return sum(right) / len(right)


def leads_to_ticket(facts: Facts) -> bool:
    """Tell whether the bug has a web link to the ticket."""
    bug = the_bug(facts)
    if bug is None:
        return False
    rows = RemoteLink.objects.filter(issue=bug).order_by("id").values_list("object", flat=True)
    return any(leads_to(str(target.get("url", "")), facts["ticket"]) for target in rows)


def _said(facts: Facts, *, public: bool) -> list[str]:
    rows = Said.objects.filter(
        ticket=facts["ticket"],
        author=facts["desk_agent"],
        public=public,
        created_at__gte=_since(facts),
    )
    return list(rows.order_by("id").values_list("body", flat=True))


def leads_to_bug(facts: Facts) -> bool:
    """Tell whether an internal note on the ticket names the bug's key."""
    bug = the_bug(facts)
    return bug is not None and any(states(text, bug.key) for text in _said(facts, public=False))


def is_answered(facts: Facts) -> bool:
    """Tell whether the replies give the working days of the note, and the version that is planned.

    No other number of working days, and no other version to come, may be given in any of them.
    """
    text = "\n\n".join(_said(facts, public=True))
    days, version = working_days(text), facts["version"]
    named = version is None or states(text, version)
    return days == {facts["days"]} and named and not states_any(text, facts["unplanned"])


def is_on_hold(facts: Facts) -> bool:
    """Tell whether the ticket waits, on hold."""
    ticket = Ticket.objects.get(id=facts["ticket"])
    return ticket.status == ON_HOLD and ticket.deleted_at is None


def is_raised(facts: Facts) -> bool:
    """Tell whether the fault is with engineering, linked both ways, and the ticket waits for it."""
    return (
        share_told(facts) == 1.0
        and leads_to_ticket(facts)
        and leads_to_bug(facts)
        and is_on_hold(facts)
    )


def unmet_obligations(facts: Facts) -> frozenset[str]:
    """Return the ids of the obligations that the bound sandbox does not meet."""
    if is_raised(facts):
        return frozenset()
    return frozenset(one["id"] for one in facts["obligations"])
