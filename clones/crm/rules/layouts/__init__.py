"""Layouts of the standard objects: which fields and lists a page shows of a record, and where."""

from clones.crm.rules.layouts.declared import (
    SEARCH_ORDER,
    Layout,
    LayoutRow,
    LayoutSection,
    item_label,
    layout_of,
    read_layout,
)

__all__ = [
    "SEARCH_ORDER",
    "Layout",
    "LayoutRow",
    "LayoutSection",
    "item_label",
    "layout_of",
    "read_layout",
]
