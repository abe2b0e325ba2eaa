"""Addresses of billing at which certification knocks: nothing may leak, nothing break."""

from __future__ import annotations

from typing import Final

from clones.core.vendors import Probes

PROBES: Final = Probes(
    listing="/v1/charges",
    creating="/v1/refunds",
    behind="/v1/charges/../../v1/episodes",
    broken=("/v1/charges?limit=1e9&created[gte]=99999999999999999999",),
    missing=("/v1/nothing", "/v1/charges/ch_none", "/v1/episodes", "/v1/tasks"),
    taking=("/v1/charges", b"[="),
    closed=("/v1/charges", ""),
)
