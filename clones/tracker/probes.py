"""Addresses of the tracker at which certification knocks: nothing may leak, nothing break."""

from __future__ import annotations

from typing import Final

from clones.core.vendors import Probes

PROBES: Final = Probes(
    listing="/rest/api/3/myself",
    creating="/rest/api/3/issue",
    behind="/rest/api/3/../../../v1/episodes",
    broken=(
        "/rest/api/3/issue/ABC-1?fields=\ud800",
        "/rest/api/3/search/jql?jql=%00",
        "/rest/api/3/issue/99999999999999999999999",
        "/rest/api/3/search/jql?jql=" + "(" * 400,
        "/rest/api/3/search/jql?jql=order%20by%20created&maxResults=99999999999999999999",
        "/rest/agile/1.0/board/%ff/issue?startAt=-1",
    ),
    missing=(
        "/rest/api/3/nothing",
        "/rest/api/3/issue/0",
        "/rest/api/3/issue/NONE-1",
        "/rest/api/3/search/jql?jql=%28",
        "/rest/api/3/episodes",
        "/rest/agile/1.0/board/0",
        "/rest/servicedeskapi/request/0",
        "/browse/NONE-1",
        "/issues/?jql=%28",
    ),
    taking=("/rest/api/3/issue/NONE-1", b"{"),
    closed=("/rest/api/3/myself", "Bearer none"),
)
