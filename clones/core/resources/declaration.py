"""What a resource that admins configure is: its name, its fields, and who writes its records.

Nothing here knows a vendor, an API or a page: both are made from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

from django.db.models import Model, QuerySet
from pydantic import BaseModel, create_model
from pydantic import Field as Constraint

Row = TypeVar("Row", bound=Model)
# What no column of ids can hold is no id.
Id = Annotated[int, Constraint(ge=0, le=2**63 - 1)]
FieldKind = Literal["id", "line", "text", "flag", "number", "record", "records", "other"]
_TYPES: Final[dict[FieldKind, Any]] = {
    "id": int | None,
    "line": str | None,
    "text": str | None,
    "flag": bool | None,
    "number": int | None,
    "record": int | None,
    "records": list[int] | None,
    "other": Any,
}


@dataclass(frozen=True, slots=True)
class ResourceField:
    """A value that admins give a record.

    Args:
        name: what the functions that write records call it.
        kind: a `line` or a longer `text`, a `flag`, a `number`, the id of a `record` or of several;
            an `id` is the record's own, which clients send along and nobody sets.
        label: what people read beside it; its name in words where nothing else is said.
        limit: how many characters a line or text may have.
        required: whether no record is without it.
        choices: the values that it can have, where they are few and known.
        key: what the API calls it, where that is not its name.
        about: what the API's description says of it.
        type: what the API takes, where its kind does not say it.
    """

    name: str
    kind: FieldKind = "line"
    _: KW_ONLY
    label: str = ""
    limit: int | None = None
    required: bool = False
    choices: tuple[str, ...] = ()
    key: str | None = None
    about: str | None = None
    type: Any = None

    @property
    def title(self) -> str:
        """What people read beside it."""
        return self.label or self.name.replace("_", " ").capitalize()

    def is_too_long(self, text: str) -> bool:
        """Tell whether a text has more characters than its limit."""
        return self.limit is not None and len(text) > self.limit


@dataclass(frozen=True, slots=True)
class Resource(Generic[Row]):
    """A kind of record that admins configure, and the domain's functions that write it.

    A function that is None is one that nobody may ask for. `create` takes the fields, `update` and
    `delete` the record first; all take the `actor`, and refuse who may not.

    Args:
        model: the records' table.
        name: what the vendor calls one, in lower case.
        fields: what admins give it.
        plural: what the vendor calls several; an s behind the name unless said.
        order: the columns by which lists are in order, a total one.
        among: the records that there are, where the table holds others, too.
        create: makes a record and returns it.
        update: changes a record.
        delete: removes a record; what used it is refused, cleared, or gets the heir.
        has_heir: whether `delete` is told another record that takes the place of the one that goes.
        move: puts records elsewhere in their order.
        set_default: makes a record the default, or none.
    """

    model: type[Row]
    name: str
    fields: tuple[ResourceField, ...] = ()
    _: KW_ONLY
    plural: str = ""
    order: tuple[str, ...] = ("id",)
    among: Callable[[], QuerySet[Row]] | None = None
    create: Callable[..., Row] | None = None
    update: Callable[..., Any] | None = None
    delete: Callable[..., Any] | None = None
    has_heir: bool = False
    move: Callable[..., Any] | None = None
    set_default: Callable[..., Any] | None = None

    @property
    def names(self) -> str:
        """What the vendor calls several."""
        return self.plural or f"{self.name}s"

    def writer(self, kind: str) -> Callable[..., Any]:
        """Return the function that does a kind of write.

        Raises:
            ValueError: none does: it is not declared.
        """
        writers: dict[str, Callable[..., Any] | None] = {
            "create": self.create,
            "update": self.update,
            "delete": self.delete,
            "move": self.move,
            "default": self.set_default,
        }
        found = writers.get(kind)
        if found is None:
            raise ValueError(f"no function is declared for {kind} of {self.names}")
        return found

    def records(self) -> QuerySet[Row]:
        """Return all records."""
        return self.model._default_manager.all() if self.among is None else self.among()

    def rows(self) -> QuerySet[Row]:
        """Return all records in their order."""
        return self.records().order_by(*self.order)


def body_of(
    fields: tuple[ResourceField, ...], name: str, about: str, *, base: type[BaseModel], module: str
) -> type[BaseModel]:
    """Return the model of a body that sets fields; what is not sent is None.

    Args:
        fields: in the order in which the API's description has them.
        name: the model's, as the description has it.
        about: its docstring, which the description has, too.
        base: the clone's base of bodies.
        module: the module that declares it: it tells models of one name apart.
    """
    found: dict[str, Any] = {
        one.name: (
            _TYPES[one.kind] if one.type is None else one.type,
            Constraint(None, alias=one.key, description=one.about),
        )
        for one in fields
    }
    made: type[BaseModel] = create_model(
        name, __base__=base, __doc__=about, __module__=module, **found
    )
    return made
