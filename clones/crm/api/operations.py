"""The operations of the API, and the modules that register them.

Every address under `/services/data` names a version of the API; all versions from 31.0 on are
answered by the same code, and their addresses lead on within the version that was asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from clones.core.operations import Call, Operations
from clones.crm.domain.access.checking import check_uses_api
from clones.crm.domain.duplicates.asked import minding_duplicates, options_of_header
from clones.crm.domain.saving.assigning import assigning, of_header
from clones.crm.errors import CrmError, NotFound
from clones.crm.queries.access.viewing import user_mode

PREFIX: Final = "/services"
OLDEST, NEWEST = 31, 67
# The first version that there ever was of the REST API: those from it on were served once.
_FIRST: Final = 20
# Whether duplicates are saved: all operations of a version take it, by either name.
DUPLICATES: Final = "Sforce-Duplicate-Rule-Header"
DUPLICATES_TOO: Final = "Sforce-Duplicate-Rule"
# Whether cases and leads are assigned by rules: all operations of a version take it.
ASSIGNING: Final = "Sforce-Auto-Assign"
_VERSION: Final = re.compile(r"v(\d{2})\.0", re.ASCII)

operations = Operations(
    "crm",
    prefix=PREFIX,
    modules=(
        "clones.crm.api.views.versions",
        "clones.crm.api.views.sessions",
        "clones.crm.api.views.identity",
        "clones.crm.api.soap.view",
        "clones.crm.api.views.describes",
        "clones.crm.api.views.rows",
        "clones.crm.api.views.knowledge",
        "clones.crm.api.views.support",
        "clones.crm.api.views.queries",
        "clones.crm.api.views.external_ids",
        "clones.crm.api.views.replication",
        "clones.crm.api.views.limits",
        "clones.crm.api.views.collections",
        "clones.crm.api.views.composite",
        "clones.crm.api.views.batches",
        "clones.crm.api.views.trees",
        "clones.crm.api.views.graphs",
        "clones.crm.api.views.searches",
        "clones.crm.api.views.parameterized_searches",
        "clones.crm.api.views.layouts",
        "clones.crm.api.views.list_views",
        "clones.crm.api.views.recent",
        "clones.crm.api.views.tooling_queries",
        "clones.crm.api.views.quick_actions",
        "clones.crm.api.views.tabs",
        "clones.crm.api.views.actions",
        "clones.crm.api.ui.records",
        "clones.crm.api.ui.objects",
        "clones.crm.api.ui.lists",
        "clones.crm.api.ui.list_records",
        "clones.crm.api.ui.related",
        "clones.crm.api.ui.actions",
        "clones.crm.api.ui.apps",
        "clones.crm.api.analytics.reports",
        "clones.crm.api.views.tooling",
        "clones.crm.api.views.record_types",
        "clones.crm.api.views.approvals",
        "clones.crm.api.views.web_forms",
        "clones.crm.api.views.workflows",
        "clones.crm.api.views.service_rules",
        "clones.crm.api.views.flows",
        "clones.crm.api.views.ingest_jobs",
        "clones.crm.api.views.query_jobs",
        "clones.crm.api.asynchronous.jobs",
        "clones.crm.api.asynchronous.batches",
    ),
)

View = Callable[[Call], Any]


def versioned(
    id: str, method: str, path: str, *, summary: str, status: int = 200, **more: Any
) -> Callable[[View], View]:
    """Register a view at an address below `/services/data/vNN.0`.

    A version that the vendor does not serve is an address that is not there; one that it served
    once is gone.
    """

    def register(view: View) -> View:
        @operations.operation(
            id, method, f"/data/{{version}}{path}", summary=summary, status=status, **more
        )
        @wraps(view)
        def answer(call: Call) -> Any:
            found = _VERSION.fullmatch(call.path["version"])
            if found is None or not _FIRST <= int(found[1]) <= NEWEST:
                raise NotFound
            if int(found[1]) < OLDEST:
                raise CrmError(
                    f"API version {found[1]}.0 is retired",
                    code="UNSUPPORTED_API_VERSION",
                    status=410,
                )
            headers = call.request.headers
            said = headers.get(DUPLICATES) or headers.get(DUPLICATES_TOO)
            with (
                assigning(of_header(headers.get(ASSIGNING))),
                minding_duplicates(options_of_header(said, root(call))),
            ):
                if call.actor is None:
                    return view(call)
                with user_mode(call.actor.subject) as asking:
                    check_uses_api(asking)
                    return view(call)

        return answer

    return register


def root(call: Call) -> str:
    """Return the address of the version that a call came to, without a host."""
    return f"{PREFIX}/data/{call.path['version']}"


def version_of(call: Call) -> float:
    """Return the number of the version that a call came to."""
    return float(call.path["version"][1:])
