"""Writing records: the vendor's order of saving, a stage to a module."""

from clones.crm.domain.saving.pipeline import create_record, delete_record, update_record

__all__ = ["create_record", "delete_record", "update_record"]
