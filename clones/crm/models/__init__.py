"""Tables of the crm clone: one for each object of its schema, and those that no object shows."""

from clones.crm.models.cursors import QueryCursor
from clones.crm.models.sobjects import MODELS, SObjectRow, model_of, rows_of

__all__ = ["MODELS", "QueryCursor", "SObjectRow", "model_of", "rows_of"]
