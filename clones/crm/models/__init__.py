"""Tables of the crm clone: one for each object of its schema, and those that no object shows."""

from clones.crm.models.apps import AppCertificate
from clones.crm.models.bulk import BulkBatch, BulkContent, BulkJob, BulkResult
from clones.crm.models.cursors import QueryCursor
from clones.crm.models.custom import SLOTS, CustomField, CustomObject, CustomRecord, CustomValues
from clones.crm.models.rules import ValidationRule
from clones.crm.models.sobjects import MODELS, SObjectRow
from clones.crm.models.tables import model_of, rows_of

__all__ = [
    "MODELS",
    "SLOTS",
    "AppCertificate",
    "BulkBatch",
    "BulkContent",
    "BulkJob",
    "BulkResult",
    "CustomField",
    "CustomObject",
    "CustomRecord",
    "CustomValues",
    "QueryCursor",
    "SObjectRow",
    "ValidationRule",
    "model_of",
    "rows_of",
]
