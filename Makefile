# Assent. `make run` starts it, `make test` proves it; both set up what they need.

VENV := .venv
BIN := $(VENV)/bin
NODE := $(CURDIR)/$(VENV)/node
PAGES := src/assent/web/index.html
PAGE_SOURCES := $(shell find web/src web/public -type f 2>/dev/null) \
	$(wildcard web/*.html web/*.json web/*.ts web/*.js)
SUITE := tests/conformance/node_modules
NPM := cd web && PATH="$(NODE)/bin:$$PATH" npm --no-fund --no-audit
PYTEST := $(BIN)/python -m pytest
WORKERS ?= 3

# Compiled modules are kept, whatever the surroundings say: tests start Python many times.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-deep setup check lint lint-server lint-pages format types docs bench small-model lock wheel screenshots pictures clean

run: setup
	@exec $(BIN)/assent serve

# What waits for a network, or for one core, goes in pairs.
test:
	@$(MAKE) --no-print-directory -j2 setup $(SUITE)/.installed
	@$(MAKE) --no-print-directory lint
	@sh scripts/chromium.sh
	@sh scripts/proxies.sh
	$(NPM) test
	$(PYTEST) -m "not deep" -n $(WORKERS) --dist loadfile --no-loadscope-reorder

test-deep: setup
	@sh scripts/chromium.sh
	@sh scripts/proxies.sh
	$(PYTEST) -m deep

setup: $(VENV)/.installed $(PAGES)

check: lint
	$(PYTEST) tests/contract -m "not deep" -k "not schemathesis"

lint: setup
	@$(MAKE) --no-print-directory -j2 lint-server lint-pages

lint-server:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright

lint-pages:
	$(NPM) run --silent check

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(NPM) run --silent format

# The pages' types, from the server's own description of itself.
types: setup
	$(BIN)/python scripts/openapi.py > web/openapi.json
	$(NPM) run --silent generate -- openapi.json
	rm web/openapi.json

# What the assistant looks things up in, from the documentation as it is.
docs: setup
	$(BIN)/python scripts/docs.py

# What this machine does, then side by side with peers and with the least that is needed.
bench: setup
	$(BIN)/assent bench
	$(BIN)/python bench/requests.py
	$(BIN)/python bench/work.py
	$(BIN)/python bench/door.py
	$(BIN)/python bench/wire.py
	$(BIN)/python bench/page.py
	PYTHONPATH=. $(BIN)/python bench/docs.py
	$(BIN)/python -P bench/telemetry.py
	sh bench/peers/install.sh
	$(BIN)/python bench/stream.py
	$(BIN)/python bench/mcp_calls.py

# Talk to a real, small model that is served on this machine. Needs a package index.
small-model: setup
	PYTHONPATH=. $(BIN)/python tests/wire/small_model.py

# Pin the newest versions of everything that pyproject.toml allows.
lock: setup
	sh scripts/lock.sh

# What pages should look like, taken anew; look at them before they are committed.
pictures: setup
	RETAKE=1 $(PYTEST) tests/browser/test_visual.py

wheel: setup
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

screenshots: setup
	PYTHONPATH=. $(BIN)/python scripts/screenshots.py

clean:
	rm -rf $(VENV) web/node_modules $(SUITE) src/assent/web dist

$(VENV)/.installed: requirements.lock pyproject.toml scripts/environment.sh
	@sh scripts/environment.sh $(VENV)
	@touch $@

web/node_modules/.installed: web/package-lock.json $(VENV)/.installed
	$(NPM) ci --silent
	@touch $@

# The public conformance suite and the official clients of MCP, for tests/mcp.
$(SUITE)/.installed: tests/conformance/package-lock.json $(VENV)/.installed
	cd tests/conformance && PATH="$(NODE)/bin:$$PATH" npm --no-fund --no-audit ci --silent
	@touch $@

$(PAGES): web/node_modules/.installed $(PAGE_SOURCES)
	$(NPM) run --silent build
	@touch $@
