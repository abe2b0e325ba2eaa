"""Mail that arrives at a clone: a job for each message, and what all clones read of it alike.

What becomes of a message is the vendor's rule, and lies with the clone: its `take` decides, by
`automail` (if anybody wrote it), `mail_headers` (what it answers), `quoting` (what in it is new).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import Q

from clones.core import jobs, post
from clones.core.addresses import addresses_in
from clones.core.journal import act
from clones.core.models import Message

LONGEST_LABEL = 200

Take = Callable[[Message], str | None]


def register_receiver(clone: str, *, takes: Callable[[str], bool], take: Take) -> None:
    """Let a clone take mail at the addresses that `takes` is true of. Called at start.

    `take` makes a message what it is for the clone. It returns the name of the record that the
    message is about from then on, None if that stays as it is.
    """
    kind = f"{clone}.mail_arrival"

    @jobs.handles(kind)
    def arrive(payload: dict[str, Any]) -> None:
        message = Message.objects.filter(id=payload["message"]).first()
        if message is None:
            return
        with act(actor=f"{clone}.mail", label=f"mail from {message.sender}"[:LONGEST_LABEL]):
            about = take(message)
            if about is not None:
                message.about = about
                message.save(update_fields=("about",))

    post.receive_at(clone, takes=takes, job=kind)


def addressees(message: Message) -> list[str]:
    """Return the bare addresses of all whom a message names as its recipients, in their order."""
    return addresses_in([*message.recipients, *message.cc])


def files_of(message: Message) -> tuple[post.File, ...]:
    """Return the files that came with a message."""
    return tuple(
        post.File(file["name"], file["content_type"], post.file_data(file), file["cid"])
        for file in message.files
    )


def known_messages(names: Sequence[str], *kinds: str) -> dict[str, str]:
    """Return what messages of some Message-IDs are about, in the order in which they were sent.

    `kinds` are the beginnings of the records' names that count, as `desk.ticket:`.
    """
    if not names:
        return {}
    of_kinds = Q()
    for kind in kinds:
        of_kinds |= Q(about__startswith=kind)
    rows = Message.objects.filter(of_kinds, message_id__in=names).order_by("id")
    found: dict[str, str] = {}
    for name, about in rows.values_list("message_id", "about"):
        found.pop(name, None)  # it came before: what was sent again counts as sent last
        found[name] = str(about)
    return found
