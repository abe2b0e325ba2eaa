"""Print threads of a world for reading: `python -m seeds.read --size small --seed 1 --count 30`."""

from __future__ import annotations

import argparse
import sys
from textwrap import indent

from seeds.temporary import temporary_world


def main() -> None:
    """Build a world and print some of its threads."""
    parser = argparse.ArgumentParser(description="Print threads of a freshly built world.")
    parser.add_argument("--world", default="kestrel")
    parser.add_argument("--size", default="small")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--ticket", type=int, nargs="*", help="these tickets instead of drawn ones")
    options = parser.parse_args()
    with temporary_world(options.world, options.size, options.seed):
        from clones.core.randomness import seeded
        from clones.helpdesk.models import Ticket

        numbers = list(Ticket.objects.order_by("id").values_list("id", flat=True))
        chance = seeded(f"read|{options.seed}")
        drawn = sorted(chance.sample(numbers, min(options.count, len(numbers))))
        wanted = options.ticket or drawn
        for number in wanted:
            sys.stdout.write(thread(number))


def thread(number: int) -> str:
    """Return a ticket as text: its properties, then each comment."""
    from clones.helpdesk.models import Comment, Ticket

    ticket = Ticket.objects.select_related("requester", "assignee", "group", "organization").get(
        id=number
    )
    owner = ticket.assignee.name if ticket.assignee else "nobody"
    firm = ticket.organization.name if ticket.organization else "no organization"
    group = ticket.group.name if ticket.group else "-"
    facts = (ticket.status, ticket.priority or "-", ticket.type or "-", group, owner)
    lines = [
        "=" * 100,
        f"#{ticket.id}  {ticket.subject}",
        " · ".join(facts),
        f"{ticket.via.get('channel')} · {ticket.satisfaction_score} · {', '.join(ticket.tags)}",
        f"{ticket.requester.name} <{ticket.requester.email}> · {firm}",
        f"{ticket.created_at:%a %Y-%m-%d %H:%M}",
    ]
    for comment in (
        Comment.objects.filter(ticket=ticket).select_related("author").order_by("created_at", "id")
    ):
        kind = "" if comment.public else " (internal)"
        lines.append(f"--- {comment.author.name}{kind}, {comment.created_at:%a %d %b %H:%M}")
        lines.append(indent(comment.body, "    "))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
