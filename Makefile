# `make serve` and `make test` install what they need. Requires Python 3.11 or newer and make; Node adds the SPARQL editor.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DIST := dist
# Three workers on two cores, because many tests wait. The tests of a file share one worker and its fixtures; tests/conftest.py sets the order of files.
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder
# Packages are installed from the lock files by digest, then this checkout with the pinned hatchling.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
LOCKED := $(PIP) --require-hashes
EDITABLE := $(PIP) --no-deps --no-build-isolation --editable .
# `make lock` keeps pinned versions where possible; UPGRADE=yes takes the newest. Extras are kept, because pip looks up packages that are not pinned with them.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --no-strip-extras
EXTRAS := cluster documents lsp mcp pandas # for users; the extra `editor` is a wheel of this project
# Tests start hundreds of processes; without bytecode files, each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE
.DEFAULT_GOAL := help
.NOTPARALLEL: # `tools` installs the npm that `editor` needs
.PHONY: help setup serve build docs quick test proof exhaustive w3c suite lint check bench bench-large wheel clean tools editor lock sbom reference release

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/.developer editor ## Create .venv for development

serve: $(VENV)/.user editor ## Check, build and serve data/ at http://127.0.0.1:8000/
	@$(BIN)/kg serve

build: $(VENV)/.user editor ## Build data/ into site/
	@$(BIN)/kg build -o site

wheel: $(VENV)/.user editor ## Build the wheels into dist/: cv-kg and, with Node, cv-kg-editor
	@rm -f $(DIST)/cv_kg-*.whl $(DIST)/cv_kg_editor-*.whl
	@$(BIN)/python -m pip --disable-pip-version-check wheel --quiet --no-deps --no-build-isolation --wheel-dir $(DIST) . $$(test ! -d node_modules/oxigraph || echo ./editor)
	@ls $(DIST)/cv_kg*.whl

docs: $(VENV)/.developer ## Write README, CONTRIBUTING and docs/ as a site into docs-site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

quick: $(VENV)/.developer ## Run the fast tests (1 min): no browser, server or other process
	@KG_SKIP_NOTHING=yes $(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder -m 'not (browser or server or process or corpus or fuzz or slow or proof or exhaustive)'

test: $(VENV)/.developer tools editor ## Run the tests (4 min); COVERAGE=yes reports coverage
	@$(PYTEST) $(if $(COVERAGE),--cov --cov-report=term:skip-covered)

proof: $(VENV)/.developer tools editor ## Run the long tests (40 min): plain pyshacl, every file of data/, fresh installs
	@$(PYTEST) -q -m 'proof and not exhaustive'

exhaustive: $(VENV)/.developer tools editor ## Run every case of the tests that make proof samples (1 h)
	@$(PYTEST) -q -m exhaustive

w3c: suite $(VENV)/.developer ## Run the W3C tests in SUITE=dir: a checkout of w3c/rdf-tests (SPARQL) or w3c/data-shapes (SHACL)
	@$(BIN)/python -m tests.w3c "$(SUITE)" $(if $(ONLY),--only '$(ONLY)')

suite:
	@test -n "$(SUITE)" || { echo "SUITE is missing. Use make w3c SUITE=dir, with a checkout of https://github.com/w3c/rdf-tests or https://github.com/w3c/data-shapes" >&2; exit 2; }

lint: $(VENV)/.developer
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/codespell README.md CONTRIBUTING.md CHANGELOG.md Makefile docs kg queries release shapes
	@$(BIN)/python -m release.prose

check: lint test ## Run lint and test

bench: $(VENV)/.developer $(VENV)/.bench ## Run the benchmarks and write bench/results.json; PART=peers runs one part
	@$(BIN)/python -m bench $(PART)

bench-large: $(VENV)/.developer ## Run the benchmark with 10,000 CVs (15 min, 10 GB of memory)
	@$(BIN)/python -m bench large

lock: $(VENV)/.developer ## Update requirements*.txt from pyproject.toml; UPGRADE=yes takes the newest versions
	@$(LOCK) $(if $(UPGRADE),--upgrade) pyproject.toml --extra dev --output-file requirements-dev.txt
	@$(LOCK) --constraint requirements-dev.txt pyproject.toml --output-file requirements.txt
	@$(LOCK) --constraint requirements-dev.txt $(EXTRAS:%=--extra %) pyproject.toml --output-file requirements-extras.txt
	@$(LOCK) --constraint requirements-dev.txt --extra bench pyproject.toml --output-file requirements-bench.txt
	@$(LOCK) --constraint requirements-dev.txt --group build --output-file requirements-build.txt

sbom: $(VENV)/.developer editor ## Write the bill of materials, sbom.cdx.json, and the licences of the bundled packages
	@$(BIN)/python -m release.bill
	@$(BIN)/python -m release.licences

reference: $(VENV)/.developer ## Write docs/reference/ and docs/formats.md from the program
	@$(BIN)/python -m release.reference

release: wheel sbom docs ## Build a release into dist/, and try it in an empty environment; publishes nothing
	@$(BIN)/python -m release.artefacts

clean: ## Remove .venv, build output and caches
	rm -rf $(VENV) node_modules kg/publish/static/source-serif-* kg/publish/style/06-font.css site docs-site dist bench/work .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is required; this is " + sys.version.split()[0] + ". Set PYTHON=...")'
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

# SPARQL editor, query engine for built sites, page font, and a JSON-LD parser for the tests. Without them, /sparql is a plain form
# on a server and a notice in a built folder, and pages use system fonts.
editor:
	@test node_modules/.package-lock.json -nt package-lock.json || \
	if command -v npm >/dev/null; then \
	  echo "Installing the SPARQL editor and the engine for built sites ..."; \
	  npm ci --silent || echo "npm ci failed. Not included: the page font, the SPARQL editor, and the engine that answers queries in built sites."; \
	else echo "Node (npm) is not installed. Not included: the page font, the SPARQL editor, and the engine that answers queries in built sites."; fi
	@test kg/publish/style/06-font.css -nt kg/publish/style/font.mjs || test ! -d node_modules/subset-font || \
	  node kg/publish/style/font.mjs || echo "The font could not be built. Pages will use system fonts."
	@test kg/publish/style/marks.json -nt kg/publish/style/marks.mjs || test ! -d node_modules/simple-icons || \
	  node kg/publish/style/marks.mjs || echo "The marks of networks could not be read. Pages will use general icons."

# Tests need curl, npm, Chromium, bubblewrap and Virtuoso. Missing ones are installed on Debian, and listed on other systems.
tools:
	@bash tests/tools.sh
