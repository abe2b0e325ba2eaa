"""`make tour`: a picture of every screen, and the page that shows them.

    python -m tools.tour --clone helpdesk [--viewport 1280x720] [--kind png] [--into FOLDER] [NAME]

Serves the world `kestrel`, opens each screen of the clone's table
(`tour_CLONE.toml`) in a browser as the role it names, and writes docs/tour/CLONE.md with the
pictures beside it. With NAMEs only those are pictured, and with --into the pictures go elsewhere;
the page is written only by a whole tour.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from episodes.browser import find_browser
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from sandlot.client import ControlClient

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HERE = Path(__file__).parents[1]
TOUR = HERE / "docs" / "tour"
VIEWPORT = "1440x900"
WORLD = {"world": "kestrel", "size": "tiny", "seed": 1}
ABOUT = "the world `kestrel`, at 1440 by 900. Names in it are invented."
Screen = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Guide:
    """What a tour must know of a clone: its sign-in, and how a user of the API is named."""

    title: str
    sign_in: str
    button: str
    user: str


# The tables of the clones that are toured, by the clone's name.
TABLES = {
    path.stem.removeprefix("tour_"): path for path in sorted((HERE / "tools").glob("tour_*.toml"))
}


class Visit:
    """A sandbox to walk through: its cards, and the records that screens name."""

    def __init__(self, card: dict[str, Any], origin: str, tour: dict[str, Any]) -> None:
        self.guide = Guide(**tour["guide"])
        self.url: str = card["url"]
        self.accounts: dict[str, dict[str, str]] = {}
        for account in card["accounts"]:
            self.accounts.setdefault(account["role"], account)
        self.origin = origin
        self.records = {name: self._first(address) for name, address in tour["find"].items()}

    def _first(self, address: str) -> str:
        """Return the id of the first record of a list, or its key where the address asks for it.

        Raises:
            LookupError: the list is empty.
        """
        admin = self.accounts["admin"]
        auth = (self.guide.user.format(**admin), admin["api_token"])
        address, _, wanted = address.partition("#")
        answer = httpx.get(self.origin + address, auth=auth).raise_for_status().json()
        for value in [answer] if isinstance(answer, list) else answer.values():
            if isinstance(value, list) and value:
                return str(value[0][wanted or "id"])
        raise LookupError(f"nothing at {address}")

    def address(self, screen: Screen) -> str:
        """Return a screen's address in this sandbox."""
        return self.url + str(screen["path"]).format(**self.records)


@contextmanager
def served() -> Iterator[dict[str, Any]]:
    """Serve a new sandbox for the length of the block; yield what was created."""
    with tempfile.TemporaryDirectory(prefix="sandlot-tour-") as folder:
        host = "127.0.0.1"
        options = ServeOptions(
            data=Path(folder), port=free_port(host), control_port=free_port(host), workers=1
        )
        with (
            RunningServer(options) as server,
            ControlClient(server.control_url, server.token) as client,
        ):
            client.post("/v1/worlds", {"name": "kestrel", "size": "tiny", "seed": 1})
            yield client.post("/v1/sandboxes", WORLD)


def picture(
    browser: Browser, visit: Visit, screens: Sequence[Screen], size: str, to: Path, *, kind: str
) -> None:
    """Picture the screens of one role, signed in once.

    Raises:
        RuntimeError: a page answers with an error.
    """
    width, height = (int(side) for side in size.split("x"))
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    role = str(screens[0]["role"])
    if role:
        _sign_in(page, visit, visit.accounts[role])
    for screen in screens:
        answer = page.goto(visit.address(screen), wait_until="networkidle")
        if answer is not None and answer.status >= 400:
            raise RuntimeError(f"{screen['name']}: {page.url} answers {answer.status}")
        for target in screen.get("press", ()):
            page.locator(target).first.click()
            page.wait_for_load_state("networkidle")
        if kind == "png":
            page.screenshot(path=to / f"{screen['name']}.png")
        else:
            page.screenshot(path=to / f"{screen['name']}.jpg", type="jpeg", quality=70)
        print(f"{screen['name']:24} {page.url.removeprefix(visit.url)}", file=sys.stderr)
    page.context.close()


def _sign_in(page: Page, visit: Visit, account: dict[str, str]) -> None:
    page.goto(visit.url + visit.guide.sign_in)
    page.get_by_label("Email").fill(account["email"])
    page.get_by_label("Password").fill(account["password"])
    page.get_by_role("button", name=visit.guide.button).click()
    page.wait_for_load_state("networkidle")


def page_of(screens: Sequence[Screen], clone: str, title: str) -> str:
    """Return the text of the tour's page."""
    lines = [
        f"# A tour of {title}",
        "",
        f"Made by `make tour CLONE={clone}`: {ABOUT}",
    ]
    for screen in screens:
        who = f"as {screen['role']}" if screen["role"] else "signed out"
        lines += ["", f"## {screen['title']}", "", f"{screen['text']} `{screen['path']}`, {who}."]
        lines += ["", f"![{screen['title']}]({clone}/{screen['name']}.jpg)"]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Make the tour; return 2 where there is no browser to make it with."""
    parser = argparse.ArgumentParser(prog="tour", description="Picture every screen.")
    parser.add_argument("--clone", choices=sorted(TABLES), required=True)
    parser.add_argument("--viewport", default=VIEWPORT)
    parser.add_argument("--into", type=Path, default=None)
    parser.add_argument("--kind", choices=("jpg", "png"), default="jpg")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args(arguments)
    tour = tomllib.loads(TABLES[given.clone].read_text())
    screens = [item for item in tour["screen"] if not given.names or item["name"] in given.names]
    found = find_browser()
    if found is None:
        print("tour: no browser found: install chromium", file=sys.stderr)
        return 2
    folder = given.into or TOUR / given.clone
    folder.mkdir(parents=True, exist_ok=True)
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra

    with served() as created, sync_playwright() as playwright:
        visit = Visit(created["apps"][given.clone], created["origin"], tour)
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        for role in dict.fromkeys(item["role"] for item in screens):
            mine = [item for item in screens if item["role"] == role]
            picture(browser, visit, mine, given.viewport, folder, kind=given.kind)
        browser.close()
    if given.into is None and not given.names:
        title = tour["guide"]["title"]
        (TOUR / f"{given.clone}.md").write_text(page_of(screens, given.clone, title))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
