# make verify   prove and refute the paper's statements on the models that ship with Headproof (the default)
# make test     the quick tests, of the whole product   (make test ARGS="-k prompt")
# make test-all every test, those that need torch too; fails where one was skipped   (make test-all SKIPS= lets it pass)
# make lint     ruff and mypy
# make docs     the documentation site, from docs/, with the report of the paper: build/site/index.html
# make worst    each rule's worst certificate of the largest size (docs/testing.md); what was interrupted goes on from results/
# make fuzz     what reads untrusted bytes, given mutants guided by coverage   (make fuzz TARGETS=heads ARGS="--seconds 600")
# make mutants  the tests on code that is altered in one place at a time (docs/testing.md); what was interrupted goes on from
#               results/   (make mutants ARGS="--only verify/kernel/hmm", ARGS=--again for what survived)
# make bench    rewrite the tables of benchmarks/: README.md, growth.md with its picture; the peers of the extra `bench` are
#               installed
# make formal   the proofs in Rocq: compile them, and hold them to results/formal.txt (see formal/README.md, also for
#               formal-check, formal-record, formal-slips)
# make formal-verdicts  every certificate that ships, proved by Rocq: results/rocq-verdicts.json; what was interrupted goes
#               on from there   (formal-sample: some of each kind again; formal-mutants: altered ones, Rocq beside the kernel)
# make clean    remove everything that these made
#
# Another interpreter: make PYTHON=python3.12

PYTHON ?= python3
ARGS   ?=
SKIPS  ?= --nothing-skipped
TARGETS ?= models certificates heads
VENV   := .venv
BIN    := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup
PIP    := $(BIN)/python -m pip --quiet --no-input --disable-pip-version-check
SETUP  := $(VENV)/.made pyproject.toml constraints.txt

# What a test starts compiles nothing anew, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := verify
.PHONY: verify test test-all lint docs worst fuzz mutants bench formal formal-build formal-check formal-record formal-slips \
        formal-verdicts formal-sample formal-mutants clean

verify: $(VENV)/.run
	$(BIN)/headproof verify $(ARGS)

test: $(VENV)/.test
	$(PYTEST) -m "not thorough" --hypothesis-profile=quick $(ARGS)

test-all: $(VENV)/.all
	$(PYTEST) $(SKIPS) $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/mypy

# The report is written anew when what it is made of has changed, or when it is missing.
docs: $(VENV)/.docs build/extra/report/index.html
	HEADPROOF_REPORT=../build/extra $(BIN)/python -m sphinx -q -W --keep-going -c docs -d build/doctrees . build/site
	@echo build/site/index.html

build/extra/report/index.html: $(VENV)/.docs $(shell git ls-files constructions verify models results 2>/dev/null)
	$(BIN)/headproof report -o build/extra/report

worst: $(VENV)/.test
	$(BIN)/python tests/kernel/certificates/worst.py

fuzz: $(VENV)/.fuzz
	set -e; for target in $(TARGETS); do $(BIN)/python -m tests.fuzz $$target $(ARGS); done

mutants: $(VENV)/.mutants
	$(BIN)/python -m tests.mutation $(ARGS)

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks.peers
	$(BIN)/python -m benchmarks.growth

formal: formal-build
formal-build formal-check formal-record formal-slips:
	@$(PYTHON) -m formal $(@:formal-%=%)

formal-verdicts formal-sample formal-mutants: $(VENV)/.test
	$(BIN)/python -m tests.verify.rocq $(@:formal-%=%) $(ARGS)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find formal \( -name '*.vo' -o -name '*.vo[ks]' -o -name '*.glob' -o -name '.*.aux' -o -name '.*.cache' -o -name '*Makefile.coq*' \) -delete

# A stamp for each set of dependencies; a larger set stands for the smaller ones too.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Headproof needs Python 3.11 or newer and '$(PYTHON)' is not: try make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.run: $(SETUP)
	$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.test: $(SETUP)
	$(PIP) install -c constraints.txt -e '.[test]'
	@touch $(VENV)/.run $@

$(VENV)/.dev: $(SETUP)
	$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $(VENV)/.run $(VENV)/.test $(VENV)/.docs $@

$(VENV)/.docs: $(SETUP)
	$(PIP) install -c constraints.txt -e '.[docs]'
	@touch $(VENV)/.run $@

# torch first, as below.
$(VENV)/.bench: $(SETUP)
	$(PIP) install -c constraints.txt torch
	$(PIP) install -c constraints.txt -e '.[bench]'
	@touch $(VENV)/.run $@

$(VENV)/.fuzz: $(SETUP)
	$(PIP) install -c constraints.txt -e '.[test,fuzz]'
	@touch $(VENV)/.run $(VENV)/.test $@

$(VENV)/.mutants: $(SETUP)
	$(PIP) install -c constraints.txt -e '.[mutants]'
	@touch $(VENV)/.run $(VENV)/.test $@

# torch by itself and first: its build for CPUs is enough, and nothing that needs torch then brings in another.
$(VENV)/.all: $(SETUP)
	$(PIP) install -c constraints.txt torch
	$(PIP) install -c constraints.txt -e '.[dev,import,learned]'
	@touch $(VENV)/.run $(VENV)/.test $(VENV)/.docs $(VENV)/.dev $@
