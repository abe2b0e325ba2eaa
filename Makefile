# Every target does the set-up it needs by itself. `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help setup lint type test test-everything test-stack images test-containers soak check demo serve base-image secrets bench certify coverage-report tour read realism data-model changelog new-clone clean

# Checks and servers start hundreds of processes: what they import is compiled once, whatever the
# machine says.
unexport PYTHONDONTWRITEBYTECODE

# The machine's Python, used only to make .venv: the first of these that is 3.11 or newer.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
# Options for the command of a target: make test ARGS="-k journal", make serve ARGS="--port 9000".
ARGS ?=
# Whose operations `make coverage-report` counts, whose screens `make tour` pictures.
CLONE ?= helpdesk
# A new clone, and what one of its first records and several of them are called.
NAME ?=
RECORD ?= item
RECORDS ?= $(RECORD)s
# How long `make soak` takes.
MINUTES ?= 10
# How many of the hundred sandboxes of `make soak` attack, if any do.
ATTACKERS ?=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make .venv, install, find and try a browser; skipped where nothing changed
	@test -n "$(PYTHON)" || { echo "setup: Python 3.11 or newer is needed: install it, or name one (make PYTHON=/path/to/python3.12)" >&2; exit 1; }
	@$(PYTHON) -m tools.setup

lint: setup ## ruff, its formatter, the import layers, Django's checks
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/lint-imports
	@$(BIN)/python manage.py check

type: setup ## mypy, strict, with django-stubs
	@$(BIN)/mypy

test: setup ## the test suite, as before a merge
	@$(BIN)/python -m pytest -n 3 --dist worksteal $(ARGS)

test-everything: setup ## everything on both engines, new draws, certifications, long soaks: hours; once per issue
	@SANDLOT_EVERYTHING=1 .ci/run

test-stack: setup ## what an engine can change on PostgreSQL, and the stack's own (starts what it needs)
	@SANDLOT_ENGINE=postgres $(BIN)/python tools/services.py --in-memory postgres redis -- $(BIN)/python -m pytest -n 3 --dist worksteal $(ARGS)

soak: setup ## a hundred sandboxes under load on the stack, for MINUTES; ATTACKERS=10 has ten attack
	@SANDLOT_SOAK=$(MINUTES) $(if $(ATTACKERS),SANDLOT_ATTACKERS=$(ATTACKERS)) SANDLOT_ENGINE=postgres SANDLOT_OPEN_STORES=100 $(BIN)/python tools/services.py postgres redis -- $(BIN)/python -m pytest -s $(if $(ATTACKERS),,tests/soak/test_soak.py) tests/soak/test_attackers.py $(ARGS)

images: setup ## the images that test-containers looks at, built (starts what it needs)
	@$(BIN)/python tools/engine.py -- $(BIN)/python -m tests.containers.images

test-containers: setup ## the stack in containers: build, start, play, walls (starts what it needs)
	@$(BIN)/python tools/engine.py -- $(BIN)/python -m pytest -n 0 --timeout 900 tests/containers $(ARGS)

check: lint type test ## lint, type and test

demo: setup ## build the world, serve it, play one task by API and in a browser
	@$(BIN)/sandlot demo $(ARGS)

serve: setup ## serve sandboxes until interrupted
	@$(BIN)/sandlot serve $(ARGS)

base-image: setup ## make an image of the distribution's packages, for machines without a registry
	@$(BIN)/python tools/base_image.py

secrets: setup ## write the secrets of compose/ into files, unless they are there
	@$(BIN)/python tools/secret_files.py

bench: setup ## measure against the budgets, on both engines side by side
	@$(BIN)/python tools/services.py postgres redis -- $(BIN)/sandlot bench $(ARGS)
	@$(BIN)/python -m tools.reflinks $(if $(findstring --quick,$(ARGS)),--quick)

certify: setup ## certify the tasks, on all processors; asked again of the same sources, it goes on
	@$(BIN)/sandlot task certify --processes $$(getconf _NPROCESSORS_ONLN) --data reports/certify $(ARGS)

coverage-report: setup ## count the operations of CLONE, write docs/fidelity; PROVE=40 breaks forty
	@$(BIN)/python -m tools.fidelity --clone $(CLONE) $(if $(PROVE),--prove $(PROVE)) $(ARGS)

tour: setup ## picture every screen, write docs/tour
	@$(BIN)/python -m tools.tour --clone $(CLONE) $(ARGS)

read: setup ## print thirty support threads of the world, to be read by people
	@$(BIN)/python -m seeds.read $(ARGS)

realism: setup ## measure the standard world against real desks; fails if a property is out
	@$(BIN)/python -m seeds.measures $(ARGS)

data-model: setup ## draw the tables of each app from its models, write docs/data-model
	@$(BIN)/python -m tools.data_model

changelog: setup ## gather changelog.d into CHANGELOG.md, under the version of pyproject.toml
	@$(BIN)/python -m tools.changelog $(ARGS)

new-clone: setup ## write the skeleton of a new clone: NAME=crm RECORD=contact
	@$(BIN)/python -m tools.new_clone "$(NAME)" "$(RECORD)" "$(RECORDS)"

clean: ## remove what these targets made; sandboxes and snapshots in data/ stay
	@rm -rf .venv .venvs .sandlot build dist reports .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis *.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
