"""What is fixed of the merchant whose billing this is."""

from __future__ import annotations

from typing import Final

COUNTRY: Final = "US"
SETTLEMENT_CURRENCY: Final = "usd"
