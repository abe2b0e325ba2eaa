"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from typing import Final

from episodes.families.h16.reading import METRICS, REPLACED, Contract, contract_of, firm_of
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page, conversation_on, search
from episodes.tasks.page_reading import NotOnPage, lines, ref_of

QUERY: Final = "type:ticket Kestrel Laser Works agreement"
LABELS: Final = {column: name for name, column in METRICS.items()}


def in_browser(space: ActingSpace) -> None:
    """Read the agreement in force and its note, fill in a policy, move it to its place, finish.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = search(space, space.observe(), QUERY)
    contract, page = read_agreement(space, page)
    page = space.act("browser_click", ref=ref_of(page, "link", "^Admin Center$"))
    page = space.act("browser_click", ref=ref_of(page, "link", "^Service level agreements$"))
    order = titles_on(page)
    page = space.act("browser_click", ref=ref_of(page, "link", "^Create policy$"))
    title = f"Contract: {contract.firm}"
    page = fill_in(space, page, contract, title)
    place = 0 if contract.after is None else order.index(contract.after) + 1
    page = space.act("browser_click", ref=ref_of(page, "link", "^Service level agreements$"))
    for _ in range(len(order) - place):
        button = ref_of(page, "button", f"^Move {re.escape(title)} up$")
        page = space.act("browser_click", ref=button)
    space.act("finish", status="done")


def read_agreement(space: ActingSpace, page: Page) -> tuple[Contract, Page]:
    """Open what is pinned about the goal's firm, newest first, until it is what replaced another.

    Raises:
        NotOnPage: nothing is.
    """
    found = [line for line in lines(page) if line.role == "link" and "PINNED" in line.name]
    url = str(page["url"])
    for number, line in enumerate(found):
        if not any(name in space.goal for name in firms_in(line.name)):
            continue
        if number and str(page["url"]) != url:
            page = space.act("browser_goto", url=url)
        ref = ref_of(page, "link", f"^{re.escape(line.name)}$")
        page = space.act("browser_click", ref=ref)
        said = conversation_on(page)
        if REPLACED.search(said[0]):
            firm = firm_of(space.goal, firms_in(line.name))
            return contract_of(firm, said[0], said[1:]), page
    raise NotOnPage("no agreement in force is pinned")


def firms_in(subject: str) -> list[str]:
    """Return whom the subject of a pinned agreement may mean."""
    text = subject.removeprefix("PINNED: ")
    openings = ("service agreement with ", "support contract of ")
    text = next((text.removeprefix(o) for o in openings if text.startswith(o)), text)
    return [text.removesuffix(", service agreement")]


def titles_on(page: Page) -> list[str]:
    """Return the titles of the policies as their list shows them."""
    return [
        line.name.removeprefix("Select ")
        for line in lines(page)
        if line.role == "checkbox" and line.name.startswith("Select ")
    ]


def fill_in(space: ActingSpace, page: Page, contract: Contract, title: str) -> Page:
    """Fill in the editor of policies and create the policy."""
    page = space.act("browser_type", ref=ref_of(page, "textbox", "^Policy name$"), text=title)
    page = set_conditions(space, page, contract)
    for priority, times in contract.targets.items():
        for metric, minutes in times.items():
            label = f"^{priority.capitalize()} {LABELS[metric]}: "
            parts = zip(("hours", "minutes"), divmod(minutes, 60), strict=True)
            for unit, value in parts:
                if value:
                    box = ref_of(page, "textbox", f"{label}{unit}$")
                    page = space.act("browser_type", ref=box, text=str(value))
        if priority not in contract.around_the_clock:
            box = ref_of(page, "combobox", f"^{priority.capitalize()} hours of operation$")
            page = space.act("browser_select", ref=box, options=["Business hours"])
    return space.act("browser_click", ref=ref_of(page, "button", "^Create$"))


def set_conditions(space: ActingSpace, page: Page, contract: Contract) -> Page:
    """Fill in the conditions that say which tickets are covered."""
    for section, number, field, value in conditions_of(contract):
        row = f"^{section} condition {number}"
        if section == "ANY" or number > 1:
            add = ref_of(page, "button", "^Add condition$", nth=int(section == "ANY"))
            page = space.act("browser_click", ref=add)
        box = ref_of(page, "combobox", f"{row} field$")
        page = space.act("browser_select", ref=box, options=[field])
        box = ref_of(page, "combobox", f"{row} value$")
        if field == "Organization":
            page = space.act("browser_type", ref=box, text=value)
        else:
            page = space.act("browser_select", ref=box, options=[value])
    return page


def conditions_of(contract: Contract) -> list[tuple[str, int, str, str]]:
    """Return the rows of conditions: section, number, field and value."""
    if contract.second is not None:
        return [
            ("ANY", 1, "Organization", contract.firm),
            ("ANY", 2, "Organization", contract.second),
        ]
    found = [("ALL", 1, "Organization", contract.firm)]
    if contract.type is not None:
        found.append(("ALL", 2, "Type", contract.type))
    if contract.group is not None:
        found.append(("ALL", 2, "Group", contract.group))
    return found
