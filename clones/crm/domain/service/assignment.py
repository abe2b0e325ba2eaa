"""Rules of assignment and of responses, when a case or a lead is saved."""

from __future__ import annotations

from typing import Any, Final

from clones.crm.domain.saving.assigning import ACTIVE, asked
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.domain.service.letters import write_about
from clones.crm.domain.service.owners import addresses_of, owner_named
from clones.crm.domain.service.rules import active_rule, entries_of, first_met
from clones.crm.domain.service.settings import settings_of
from clones.crm.errors import RecordError
from clones.crm.models import rows_of

_OBJECTS: Final = ("Case", "Lead")


@step(Stage.ASSIGNMENT)
def assign_owner(change: Change) -> None:
    """Give a case or a lead to whom the first entry that it meets names, else to the default owner.

    Nothing is done where the caller asks for no rule, or none is active; a lead that was converted
    stays with its owner.
    """
    wanted = asked().rule
    if wanted is None or change.of.name not in _OBJECTS:
        return
    if change.of.name == "Lead" and change.get("IsConverted"):
        return
    rule = active_rule("assignment", change.of.name) if wanted == ACTIVE else _named(change, wanted)
    if rule is None:
        return
    entry = first_met(entries_of(rule), change.of, change.get, user=change.actor)
    owner = entry.values["owner"] if entry is not None else default_owner(change)
    if owner is None or owner == change.get("OwnerId"):
        return
    change.set("OwnerId", owner)
    if change.of.name == "Lead":
        change.set("IsUnreadByOwner", owner != change.actor)
    template = None if entry is None else entry.values["template"]
    if template is not None:
        write_about(change.row, addresses_of(owner), user=change.actor, template=template)


def default_owner(change: Change) -> str | None:
    """Return the id of who gets a case or a lead that no entry assigns, None if nobody is set."""
    name = change.of.name
    values = settings_of(name)
    owner = values.get(f"default{name}Owner")
    if not owner:
        return None
    try:
        kind = str(values.get(f"default{name}OwnerType", "User"))
        return owner_named(change.of, str(owner), kind)
    except RecordError:
        return None  # who was set is gone since


@step(Stage.AUTO_RESPONSE)
def answer_sender(change: Change) -> None:
    """Answer whoever sent a new case or lead by the template of the first entry that it meets."""
    if not change.is_new or not asked().answers or change.of.name not in _OBJECTS:
        return
    recipient = _sender(change)
    rule = active_rule("response", change.of.name) if recipient is not None else None
    if rule is None:
        return
    entry = first_met(entries_of(rule), change.of, change.get, user=change.actor)
    template: Any = settings_of(change.of.name).get("defaultResponseTemplate")
    if entry is not None:
        template = entry.values["template"]
    if recipient is not None and template:
        write_about(change.row, [recipient], user=change.actor, template=template)


def _named(change: Change, rule: str) -> str | None:
    """Return the id of a rule that was asked for by it, be it active or not."""
    rows = rows_of("AssignmentRule").filter(Id=rule, SobjectType=change.of.name)
    found: str | None = rows.values_list("Id", flat=True).first()
    return found


def _sender(change: Change) -> str | None:
    """Return the address that a case or a lead came from."""
    if change.of.name == "Lead":
        found: str | None = change.get("Email")
    else:
        found = change.get("SuppliedEmail") or change.get("ContactEmail")
    return found
