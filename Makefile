# make app    install and open the application     make test   install and run the tests, in minutes
# make dev    the same, and run pages anew when their code changes
# make test-all   make test, then everything that it leaves out, then numbers as another processor computes them
# make check  linters and types                    make bench  timings beside those of other packages
# make lock   the versions and hashes of all packages, after a change of requirements*.txt
# make clean  remove the virtual environment

PYTHON ?= python3
PORT ?= 8501
TEST_PROCESSES ?= 2
BIN := .venv/bin
UV := $(BIN)/python tools/with_uv.py
INSTALL := $(UV) pip install
# In CI, exactly the files whose hashes stand in the locks.
APP_PACKAGES := $(if $(CI),--require-hashes -r requirements.lock,-r requirements.txt)
DEV_PACKAGES := $(if $(CI),--require-hashes -r requirements.lock -r requirements-dev.lock,-r requirements-dev.txt)

app: .venv/app .venv/compared
	$(BIN)/python -m tted_core app --port $(PORT)

dev: .venv/app
	$(BIN)/python -m tted_core app --port $(PORT) --watch

PYTEST := $(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --dist worksteal

test: .venv/dev
	$(PYTEST) -m "not thorough"

# Each test is run once; those of properties twice, the second time with five times as many examples.
test-all: test test-rest test-processor

test-rest: .venv/dev
	$(PYTEST) -m "thorough or hypothesis" --hypothesis-profile=thorough

# What computes numbers, with the oldest instructions that its packages know and another number of threads.
NUMBER_ROOMS := $(addprefix tests/,baselines batch distances encoders explain lab measures method solvers systems)
test-processor: .venv/dev
	NUMBA_CPU_NAME=generic OPENBLAS_CORETYPE=Prescott MKL_ENABLE_INSTRUCTIONS=SSE4_2 ATEN_CPU_CAPABILITY=default \
	    OMP_NUM_THREADS=2 $(PYTEST) -m "not thorough" $(NUMBER_ROOMS)

# What each test file costs; worth reading on a quiet machine only.
durations: .venv/dev
	$(PYTEST) --record-durations tests/durations.txt

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python -m benchmarks

# For Linux on x86-64, Python 3.11 and the CPU build of PyTorch, which has to be found: pip's configuration names a
# folder with its wheel (find-links), or UV_TORCH_BACKEND=cpu has it taken from PyTorch's own index.
LOCK := $(UV) pip compile --quiet --generate-hashes --no-annotate --python-version 3.11 \
	--python-platform x86_64-manylinux_2_28 --custom-compile-command \
	"make lock (for Linux on x86-64, Python 3.11 and the CPU build of PyTorch; see CONTRIBUTING.md)"

lock: .venv/python
	sed -nE 's/^torch==.*/&+cpu/p' requirements.txt | $(LOCK) requirements.txt - --output-file requirements.lock
	grep -v '^-r' requirements-dev.txt | $(LOCK) - --constraints requirements.lock --output-file requirements-dev.lock

clean:
	rm -rf .venv

.venv/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "TTED needs Python 3.11 or newer; run: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	touch $@

.venv/app: .venv/python requirements.txt constraints.txt requirements.lock
	$(INSTALL) $(APP_PACKAGES)
	touch $@

# Shown once, in the terminal in which the application is then started.
.venv/compared: .venv/app
	$(BIN)/python -m tted_core compare sample_trees/coral-reefs/base.json sample_trees/coral-reefs/demo.json
	touch $@

.venv/dev: .venv/app requirements-dev.txt requirements-dev.lock
	$(BIN)/python -m tted_core.warm_up >/dev/null 2>&1 & # compiles the solvers; the first tests do without
	$(INSTALL) $(DEV_PACKAGES)
	touch $@

.PHONY: app dev lock test test-all test-rest test-processor durations check bench clean
