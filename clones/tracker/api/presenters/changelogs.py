"""The histories of issues as the platform shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from clones.core.lookups import key_list
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import user_ref
from clones.tracker.models import ChangeGroup, ChangeItem
from clones.tracker.queries.hot import CHANGE_GROUPS_OF_ISSUES, ITEMS_OF_GROUPS

Json = dict[str, Any]


def present_changelogs(groups: Sequence[ChangeGroup], show: Show) -> list[Json]:
    """Return entries of histories, read with their authors, with one statement more."""
    items: dict[int, list[ChangeItem]] = defaultdict(list)
    if groups:
        for item in ITEMS_OF_GROUPS.all(key_list(group.id for group in groups)):
            items[item.group_id].append(item)
    return [_present(group, items[group.id], show) for group in groups]


def _present(group: ChangeGroup, items: Iterable[ChangeItem], show: Show) -> Json:
    found: Json = {"id": str(group.id)}
    if group.author is not None:
        found["author"] = user_ref(group.author, show)
    found["created"] = show.when(group.created)
    found["items"] = [present_item(item) for item in items]
    if group.metadata is not None:
        found["historyMetadata"] = group.metadata
    return found


def present_item(item: ChangeItem) -> Json:
    """Return one field's change."""
    found: Json = {"field": item.field, "fieldtype": item.field_type}
    if item.field_id:
        found["fieldId"] = item.field_id
    return found | {
        "from": item.old,
        "fromString": item.old_string,
        "to": item.new,
        "toString": item.new_string,
    }


def present_histories(issues: Sequence[int], show: Show) -> dict[int, Json]:
    """Return the histories of issues as `expand=changelog` shows them: the newest entry first.

    Of one issue at most the vendor's 100 entries, of each of several 40 (the API's description).
    """
    most = 100 if len(issues) == 1 else 40
    by_issue: dict[int, list[ChangeGroup]] = {issue: [] for issue in issues}
    for group in CHANGE_GROUPS_OF_ISSUES.all(key_list(issues)):
        by_issue[group.issue_id].append(group)
    kept = [group for groups in by_issue.values() for group in groups[:most]]
    entries = dict(zip((group.id for group in kept), present_changelogs(kept, show), strict=True))
    return {
        issue: {
            "startAt": 0,
            "maxResults": min(len(groups), most),
            "total": len(groups),
            "histories": [entries[group.id] for group in groups[:most]],
        }
        for issue, groups in by_issue.items()
    }
