# Everything a fresh machine needs: `make demo` and `make test` set themselves up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
DEV := $(VENV)/.dev
DOCS := $(VENV)/.docs
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
DEMO := build/demo
comma := ,
# A source archive does not have it; there the tests of vectors are skipped.
VECTORS := $(wildcard ./packages/lithify-vectors)

.PHONY: demo viewer test chaos lint bench report live corpus faults fuzz integrations minimum release clean attack
.DELETE_ON_ERROR:

# The program alone: one small dependency, seconds to install.
$(CORE): pyproject.toml
	@scripts/venv "$(PYTHON)" "$(VENV)"
	@$(PIP) -e .
	@$(BIN)/python -m compileall -q src
	@touch $@

# What tests, linters and benchmarks need.
$(DEV): pyproject.toml $(wildcard packages/lithify-vectors/pyproject.toml) $(CORE)
	@echo "installing what the tests need (a minute or two the first time)"
	@$(PIP) $(VECTORS) -e '.[dev$(if $(VECTORS),$(comma)vectors)]'
	@touch $@

# What builds the site of the documentation: one tool, by the version that pyproject.toml names.
$(DOCS): pyproject.toml $(CORE)
	@$(PIP) $$($(BIN)/python -c "import tomllib; \
	    print(*tomllib.load(open('pyproject.toml', 'rb'))['dependency-groups']['docs'])")
	@touch $@

demo: $(CORE)
	@scripts/demo "$(BIN)/lithify" examples/sample "$(DEMO)"

# The demo's root in the viewer, until Ctrl-C.
viewer: $(CORE)
	@test -d "$(DEMO)" || scripts/demo "$(BIN)/lithify" examples/sample "$(DEMO)" > build/demo.log
	@$(PIP) -e '.[web]'
	@$(BIN)/lithify serve $(DEMO)

# One worker more than there are cores, because tests wait for a browser, a server or a kill. A file's
# tests run in one process, which makes what they share once. Compiled files are kept, also where the
# environment says otherwise: a test starts many processes.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
test: export PYTHONDONTWRITEBYTECODE :=
test: $(DEV)
	@scripts/system-packages strace chromium
	@$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# The fleet with many workers killed, PostgreSQL and object storage: about ten minutes.
chaos: $(DEV)
	$(BIN)/python -m pytest tests/test_fleet_chaos.py tests/test_fleet_objects.py --chaos

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(BIN)/python scripts/size

# The documentation as a site in build/site; fails on dead links and on anything remote.
.PHONY: docs
docs: $(DOCS)
	@$(BIN)/python scripts/site

bench: $(DEV)
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/gate.py
	$(BIN)/python benchmarks/tokens.py
	$(BIN)/python benchmarks/speed.py examples/sample/memory
	$(BIN)/python benchmarks/retention.py examples/sample/memory
	$(BIN)/python benchmarks/recall.py
	$(BIN)/python benchmarks/viewer.py
	$(BIN)/python benchmarks/fleet.py

# What is measured, in about ten minutes, as docs/measured.md; DATA=path/to/corpora adds each corpus.
report: $(DEV)
	$(BIN)/python scripts/report $(if $(DATA),--data "$(DATA)") $(ARGS)

# Drives the agent clients from npm against a scripted model, ten to twenty minutes; options by
# ARGS, such as ARGS="--client codex --point denied". What is kept of a run is under build/live.
live: $(DEV)
	@scripts/system-packages libfaketime
	$(BIN)/python -m live $(ARGS)

# Checks every file of a corpus folder, and a whole offline compaction of each root in it.
corpus: $(DEV)
	@test -n "$(DATA)" || { echo "usage: make corpus DATA=path/to/corpora"; exit 2; }
	$(BIN)/python -m pytest tests/test_corpus.py -n 2 --corpus "$(DATA)"

# The tests of each extra with the lowest versions of its packages that pyproject.toml admits.
minimum: $(CORE)
	$(BIN)/python scripts/minimum-versions $(ARGS)

# The tests of each framework's extra, with the lowest and with the newest versions it admits; then
# those of all with every extra in one environment.
integrations: $(CORE)
	$(BIN)/python scripts/minimum-versions langchain langgraph llamaindex openai-agents pydantic-ai
	$(BIN)/python scripts/minimum-versions --newest mcp langchain langgraph llamaindex openai-agents pydantic-ai all

# Wheels, source, locks, bills of materials and their checksums, under build/release.
release: $(DEV)
	@scripts/release "$(BIN)/python" build/release

# Breaks twelve commands by every kind of fault at every call to the operating system and prints a
# table; options by ARGS, such as ARGS="--command log --fault EIO --every 5 --seconds 600".
faults: $(DEV)
	@scripts/system-packages strace
	$(BIN)/python tests/fault_matrix.py $(ARGS)

# The attacks among the tests, with a table of what was tried and what held; `make test` runs them
# too. Options of pytest by ARGS, such as ARGS="-k page".
attack: $(DEV)
	@$(BIN)/python -m compileall -q src
	$(BIN)/python tests/attack.py $(ARGS)

# Feeds mutated input to the parsers; ARGS="--target front --seconds 600". Uses atheris if it is there.
# Then whole days through compact, recall, context and check, for MINUTES; then the property tests with
# new examples: those of `make test` are always the same.
fuzz: MINUTES ?= 5
fuzz: $(DEV)
	$(BIN)/python fuzz/run.py $(ARGS)
	$(BIN)/python fuzz/days.py --minutes $(MINUTES)
	$(BIN)/python -m pytest -n 2 -m hypothesis --hypothesis-profile=new

clean:
	rm -rf $(VENV) build .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis
