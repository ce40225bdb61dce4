# make results: everything, from a clean clone.   make test: the tests.   make help: the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Snakemake and pip keep caches at home; where home cannot be written, in the project.
ifneq ($(shell folder="$${XDG_CACHE_HOME:-$$HOME/.cache}"; mkdir -p "$$folder" 2>/dev/null; [ -w "$$folder" ] || echo no),)
export XDG_CACHE_HOME := $(CURDIR)/.snakemake/cache
endif
# Without it, Python 3.11 does not start where the folder's name has letters beyond ASCII.
ifneq ($(filter C POSIX,$(LC_ALL)),)
export LC_ALL := C.UTF-8
endif
SNAKEMAKE := $(BIN)/snakemake --cores all
DOCTOR := VENV="$(VENV)" $(PYTHON) envs/doctor.py
RIGHT_PYTHON := $(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null || \
  { echo "$(PYTHON) is no Python from 3.11 to 3.13; name one: make results PYTHON=python3.12"; exit 1; }

.PHONY: help doctor env results full fluid refresh validation browser test mutants full-test python-check processor-check cluster-check cluster-test lint format docs lock verify report site site-test clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

.DEFAULT:
	@echo "There is no target '$@' and no rule that makes it; 'make help' lists the targets." >&2; exit 2

doctor: ## say what this machine lacks
	@$(RIGHT_PYTHON)
	@$(DOCTOR) && echo "Nothing that is needed is missing."

$(VENV)/results.stamp: envs/requirements.txt
	@$(RIGHT_PYTHON)
	@$(DOCTOR)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -qq --no-deps --require-hashes -r envs/requirements.txt
	$(BIN)/pip install -qq --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/test.stamp: envs/requirements-dev.txt $(VENV)/results.stamp
	$(BIN)/pip install -qq --no-deps --require-hashes -r envs/requirements-dev.txt
	@touch $@

env: $(VENV)/results.stamp ## install the locked packages alone, as on a cluster's login node

results: $(VENV)/results.stamp ## install and compute everything in the default run
	@$(BIN)/python -m studies.planning.run begin
	@if [ -t 1 ]; then $(SNAKEMAKE) --logger rich; else PYTHONPATH=workflow/plugins $(SNAKEMAKE) --logger lines; fi
	@$(BIN)/python -m studies.planning.run end

full: results ## also what takes longer: the regression's exact refits, its other models, its calibration
	$(SNAKEMAKE) full --configfile config/full.yaml

fluid: results ## the ledger on the fluid paper's own data: fetches 13 files at first use, pins them, goes on where it stopped
	$(SNAKEMAKE) ledger --configfile config/fluid.yaml

validation: $(VENV)/results.stamp ## try intervals, tests and numbers of items on data whose truth is known (minutes)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 $(BIN)/python -m validation

refresh: $(VENV)/results.stamp ## fetch the newest version of the status's sources, pin them, say whose status changed
	$(BIN)/python docs/tools/refresh.py

report: results ## one self-contained page: results/report.html
	$(BIN)/saturation check
	$(BIN)/snakemake --report results/report.html

# The repository's address, for links to it from the site: make site REPOSITORY=https://...
export REPOSITORY ?=

$(VENV)/site.stamp: envs/requirements-site.txt $(VENV)/results.stamp
	$(BIN)/pip install -qq --no-deps --require-hashes -r envs/requirements-site.txt
	@touch $@

site: results $(VENV)/site.stamp ## the site, from the finished run: results/site/index.html
	$(BIN)/python docs/tools/site.py

site-test: site $(VENV)/test.stamp browser ## open the site's pages in a browser, follow every link in it
	SATURATION_SITE=results/site $(BIN)/pytest tests/browser/test_site.py

verify: $(VENV)/results.stamp ## compare every embedded table with its pinned source
	$(SNAKEMAKE) verify

browser: ## make Chromium available for the dashboard's test, where that is possible
	@tests/browser/install_chromium.sh

# A worker that crashes ends the run: pytest-xdist 3.8 would wait for the rest of its file.
test: $(VENV)/test.stamp browser ## the default tests
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart 0 -m "not heavy"

mutants: $(VENV)/test.stamp ## which of 60 random wrong lines the tests notice (an hour)
	$(BIN)/python tests/mutation/run.py

full-test: $(VENV)/test.stamp browser ## also the heavy tests
	$(BIN)/pytest

python-check: $(VENV)/results.stamp ## the same bytes with the other Pythons from 3.11 to 3.13 on this machine
	PYTHON=$(abspath $(BIN)/python) tests/pythons/run || [ $$? -eq 77 ]

processor-check: results ## compare the default run with one as on a processor without AVX2 and FMA: choices, and numbers to 1e-8
	folder=$$(mktemp -d) && cp -r Snakefile config envs profiles resources src workflow $$folder && \
	  (cd $$folder && NPY_DISABLE_CPU_FEATURES="AVX2 FMA3" OPENBLAS_CORETYPE=Nehalem NUMBA_CPU_NAME=generic \
	    $(abspath $(BIN))/snakemake --cores all) && \
	  $(BIN)/python tests/compare_results.py results $$folder/results --numbers

cluster-check: $(VENV)/results.stamp ## a few tables and three faults through SLURM; where it cannot be installed, says so
	PYTHON=$(abspath $(BIN)/python) tests/cluster/run results/plateau/tests.csv results/plateau/grid.csv || [ $$? -eq 77 ]

cluster-test: $(VENV)/results.stamp ## a one-node SLURM on this machine against a local run (Debian, root)
	PYTHON=$(abspath $(BIN)/python) tests/cluster/run

lint: $(VENV)/test.stamp ## ruff, mypy (library, scripts, speed, validation), snakefmt, snakemake --lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

format: $(VENV)/test.stamp ## rewrite the code in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow

docs: $(VENV)/test.stamp ## render config keys, README numbers and images from the results
	$(BIN)/python -m validation.report
	$(BIN)/python docs/tools/render.py

lock: $(VENV)/test.stamp ## renew the lock files (and what follows from them) from envs/*.in
	cd envs && for names in requirements requirements-dev requirements-site requirements-release \
	    "requirements-card ../pyproject.toml"; do \
	  set -- $$names; ../$(BIN)/uv pip compile $$1.in $$2 --universal --python-version 3.11 --generate-hashes \
	    --constraint constraints.in \
	    --no-emit-index-url --no-header --no-annotate --output-file $$1.txt || exit 1; done
	$(BIN)/python docs/tools/environment.py

clean: ## remove everything generated
	rm -rf results/* .snakemake .cache
