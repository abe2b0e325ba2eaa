"""Write an OpenAPI document of a clone's API, made from the registry of its operations.

    python -m tools.openapi [CLONE] [FILE]

CLONE is one that describes its API; unless told, the first such one of the settings. Without a
file it goes to standard output.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import django


def main(arguments: list[str]) -> int:
    """Write the document; return the exit code."""
    with tempfile.TemporaryDirectory(prefix="sandlot-openapi-") as folder:
        os.environ.setdefault("SANDLOT_DATA", folder)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.embedded")
        django.setup()
        from django.conf import settings  # noqa: PLC0415 - settings are ready only now

        from clones.core.vendors import clone_named  # noqa: PLC0415 - the same

        served = [clone_named(name) for name in (*settings.CLONES, *settings.MAKING)]
        described = {
            clone.name: clone.description
            for clone in served
            if clone is not None and clone.description is not None
        }
        named = arguments and arguments[0] in described
        clone = arguments.pop(0) if named else next(iter(described))
        if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
            print(__doc__, file=sys.stderr)
            return 2
        text = json.dumps(described[clone](), indent=1, sort_keys=True) + "\n"
    if arguments:
        Path(arguments[0]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
