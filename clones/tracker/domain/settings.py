"""Settings of the site: rows that admins change."""

from __future__ import annotations

from typing import Any

from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Setting
from clones.tracker.queries.hot import VALUE_OF_SETTING


def setting(key: str, default: Any = None) -> Any:
    """Return the value of a setting, `default` where nobody set it."""
    found = VALUE_OF_SETTING.first(key)
    return default if found is None else found


def set_setting(key: str, value: Any) -> None:
    """Set a setting; None takes it back."""
    row = Setting.objects.filter(key=key).first()
    if row is None:
        Setting.objects.create(id=next_id(Setting), key=key, value=value)
    elif row.value != value:
        row.value = value
        row.save(update_fields=["value"])
