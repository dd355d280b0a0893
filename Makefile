# make app       install and open the application        make test      install and run the tests of everyday work
# make dev       the same, reloading a page on changes   make test-all  all tests
# make check     linters and types                       make bench     timings beside those of other packages
# make pictures  take those of README and docs anew        make clean     remove the virtual environment
# make lock      pin the packages of pyproject.toml

PYTHON ?= python3
PORT ?= 8501
TEST_PROCESSES ?= 2
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --dist worksteal

# uv installs in a third of pip's time, but doesn't read pip's configuration. Where pip knows a folder of wheels, PyTorch
# comes from there; elsewhere from PyTorch's own index, as the build for this machine's graphics card or for the CPU.
pip_option = $(or $(PIP_$1),$(shell $(PYTHON) -m pip config get global.$2 2>/dev/null))
.venv/app .venv/dev lock: export UV_DEFAULT_INDEX ?= $(or $(call pip_option,INDEX_URL,index-url),https://pypi.org/simple)
.venv/app .venv/dev lock: export UV_INDEX ?= $(call pip_option,EXTRA_INDEX_URL,extra-index-url)
.venv/app .venv/dev lock: export UV_FIND_LINKS ?= $(call pip_option,FIND_LINKS,find-links)
.venv/app .venv/dev lock: export UV_INDEX_STRATEGY ?= unsafe-best-match
TORCH = $(if $(UV_FIND_LINKS),,--torch-backend $(or $(UV_TORCH_BACKEND),auto))
INSTALL = $(BIN)/uv pip install $(TORCH) -r $1 || $(BIN)/python -m pip install -r $1

app: .venv/app
	$(BIN)/python -m tted_core app --port $(PORT)

dev: .venv/app
	$(BIN)/python -m tted_core app --port $(PORT) --watch

test: .venv/dev
	$(PYTEST) -m "not thorough"

# The rest; properties with five times as many examples; what computes numbers, as another processor rounds them.
test-all: test
	$(PYTEST) -m "thorough or hypothesis" --hypothesis-profile=thorough
	NUMBA_CPU_NAME=generic OPENBLAS_CORETYPE=Prescott MKL_ENABLE_INSTRUCTIONS=SSE4_2 ATEN_CPU_CAPABILITY=default \
	    OMP_NUM_THREADS=2 $(PYTEST) -m "not thorough" \
	    $(addprefix tests/,baselines batch distances encoders explain lab matching measures method solvers systems)

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python -m benchmarks

pictures: .venv/dev
	$(BIN)/python -m tools.pictures

# For Linux and macOS. Compiled with PyTorch's CPU build, so that no packages for graphics cards are pinned.
LOCK = $(BIN)/uv pip compile $(TORCH) --quiet --no-annotate --python-version 3.11 --custom-compile-command "make lock" pyproject.toml --extra app --extra models --group weights
lock: .venv/uv
	echo "torch==2.13.0+cpu" | $(LOCK) - --output-file requirements.txt
	$(LOCK) --group dev --constraints requirements.txt --output-file requirements-dev.txt
	sed -i 's/+cpu$$//' requirements.txt requirements-dev.txt

clean:
	rm -rf .venv

.venv/uv:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "TTED needs Python 3.11; run: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.9
	touch $@

.venv/app: .venv/uv requirements.txt
	$(call INSTALL,requirements.txt)
	touch $@

.venv/dev: .venv/app requirements-dev.txt
	$(BIN)/python -m tted_core.warm_up >/dev/null 2>&1 & \
	$(call INSTALL,requirements-dev.txt); installed=$$?; wait; exit $$installed  # solvers are compiled meanwhile, once
	touch $@

.PHONY: app dev test test-all check bench pictures lock clean
