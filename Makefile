.DEFAULT_GOAL := help

.PHONY: help
help: ## list every target
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 20

.PHONY: schema
schema: ## generate the pack format's JSON Schema and pages in docs/
	uv run python -m api.catalog.packs.schema
