# Everything a fresh machine needs: `make demo` and `make test` set themselves up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEMO := build/demo

.PHONY: demo test lint bench corpus clean
.DELETE_ON_ERROR:

$(STAMP): pyproject.toml
	@scripts/venv "$(PYTHON)" "$(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/python -m compileall -q src
	@touch $@

demo: $(STAMP)
	@scripts/demo "$(BIN)/lithify" examples/sample "$(DEMO)"

test: $(STAMP)
	@scripts/system-packages strace
	$(BIN)/python -m pytest -n 2

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/retention.py examples/sample

# Checks every file of a corpus folder, and a whole offline compaction of each root in it.
corpus: $(STAMP)
	@test -n "$(DATA)" || { echo "usage: make corpus DATA=path/to/corpora"; exit 2; }
	$(BIN)/python -m pytest tests/test_corpus.py -n 2 --corpus "$(DATA)"

clean:
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis
