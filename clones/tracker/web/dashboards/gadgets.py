"""Gadgets on their dashboards: added, set to something, moved, taken away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse, QueryDict

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain import gadgets
from clones.tracker.domain.dashboards import find_dashboard
from clones.tracker.domain.errors import TrackerError
from clones.tracker.domain.properties import set_property
from clones.tracker.models import Dashboard, Gadget
from clones.tracker.queries.boards import has_sprints, visible_boards
from clones.tracker.queries.rights import Rights, visible_projects
from clones.tracker.queries.sharing import visible_filters
from clones.tracker.rules.gadgets import COLOURS
from clones.tracker.web.access import Visitor, form_of_staff, page_of_staff
from clones.tracker.web.dashboards.kinds import (
    CONFIG,
    SHOWN,
    STATS,
    GadgetDisplay,
    GadgetSetting,
    kind_titled,
    shown_kind,
)
from clones.tracker.web.dashboards.pages import ADDRESS, configs_of, dashboard_page
from clones.tracker.web.dashboards.statistics import custom_stats
from clones.tracker.web.navigator.columns import all_columns
from clones.tracker.web.navigator.keeping import sentences
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.shell import go, page

MOST: Final = 300  # spaces, filters and boards to choose from
MOVES: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
Options = list[tuple[str, list[tuple[str, str]]]]


@dataclass(frozen=True, slots=True)
class SettingControl:
    """The input of a setting: what it holds, and what there is to choose."""

    setting: GadgetSetting
    value: str
    options: Options
    chosen: tuple[str, ...] = ()
    error: str = ""


@page_of_staff
def add(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show the kinds of gadgets, or add one."""
    found = find_dashboard(who.rights, key, to_edit=True)
    if request.method != "POST":
        context = {"dashboard": found, "kinds": sorted(SHOWN, key=lambda one: one.title)}
        return page(
            request, who, "tracker/dashboards/add.html", context,
            title="Add gadget", active="dashboards",
        )  # fmt: skip
    shown = kind_titled(posted_text(request, "gadget"))
    if shown is None:
        return not_found()
    kind = shown.kind
    try:
        made = gadgets.add_gadget(found, gadgets.Settings(module_key=kind.module_key, uri=kind.uri))
    except TrackerError as error:
        return dashboard_page(request, who, found, sentences(error))
    if shown.settings:
        return go(f"{ADDRESS}/{key}/gadgets/{made.id}")
    return go(f"{ADDRESS}/{key}?edit", f"Gadget “{made.title}” added")


@page_of_staff
def configure(request: SandboxRequest, who: Visitor, key: int, gadget: int) -> HttpResponse:
    """Show what a gadget is set to, or set it to something else."""
    found = find_dashboard(who.rights, key, to_edit=True)
    row = gadgets.find_gadget(found, gadget)
    shown = shown_kind(row)
    if shown is None:
        return not_found()
    if request.method != "POST":
        config = configs_of([row]).get(row.id, {})
        return _form(request, who, row, shown, config)
    config, wrong = _read(shown, request.POST)
    title = posted_text(request, "title")
    problems: Sequence[str] = ()
    if not title or len(title) > 255:
        problems = ["The title must have between 1 and 255 characters."]
    if not wrong and not problems:
        try:
            colour = posted_text(request, "color", row.color)
            gadgets.update_gadget(row, gadgets.Settings(title=title, color=colour))
        except TrackerError as error:
            problems = sentences(error)
    if wrong or problems:
        return _form(request, who, row, shown, config, wrong=wrong, problems=problems)
    if shown.settings:
        set_property(gadgets.KIND, str(row.id), CONFIG, {**config, "isConfigured": "true"})
    return go(f"{ADDRESS}/{key}?edit", f"Gadget “{title}” saved")


def _read(shown: GadgetDisplay, data: QueryDict) -> tuple[dict[str, str], dict[str, str]]:
    """Return the settings that a form sends, and what is wrong with them."""
    config: dict[str, str] = {}
    wrong: dict[str, str] = {}
    for one in shown.settings:
        value = data.get(one.name, "").strip()
        if one.input == "flag":
            value = "true" if value else "false"
        elif one.input == "columns":
            value = "|".join(data.getlist(one.name)) or one.usual
        elif one.input == "number":
            number = int(value) if is_digits(value, 6) else 0
            if not 1 <= number <= one.most:
                wrong[one.name] = f"Enter a number between 1 and {one.most}."
        elif not value:
            wrong[one.name] = f"{one.label} is required."
        config[one.name] = value
    return config, wrong


