"""Nothing above the clones names one, but for what is about a product: a new clone is no hunt.

Where something is asked of every clone, the clone declares it (`clones.core.vendors.Clone`), and
whoever asks goes through `clones()`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.project.paths import ROOT, clone_names, python_files
from tools.new_clone.naming import ABOVE, OF_PRODUCTS

CLONES = set(clone_names())
DESK = "what families of the helpdesk share: its people, papers, acts, cheats"
TRACKER = "what families of the tracker share: its people, planting, acts, cheats"
ROWS = "a row of the bench measures one product, or changes rows that are there"
FACTS = "reads one vendor's description"
EXCEPTIONS = {
    "clones/config/settings/base.py": "the one list of the clones that are served",
    "episodes/checks/compare.py": "money is written as billing's currencies are",
    "episodes/tasks/allowances.py": DESK,
    "episodes/tasks/common_cheats.py": "which cheats bend whose acts; a random walk's words",
    "episodes/tasks/desk_acts.py": DESK,
    "episodes/tasks/desk_cheats.py": DESK,
    "episodes/tasks/desk_people.py": DESK,
    "episodes/tasks/desk_tickets.py": DESK,
    "episodes/tasks/guards.py": DESK,
    "episodes/tasks/obligations.py": DESK,
    "episodes/tasks/team_documents.py": DESK,
    "episodes/tasks/personas.py": DESK,
    "episodes/tasks/private_cheats.py": "how each product says something to somebody outside",
    "episodes/tasks/service_levels.py": DESK,
    "episodes/tasks/tracker_acts.py": TRACKER,
    "episodes/tasks/tracker_cheats.py": TRACKER,
    "episodes/tasks/tracker_guards.py": TRACKER,
    "episodes/tasks/tracker_obligations.py": TRACKER,
    "episodes/tasks/tracker_people.py": TRACKER,
    "episodes/tasks/tracker_planting.py": TRACKER,
    "sandlot/cli/bench.py": ROWS,
    "sandlot/cli/measures/answers.py": ROWS,
    "sandlot/cli/measures/drawing.py": ROWS,
    "sandlot/cli/measures/load.py": ROWS,
    "sandlot/cli/measures/queue.py": ROWS,
    "sandlot/cli/measures/stores.py": ROWS,
    "sandlot/cli/measures/tracker.py": ROWS,
    "seeds/read.py": "prints tickets for reading",
    "snapshots/conformance/fixtures.py": "rows of the ground floor need some clone's name",
    "tools/facts_billing.py": FACTS,
    "tools/facts_billing_api.py": FACTS,
    "tools/facts_crm_api.py": FACTS,
    "tools/facts_helpdesk.py": FACTS,
    "tools/facts_tracker.py": FACTS,
    "tools/facts_tracker_api.py": FACTS,
}


def named(path: Path) -> Iterator[str]:
    """Yield the clones that a file names: in a text that is just the name, or in an import."""
    for node in ast.walk(ast.parse(path.read_text())):
        modules: list[str] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value in CLONES:
                yield node.value
            modules = [node.value] if node.value.startswith("clones.") else []
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for module in modules:
            parts = module.split(".")
            if parts[0] == "clones" and len(parts) > 1 and parts[1] in CLONES:
                yield parts[1]


def naming() -> set[str]:
    """Return the files above the clones that name one."""
    found = set()
    for path in python_files(*ABOVE):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(OF_PRODUCTS) and next(named(path), None) is not None:
            found.add(name)
    return found


def test_only_what_is_about_a_product_names_a_clone() -> None:
    assert naming() == set(EXCEPTIONS)


def test_a_name_is_found_in_a_text_and_in_an_import(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    for line in (
        'HOME = "tracker"',
        'APP = "clones.tracker"',
        "import clones.tracker.models",
        "from clones.tracker.models import Issue",
        "from clones import tracker",
    ):
        file.write_text(line + "\n")
        assert set(named(file)) == {"tracker"}, line
    file.write_text('"""The tracker."""\nfrom clones.core import clock\nA = "a tracker"\n')
    assert set(named(file)) == set()
