"""Django's command line, on a throw-away store: for `makemigrations` and `check`."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path


def main() -> None:
    """Run a management command with an empty store bound."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.embedded")
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("SANDLOT_DATA", folder)
        import django  # noqa: PLC0415 - after the settings are named
        from django.core.management import execute_from_command_line  # noqa: PLC0415 - after Django is set up

        from clones.core.garbage import uncollected  # noqa: PLC0415 - beside it

        with uncollected():
            django.setup()
        from clones.core.tenancy.stores import StorePool  # noqa: PLC0415 - after Django is set up

        pool = StorePool(1)
        with pool.bind(Path(folder) / "scratch.sqlite"):
            execute_from_command_line(sys.argv)
        pool.close()


if __name__ == "__main__":
    main()
