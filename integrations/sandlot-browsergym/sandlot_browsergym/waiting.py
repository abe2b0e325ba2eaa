"""An action that lets the sandbox's time pass: for tasks in which somebody has to answer first.

Give it to BrowserGym's action set: `HighLevelActionSet([..., "custom"], [let_time_pass])`.
"""

from typing import Any
from weakref import WeakKeyDictionary

from sandlot.spaces.rollout import Rollout

# The episode that is played in a browser's context.
PLAYED: WeakKeyDictionary[Any, Rollout] = WeakKeyDictionary()


def wait_in(context: Any, minutes: float) -> None:
    """Let time pass in the episode of a browser's context, until somebody writes.

    Raises:
        ValueError: no episode is played there, or it cannot wait for so long.
        EnvironmentFailed: the environment failed.
    """
    rollout = PLAYED.get(context)
    if rollout is None:
        raise ValueError("no episode of Sandlot is played in this browser")
    told = rollout.observe_act("wait", {"minutes": minutes})
    if told["kind"] == "error":
        raise ValueError(told["text"])


def let_time_pass(minutes: float) -> None:
    """Let time pass, until somebody writes or the minutes are over. Then look at the page anew.

    Examples:
        let_time_pass(60)

        let_time_pass(2880)
    """
    # BrowserGym takes this function's text and runs it elsewhere, where `page` is the page.
    from sandlot_browsergym.waiting import wait_in  # noqa: PLC0415 - as said above

    wait_in(page.context, minutes)  # type: ignore[name-defined] # noqa: F821 - as said above
