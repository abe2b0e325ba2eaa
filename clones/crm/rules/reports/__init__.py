"""Reports: what they are about, their columns and groupings, and sums folded along these. Pure."""

from __future__ import annotations

from clones.crm.rules.reports.columns import Column, column_of, default_columns
from clones.crm.rules.reports.folding import Fact, FoldedGroups, Key, fold
from clones.crm.rules.reports.groupings import GRANULARITIES, Grouping
from clones.crm.rules.reports.metadata import Aggregate, Report, ReportError, read_report
from clones.crm.rules.reports.types import ReportType, report_type, report_types

__all__ = [
    "GRANULARITIES",
    "Aggregate",
    "Column",
    "Fact",
    "FoldedGroups",
    "Grouping",
    "Key",
    "Report",
    "ReportError",
    "ReportType",
    "column_of",
    "default_columns",
    "fold",
    "read_report",
    "report_type",
    "report_types",
]
