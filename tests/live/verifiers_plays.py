"""Runs `vf-eval` and `vf-validate`, in the environment of verifiers.

Called with a folder of packages and a file: a JSON object of command lines by name, each a list
whose first word is the program. Prints what each has written as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

PROGRAMS = {
    "vf-eval": ("verifiers.v1.cli.eval.main", "traces.jsonl"),
    "vf-validate": ("verifiers.v1.cli.validate", "results.jsonl"),
}


def run(name: str, words: list[str]) -> dict[str, Any]:
    """Run one program and return the row that it wrote, with its last exit."""
    module, written = PROGRAMS[words[0]]
    sys.argv = [*words, "--no-rich", "-o", name]
    code: Any = None
    try:
        import_module(module).main()
    except SystemExit as end:
        code = end.code
    rows = [
        json.loads(line)
        for file in Path(name).glob(f"*/{written}")
        for line in file.read_text().splitlines()
    ]
    return {"code": code, "rows": rows}


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    # The servers of tools are processes of their own.
    os.environ["PYTHONPATH"] = sys.argv[1]
    # What it prints goes where complaints go: the last line is the answer.
    answer, sys.stdout = sys.stdout, sys.stderr
    plans = json.loads(Path(sys.argv[2]).read_text())
    print(json.dumps({name: run(name, words) for name, words in plans.items()}), file=answer)
