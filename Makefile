# Everything is run from here; each target prepares what it needs. `make help` lists them.
#
# VENV         where the virtual environment is (.venv)
# PYTHON       the Python that makes it (the first of python3, python3.14 … python3.11 that is 3.11 or newer)
# SERVE_ARGS   more arguments for `fliptable serve`
# CLUSTER_ARGS more arguments for deploy.cluster, for example CLUSTER_ARGS='--folder build/cluster'
# PYTEST_ARGS  more arguments for pytest, for example PYTEST_ARGS='-k flip7'
# SINCE        the revision that `make schema-diff` compares with (the last tag)
# SOAK_MINUTES how long `make soak-fuzz` takes (10)
# WORKERS      how many test processes (2; 0 runs the tests in pytest's own process)

VENV ?= .venv
SOAK_MINUTES ?= 10
WORKERS ?= 2

SHELL := /bin/sh
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
# Names the process that installs something; when that is gone and this is there, it was interrupted.
UNFINISHED := $(VENV).unfinished
INTERRUPTED := $(shell [ -e "$(UNFINISHED)" ] && ! kill -0 "$$(cat "$(UNFINISHED)")" 2>/dev/null && echo "$(UNFINISHED)")
BEGIN := echo $$$$ > "$(UNFINISHED)";
END := ; status=$$?; [ $$status -ge 128 ] || rm -f "$(UNFINISHED)"; exit $$status
RUN := $(VENV)/.installed-run
DEV := $(VENV)/.installed-dev
BENCH := $(VENV)/.installed-bench
DOCS := $(VENV)/.installed-docs
INTEROP := tests/interop
NODE := $(VENV)/.installed-node
NODE_MODULES := $(INTEROP)/node_modules/.installed
NGINX := $(VENV)/.installed-nginx
# Programs of the venv come first.
WITH_BIN := PATH="$$(cd "$(BIN)" && pwd):$$PATH" && export PATH
# Node.js has to be 24 or newer and have npm. Where the machine's is older or missing, the venv is given one.
HAS_NODE := $(WITH_BIN) && node -e 'process.exit(process.versions.node.split(".")[0] >= 24 ? 0 : 1)' && npm --version

.DEFAULT_GOAL := help
.PHONY: help serve cluster test soak soak-fuzz check format schema schema-check schema-diff outdated docs bench demo clean
.DELETE_ON_ERROR:

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  %-14s %s\n' "$$name" "$$text"; done

serve: $(RUN) ## run the server, with a MongoDB of its own unless FLIPTABLE_MONGO_URL names one
	exec $(BIN)/fliptable serve $(SERVE_ARGS)

cluster: $(RUN) ## run three mongods, two workers and a proxy on this machine
	exec $(BIN)/python -m deploy.cluster $(CLUSTER_ARGS)

demo: $(RUN) ## play a scripted game and print it
	$(BIN)/fliptable play --demo

test: check schema-check $(NODE) $(NODE_MODULES) $(NGINX) ## all the checks, then the tests
	@$(WITH_BIN) && set -x && python -m pytest -n $(WORKERS) --dist loadfile $(PYTEST_ARGS)

soak: $(BENCH) ## kill the primary of a replica set in the middle of play, twenty times
	FAILOVERS=20 $(BIN)/python -m bench failover

soak-fuzz: $(DEV) ## ask a server whatever the schema allows, for SOAK_MINUTES, and fail when it stumbles
	FUZZ_SECONDS=$$(($(SOAK_MINUTES) * 60)) $(BIN)/python -m pytest -n 0 -q -s --timeout 0 $(PYTEST_ARGS) \
		tests/api/test_fuzzed_schema.py -k whoever_asks

check: $(DEV) ## lint, formatting, types and who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV) ## format the code and apply the safe lint fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schema: $(RUN) ## write schema.graphql anew
	@mkdir -p build
	$(BIN)/fliptable schema > build/schema.graphql
	cp build/schema.graphql schema.graphql

schema-check: $(RUN) ## fail when schema.graphql is not what the code makes
	@mkdir -p build
	@$(BIN)/fliptable schema > build/schema.graphql
	@diff -u schema.graphql build/schema.graphql || \
		{ echo 'schema.graphql is out of date: run `make schema` and commit it' >&2; exit 1; }

