"""The sidebar of the administration: the pages of the area at hand that are there."""

from __future__ import annotations

from dataclasses import replace

from clones.tracker.web.admin.navigation import NavigationGroup, groups_of
from clones.tracker.web.frame.entries import is_there


def side_of(here: str) -> list[NavigationGroup]:
    """Return the groups of the area that a page belongs to, with that page marked."""
    found = []
    for group in groups_of(here):
        places = [
            replace(place, current=place.key == here)
            for place in group.places
            if is_there(place.address)
        ]
        if places:
            found.append(NavigationGroup(group.name, places))
    return found
