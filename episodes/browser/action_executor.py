"""Do one act on a page, as a person's hands would; tell the agent's mistakes from our failures."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from playwright.async_api import (
    Error,
    Locator,
    Page,
)
from playwright.async_api import (
    TimeoutError as PageTimeout,
)

from episodes.browser.act_parts import Act
from episodes.browser.acts import (
    Back,
    Click,
    Forward,
    Goto,
    Hover,
    Press,
    Scroll,
    Select,
    Tab,
    Type,
    Upload,
)
from episodes.browser.errors import BadAct, BrowserTimeout, NotVisible, PageUnanswered, StaleRef
from episodes.browser.files import payload
from episodes.browser.pointer_executor import HANDS as POINTER_HANDS
from episodes.browser.pointer_executor import on_the_screen
from episodes.browser.watch import Watch, WatchMark

PROBE = r"""
element => {
  const box = element.getBoundingClientRect();
  const field = element.matches('input, textarea');
  return {
    tag: element.localName,
    type: field ? element.type : '',
    visible: element.checkVisibility({visibilityProperty: true}) && box.width > 0 && box.height > 0,
    disabled: element.matches(':disabled') || element.closest('[aria-disabled="true"]') !== null,
    editable: element.isContentEditable || (field && !element.readOnly &&
      !['button', 'checkbox', 'color', 'file', 'hidden', 'image', 'radio', 'range', 'reset',
        'submit'].includes(element.type)),
    options: element.localName !== 'select' ? [] :
      [...element.options].map(one => [one.label.trim(), one.value, one.disabled]),
  };
}
"""

SCROLL = r"""
(element, [x, y, pixels]) => {
  const scrolls = one => {
    const style = getComputedStyle(one);
    const rule = x ? style.overflowX : style.overflowY;
    const room = x ? one.scrollWidth > one.clientWidth : one.scrollHeight > one.clientHeight;
    return room && (rule === 'auto' || rule === 'scroll' || one === document.scrollingElement);
  };
  let area = element;
  while (area && !scrolls(area)) area = area.parentElement;
  area = area || document.scrollingElement || document.documentElement;
  const [wide, high] = [area.clientWidth, area.clientHeight];
  const size = x ? Math.min(wide, innerWidth) : Math.min(high, innerHeight);
  const far = pixels === null ? Math.round(size * 0.8) : pixels;
  const before = [area.scrollLeft, area.scrollTop];
  area.scrollBy({left: x * far, top: y * far, behavior: 'instant'});
  return area.scrollLeft !== before[0] || area.scrollTop !== before[1];
}
"""

# What Playwright still waits for once the act itself is done: the page that it leads to, for which
# whoever looks at it has more patience.
LEADS_ON = "waiting for scheduled navigations to finish"

# Characters that a page under load takes one by one while an act is waited for.
SLOW_TEXT = 2_000

DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


@dataclass(frozen=True, slots=True)
class Bench:
    """What an act works on.

    Attributes:
        page: the active tab.
        element: the act's element, when it has one.
        url: the checked address it leads to, when it has one.
        watch: the context's listener.
        since: the moment before the act.
        patience: seconds to wait for an element to become ready.
        load: seconds to wait for an address to answer.
    """

    page: Page
    element: Locator | None
    url: str | None
    watch: Watch
    since: WatchMark
    patience: float
    load: float

    @property
    def wait(self) -> float:
        """Return the patience in Playwright's milliseconds."""
        return self.patience * 1000

    def aim(self) -> Locator:
        """Return the element of an act that must have one."""
        if self.element is None:
            raise BadAct("this act needs an element")
        return self.element


async def do(act: Act, bench: Bench) -> None:
    """Do an act.

    Raises:
        BadAct: it cannot be done on this page as asked.
        BrowserTimeout: the browser did not come to do it.
        playwright.async_api.Error: the browser is gone.
    """
    try:
        on_the_screen(act, bench)
        await _HANDS[type(act)](act, bench)
    except PageTimeout as error:
        if LEADS_ON not in str(error):
            raise _blame(str(error)) from None
    except Error as error:
        if bench.page.is_closed() and bench.watch.active not in {None, bench.page}:
            return  # the act made the page close its own window
        if (mistake := _mistake(str(error))) is not None:
            raise mistake from None
        raise


