"""The browser as an action space: one browser, one context per episode, and walls round it."""

from episodes.browser.acts import act_from_tool, tools
from episodes.browser.driver import Limits
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
from episodes.browser.pool import BrowserPool, BrowserSession
from episodes.browser.tree import TreeOptions, canonical
from episodes.browser.walls import Blocked

__all__ = [
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
    "Limits",
    "NotAllowed",
    "NotVisible",
    "Observation",
    "Settled",
    "StaleRef",
    "Tab",
    "TreeOptions",
    "act_from_tool",
    "canonical",
    "find_browser",
    "tools",
    "why_none",
]
