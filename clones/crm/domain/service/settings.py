"""What an organization sets for its cases and leads, under the names of the vendor's settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core.digits import is_digits
from clones.crm.errors import RecordError
from clones.crm.models import RoutingAddress, ServiceSettings, rows_of

# Names of settings by the object that they are of.
KNOWN: Final[dict[str, frozenset[str]]] = {
    "Case": frozenset(
        {
            "defaultCaseOwner",
            "defaultCaseOwnerType",
            "caseAssignNotificationTemplate",
            "caseCommentNotificationTemplate",
            "notifyContactOnCaseComment",
            "notifyOwnerOnCaseComment",
            "enableWebToCase",
            "caseOrigin",
            "defaultResponseTemplate",
        }
    ),
    "Lead": frozenset(
        {
            "defaultLeadOwner",
            "defaultLeadOwnerType",
            "enableWebToLead",
            "defaultLeadCreator",
            "defaultResponseTemplate",
        }
    ),
}
FALLBACK: Final = "support@crm.example"
_SHORTEST, _LONGEST = 3, 254


def settings_of(object_: str) -> Mapping[str, Any]:
    """Return what is set for cases or for leads."""
    found = ServiceSettings.objects.filter(id=object_).values_list("values", flat=True).first()
    return found or {}


def change_settings(object_: str, values: Mapping[str, Any]) -> None:
    """Set some of the settings of cases or of leads; others stay.

    Raises:
        RecordError: there is no such setting.
    """
    unknown = [name for name in values if name not in KNOWN[object_]]
    if unknown:
        raise RecordError(
            "INVALID_FIELD", f"There is no setting {unknown[0][:80]} of {object_}.", ["Metadata"]
        )
    row = ServiceSettings.objects.filter(id=object_).first()
    if row is None:
        ServiceSettings(id=object_, values=dict(values)).save(force_insert=True)
    else:
        row.values = {**row.values, **values}
        row.save()


def route(address: str, values: Mapping[str, Any]) -> None:
    """Let mail to an address become cases; `values` are the vendor's of a routing address.

    They are `routingName`, `caseOrigin`, `casePriority`, `caseOwner`, `caseOwnerType`.

    Raises:
        RecordError: it is no address.
    """
    key = address.strip().lower()
    if len(key) < _SHORTEST or "@" not in key or len(key) > _LONGEST:
        raise RecordError("INVALID_EMAIL_ADDRESS", f"invalid email address: {key[:80]}", [])
    RoutingAddress.objects.filter(id=key).delete()
    RoutingAddress(id=key, values=dict(values)).save(force_insert=True)


def support_address() -> str:
    """Return the address in whose name the organization writes about cases."""
    found = RoutingAddress.objects.order_by("id").values_list("id", flat=True).first()
    return found or FALLBACK


def automated_user() -> str:
    """Return the id of the user as whom the organization itself acts: the one who founded it."""
    found: str | None = rows_of("Organization").values_list("CreatedById", flat=True).first()
    return found or ""


def is_flag(value: Any) -> bool:
    """Tell whether a setting is on, be it written as a boolean or as a word."""
    if isinstance(value, str):
        return value.lower() == "true" or (is_digits(value) and int(value) != 0)
    return bool(value)
