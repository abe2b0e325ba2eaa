"""`python -m sandlot.trl --check URL`: try the adapter without TRL, torch or a model."""

from importlib import import_module

# The command stands above what trainers import: it brings the families' oracles.
import_module("sandlot.cli.trl_check").main()
