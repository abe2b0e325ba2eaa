"""In a real browser: the panel inside a page of the helpdesk's host, with scripts and without."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, unquote

import pytest

from clones.billing.models import Charge, Refund
from clones.core.accounts.handover import mint_handover
from clones.core.models import Account
from episodes.browser import find_browser
from tests.billing.shop import Api, add_charge, add_customer, reading, writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
Found = TypeVar("Found")


def in_browser(script: Callable[[Browser], Found]) -> Found:
    """Run a script with a browser, in a thread of its own: Playwright's loop keeps the ORM out."""

    def run() -> Found:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra, see the marker

        program = find_browser(note=ROOT / ".sandlot" / "browser")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            try:
                return script(browser)
            finally:
                browser.close()

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(run).result()


@pytest.fixture
def charge(api: Api) -> Charge:
    with writing(api.row):
        Account.objects.create(
            id=9001, clone="helpdesk", subject="5", login="a@kestrel.example", role="agent"
        )
        return add_charge(add_customer(), 4900)


class Outer(BaseHTTPRequestHandler):
    """A page that embeds whatever its query names, on any host of this machine."""

    def do_GET(self) -> None:
        inner = escape(unquote(self.path.partition("?")[2]))
        body = f'<title>Ticket</title><iframe title="Billing" src="{inner}"></iframe>'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *values: Any) -> None:
        pass


@pytest.fixture(scope="module")
def outer_port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Outer) as outer:
        Thread(target=outer.serve_forever, daemon=True).start()
        yield int(outer.server_address[1])
        outer.shutdown()


@pytest.fixture
def ticket(api: Api, port: str, outer_port: int) -> Callable[[str], str]:
    """The address of a page on a host of the sandbox that embeds the panel."""
    handover = mint_handover(api.row, "billing", 9001)
    panel = f"http://billing.{api.row.id}.localhost:{port}/panel?email=ana@lima.example"
    inner = quote(f"{panel}&handover={handover}", safe="")
    return lambda host: f"http://{host}.{api.row.id}.localhost:{outer_port}/?{inner}"


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_refund_in_the_frame(
    api: Api, charge: Charge, ticket: Callable[[str], str], scripts: bool
) -> None:
    def refund(browser: Browser) -> str:
        page = browser.new_context(java_script_enabled=scripts).new_page()
        page.goto(ticket("helpdesk"))
        frame = page.frame_locator("iframe")
        table = frame.get_by_role("table", name="Charges of ana@lima.example")
        frame.get_by_role("button", name=f"Refund {charge.id} of $49.00").click()
        frame.get_by_role("textbox", name="Amount in USD").fill("9.50")
        frame.get_by_role("combobox", name="Reason").select_option("duplicate")
        confirm = "Refund 9.50 USD" if scripts else "Refund $49.00"
        frame.get_by_role("button", name=confirm, exact=True).click()
        said = frame.get_by_role("status").inner_text()
        assert table.get_by_role("row").count() == 2
        return said

    said = in_browser(refund)
    assert re.fullmatch(rf"Refunded \$9\.50 of {charge.id} \(re_\w+\)\.", said)
    with reading(api.row):
        made = Refund.objects.get()
        assert (made.amount, made.reason) == (950, "duplicate")


def test_no_other_host_may_frame_it(charge: Charge, ticket: Callable[[str], str]) -> None:
    def look(browser: Browser) -> tuple[int, list[str]]:
        page = browser.new_page()
        told: list[str] = []
        page.on("console", lambda message: told.append(message.text))
        page.goto(ticket("tracker"))
        return page.frame_locator("iframe").get_by_role("table").count(), told

    tables, told = in_browser(look)
    assert tables == 0
    assert any("frame-ancestors" in text for text in told)
