"""What versions there are, and what resources each has."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call
from clones.crm.api.dialect import PUBLIC
from clones.crm.api.operations import NEWEST, OLDEST, PREFIX, operations, root, versioned
from clones.crm.rules.organization import ORGANIZATION_ID

_SEASONS = ("Spring", "Summer", "Winter")
_BELOW: Final = f"{PREFIX}/data/{{version}}/"


def version_label(number: int) -> str:
    """Return the name of the release that brought a version: `Summer '26` for 67."""
    season = _SEASONS[(number - 66) % 3]
    year = 26 + (number - 66) // 3
    return f"{season} '{year if season != 'Winter' else year + 1:02d}"


@operations.operation("GetVersions", "GET", "/data", summary="List the versions.", access=PUBLIC)
def list_versions(_: Call) -> list[dict[str, str]]:
    """Answer with every version, oldest first."""
    return [
        {
            "label": version_label(number),
            "url": f"{PREFIX}/data/v{number}.0",
            "version": f"{number}.0",
        }
        for number in range(OLDEST, NEWEST + 1)
    ]


@versioned("GetResources", "GET", "", summary="List the resources of a version.")
def list_resources(call: Call) -> dict[str, Any]:
    """Answer with the addresses of the resources, and who asks."""
    identity = call.request.build_absolute_uri(f"/id/{ORGANIZATION_ID}/{call.actor.subject}")
    paths = [one.path for one in operations.all.values() if one.path.startswith(_BELOW)]
    names = sorted({path.removeprefix(_BELOW).partition("/")[0] for path in paths})
    return {**{name: f"{root(call)}/{name}" for name in names}, "identity": identity}
