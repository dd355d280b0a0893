# make app       install and open the application        make test      install and run the tests of everyday work
# make dev       the same, reloading a page on changes   make test-all  all tests
# make check     linters, types and known advisories     make coverage  the tests of everyday work, and the lines they miss
# make bench     timings beside those of other packages  make pictures  take those of README and docs anew
# make lock      pin the packages of pyproject.toml      make clean     remove the virtual environment

PYTHON ?= python3
PORT ?= 8501
TEST_PROCESSES ?= 2
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --dist worksteal

# uv installs in a third of pip's time, but doesn't read pip's configuration. PyTorch's build for the CPU comes from a folder
# of wheels that pip knows, or from PyTorch's own index.
pip_option = $(or $(PIP_$1),$(shell $(PYTHON) -m pip config get global.$2 2>/dev/null))
.venv/app .venv/dev check lock test-all: export UV_DEFAULT_INDEX ?= $(or $(call pip_option,INDEX_URL,index-url),https://pypi.org/simple)
.venv/app .venv/dev check lock test-all: export UV_INDEX ?= $(call pip_option,EXTRA_INDEX_URL,extra-index-url)
.venv/app .venv/dev check lock test-all: export UV_FIND_LINKS ?= $(call pip_option,FIND_LINKS,find-links)
.venv/app .venv/dev check lock test-all: export UV_INDEX_STRATEGY ?= unsafe-best-match
TORCH_INDEX = https://download.pytorch.org/whl/cpu
INSTALL = $(BIN)/uv pip install $(if $(UV_FIND_LINKS),,--torch-backend cpu) -r $1 || \
    $(BIN)/python -m pip install $(if $(UV_FIND_LINKS),,--extra-index-url $(TORCH_INDEX)) -r $1

app: .venv/app
	$(BIN)/python -m tted_core app --port $(PORT)

dev: .venv/app
	$(BIN)/python -m tted_core app --port $(PORT) --watch

test: .venv/dev
	$(PYTEST) -m "not thorough"

coverage: .venv/dev
	$(PYTEST) -m "not thorough" --cov

# All in one run, properties with twice as many examples, in CI with coverage; then what computes numbers, as another processor rounds them.
# Batches, the lab and systems multiply no matrices and load no models: of them only that a batch has single pairs' numbers.
test-all: .venv/dev
	$(PYTEST) --hypothesis-profile=thorough $(if $(CI),--cov)
	NUMBA_CPU_NAME=generic OPENBLAS_CORETYPE=Prescott MKL_ENABLE_INSTRUCTIONS=SSE4_2 ATEN_CPU_CAPABILITY=default \
	    OMP_NUM_THREADS=2 $(PYTEST) -m "not (thorough or hypothesis)" \
	    $(addprefix tests/,baselines batch/test_batch_solving.py distances encoders explain matching method solvers)

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	{ printf '# /// script\n# requires-python = ">=3.11"\n# dependencies = [\n'; \
	    sed -nE 's/^([^ #]+==[^ +]+)(\+cpu)?( ;[^\\]+)? *\\$$/#   "\1\3",/p' requirements-dev.txt; printf '# ]\n# ///\n'; } >.venv/pins.py
	$(BIN)/uv audit --preview-features audit-command --script .venv/pins.py || { [ $$? = 2 ] && \
	    echo "advisories were not checked: the database can't be reached"; }

bench: .venv/dev
	$(BIN)/python -m benchmarks

pictures: .venv/dev
	$(BIN)/python -m tools.pictures

# For Linux, macOS and Windows, with the hash of every file; a folder of wheels would leave out those of PyTorch's other builds.
LOCK = echo "torch==2.13.0+cpu; sys_platform != 'darwin'" | UV_FIND_LINKS= $(BIN)/uv pip compile --universal --generate-hashes --torch-backend cpu --quiet --no-annotate --python-version 3.11 \
    --custom-compile-command "make lock" - pyproject.toml --extra app --extra models --group weights
lock: .venv/uv
	$(LOCK) --output-file requirements.txt
	$(LOCK) --group dev --constraints requirements.txt --output-file requirements-dev.txt

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

.PHONY: app dev test test-all coverage check bench pictures lock clean
