"""`operations`: what a page of an issue offers its reader to do, as links."""

from __future__ import annotations

from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.models import Issue

Json = dict[str, Any]
# Id, label, title, permission, path of the page; in the order of the page.
_LINKS: Final = (
    ("edit-issue", "Edit", "Edit this issue", "EDIT_ISSUES", "EditIssue!default.jspa"),
    ("comment-issue", "Comment", "Comment on this issue", "ADD_COMMENTS",
     "AddComment!default.jspa"),
    ("assign-issue", "Assign", "Assign this issue to someone", "ASSIGN_ISSUES",
     "AssignIssue!default.jspa"),
    ("attach-file", "Attach files", "Attach one or more files to this issue",
     "CREATE_ATTACHMENTS", "AttachFile!default.jspa"),
    ("log-work", "Log work", "Log work against this issue", "WORK_ON_ISSUES",
     "CreateWorklog!default.jspa"),
    ("link-issue", "Link", "Link this issue to another issue or item", "LINK_ISSUES",
     "LinkJiraIssue!default.jspa"),
    ("move-issue", "Move", "Move this issue to another project or issue type", "MOVE_ISSUES",
     "MoveIssue!default.jspa"),
    ("delete-issue", "Delete", "Delete this issue", "DELETE_ISSUES", "DeleteIssue!default.jspa"),
)  # fmt: skip


def present_operations(issue: Issue, show: Show) -> Json:
    """Return the operations that the reader may do on an issue, in the vendor's groups."""
    links = [
        {
            "id": id,
            "styleClass": "issueaction-" + id,
            "label": label,
            "title": title,
            "href": show.at(f"/secure/{page}?id={issue.id}"),
            "weight": 10 * (place + 1),
        }
        for place, (id, label, title, permission, page) in enumerate(_LINKS)
        if show.reader.may_on(permission, issue)
    ]
    return {
        "linkGroups": [
            {
                "id": "view.issue.opsbar",
                "links": [],
                "groups": [
                    {"id": "operations-operations", "weight": 20, "links": links, "groups": []}
                ],
            }
        ]
    }