async def begin(url: str, bench: Bench) -> None:
    """Open the first page.

    Raises:
        BrowserTimeout: it did not answer in time: no agent has asked for anything yet.
    """
    try:
        await do(Goto(url=url), bench)
    except PageUnanswered as error:
        raise BrowserTimeout(error.message) from error


async def _click(act: Click, bench: Bench) -> None:
    element = bench.aim()
    await _ready(element, bench)
    await element.click(button=act.button, click_count=2 if act.double else 1, timeout=bench.wait)


async def _hover(_act: Hover, bench: Bench) -> None:
    element = bench.aim()
    seen = await _probe(element, bench)
    _must_be_visible(seen)
    await element.hover(timeout=bench.wait)


async def _type(act: Type, bench: Bench) -> None:
    element = bench.aim()
    seen = await _ready(element, bench)
    if not seen["editable"]:
        raise BadAct("this element takes no text", "not_editable")
    if act.append or act.slowly:
        await element.focus(timeout=bench.wait)
        if not act.append:
            await element.fill("", timeout=bench.wait)
        await bench.page.keyboard.press("Control+End")
        if act.slowly:
            if len(act.text) > SLOW_TEXT:
                raise BadAct(f"no more than {SLOW_TEXT} characters are typed slowly", "bad_value")
            await element.press_sequentially(act.text, timeout=bench.load * 1000)
        else:
            await bench.page.keyboard.insert_text(act.text)
    else:
        await element.fill(act.text, timeout=bench.wait)
    if act.submit:
        await element.press("Enter", timeout=bench.wait)


async def _select(act: Select, bench: Bench) -> None:
    element = bench.aim()
    seen = await _ready(element, bench)
    if seen["tag"] != "select":
        raise BadAct("this is no drop-down list: click it, then click the option", "not_a_list")
    wanted = [_option(option, seen["options"]) for option in act.options]
    await element.select_option(index=wanted, timeout=bench.wait)


def _option(wanted: str, options: list[tuple[str, str, bool]]) -> int:
    for part in (0, 1):
        for index, option in enumerate(options):
            if option[part] == wanted.strip():
                if option[2]:
                    raise BadAct(f"the option {wanted!r} is disabled", "disabled")
                return index
    names = ", ".join(repr(option[0]) for option in options[:40])
    raise BadAct(f"there is no option {wanted!r}; there are {names}", "no_such_option")


async def _press(act: Press, bench: Bench) -> None:
    if bench.element is None:
        await bench.page.keyboard.press(act.key)
        return
    await _ready(bench.element, bench)
    await bench.element.press(act.key, timeout=bench.wait)


async def _scroll(act: Scroll, bench: Bench) -> None:
    if act.direction is None:
        await bench.aim().scroll_into_view_if_needed(timeout=bench.wait)
        return
    area = bench.element or bench.page.locator("body")
    how = [*DIRECTIONS[act.direction], act.pixels]
    if not await area.evaluate(SCROLL, how, timeout=bench.wait):
        raise BadAct(f"there is nothing more to see {act.direction}", "at_the_end")


async def _goto(_act: Goto, bench: Bench) -> None:
    await _open(bench.page, bench)


async def _open(page: Page, bench: Bench) -> None:
    """Open the act's address; a page that cannot be reached is what the agent then sees."""
    if bench.url is None:
        return
    try:
        await page.goto(bench.url, wait_until="commit", timeout=bench.load * 1000)
    except PageTimeout:
        raise PageUnanswered(f"{bench.url} did not answer in {bench.load:g} seconds") from None
    except Error as error:
        if "Download is starting" in str(error) or "net::ERR_ABORTED" in str(error):
            _unless_kept(bench)
            return
        if "net::ERR_" not in str(error) and "interrupted by another" not in str(error):
            raise


async def _back(_act: Back, bench: Bench) -> None:
    await _move(bench, -1)


async def _forward(_act: Forward, bench: Bench) -> None:
    await _move(bench, 1)


async def _move(bench: Bench, step: int) -> None:
    session = await bench.page.context.new_cdp_session(bench.page)
    try:
        history = await session.send("Page.getNavigationHistory")
    finally:
        await session.detach()
    at, entries = history["currentIndex"] + step, history["entries"]
    if not 0 <= at < len(entries) or entries[at]["url"] == "about:blank":
        word = "previous" if step < 0 else "next"
        raise BadAct(f"there is no {word} page", "no_page")
    move = bench.page.go_back if step < 0 else bench.page.go_forward
    try:
        await move(wait_until="commit", timeout=bench.load * 1000)
    except PageTimeout:
        _unless_kept(bench)
        raise PageUnanswered(f"no page within {bench.load:g} seconds") from None
    except Error as error:
        if "net::ERR_" not in str(error):
            raise


