"""Tables of the crm clone: one for each object of its schema, and those that no object shows."""

from clones.crm.models.analytics import ReportDefinition, ReportInstance
from clones.crm.models.approvals import ApprovalProcess, RecordLock
from clones.crm.models.apps import AppCertificate
from clones.crm.models.automation import FlowVersion, WorkflowAction, WorkflowRule
from clones.crm.models.bulk import BulkBatch, BulkContent, BulkJob, BulkResult
from clones.crm.models.cursors import QueryCursor
from clones.crm.models.custom import (
    RECORD_TYPE_SLOT,
    SLOTS,
    CustomField,
    CustomObject,
    CustomRecord,
    CustomValues,
)
from clones.crm.models.duplicates import DuplicateRuleMetadata, MatchKey
from clones.crm.models.listing import Favorite, ListViewDefinition, RecentItem
from clones.crm.models.record_types import PicklistOffer, RecordTypeVisibility
from clones.crm.models.rules import RetrieveRequest, ValidationRule
from clones.crm.models.service import (
    CaseEscalation,
    HolidayHours,
    MilestoneClock,
    RoutingAddress,
    RuleEntry,
    ServiceRule,
    ServiceSettings,
    SlaExit,
    SlaStep,
)
from clones.crm.models.sharing import SharingDefault, SharingRule
from clones.crm.models.sobjects import MODELS, SObjectRow
from clones.crm.models.tables import model_of, rows_of

__all__ = [
    "MODELS",
    "RECORD_TYPE_SLOT",
    "SLOTS",
    "AppCertificate",
    "ApprovalProcess",
    "BulkBatch",
    "BulkContent",
    "BulkJob",
    "BulkResult",
    "CaseEscalation",
    "CustomField",
    "CustomObject",
    "CustomRecord",
    "CustomValues",
    "DuplicateRuleMetadata",
    "Favorite",
    "FlowVersion",
    "HolidayHours",
    "ListViewDefinition",
    "MatchKey",
    "MilestoneClock",
    "PicklistOffer",
    "QueryCursor",
    "RecentItem",
    "RecordLock",
    "RecordTypeVisibility",
    "ReportDefinition",
    "ReportInstance",
    "RetrieveRequest",
    "RoutingAddress",
    "RuleEntry",
    "SObjectRow",
    "ServiceRule",
    "ServiceSettings",
    "SharingDefault",
    "SharingRule",
    "SlaExit",
    "SlaStep",
    "ValidationRule",
    "WorkflowAction",
    "WorkflowRule",
    "model_of",
    "rows_of",
]
