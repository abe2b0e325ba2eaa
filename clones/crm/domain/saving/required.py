"""Fields that a record must have."""

from __future__ import annotations

from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError


@step(Stage.REQUIRED)
def check_required(change: Change) -> None:
    """See that nothing is missing that the object requires.

    Raises:
        RecordError: something is; the message names all of it.
    """
    missing = [
        field.name
        for field in change.of.stored
        if field.is_required and change.get(field.name) is None
    ]
    if missing:
        raise RecordError(
            "REQUIRED_FIELD_MISSING",
            f"Required fields are missing: [{', '.join(missing)}]",
            missing,
        )
