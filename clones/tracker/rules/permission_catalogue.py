"""The permissions that there are: their keys, numbers and names in the API.

Keys and numbers are the vendor's (its description of permission schemes, and captured answers);
the sentences are ours. Permissions of products and apps have the number -1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["GLOBAL", "PROJECT"]


@dataclass(frozen=True, slots=True)
class Permission:
    """A permission; `on_issues` says whether it is asked about single issues."""

    key: str
    number: int
    name: str
    kind: Kind
    description: str
    on_issues: bool = False


def _global(key: str, number: int, name: str, description: str) -> Permission:
    return Permission(key, number, name, "GLOBAL", description)


def _space(key: str, number: int, name: str, description: str) -> Permission:
    return Permission(key, number, name, "PROJECT", description)


def _issue(key: str, number: int, name: str, description: str) -> Permission:
    return Permission(key, number, name, "PROJECT", description, on_issues=True)


_ALL: Final = (
    _global("ADMINISTER", 0, "Administer Jira", "Change how the whole site is set up."),
    _global("SYSTEM_ADMIN", 44, "System Administrator", "Do whatever the site allows at all."),
    _global("BULK_CHANGE", 33, "Bulk Change", "Change many issues in one go."),
    _global("CREATE_SHARED_OBJECTS", 22, "Create Shared Objects", "Share dashboards and filters."),
    _global("CREATE_PROJECT", -1, "Create team-managed projects", "Open team-managed spaces."),
    _global(
        "MANAGE_GROUP_FILTER_SUBSCRIPTIONS",
        24,
        "Manage Group Filter Subscriptions",
        "Send the results of filters to groups.",
    ),
    _global("USER_PICKER", 27, "Browse Users", "Pick people and groups, and mention them."),
    _space("ADMINISTER_PROJECTS", 23, "Administer Projects", "Run a space in Jira."),
    _space("EDIT_WORKFLOW", -1, "Edit Workflows", "Change the workflows of a space."),
    _space("EDIT_ISSUE_LAYOUT", -1, "Edit Issue Layout", "Arrange the fields of issues."),
    _issue("BROWSE_PROJECTS", 10, "Browse Projects", "See a space and the issues in it."),
    _space(
        "MANAGE_SPRINTS_PERMISSION", -1, "Manage Sprints", "Begin, change and complete sprints."
    ),
    _issue("SERVICEDESK_AGENT", -1, "Service Project Agent", "Work on customers' requests."),
    _issue("VIEW_DEV_TOOLS", 29, "View Development Tools", "See commits, builds and branches."),
    _space("VIEW_READONLY_WORKFLOW", 45, "View Read-Only Workflow", "Look at a space's workflows."),
    _space("VIEW_AGGREGATED_DATA", -1, "View Aggregated Data", "See sums over a space's issues."),
    _issue("ASSIGNABLE_USER", 17, "Assignable User", "Be given issues to work on."),
    _issue("ASSIGN_ISSUES", 13, "Assign Issues", "Give issues to people."),
    _issue("CLOSE_ISSUES", 18, "Close Issues", "Close issues."),
    _space("CREATE_ISSUES", 11, "Create Issues", "Make issues in a space."),
    _issue("DELETE_ISSUES", 16, "Delete Issues", "Remove issues with all that is on them."),
    _issue("EDIT_ISSUES", 12, "Edit Issues", "Change the fields of issues."),
    _issue("LINK_ISSUES", 21, "Link Issues", "Tie issues to each other."),
    _issue("MODIFY_REPORTER", 30, "Modify Reporter", "Say who reported an issue."),
    _issue("MOVE_ISSUES", 25, "Move Issues", "Take issues to other spaces."),
    _issue("RESOLVE_ISSUES", 14, "Resolve Issues", "Resolve issues and say for which version."),
    _issue("SCHEDULE_ISSUES", 28, "Schedule Issues", "Set due dates and the order of work."),
    _issue("SET_ISSUE_SECURITY", 26, "Set Issue Security", "Say who may see an issue."),
    _issue("TRANSITION_ISSUES", 46, "Transition Issues", "Move issues through their workflow."),
    _issue("ARCHIVE_ISSUES", -1, "Archive Issues", "Put issues into the archive."),
    _issue("UNARCHIVE_ISSUES", -1, "Unarchive Issues", "Bring issues back from the archive."),
    _issue("MANAGE_WATCHERS", 32, "Manage Watchers", "Say who watches an issue."),
    _issue(
        "VIEW_VOTERS_AND_WATCHERS", 31, "View Voters and Watchers", "See who votes and watches."
    ),
    _issue("ADD_COMMENTS", 15, "Add Comments", "Comment on issues."),
    _issue("DELETE_ALL_COMMENTS", 36, "Delete All Comments", "Remove anybody's comments."),
    _issue("DELETE_OWN_COMMENTS", 37, "Delete Own Comments", "Remove one's own comments."),
    _issue("EDIT_ALL_COMMENTS", 34, "Edit All Comments", "Change anybody's comments."),
    _issue("EDIT_OWN_COMMENTS", 35, "Edit Own Comments", "Change one's own comments."),
    _issue("CREATE_ATTACHMENTS", 19, "Create Attachments", "Add files to issues."),
    _issue("DELETE_ALL_ATTACHMENTS", 38, "Delete All Attachments", "Remove anybody's files."),
    _issue("DELETE_OWN_ATTACHMENTS", 39, "Delete Own Attachments", "Remove one's own files."),
    _issue("DELETE_ALL_WORKLOGS", 43, "Delete All Worklogs", "Remove anybody's time entries."),
    _issue("DELETE_OWN_WORKLOGS", 42, "Delete Own Worklogs", "Remove one's own time entries."),
    _issue("EDIT_ALL_WORKLOGS", 41, "Edit All Worklogs", "Change anybody's time entries."),
    _issue("EDIT_OWN_WORKLOGS", 40, "Edit Own Worklogs", "Change one's own time entries."),
    _issue("WORK_ON_ISSUES", 20, "Work On Issues", "Record time spent on issues."),
)

PERMISSIONS: Final = {permission.key: permission for permission in _ALL}
GLOBAL: Final = frozenset(key for key, found in PERMISSIONS.items() if found.kind == "GLOBAL")
PROJECT: Final = frozenset(key for key, found in PERMISSIONS.items() if found.kind == "PROJECT")
# What permissions of spaces were called once; searches for their holders still read that.
FORMER_KEYS: Final = {
    "ASSIGN_ISSUE": "ASSIGN_ISSUES",
    "ATTACHMENT_DELETE_ALL": "DELETE_ALL_ATTACHMENTS",
    "ATTACHMENT_DELETE_OWN": "DELETE_OWN_ATTACHMENTS",
    "BROWSE": "BROWSE_PROJECTS",
    "CLOSE_ISSUE": "CLOSE_ISSUES",
    "COMMENT_DELETE_ALL": "DELETE_ALL_COMMENTS",
    "COMMENT_DELETE_OWN": "DELETE_OWN_COMMENTS",
    "COMMENT_EDIT_ALL": "EDIT_ALL_COMMENTS",
    "COMMENT_EDIT_OWN": "EDIT_OWN_COMMENTS",
    "COMMENT_ISSUE": "ADD_COMMENTS",
    "CREATE_ATTACHMENT": "CREATE_ATTACHMENTS",
    "CREATE_ISSUE": "CREATE_ISSUES",
    "DELETE_ISSUE": "DELETE_ISSUES",
    "EDIT_ISSUE": "EDIT_ISSUES",
    "LINK_ISSUE": "LINK_ISSUES",
    "MANAGE_WATCHER_LIST": "MANAGE_WATCHERS",
    "MOVE_ISSUE": "MOVE_ISSUES",
    "PROJECT_ADMIN": "ADMINISTER_PROJECTS",
    "RESOLVE_ISSUE": "RESOLVE_ISSUES",
    "SCHEDULE_ISSUE": "SCHEDULE_ISSUES",
    "TRANSITION_ISSUE": "TRANSITION_ISSUES",
    "VIEW_VERSION_CONTROL": "VIEW_DEV_TOOLS",
    "VIEW_WORKFLOW_READONLY": "VIEW_READONLY_WORKFLOW",
    "WORKLOG_DELETE_ALL": "DELETE_ALL_WORKLOGS",
    "WORKLOG_DELETE_OWN": "DELETE_OWN_WORKLOGS",
    "WORKLOG_EDIT_ALL": "EDIT_ALL_WORKLOGS",
    "WORKLOG_EDIT_OWN": "EDIT_OWN_WORKLOGS",
    "WORK_ISSUE": "WORK_ON_ISSUES",
}

# Types of holders, and whether one needs a parameter.
HOLDERS: Final = {
    "anyone": False,
    "applicationRole": False,
    "assignee": False,
    "group": True,
    "groupCustomField": True,
    "projectLead": False,
    "projectRole": True,
    "reporter": False,
    "sd.customer.portal.only": False,
    "user": True,
    "userCustomField": True,
}
