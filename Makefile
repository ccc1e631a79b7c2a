# storagebook: `make book` builds the site, `make test` checks it, `make help` lists the rest.

# The first suitable Python; name another with PYTHON=…
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	if $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; \
	then echo $$p; break; fi; done)
# A parameter file: make book PARAMS=my.yml
PARAMS ?=
# Test processes side by side
JOBS ?= 2

BIN := .venv/bin
LOCKED := .venv/.locked
STAMP := .venv/.complete
SITE := _build/html

# without bytecode every import takes three times as long
unexport PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.PHONY: help setup book test lint refresh serve clean lock mutate numerals fuzz reproducible bench
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(STAMP) ## create .venv/ from requirements.lock

$(LOCKED): requirements.lock
	@test -n "$(PYTHON)" || { echo "No Python 3.11, 3.12 or 3.13 found: install one, or name it with PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null \
		|| { echo "$(PYTHON) is not Python 3.11, 3.12 or 3.13: name another with PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
		|| { echo "$(PYTHON) has no venv module: install it (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@echo "Setting up .venv from requirements.lock"
	@$(PYTHON) -m venv --clear .venv
# pip prints several lines a package; a count of them is enough, its errors come through
	@all=$$(grep -c == requirements.lock); n=0; \
	{ $(BIN)/python -m pip install --no-deps --require-hashes -r requirements.lock && touch .venv/.installed; } \
		| while read -r word _; do case $$word in \
			Collecting|Processing|Ignoring) n=$$((n + 1)); [ $$((n % 20)) != 0 ] || echo "  $$n of $$all packages" ;; \
			Installing) echo "  installing them" ;; \
		esac; done
	@test -e .venv/.installed
	@echo "Compiling"
	@$(BIN)/python -m compileall -q -j 0 .venv/lib >/dev/null 2>&1 || true
	@touch $@

$(STAMP): $(LOCKED) pyproject.toml
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --no-index -e .
	@$(BIN)/python -m compileall -q src
	@touch $@

book: $(STAMP) ## run every notebook and build the site [PARAMS=my.yml]
	@$(BIN)/storagebook build -o $(SITE) $(if $(PARAMS),--params "$(PARAMS)")

test: $(STAMP) lint ## run every test and re-execute every notebook against its outputs
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --nbval notebooks

lint: $(STAMP) ## check style and formatting
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

refresh: $(STAMP) ## rebuild derived tables, re-execute the committed notebooks, print what moved
	@$(BIN)/storagebook refresh

serve: book ## build, then serve the site at http://127.0.0.1:8000
	@$(BIN)/python -m http.server --bind 127.0.0.1 --directory $(SITE) 8000

clean: ## remove what was built; .venv/ stays
	rm -rf _build .pytest_cache .ruff_cache .hypothesis

lock: ## write requirements.lock anew from pyproject.toml; needs uv
	@uv pip compile --quiet pyproject.toml --all-extras --universal --python-version 3.11 \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
		--output-file requirements.lock

mutate: $(STAMP) ## move every number of data/ by one per cent; list those that no test notices
	@$(BIN)/python tests/mutation.py

numerals: $(STAMP) ## list every numeral of the sources with its row of the ledger, or why it has none
	@$(BIN)/python tests/completeness.py

fuzz: $(STAMP) ## try many more random inputs than `make test` does
	@HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -q -n $(JOBS) -m hypothesis
	@$(BIN)/python tests/fuzz/fuzz_io500.py --seconds 600

reproducible: $(STAMP) ## build the last commit twice, in two folders, and compare every byte
	@.ci/reproducible $(BIN)/python

bench: $(STAMP) ## time builds, readers and scoring
	@for script in benchmarks/bench_*.py; do echo "== $$script"; $(BIN)/python "$$script" || exit 1; done
