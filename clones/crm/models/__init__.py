"""Tables of the crm clone: one for each object of its schema."""

from clones.crm.models.sobjects import MODELS, SObjectRow, model_of, rows_of

__all__ = ["MODELS", "SObjectRow", "model_of", "rows_of"]
