"""Triggers: what a rule begins with."""

from __future__ import annotations

from typing import Final

from clones.tracker.rules.automation.catalogue.kinds import ComponentKind, Input

EVENT: Final = "jira.issue.event.trigger:"
ITEMS: Final = "Work item triggers"
SOFTWARE: Final = "Development triggers"
DESK: Final = "Service management triggers"
OTHER: Final = "Scheduled and integrations"
_COMMENTS: Final = (("", "All comments"), ("primary", "Comment is the main action"))
_CHANGES: Final = (
    ("ANY_CHANGE", "Any changes to the field value"),
    ("VALUE_ADDED", "Value added"),
    ("VALUE_DELETED", "Value deleted"),
)
_ACTIONS: Final = (
    ("create", "Create work item"),
    ("update", "Edit work item"),
    ("transition", "Transition work item"),
    ("assign", "Assign work item"),
)
_MODES: Final = (
    ("nosearch", "Run without a query"),
    ("search", "Run for each work item that a query finds"),
)
_PROVIDED: Final = (
    ("provided", "Work items provided in the webhook HTTP POST body"),
    ("search", "Work items from a JQL search"),
    ("none", "No work items from the webhook"),
)
_THRESHOLDS: Final = (
    ("BREACHED", "Breached"),
    ("WILL_BREACH", "Will breach in the next"),
    ("HAS_BREACHED", "Has breached by"),
)


def _event(
    name: str, event: str, key: str, *inputs: Input, about: str = "", **value: object
) -> ComponentKind:
    return ComponentKind(
        EVENT + event,
        "TRIGGER",
        name,
        ITEMS,
        about or f"Rule runs when {name.replace('Work item', 'a work item is')}.",
        {"eventKey": key, "issueEvent": f"issue_{event}", **value},
        inputs,
    )


