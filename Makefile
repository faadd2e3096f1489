# Two commands do everything: `make serve` and `make test`. Needs Python 3.11 or newer, and make; Node brings the SPARQL editor.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DIST := dist
# Three workers, for tests that wait leave a core idle. A file's tests stay in one worker, so that its fixtures are made once; tests/conftest.py says in which order files are taken.
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder
# Packages come from the locks, each file by its digest; then this checkout, built by the hatchling of the lock.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
LOCKED := $(PIP) --require-hashes
EDITABLE := $(PIP) --no-deps --no-build-isolation --editable .
# `make lock` keeps the versions that fit; UPGRADE=yes takes the newest. Extras stay written, for pip looks up what is not pinned with them.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --no-strip-extras
# Tests start hundreds of processes: where modules may not be kept compiled, each would compile them again.
unexport PYTHONDONTWRITEBYTECODE
.DEFAULT_GOAL := help
.NOTPARALLEL: # `tools` brings the npm that `editor` needs
.PHONY: help setup serve build docs quick test proof exhaustive w3c suite lint check bench bench-large wheel clean tools editor lock sbom reference

help: ## Show the commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/.developer editor ## Make .venv with everything for development

serve: $(VENV)/.user editor ## Check and build data/, and serve it at http://127.0.0.1:8000/
	@$(BIN)/kg serve

build: $(VENV)/.user editor ## Write the site into site/
	@$(BIN)/kg build -o site

wheel: $(VENV)/.user editor ## Build the wheels to install kg from into dist/: cv-kg and, with Node, cv-kg-editor
	@rm -f $(DIST)/cv_kg-*.whl $(DIST)/cv_kg_editor-*.whl
	@$(BIN)/python -m pip --disable-pip-version-check wheel --quiet --no-deps --no-build-isolation --wheel-dir $(DIST) . $$(test ! -d node_modules/oxigraph || echo ./editor)
	@ls $(DIST)/cv_kg*.whl

docs: $(VENV)/.developer ## Write README, CONTRIBUTING and docs/ as a site into docs-site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

quick: $(VENV)/.developer ## Run the quick tests (a minute): no browser, no server, no other process
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder -m 'not (browser or server or process or corpus or fuzz or slow or proof or exhaustive)'

test: $(VENV)/.developer tools editor ## Run the tests (minutes); COVERAGE=yes prints what they reach
	@$(PYTEST) $(if $(COVERAGE),--cov --cov-report=term:skip-covered)

proof: $(VENV)/.developer tools editor ## Run the long proofs: plain pyshacl beside our check, every file of the real site, a fresh install
	@$(PYTEST) -q -m 'proof and not exhaustive'

exhaustive: $(VENV)/.developer tools editor ## Run every case of which make proof runs a sample (an hour)
	@$(PYTEST) -q -m exhaustive

w3c: suite $(VENV)/.developer ## Run the W3C's tests: SPARQL over HTTP (SUITE=dir is a checkout of w3c/rdf-tests; minutes), or SHACL (w3c/data-shapes)
	@$(BIN)/python -m tests.w3c "$(SUITE)" $(if $(ONLY),--only '$(ONLY)')

suite:
	@test -n "$(SUITE)" || { echo "Say where the suite is: make w3c SUITE=dir, with a checkout of https://github.com/w3c/rdf-tests or https://github.com/w3c/data-shapes" >&2; exit 2; }

lint: $(VENV)/.developer
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/codespell README.md CONTRIBUTING.md CHANGELOG.md Makefile docs kg queries release shapes
	@$(BIN)/python -m release.prose

check: lint test ## Format, lint, types, tests

bench: $(VENV)/.developer $(VENV)/.bench ## Measure; prints a table and writes bench/results.json; PART=peers measures one part
	@$(BIN)/python -m bench $(PART)

bench-large: $(VENV)/.developer ## Measure 10,000 CVs, too (a quarter of an hour, 10 GB of memory)
	@$(BIN)/python -m bench large

lock: $(VENV)/.developer ## Renew requirements*.txt after a change of pyproject.toml; UPGRADE=yes takes the newest versions
	@$(LOCK) $(if $(UPGRADE),--upgrade) pyproject.toml --extra dev --output-file requirements-dev.txt
	@$(LOCK) --constraint requirements-dev.txt pyproject.toml --output-file requirements.txt
	@$(LOCK) --constraint requirements-dev.txt --extra bench pyproject.toml --output-file requirements-bench.txt
	@$(LOCK) --constraint requirements-dev.txt --group build --output-file requirements-build.txt

sbom: $(VENV)/.developer editor ## Write the bill of materials, sbom.cdx.json, and the licences of what the editor's wheel carries
	@$(BIN)/python -m release.bill
	@$(BIN)/python -m release.licences

reference: $(VENV)/.developer ## Write docs/reference/ and docs/formats.md from the program
	@$(BIN)/python -m release.reference

clean: ## Remove what the other commands made
	rm -rf $(VENV) node_modules kg/publish/static/source-serif-* kg/publish/style/06-font.css site docs-site dist bench/work .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Set PYTHON=...")'
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "On Debian: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.user: pyproject.toml requirements.txt requirements-build.txt | $(VENV)/bin/python
	@$(LOCKED) --only-binary :all: -r requirements.txt -r requirements-build.txt
	@$(EDITABLE)
	@touch $@

$(VENV)/.developer: pyproject.toml requirements-dev.txt | $(VENV)/bin/python
	@$(LOCKED) -r requirements-dev.txt
	@$(EDITABLE)
	@touch $@ $(VENV)/.user

$(VENV)/.bench: requirements-bench.txt | $(VENV)/.developer
	@$(LOCKED) -r requirements-bench.txt
	@touch $@

# The editor of /sparql, the engine for built sites, the font, and what a test reads JSON-LD with. Without them that page is a plain form
# on a server, and in a folder says what it lacks; and pages are set in fonts of the reader's system.
editor:
	@test node_modules/.package-lock.json -nt package-lock.json || \
	if command -v npm >/dev/null; then \
	  echo "Installing the SPARQL editor and the engine for built sites ..."; \
	  npm ci --silent || echo "npm ci failed. Not included: the page font, the SPARQL editor, and the engine that answers queries in built sites."; \
	else echo "Node (npm) is not installed. Not included: the page font, the SPARQL editor, and the engine that answers queries in built sites."; fi
	@test kg/publish/style/06-font.css -nt kg/publish/style/font.mjs || test ! -d node_modules/subset-font || \
	  node kg/publish/style/font.mjs || echo "The font could not be made: pages have those of the reader's system."

# Tests need curl, npm, a Chromium, bubblewrap and Virtuoso: what is missing is installed on Debian, and named elsewhere.
tools:
	@bash tests/tools.sh