schema-diff: $(NODE) $(NODE_MODULES) ## tell what has changed in the schema since the last tag, and fail when it breaks clients
	@since="$(SINCE)"; [ -n "$$since" ] || since=$$(git describe --tags --abbrev=0 2>/dev/null) || \
		{ echo 'There is no tag yet, so there is nothing to compare the schema with.'; exit 0; }; \
	echo "schema.graphql since $$since, as graphql-inspector tells it:"; \
	$(WITH_BIN) && $(INTEROP)/node_modules/.bin/graphql-inspector diff "git:$$since:schema.graphql" \
		schema.graphql --rule suppressRemovalOfDeprecatedField --rule ignoreDescriptionChanges

outdated: $(NODE) $(NODE_MODULES) ## list the clients and tools of the tests that have a newer version
	@$(WITH_BIN) && cd $(INTEROP) && npm outdated; true
	@$(BIN)/python -m pip --disable-pip-version-check list --outdated

docs: $(DOCS) ## make the documentation as a site, in build/docs
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/docs
	@echo 'build/docs/index.html'

bench: $(BENCH) ## run the benchmarks
	$(BIN)/python -m bench $(BENCH_ARGS)

clean: ## remove what was made, except the data folder of a server
	rm -rf "$(VENV)" "$(UNFINISHED)" $(INTEROP)/node_modules build dist
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .schemathesis
	find core api plugins tests bench deploy -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(RUN): pyproject.toml $(INTERRUPTED)
	@set -e; \
	if [ -n "$(INTERRUPTED)" ] || ! "$(BIN)/python" -m pip --version >/dev/null 2>&1 || \
		! "$(BIN)/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then \
		for python in "$(PYTHON)" python3 python3.14 python3.13 python3.12 python3.11; do \
			if "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
			then break; fi; \
			python=; \
		done; \
		if [ -z "$$python" ]; then \
			echo 'Fliptable needs Python 3.11 or newer with its venv module (on Debian: python3-venv).' >&2; \
			echo 'None was found on PATH; name one with `make PYTHON=/path/to/python3`.' >&2; \
			exit 1; \
		fi; \
		echo "creating $(VENV)"; \
		$(BEGIN) \
		clear=; if [ -e "$(VENV)/pyvenv.cfg" ]; then clear=--clear; fi; \
		"$$python" -m venv $$clear "$(VENV)"; \
	fi
	$(BEGIN) $(PIP) --editable '.[embedded]' $(END)
	@touch "$@"

$(DEV): $(RUN)
	$(BEGIN) $(PIP) --editable '.[embedded,dev]' $(END)
	@touch "$@"

$(DOCS): $(RUN)
	$(BEGIN) $(PIP) --editable '.[embedded,docs]' $(END)
	@touch "$@"

$(BENCH): $(RUN)
	$(BEGIN) $(PIP) --editable '.[embedded,bench]' $(END)
	@touch "$@"

$(NODE): $(DEV)
	@($(HAS_NODE)) >/dev/null 2>&1 || { echo 'giving $(VENV) a Node.js'; $(BEGIN) $(PIP) --editable '.[node]' $(END); }
	@touch "$@"

$(NODE_MODULES): $(INTEROP)/package.json $(INTEROP)/package-lock.json | $(NODE)
	$(WITH_BIN) && cd $(INTEROP) && npm ci --no-audit --no-fund --silent
	@touch "$@"

# The shipped configuration is tested in an nginx. Debian's needs no installing; without any the tests are skipped.
$(NGINX): $(RUN)
	@if ! command -v nginx >/dev/null && command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; then \
		echo 'giving $(VENV) an nginx'; \
		rm -rf "$(VENV)/nginx"; mkdir -p "$(VENV)/nginx"; cd "$(VENV)/nginx"; \
		{ apt-get -qq download nginx || { apt-get -qq update; apt-get -qq download nginx; }; } 2>/dev/null; \
		for package in nginx_*.deb; do \
			[ ! -e "$$package" ] || { dpkg-deb --extract "$$package" . && ln -sf ../nginx/usr/sbin/nginx ../bin/nginx; }; \
		done; \
	fi; true
	@touch "$@"
