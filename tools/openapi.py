"""Write an OpenAPI document of a clone's API, made from the registry of its operations.

    python -m tools.openapi [CLONE] [FILE]

CLONE is `helpdesk` unless told, or `tracker`. Without a file it goes to standard output.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import django

CLONES = ("helpdesk", "tracker")


def main(arguments: list[str]) -> int:
    """Write the document; return the exit code."""
    clone = arguments.pop(0) if arguments and arguments[0] in CLONES else CLONES[0]
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="sandlot-openapi-") as folder:
        os.environ.setdefault("SANDLOT_DATA", folder)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.embedded")
        django.setup()
        described = import_module(f"clones.{clone}.api.description").description()
        text = json.dumps(described, indent=1, sort_keys=True) + "\n"
    if arguments:
        Path(arguments[0]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
