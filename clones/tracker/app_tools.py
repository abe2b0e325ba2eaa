"""What work in the tracker is mostly done with: each operation is a tool of the surface `app`."""

from typing import Final

APP_TOOLS: Final[tuple[str, ...]] = (
    # Looking and finding
    "getCurrentUser",
    "searchAndReconsileIssuesUsingJql",
    "getIssue",
    "getComments",
    "getChangeLogs",
    "getTransitions",
    "getIssueLinkTypes",
    "getRemoteIssueLinks",
    "getIssueWatchers",
    "findUsers",
    # Issues
    "createIssue",
    "editIssue",
    "deleteIssue",
    "assignIssue",
    "doTransition",
    "addComment",
    "linkIssues",
    "deleteIssueLink",
    "createOrUpdateRemoteIssueLink",
    "addWatcher",
    "addWorklog",
    # Spaces, releases and filters
    "searchProjects",
    "getProject",
    "getProjectComponents",
    "getProjectVersions",
    "createVersion",
    "updateVersion",
    "getMyFilters",
    "createFilter",
    "updateFilter",
    # Boards and sprints
    "agile.getAllBoards",
    "agile.getAllSprints",
    "agile.getSprint",
    "agile.createSprint",
    "agile.partiallyUpdateSprint",
    "agile.moveIssuesToSprintAndRank",
    "agile.moveIssuesToBacklog",
    # Requests
    "desk.getCustomerRequestByIdOrKey",
    "desk.getApprovals",
    "desk.answerApproval",
)
