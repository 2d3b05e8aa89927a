# Every target makes the environment it needs: on a bare machine one command is enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
unexport PYTHONDONTWRITEBYTECODE  # or every process that a test starts compiles the package again

.PRECIOUS: .venv-%/base
.PHONY: demo test test-slow test-spark test-torch test-oldest lint bench reproduce docs clean

$(VENV)/pip:
	$(PYTHON) -m venv $(VENV)
	$(PIP) "pip>=25.1"
	touch $@

$(VENV)/package: $(VENV)/pip pyproject.toml src/clusterscore/version.py
	$(PIP) --editable .
	touch $@

$(VENV)/dev: $(VENV)/package
	$(PIP) --group dev
	touch $@

$(VENV)/docs: $(VENV)/package
	$(PIP) --group docs
	touch $@

demo: $(VENV)/package
	$(BIN)/clusterscore demo

test: $(VENV)/dev
	$(BIN)/python -m pytest -q -m "not slow" -n auto --dist worksteal

test-slow: $(VENV)/dev
	$(BIN)/python -m pytest -q -m slow -n auto --dist worksteal

# Spark and torch have environments on top of the other one, which make test is to do without: what it has is imported
# from there, and only the rest is installed. Spark needs Java 17. The usual wheel of torch is several GB; for the CPU
# build alone, name its index: PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make test-torch
SITE := python -c "import site; print(site.getsitepackages()[0])"

.venv-%/base: $(VENV)/dev
	$(BIN)/python -m venv --without-pip .venv-$*
	printf '%s\n' "$$($(BIN)/$(SITE))" "$(CURDIR)/src" > "$$(.venv-$*/bin/$(SITE))/base.pth"
	touch $@

.venv-spark/made: .venv-spark/base
	$(BIN)/python -m pip --python .venv-spark/bin/python install --quiet "clusterscore[spark]"
	touch $@

.venv-torch/made: .venv-torch/base
	$(BIN)/python -m pip --python .venv-torch/bin/python install --quiet torch==2.13.0
	touch $@

test-spark: .venv-spark/made
	.venv-spark/bin/python -m pytest -q tests/engines -k spark

test-torch: .venv-torch/made
	.venv-torch/bin/python -m pytest -q tests/engines/test_tensors.py tests/count/test_background.py tests/metrics/test_images.py

# Every library at the oldest version that pyproject.toml allows
.venv-oldest/made: pyproject.toml packaging/oldest.py
	$(PYTHON) -m venv --clear .venv-oldest
	.venv-oldest/bin/python -m pip --disable-pip-version-check install --quiet "pip>=25.1"
	$(PYTHON) packaging/oldest.py > .venv-oldest/constraints.txt
	.venv-oldest/bin/python -m pip install --quiet --constraint .venv-oldest/constraints.txt --editable . --group dev
	touch $@

test-oldest: .venv-oldest/made
	.venv-oldest/bin/python -m pytest -q -m "not slow" -n auto --dist worksteal

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/dev
	$(BIN)/python -m benchmarks

# PAPER=alphamax for one of them; DATA=folder with the data sets; OUT=folder for the tables and figures
reproduce: $(VENV)/dev
	$(BIN)/python -m reproduce $(PAPER) $(if $(DATA),--data $(DATA)) $(if $(OUT),--out $(OUT))

docs: $(VENV)/docs
	$(BIN)/sphinx-build -q -E -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean:
	rm -rf $(VENV) .venv-spark .venv-torch .venv-oldest docs/_build docs/metrics docs/api docs/pictures .pytest_cache .mypy_cache .ruff_cache
