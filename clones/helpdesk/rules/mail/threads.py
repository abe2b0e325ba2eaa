"""Which ticket a mail belongs to: the signs it carries, in the order in which they are asked.

Subjects are no sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from clones.core.mail_headers import answered
from clones.helpdesk.rules.mail.tokens import split_address, ticket_of, tokens_in

By = Literal["header", "body", "address"]


@dataclass(frozen=True, slots=True)
class Match:
    """The ticket that a mail belongs to, and the sign that said so."""

    ticket_id: int
    by: By

    @property
    def by_encoded_id(self) -> bool:
        """Whether the mail names the ticket itself: who has such a mail was sent it."""
        return self.by != "header"


def match_of(
    *,
    headers: Mapping[str, str],
    recipients: Iterable[str],
    body: str,
    key: str,
    own: frozenset[str],
    ticket_of_message: Callable[[list[str]], int | None],
) -> Match | None:
    """Return the ticket of a mail: by its headers, by its body, by the address it was sent to.

    `recipients` are bare addresses, `own` those of the desk; `ticket_of_message` finds the ticket
    of the first known of some Message-IDs.
    """
    named = answered(headers)
    found = ticket_of_message(named) if named else None
    if found is not None:
        return Match(found, "header")
    for token in tokens_in(body):
        found = ticket_of(token, key)
        if found is not None:
            return Match(found, "body")
    for recipient in recipients:
        address, token_there = split_address(recipient)
        found = ticket_of(token_there, key) if token_there and address in own else None
        if found is not None:
            return Match(found, "address")
    return None
