"""Tables of the crm clone: one for each object of its schema, and those that no object shows."""

from clones.crm.models.approvals import ApprovalProcess, RecordLock
from clones.crm.models.cursors import QueryCursor
from clones.crm.models.custom import SLOTS, CustomField, CustomObject, CustomRecord, CustomValues
from clones.crm.models.duplicates import DuplicateRuleMetadata, MatchKey
from clones.crm.models.rules import ValidationRule
from clones.crm.models.sobjects import MODELS, SObjectRow
from clones.crm.models.tables import model_of, rows_of

__all__ = [
    "MODELS",
    "SLOTS",
    "ApprovalProcess",
    "CustomField",
    "CustomObject",
    "CustomRecord",
    "CustomValues",
    "DuplicateRuleMetadata",
    "MatchKey",
    "QueryCursor",
    "RecordLock",
    "SObjectRow",
    "ValidationRule",
    "model_of",
    "rows_of",
]
