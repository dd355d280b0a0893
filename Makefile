# make app    install and open the application     make test   install and run the tests
# make dev    the same, and run pages anew when their code changes
# make check  linters and types                    make bench  timings beside those of other packages
# make fuzz   ten minutes of fuzzing the readers   make clean  remove the virtual environment

PYTHON ?= python3
PORT ?= 8501
TEST_PROCESSES ?= 2
ATHERIS := 3.0.0
BIN := .venv/bin

app: .venv/app
	$(BIN)/python -m tted_core app --port $(PORT)

dev: .venv/app
	$(BIN)/python -m tted_core app --port $(PORT) --watch

test: .venv/dev
	$(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --dist loadgroup

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python -m benchmarks

fuzz: .venv/dev
	$(BIN)/python -m pip install --disable-pip-version-check atheris==$(ATHERIS)
	PYTHONPATH=. $(BIN)/python fuzz/read_map.py

clean:
	rm -rf .venv

.venv/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "TTED needs Python 3.11 or newer; run: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	touch $@

.venv/app: .venv/python requirements.txt constraints.txt
	$(BIN)/python -m pip install --disable-pip-version-check -r requirements.txt
	@echo "Compiling the solvers (about 30 seconds, once)"
	$(BIN)/python -m tted_core.warm_up
	$(BIN)/python -m tted_core compare sample_trees/coral-reefs/base.json sample_trees/coral-reefs/demo.json
	touch $@

.venv/dev: .venv/app requirements-dev.txt
	$(BIN)/python -m pip install --disable-pip-version-check -r requirements-dev.txt
	touch $@

.PHONY: app dev test check bench fuzz clean
