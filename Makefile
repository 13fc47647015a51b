# make demo and make test need python3 >= 3.11 with venv, and nothing else.
# Everything is installed into ./.venv, and again only when pyproject.toml changed.

VENV := .venv
OLDEST := .venv-oldest
PY := $(VENV)/bin/python
PIP_QUIET := -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test doctest lint types wheel oldest bench clean
.DELETE_ON_ERROR:

help:
	@echo "make demo     the main job on real data (under a minute once installed)"
	@echo "make test     the tests"
	@echo "make doctest  the examples in the docstrings"
	@echo "make lint     ruff: style and format"
	@echo "make types    mypy"
	@echo "make wheel    builds the wheel and tries it outside the source tree"
	@echo "make oldest   the tests with the oldest dependencies allowed (.ci/oldest.txt)"
	@echo "make bench    the benchmarks: names, or one with NAME=counts"
	@echo "make clean    removes what the other targets made"

demo: $(VENV)/have-package
	@$(PY) -m skmetrics_ext demo

# The seed fixes the order of the tests; a plain `pytest` shuffles them anew each time.
test: $(VENV)/have-test
	@$(PY) -m pytest --no-header --randomly-seed=11 tests

doctest: $(VENV)/have-test
	@$(PY) -m pytest --no-header -p no:randomly --doctest-modules skmetrics_ext

lint: $(VENV)/have-dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

types: $(VENV)/have-dev
	@$(PY) -m mypy

wheel: $(VENV)/have-package
	@sh .ci/try-wheel $(PY)

oldest: $(OLDEST)/have-test
	@$(OLDEST)/bin/python .ci/show_versions.py .ci/oldest.txt
	@$(OLDEST)/bin/python -m pytest --no-header -p no:cacheprovider --randomly-seed=16 tests

bench: $(VENV)/have-bench
	@$(PY) -m benchmarks $(NAME)

clean:
	rm -rf $(VENV) $(OLDEST) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

# A stamp is written last, so that an interrupted installation is taken up again.
$(VENV)/have-venv:
	@sh .ci/make-venv $(VENV)
	@touch $@

$(VENV)/have-package: pyproject.toml $(VENV)/have-venv
	@echo "installing skmetrics_ext into $(VENV) ..."
	@$(PY) $(PIP_QUIET) --editable .
	@touch $@

$(VENV)/have-test $(VENV)/have-dev $(VENV)/have-bench: $(VENV)/have-%: pyproject.toml $(VENV)/have-venv
	@echo "installing skmetrics_ext[$*] into $(VENV) ..."
	@$(PY) $(PIP_QUIET) --editable ".[$*]"
	@touch $@ $(VENV)/have-package

$(OLDEST)/have-test: pyproject.toml .ci/oldest.txt .ci/make-venv
	@sh .ci/make-venv $(OLDEST) python3.11
	@echo "installing the oldest dependencies allowed into $(OLDEST) ..."
	@$(OLDEST)/bin/python $(PIP_QUIET) --only-binary :all: --requirement .ci/oldest.txt || { \
	  echo "$$($(OLDEST)/bin/python --version) cannot have all of these as wheels (Python 3.11 can):"; \
	  grep -v '^#' .ci/oldest.txt; exit 1; }
	@$(OLDEST)/bin/python $(PIP_QUIET) --constraint .ci/oldest.txt --editable ".[test]"
	@touch $@
