"""The kinds of rules that transitions can have: keys, parameters, where they may stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Family = Literal["Condition", "Validator", "Function", "Screen"]
BOOLEAN: Final = ("true", "false")
COMPARATORS: Final = (">", ">=", "=", "<=", "<", "!=")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a rule; `values` are those allowed, () any."""

    required: bool = False
    values: tuple[str, ...] = ()


ANY: Final = Parameter()
NEEDED: Final = Parameter(required=True)
FLAG: Final = Parameter(values=BOOLEAN)


@dataclass(frozen=True, slots=True)
class RuleKind:
    """A kind of rules. `scopes` are GLOBAL (company-managed) and PROJECT (team-managed)."""

    key: str
    family: Family
    name: str
    about: str
    parameters: Mapping[str, Parameter]
    initial: bool = False
    scopes: tuple[str, ...] = ("GLOBAL", "PROJECT")
    rivals: tuple[str, ...] = ()


# What each `ruleType` of a rule on the value of a field takes.
FIELD_RULES: Final[Mapping[str, Mapping[str, Parameter]]] = {
    "fieldRequired": {"fieldsRequired": NEEDED, "ignoreContext": FLAG, "errorMessage": ANY},
    "fieldChanged": {"groupsExemptFromValidation": ANY, "fieldKey": NEEDED, "errorMessage": ANY},
    "fieldHasSingleValue": {"fieldKey": NEEDED, "excludeSubtasks": FLAG},
    "fieldMatchesRegularExpression": {"regexp": NEEDED, "fieldKey": NEEDED},
    "dateFieldComparison": {
        "date1FieldKey": NEEDED,
        "date2FieldKey": NEEDED,
        "includeTime": FLAG,
        "conditionSelected": Parameter(required=True, values=COMPARATORS),
    },
    "windowDateComparison": {
        "date1FieldKey": NEEDED,
        "date2FieldKey": NEEDED,
        "numberOfDays": NEEDED,
    },
}

