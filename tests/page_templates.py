"""Which pages are of one template, and what walks have used on each: the crawl of a merge.

Before a merge (`tests.tiers`) each template is walked once, and again as somebody else only where
it offers that person something else. An address tells a page's template: by the route that serves
it and by what its query asks for. A route is one view, and what a view makes of one record it makes
of all, but for what the record is: so of a template the two pages are looked at that a walk comes
to first. Pages that a walk names are looked at besides, so those have the shapes that differ.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from django.urls import Resolver404, resolve

PAGES_OF_ONE: Final = 2


class Templates:
    """The templates of a clone's pages, shared by its walks.

    A walk that begins where nothing was used yet uses everything: walks may be made in any order,
    and in several processes.
    """

    def __init__(self, addresses: str) -> None:
        self._addresses = addresses
        self._used: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
        self._writing: set[str] = set()

    def route_of(self, path: str) -> str | None:
        """Return the route that serves a path, None if none does."""
        try:
            found = resolve(path, urlconf=self._addresses)
        except Resolver404:
            return None
        return None if found.func.__name__ == "page_not_found" else found.route

    def writes(self, control: str) -> bool:
        """Tell whether using a control of a template sent something to be written, by its key."""
        return control in self._writing

    def note_writing(self, control: str) -> None:
        """Keep that using a control sent something to be written."""
        self._writing.add(control)

    def are_used(self, template: str, offer: frozenset[str]) -> bool:
        """Tell whether all that a page offers was used on one that offered the same."""
        return offer in self._used[template]

    def note_used(self, template: str, offer: frozenset[str]) -> None:
        """Keep that all that a page offers was used."""
        self._used[template].add(offer)
