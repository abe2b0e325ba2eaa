"""Colleagues at the tracker who approve work: asked as their team does it, they pass it on.

A reviewer waits for one issue. Once it is in the status that they approve from, assigned to them,
and somebody has said in a comment what there is to look at, they take it through their transition
some time later, say so, and hand it back. Asked without a comment, they ask for one. All of it is
a function of the rows: who else is asked does nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random
from typing import Any, Final

from clones.core import clock, jobs
from clones.core.journal import JournalRow, act
from clones.core.randomness import stream
from clones.tracker.domain.comments import add_comment
from clones.tracker.domain.fieldset import Planned, fields_of
from clones.tracker.domain.issues.editing import edit_issue
from clones.tracker.domain.transitions import find_move, move
from clones.tracker.models import ChangeItem, Comment, Issue, User
from clones.tracker.queries.rights import Rights
from seeds.people.delays import reply_delay
from seeds.people.models import Person, PersonState
from seeds.people.persona import Knowledge, Persona
from seeds.people.state import ThreadState
from seeds.people.store import add_person, new_state, persona_of

JOB: Final = "people.review"
THREAD: Final = "tracker.issue:"
MEDIANS: Final = (timedelta(minutes=40), timedelta(hours=2), timedelta(hours=5))
ASKING: Final = (
    "What should I look at here? A line about what was done, please.",
    "Can you say in a comment what is in it? Then I will go through it.",
)
PASSING: Final = (
    "Went through it, approved.",
    "Looks right to me. Approved.",
    "Approved, back to you.",
)
WITH: Final = ("project", "issue_type", "status", "assignee")


def cast_reviewer(
    user: User, issue: Issue, *, status: int, transition: int, chance: Random
) -> Person:
    """Make a colleague the one who approves an issue.

    `status` is where they approve it from, `transition` the number of the one that they take.
    """
    persona = Persona(
        kind="colleague",
        reply_median=chance.choice(MEDIANS),
        tone=chance.choice(("plain", "terse", "warm")),
        zone=user.time_zone,
    )
    person = add_person(persona, name=user.display_name, email=user.email, helpdesk_user=None)
    row = new_state(person, f"{THREAD}{issue.id}", ThreadState(wrote_at=clock.now()), Knowledge())
    plan = {"user": user.id, "status": status, "transition": transition}
    row.knowledge = {**row.knowledge, "review": plan}
    row.save(update_fields=["knowledge"])
    return person


def notice(rows: Sequence[JournalRow]) -> None:
    """Let reviewers see the issues that were changed or spoken on."""
    threads = {f"{THREAD}{_issue_of(row)}": row.act for row in rows if row.operation != "delete"}
    waiting = PersonState.objects.select_related("person").filter(thread__in=sorted(threads))
    for state in waiting.order_by("id"):
        plan = state.knowledge.get("review")
        if plan is None or not _is_asked(_issue(state), plan):
            continue
        key = f"{JOB}:{state.id}"
        persona = persona_of(state.person)
        rng = stream(f"person:{state.person_id}")
        due = clock.now() + reply_delay(clock.now(), persona.reply_median, persona.zone, rng)
        jobs.cancel(key)
        jobs.enqueue(
            JOB, due=due, payload={"state": state.id}, key=key, cause=threads[state.thread]
        )


def _issue_of(row: JournalRow) -> Any:
    if row.table.name == "tracker_issue":
        return row.key
    return Comment.objects.filter(id=row.key).values_list("issue_id", flat=True).first()


def _issue(state: PersonState) -> Issue | None:
    number = state.thread.removeprefix(THREAD)
    return Issue.objects.select_related(*WITH).filter(id=int(number)).first()


def _is_asked(issue: Issue | None, plan: Mapping[str, Any]) -> bool:
    return (
        issue is not None
        and issue.status_id == plan["status"]
        and issue.assignee_id == plan["user"]
    )


@jobs.handles(JOB)
def review(payload: dict[str, Any]) -> None:
    """Look at an issue that one was given: approve it, or ask what there is to look at."""
    state = PersonState.objects.select_related("person").filter(id=payload["state"]).first()
    issue = None if state is None else _issue(state)
    if state is None or issue is None or not _is_asked(issue, state.knowledge["review"]):
        return
    plan = state.knowledge["review"]
    user = User.objects.get(id=plan["user"])
    rights, rng = Rights(user), stream(f"person:{state.person_id}")
    said = Comment.objects.filter(issue=issue, created__gte=state.wrote_at)
    with act(actor=f"person:{state.person_id}", label="review"):
        if not said.exclude(author=user).exists():
            if not said.filter(author=user).exists():
                _say(issue, rights, rng.choice(ASKING))
            return
        move(issue, plan["transition"], actor=rights, found=_way(issue, plan, rights))
        _say(issue, rights, rng.choice(PASSING))
        sender = _sender(issue, plan)
        if sender is not None:
            back = Planned(fields_of(issue.project, issue.issue_type), {"assignee": sender})
            edit_issue(issue, back, actor=rights, trusted=True)


def _way(issue: Issue, plan: Mapping[str, Any], rights: Rights) -> Any:
    return find_move(issue, plan["transition"], actor=rights)


def _say(issue: Issue, rights: Rights, text: str) -> None:
    content = [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]
    add_comment(issue, {"version": 1, "type": "doc", "content": content}, actor=rights)


def _sender(issue: Issue, plan: Mapping[str, Any]) -> User | None:
    """Return who brought the issue to where it is approved from."""
    rows = ChangeItem.objects.filter(issue=issue, field_id="status", new=str(plan["status"]))
    found = rows.select_related("group__author").order_by("-id").first()
    return None if found is None else found.group.author
