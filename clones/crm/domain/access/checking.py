"""Whether the user at hand may write records of an object at all."""

from __future__ import annotations

from clones.crm.errors import CrmError, RecordError
from clones.crm.queries.access.viewing import Viewer
from clones.crm.rules.schema import SObject


def check_uses_api(asking: Viewer) -> None:
    """See that the user at hand may use the API.

    Raises:
        CrmError: the user may not.
    """
    if "ApiEnabled" not in asking.rights.system:
        raise CrmError(
            "The REST API is not enabled for this Organization.",
            code="API_DISABLED_FOR_ORG",
            status=403,
        )


def check_may_create(of: SObject) -> None:
    """See that records of an object can be made, and that the user at hand may make them.

    Raises:
        RecordError: they cannot, or the user may not.
    """
    if of.abilities["createable"]:
        return
    if of.whole.abilities["createable"]:
        said = f"entity type cannot be inserted: {of.label}"
    else:
        said = f"entity type {of.name} does not support create"
    raise RecordError("CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY", said)


def check_may_update(of: SObject) -> None:
    """See that records of an object can be changed, and that the user at hand may change them.

    Raises:
        RecordError: they cannot, or the user may not.
    """
    if of.abilities["updateable"]:
        return
    if of.whole.abilities["updateable"]:
        raise no_access()
    raise RecordError(
        "CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY", f"entity type {of.name} does not support update"
    )


def check_may_delete(of: SObject) -> None:
    """See that records of an object can be deleted, and that the user at hand may delete them.

    Raises:
        RecordError: they cannot, or the user may not.
    """
    if of.abilities["deletable"]:
        return
    if of.whole.abilities["deletable"]:
        raise no_access()
    raise RecordError(
        "INSUFFICIENT_ACCESS_OR_READONLY", f"entity type {of.name} does not support delete"
    )


def no_access() -> RecordError:
    """Return the error of a record that may be seen and not changed."""
    return RecordError(
        "INSUFFICIENT_ACCESS_OR_READONLY", "insufficient access rights on object id", status=403
    )
