"""Queues: the lists in which agents work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.request_types import require_manager
from clones.tracker.domain.scheme_parts import set_positions
from clones.tracker.models import Favourite, Queue, ServiceDesk
from clones.tracker.queries import searching
from clones.tracker.queries.desks import require_agent
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.ordering import stepped

KIND: Final = "queue"
COLUMNS: Final = ("issuetype", "issuekey", "summary", "reporter", "assignee", "status", "created")


def create_queue(
    desk: ServiceDesk,
    *,
    actor: Rights,
    name: str,
    jql: str,
    columns: Sequence[str] = COLUMNS,
) -> Queue:
    """Make a queue at the end of a desk's.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the name is empty or too long.
        JqlError: the query cannot be run.
    """
    require_manager(actor, desk)
    _check(name, jql, actor=actor)
    last = desk.queues.order_by("-position").values_list("position", flat=True).first()
    return Queue.objects.create(
        id=next_id(Queue),
        desk=desk,
        name=name.strip(),
        jql=jql,
        columns=list(columns),
        position=0 if last is None else last + 1,
    )


def change_queue(
    queue: Queue,
    *,
    actor: Rights,
    name: str | None = None,
    jql: str | None = None,
    columns: Sequence[str] | None = None,
) -> Queue:
    """Change a queue; what is None stays.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the name is empty or too long.
        JqlError: the query cannot be run.
    """
    require_manager(actor, queue.desk)
    queue.name = queue.name if name is None else name.strip()
    queue.jql = queue.jql if jql is None else jql
    queue.columns = queue.columns if columns is None else list(columns)
    _check(queue.name, queue.jql, actor=actor)
    queue.save()
    return queue


def delete_queue(queue: Queue, *, actor: Rights) -> None:
    """Delete a queue; the requests in it stay.

    Raises:
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, queue.desk)
    Favourite.objects.filter(kind=KIND, entity=queue.id).delete()
    queue.delete()


def move_queue(queue: Queue, *, actor: Rights, down: bool) -> None:
    """Let a queue change places with the next one, down or up; at an end it stays.

    Raises:
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, queue.desk)
    rows = list(Queue.objects.filter(desk=queue.desk).order_by("position", "id"))
    set_positions(rows, stepped([row.id for row in rows], queue.id, down=down))


def star_queue(queue: Queue, *, actor: Rights, on: bool) -> None:
    """Put a queue among somebody's starred ones, or take it away; twice is once.

    Raises:
        Forbidden: the actor is not the desk's agent.
    """
    require_agent(actor, queue.desk)
    rows = Favourite.objects.filter(user=actor.user, kind=KIND)
    mine = rows.filter(entity=queue.id)
    if not on:
        mine.delete()
    elif actor.user is not None and not mine.exists():
        Favourite.objects.create(
            id=next_id(Favourite),
            user=actor.user,
            kind=KIND,
            entity=queue.id,
            position=rows.count(),
        )


def _check(name: str, jql: str, *, actor: Rights) -> None:
    if not name.strip() or len(name.strip()) > 255:
        raise Invalid(fields={"name": "The queue name must have between 1 and 255 characters."})
    searching.search(jql, actor)
