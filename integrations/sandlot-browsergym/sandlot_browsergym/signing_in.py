"""Sign a page in to the apps of an episode, as whom the agent works as."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Error, Page

from sandlot.spaces.rollout import EnvironmentFailed


def sign_in(page: Page, apps: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Sign in to each app that has a password for the agent, and end on the first one's pages.

    Return the address at which the pages of each begin.

    Raises:
        EnvironmentFailed: an app does not let the agent in.
    """
    homes: dict[str, str] = {}
    for name, app in apps.items():
        account = next((one for one in app["accounts"] if one.get("password")), None)
        if account is None:
            continue
        try:
            homes[name] = _fill_in(page, app["url"], account)
        except Error as error:
            raise EnvironmentFailed(f"the pages of {name} fail: {error}") from error
    if not homes:
        raise EnvironmentFailed("the agent has no account in any of the apps")
    page.goto(next(iter(homes.values())))
    return homes


def _fill_in(page: Page, url: str, account: Mapping[str, Any]) -> str:
    """Sign in where the pages ask for it, and return the address that this leads to."""
    page.goto(url)
    password = page.locator("input[type=password]")
    if password.count():
        page.locator("input[type=email]").fill(account["email"])
        password.fill(account["password"])
        page.locator("form button[type=submit]").click()
        page.wait_for_load_state()
    if password.count():
        raise EnvironmentFailed(f"{url} does not let {account['email']} in")
    return page.url
