"""What an agent can do in a browser: the acts, as data, and their tool descriptions.

An act names its element by `ref`, from the latest observation, or by `target`, the handle that
recordings keep. The recorded form holds handles only, and addresses as `origin:N/path`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from episodes.browser.act_parts import AcceptDialog, Act, Files
from episodes.browser.errors import BadAct
from episodes.browser.pointer_acts import ON_SCREEN, OnScreen

TOOL_PREFIX = "browser_"
# The surface of those who see a picture and no tree, and of those who see both.
COMPUTER, HYBRID = "computer", "hybrid"

TEXT_LIMIT = 100_000
Ref = Annotated[
    str,
    Field(max_length=40, description="Ref of the element in the latest observation, such as e12."),
]


class Target(BaseModel):
    """A handle: role and exact name, and which one where several have both."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: str
    name: str = ""
    ordinal: int | None = Field(default=None, ge=0)
    frame: tuple[int, ...] | None = None


class OptionalAim(Act):
    """An act that may be given an element."""

    ref: Ref | None = None
    target: Target | None = None

    @model_validator(mode="after")
    def _one_aim(self) -> OptionalAim:
        if self.ref is not None and self.target is not None:
            raise ValueError("give ref or target, not both")
        return self


class Aim(OptionalAim):
    """An act on one element."""

    @model_validator(mode="after")
    def _an_aim(self) -> Aim:
        # A recorded act that was aimed at nothing keeps its empty target, and fails again.
        if self.ref is None and self.target is None and "target" not in self.model_fields_set:
            raise ValueError("ref is needed")
        return self


class Click(Aim):
    """Click an element: a button, link, checkbox, tab, menu item, or whatever is clickable."""

    act: Literal["click"] = "click"
    double: bool = Field(default=False, description="Click twice.")
    button: Literal["left", "right"] = "left"
    accept_dialog: AcceptDialog = False


class Hover(Aim):
    """Move the pointer over an element."""

    act: Literal["hover"] = "hover"


class Type(Aim):
    """Enter text in a field or an editor, in place of what it holds."""

    act: Literal["type"] = "type"
    text: str = Field(max_length=TEXT_LIMIT)
    append: bool = Field(default=False, description="Add to what the field holds.")
    slowly: bool = Field(
        default=False, description="Press one key after the other, for fields that react to keys."
    )
    submit: bool = Field(default=False, description="Press Enter afterwards.")
    accept_dialog: AcceptDialog = False


class Select(Aim):
    """Choose in a drop-down list (a combobox whose options are listed), by label or value."""

    act: Literal["select"] = "select"
    options: list[str] = Field(min_length=1, max_length=100)
    accept_dialog: AcceptDialog = False


class Press(OptionalAim):
    """Press a key or a combination, on the element given or on the one that has the focus."""

    act: Literal["press"] = "press"
    key: str = Field(
        min_length=1,
        max_length=60,
        description="Such as Enter, Escape, Tab, ArrowDown, a, Control+Alt+s.",
    )
    accept_dialog: AcceptDialog = False


class Scroll(OptionalAim):
    """Scroll the page, or the scrollable area an element lies in; without a direction, bring
    the element into view."""  # noqa: D205, D209 - read by agents as one sentence

    act: Literal["scroll"] = "scroll"
    direction: Literal["up", "down", "left", "right"] | None = None
    pixels: int | None = Field(
        default=None, ge=1, le=100_000, description="How far; by default most of what is seen."
    )

    @model_validator(mode="after")
    def _somewhere(self) -> Scroll:
        if self.direction is None and self.ref is None and self.target is None:
            raise ValueError("direction is needed where no element is given")
        return self


class Goto(Act):
    """Open an address, absolute or relative to the present page, in the active tab."""

    act: Literal["goto"] = "goto"
    url: str = Field(min_length=1, max_length=8_000)
    accept_dialog: AcceptDialog = False


class Back(Act):
    """Go back to the previous page of the active tab."""

    act: Literal["back"] = "back"
    accept_dialog: AcceptDialog = False


class Forward(Act):
    """Go forward again in the active tab, after going back."""

    act: Literal["forward"] = "forward"
    accept_dialog: AcceptDialog = False


class Tab(Act):
    """Open a new tab, switch to a tab, or close one."""

    act: Literal["tab"] = "tab"
    do: Literal["new", "switch", "close"]
    index: int | None = Field(
        default=None, ge=0, description="The tab to switch to or to close (the active one)."
    )
    url: str | None = Field(default=None, max_length=8_000, description="What a new tab opens.")

    @model_validator(mode="after")
    def _complete(self) -> Tab:
        if self.do == "switch" and self.index is None:
            raise ValueError("index is needed to switch")
        if self.do == "new" and self.index is not None:
            raise ValueError("a new tab takes no index")
        if self.do != "new" and self.url is not None:
            raise ValueError("only a new tab takes a url")
        return self


