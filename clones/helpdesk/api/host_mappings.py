"""Whether a name of a customer's own leads to a brand. None does: a sandbox has no name service."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.helpdesk.api.brands import BRANDS
from clones.helpdesk.api.operations import OPERATIONS, Query
from clones.helpdesk.domain.errors import MissingParameter


class HostMapping(Query):
    """A host mapping to try: the host name, and the subdomain that it is to lead to."""

    host_mapping: str | None = None
    subdomain: str | None = None


def _unmapped(subdomain: str) -> dict[str, Any]:
    return {
        "is_valid": False,
        "reason": "not_a_cname",
        "expected_cnames": [f"{subdomain}.zendesk.com"],
    }


@OPERATIONS.operation(
    "CheckHostMappingValidity",
    "GET",
    "/brands/check_host_mapping",
    summary="Tell whether a name leads to a subdomain.",
    query=HostMapping,
    access="admin",
)
def check_name(call: Call) -> dict[str, Any]:
    """Tell whether a name leads to a subdomain."""
    for name in ("host_mapping", "subdomain"):
        if not getattr(call.query, name):
            raise MissingParameter(name)
    return _unmapped(call.query.subdomain)


@OPERATIONS.operation(
    "CheckHostMappingValidityForExistingBrand",
    "GET",
    "/brands/{brand_id:int}/check_host_mapping",
    summary="Tell whether a brand's own name leads to it.",
    access="admin",
)
def check_brand(call: Call) -> dict[str, Any]:
    """Tell whether the name of a brand leads to it."""
    return _unmapped(BRANDS.of_key(call.path["brand_id"]).subdomain)
