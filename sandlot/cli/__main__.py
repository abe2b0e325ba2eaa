"""`python -m sandlot.cli`."""

from sandlot.cli.main import main

main()
