"""Actions: what a rule does."""

from __future__ import annotations

from typing import Final

from clones.tracker.rules.automation.catalogue.kinds import ComponentKind, Input

ITEMS: Final = "Work item actions"
TELLING: Final = "Notifications"
SOFTWARE: Final = "Software"
ADVANCED: Final = "Advanced"
_NOTIFY: Final = Input("sendNotifications", "Send notifications", "flag")
_OPERATIONS: Final = Input("operations", "Fields", "operations", smart=True)
_MORE: Final = Input(
    "advancedFields",
    "More options",
    "area",
    smart=True,
    hint='JSON with "fields" and "update", as the REST API takes them.',
)
_ASSIGN: Final = (
    ("SPECIFY_USER", "Specific user, or who a smart value names"),
    ("COPY", "Somebody with a part in the work item"),
    ("AUTOMATIC", "Automatic"),
    ("UNASSIGNED", "Unassigned"),
    ("BALANCED", "Balanced workload in a list"),
    ("ROUND_ROBIN", "Round-robin in a list"),
    ("RANDOM", "Random in a list"),
)
PARTS: Final = (
    ("reporter", "Reporter"),
    ("creator", "Creator"),
    ("initiator", "User who triggered the event"),
    ("lead", "Space lead"),
    ("componentLead", "Component lead"),
    ("lastCommenter", "Last person who commented"),
    ("actor", "Rule actor"),
)
METHODS: Final = tuple((name, name) for name in ("GET", "POST", "PUT", "PATCH", "DELETE"))
_BODIES: Final = (
    ("empty", "Empty"),
    ("issue", "Work item data"),
    ("custom", "Custom data"),
)
_ISSUES: Final = (
    ("trigger", "Trigger work item"),
    ("current", "Current work item"),
    ("parent", "Parent"),
    ("created", "Most recently created work item"),
    ("", "Key or smart value"),
)


def _field(id: str, value: object) -> dict[str, object]:
    found: dict[str, object] = {"field": {"type": "ID", "value": id}, "fieldType": id}
    return {**found, "type": "SET", "value": value}


_NEW: Final = {
    "operations": [
        _field("summary", ""),
        _field("project", {"type": "COPY", "value": "current"}),
        _field("issuetype", {"type": "COPY", "value": "current"}),
    ],
    "advancedFields": None,
    "sendNotifications": True,
}

