"""Which files somebody sees: those of the issues that they see."""

from __future__ import annotations

from clones.core.digits import is_digits
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Attachment
from clones.tracker.queries.rights import BROWSE, Rights


def find_attachment(rights: Rights, id: str, *, with_data: bool = False) -> Attachment:
    """Return a file on an issue that somebody sees.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    found: Attachment | None = None
    if is_digits(id):
        rows = Attachment.objects.select_related("author", "issue", "issue__project")
        if with_data:
            rows = rows.select_related("author", "issue", "issue__project", "blob")
        found = rows.filter(id=int(id)).first()
    if found is None or not rights.may_on(BROWSE, found.issue):
        raise NotFound(f"The attachment with id '{id}' does not exist")
    return found
