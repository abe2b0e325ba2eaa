"""People at the tracker's pages, with browsers without a screen."""

from __future__ import annotations

from typing import Any

from django.test import Client

from tests.tracker.site import Site
from tests.tracker.web.pages import Page

__all__ = ["Visit", "visitor"]


class Visit:
    """Somebody signed in at a site's pages: `visitor(site, "dev")`."""

    def __init__(self, site: Site, login: str) -> None:
        self.site = site
        self.client = Client(headers={"host": f"tracker.{site.row.id}.localhost:8800"})
        card = site.cards[login]
        answer = self.client.post(
            "/login", {"username": card.login, "password": card.secrets["password"]}
        )
        assert answer.status_code == 302, answer.content
        self.token = ""

    def get(self, path: str, status: int = 200, **query: Any) -> Page:
        """Open a page that answers with a status; `query` is what its address asks."""
        return self._shown(path, self.client.get(path, query or None), status)

    def post(self, path: str, data: dict[str, Any] | None = None, status: int = 302) -> Page:
        """Send a form, with the session's token, that is answered with a status."""
        if not self.token:
            page = self.get("/jira/for-you")
            self.token = page.html.partition('data-token="')[2].partition('"')[0]
        answer = self.client.post(path, {"atl_token": self.token, **(data or {})})
        return self._shown(path, answer, status)

    def change(self, path: str, action: str, /, **changes: Any) -> Page:
        """Open a page, change what is given in one of its forms, and send it: it is taken."""
        return self.post(action, {**self.get(path).form(action.partition("?")[0]), **changes})

    def _shown(self, path: str, answer: Any, status: int) -> Page:
        html = answer.content.decode()
        page = Page(
            path, answer.status_code, html, answer.headers.get("Location", ""), answer.headers
        )
        assert page.status == status, (path, page.status, page.location, page.said)
        return page


def visitor(site: Site, login: str = "ada") -> Visit:
    """Return somebody signed in at a site's pages."""
    return Visit(site, login)
