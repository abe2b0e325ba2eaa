"""Tables of the crm clone: one for each object of its schema, and those that no object shows."""

from clones.crm.models.analytics import ReportDefinition, ReportInstance
from clones.crm.models.cursors import QueryCursor
from clones.crm.models.custom import SLOTS, CustomField, CustomObject, CustomRecord, CustomValues
from clones.crm.models.listing import Favorite, ListViewDefinition, RecentItem
from clones.crm.models.rules import RetrieveRequest, ValidationRule
from clones.crm.models.sobjects import MODELS, SObjectRow
from clones.crm.models.tables import model_of, rows_of

__all__ = [
    "MODELS",
    "SLOTS",
    "CustomField",
    "CustomObject",
    "CustomRecord",
    "CustomValues",
    "Favorite",
    "ListViewDefinition",
    "QueryCursor",
    "RecentItem",
    "ReportDefinition",
    "ReportInstance",
    "RetrieveRequest",
    "SObjectRow",
    "ValidationRule",
    "model_of",
    "rows_of",
]
