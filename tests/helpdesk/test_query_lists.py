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
SKILLS = {"attribute_value_ids": ["{skill}"]}


def _article(label: str) -> dict[str, Any]:
    """Return an article with a label, for everybody."""
    about = {"title": "Lens again", "body": "<p>Wipe.</p>", "locale": "en-us"}
    return {"article": {**about, "user_segment_id": None, "label_names": [label]}}


def _policy(name: str, metric: str, target: int) -> dict[str, Any]:
    """Return a policy of high priority."""
    high = [{"field": "priority", "operator": "is", "value": "high"}]
    told = {"all": high if name == "sla_policy" else [], "any": []}
    goal = {"priority": "high", "metric": metric, "target": target, "business_hours": False}
    return {name: {"title": "Second", "filter": told, "policy_metrics": [goal]}}


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
    "label_names": ["clean", "care"],
    "type[]": ["phone_number", "email"],
    "status_categories": ["new", "open", "pending"],
}


# A second record of what the scene has one of: what, where it is made, with what, its name.
SECONDS: list[tuple[str, str, Any, dict[str, str]]] = [
    (
        "sla",
        "slas/policies",
        _policy("sla_policy", "requester_wait_time", 60),
        {"second_sla": "sla_policy.id"},
    ),
    (
        "group sla",
        "group_slas/policies",
        _policy("group_sla_policy", "group_ownership_time", 3600),
        {"second_group_sla": "group_sla_policy.id"},
    ),
    (
        "record",
        "custom_objects/{object}/records",
        {"custom_object_record": {"name": "K50", "custom_object_fields": {}}},
        {"second_record": "custom_object_record.id"},
    ),
    ("skill", "routing/agents/{ana}/instance_values", SKILLS, {}),
    ("skill", "routing/agents/{ben}/instance_values", SKILLS, {}),
    (
        "shelf",
        "help_center/categories",
        {"category": {"name": "Orders"}},
        {"shelf2": "category.id"},
    ),
    (
        "section",
        "help_center/categories/{shelf2}/sections",
        {"section": {"name": "Returns"}},
        {"section2": "section.id"},
    ),
    *(
        ("article", f"help_center/sections/{{{place}}}/articles", _article(label), {})
        for place, label in (("section", "clean"), ("section2", "clean"))
    ),
    (
        "address",
        "users/{rosa}/identities",
        {"identity": {"type": "phone_number", "value": "+49301234567"}},
        {},
    ),
]
# What a list names of them, where an example of the operation has one.
BOTH = {
    "category": ("shelf2", "shelf"),
    "filter[agent_ids]": ("ben", "ana"),
    "filter[ids]": ("second_record", "record"),
    "group_sla_policy_ids": ("second_group_sla", "group_sla"),
    "section": ("section2", "section"),
    "sla_policy_ids": ("second_sla", "sla"),
}
# What an order did shows where the policies are listed.
ORDERED = {
    "ReorderGroupSLAPolicies": "group_slas/policies",
    "ReorderSLAPolicies": "slas/policies",
}


class Asking:
    """Asks the operations of a scene for lists, each time from where it was."""

    def __init__(self, desk: Desk, sandboxes: Sandboxes) -> None:
        self.scene, self.desk, self._sandboxes = Scene(desk), desk, sandboxes
        for what, path, body, names in SECONDS:
            self.scene._record(what, "POST", path, body, names)
        sandboxes.mark(desk.row.id, "set")

    def values_of(self, operation: Operation, name: str) -> list[str]:
        """Return items to ask for: those of the operation's example, and some of nothing."""
        if name in WORDS:
            return WORDS[name]
        if name in BOTH:
            return [str(self.scene.named[one]) for one in BOTH[name]]
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
        found = answer.body
        if operation.id in ORDERED:
            found = [found, self.desk.get(f"{ORDERED[operation.id]}.json", by="olga")]
        if operation.writes:
            self._sandboxes.rewind(self.desk.row.id, "set")
        return answer.status, found


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
    assert [name for name, count in telling.items() if not count] == []
    assert telling["ids"] >= 6, telling
    assert telling["include"] >= 10, telling
