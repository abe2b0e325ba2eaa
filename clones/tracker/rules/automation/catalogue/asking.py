"""Conditions and branches: whether a rule goes on, and for which issues."""

from __future__ import annotations

from typing import Final

from clones.tracker.rules.automation.catalogue.kinds import ComponentKind, Input

COMPARISONS: Final = (
    ("EQUALS", "equals"),
    ("NOT_EQUALS", "does not equal"),
    ("ONE_OF", "is one of"),
    ("NOT_ONE_OF", "is not one of"),
    ("CONTAINS", "contains"),
    ("NOT_CONTAINS", "does not contain"),
    ("CONTAINS_ANY", "contains any of"),
    ("CONTAINS_ALL", "contains all of"),
    ("CONTAINS_NONE", "contains none of"),
    ("GREATER_THAN", "greater than"),
    ("LESS_THAN", "less than"),
    ("EMPTY", "is empty"),
    ("NOT_EMPTY", "is not empty"),
)
OPERATORS: Final = (
    ("EQUALS", "equals"),
    ("NOT_EQUALS", "does not equal"),
    ("STARTS_WITH", "starts with"),
    ("ENDS_WITH", "ends with"),
    ("CONTAINS", "contains"),
    ("NOT_CONTAINS", "does not contain"),
    ("REGEX_MATCHES", "exactly matches regular expression"),
    ("REGEX_NOT_MATCHES", "does not exactly match regular expression"),
    ("REGEX_CONTAINS", "contains regular expression"),
    ("GREATER_THAN", "greater than"),
    ("GREATER_THAN_EQUAL", "greater than or equal to"),
    ("LESS_THAN", "less than"),
    ("LESS_THAN_EQUAL", "less than or equal to"),
)
RELATED: Final = (
    ("current", "Current work item"),
    ("subtasks", "Subtasks"),
    ("parent", "Parent"),
    ("epic", "Parent epic"),
    ("stories", "Child work items of an epic"),
    ("siblings", "All work items under the same parent"),
    ("linked", "Linked work items"),
    ("created", "All created work items"),
    ("createdLast", "Most recently created work item"),
    ("fixVersions", "Work items fixed in the version"),
    ("sprint", "Work items in the sprint"),
    ("jql", "JQL"),
)
_QUANTIFIERS: Final = (
    ("exist", "Exist"),
    ("notexist", "Are not present"),
    ("allmatch", "All match"),
    ("somematch", "At least one matches"),
    ("nonematch", "None match"),
)
CHECKS: Final = (
    ("USER_IS", "is"),
    ("USER_IS_NOT", "is not"),
    ("IN_GROUP", "is in group"),
    ("NOT_IN_GROUP", "is not in group"),
    ("IN_ROLE", "is in space role"),
    ("NOT_IN_ROLE", "is not in space role"),
    ("IS_CUSTOMER", "is a customer"),
    ("IS_NOT_CUSTOMER", "is not a customer"),
    ("EMPTY", "is empty"),
    ("NOT_EMPTY", "is not empty"),
)
_CONDITIONS: Final = "Conditions"
CONTAINER: Final = "jira.condition.container.block"
BLOCK: Final = "jira.condition.if.block"
RELATED_BRANCH: Final = "jira.issue.related"
VALUES_BRANCH: Final = "jira.smart.values.branch"

