"""Certification: whether a task's rewards may be believed."""

from episodes.certify.report import CheckResult, Report
from episodes.certify.run import certify

__all__ = ["CheckResult", "Report", "certify"]
