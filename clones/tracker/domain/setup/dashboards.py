"""The dashboard that everybody finds on a new site."""

from __future__ import annotations

from typing import Final

from clones.core import clock
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import Dashboard, Gadget
from clones.tracker.rules.gadgets import KINDS

# What stands on it: titles of gadgets, by column.
COLUMNS: Final = (("Introduction",), ("Assigned to Me", "Activity Stream"))


def install_dashboards() -> Dashboard:
    """Make the site's own dashboard, which nobody owns and everybody sees."""
    found = Dashboard.objects.create(
        id=next_id(Dashboard),
        name="Default dashboard",
        is_system=True,
        created=clock.now(),
    )
    kinds = {kind.title: kind for kind in KINDS}
    places = [
        (kinds[title], row, column)
        for column, titles in enumerate(COLUMNS)
        for row, title in enumerate(titles)
    ]
    keys = next_ids(Gadget, len(places))
    Gadget.objects.bulk_create(
        [
            Gadget(
                id=key,
                dashboard=found,
                module_key=kind.kept_as or kind.module_key,
                uri=None if kind.kept_as else kind.uri,
                title=kind.title,
                row=row,
                column=column,
            )
            for key, (kind, row, column) in zip(keys, places, strict=True)
        ]
    )
    return found
