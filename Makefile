# lpbridge: what you can make here. Plain `make` lists it.
#
# Everything lives in .venv, and SWI-Prolog, where the system has none that is new enough, in a folder of your own
# (see `lpbridge install-prolog --help`). Each command installs what it needs: `make demo` four packages, `make test`
# those of developers, too. Afterwards only what changed is done again.
#
#     make test PYTHON=python3.12     another Python than python3, 3.11 or newer

PYTHON ?= python3
BIN    := .venv/bin

# Images of containers set it; then each of the many processes that are started compiles every module again.
unexport PYTHONDONTWRITEBYTECODE

# Problem 2 holds a value that is no Sudoku value: checking it says so and exits with 2.
SUDOKUS := $(sort $(wildcard examples/sudoku/report3-problem*.txt))

# One of each other puzzle, colons for blanks.
OTHERS := latin-square:examples/latin_square/quasigroup4.txt \
          futoshiki:examples/futoshiki/report1-7x7.txt \
          magic-square:examples/magic_square/duerer.txt \
          takuzu:examples/takuzu/course-test5.txt \
          crossword:examples/crossword/report5.txt:--words:examples/crossword/report5.words

# The engine and the questions are tested without the workshop and the doors; then those without the workbench.
ALONE    := build/alone
BELOW    := $(addprefix tests/bridge/,isolation asp prolog problems analysis comparison)
WORKSHOP := debugging linting profiling cli integrations batching

# The search, compiled by mypyc; out of date when a source has changed.
COMPILED := bridge/puzzles/search/_compiled/manifest.json

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo compiled developers check test test-engine test-bridge test-rest test-harness lint api docs wheels reports bench bench-rivals fuzz mutants lines clean

help:  ## list what can be made
	@awk -F ':.*##' '/^[a-z-]+:.*##/ { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: .venv/packages-installed  ## make the environment: .venv, its packages, SWI-Prolog, janus
	@$(BIN)/lpbridge install-prolog || { \
	    code=$$?; [ $$code -ne 130 ] || exit 130; \
	    echo "going on without Prolog: .lp programs, puzzles and imperative search work" >&2; }

demo: setup  ## check and compare the report's Sudokus, then one of each other puzzle
	@for problem in $(SUDOKUS); do \
	    echo "== $$problem"; \
	    $(BIN)/lpbridge puzzle check sudoku $$problem || [ $$? -eq 2 ] || exit 1; echo; \
	done
	@echo "== all that can be solved, by every kind of engine"
	@$(BIN)/lpbridge puzzle compare sudoku $(filter-out %/report3-problem2.txt,$(SUDOKUS))
	@for instance in $(OTHERS); do \
	    echo; echo "== $$instance"; $(BIN)/lpbridge puzzle check $$(echo $$instance | tr : ' ') || exit 1; \
	done

compiled: $(COMPILED)  ## compile the imperative search, where there is a C compiler: three to seven times as fast

developers: setup .venv/developer-packages $(COMPILED)

check: developers  ## the most important tests, ruff and mypy: about two minutes on two idle cores
	$(BIN)/pytest -n auto --dist worksteal -m "not slow and not harness"
	@$(MAKE) --no-print-directory lint

# mypy has one process: it takes its time beside the tests.
test: developers  ## all tests (Python and Prolog), and beside them ruff and mypy, whose words come last
	@mkdir -p build; $(MAKE) --no-print-directory lint >build/lint.txt 2>&1 & \
	$(MAKE) --no-print-directory test-engine test-bridge test-rest; tests=$$?; \
	wait $$!; lint=$$?; cat build/lint.txt; exit $$((tests || lint))

# A copy of the tree without the rooms above: what lies below does its work without them. Files keep their times, and
# the copy its bytecode, so that what has not changed is not compiled again.
define alone
@mkdir -p $(ALONE) && find $(ALONE) -type f ! -name '*.pyc' -delete
@tar -cf - --exclude __pycache__ bridge docs/lint.md encodings examples pyproject.toml tests | tar -xf - -C $(ALONE)
@rm -rf $(addprefix $(ALONE)/bridge/,$(1)) $(ALONE)/tests/puzzles $(ALONE)/tests/test_*.py
cd $(ALONE) && PYTHONPATH=$(CURDIR)/$(ALONE) $(CURDIR)/$(BIN)/python -m pytest -n auto --dist worksteal $(2)
endef

test-engine: developers  ## the tests of the engine and the questions, without the workshop, the doors and the workbench
	$(call alone,puzzles $(WORKSHOP),$(BELOW))

