"""The diagram of a workflow: boxes for statuses, arcs for transitions, as a picture has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

from clones.tracker.rules.workflow.drafts import TransitionDraft
from clones.tracker.rules.workflow.editing import Drafted
from clones.tracker.rules.workflow.layout import START, point_of

HEIGHT: Final = 36.0
LETTER: Final = 7.5  # how wide a letter of a name is, about
PAD: Final = 32.0
BEND: Final = 0.18  # how far an arc stands off, by its length
GAP: Final = 14.0
_CATEGORY: Final = {"TODO": "new", "IN_PROGRESS": "indeterminate", "DONE": "done"}


@dataclass(frozen=True, slots=True)
class DiagramBox:
    """A box: its corner, its width, the name in it."""

    reference: str
    name: str
    category: str
    x: float
    y: float
    width: float

    @property
    def middle(self) -> tuple[float, float]:
        """The point around which it is."""
        return self.x + self.width / 2, self.y + HEIGHT / 2

    @property
    def text_x(self) -> str:
        """Where its name stands."""
        return f"{self.middle[0]:.1f}"

    @property
    def text_y(self) -> str:
        """Where its name stands, from above."""
        return f"{self.middle[1] + 4:.1f}"


@dataclass(frozen=True, slots=True)
class Edge:
    """An arc: its path, the head at its end, and its name beside it."""

    id: str
    name: str
    label: str
    path: str
    head: str
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Diagram:
    """A picture: the box that it fills, and what is in it."""

    view: str
    width: int
    height: int
    nodes: Sequence[DiagramBox]
    edges: Sequence[Edge]
    start: DiagramBox


def diagram_of(drafted: Drafted) -> Diagram:
    """Return the diagram of a workflow: what nobody placed stands in a row."""
    nodes = _nodes(drafted)
    first = drafted.workflow.start or START
    start = DiagramBox("", "Start", "start", float(first["x"]), float(first["y"]), HEIGHT)
    edges = [edge for item in drafted.workflow.transitions for edge in _edges(item, nodes, start)]
    every = [*nodes.values(), start]
    left = min(node.x for node in every) - PAD
    # Arcs stand off from the boxes, their names beside them.
    heights = [float(edge.y) for edge in edges]
    top = min([node.y for node in every] + heights) - PAD
    right = max(node.x + node.width for node in every) + PAD
    bottom = max([node.y + HEIGHT for node in every] + heights) + PAD
    width, height = right - left, bottom - top
    view = f"{left:.0f} {top:.0f} {width:.0f} {height:.0f}"
    return Diagram(view, int(width), int(height), list(nodes.values()), edges, start)


def _nodes(drafted: Drafted) -> dict[str, DiagramBox]:
    found = {}
    for at, place in enumerate(drafted.workflow.places):
        status = drafted.status(place.reference)
        if status is None:
            continue
        point = place.layout or point_of(at)
        width = max(96.0, LETTER * len(status.name) + 28)
        found[place.reference] = DiagramBox(
            place.reference,
            status.name,
            _CATEGORY.get(status.category, "new"),
            float(point["x"]),
            float(point["y"]),
            width,
        )
    return found


def _edges(item: TransitionDraft, nodes: dict[str, DiagramBox], start: DiagramBox) -> list[Edge]:
    target = nodes.get(item.to)
    if item.type == "INITIAL":
        return [] if target is None else [_arc(item, start, target, "Create")]
    if item.type == "GLOBAL":
        return [] if target is None else [_stub(item, target)]
    found = []
    for link in item.links:
        source = nodes.get(link.reference)
        if source is None:
            continue
        end = target or source
        where = f"{source.name} to {end.name}"
        found.append(_loop(item, source) if end is source else _arc(item, source, end, where))
    return found


def _arc(item: TransitionDraft, source: DiagramBox, target: DiagramBox, where: str) -> Edge:
    (x1, y1), (x2, y2) = source.middle, target.middle
    length = hypot(x2 - x1, y2 - y1) or 1.0
    off = BEND * length + GAP
    bend_x = (x1 + x2) / 2 + (y2 - y1) / length * off
    bend_y = (y1 + y2) / 2 - (x2 - x1) / length * off
    start_x, start_y = _border(source, bend_x, bend_y)
    end_x, end_y = _border(target, bend_x, bend_y)
    path = f"M{start_x:.1f} {start_y:.1f}Q{bend_x:.1f} {bend_y:.1f} {end_x:.1f} {end_y:.1f}"
    return Edge(
        item.id,
        item.name,
        f"{item.name}: {where}",
        path,
        _head(bend_x, bend_y, end_x, end_y),
        f"{(start_x + 2 * bend_x + end_x) / 4:.1f}",
        f"{(start_y + 2 * bend_y + end_y) / 4 - 4:.1f}",
    )


def _loop(item: TransitionDraft, node: DiagramBox) -> Edge:
    """Return the arc of a transition that leads back to where it comes from."""
    x, y = node.middle[0], node.y
    bend = f"C{x - 40:.1f} {y - 52:.1f} {x + 40:.1f} {y - 52:.1f}"
    path = f"M{x - 16:.1f} {y:.1f}{bend} {x + 16:.1f} {y:.1f}"
    head = _head(x + 26, y - 26, x + 16, y)
    label = f"{item.name}: {node.name} to itself"
    return Edge(item.id, item.name, label, path, head, f"{x:.1f}", f"{y - 44:.1f}")


def _stub(item: TransitionDraft, node: DiagramBox) -> Edge:
    """Return the short arrow of a transition that leads to a status from everywhere."""
    x, y = node.middle[0], node.y + HEIGHT
    path = f"M{x:.1f} {y + 36:.1f}L{x:.1f} {y:.1f}"
    head = _head(x, y + 36, x, y)
    label = f"{item.name}: any status to {node.name}"
    return Edge(item.id, f"Any: {item.name}", label, path, head, f"{x:.1f}", f"{y + 50:.1f}")


def _border(node: DiagramBox, x: float, y: float) -> tuple[float, float]:
    """Return where the line from a node's middle to a point leaves its box."""
    middle_x, middle_y = node.middle
    dx, dy = x - middle_x, y - middle_y
    if not dx and not dy:
        return middle_x, middle_y
    scale = min(
        (node.width / 2) / abs(dx) if dx else float("inf"),
        (HEIGHT / 2) / abs(dy) if dy else float("inf"),
    )
    return middle_x + dx * scale, middle_y + dy * scale


def _head(from_x: float, from_y: float, x: float, y: float) -> str:
    """Return the points of an arrow's head that comes from one point to another."""
    length = hypot(x - from_x, y - from_y) or 1.0
    dx, dy = (x - from_x) / length, (y - from_y) / length
    back_x, back_y = x - 8 * dx, y - 8 * dy
    return (
        f"{x:.1f},{y:.1f} {back_x - 4 * dy:.1f},{back_y + 4 * dx:.1f}"
        f" {back_x + 4 * dy:.1f},{back_y - 4 * dx:.1f}"
    )
