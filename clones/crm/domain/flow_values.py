"""What a flow knows while it runs: its record, its variables, what its steps found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.saving.change import Change
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow
from clones.crm.queries.formulas import FormulaRecord, Looker, resolver
from clones.crm.rules.flows import MERGED, Flow
from clones.crm.rules.formulas import (
    FieldType,
    FormulaError,
    Kind,
    Place,
    check,
    evaluate,
    parse,
)
from clones.crm.rules.schema import OrgSchema

_KINDS: Final = {
    "String": Kind.TEXT,
    "Number": Kind.NUMBER,
    "Currency": Kind.NUMBER,
    "Boolean": Kind.BOOLEAN,
    "Date": Kind.DATE,
    "DateTime": Kind.DATETIME,
}
_VALUES: Final = ("stringValue", "numberValue", "booleanValue", "dateValue", "dateTimeValue")
_DEEPEST: Final = 20  # formulas and templates in one another
_LARGEST: Final = 10**18
_YEARS: Final = range(1700, 4001)
_RECORD, _PRIOR = "$record", "$record__prior"


@dataclass
class FlowContext:
    """The values of one run of a flow: `change` is its record, None where it is of none.

    `found` has what steps found or made, and the variables, by their names in small letters.
    """

    flow: Flow
    schema: OrgSchema
    actor: str
    change: Change | None = None
    found: dict[str, Any] = field(default_factory=dict)
    fault: str = ""
    _depth: int = 0

    def __post_init__(self) -> None:
        """Give the variables their first values."""
        for kind in ("variables", "constants"):
            for one in self.flow.given.get(kind) or ():
                self.found[str(one.get("name")).lower()] = self.value(one.get("value"))

    @property
    def looker(self) -> Looker:
        """For whom formulas are worked out."""
        if self.change is not None:
            return self.change.looker
        return Looker(self.actor, clock.now().replace(microsecond=0))

    def value(self, given: Any) -> Any:
        """Return the value that metadata say: a literal, or what a reference leads to.

        Raises:
            RecordError: a reference leads nowhere, or to a formula without a value.
        """
        if not isinstance(given, Mapping):
            return None
        reference = given.get("elementReference")
        if isinstance(reference, str):
            return self.at(reference)
        for name in _VALUES:
            if given.get(name) is not None:
                return _literal(name, given[name])
        return None

    def at(self, reference: str) -> Any:
        """Return what a reference leads to: `$Record.Amount`, `counter`, `Get_Account.Name`.

        Raises:
            RecordError: it leads nowhere, or to a formula without a value.
        """
        head, _, rest = reference.partition(".")
        name = head.lower()
        if name in (_RECORD, _PRIOR):
            return self._of_record(name, rest)
        if name == "$flow":
            return {
                "currentdatetime": self.looker.now,
                "currentdate": self.looker.now.astimezone(self.looker.zone).date(),
                "faultmessage": self.fault,
            }.get(rest.lower())
        if name.startswith("$"):
            of = self.schema.objects["User"]
            return FormulaRecord(of, lambda _: None, self.looker)(reference)
        if name in self.found:
            return self._of_row(self.found[name], rest)
        if self._depth >= _DEEPEST:
            raise RecordError("INVALID_FIELD", f"{reference[:80]} refers to itself")
        self._depth += 1
        try:
            return self._worked_out(head)
        finally:
            self._depth -= 1

    def _worked_out(self, head: str) -> Any:
        formula = self.flow.named("formulas", head)
        if formula is not None:
            return self.formula(str(formula.get("expression")), str(formula.get("dataType")))
        template = self.flow.named("textTemplates", head)
        if template is not None:
            return self.text(template.get("text"))
        if self.flow.element(head) is not None:
            return None
        raise RecordError("INVALID_FIELD", f"The flow has no {head[:80]}")

    def text(self, given: Any) -> str:
        """Return a text with what its merge fields lead to.

        Raises:
            RecordError: one leads nowhere.
        """
        if given is None:
            return ""
        return MERGED.sub(lambda found: shown_text(self.at(found[1])), str(given))

    def formula(self, text: str, data_type: str) -> Any:
        """Return the value of a formula, in which merge fields stand for values.

        Raises:
            RecordError: it has none.
        """
        of = self.schema.objects["User"] if self.change is None else self.change.of
        known = resolver(of)

        def field_at(path: str) -> FieldType | None:
            variable = self._declared(path.partition(".")[0])
            return FieldType(variable) if variable is not None else known(path)

        def value_at(path: str) -> Any:
            if self._declared(path.partition(".")[0]) is not None:
                return self.at(path)
            return record(path)

        get = (lambda _: None) if self.change is None else self.change.get
        record = FormulaRecord(of, get, self.looker)
        before = None if self.change is None else self.change.before
        prior = None if before is None else FormulaRecord(of, before.get, self.looker)
        is_new = self.change is not None and self.change.is_new
        try:
            checked = check(
                parse(plain_paths(text)),
                returns=_KINDS.get(data_type),
                fields=field_at,
                place=Place.WORKFLOW,
            )
            situation = self.looker.situation(prior=prior, is_new=is_new)
            found = evaluate(checked, value_at, situation=situation)
        except FormulaError as error:
            raise RecordError("INVALID_FIELD", f"The formula is invalid: {error}") from error
        return float(found) if isinstance(found, Decimal) else found

    def _declared(self, name: str) -> Kind | None:
        for kind in ("variables", "constants", "formulas"):
            one = self.flow.named(kind, name)
            if one is not None:
                return _KINDS.get(str(one.get("dataType")), Kind.TEXT)
        return None

    def _of_record(self, name: str, path: str) -> Any:
        if self.change is None:
            return None
        if not path:
            return self.change.row
        if name == _RECORD:
            return FormulaRecord(self.change.of, self.change.get, self.looker)(path)
        before = self.change.before
        if before is None:
            return None
        return FormulaRecord(self.change.of, before.get, self.looker)(path)

    def _of_row(self, value: Any, path: str) -> Any:
        if not path:
            return value
        if not isinstance(value, SObjectRow):
            return None
        return FormulaRecord(value.sobject, value.__getattribute__, self.looker)(path)


def plain_paths(text: str) -> str:
    """Return a formula of a flow with the paths of its record in place of merge fields."""

    def path(found: Any) -> str:
        head, _, rest = found[1].partition(".")
        if head.lower() == _RECORD:
            return str(rest)
        if head.lower() == _PRIOR:
            return f"PRIORVALUE({rest})"
        return str(found[1])

    return MERGED.sub(path, text)


def _literal(name: str, given: Any) -> Any:
    """Return a literal of the type that its name says; nothing where it is of another."""
    if name == "dateValue":
        return _moment(str(given)[:10], date.fromisoformat)
    if name == "dateTimeValue":
        return _moment(str(given), datetime.fromisoformat)
    if name == "booleanValue":
        return given if isinstance(given, bool) else None
    if name == "stringValue":
        return given if isinstance(given, str) else None
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return float(given) if is_number and abs(given) < _LARGEST else None


def _moment(text: str, read: Callable[[str], Any]) -> Any:
    try:
        found = read(text)
    except ValueError:
        return None
    return found if found.year in _YEARS else None


def shown_text(value: Any) -> str:
    """Return a value as it stands in a text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float | Decimal):
        return f"{float(value):.10f}".rstrip("0").rstrip(".")
    if isinstance(value, SObjectRow):
        return str(value.pk)
    return value.isoformat() if isinstance(value, date) else str(value)
