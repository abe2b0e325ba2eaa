"""Lists of records by rows of conditions, as list views and reports have them. Pure."""

from clones.crm.rules.listing.filters import (
    Filter,
    FilterError,
    condition_text,
    logic_text,
    quoted_value,
    split_values,
)
from clones.crm.rules.listing.paths import column_path, field_at
from clones.crm.rules.listing.standard import standard_views
from clones.crm.rules.listing.views import ListView, list_view_of

__all__ = [
    "Filter",
    "FilterError",
    "ListView",
    "column_path",
    "condition_text",
    "field_at",
    "list_view_of",
    "logic_text",
    "quoted_value",
    "split_values",
    "standard_views",
]
