"""Addresses of the CRM at which certification knocks: nothing may leak, nothing break."""

from __future__ import annotations

from typing import Final

from clones.core.vendors import Probes

_SOBJECTS: Final = "/services/data/v64.0/sobjects"
PROBES: Final = Probes(
    listing=_SOBJECTS,
    creating=f"{_SOBJECTS}/Account",
    behind=f"{_SOBJECTS}/../../../../v1/episodes",
    broken=(f"{_SOBJECTS}/Account/%00", f"{_SOBJECTS}/Account/001000000000000AAA?fields=,,"),
    missing=(
        "/services/data/v64.0/nothing",
        f"{_SOBJECTS}/Account/001000000000000AAA",
        "/services/data/v99.0/sobjects",
    ),
    taking=(f"{_SOBJECTS}/Account", b"[="),
    closed=(_SOBJECTS, "Bearer nothing"),
)