def _unless_kept(bench: Bench) -> None:
    """Stop where the page asked whether to leave, and the dialog was dismissed."""
    for dialog in bench.watch.dialogs[bench.since.dialogs :]:
        if dialog.kind == "beforeunload" and not dialog.accepted:
            raise BadAct("the page asks whether to leave it: accept its dialog to go", "kept")


async def _tab(act: Tab, bench: Bench) -> None:
    pages = bench.watch.pages
    if act.do == "new":
        await _open(await bench.page.context.new_page(), bench)
        return
    index = pages.index(bench.page) if act.index is None else act.index
    if index >= len(pages):
        raise BadAct(f"there is no tab {index}", "no_such_tab")
    if act.do == "switch":
        bench.watch.activate(pages[index])
        await pages[index].bring_to_front()
        return
    if len(pages) == 1:
        raise BadAct("the last tab cannot be closed", "last_tab")
    await pages[index].close()


async def _upload(act: Upload, bench: Bench) -> None:
    element = bench.aim()
    seen = await _probe(element, bench)
    files = [payload(file) for file in act.files]
    if seen["disabled"]:
        raise BadAct("the element is disabled", "disabled")
    if seen["tag"] == "input" and seen["type"] == "file":
        await element.set_input_files(files, timeout=bench.wait)
        return
    _must_be_visible(seen)
    try:
        async with bench.page.expect_file_chooser(timeout=bench.wait) as asked:
            await element.click(timeout=bench.wait)
        chooser = await asked.value
    except PageTimeout as error:
        if "intercepts pointer events" in str(error):
            raise
        raise BadAct("this element asks for no files", "not_a_file_field") from None
    await chooser.set_files(files, timeout=bench.wait)


async def _probe(element: Locator, bench: Bench) -> dict[str, Any]:
    if not await element.count():
        raise StaleRef("the element is no longer on the page")
    seen: dict[str, Any] = await element.evaluate(PROBE, timeout=bench.wait)
    return seen


async def _ready(element: Locator, bench: Bench) -> dict[str, Any]:
    """Return what an element is, when it can be used.

    Raises:
        NotVisible: it is hidden.
        BadAct: it is disabled.
    """
    seen = await _probe(element, bench)
    _must_be_visible(seen)
    if seen["disabled"]:
        raise BadAct("the element is disabled", "disabled")
    return seen


def _must_be_visible(seen: dict[str, Any]) -> None:
    if not seen["visible"]:
        raise NotVisible("the element is hidden")


def _blame(message: str) -> BadAct | BrowserTimeout:
    """Tell from what Playwright waited for who is to blame for a wait in vain."""
    if "intercepts pointer events" in message:
        return NotVisible("another element covers this one")
    if "is not visible" in message or "outside of the viewport" in message:
        return NotVisible("the element cannot be brought into view")
    if "is not enabled" in message:
        return BadAct("the element is disabled", "disabled")
    if "is not editable" in message:
        return BadAct("the element is read-only", "not_editable")
    return BrowserTimeout(message.partition("\n")[0])


def _mistake(message: str) -> BadAct | None:
    """Return the agent's mistake that Playwright complains of, or None when it is not one."""
    if any(words in message for words in ("not attached", "No element matching", "not found in")):
        return StaleRef("the element is no longer on the page")
    if "Unknown key" in message:
        return BadAct("there is no such key", "no_such_key")
    if "Cannot type text into" in message or "Malformed value" in message:
        return BadAct("this field does not take such text", "bad_value")
    if "invalid URL" in message:
        return BadAct("this is no address that can be opened", "bad_arguments")
    if "Cannot set buffer larger than" in message:
        return BadAct("these files are too large to be carried", "bad_arguments")
    if "Non-multiple file input" in message:
        return BadAct("this field takes one file", "bad_value")
    return None


_HANDS: dict[type[Act], Callable[[Any, Bench], Awaitable[None]]] = {
    Click: _click,
    Hover: _hover,
    Type: _type,
    Select: _select,
    Press: _press,
    Scroll: _scroll,
    Goto: _goto,
    Back: _back,
    Forward: _forward,
    Tab: _tab,
    Upload: _upload,
    **POINTER_HANDS,
}
