"""Ranks, boards and sprints."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from clones.tracker.domain.settings import setting
from clones.tracker.models import BoardColumnStatus, Issue, IssueSprint, Sprint
from clones.tracker.rules import lexorank


def ranks() -> Iterator[str]:
    """Check that every issue has a rank of its own.

    Source: `rules.lexorank` (the form, and that no two ranks write the same place);
    `domain.ranking`: one order for the whole site.
    """
    seen: dict[str, str] = {}
    for key, rank in Issue.objects.order_by("rank", "id").values_list("key", "rank"):
        if not lexorank.is_rank(rank):
            yield f"issue {key} has {rank!r} for a rank"
        if rank in seen:
            yield f"issues {seen[rank]} and {key} have one rank, {rank}"
        seen[rank] = key


def sprints() -> Iterator[str]:
    """Check that sprints have the dates of their states, and boards one at a time.

    Source: `domain.sprints`: one is started with two dates and ended at a moment; one at a time on
    a board unless the setting `parallel_sprints` says otherwise.
    """
    running: Counter[int | None] = Counter()
    for sprint in Sprint.objects.order_by("id"):
        name = f"sprint {sprint.id}"
        start, end = sprint.start_date, sprint.end_date
        if sprint.state != "future" and (start is None or end is None):
            yield f"{name} is {sprint.state} without its two dates"
        if start is not None and end is not None and start >= end:
            yield f"{name} ends before it starts"
        if (sprint.state == "closed") != (sprint.complete_date is not None):
            yield f"{name} is {sprint.state}, completed at {sprint.complete_date}"
        running[sprint.board_id] += sprint.state == "active"
    if not setting("parallel_sprints", False):
        for board, count in running.items():
            if board is not None and count > 1:
                yield f"board {board} has {count} active sprints"


def sprint_contents() -> Iterator[str]:
    """Check that issues are in one open sprint at most, and sub-tasks in those of their parents.

    Source: `domain.sprint_contents` ("at most one that is to come or runs, and those that are
    over. Sub-tasks are in the sprints of their parents").
    """
    held: dict[int, set[int]] = defaultdict(set)
    opened: Counter[int] = Counter()
    for issue, sprint, state in IssueSprint.objects.values_list(
        "issue_id", "sprint_id", "sprint__state"
    ):
        held[issue].add(sprint)
        opened[issue] += state != "closed"
    for id, key, level, parent in Issue.objects.order_by("id").values_list(
        "id", "key", "issue_type__hierarchy_level", "parent_id"
    ):
        if opened[id] > 1:
            yield f"issue {key} is in {opened[id]} open sprints"
        if level < 0 and held[id] != held[parent]:
            yield f"sub-task {key} is not in the sprints of its parent"


def board_columns() -> Iterator[str]:
    """Check that a board shows a status in one column.

    Source: `domain.board_configuration`, which refuses a status that two columns name.
    """
    counts = Counter(BoardColumnStatus.objects.values_list("column__board_id", "status_id"))
    for (board, status), count in sorted(counts.items()):
        if count > 1:
            yield f"board {board} shows status {status} in {count} columns"
