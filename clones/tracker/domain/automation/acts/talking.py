"""Comments and watchers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.tracker.domain.automation.acts.changing import is_told
from clones.tracker.domain.automation.acts.registry import performs
from clones.tracker.domain.automation.context import ActFailed, Run
from clones.tracker.domain.automation.people import people_named
from clones.tracker.domain.comments import add_comment
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.richtext import markup_of, read_rich_text
from clones.tracker.domain.watching import add_watcher, remove_watcher
from clones.tracker.models import Comment, User
from clones.tracker.rules.automation.documents import Component

ONCE: Final = "The comment was there already on work items: {}"


@performs("jira.issue.comment")
def comment(run: Run, component: Component) -> str:
    """Comment on the issue at hand."""
    value = component["value"]
    issue = run.row()
    text = run.render(value.get("comment"))
    if not text.strip():
        raise ActFailed("The comment is empty.")
    body = read_rich_text(text, "2", "comment")
    if value.get("addCommentOnce") is True and body is not None:
        mine = Comment.objects.filter(issue=issue, author=run.actor.user)
        said = markup_of(body)
        if any(markup_of(one) == said for one in mine.values_list("body", flat=True)):
            return ONCE.format(issue.key)
    desk = issue.project.type == "service_desk"
    add_comment(
        issue,
        body,
        actor=run.actor,
        visibility=value.get("visibility"),
        # Elsewhere than at desks every comment is for all who see the issue.
        public=not desk or value.get("publicComment") is True,
        notify=is_told(value),
    )
    return f"Work items commented successfully: {issue.key}"


@performs("jira.issue.manage.watchers")
def manage_watchers(run: Run, component: Component) -> str:
    """Let people watch the issue at hand, or no longer."""
    value = component["value"]
    issue = run.row()
    added, removed, refused = [], [], []
    for user in _people(run, value.get("addWatchers")):
        try:
            add_watcher(issue, user.account_id, actor=run.actor)
        except (Invalid, NotFound):
            refused.append(user.display_name)
        else:
            added.append(user.display_name)
    for user in _people(run, value.get("removeWatchers")):
        remove_watcher(issue, user.account_id, actor=run.actor)
        removed.append(user.display_name)
    if not added and not removed:
        raise ActFailed(f"No watchers could be added or removed: {', '.join(refused) or 'nobody'}")
    parts = [("added", added), ("removed", removed), ("could not be added", refused)]
    said = "; ".join(f"{word}: {', '.join(names)}" for word, names in parts if names)
    return f"Watchers of {issue.key} {said}"


def _people(run: Run, lines: Any) -> list[User]:
    found: list[User] = []
    for line in lines if isinstance(lines, list) else ():
        given = line if isinstance(line, Mapping) else {"type": "SMART", "value": line}
        found += people_named(run, given)
    return list(dict.fromkeys(found))
