"""Opens every page that links lead to and uses every control it finds there, once.

A control that causes no request, no navigation, no change of the page and none of focus does
nothing; a link that leads to a refusal is dead. What was written is taken back before the next one
is used.

Given `Templates`, it is the crawl of a merge: a control is used once for all pages of a template,
the tools of an editor once for all editors, of many boxes of one name the first and the last, and
of a page that offers what another walk has used only what surrounds it and what writes.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from tests.page_templates import PAGES_OF_ONE, Templates

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Request, Response

SCRIPT = (Path(__file__).parent / "crawler.js").read_text()
PATIENCE = 2_000  # ms until a control that did nothing is believed to do nothing
LOOK = 20  # ms between looks
TRIES = 3
PAUSE = 300  # ms before another try
PRESSING = 4_000  # ms until a control that cannot be used is believed to stay so
OPENING = 30_000  # ms until a page is believed not to come
UNSAID = ("page", "return_to", "back", "startAt")
NAMING = ("config",)  # of what a query asks, what says which page it is
REFUSED = (403, 404, 405)  # what is offered and then refused is as dead as a link to nowhere
TEXT_TYPES = {
    *("", "text", "search", "email", "url", "tel", "password", "number", "date", "time"),
    *("datetime-local", "color"),
}
TYPED = {
    "date": "2026-07-01",
    "datetime-local": "2026-07-01T10:00",
    "time": "10:30",
    "number": "7",
    "color": "#123456",
    "email": "someone@elsewhere.example",
    "url": "https://elsewhere.example/",
}


def kind_of(address: str) -> str:
    """Return which page an address is of: numbers and values aside, but what names a page."""
    path = re.sub(r"\b[0-9A-Za-z-]*\d{2,}[0-9A-Za-z-]*\b|\d+", "N", urlsplit(address).path)
    return _asking(path, address)


def _asking(page: str, address: str) -> str:
    """Return a page with what the query of an address asks of it."""
    given = {key: value for key, value in parse_qsl(urlsplit(address).query) if key not in UNSAID}
    keys = sorted(f"{key}={value}" if key in NAMING else key for key, value in given.items())
    return f"{page}?{'&'.join(keys)}" if keys else page


def _ends_of_choices(controls: list[Control]) -> list[Control]:
    """Return the controls without what lies between the first and the last box of one name."""
    boxes: dict[tuple[str, ...], list[Control]] = {}
    for control in controls:
        if control.told["field"] and control.told["type"] in ("checkbox", "radio"):
            alike = (*control.steps, control.told["type"], control.told["field"])
            boxes.setdefault(alike, []).append(control)
    between = {id(control) for many in boxes.values() for control in many[1:-1]}
    return [control for control in controls if id(control) not in between]


def _name_of(told: dict[str, Any]) -> str:
    """Return what tells a control from the others of its page."""
    return "|".join(told[part] for part in ("tag", "type", "role", "name", "field", "test"))


@dataclass(frozen=True, slots=True)
class Control:
    """Something to use on a page, as the page describes it; `steps` open what it lies in."""

    key: str
    steps: tuple[str, ...]
    told: dict[str, Any] = field(hash=False, compare=False)

    @property
    def path(self) -> str:
        """Where it is in the page."""
        return str(self.told["path"])


@dataclass(slots=True)
class Findings:
    """What a crawl used and what was wrong."""

    used: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    pages: int = 0

    @property
    def total(self) -> int:
        """How many distinct controls were used."""
        return sum(self.used.values())


class Crawler:
    """A signed-in browser window that goes everywhere `within` some addresses.

    `take_back` undoes what was written. Pages whose addresses are `alike` are one: what it makes of
    an address counts. What a page sends to `by_itself` is no effect of anything. With `templates`
    it goes to each template, and not to all of its pages.
    """

    def __init__(
        self,
        page: Page,
        origin: str,
        take_back: Callable[[], None],
        *,
        within: tuple[str, ...] = ("/",),
        alike: Callable[[str], str] = str,
        by_itself: tuple[str, ...] = (),
        templates: Templates | None = None,
    ) -> None:
        self.page = page
        self.origin = origin
        self.found = Findings()
        self._take_back = take_back
        self._within, self._alike, self._by_itself = within, alike, by_itself
        self._templates = templates
        self._linked: Counter[str] = Counter()
        self._cookies = page.context.cookies()
        self._keys: set[str] = set()
        self._links: dict[str, str] = {}
        self._queue: list[str] = []
        self._asked: list[Request] = []
        self._where = self._home = ""
        self._typed = self._untouched = False
        page.set_default_timeout(PRESSING)
        page.set_default_navigation_timeout(OPENING)
        page.add_init_script(SCRIPT)
        page.on("request", self._note_request)
        page.on("response", self._note_response)
        page.on("pageerror", lambda error: self._complain(f"script failed: {error}"))
        page.on("dialog", lambda dialog: dialog.accept())
        page.on("download", lambda download: download.cancel())

    def crawl(self, seeds: list[str]) -> Findings:
        """Open the seeds and whatever they lead to; return what was found."""
        self._queue = list(seeds)
        for seed in seeds:
            self._links[self._kind(seed)] = "a seed"
        while self._queue:
            self._visit(self._queue.pop(0))
        return self.found

    def _visit(self, path: str) -> None:
        self._where = path
        status = self._open(path)
        if status >= 400:
            self._complain(f"answers {status}, linked from {self._links.get(self._kind(path))}")
            return
        began, before = time.monotonic(), self.found.total
        self.found.pages += 1
        template, offer = self._template(path), self._offer()
        waiting = self._controls(())
        known = self._templates is not None and self._templates.are_used(template, offer)
        if known and self._templates is not None:  # what may be written is a question of who asks
            waiting = [
                control
                for control in waiting
                if control.told["frame"] or self._templates.writes(control.key)
            ]
        while waiting:
            control = waiting.pop(0)
            if control.key in self._keys:
                continue
            self._keys.add(control.key)
            waiting.extend(self._use(path, control))
        if self._templates is not None:
            self._templates.note_used(template, offer)
        took, used = time.monotonic() - began, self.found.total - before
        print(f"{took:6.1f} s  {used:4} controls  {path}{'  (known)' * known}", flush=True)

    def _go(self, address: str) -> Response | None:
        """Open an address, also where the page just left was about to go elsewhere by itself."""
        from playwright.sync_api import Error  # noqa: PLC0415 - an extra, see the marker

        for _ in range(TRIES - 1):
            try:
                return self.page.goto(address, wait_until="load")
            except Error as error:
                if "Download is starting" in str(error):
                    return None  # a file, and no page
                self.page.wait_for_timeout(PAUSE)
        return self.page.goto(address, wait_until="load")

    def _open(self, path: str) -> int:
        """Open a page as it was before anything was used; return its status."""
        answer = None
        for _ in range(TRIES):
            if self._has_written():
                self._go("about:blank")  # what the page still asked for is answered or dropped
                self._take_back()
            self._asked.clear()
            self._sign_in()
            answer = self._go(self.origin + path)
            if not self._has_written():  # the page that was left may have sent something yet
                break
        self._asked.clear()
        self._home, self._typed, self._untouched = self.page.url, False, True
        return answer.status if answer is not None else 200

    def _sign_in(self) -> None:
        """Be who this crawl goes as, also if a control has signed out."""
        context = self.page.context
        if context.cookies() != self._cookies:
            context.clear_cookies()
            context.add_cookies(self._cookies)  # type: ignore[arg-type]  # what was read can be set

    def _has_written(self) -> bool:
        return any(request.method not in ("GET", "HEAD") for request in self._asked)

    def _controls(self, steps: tuple[str, ...]) -> list[Control]:
        """Return what can be used now, links noted and left out."""
        controls = []
        for told in self._told():
            scope = "frame" if told["frame"] else self._scope()
            if told["tag"] == "a":
                self._note_link(told, scope)
                continue
            if self._templates is not None and told["made"]:
                scope = "tools"
            key = f"{scope}|{_name_of(told)}"
            before = (*steps, told["opener"]) if told["opener"] and not told["seen"] else steps
            controls.append(Control(key, before, told))
        return controls if self._templates is None else _ends_of_choices(controls)

    def _told(self) -> list[dict[str, Any]]:
        """Return what can be used now, as the page describes it."""
        return [
            told
            for told in self.page.evaluate("crawl.controls()")
            if not (told["off"] or told["shut"]) and (told["seen"] or told["opener"])
        ]

    def _offer(self) -> frozenset[str]:
        """Return the names of all that the page itself offers, and where its links lead to."""
        return frozenset(
            f"a|{self._template(told['href'])}|{told['test']}"
            if told["tag"] == "a"
            else _name_of(told)
            for told in self._told()
            if not told["frame"]
        )

    def _scope(self) -> str:
        """Return which page this is, whatever part of it is shown."""
        path, _, query = self._template(self.page.url.removeprefix(self.origin)).partition("?")
        return "?".join([path, *(part for part in query.split("&") if "=" in part)])

    def _template(self, address: str) -> str:
        """Return what renders the page of an address; the page itself where that is not asked."""
        alike = self._alike(address)
        if self._templates is not None and alike.startswith("/"):
            route = self._templates.route_of(urlsplit(alike).path)
            if route is not None:
                return _asking(f"/{route}", alike)
        return kind_of(alike)

    def _is_wanted(self, address: str) -> bool:
        """Tell whether a page that was not there before is to be looked at, too."""
        template = self._template(address)
        self._linked[template] += 1
        return self._templates is None or self._linked[template] <= PAGES_OF_ONE

    def _kind(self, address: str) -> str:
        """Return which page an address is of."""
        return kind_of(self._alike(address))

    def _note_link(self, told: dict[str, Any], scope: str) -> None:
        href = told["href"]
        key = "|".join((scope, "a", self._template(href), self._kind(href), told["test"]))
        if key in self._keys:
            return
        self._keys.add(key)
        self.found.used[scope] += 1
        if href.startswith(("mailto:", "tel:")):
            return
        if href.startswith("#"):
            if not href[1:] or self.page.locator(href).count() == 0:
                self._complain(f"a link to nothing: {told['name']} ({href})")
            return
        address = urljoin(self.page.url, href)
        if not address.startswith(self.origin):
            return
        local = address.removeprefix(self.origin).partition("#")[0]
        kind = self._kind(local)
        if kind in self._links or not local.startswith(self._within):
            return
        if not self._is_wanted(local):
            return
        self._links[kind] = self._where
        if told["download"] or local.startswith("/attachments/"):
            status = self.page.evaluate("async to => (await fetch(to)).status", local)
            if status >= 400:
                self._complain(f"the link {href} answers {status}")
            return
        self._queue.append(local)

    def _use(self, path: str, control: Control) -> list[Control]:
        """Use a control and return what came to light by it.

        Again, on the page opened anew, if that went away meanwhile or nothing was seen to happen:
        what typing into one field still sets off can cross the next one's.
        """
        from playwright.sync_api import Error  # noqa: PLC0415 - an extra, see the marker

        said = ""
        for _ in range(TRIES):
            try:
                new = self._press(path, control)
            except Error as error:
                said = f"cannot be used: {control.key}: {str(error).splitlines()[0]}"
            else:
                if new is not None:
                    return new
                said = f"does nothing: {control.key}"
                print(f"nothing seen: {path}: {control.key}: {self._standing(control)}")
            self._open(path)
        self._complain(said)
        return []

    def _press(self, path: str, control: Control) -> list[Control] | None:
        """Use a control once; return what came to light, none if nothing happened."""
        presses = control.told["tag"] in ("button", "summary")
        # What was typed may be sent in a moment: a press must not be taken for its cause.
        if not self._is_fresh() and ((presses and self._typed) or not self._is_there(control)):
            self._open(path)
        steps, self._untouched = control.steps if self._untouched else (), False
        self._typed = self._typed or not presses
        self._asked.clear()
        spot = self.page.locator(control.path)
        for step in steps:
            self.page.locator(step).click()
        if not spot.is_visible():
            return []  # what is shown only together with another choice
        before = self._standing(control)
        act = self._act_for(control)
        if act is None:
            return []
        shown = {item.key for item in self._controls(control.steps)} if presses else set()
        act(spot)
        acts = self._did_something(control, before)
        if not acts:
            return None
        self.found.used[control.key.partition("|")[0]] += 1
        if self._templates is not None and self._has_written():
            self._templates.note_writing(control.key)
        if self._asked or not presses:
            return []
        deeper = (*control.steps, control.path)
        new = [item for item in self._controls(deeper) if item.key not in shown]
        self._open(path)
        return new

    def _is_fresh(self) -> bool:
        """Tell whether the page is as it was opened."""
        return self._untouched and not self._has_written() and self.page.url == self._home

    def _is_there(self, control: Control) -> bool:
        """Tell whether the page is still the one the control was found on, with nothing written."""
        if self._has_written() or self.page.url != self._home:
            return False
        told = self.page.evaluate("path => crawl.one(path)", control.path)
        if told is None or _name_of(told) != _name_of(control.told):
            return False
        return bool(told["seen"]) or not control.steps  # else what it lies in is shut by now

    def _act_for(self, control: Control) -> Callable[[Locator], Any] | None:
        told = control.told
        kind = told["type"]
        if told["tag"] == "select":
            others = self.page.evaluate("path => crawl.others(path)", control.path)
            return (lambda spot: spot.select_option(others[0])) if others else None
        if told["chosen"]:
            return None  # of several only the others can be chosen
        if told["tag"] == "input" and kind == "file":
            return lambda spot: spot.set_input_files(__file__)
        if told["tag"] == "textarea" or (told["tag"] == "input" and kind in TEXT_TYPES):
            if told["fixed"]:
                return None
            return lambda spot: spot.fill(TYPED.get(kind, "laser"))
        pressed = told["tag"] in ("input", "button", "summary", "a")
        if not pressed and told["role"] in ("", "textbox"):
            return lambda spot: spot.press_sequentially("laser")
        if kind in ("checkbox", "radio"):  # they may lie unseen below what is drawn for them
            return lambda spot: spot.press("Space")
        return lambda spot: spot.click()

    def _standing(self, control: Control) -> tuple[int, str, str, str]:
        told = self.page.evaluate("path => crawl.standing(path)", control.path)
        return told[0], told[1], told[2], self.page.url

    def _did_something(self, control: Control, before: tuple[int, str, str, str]) -> bool:
        """Wait for an effect: a request, an address, a change of the page, of focus, of a form."""
        from playwright.sync_api import Error  # noqa: PLC0415 - an extra, see the marker

        for _ in range(PATIENCE // LOOK):
            if self._asked or self.page.url != before[3]:
                self._settle()
                return True
            try:
                events, focus, state, _url = self._standing(control)
            except Error:
                self._settle()  # the page has gone while it was asked
                return True
            if events != before[0] or (focus not in (before[1], control.path, "")):
                return True
            if control.told["form"] and state != before[2]:
                return True
            self.page.wait_for_timeout(LOOK)
        return False

    def _settle(self) -> None:
        self.page.wait_for_load_state("load")

    def _note_request(self, request: Request) -> None:
        if not urlsplit(request.url).path.startswith(self._by_itself):
            self._asked.append(request)

    def _note_response(self, response: Response) -> None:
        refused = response.status in REFUSED and response.request.method not in ("GET", "HEAD")
        if response.status >= 500 or refused:
            self._complain(f"{response.request.method} {response.url} answers {response.status}")

    def _complain(self, text: str) -> None:
        self.found.wrong.append(f"{self._where}: {text}")
