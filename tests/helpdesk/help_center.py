"""A help center to test: two categories, sections in them, and articles for each kind of reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.helpdesk.conftest import Desk

HC = "help_center"
# With a language and without: each operation that has both is tested by both.
PREFIXES = (f"{HC}/en-us", HC)
BEAM = "<h2>Clean it</h2><p>Use alcohol &amp; tissue for the lens.</p>"


class Shelf:
    """The help center of a desk, by the names of what is in it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        segments = desk.get(f"{HC}/user_segments.json", by="olga")["user_segments"]
        self.segments: dict[str, int] = {found["user_type"]: found["id"] for found in segments}
        groups = desk.get("guide/permission_groups.json", by="olga")["permission_groups"]
        self.group = groups[0]["id"]
        listed = desk.get(f"{HC}/articles.json?per_page=100", by="olga")["articles"]
        self.articles: dict[str, int] = {found["title"]: found["id"] for found in listed}
        sections = desk.get(f"{HC}/sections.json", by="olga")["sections"]
        self.sections: dict[str, int] = {found["name"]: found["id"] for found in sections}
        places = desk.get(f"{HC}/categories.json", by="olga")["categories"]
        self.categories: dict[str, int] = {found["name"]: found["id"] for found in places}

    def __getitem__(self, title: str) -> int:
        return self.articles[title]


def fill(desk: Desk) -> None:
    """Write categories, sections and articles as the admin does."""
    segments = desk.get(f"{HC}/user_segments.json", by="olga")["user_segments"]
    staff = next(found["id"] for found in segments if found["user_type"] == "staff")
    signed = next(found["id"] for found in segments if found["user_type"] == "signed_in_users")
    machines = _place(desk, "categories", "category", name="Machines", position=1)
    orders = _place(desk, "categories", "category", name="Orders", position=2)
    optics = _place(desk, f"categories/{machines}/sections", "section", name="Optics")
    returns = _place(desk, f"categories/{orders}/sections", "section", name="Returns")
    _place(desk, f"categories/{orders}/sections", "section", name="Empty", position=5)
    _article(desk, optics, title="Clean the lens", body=BEAM, label_names=["lens", "Care"])
    _article(desk, optics, title="Align mirrors", body="<p>Tape test.</p>", promoted=True)
    _article(desk, returns, title="Return a part", body="<p>Within 30 days.</p>", position=2)
    _article(desk, returns, title="For customers", body="<p>Sign in.</p>", user_segment_id=signed)
    _article(desk, returns, title="Who decides", body="<p>The lead.</p>", user_segment_id=staff)
    _article(desk, returns, title="New terms", body="<p>Within 60 days.</p>", draft=True)


def _place(desk: Desk, path: str, kind: str, **values: Any) -> int:
    found = desk.post(f"{HC}/{path}.json", {kind: values}, by="olga")
    key: int = found[kind]["id"]
    return key


def _article(desk: Desk, section: int, **values: Any) -> int:
    given = {"locale": "en-us", "user_segment_id": None, **values}
    made = desk.post(f"{HC}/sections/{section}/articles.json", {"article": given}, by="olga")
    key: int = made["article"]["id"]
    return key
