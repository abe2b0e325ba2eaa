"""Do acts on the screen: pointer, wheel and keys at places of the picture."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import Error
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

# How many places the pointer passes on its way, which pages follow: between two of a path fewer
# the more there are.
PASSED: Final = 8
ON_A_PATH: Final = 64
# A longer text is put in at once: each key has handlers, and nobody waits for thousands.
BY_KEYS: Final = 500
# Seconds for a look at what an act has done.
LOOK: Final = 2.0
# The wheel's turn shows in the picture after next.
DRAWN: Final = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

# The choices of the drop-down list that has the focus of a frame's document.
CHOICES: Final = r"""
() => {
  const list = document.hasFocus() ? document.activeElement : null;
  if (!list || list.localName !== 'select' || list.multiple || list.size > 1) return [];
  return [...list.options].map(one => one.label.trim());
}
"""

# The file field at a place: what a click there would have a person choose for.
FILE_FIELD: Final = r"""
([x, y]) => {
  const found = document.elementFromPoint(x, y);
  const field = found && (found.closest('label')?.control || found);
  return field && field.matches('input[type=file]:enabled') ? field : null;
}
"""


async def open_list(act: Act, page: Page) -> tuple[str, ...]:
    """Return the choices of the drop-down list that a click has opened, none where it opened none.

    A page that the click leads away from has none.
    """
    if not isinstance(act, ComputerClick) or act.button != "left":
        return ()
    with suppress(TimeoutError, Error):
        async with asyncio.timeout(LOOK):
            for frame in page.frames:
                found = await frame.evaluate(CHOICES)
                if found:
                    return tuple(found)
    return ()


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
    passed = max(1, min(PASSED, ON_A_PATH // len(others)))
    await mouse.move(*first)
    await mouse.down()
    try:
        for place in others:
            await mouse.move(*place, steps=passed)
    finally:
        await mouse.up()


async def _scroll(act: ComputerScroll, bench: Bench) -> None:
    await bench.page.mouse.move(act.x, act.y)
    await bench.page.mouse.wheel(act.dx, act.dy)
    with suppress(TimeoutError):  # a page that is not drawn has nothing to wait for
        async with asyncio.timeout(LOOK):
            for _ in range(2):
                await bench.page.evaluate(DRAWN)


async def _type(act: ComputerType, bench: Bench) -> None:
    if len(act.text) > BY_KEYS:
        await bench.page.keyboard.insert_text(act.text)
    else:
        await bench.page.keyboard.type(act.text)


async def _key(act: ComputerKey, bench: Bench) -> None:
    for _ in range(act.times):
        await bench.page.keyboard.press(act.key)


async def _upload(act: ComputerUpload, bench: Bench) -> None:
    files = [payload(file) for file in act.files]
    field = (await bench.page.evaluate_handle(FILE_FIELD, list(act.points[0]))).as_element()
    if field is not None:
        await field.set_input_files(files, timeout=bench.wait)
        return
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
