"""Do acts on the screen: pointer, wheel and keys at places of the picture."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import TimeoutError as PageTimeout

from episodes.browser.errors import BadAct
from episodes.browser.files import payload
from episodes.browser.pointer_acts import (
    ComputerClick,
    ComputerDrag,
    ComputerKey,
    ComputerMove,
    ComputerScroll,
    ComputerType,
    ComputerUpload,
)

if TYPE_CHECKING:
    from playwright.async_api import Page

    from episodes.browser.act_parts import Act
    from episodes.browser.action_executor import Bench

# How many places the pointer passes between two of a path: pages follow it.
PASSED: Final = 8
# The wheel's turn shows in the picture after next.
DRAWN: Final = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

# The choices of the drop-down list at a place, in whichever frame.
CHOICES: Final = r"""
([x, y]) => {
  let found = document.elementFromPoint(x, y);
  while (found && found.localName === 'iframe' && found.contentDocument) {
    const box = found.getBoundingClientRect();
    [x, y] = [x - box.left - found.clientLeft, y - box.top - found.clientTop];
    found = found.contentDocument.elementFromPoint(x, y);
  }
  const list = found && found.closest('select');
  if (!list || list.disabled || list.multiple || list.size > 1) return [];
  return [...list.options].map(one => one.label.trim());
}
"""


async def choices_at(act: Act, page: Page) -> tuple[str, ...]:
    """Return the choices of the drop-down list that a click opens, none where it opens none."""
    if not isinstance(act, ComputerClick) or act.button != "left":
        return ()
    return tuple(await page.evaluate(CHOICES, list(act.points[0])))


async def _click(act: ComputerClick, bench: Bench) -> None:
    async with _held(bench.page, act.hold):
        await bench.page.mouse.click(act.x, act.y, button=act.button, click_count=act.count)


@asynccontextmanager
async def _held(page: Page, keys: Sequence[str]) -> AsyncIterator[None]:
    for key in keys:
        await page.keyboard.down(key)
    try:
        yield
    finally:
        for key in reversed(keys):
            await page.keyboard.up(key)


async def _move(act: ComputerMove, bench: Bench) -> None:
    await bench.page.mouse.move(act.x, act.y, steps=PASSED)


async def _drag(act: ComputerDrag, bench: Bench) -> None:
    mouse, (first, *others) = bench.page.mouse, act.points
    await mouse.move(*first)
    await mouse.down()
    try:
        for place in others:
            await mouse.move(*place, steps=PASSED)
    finally:
        await mouse.up()


async def _scroll(act: ComputerScroll, bench: Bench) -> None:
    await bench.page.mouse.move(act.x, act.y)
    await bench.page.mouse.wheel(act.dx, act.dy)
    for _ in range(2):
        await bench.page.evaluate(DRAWN)


async def _type(act: ComputerType, bench: Bench) -> None:
    await bench.page.keyboard.type(act.text)


async def _key(act: ComputerKey, bench: Bench) -> None:
    for _ in range(act.times):
        await bench.page.keyboard.press(act.key)


async def _upload(act: ComputerUpload, bench: Bench) -> None:
    files = [payload(file) for file in act.files]
    try:
        async with bench.page.expect_file_chooser(timeout=bench.wait) as asked:
            await bench.page.mouse.click(act.x, act.y)
        chooser = await asked.value
    except PageTimeout:
        raise BadAct("nothing there asks for files", "not_a_file_field") from None
    await chooser.set_files(files, timeout=bench.wait)


def on_the_screen(act: Act, bench: Bench) -> None:
    """Check that the places of an act are ones of the picture.

    Raises:
        BadAct: one is not.
    """
    size = bench.page.viewport_size
    for x, y in getattr(act, "points", ()):
        if size is not None and not (x < size["width"] and y < size["height"]):
            seen = f"{size['width']}x{size['height']}"
            raise BadAct(f"({x}, {y}) is no place of the picture, which is {seen}", "off_screen")


HANDS: Final[dict[type[Act], Callable[[Any, Bench], Awaitable[None]]]] = {
    ComputerClick: _click,
    ComputerMove: _move,
    ComputerDrag: _drag,
    ComputerScroll: _scroll,
    ComputerType: _type,
    ComputerKey: _key,
    ComputerUpload: _upload,
}
