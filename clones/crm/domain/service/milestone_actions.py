"""What follows a milestone: the workflow actions that its process names, done for the case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from clones.crm.domain.saving.workflow import do_named
from clones.crm.domain.service.settings import automated_user
from clones.crm.errors import CrmError, RecordError
from clones.crm.models import WorkflowAction
from clones.crm.queries.schema import org_schema
from clones.crm.rules.schema import SObject

MOST: Final = 40


def read_actions(of: SObject, given: Any) -> list[dict[str, str]]:
    """Return actions as they are kept: `type` (`FieldUpdate`, `Alert`...) and `name`.

    Raises:
        RecordError: there are too many, or there is no such action of the object.
    """
    if not isinstance(given, Sequence) or len(given) > MOST:
        raise _wrong(f"There are at most {MOST} actions.")
    known = set(WorkflowAction.objects.filter(object=of.name).values_list("kind", "name"))
    found = []
    for one in given:
        named = one if isinstance(one, Mapping) else {}
        kind, name = str(named.get("type")), str(named.get("name"))
        if (kind, name) not in known:
            raise _wrong(f"In field: name - no Workflow{kind[:40]} named {name[:80]} found")
        found.append({"type": kind, "name": name})
    return found


def run_actions(actions: Sequence[Mapping[str, Any]], case: str) -> None:
    """Do what follows for a case, each by itself: what is refused is left out."""
    of = org_schema().objects["Case"]
    for action in actions:
        try:
            with transaction.atomic():
                do_named(of, [action], case, actor=automated_user())
        except CrmError:
            continue


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
