"""Acts on the screen: at places of the picture, and by keys, as somebody does who sees no tree.

Places are pixels from the upper left corner of the picture. Their tools are `computer_...`; the
bars of a browser, which no picture shows, are the acts `goto`, `back`, `forward` and `tab`.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from episodes.browser.act_parts import AcceptDialog, Act, Files

FARTHEST: Final = 10_000

Across = Annotated[int, Field(ge=0, le=FARTHEST, description="Pixels from the left edge.")]
Down = Annotated[int, Field(ge=0, le=FARTHEST, description="Pixels from the upper edge.")]
Held = Annotated[
    list[Literal["Shift", "Control", "Alt", "Meta"]],
    Field(max_length=4, description="Keys that are held down meanwhile."),
]


class Point(BaseModel):
    """A place of the picture."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    x: Across
    y: Down


class PlacedAct(Act):
    """An act at one place."""

    x: Across
    y: Down

    @property
    def points(self) -> tuple[tuple[int, int], ...]:
        """The places of the act."""
        return ((self.x, self.y),)


class ComputerClick(PlacedAct):
    """Click at a place of the picture."""

    act: Literal["computer_click"] = "computer_click"
    button: Literal["left", "right", "middle"] = "left"
    count: int = Field(default=1, ge=1, le=3, description="2 for a double click, 3 for a triple.")
    hold: Held = Field(default_factory=list)
    accept_dialog: AcceptDialog = False


class ComputerMove(PlacedAct):
    """Move the pointer to a place of the picture."""

    act: Literal["computer_move"] = "computer_move"


class ComputerDrag(Act):
    """Press the left button at the first place, move over the others, let go at the last."""

    act: Literal["computer_drag"] = "computer_drag"
    path: list[Point] = Field(min_length=2, max_length=100)
    accept_dialog: AcceptDialog = False

    @property
    def points(self) -> tuple[tuple[int, int], ...]:
        """The places of the act."""
        return tuple((point.x, point.y) for point in self.path)


class ComputerScroll(PlacedAct):
    """Turn the wheel with the pointer at a place of the picture."""

    act: Literal["computer_scroll"] = "computer_scroll"
    dx: int = Field(default=0, ge=-FARTHEST, le=FARTHEST, description="Pixels to the right.")
    dy: int = Field(default=0, ge=-FARTHEST, le=FARTHEST, description="Pixels downwards.")

    @model_validator(mode="after")
    def _somewhere(self) -> ComputerScroll:
        if not (self.dx or self.dy):
            raise ValueError("dx or dy is needed")
        return self


class ComputerType(Act):
    """Type text where the cursor is, by its keys (a new line is Enter); a long text is put in at
    once."""  # noqa: D205, D209 - read by agents as one sentence

    act: Literal["computer_type"] = "computer_type"
    text: str = Field(min_length=1, max_length=20_000)
    accept_dialog: AcceptDialog = False


class ComputerKey(Act):
    """Press a key or a combination, or the same again and again."""

    act: Literal["computer_key"] = "computer_key"
    key: str = Field(
        min_length=1,
        max_length=60,
        description="Such as Enter, Escape, Tab, ArrowDown, a, Control+a.",
    )
    times: int = Field(default=1, ge=1, le=50)
    accept_dialog: AcceptDialog = False


class ComputerUpload(PlacedAct):
    """Click at a place that asks for files, and choose these."""

    act: Literal["computer_upload"] = "computer_upload"
    files: Files


OnScreen = (
    ComputerClick
    | ComputerMove
    | ComputerDrag
    | ComputerScroll
    | ComputerType
    | ComputerKey
    | ComputerUpload
)
ON_SCREEN: tuple[type[Act], ...] = OnScreen.__args__
