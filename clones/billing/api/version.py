"""Which version of the vendor's API this is."""

from typing import Final

API_VERSION: Final = "2026-10-28.endive"
