"""Pages of a list, as every clone has them."""

from clones.core.paging import (
    DEEPEST,
    PER_PAGE,
    Page,
    keyed_page_of,
    page_number,
    page_of,
    page_of_items,
    query_without_page,
)

__all__ = [
    "DEEPEST",
    "PER_PAGE",
    "Page",
    "keyed_page_of",
    "page_number",
    "page_of",
    "page_of_items",
    "query_without_page",
]
