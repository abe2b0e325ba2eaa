"""The apps of an organization, as `apps.toml` declares them: bars of tabs, colors, icons."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from clones.crm.rules.record_ids import long_id
from clones.crm.rules.schema import OrgSchema, SObject

FILE: Final = Path(__file__).with_name("apps.toml")
HOME: Final = "Home"
_CUSTOM_COLOR: Final = "7F8DE1"
_STANDARD: Final = frozenset({"Task", "Event", "Report", "Dashboard"})


@dataclass(frozen=True, slots=True)
class LightningApp:
    """An app: its names, and the objects that its bar leads to, `Home` the home page."""

    id: str
    name: str
    label: str
    description: str
    logo: str
    items: tuple[str, ...]


@cache
def apps() -> tuple[LightningApp, ...]:
    """Return the apps, the one that everybody begins in first."""
    return tuple(
        LightningApp(
            long_id(one["id"]),
            one["name"],
            one["label"],
            one["description"],
            one["logo"],
            tuple(one["items"]),
        )
        for one in _declared()["apps"]
    )


def color_of(name: str) -> str:
    """Return the color of an object's icon, six digits."""
    return str(_declared()["colors"].get(name, _CUSTOM_COLOR))


def icon_of(name: str) -> str:
    """Return the path of an object's icon."""
    own = _declared()["icons"].get(name)
    if own is None:
        own = "custom" if name.endswith("__c") else name.lower()
    kind = "custom" if own == "custom" else "standard"
    return f"/img/icon/t4v35/{kind}/{'custom20' if own == 'custom' else own}_120.png"


def is_standard_tab(name: str) -> bool:
    """Tell whether a tab leads to a page of its own rather than to an object's lists."""
    return name in _STANDARD or name == HOME


def tabbed(schema: OrgSchema) -> list[SObject]:
    """Return the objects that have tabs."""
    own = {name for one in apps() for name in one.items}
    more = {"Contract", "Order", "Product2", "Pricebook2", "Asset"}
    return [of for of in schema if of.name in own | more or of.is_custom]


@cache
def _declared() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))