class Upload(Aim):
    """Give files to a file field, or to a button that asks for files."""

    act: Literal["upload"] = "upload"
    files: Files


ACTS: tuple[type[Act], ...] = (
    Click, Hover, Type, Select, Press, Scroll, Goto, Back, Forward, Tab, Upload,
)  # fmt: skip

# What the bars of a browser are for.
BARS: tuple[type[Act], ...] = (Goto, Back, Forward, Tab)

_Any = Annotated[
    Click
    | Hover
    | Type
    | Select
    | Press
    | Scroll
    | Goto
    | Back
    | Forward
    | Tab
    | Upload
    | OnScreen,
    Field(discriminator="act"),
]
_READER: TypeAdapter[_Any] = TypeAdapter(_Any)


def read_act(act: Mapping[str, Any]) -> Act:
    """Return an act given as JSON data.

    Raises:
        BadAct: it is no act; the message says what is wrong, in one line.
    """
    try:
        return _READER.validate_python(dict(act))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        # The discriminator's own place stands first; an agent knows which act it sent.
        where = ".".join(str(part) for part in first["loc"][1:])
        said = first["msg"].removeprefix("Value error, ")
        raise BadAct(f"{where}: {said}" if where else said, "bad_arguments") from None


def act_from_tool(
    name: str, arguments: Mapping[str, Any], surface: str | None = None
) -> dict[str, Any]:
    """Return the act that a tool call means.

    Raises:
        BadAct: there is no such tool, or not on this surface.
    """
    kind = next((kind for kind in acts_of(surface) if _tool(kind) == name), None)
    if kind is None:
        raise BadAct(f"there is no tool {name}", "no_such_tool")
    return {**arguments, "act": _name(kind)}


def acts_of(surface: str | None) -> tuple[type[Act], ...]:
    """Return the acts of a surface: by elements without one, by places (`computer`), or both."""
    if surface == COMPUTER:
        return (*ON_SCREEN, *BARS)
    return (*ACTS, *ON_SCREEN) if surface == HYBRID else ACTS


def tools(surface: str | None = None) -> list[dict[str, Any]]:
    """Return the acts as tools: name, description, and the JSON Schema of their input."""
    return [
        {
            "name": _tool(kind),
            "description": " ".join((kind.__doc__ or "").split()),
            "input_schema": _schema(kind),
        }
        for kind in acts_of(surface)
    ]


def recorded(act: Act, target: Mapping[str, Any] | None, url: str | None = None) -> dict[str, Any]:
    """Return the form of an act that trajectories keep: no ref, no address of a sandbox.

    Args:
        act: what was asked.
        target: the handle of its element, or None.
        url: the address it leads to as `origin:N/path`, or None.
    """
    data = act.model_dump(mode="json", exclude_defaults=True, exclude={"ref", "target"})
    data = {"act": _name(type(act)), **data}
    if isinstance(act, OptionalAim) and (target is not None or isinstance(act, Aim)):
        data["target"] = None if target is None else dict(target)
    if url is not None:
        data["url"] = url
    return data


def asked(act: Act) -> dict[str, Any] | None:
    """Return the handle an act was given, as it was given, or None."""
    if not isinstance(act, OptionalAim) or act.target is None:
        return None
    return act.target.model_dump(mode="json", exclude_defaults=True)


def _name(kind: type[Act]) -> str:
    return str(kind.model_fields["act"].default)


def _tool(kind: type[Act]) -> str:
    return _name(kind) if kind in ON_SCREEN else TOOL_PREFIX + _name(kind)


def _schema(kind: type[Act]) -> dict[str, Any]:
    schema = kind.model_json_schema()
    definitions = schema.pop("$defs", {})
    properties = schema.pop("properties")
    del properties["act"]
    properties.pop("target", None)
    required = schema.pop("required", [])
    if issubclass(kind, Aim):
        required = ["ref", *required]
    return {
        "type": "object",
        "properties": {name: _plain(part, definitions) for name, part in properties.items()},
        "required": required,
        "additionalProperties": False,
    }


def _plain(part: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a schema without titles, nulls and references."""
    if isinstance(part, list):
        return [_plain(item, definitions) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _plain(definitions[part["$ref"].rsplit("/", 1)[-1]], definitions)
    kept = {
        key: _plain(value, definitions)
        for key, value in part.items()
        if not (key == "title" and isinstance(value, str)) and (key, value) != ("default", None)
    }
    choices = [choice for choice in kept.get("anyOf", []) if choice != {"type": "null"}]
    if len(choices) == 1:
        del kept["anyOf"]
        kept = {**choices[0], **kept}
    return kept
