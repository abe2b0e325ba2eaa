"""Settings of the site: rows that admins change."""

from __future__ import annotations

from typing import Any, Final

from clones.core.prepared import Prepared
from clones.core.rows import insert_row, update_row
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Setting

_VALUE: Final[Prepared[Any]] = Prepared(
    lambda key: Setting.objects.filter(key=key).order_by("id").values_list("value", flat=True), str
)


def setting(key: str, default: Any = None) -> Any:
    """Return the value of a setting, `default` where nobody set it."""
    found = _VALUE.first(key)
    return default if found is None else found


def set_setting(key: str, value: Any) -> None:
    """Set a setting; None takes it back."""
    row = Setting.objects.filter(key=key).first()
    if row is None:
        insert_row(Setting(id=next_id(Setting), key=key, value=value))
    elif row.value != value:
        row.value = value
        update_row(row, ["value"])
