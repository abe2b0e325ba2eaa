"""People whose approval a request of a service desk waits for: they decide once they are called.

An approver waits for one request. Who stands under its approvers from the start has forgotten it
until a reply on the request calls it to mind; who is put there later knows of it by that. Some time
after they say what they decide, and decide. Notes that they cannot see call nothing to mind, and
nobody is asked by what is done in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from clones.core import clock, jobs
from clones.core.journal import JournalRow, act
from clones.core.models import Job
from clones.core.randomness import stream
from clones.tracker.domain.approvals import DECISIONS, answer_approval
from clones.tracker.domain.comments import add_comment
from clones.tracker.models import Approval, Approver, Comment, Issue, User
from clones.tracker.queries.rights import Rights
from seeds.people.delays import reply_delay
from seeds.people.models import Person, PersonState
from seeds.people.persona import Knowledge, Persona
from seeds.people.reviewers import MEDIANS, THREAD
from seeds.people.state import ThreadState
from seeds.people.store import add_person, new_state, persona_of

JOB: Final = "people.decide"
PLAN: Final = "approval"
VERBS: Final = {said: verb for verb, said in DECISIONS.items()}


def cast_approver(user: User, issue: Issue, *, decision: str, says: str, chance: Random) -> Person:
    """Make a colleague the one who decides on a request.

    `decision` is approved or declined, `says` what they write with it. Whether it has to be called
    to mind follows from whether they are asked already.
    """
    persona = Persona(
        kind="colleague",
        reply_median=chance.choice(MEDIANS),
        tone=chance.choice(("plain", "terse", "warm")),
        zone=user.time_zone,
    )
    person = add_person(persona, name=user.display_name, email=user.email, helpdesk_user=None)
    row = new_state(person, f"{THREAD}{issue.id}", ThreadState(wrote_at=clock.now()), Knowledge())
    asked = _pending(issue.id, user.id) is not None
    plan = {"user": user.id, "decision": decision, "says": says, "forgot": asked}
    row.knowledge = {**row.knowledge, PLAN: plan}
    row.save(update_fields=["knowledge"])
    return person


def notice(rows: Sequence[JournalRow]) -> None:
    """Let approvers see requests that were spoken on, or on which they are asked."""
    found = {issue: row.act for row in rows if (issue := _issue_of(row)) is not None}
    threads = {f"{THREAD}{issue}": cause for issue, cause in found.items()}
    waiting = PersonState.objects.select_related("person").filter(thread__in=sorted(threads))
    for state in waiting.order_by("id"):
        plan, key = state.knowledge.get(PLAN), f"{JOB}:{state.id}"
        if plan is None or not _is_called(state, plan):
            continue
        if Job.objects.filter(key=key, state="pending").exists():
            continue
        persona, rng = persona_of(state.person), stream(f"person:{state.person_id}")
        due = clock.now() + reply_delay(clock.now(), persona.reply_median, persona.zone, rng)
        jobs.enqueue(
            JOB, due=due, payload={"state": state.id}, key=key, cause=threads[state.thread]
        )


def after(first: Callable[[Sequence[JournalRow]], None]) -> Callable[[Sequence[JournalRow]], None]:
    """Return what lets others notice some rows first, and then approvers."""

    def both(rows: Sequence[JournalRow]) -> None:
        first(rows)
        notice(rows)

    return both


def _issue_of(row: JournalRow) -> int | None:
    if row.operation == "delete":
        return None
    if row.table.name == "tracker_approver":
        rows = Approver.objects.filter(id=row.key)
        return rows.values_list("approval__issue_id", flat=True).first()
    return Comment.objects.filter(id=row.key).values_list("issue_id", flat=True).first()


def _pending(issue: int, user: int) -> Approval | None:
    """Return the approval of a request that waits for somebody, None if none does."""
    rows = Approval.objects.filter(
        issue=issue, decision=None, approvers__user=user, approvers__decision=None
    )
    return rows.select_related("issue__project", "issue__status").order_by("id").first()


def _is_called(state: PersonState, plan: Mapping[str, Any]) -> bool:
    issue = int(state.thread.removeprefix(THREAD))
    if _pending(issue, plan["user"]) is None:
        return False
    said = Comment.objects.filter(issue=issue, public=True, created__gte=state.wrote_at)
    return not plan["forgot"] or said.exclude(author=plan["user"]).exists()


@jobs.handles(JOB)
def decide(payload: dict[str, Any]) -> None:
    """Say what one decides on a request, and decide."""
    state = PersonState.objects.select_related("person").filter(id=payload["state"]).first()
    if state is None:
        return
    plan = state.knowledge[PLAN]
    approval = _pending(int(state.thread.removeprefix(THREAD)), plan["user"])
    if approval is None or not _is_called(state, plan):
        return
    rights = Rights(User.objects.get(id=plan["user"]))
    content = [{"type": "paragraph", "content": [{"type": "text", "text": plan["says"]}]}]
    with act(actor=f"person:{state.person_id}", label="approval"):
        said = {"version": 1, "type": "doc", "content": content}
        add_comment(approval.issue, said, actor=rights, permitted=True)
        answer_approval(approval, VERBS[plan["decision"]], actor=rights)