_FROM_TO: Final = (
    Input("fromStatus", "From status", "several", of="statuses", hint="Empty for any status."),
    Input("toStatus", "To status", "several", of="statuses", hint="Empty for any status."),
)
TRIGGERS: Final = (
    _event("Work item created", "created", "jira:issue_created"),
    _event(
        "Work item updated",
        "updated",
        "jira:issue_updated",
        about="Rule runs when details are changed; not when it is assigned, linked or moved on.",
    ),
    _event(
        "Work item transitioned",
        "transitioned",
        "jira:issue_updated",
        *_FROM_TO,
        fromStatus=[],
        toStatus=[],
    ),
    _event("Work item assigned", "assigned", "jira:issue_updated"),
    _event(
        "Work item commented",
        "commented",
        "jira:issue_updated",
        Input("commentType", "Comments", "choice", _COMMENTS),
        Input("internal", "Also internal comments", "flag"),
        eventTypes=[],
        internal=True,
    ),
    _event(
        "Work item linked",
        "link",
        "issuelink_created",
        Input("linkTypes", "Link types", "several", of="link_types", hint="Empty for any."),
        linkTypes=[],
    ),
    _event("Work item deleted", "deleted", "jira:issue_deleted"),
    _event("Work item moved", "moved", "jira:issue_updated"),
    _event("Work logged", "worklog", "worklog_created", about="Rule runs when work is logged."),
    ComponentKind(
        "jira.issue.field.changed",
        "TRIGGER",
        "Field value changed",
        ITEMS,
        "Rule runs when the value of a field changes.",
        {"fields": [], "changeType": "ANY_CHANGE", "actions": []},
        (
            Input("fields", "Fields to monitor for changes", "several", of="fields", required=True),
            Input("changeType", "Change type", "choice", _CHANGES),
            Input("actions", "For", "several", _ACTIONS, hint="Empty for all operations."),
        ),
    ),
    ComponentKind(
        "jira.multiple.issue.event",
        "TRIGGER",
        "Multiple work item events",
        ITEMS,
        "Rule runs when one of several things happens to a work item.",
        {"events": []},
        (
            Input(
                "events",
                "Events",
                "several",
                (
                    ("created", "Work item created"),
                    ("updated", "Work item updated"),
                    ("transitioned", "Work item transitioned"),
                    ("assigned", "Work item assigned"),
                    ("commented", "Work item commented"),
                    ("link", "Work item linked"),
                    ("worklog", "Work logged"),
                ),
                required=True,
            ),
        ),
    ),
    ComponentKind(
        "jira.manual.trigger.issue",
        "TRIGGER",
        "Manual trigger from work item",
        OTHER,
        "Rule runs when somebody chooses it in the actions of a work item.",
        {"groups": [], "inputs": []},
        (
            Input("groups", "Groups that can run trigger", "several", of="groups"),
            Input(
                "inputs",
                "Prompt for input",
                "lines",
                hint="A name on each line: smart values have it as {{userInputs.name}}.",
            ),
        ),
    ),
    ComponentKind(
        "jira.jql.scheduled",
        "TRIGGER",
        "Scheduled",
        OTHER,
        "Rule runs on a schedule, for each work item that a query finds if there is one.",
        {
            "jql": "",
            "executionMode": "nosearch",
            "onlyUpdatedIssues": False,
            "schedule": {
                "rate": 1,
                "rateInterval": 86400,
                "cronExpression": "",
                "method": "RATE",
                "timeZone": "",
            },
        },
        (
            Input(
                "schedule/method",
                "Schedule",
                "choice",
                (("RATE", "Fixed rate"), ("CRON", "Cron expression")),
            ),
            Input("schedule/rate", "Every", "number"),
            Input(
                "schedule/rateInterval",
                "Unit",
                "choice",
                (("60", "Minutes"), ("3600", "Hours"), ("86400", "Days"), ("604800", "Weeks")),
            ),
            Input(
                "schedule/cronExpression",
                "Cron expression",
                hint="Six fields: seconds, minutes, hours, day of month, month, day of week.",
            ),
            Input("executionMode", "Run", "choice", _MODES),
            Input("jql", "JQL", "jql"),
            Input("onlyUpdatedIssues", "Only work items changed since the last run", "flag"),
        ),
        needs_issue=False,
    ),
    ComponentKind(
        "jira.incoming.webhook",
        "TRIGGER",
        "Incoming webhook",
        OTHER,
        "Rule runs when a web request is sent to the rule's own address.",
        {"searchOrProvide": "provided", "jql": ""},
        (
            Input("searchOrProvide", "Execute this rule with", "choice", _PROVIDED),
            Input("jql", "JQL", "jql"),
        ),
        needs_issue=False,
    ),
    *(
        ComponentKind(
            f"jira.sprint.event.trigger:{event}",
            "TRIGGER",
            f"Sprint {event}",
            SOFTWARE,
            f"Rule runs when a sprint is {event}.",
            {"sprintNameFilter": ""},
            (Input("sprintNameFilter", "Name of the sprint", hint="A pattern; empty for any."),),
            needs_issue=False,
            brings="sprint",
        )
        for event in ("created", "started", "completed")
    ),
    *(
        ComponentKind(
            f"jira.version.event.trigger:{event}",
            "TRIGGER",
            f"Version {event}",
            SOFTWARE,
            f"Rule runs when a version is {event}.",
            {"versionNameFilter": ""},
            (Input("versionNameFilter", "Name of the version", hint="A pattern; empty for any."),),
            needs_issue=False,
            brings="version",
        )
        for event in ("created", "updated", "released", "unreleased")
    ),
    ComponentKind(
        "jira.sla.threshold",
        "TRIGGER",
        "SLA threshold breached",
        DESK,
        "Rule runs when an SLA is missed, or some time before or after.",
        {"sla": None, "threshold": "BREACHED", "minutes": 30},
        (
            Input("sla", "SLA", "named", of="slas", hint="Empty for any."),
            Input("threshold", "Threshold", "choice", _THRESHOLDS),
            Input("minutes", "Minutes", "number"),
        ),
    ),
    ComponentKind(
        "jira.approval.required",
        "TRIGGER",
        "Approval required",
        DESK,
        "Rule runs when a request waits for an approval.",
    ),
    ComponentKind(
        "jira.approval.completed",
        "TRIGGER",
        "Approval completed",
        DESK,
        "Rule runs when a request is approved or declined.",
        {"decision": ""},
        (
            Input(
                "decision",
                "Decision",
                "choice",
                (("", "Any"), ("approved", "Approved"), ("declined", "Declined")),
            ),
        ),
    ),
)