_APPROVALS: Final = {"approvalConfigurationJson": NEEDED}
KINDS: Final[Mapping[str, RuleKind]] = {
    kind.key: kind
    for kind in (
        RuleKind(
            "system:restrict-issue-transition",
            "Condition",
            "Restrict who can move an issue",
            "Lets only some people, roles, groups or holders of permissions move an issue.",
            dict.fromkeys(
                (
                    "accountIds",
                    "roleIds",
                    "groupIds",
                    "permissionKeys",
                    "groupCustomFields",
                    "allowUserCustomFields",
                    "denyUserCustomFields",
                ),
                ANY,
            ),
        ),
        RuleKind(
            "system:restrict-from-all-users",
            "Condition",
            "Hide from people",
            "Leaves a transition to automation and to the API, or to nobody.",
            {"restrictMode": Parameter(required=True, values=("users", "usersAndAPI"))},
        ),
        RuleKind(
            "system:check-field-value",
            "Condition",
            "Restrict by the value of a field",
            "Lets an issue move only while a field compares with a value.",
            {
                "fieldId": NEEDED,
                "fieldValue": NEEDED,
                "comparator": Parameter(required=True, values=COMPARATORS),
                "comparisonType": Parameter(
                    required=True,
                    values=("STRING", "NUMBER", "DATE", "DATE_WITHOUT_TIME", "OPTIONID"),
                ),
            },
        ),
        RuleKind(
            "system:previous-status-condition",
            "Condition",
            "Restrict by where an issue was",
            "Lets an issue move only if it was, or was not, in a status before.",
            {
                "previousStatusIds": NEEDED,
                "not": FLAG,
                "mostRecentStatusOnly": FLAG,
                "includeCurrentStatus": FLAG,
                "ignoreLoopTransitions": FLAG,
            },
        ),
        RuleKind(
            "system:parent-or-child-blocking-condition",
            "Condition",
            "Restrict by the statuses of sub-tasks",
            "Lets an issue move only while all of its sub-tasks are in some statuses.",
            {"blocker": Parameter(required=True, values=("CHILD",)), "statusIds": NEEDED},
        ),
        RuleKind(
            "system:separation-of-duties",
            "Condition",
            "Restrict by who moved it before",
            "Keeps whoever took an earlier step from taking this one.",
            {"fromStatusId": ANY, "toStatusId": ANY},
        ),
        RuleKind(
            "system:block-in-progress-approval",
            "Condition",
            "Wait for an approval",
            "Keeps a request where it is while somebody has still to approve it.",
            {},
            scopes=("GLOBAL",),
        ),
        RuleKind(
            "system:jsd-approvals-block-until-approved",
            "Condition",
            "Wait until it is approved",
            "Lets a request move only after it was approved.",
            _APPROVALS,
            scopes=("PROJECT",),
        ),
        RuleKind(
            "system:jsd-approvals-block-until-rejected",
            "Condition",
            "Wait until it is declined",
            "Lets a request move only after it was declined.",
            _APPROVALS,
            scopes=("PROJECT",),
        ),
        RuleKind(
            "system:check-permission-validator",
            "Validator",
            "Check a permission",
            "Refuses a transition to those who have not got a permission.",
            {"permissionKey": NEEDED},
            initial=True,
        ),
        RuleKind(
            "system:parent-or-child-blocking-validator",
            "Validator",
            "Check the parent's status",
            "Refuses to move a sub-task unless its parent is in one of some statuses.",
            {"blocker": Parameter(required=True, values=("PARENT",)), "statusIds": NEEDED},
            initial=True,
        ),
        RuleKind(
            "system:previous-status-validator",
            "Validator",
            "Check where an issue was",
            "Refuses a transition unless the issue was in a status before.",
            {"previousStatusIds": NEEDED, "mostRecentStatusOnly": FLAG},
        ),
        RuleKind(
            "system:validate-field-value",
            "Validator",
            "Check a field",
            "Refuses a transition unless a field is filled, changed, or compares as it must.",
            {"ruleType": Parameter(required=True, values=tuple(FIELD_RULES))},
            initial=True,
        ),
        RuleKind(
            "system:proforma-forms-attached",
            "Validator",
            "Check that a form is attached",
            "Refuses a transition while no form is attached to the issue.",
            {},
        ),
        RuleKind(
            "system:proforma-forms-submitted",
            "Validator",
            "Check that forms are submitted",
            "Refuses a transition while a form of the issue is not submitted.",
            {},
        ),
        RuleKind(
            "system:change-assignee",
            "Function",
            "Assign an issue",
            "Gives the issue an assignee after the transition.",
            {
                "type": Parameter(
                    required=True,
                    values=(
                        "to-selected-user",
                        "to-unassigned",
                        "to-current-user",
                        "to-default-user",
                        "to-lead",
                        "to-reporter",
                    ),
                ),
                "accountId": ANY,
            },
            initial=True,
        ),
        RuleKind(
            "system:update-field",
            "Function",
            "Update a field",
            "Gives a field a value after the transition, or adds to what it has.",
            {
                "field": NEEDED,
                "value": ANY,
                "mode": Parameter(values=("", "append", "replace")),
            },
            initial=True,
        ),
        RuleKind(
            "system:copy-value-from-other-field",
            "Function",
            "Copy a field",
            "Gives a field the value of another, of the issue or of its parent.",
            {
                "sourceFieldKey": NEEDED,
                "targetFieldKey": NEEDED,
                "issueSource": Parameter(values=("", "SAME", "PARENT")),
            },
            initial=True,
        ),
        RuleKind(
            "system:trigger-webhook",
            "Function",
            "Call a webhook",
            "Calls one of the site's webhooks after the transition.",
            {"webhookId": NEEDED},
            initial=True,
        ),
        RuleKind(
            "system:transition-screen",
            "Screen",
            "Show a screen",
            "Shows people a screen, and lets them set its fields on the way.",
            {"screenId": NEEDED},
            scopes=("GLOBAL",),
            rivals=("system:remind-people-to-update-fields",),
        ),
        RuleKind(
            "system:remind-people-to-update-fields",
            "Screen",
            "Remind people of fields",
            "Asks people for some fields when they move an issue on.",
            {
                "remindingFieldIds": NEEDED,
                "remindingMessage": ANY,
                "remindingAlwaysAsk": FLAG,
            },
            scopes=("PROJECT",),
            rivals=("system:transition-screen",),
        ),
    )
}

TRIGGERS: Final = "system:development-triggers"
_TRIGGER: Final = "com.atlassian.jira.plugins.jira-development-integration-plugin:"
# Events of connected code hosts: what they are called, and what they say.
TRIGGER_TYPES: Final = {
    f"{_TRIGGER}{name}-trigger": (label, about)
    for name, (label, about) in {
        "branch-created": ("Branch created", "A branch for the issue was made."),
        "commit-created": ("Commit created", "A commit named the issue."),
        "pull-request-created": ("Pull request created", "A pull request for it was opened."),
        "pull-request-merged": ("Pull request merged", "A pull request for it was merged."),
        "pull-request-declined": ("Pull request declined", "A pull request was declined."),
        "pull-request-reopened": ("Pull request reopened", "A pull request was opened again."),
        "review-started": ("Review started", "A review of its changes began."),
        "review-closed": ("Review closed", "A review of its changes ended."),
    }.items()
}
