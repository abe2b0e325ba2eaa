"""Rules of workflows without a site: conditions, validators, post functions, what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clones.tracker.rules.workflow import (
    Assign,
    CallWebhook,
    Copy,
    FactValue,
    Passage,
    Rule,
    SetField,
    Tree,
    effects,
    failure,
    hides_from_people,
    holds,
    rule_of,
    tree_of,
)
from clones.tracker.rules.workflow.catalogue import FIELD_RULES, KINDS
from clones.tracker.rules.workflow.drafts import approval_of, approval_properties, without_approval


@dataclass
class Known:
    """An issue as rules see it, told wholly."""

    account: str | None = "me"
    groups: frozenset[str] = frozenset({"g1"})
    roles: frozenset[str] = frozenset({"10002"})
    remote: bool = True
    assignee: str | None = None
    reporter: str | None = None
    status: str = "1"
    is_subtask: bool = False
    passages: Sequence[Passage] = ()
    parent_status: str | None = None
    child_statuses: Sequence[str] = ()
    approval: str | None = None
    permissions: frozenset[str] = frozenset()
    held: Mapping[str, Sequence[FactValue]] = field(default_factory=dict)
    set_now: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()

    def may(self, permission: str) -> bool:
        """Tell whether they hold it."""
        return permission in self.permissions

    def values(self, field: str) -> Sequence[FactValue]:
        """Return the values."""
        return self.held.get(field, ())

    def changed(self, field: str) -> bool:
        """Tell whether it is set now."""
        return field in self.set_now

    def has_field(self, field: str) -> bool:
        """Tell whether it counts."""
        return field not in self.absent

    def name_of(self, field: str) -> str:
        """Return its name."""
        return field.title()

    def name_of_status(self, status: str) -> str:
        """Return its name."""
        return f"S{status}"


def rule(key: str, **parameters: str) -> Rule:
    """Return a rule of the system."""
    return Rule(f"system:{key}", parameters)


def check(comparator: str, kind: str, value: str) -> Rule:
    """Return a condition on the field `f`."""
    return rule(
        "check-field-value",
        fieldId="f",
        fieldValue=value,
        comparator=comparator,
        comparisonType=kind,
    )


TEXT = {"f": [FactValue("Done")]}
NUMBER = {"f": [FactValue("7", number=7.0)]}
DAY = {"f": [FactValue("2026-06-16", moment=date(2026, 6, 16))]}
MOMENT = {"f": [FactValue("", moment=datetime(2026, 6, 16, 12, tzinfo=UTC))]}
OPTION = {"f": [FactValue("Red", "10021"), FactValue("Blue", "10022")]}


@pytest.mark.parametrize(
    ("held", "condition", "expected"),
    [
        (TEXT, check("=", "STRING", '["done"]'), True),
        (TEXT, check("!=", "STRING", '["done"]'), False),
        (TEXT, check("=", "STRING", "Done"), True),
        ({}, check("=", "STRING", '["done"]'), False),
        ({}, check("!=", "STRING", '["done"]'), True),
        (NUMBER, check(">", "NUMBER", "[6.5]"), True),
        (NUMBER, check("<=", "NUMBER", "[6.5]"), False),
        (NUMBER, check(">", "NUMBER", '["x"]'), False),
        (DAY, check(">=", "DATE_WITHOUT_TIME", '["2026-06-16"]'), True),
        (DAY, check("<", "DATE_WITHOUT_TIME", '["2026-06-16"]'), False),
        (MOMENT, check("<", "DATE", '["2026-06-16T13:00:00+00:00"]'), True),
        (MOMENT, check("=", "DATE_WITHOUT_TIME", '["2026-06-16"]'), True),
        (OPTION, check("=", "OPTIONID", '["10022"]'), True),
        (OPTION, check("!=", "OPTIONID", '["10023"]'), True),
    ],
)
def test_fields_compare_by_their_kind(
    held: Mapping[str, Sequence[FactValue]], condition: Rule, expected: bool
) -> None:
    assert holds(Tree("ALL", (condition,)), Known(held=held)) is expected


def test_people_in_fields_are_allowed_or_denied() -> None:
    mine = {"users": [FactValue("Me", "me")], "groups": [FactValue("G", "g1")]}
    key = "restrict-issue-transition"
    allowed = rule(key, allowUserCustomFields="users", accountIds="other")
    assert holds(Tree("ALL", (allowed,)), Known(held=mine))
    assert not holds(Tree("ALL", (allowed,)), Known())
    assert holds(Tree("ALL", (rule(key, groupCustomFields="groups"),)), Known(held=mine))
    denied = rule(key, denyUserCustomFields="users", accountIds="me")
    assert not holds(Tree("ALL", (denied,)), Known(held=mine))
    assert holds(Tree("ALL", (denied,)), Known())
    assert holds(Tree("ALL", (rule(key),)), Known(account=None))
    assert not holds(Tree("ALL", (rule(key, accountIds="allow-assignee"),)), Known(account=None))


def test_requests_wait_for_approvals() -> None:
    for state, free, approved, declined in (
        (None, True, False, False),
        ("pending", False, False, False),
        ("approved", True, True, False),
        ("declined", True, False, True),
    ):
        facts = Known(approval=state)
        told = [
            holds(Tree("ALL", (rule(key),)), facts)
            for key in (
                "block-in-progress-approval",
                "jsd-approvals-block-until-approved",
                "jsd-approvals-block-until-rejected",
            )
        ]
        assert told == [free, approved, declined], state


def test_the_past_counts_with_its_options() -> None:
    past = [Passage("1", "2", "me"), Passage("2", "2", "me"), Passage("2", "3", "other")]
    facts = Known(passages=past, status="3")
    key = "previous-status-condition"
    for parameters, expected in (
        ({"previousStatusIds": "1"}, True),
        ({"previousStatusIds": "1", "mostRecentStatusOnly": "true"}, False),
        ({"previousStatusIds": "2", "mostRecentStatusOnly": "true"}, True),
        ({"previousStatusIds": "3"}, False),
        ({"previousStatusIds": "3", "includeCurrentStatus": "true"}, True),
        ({"previousStatusIds": "3", "not": "true"}, True),
    ):
        assert holds(Tree("ALL", (Rule(f"system:{key}", parameters),)), facts) is expected
    apart = rule("separation-of-duties", fromStatusId="1", toStatusId="2")
    assert not holds(Tree("ALL", (apart,)), facts)
    assert holds(Tree("ALL", (apart,)), Known(account="other", passages=past))


def test_hidden_transitions_are_seen_by_rules_alone() -> None:
    tree = Tree("ALL", (), (Tree("ANY", (rule("restrict-from-all-users", restrictMode="users"),)),))
    assert hides_from_people(tree)
    assert holds(tree, Known())
    assert not holds(tree, Known(remote=False))
    assert not hides_from_people(None)


def test_validators_say_why_they_refuse() -> None:
    key = "validate-field-value"
    needed = rule(key, ruleType="fieldRequired", fieldsRequired="a,b", ignoreContext="true")
    assert failure(needed, Known(held={"a": [FactValue("x")]})) == "Field B is required."
    assert failure(needed, Known(held={"a": [FactValue("x")]}, absent=frozenset({"b"}))) is None
    changed = rule(
        key,
        ruleType="fieldChanged",
        fieldKey="f",
        groupsExemptFromValidation="g9",
        errorMessage="!",
    )
    assert failure(changed, Known()) == "!"
    assert failure(changed, Known(set_now=frozenset({"f"}))) is None
    assert failure(changed, Known(groups=frozenset({"g9"}))) is None
    single = rule(key, ruleType="fieldHasSingleValue", fieldKey="f", excludeSubtasks="true")
    assert failure(single, Known(held=OPTION)) == "F must have a single value."
    assert failure(single, Known(held=OPTION, is_subtask=True)) is None
    near = rule(
        key,
        ruleType="windowDateComparison",
        date1FieldKey="f",
        date2FieldKey="g",
        numberOfDays="3",
    )
    far = {**DAY, "g": [FactValue("", moment=date(2026, 6, 1))]}
    assert failure(near, Known(held=far)) == "F must be within 3 days of G."
    assert (
        failure(near, Known(held={**DAY, "g": [FactValue("", moment=date(2026, 6, 14))]})) is None
    )
    assert failure(near, Known(held=DAY)) is None
    assert failure(rule("proforma-forms-attached"), Known()) is not None
    assert failure(rule("proforma-forms-submitted"), Known()) is None
    assert failure(rule("from-another-world"), Known()) is None


def test_post_functions_are_read_into_effects() -> None:
    rules = [
        rule("change-assignee", type="to-selected-user", accountId="you"),
        rule("change-assignee", type="to-unassigned"),
        rule("update-field", field="labels", value="x", mode="append"),
        rule("update-field", field="resolution", value="", mode=""),
        rule("copy-value-from-other-field", sourceFieldKey="a", targetFieldKey="b"),
        rule(
            "copy-value-from-other-field",
            sourceFieldKey="a",
            targetFieldKey="b",
            issueSource="PARENT",
        ),
        rule("trigger-webhook", webhookId="3"),
        Rule("forge:workflow-post-function", {}),
    ]
    assert list(effects(rules)) == [
        Assign("account", "you"),
        Assign("nobody", ""),
        SetField("labels", "x", append=True),
        SetField("resolution", "", append=False),
        Copy("a", "b", from_parent=False),
        Copy("a", "b", from_parent=True),
        CallWebhook("3"),
    ]


rules = st.builds(
    Rule,
    st.sampled_from(sorted(KINDS)),
    st.dictionaries(st.text(min_size=1, max_size=5), st.text(max_size=8), max_size=3),
    st.text(max_size=4),
)
trees = st.recursive(
    st.builds(Tree, st.sampled_from(["ANY", "ALL"]), st.lists(rules, max_size=3).map(tuple)),
    lambda below: st.builds(
        Tree, st.sampled_from(["ANY", "ALL"]), st.just(()), st.lists(below, max_size=3).map(tuple)
    ),
    max_leaves=8,
)


@given(trees)
def test_trees_are_stored_and_read_back_and_always_have_an_answer(tree: Tree) -> None:
    assert tree_of(tree.stored()) == tree
    assert holds(tree, Known()) in {True, False}


@given(rules)
def test_rules_are_stored_and_read_back_and_never_fail_to_answer(one: Rule) -> None:
    assert rule_of(one.stored()) == one
    for kind in FIELD_RULES:
        failure(Rule(one.key, {**one.parameters, "ruleType": kind}), Known())
    list(effects([one]))


def test_approvals_are_kept_in_properties_of_a_status() -> None:
    approval: dict[str, object] = {
        "active": "true",
        "conditionType": "number",
        "conditionValue": "1",
        "exclude": ["assignee", "reporter"],
        "fieldId": "customfield_10003",
        "transitionApproved": "111",
        "transitionRejected": "121",
    }
    kept = {"color": "red"} | approval_properties({**approval, "prePopulatedFieldId": None})
    assert kept["approval.transition.approved"] == "111"
    assert approval_of(kept) == approval
    assert without_approval(kept) == {"color": "red"}
    assert approval_of({"color": "red"}) is None