test-bridge: developers  ## the tests of the workshop and the doors, without the workbench
	$(call alone,puzzles,tests/bridge $(addprefix --ignore ,$(BELOW)))

test-rest: developers  ## the tests of the workbench and of the repository
	$(BIN)/pytest -n auto --dist worksteal --ignore tests/bridge

test-harness: developers  ## the tests of the benchmarks' own code
	$(BIN)/pytest -n auto --dist worksteal -m harness

lint: .venv/developer-packages  ## ruff and mypy only
	$(BIN)/ruff check
	$(BIN)/mypy

api: .venv/developer-packages  ## write down the public signatures (tests/data/api.txt), when a change is meant
	PYTHONPATH=. $(BIN)/python tests/public_api.py --write

docs: .venv/docs-packages  ## the documentation as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

wheels: .venv/release-packages  ## wheels in dist/: lpbridge, and a companion with SWI-Prolog and janus (Linux)
	@$(BIN)/python packaging/wheels.py

reports: developers  ## reproduce the five student reports (a minute or two), and keep the result
	$(BIN)/lpbridge puzzle report -t 60 --save docs/reports.md

bench: developers  ## measure, and compare with the results on record
	$(BIN)/python -m benchmarks

bench-rivals: developers .venv-bench/packages-installed  ## the same instances to other solvers, in an environment of their own
	$(BIN)/python -m benchmarks rivals
	$(BIN)/python -m benchmarks growth
	$(BIN)/python -m benchmarks cold

# SECONDS and SEED may be set: make fuzz SECONDS=600 SEED=1. What else there is: .venv/bin/python -m fuzz --help
SECONDS ?= 60

fuzz: developers  ## random cases against brute force and against the solvers, for SECONDS (60)
	$(BIN)/python -m fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

# MODULE, NUMBER and SEED may be set: make mutants MODULE=bridge/asp/running/core.py, or NUMBER=20 of each module at random.
mutants: developers  ## change each guard of the modules that promise something: do their tests notice? (some minutes)
	$(BIN)/python -m benchmarks.mutants \
	    $(if $(MODULE)$(NUMBER),$(MODULE) $(if $(NUMBER),--number $(NUMBER)) $(if $(SEED),--seed $(SEED)),--save)

lines:  ## lines of code in bridge/, by room, and of the bridge and the puzzles as wholes
	@git ls-files 'bridge/*.py' 'bridge/*.pl' 'bridge/*.js' 'bridge/*.css' 'bridge/*.html' | xargs wc -l | awk ' \
	    $$2 ~ /^bridge/ { n = split($$2, part, "/"); rooms[n > 2 ? part[2] : "(alone)"] += $$1; \
	                      whole[part[2] == "puzzles" ? "the puzzles" : "the bridge without puzzles"] += $$1 } \
	    END { for (one in rooms) printf "%8d %s\n", rooms[one], one | "sort -n"; close("sort -n"); \
	          for (one in whole) printf "%8d %s\n", whole[one], one }'

clean:  ## remove what was made here (a private SWI-Prolog stays: others may use it)
	rm -rf .venv .venv-bench bridge/puzzles/search/_compiled build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# pip does not compile the search here: `make compiled` does. With -qq it prints errors only.
PIP := HATCH_BUILD_NO_HOOKS=true $(BIN)/python -m pip install -qq --disable-pip-version-check --editable

# Touched last: a set-up that was interrupted is done again.
.venv/packages-installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "lpbridge needs Python 3.11 or newer, and $(PYTHON) is not; name another: make PYTHON=python3.12" >&2; \
	    exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	    echo "$(PYTHON) cannot make environments; on Debian and Ubuntu: apt-get install python3-venv" >&2; \
	    exit 1; }
	@echo "making an environment in .venv"
	@$(PYTHON) -m venv .venv
	@echo "installing clingo, click and msgpack"
	@$(PIP) .
	@touch $@

.venv/developer-packages: .venv/packages-installed
	@echo "installing the packages of developers (some minutes the first time)"
	@$(PIP) '.[dev]'
	@touch $@

.venv/docs-packages: .venv/packages-installed
	@echo "installing what makes the site"
	@$(PIP) '.[docs]'
	@touch $@

.venv/release-packages: .venv/packages-installed
	@echo "installing what makes the wheels"
	@$(PIP) '.[release]'
	@touch $@

$(COMPILED): hatch_build.py $(wildcard bridge/puzzles/search/*.py) | .venv/developer-packages
	@echo "compiling the search (some seconds)"
	@$(BIN)/python hatch_build.py
	@touch $@

# The rivals of `make bench-rivals`; gprolog comes from the system, if at all.
.venv-bench/packages-installed: pyproject.toml
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@
