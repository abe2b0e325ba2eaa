"""Grade what an agent says at the end, in whatever form it says it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from episodes.context import EpisodeContext
from episodes.grading import GradedStep, Grader
from episodes.spaces.errors import HarnessFailure

logger = logging.getLogger(__name__)


def grade_answer(
    ground: EpisodeContext,
    grader: Grader,
    step_from: int,
    *,
    finish: dict[str, Any] | None,
    probed: Mapping[str, Any] | None,
    said: str | None = None,
) -> tuple[GradedStep, dict[str, Any] | None]:
    """Grade a step; return with it what the agent is taken to have said, if it was the end.

    `said` is what it said by the verb of that name.

    Where checks fail over what it said, and do not fail without it, nothing was said that can be
    read: an answer in a form of the agent's own making is its mistake.
    """
    try:
        with ground.bound("read"):
            graded = grader.grade_with_changes(step_from, finish, probed, said)
            if finish is not None and graded.grade.scene is not None:
                grader.grounded(graded.grade.scene)
    except HarnessFailure:
        raise
    except Exception:  # the boundary between what an agent said and checks of ours
        if not finish or set(finish) <= {"status"}:
            raise
        logger.warning("what %s answered cannot be read", ground.id, exc_info=True)
    else:
        return graded, finish
    bare = {name: value for name, value in finish.items() if name == "status"}
    with ground.bound("read"):
        return grader.grade_with_changes(step_from, bare, probed), bare
