# Everything a person needs is a target with a description; `make` alone lists them.
PYTHON ?= python3
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCKING := --quiet --universal --generate-hashes --no-emit-index-url --no-header

.DEFAULT_GOAL := help
.PHONY: help setup image verify test check lint unit bench bench-extract bench-index soak differential lock index clean

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "verify needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 2; }
	@echo "setting up verify in $(VENV) (once, about a minute) …"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

setup: $(READY)  ## Install verify and the TensorFlow environment (every other target does this by itself)
	@$(BIN)/verify sandbox build

image: $(READY)  ## Build the container image of the usual TensorFlow (needs Docker or Podman)
	@$(BIN)/verify sandbox build tf-2.21 --sandbox docker

verify: $(READY)  ## Verify a document: make verify DOC=notes.txt
	@test -n "$(DOC)" || { echo "name a document: make verify DOC=notes.txt"; exit 2; }
	@$(BIN)/verify $(DOC)

test: lint unit  ## Everything that CI runs: style, types, architecture, and all tests in the real sandbox

check: test  ## The same as test

lint: $(READY)  ## Style, types, and the rules between modules
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

unit: setup  ## The tests alone; in containers too, where an engine answers
	@if [ -n "$$VERIFIER_REQUIRE_DOCKER$$CI" ] || $(BIN)/python -c 'from verifier.sandbox.engine import connect; connect()' 2>/dev/null; then $(MAKE) --no-print-directory image; fi
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -p no:benchmark $(ARGS)

bench: setup  ## How fast it is: sandbox, extraction, whole runs (figures, no verdicts)
	@$(BIN)/python -m pytest tests/benchmarks -o python_functions="bench_*" -o python_files='bench_*.py' -p no:warnings --benchmark-columns=min,median,max,rounds $(ARGS)

bench-extract: setup  ## How well damaged code is restored (about 3 minutes)
	@$(BIN)/python tests/benchmarks/extract_damage.py $(ARGS)

bench-index: setup  ## How well the index agrees with the live TensorFlow, and how it compares with other checkers
	@$(BIN)/python tests/benchmarks/index_agreement.py
	@$(BIN)/python tests/benchmarks/index_peers.py

soak: setup  ## Whether a sandbox lasts: 2,000 sessions and killed runs (minutes; figures)
	@$(BIN)/python tests/benchmarks/soak.py $(ARGS)

differential: setup image  ## Whether all documents of claims/ get the same verdicts warm, cold and in a container
	@VERIFIER_WHOLE=1 $(BIN)/python -m pytest tests/golden/test_differential.py --durations=5 $(ARGS)

index: $(READY)  ## Build the index of all TensorFlow releases again (maintainers; downloads about 5 GB)
	@$(BIN)/python -m verifier.index.build

lock: $(READY)  ## Resolve the dependencies anew
	@$(BIN)/uv pip compile $(LOCKING) --python-version 3.11 --group dev pyproject.toml -o requirements.lock
	@for folder in sandboxes/tf-*; do $(BIN)/uv pip compile $(LOCKING) --python-version $$(sed -n 's/^python = ">=\([0-9.]*\).*/\1/p' $$folder/sandbox.toml) $$folder/requirements.in -o $$folder/requirements.lock || exit; done

clean:  ## Remove what set-up and tests leave in this folder
	@rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis dist
