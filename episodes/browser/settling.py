"""Wait until a page has come to rest after an act, and never by sleeping.

At rest: every request the act started is over, the documents are loaded, two frames were painted,
htmx has nothing in flight or half-swapped, and no short timer that a script set is pending (type-
ahead fields ask the server a moment after the last key). A script's long chain of timers is taken
for polling and not waited for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from playwright.async_api import Error, Frame, Page

from episodes.browser.observation import Settled
from episodes.browser.watch import Watch, WatchMark

TIMER_GRACE = 1.5
"""Seconds after an act for which pending short timers are waited for."""

PAGE_SCRIPT = r"""
(() => {
  // Line breaks, which accessibility snapshots leave out between two words.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("br::before { content: '\\e000' }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const key = Symbol.for('sandlot.settling');
  if (window[key]) return;
  // Timers that are due soon; one set inside another's callback is one level deeper.
  const longest = 600, deepest = 4;
  const start = window.setTimeout, stop = window.clearTimeout, due = new Set();
  let level = 0;
  window.setTimeout = function setTimeout(run, delay, ...rest) {
    if (typeof run !== 'function') return start.call(window, run, delay, ...rest);
    const mine = level + 1;
    const id = start.call(window, () => {
      const before = level;
      due.delete(id);
      level = mine;
      try { run.apply(window, rest); } finally { level = before; }
    }, delay);
    if (mine <= deepest && !(Number(delay) > longest)) due.add(id);
    return id;
  };
  window.clearTimeout = function clearTimeout(id) {
    due.delete(id);
    return stop.call(window, id);
  };
  Object.defineProperty(window, key, { value: { due, start } });
})();
"""

# Pages that are not shown paint nothing: then a timer stands in for the frames.
PROBE = r"""
() => new Promise(resolve => {
  const own = window[Symbol.for('sandlot.settling')];
  const start = own ? own.start : window.setTimeout;
  let frames = 2, told = false;
  const tell = () => {
    if (told) return;
    told = true;
    const busy = [];
    if (document.readyState !== 'complete') busy.push('loading');
    if (document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')) busy.push('htmx');
    if (own && own.due.size) busy.push('timers');
    resolve(busy);
  };
  const paint = () => { if (--frames < 0) tell(); else requestAnimationFrame(paint); };
  paint();
  start.call(window, tell, 100);
})
"""


async def settle(watch: Watch, since: WatchMark, limit: float) -> Settled:
    """Wait until the active tab is at rest.

    Args:
        watch: the context's listener.
        since: the moment before the act.
        limit: how many seconds to wait at most.
    """
    clock = asyncio.get_running_loop().time
    began = clock()
    waiting: list[str] = []
    while True:
        left = began + limit - clock()
        if left <= 0:
            return Settled(ok=False, seconds=clock() - began, waiting=tuple(waiting))
        waiting = watch.waiting_for(since)
        if waiting:
            await _within(watch.moved(), left)
            continue
        page = watch.active
        if page is None or watch.crashed:
            return Settled(ok=True, seconds=clock() - began)
        waiting = await _busy(page, left)
        if clock() - began > TIMER_GRACE:
            waiting = [reason for reason in waiting if reason != "timers"]
        if not waiting and watch.active is page and not watch.waiting_for(since):
            return Settled(ok=True, seconds=clock() - began)


async def _busy(page: Page, left: float) -> list[str]:
    answers = await asyncio.gather(*(_probe(frame, left) for frame in page.frames))
    return sorted({reason for answer in answers for reason in answer})


async def _probe(frame: Frame, left: float) -> list[str]:
    try:
        answer: list[str] = await asyncio.wait_for(frame.evaluate(PROBE), left)
    except TimeoutError:
        return ["a page that does not answer"]
    except Error:
        # The document went away under the question, by navigation or with its frame.
        return [] if frame.is_detached() or frame.page.is_closed() else ["navigation"]
    return answer


async def _within(waiting: Awaitable[object], left: float) -> None:
    try:
        await asyncio.wait_for(waiting, left)
    except TimeoutError:
        return
