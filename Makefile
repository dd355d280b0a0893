# make app    install and open the application     make test   install and run the tests, in minutes
# make dev    the same, and run pages anew when their code changes
# make test-all   make test, then everything that it leaves out, then numbers as another processor computes them
# make check  linters and types                    make bench  timings beside those of other packages
# make lock   the versions and hashes of all packages, after a change of requirements*.txt
# make release-check  builds wheel and source archive, and tries them on Python 3.11 to 3.13
# make audit  known vulnerabilities of the packages in the locks
# make fuzz   ten minutes of fuzzing the readers   make clean  remove the virtual environment

PYTHON ?= python3
PORT ?= 8501
TEST_PROCESSES ?= 2
ATHERIS := 3.0.0
PIP_AUDIT := 2.10.1
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

fuzz: .venv/dev
	$(INSTALL) atheris==$(ATHERIS)
	PYTHONPATH=. $(BIN)/python fuzz/read_map.py

# For Linux on x86-64, Python 3.11 and the CPU build of PyTorch, which has to be found: pip's configuration names a
# folder with its wheel (find-links), or UV_TORCH_BACKEND=cpu has it taken from PyTorch's own index.
LOCK := $(UV) pip compile --quiet --generate-hashes --no-annotate --python-version 3.11 \
	--python-platform x86_64-manylinux_2_28 --custom-compile-command \
	"make lock (for Linux on x86-64, Python 3.11 and the CPU build of PyTorch; see CONTRIBUTING.md)"

lock: .venv/python
	sed -nE 's/^torch==.*/&+cpu/p' requirements.txt | $(LOCK) requirements.txt - --output-file requirements.lock
	grep -v '^-r' requirements-dev.txt | $(LOCK) - --constraints requirements.lock --output-file requirements-dev.lock

# Without the build's name: advisories know 2.13.0, not 2.13.0+cpu.
audit: .venv/python
	@sed -nE 's/^([^ #]+==[^ +]+).*/\1/p' requirements.lock requirements-dev.lock | sort -u > .venv/locked.txt
	@$(UV) tool run --quiet pip-audit==$(PIP_AUDIT) --strict --disable-pip --no-deps -r .venv/locked.txt > .venv/audit.txt 2>&1; \
	status=$$?; \
	if [ $$status = 0 ] || grep -q '^Found [0-9]* known' .venv/audit.txt; then cat .venv/audit.txt; exit $$status; fi; \
	echo "The advisories can't be reached from here ($$(sed -n 's/^ERROR:[^ ]*_cli://p' .venv/audit.txt | tail -n 1)); try where the network is open." >&2; \
	exit 2

# Builds and installs what could be released now; with TAG=v0.2.0, whether everything that names the version names it.
ifndef TAG
release-check: .venv/python
	$(BIN)/python tools/release_check.py
else
release-check:
	@version=$$(sed -n 's/^RELEASE = "\(.*\)"$$/\1/p' tted_core/version.py); \
	refuse() { echo "release-check: $$1" >&2; exit 1; }; \
	[ "$$TAG" = "v$$version" ] || refuse "the tag is '$$TAG', tted_core/version.py says $$version"; \
	grep -q "^RELEASED = True$$" tted_core/version.py || refuse "tted_core/version.py says RELEASED = False"; \
	grep -q "^version: $$version$$" CITATION.cff || refuse "CITATION.cff names another version than $$version"; \
	grep -q "^## $$version (" CHANGELOG.md || refuse "CHANGELOG.md has no section $$version (date)"
endif

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

.PHONY: app audit dev lock release-check test test-all test-rest test-processor durations check bench fuzz clean
