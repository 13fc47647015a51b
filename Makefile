# make demo and make test need python3 >= 3.11 with venv, and nothing else.
# Everything is installed into ./.venv, and again only when pyproject.toml changed.

VENV := .venv
OLDEST := .venv-oldest
ENGINES := .venv-engines
DOCS := .venv-docs
PY := $(VENV)/bin/python
PIP_QUIET := -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test doctest lint types wheel oldest engines browser docs bench clean
.DELETE_ON_ERROR:

help:
	@echo "make demo     the main job on real data (under a minute once installed)"
	@echo "make test     the tests"
	@echo "make doctest  the examples in the docstrings"
	@echo "make lint     ruff: style and format"
	@echo "make types    mypy"
	@echo "make wheel    builds the wheel and tries it outside the source tree"
	@echo "make oldest   the tests with the oldest dependencies allowed (.ci/oldest.txt)"
	@echo "make engines  the tests of counts in DuckDB, Dask and Spark (which needs Java)"
	@echo "make browser  the tests of a report's page in headless Chromium"
	@echo "make docs     the pages, in docs/_build/html"
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

# Also where the tests passed, those of Spark must have been among them.
engines: $(ENGINES)/have-engines
	@sh .ci/install-java
	@$(ENGINES)/bin/python -m pytest --no-header -p no:cacheprovider --randomly-seed=11 \
	  --junitxml=$(ENGINES)/report.xml tests_engines
	@$(ENGINES)/bin/python .ci/require_passed.py $(ENGINES)/report.xml \
	  test_from_frame_spark test_score_from_frame_spark

browser: $(VENV)/have-test
	@sh .ci/install-chromium
	@$(PY) -m pytest --no-header -p no:cacheprovider --randomly-seed=11 tests_browser

# Warnings are errors, and so is a link that leads nowhere.
docs: $(DOCS)/have-docs
	@rm -rf docs/_build docs/api docs/gallery
	@MPLBACKEND=Agg $(DOCS)/bin/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@$(DOCS)/bin/python docs/check_links.py docs/_build/html

bench: $(VENV)/have-bench
	@$(PY) -m benchmarks $(NAME)

clean:
	rm -rf $(VENV) $(OLDEST) $(ENGINES) $(DOCS) docs/_build docs/api docs/gallery build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
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

$(ENGINES)/have-engines: pyproject.toml .ci/make-venv
	@sh .ci/make-venv $(ENGINES)
	@echo "installing skmetrics_ext[test,engines,spark] into $(ENGINES) ..."
	@$(ENGINES)/bin/python $(PIP_QUIET) --editable ".[test,engines,spark]"
	@touch $@

$(DOCS)/have-docs: pyproject.toml .ci/make-venv
	@sh .ci/make-venv $(DOCS)
	@echo "installing skmetrics_ext[docs] into $(DOCS) ..."
	@$(DOCS)/bin/python $(PIP_QUIET) --editable ".[docs]"
	@touch $@

$(OLDEST)/have-test: pyproject.toml .ci/oldest.txt .ci/make-venv
	@sh .ci/make-venv $(OLDEST) python3.11
	@echo "installing the oldest dependencies allowed into $(OLDEST) ..."
	@$(OLDEST)/bin/python $(PIP_QUIET) --only-binary :all: --requirement .ci/oldest.txt || { \
	  echo "$$($(OLDEST)/bin/python --version) cannot have all of these as wheels (Python 3.11 can):"; \
	  grep -v '^#' .ci/oldest.txt; exit 1; }
	@$(OLDEST)/bin/python $(PIP_QUIET) --constraint .ci/oldest.txt --editable ".[test]"
	@touch $@
