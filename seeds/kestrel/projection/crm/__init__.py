"""What sales did, as the CRM has it."""

from seeds.kestrel.projection.crm.whole import write_crm

__all__ = ["write_crm"]
