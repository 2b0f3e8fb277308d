# Everything runs in .venv, built from the hash-locked requirements; `make demo` and `make test` are all a fresh machine needs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Where the measuring pictures lie (they are not part of this repository).
EVAL_DATA ?= ../shared
# Tests share the cores; WORKERS=0 runs them in one process, which reads better with -x or a debugger.
WORKERS ?= auto
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test check format bench soak eval lock clean

help: ## Show these targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1|/' | awk -F'|' '{printf "  make %-8s %s\n", $$1, $$2}'

demo: $(VENV)/.run ## Referee the sample game and serve its page (ARGS="--once" ends with the game)
	@$(BIN)/blokus-referee demo $(ARGS)

test: $(VENV)/.dev ## Run every test
	$(BIN)/python -m pytest -n $(WORKERS) -m "not bench" $(ARGS)

check: $(VENV)/.dev ## Formatting, lint, types and import directions
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(VENV)/.dev ## Format the code and fix what lint can fix by itself
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev ## Measure speed against the goals of the project
	$(BIN)/python -m tests.bench $(ARGS)

soak: $(VENV)/.dev ## Kill the program again and again, fill its disk, let it watch for hours, and measure its page (ARGS="--parts page")
	$(BIN)/python -m tests.soak $(ARGS)

eval: $(VENV)/.dev ## Score the program on pictures and games with known truth (EVAL_DATA=folder)
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.evaluation "$(EVAL_DATA)" $(ARGS)

lock: $(VENV)/.dev ## Choose new versions of the dependencies
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
	    --extra build --output-file requirements.lock pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
	    --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml

clean: ## Remove the environment and every cache
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# --- the environment ----------------------------------------------------------------------------------------------

# Debian leaves venv out of python3; as root (or with sudo that asks nothing) it is installed, otherwise one line says how.
AS_ROOT := $(if $(filter 0,$(shell id -u)),,sudo -n)
GET_VENV := { $(AS_ROOT) apt-get update -qq && $(AS_ROOT) apt-get install -y -qq python3-venv; } </dev/null >/dev/null 2>&1
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	    { echo "Python 3.11 or newer is needed ($$($(PYTHON) --version 2>&1)). Name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || $(GET_VENV) || \
	    { echo "Python's venv module is missing here. Install it with: sudo apt install python3-venv" >&2; exit 1; }
	@echo "Building $(VENV) (once; later runs start at once) ..."
	@$(PYTHON) -m venv --clear $(VENV)

INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
# A failed download is tried again by pip itself; --no-deps with hashes means that nothing but the lock's files can come in.
$(VENV)/.run: requirements.lock pyproject.toml | $(BIN)/pip
	@$(INSTALL) --no-deps --require-hashes -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	@$(INSTALL) --no-deps --require-hashes -r requirements-dev.lock
	@touch $@
