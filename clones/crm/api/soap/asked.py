"""A call on its way: who makes it, what it says, and the table of what can be called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from clones.core.operations import Call
from clones.crm.api.soap.envelope import Envelope
from clones.crm.api.soap.xml import Element
from clones.crm.domain.duplicates.asked import DuplicateOptions
from clones.crm.domain.saving.assigning import ACTIVE, Assigning
from clones.crm.errors import CrmError
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import OrgSchema


@dataclass(frozen=True, slots=True)
class SoapCall:
    """One call: the request it came with, its envelope, the version, the objects there are."""

    call: Call
    envelope: Envelope
    version: str
    schema: OrgSchema

    @property
    def said(self) -> Element:
        """The element of the call, which has what it says."""
        return self.envelope.call

    @property
    def user(self) -> str:
        """The id of the user who calls."""
        return str(self.call.actor.subject)

    @property
    def root(self) -> str:
        """The address of the version among the resources, by which answers name records."""
        return f"/services/data/v{self.version}"

    @property
    def all_or_none(self) -> bool:
        """Whether one refused record takes the others with it."""
        return self.envelope.header("AllOrNoneHeader", "allOrNone") in ("true", "1")

    @property
    def duplicates(self) -> DuplicateOptions:
        """What the call wants of duplicate rules."""
        allows, details, as_user = (
            self.envelope.header("DuplicateRuleHeader", name) in ("true", "1")
            for name in ("allowSave", "includeRecordDetails", "runAsCurrentUser")
        )
        return DuplicateOptions(allows, details, as_user, self.root)

    @property
    def assigning(self) -> Assigning:
        """Whether cases and leads are assigned and answered by rules: where headers ask for it.

        Raises:
            CrmError: a rule is named by what is no id.
        """
        named = self.envelope.header("AssignmentRuleHeader", "assignmentRuleId")
        by_default = self.envelope.header("AssignmentRuleHeader", "useDefaultRule")
        answers = self.envelope.header("EmailHeader", "triggerAutoResponseEmail")
        rule = read_id(named) if named else None
        if named and rule is None:
            raise CrmError(f"malformed id {named[:80]}", code="MALFORMED_ID")
        if rule is None and by_default in ("true", "1"):
            rule = ACTIVE
        return Assigning(rule, answers=answers in ("true", "1"))


# What answers a call, by its name: the inside of the answer.
Answer = Callable[[SoapCall], str]
ANSWERS: Final[dict[str, Answer]] = {}


def answers(*names: str) -> Callable[[Answer], Answer]:
    """Register what answers the calls of some names."""

    def register(answer: Answer) -> Answer:
        for name in names:
            ANSWERS[name] = answer
        return answer

    return register
