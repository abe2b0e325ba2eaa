"""Lists in queries: each operation answers the same however a list is spelled.

`tests.lists_of_queries` has the spellings. What writes is asked each time from the same state.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from clones.core.operations import Operation
from clones.helpdesk.api.entry import operations
from snapshots.sandboxes import Sandboxes
from tests import odd_calls
from tests.helpdesk.conftest import Desk
from tests.helpdesk.examples import Scene
from tests.lists_of_queries import differences, lists_of, without_queries

PARTS = 2
WORDS = {
    "external_ids": ["a-1", "b-2", "c-3"],
    "filter[created_at]": ["2026-06-01T00:00:00Z", "2026-06-30T00:00:00Z"],
    "filter[external_ids]": ["k-1", "k-2", "k-3"],
    "identifiers": ["hello", "none", "other"],
    "include": (
        "users groups organizations comment_events last_audits metric_sets comment_count slas"
        " attribute_values side_conversations events identities abilities roles tickets"
    ).split(),
    "role[]": ["agent", "admin", "end-user"],
    "status": ["new", "open", "pending", "solved"],
    "status_categories": ["new", "open", "pending"],
}


class Asking:
    """Asks the operations of a scene for lists, each time from where it was."""

    def __init__(self, desk: Desk, sandboxes: Sandboxes) -> None:
        self.scene, self.desk, self._sandboxes = Scene(desk), desk, sandboxes
        sandboxes.mark(desk.row.id, "set")

    def values_of(self, operation: Operation, name: str) -> list[str]:
        """Return items to ask for: those of the operation's example, and some of nothing."""
        if name in WORDS:
            return WORDS[name]
        query = self.scene.example(operation).query
        given = dict(part.partition("=")[::2] for part in query.split("&")).get(name)
        first = [given] if given else []
        return [*first, "77", "78"]

    def ask(self, operation: Operation, name: str, query: str) -> tuple[int, Any]:
        """Ask an operation with a list in its query."""
        example = self.scene.example(operation)
        kept = [one for one in example.query.split("&") if one and one.partition("=")[0] != name]
        if name == "external_ids":  # either these or ids
            kept = []
        body = odd_calls.sent(example.body)
        answer = self.scene.call(
            operation, example.path, "&".join([*kept, query]), body, by=example.by
        )
        if operation.writes:
            self._sandboxes.rewind(self.desk.row.id, "set")
        return answer.status, answer.body


@pytest.mark.parametrize("part", range(PARTS))
def test_a_list_is_answered_the_same_in_all_spellings(
    desk: Desk, sandboxes: Sandboxes, part: int
) -> None:
    asking, wrong, counted = Asking(desk, sandboxes), list[str](), 0
    telling = Counter[str]()
    every = [one for one in operations().all.values() if lists_of(one)]
    for operation in every[part::PARTS]:

        def values(name: str, operation: Operation = operation) -> list[str]:
            return asking.values_of(operation, name)

        def ask(name: str, query: str, operation: Operation = operation) -> tuple[int, Any]:
            return asking.ask(operation, name, query)

        wrong.extend(differences(operation, values, ask))
        for name, spell in lists_of(operation).items():
            counted += 1
            whole, last = (next(spell(name, some))[1] for some in (values(name), values(name)[-1:]))
            telling[name] += without_queries(list(ask(name, whole))) != without_queries(
                list(ask(name, last))
            )
    assert wrong == []
    assert counted > 40
    # Where an answer does not tell what its list said, nothing was tried above.
    assert telling["ids"] >= 6, telling
    assert telling["include"] >= 10, telling
