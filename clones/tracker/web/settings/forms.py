"""The forms of settings: inputs that say what they are, in a sheet that also stands in a dialog.

form = FormPage("Edit column", action, back, [line("name", "Name", column.name, required=True)])
return sheet_page(request, who, project, form, current="columns")
"""

from __future__ import annotations

from collections.abc import Iterable

from clones.core.web.form_pages import FormPage
from clones.core.web.inputs import Choice, Input, chosen, number_of
from clones.tracker.models import User

__all__ = ["FormPage", "Input", "chosen", "number_of", "people"]


def people(rows: Iterable[User], now: Iterable[str] = ()) -> list[Choice]:
    """Return people to choose from, by account id."""
    return chosen(((user.account_id, user.display_name) for user in rows), now)
