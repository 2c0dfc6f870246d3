# make verify   prove and refute the paper's statements on the models that ship with Headproof (the default)
# make test     the test suite            (make test ARGS="-k prompt")
# make lint     ruff and mypy
# make bench    rewrite the table of benchmarks/README.md
# make formal   the proofs in Rocq: compile them, and hold them to results/formal.txt (see formal/README.md, also for
#               formal-check, formal-record, formal-slips)
# make clean    remove everything that these made
#
# Another interpreter: make PYTHON=python3.12

PYTHON ?= python3
ARGS   ?=
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --quiet --no-input --disable-pip-version-check
SETUP  := $(VENV)/.made pyproject.toml constraints.txt

.DEFAULT_GOAL := verify
.PHONY: verify test lint bench formal formal-build formal-check formal-record formal-slips clean

verify: $(VENV)/.run
	$(BIN)/headproof verify $(ARGS)

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist loadgroup $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks.exact

formal: formal-build
formal-build formal-check formal-record formal-slips:
	@$(PYTHON) -m formal $(@:formal-%=%)

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
	@touch $(VENV)/.run $(VENV)/.test $@