def _form(
    request: SandboxRequest,
    who: Visitor,
    row: Gadget,
    shown: GadgetDisplay,
    config: Mapping[str, str],
    *,
    wrong: Mapping[str, str] | None = None,
    problems: Sequence[str] = (),
) -> HttpResponse:
    wrong = wrong or {}
    sent = request.POST if wrong or problems else None
    context = {
        "dashboard": row.dashboard,
        "gadget": row,
        "shown": shown,
        "title_typed": row.title if sent is None else sent.get("title", ""),
        "colour": row.color if sent is None else sent.get("color", ""),
        "colours": COLOURS,
        "controls": [
            _control(one, config, who.rights, wrong.get(one.name, "")) for one in shown.settings
        ],
        "problems": problems,
    }
    return page(
        request, who, "tracker/dashboards/configure.html", context,
        title="Configure gadget", active="dashboards", status=400 if sent is not None else 200,
    )  # fmt: skip


def _control(
    one: GadgetSetting, config: Mapping[str, str], rights: Rights, error: str
) -> SettingControl:
    value = str(config.get(one.name, one.usual))
    chosen = tuple(value.split("|")) if one.input == "columns" else ()
    options = _options(one, rights)
    if chosen:
        # Browsers send what is chosen in the order of the list: those that are keep theirs.
        place = {id: at for at, id in enumerate(chosen)}
        [(label, rows)] = options
        options = [(label, sorted(rows, key=lambda row: place.get(row[0], len(place))))]
    return SettingControl(one, value, options, chosen, error)


def _options(one: GadgetSetting, rights: Rights) -> Options:
    match one.input:
        case "stat":
            custom = sorted(custom_stats(rights).items(), key=lambda row: (row[1].lower(), row[0]))
            return [("Fields", list(STATS.items())), ("Custom fields", custom)]
        case "choice":
            return [("", list(one.choices))]
        case "columns":
            known = all_columns(rights).values()
            rows = sorted(((column.id, column.label) for column in known), key=lambda row: row[1])
            return [("", rows)]
        case "board":
            boards = visible_boards(rights).order_by("name", "id")[:MOST]
            return [("", [(str(row.id), row.name) for row in boards if has_sprints(row)])]
        case "filter":
            return [("", _filters(rights, ""))]
        case "source":
            spaces = visible_projects(rights).filter(archived_at=None).order_by("name", "id")
            named = [(f"project-{row.id}", row.name) for row in spaces[:MOST]]
            return [("Filters", _filters(rights, "filter-")), ("Spaces", named)]
    return []


def _filters(rights: Rights, before: str) -> list[tuple[str, str]]:
    rows = visible_filters(rights).order_by("name", "id")[:MOST]
    return [(f"{before}{row.id}", row.name) for row in rows]


@form_of_staff
def move(request: SandboxRequest, who: Visitor, key: int, gadget: int) -> HttpResponse:
    """Move a gadget one place up, down, left or right, or to a place that a script names."""
    found = find_dashboard(who.rights, key, to_edit=True)
    row = gadgets.find_gadget(found, gadget)
    place = _place(request.POST, row, found)
    if place is not None:
        try:
            gadgets.update_gadget(row, gadgets.Settings(place=place))
        except TrackerError as error:
            return dashboard_page(request, who, found, sentences(error))
    return go(f"{ADDRESS}/{key}?edit")


def _place(data: QueryDict, row: Gadget, found: Dashboard) -> gadgets.GridCell | None:
    """Return where a gadget is to go; None: it cannot go there, and stays."""
    column, at = data.get("column", ""), data.get("row", "")
    if is_digits(column) and is_digits(at):
        return gadgets.GridCell(int(at[:4]), int(column[:4]))
    down, right = MOVES.get(data.get("to", ""), (0, 0))
    there = row.column + right
    if not 0 <= there < len(found.layout):
        return None
    others = Gadget.objects.filter(dashboard=found, column=there).exclude(id=row.id).count()
    line = row.row + down
    if line < 0:
        return None
    return gadgets.GridCell(min(line, others), there)


@form_of_staff
def remove(request: SandboxRequest, who: Visitor, key: int, gadget: int) -> HttpResponse:
    """Take a gadget away."""
    found = find_dashboard(who.rights, key, to_edit=True)
    row = gadgets.find_gadget(found, gadget)
    title = row.title
    gadgets.remove_gadget(row)
    return go(f"{ADDRESS}/{key}?edit", f"Gadget “{title}” deleted")
