# The first line of each rule's comment is its line in `make help`. What stands behind is in tools/.
.DEFAULT_GOAL := help
.PHONY: help studio test check bench docs web format clean
MAKEFLAGS += --no-print-directory

SETUP = python="$$(sh tools/find_python.sh)" && "$$python" -m tools.setup
VENV = .venv/bin/python

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

studio: ## set everything up and open the Studio
	@$(SETUP) studio
	@.venv/bin/marotte studio $(ARGS)

test: ## set everything up and run every test
	@$(SETUP) test
	@$(VENV) -m tools.run_tests

check: ## judge the tree without running tests: lint, types, rooms, documentation
	@$(SETUP) check
	@$(VENV) -m tools.check

format: ## format the code, write the generated files
	@$(SETUP) python
	@$(VENV) tools/generate_protocol.py
	@$(VENV) -m tools.generate_reference
	@$(VENV) -m ruff check --fix --exit-zero --quiet
	@$(VENV) -m ruff format --quiet

web: ## build the browser front end
	@$(SETUP) web

bench: ## measure Marotte beside its peers (ARGS=--json for numbers only)
	@$(SETUP) bench
	@.venv-bench/bin/python -m bench.run $(ARGS)

docs: ## build the documentation into site/
	@$(SETUP) docs
	@$(VENV) -m tools.build_docs

clean: ## remove everything that make has made
	@rm -rf .make .venv .venv-bench .venv-blender site dist build web/node_modules web/.built-from .hypothesis
	@rm -rf src/marotte/studio/static src/marotte/viewer/static
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
