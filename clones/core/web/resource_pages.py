"""Pages on which admins keep a resource: what forms ask of its fields, and what is sent of them.

    class ResolutionPages(AdminPages[Resolution]):
        resource = RESOLUTION
        asks = (AskedField("name"), AskedField("description", hint="In a sentence."))

Each clone has a class of its own (`AdminPages`) that puts lists, forms and questions into the frame
of its pages. A page derives from it and says its texts; where it differs, it has a method of its
own. docs/how-to/add-a-configuration-resource.md shows both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final, Generic, Literal

from django.db.models import QuerySet

from clones.core.resources.declaration import FieldKind, Resource, ResourceField, Row
from clones.core.web.inputs import Choice, Input, PageForm, chosen, number_of

_SHAPES: Final[dict[FieldKind, str]] = {
    "line": "line",
    "text": "area",
    "flag": "check",
    "number": "number",
    "record": "select",
    "records": "checks",
}


@dataclass(frozen=True, slots=True)
class AskedField:
    """A field of a resource that forms ask for, and how.

    Args:
        name: the field's.
        shape: the shape of its input, where the field's kind does not say it; "static"
            only says what the field has, in clones whose forms do that.
        hint: what stands below the input.
        none: what no choice at all is called.
        of: whether only new records are asked for it, or only those that there are.
    """

    name: str
    shape: str = ""
    _: KW_ONLY
    hint: str = ""
    none: str = ""
    of: Literal["all", "new", "old"] = "all"


class ResourcePages(Generic[Row]):
    """Pages that keep a resource, as far as they are alike in all clones.

    Attributes:
        resource: what is kept.
        asks: which of its fields forms ask for, in their order; all but ids unless said.
        named_by: the column by which people know a record.
        order: the columns by which the list is in order, where it is not the resource's own order.
    """

    resource: Resource[Row]
    asks: Sequence[AskedField] = ()
    named_by = "name"
    order: Sequence[str] = ()

    def name(self, record: Row) -> str:
        """Return what people know a record by."""
        return str(getattr(record, self.named_by))

    def records(self) -> QuerySet[Row]:
        """Return the records that the pages keep."""
        return self.resource.records()

    def rows(self) -> QuerySet[Row]:
        """Return these records in the list's order, with what the list shows of them."""
        return self.records().order_by(*(self.order or self.resource.order))

    def new(self) -> Row:
        """Return a record as the form of a new one begins; it is not stored."""
        return self.resource.model()

    def inputs(self, found: Row | None) -> list[Input]:
        """Return what is asked of a record, or of a new one."""
        return [self._input(field, asked, found) for field, asked in self._asked_fields(found)]

    def values(self, sent: PageForm, found: Row | None) -> dict[str, Any]:
        """Return what was sent of a record, or of a new one, as its writes take it."""
        return {
            field.name: _sent(sent, field)
            for field, asked in self._asked_fields(found)
            if asked.shape != "static"
        }

    def value(self, field: ResourceField, found: Row | None) -> Any:
        """Return what a field's input has before anything is typed."""
        return getattr(self.new() if found is None else found, field.name)

    def choices(self, field: ResourceField, found: Row | None) -> Iterable[tuple[object, str]]:
        """Return what can be chosen for a field: values and what they are called."""
        return [(word, word.replace("_", " ").capitalize()) for word in field.choices]

    def make_input(
        self,
        name: str,
        label: str,
        shape: str,
        value: str,
        *,
        choices: Sequence[Choice],
        required: bool,
        none: str,
        hint: str,
    ) -> Input:
        """Return an input as the clone's forms have them."""
        return Input(
            name, label, shape, value, choices=choices, required=required, none=none, hint=hint
        )

    def _asked_fields(self, found: Row | None) -> list[tuple[ResourceField, AskedField]]:
        fields = {field.name: field for field in self.resource.fields if field.kind != "id"}
        asked = self.asks or [AskedField(name) for name in fields]
        left_out = "old" if found is None else "new"
        return [(fields[one.name], one) for one in asked if one.of != left_out]

    def _input(self, field: ResourceField, asked: AskedField, found: Row | None) -> Input:
        value = self.value(field, found)
        shape = asked.shape or ("select" if field.choices else _SHAPES[field.kind])
        choices: Sequence[Choice] = ()
        text = "" if value is None else str(value)
        if shape == "check":
            text = "on" if value else ""
        elif shape in {"select", "radio"}:
            choices = chosen(self.choices(field, found), () if value is None else (value,))
        elif shape in {"checks", "multiple"}:
            choices = chosen(self.choices(field, found), value or ())
        return self.make_input(
            _key(field),
            field.title,
            shape,
            text,
            choices=choices,
            required=field.required and shape != "static",
            none=asked.none,
            hint=asked.hint,
        )


def _key(field: ResourceField) -> str:
    """Return what forms send a field as: what the API calls it."""
    return field.key or field.name


def _sent(sent: PageForm, field: ResourceField) -> Any:
    name = _key(field)
    if field.kind == "flag":
        return sent.ticked(name)
    if field.kind == "records":
        return [key for key in map(number_of, sent.several(name)) if key is not None]
    if field.kind in {"record", "number"}:
        return number_of(sent.text(name))
    return sent.text(name)