ACTIONS: Final = (
    ComponentKind(
        "jira.issue.edit",
        "ACTION",
        "Edit work item",
        ITEMS,
        "Set, add to or clear fields of the work item.",
        {"operations": [], "advancedFields": None, "sendNotifications": True},
        (_OPERATIONS, _MORE, _NOTIFY),
        schema_version=12,
    ),
    ComponentKind(
        "jira.issue.transition",
        "ACTION",
        "Transition work item",
        ITEMS,
        "Move the work item to a status.",
        {
            "destinationStatus": {"type": "NAME", "value": ""},
            "transitionMatch": "",
            "operations": [],
            "advancedFields": None,
            "sendNotifications": True,
        },
        (
            Input("destinationStatus", "Destination status", "named", of="statuses", required=True),
            Input(
                "transitionMatch",
                "Transition",
                hint="A regular expression of its name, if several lead there.",
            ),
            _OPERATIONS,
            _NOTIFY,
        ),
        schema_version=11,
    ),
    ComponentKind(
        "jira.issue.assign",
        "ACTION",
        "Assign work item",
        ITEMS,
        "Give the work item to somebody.",
        {"assignType": "SPECIFY_USER", "assignee": {"type": "SMART", "value": ""}, "jql": ""},
        (
            Input("assignType", "Assign the work item to", "choice", _ASSIGN),
            Input(
                "assignee/value",
                "User",
                hint="An account ID, an address, a name or a smart value.",
                smart=True,
            ),
            Input("assignee/part", "Part in the work item", "choice", (("", "—"), *PARTS)),
            Input("assignee/values", "List of users", "several", of="users"),
            Input("assignee/group", "Or a group", "named", of="groups"),
            Input("assignee/role", "Or a space role", "named", of="roles"),
            Input("jql", "JQL that restricts the work counted", "jql"),
        ),
    ),
    ComponentKind(
        "jira.issue.comment",
        "ACTION",
        "Comment on work item",
        ITEMS,
        "Add a comment to the work item.",
        {
            "comment": "",
            "publicComment": False,
            "addCommentOnce": False,
            "sendNotifications": True,
        },
        (
            Input("comment", "Comment", "area", required=True, smart=True),
            Input("publicComment", "Shown to customers", "flag"),
            Input("addCommentOnce", "Prevent duplicates by only adding this once", "flag"),
            _NOTIFY,
        ),
    ),
    ComponentKind(
        "jira.issue.create",
        "ACTION",
        "Create work item",
        ITEMS,
        "Create a work item.",
        _NEW,
        (_OPERATIONS, _MORE, _NOTIFY),
        schema_version=12,
        needs_issue=False,
    ),
    ComponentKind(
        "jira.issue.create.subtasks",
        "ACTION",
        "Create subtasks",
        ITEMS,
        "Create a subtask for each line.",
        {"subtasks": []},
        (Input("subtasks", "Summaries", "lines", required=True, smart=True),),
    ),
    ComponentKind(
        "jira.issue.clone",
        "ACTION",
        "Clone work item",
        ITEMS,
        "Create a copy of the work item, linked to it.",
        {"operations": [], "advancedFields": None, "sendNotifications": True},
        (_OPERATIONS, _MORE),
        schema_version=12,
    ),
    ComponentKind(
        "jira.issue.link",
        "ACTION",
        "Link work items",
        ITEMS,
        "Link the work item to another.",
        {"linkType": "", "issue": {"copy": "trigger", "value": ""}},
        (
            Input("linkType", "This work item", "choice", of="link_words", required=True),
            Input("issue/copy", "Work item", "choice", _ISSUES),
            Input("issue/value", "Key", smart=True),
        ),
    ),
    ComponentKind(
        "jira.issue.delete.link",
        "ACTION",
        "Delete work item links",
        ITEMS,
        "Take away the links of some types.",
        {"linkTypes": []},
        (Input("linkTypes", "Link types", "several", of="link_types", hint="Empty for all."),),
    ),
    ComponentKind(
        "jira.issue.delete",
        "ACTION",
        "Delete work item",
        ITEMS,
        "Delete the work item, with its subtasks.",
    ),
    ComponentKind(
        "jira.issue.log.work",
        "ACTION",
        "Log work",
        ITEMS,
        "Log time on the work item.",
        {"timeSpent": "", "startedDate": "", "comment": ""},
        (
            Input("timeSpent", "Time spent", required=True, smart=True, hint="Such as 2h 30m."),
            Input("startedDate", "Date started", smart=True, hint="Empty for now."),
            Input("comment", "Work description", "area", smart=True),
        ),
    ),
    ComponentKind(
        "jira.issue.manage.watchers",
        "ACTION",
        "Manage watchers",
        ITEMS,
        "Let people watch the work item, or no longer.",
        {"addWatchers": [], "removeWatchers": []},
        (
            Input("addWatchers", "Add watchers", "people", smart=True),
            Input("removeWatchers", "Remove watchers", "people", smart=True),
        ),
    ),
    ComponentKind(
        "jira.issue.outgoing.email",
        "ACTION",
        "Send customized email",
        TELLING,
        "Send an email.",
        {
            "fromName": "",
            "replyTo": "",
            "to": [],
            "cc": [],
            "bcc": [],
            "subject": "",
            "body": "",
            "mimeType": "text/html",
            "convertLineBreaks": True,
        },
        (
            Input("to", "To", "people", required=True, smart=True),
            Input("cc", "Cc", "people", smart=True),
            Input("bcc", "Bcc", "people", smart=True),
            Input("subject", "Subject", required=True, smart=True),
            Input("body", "Content", "area", required=True, smart=True),
            Input("fromName", "From name", smart=True),
            Input("replyTo", "Reply to", smart=True),
            Input(
                "mimeType",
                "Content type",
                "choice",
                (("text/html", "HTML"), ("text/plain", "Plain text")),
            ),
            Input("convertLineBreaks", "Convert line breaks to HTML line breaks", "flag"),
        ),
        needs_issue=False,
    ),
    ComponentKind(
        "jira.issue.outgoing.webhook",
        "ACTION",
        "Send web request",
        TELLING,
        "Send a request to another system.",
        {
            "url": "",
            "method": "POST",
            "headers": [],
            "contentType": "empty",
            "customBody": "",
            "sendIssue": False,
            "responseEnabled": False,
        },
        (
            Input("url", "Web request URL", required=True, smart=True),
            Input("method", "HTTP method", "choice", METHODS),
            Input("contentType", "Web request body", "choice", _BODIES),
            Input("customBody", "Custom data", "area", smart=True),
            Input("headers", "Headers", "pairs", smart=True, hint="Name: value, one on each line."),
        ),
        needs_issue=False,
    ),
    ComponentKind(
        "jira.version.create",
        "ACTION",
        "Create version",
        SOFTWARE,
        "Create a version in the space.",
        {"name": "", "description": "", "startDate": "", "releaseDate": ""},
        (
            Input("name", "Name", required=True, smart=True),
            Input("description", "Description", smart=True),
            Input("startDate", "Start date", smart=True, hint="yyyy-MM-dd"),
            Input("releaseDate", "Release date", smart=True, hint="yyyy-MM-dd"),
        ),
        needs_issue=False,
    ),
    *(
        ComponentKind(
            f"jira.version.{verb}",
            "ACTION",
            f"{verb.capitalize()} version",
            SOFTWARE,
            f"{verb.capitalize()} a version of the space.",
            {"version": "", "releaseDate": ""},
            (
                Input("version", "Version", smart=True, hint="A name; empty for the trigger's."),
                Input("releaseDate", "Release date", smart=True, hint="yyyy-MM-dd; empty: today."),
            ),
            needs_issue=False,
        )
        for verb in ("release", "unrelease")
    ),
    ComponentKind(
        "jira.create.variable",
        "ACTION",
        "Create variable",
        ADVANCED,
        "Keep a value under a name for what follows.",
        {
            "name": {"type": "FREE", "value": ""},
            "type": "SMART",
            "query": {"type": "SMART", "value": ""},
            "lazy": False,
        },
        (
            Input("name/value", "Variable name", required=True),
            Input("query/value", "Smart value", smart=True),
        ),
        needs_issue=False,
    ),
    ComponentKind(
        "jira.lookup.issues",
        "ACTION",
        "Lookup work items",
        ADVANCED,
        "Find up to 100 work items: {{lookupIssues}}.",
        {"query": {"type": "SMART", "value": ""}},
        (Input("query/value", "JQL", "jql", required=True, smart=True),),
        needs_issue=False,
    ),
    ComponentKind(
        "jira.set.entity.property",
        "ACTION",
        "Set entity property",
        ADVANCED,
        "Keep a value with the work item or its space.",
        {"entityType": "issue", "key": "", "value": ""},
        (
            Input(
                "entityType",
                "Entity type",
                "choice",
                (("issue", "Work item"), ("project", "Space")),
            ),
            Input("key", "Property key", required=True, smart=True),
            Input("value", "Property value", "area", smart=True, hint="JSON, or a text."),
        ),
    ),
    ComponentKind(
        "jira.issue.refresh.issue",
        "ACTION",
        "Re-fetch work item data",
        ADVANCED,
        "Let smart values show what the work item is by now.",
    ),
    ComponentKind(
        "codebarrel.action.log",
        "ACTION",
        "Add value to the audit log",
        ADVANCED,
        "Write a text into the audit log.",
        "",
        (Input("", "Log message", "area", required=True, smart=True),),
        needs_issue=False,
    ),
)
