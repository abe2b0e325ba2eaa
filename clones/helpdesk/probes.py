"""Addresses of the helpdesk at which certification knocks: nothing may leak, nothing break."""

from __future__ import annotations

from typing import Final

from clones.core.vendors import Probes

PROBES: Final = Probes(
    listing="/api/v2/tickets.json",
    creating="/api/v2/tickets.json",
    behind="/api/v2/../../v1/episodes",
    broken=(
        "/api/v2/tickets?a=\ud800",
        "/api/v2/tickets.json?page=%00",
        "/api/v2/tickets/99999999999999999999999.json",
        "/api/v2/search.json?query=%00%ff" + "(" * 400,
        "/v1/charges?limit=1e9&created[gte]=99999999999999999999",
    ),
    missing=(
        "/api/v2/nothing.json",
        "/api/v2/tickets/0.json",
        "/api/v2/tickets/abc.json",
        "/api/v2/episodes.json",
        "/agent/tickets/0",
    ),
    taking=("/api/v2/tickets/1.json", b"{"),
    closed=("/api/v2/tickets.json", "Bearer none"),
)
