"""The browser as an action space: one browser, one context per episode, and walls round it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from episodes.browser.acts import COMPUTER, act_from_tool, tools
from episodes.browser.errors import (
    BadAct,
    BrowserError,
    BrowserFull,
    BrowserLost,
    BrowserMissing,
    BrowserTimeout,
    NotAllowed,
    NotVisible,
    StaleRef,
)
from episodes.browser.finding import find_browser, why_none
from episodes.browser.observation import (
    ActError,
    ActResult,
    Cookie,
    Dialog,
    Download,
    Failure,
    Observation,
    Settled,
    Tab,
)
from episodes.browser.tree import TreeOptions, canonical
from episodes.browser.walls import Blocked

if TYPE_CHECKING:
    from episodes.browser.driver import Timeouts
    from episodes.browser.pool import BrowserPool, BrowserSession

__all__ = [
    "COMPUTER",
    "ActError",
    "ActResult",
    "BadAct",
    "Blocked",
    "BrowserError",
    "BrowserFull",
    "BrowserLost",
    "BrowserMissing",
    "BrowserPool",
    "BrowserSession",
    "BrowserTimeout",
    "Cookie",
    "Dialog",
    "Download",
    "Failure",
    "NotAllowed",
    "NotVisible",
    "Observation",
    "Settled",
    "StaleRef",
    "Tab",
    "Timeouts",
    "TreeOptions",
    "act_from_tool",
    "canonical",
    "find_browser",
    "tools",
    "why_none",
]

# Loaded when they are first named: with them come a hundred modules that drive browsers.
_LATER: Final = {"BrowserPool": "pool", "BrowserSession": "pool", "Timeouts": "driver"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
