"""Which transitions several issues can take together, by workflow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from clones.tracker.models import Issue
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.transitions import Move, available
from clones.tracker.queries.workflows import Paths


@dataclass(frozen=True, slots=True)
class TogetherMoves:
    """The issues of one workflow and the moves that all can make.

    `is_filtered` says that some moves of theirs are left out.
    """

    keys: Sequence[str]
    moves: Sequence[Move]
    is_filtered: bool


def moves_together(
    issues: Sequence[Issue], rights: Rights, *, screens: bool = False
) -> list[TogetherMoves]:
    """Return the moves that the issues of each workflow have in common, by the workflow's id.

    `screens` says whether those that have a screen are among them: the API leaves them out.
    """
    paths = Paths(issue.project.workflow_scheme_id for issue in issues)
    flows: dict[int, list[Issue]] = defaultdict(list)
    for issue in issues:
        flow = paths.workflow_id(issue.project.workflow_scheme_id, issue.issue_type_id)
        flows[flow].append(issue)
    moves = available(issues, rights)
    found = []
    for _, members in sorted(flows.items()):
        numbers = [{move.number for move in moves[issue.id]} for issue in members]
        common = set.intersection(*numbers)
        offered = [
            move
            for move in moves[members[0].id]
            if move.number in common and (screens or move.transition.screen_id is None)
        ]
        everything = set.union(*numbers)
        is_filtered = len(offered) < len(everything)
        found.append(TogetherMoves([issue.key for issue in members], offered, is_filtered))
    return found