CONDITIONS: Final = (
    ComponentKind(
        "jira.issue.condition",
        "CONDITION",
        "Work item fields condition",
        _CONDITIONS,
        "Check whether a field has, or has not, certain values.",
        {
            "selectedField": {"type": "ID", "value": "status"},
            "selectedFieldType": "status",
            "comparison": "EQUALS",
            "compareValue": {"type": "NAME", "value": "", "multiValue": False},
        },
        (
            Input("selectedField", "Field", "named", of="fields", required=True),
            Input("comparison", "Condition", "choice", COMPARISONS),
            Input(
                "compareValue",
                "Value",
                "compare",
                hint="A name; several with commas between them. Smart values count.",
                smart=True,
            ),
        ),
        schema_version=3,
    ),
    ComponentKind(
        "jira.jql.condition",
        "CONDITION",
        "JQL condition",
        _CONDITIONS,
        "Check whether a query finds the work item.",
        "",
        (Input("", "JQL", "jql", required=True, smart=True),),
    ),
    ComponentKind(
        "jira.comparator.condition",
        "CONDITION",
        "{{smart values}} condition",
        _CONDITIONS,
        "Compare two values.",
        {"first": "", "second": "", "operator": "EQUALS"},
        (
            Input("first", "First value", smart=True),
            Input("operator", "Condition", "choice", OPERATORS),
            Input("second", "Second value", smart=True),
        ),
        needs_issue=False,
    ),
    ComponentKind(
        "jira.user.condition",
        "CONDITION",
        "User condition",
        _CONDITIONS,
        "Check who somebody is, in which group or role.",
        {
            "operator": "OR",
            "conditions": [{"field": "initiator", "check": "USER_IS", "criteria": []}],
        },
        (
            Input("operator", "Match", "choice", (("OR", "Any criteria"), ("AND", "All criteria"))),
            Input("conditions", "Criteria", "checks"),
        ),
        needs_issue=False,
    ),
    ComponentKind(
        "jira.issues.related.condition",
        "CONDITION",
        "Related work items condition",
        _CONDITIONS,
        "Check whether related work items exist, and match.",
        {
            "relatedType": "subtasks",
            "linkTypes": [],
            "jql": "",
            "operator": "exist",
            "compareJql": "",
        },
        (
            Input("relatedType", "Related work items", "choice", RELATED),
            Input("linkTypes", "Link types", "several", of="link_types"),
            Input("jql", "JQL of related work items", "jql", smart=True),
            Input("operator", "Condition", "choice", _QUANTIFIERS),
            Input("compareJql", "Matching JQL", "jql", smart=True),
        ),
    ),
    ComponentKind(
        "jira.issue.hasAttachments",
        "CONDITION",
        "Work item attachments",
        _CONDITIONS,
        "Check whether the work item has files.",
        True,
        (Input("", "Attachments exist", "flag"),),
    ),
    ComponentKind(
        CONTAINER,
        "CONDITION",
        "IF or ELSE block",
        _CONDITIONS,
        "Do one thing or another, depending on conditions.",
        needs_issue=False,
    ),
    ComponentKind(
        BLOCK,
        "CONDITION_BLOCK",
        "If block",
        _CONDITIONS,
        "What is done if conditions hold.",
        {"conditionMatchType": "ALL"},
        (
            Input(
                "conditionMatchType",
                "Run if",
                "choice",
                (("ALL", "All conditions match"), ("ANY", "At least one condition matches")),
            ),
        ),
        needs_issue=False,
        offered=False,
    ),
)
BRANCHES: Final = (
    ComponentKind(
        RELATED_BRANCH,
        "BRANCH",
        "Branch rule / related work items",
        "Branches",
        "Do what follows for each related work item.",
        {"relatedType": "subtasks", "jql": "", "linkTypes": [], "onlyUpdatedIssues": False},
        (
            Input("relatedType", "Type of related work items", "choice", RELATED),
            Input("linkTypes", "Link types", "several", of="link_types"),
            Input("jql", "JQL", "jql", smart=True),
        ),
        needs_issue=False,
    ),
    ComponentKind(
        VALUES_BRANCH,
        "BRANCH",
        "Advanced branching",
        "Branches",
        "Do what follows for each item of a list.",
        {"name": {"type": "FREE", "value": ""}, "query": {"type": "SMART", "value": ""}},
        (
            Input("query/value", "Smart value", smart=True, required=True),
            Input("name/value", "Variable name", required=True),
        ),
        needs_issue=False,
    ),
)
