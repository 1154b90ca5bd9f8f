# Two commands do everything on a fresh Debian machine with Python 3.11 to 3.13 and git: `make demo` and `make test`.
.DEFAULT_GOAL := help
SHELL := /bin/bash
export UV_NO_PROGRESS := 1
# Compiled modules make the many short processes start fast, whatever the caller's shell says.
export PYTHONDONTWRITEBYTECODE :=
UV := $(shell command -v uv 2>/dev/null || echo .venv/bin/uv)
# Tests wait more than they compute: four of them keep two cores busy.
JOBS ?= 4
# Packages and worlds are kept in the user's cache folder; where that cannot be written, in the checkout.
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)
ifneq ($(shell mkdir -p "$(CACHE)/uv" "$(CACHE)/heldout" 2>/dev/null && test -w "$(CACHE)/uv" && test -w "$(CACHE)/heldout" && echo yes),yes)
export XDG_CACHE_HOME := $(CURDIR)/.cache
$(info the cache folder $(CACHE) cannot be written: using $(XDG_CACHE_HOME))
endif
GUIDE := api/web/guide/index.html

.PHONY: help
help: ## list every target
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | sort | expand -t 22

.PHONY: setup
setup: ## install system packages that are missing (says which)
	@bash infra/setup.sh

.PHONY: install
install: setup ## install Python packages from the lock file into .venv (EXTRAS="ray redis": those extras too)
	@command -v uv >/dev/null || test -x .venv/bin/uv || { echo "installing uv into .venv"; python3 -m venv .venv && .venv/bin/pip install -q uv; }
	@echo "installing Python packages from uv.lock"
	@# Another Python (UV_PYTHON=3.13) has .venv made anew, and the uv in it lost.
	@own=$$(mktemp) && trap 'rm -f $$own' EXIT && { test ! -x .venv/bin/uv || cp .venv/bin/uv $$own; } \
		&& $(UV) sync -q --frozen $(addprefix --extra ,$(EXTRAS)) \
		&& { test -x .venv/bin/uv || test ! -s $$own || install -m 755 $$own .venv/bin/uv; }
	@$(MAKE) -s $(GUIDE) || echo "going on without the documentation at /guide: make docs"

.PHONY: docs
docs: install ## build the documentation site that is served at /guide; a broken link, anchor or picture fails
	@$(UV) run --no-sync python -m tools.guide

$(GUIDE): zensical.toml $(wildcard tools/guide/*.py) $(shell find docs examples -type f)
	@$(UV) run --no-sync python -m tools.guide

.PHONY: sites
sites: install ## install the sites' own environments and make the demo's content (kept in the user's cache folder)
	@$(UV) run --no-sync python -m envs.web_sites.prepare $(SITES) --seed 20261121 || echo "going on without what is left out"

.PHONY: demo
demo: install ## the main job end to end, then keep serving (ONCE=1 ends after the leaderboard)
	@$(MAKE) -s sites SITES=shop
	@$(UV) run --no-sync heldout-server demo $(if $(ONCE),--once)

.PHONY: up
up: install ## serve: PostgreSQL, API, worker; Ctrl-C ends
	@$(UV) run --no-sync heldout-server up

.PHONY: test
test: install ## run the tests; at the end the slowest, then the summary
	@$(UV) run --no-sync pytest -n $(JOBS) --dist worksteal --durations=40 --durations-min=5

.PHONY: test-packages
test-packages: ## install the servers that some tests run beside the service; without one, its tests are skipped
	@bash infra/test-packages.sh

.PHONY: test-postgres
test-postgres: install ## the service on an external PostgreSQL of another release: RELEASE=16, 17 or 18 (by npm), or POSTGRES=folder (root; 3 minutes each)
	@set -e; folder="$(or $(POSTGRES),$$(bash infra/test-postgres.sh $(RELEASE)))"; "$$folder/bin/postgres" --version; \
	HELDOUT_TEST_POSTGRES="$$folder" $(UV) run --no-sync pytest -q tests/integration/test_external_postgres.py tests/integration/test_point_in_time.py

.PHONY: test-engine
test-engine: ## a private Docker Engine with the image that tests ask for; `make test` then runs their rows (root; 1 minute)
	@bash infra/test-engine.sh

.PHONY: load
load: install ## virtual participants of mixed kinds against many processes; percentiles, what was lost (PARTICIPANTS=100 LOAD_SECONDS=60 SERVE=2 FAULTS=0)
	@$(UV) run --no-sync python -m tools.load --participants $(or $(PARTICIPANTS),100) --seconds $(or $(LOAD_SECONDS),60) --serve $(or $(SERVE),2) --faults $(or $(FAULTS),0)

.PHONY: soak
soak: install ## the same for MINUTES=60 with a fault a minute: kill -9, standing still, a full disk, a clock that jumps; nothing lost, nothing doubled
	@$(UV) run --no-sync python -m tools.load --participants $(or $(PARTICIPANTS),40) --seconds $$(( $(or $(MINUTES),60) * 60 )) --faults $(or $(FAULTS),60)

.PHONY: capacity
capacity: install ## what an operation costs each kind of process, checked against runs of mixed kinds; what 10,000 sessions and 10 million items a day take (8 minutes)
	@set -e; folder=$$(mktemp -d); trap "rm -rf $$folder" EXIT; \
	run() { $(UV) run --no-sync python -m tools.load --seconds $(or $(LOAD_SECONDS),40) "$${@:2}" >$$folder/$$1.json; }; \
	run idle --participants 0; for kind in browse read submit step; do run $$kind --participants 12 --mix $$kind; done; \
	run few --participants 10; run many --participants 30; \
	$(UV) run --no-sync python -m tools.load.capacity $$folder/{browse,read,submit,step}.json \
		--idle $$folder/idle.json --against $$folder/{few,many}.json

.PHONY: flakes
flakes: install ## the suite RUNS=10 times in random order: the tests that failed in some runs only (FLAKES="tests/unit" for a part)
	@$(UV) run --no-sync python -m tools.flakes --runs $(or $(RUNS),10) --seed $(or $(SEED),1) $(FLAKES)

.PHONY: drill-systemd
drill-systemd: install ## the units of infra/systemd under a systemd of their own: installed, played, restarted, stopped (root; needs systemd, postgresql-15)
	@bash infra/systemd/drill.sh

.PHONY: drill-processes
drill-processes: install ## two web processes, two workers and two hosts behind the shipped proxy with TLS, each replaced under load (needs nginx, redis; 4 minutes)
	@set -o pipefail; $(UV) run --no-sync pytest -q -s tests/acceptance/test_rolling_release.py | tee /dev/stderr | grep '^{'

.PHONY: drill-compose
drill-compose: install ## infra/compose on a private Docker Engine by docs/operating.md: started, played, restarted, scaled, restored; no registry (root; 17 minutes, the first time 26)
	@bash infra/compose/drill.sh

.PHONY: sbom
sbom: ## what the service is made of, from the lock file, as CycloneDX in sbom.json
	@$(UV) export -q --frozen --no-default-groups --extra redis --extra ray --format cyclonedx1.5 -o $(or $(SBOM),sbom.json)

.PHONY: lint
lint: install ## ruff, mypy, import contracts, migrations
	@$(UV) run --no-sync ruff check .
	@$(UV) run --no-sync ruff format --check .
	@$(UV) run --no-sync mypy
	@$(UV) run --no-sync lint-imports
	@$(UV) run --no-sync heldout-server check-migrations

.PHONY: schema
schema: ## generate the pack format's JSON Schema and pages in docs/
	$(UV) run python -m packs.schema
	$(UV) run python -m api.operations.reference

.PHONY: sim-protection
sim-protection: install ## every attack of docs/protection.md at full size, beside what is specified (five minutes on two free cores), one JSON line each
	@OMP_NUM_THREADS=1 $(UV) run --no-sync python -m protection.simulations

.PHONY: attack-flood
attack-flood: install ## one organisation floods the queue (60 x 20 formulas) while another sends single items: its latencies, 200 of each (10 minutes)
	@$(UV) run --no-sync python -m tools.attack.flood

.PHONY: attack
attack: install ## the simulated attacks over HTTP against a service of its own, beside the simulation (ITEMS=500 HANDS="1 10"; 15 minutes)
	@OMP_NUM_THREADS=1 $(UV) run --no-sync python -m tools.attack --items $(or $(ITEMS),500) --organisations $(or $(HANDS),1 10)

.PHONY: test-kill
test-kill: install ## kill -9 API, worker and PostgreSQL in turn, 20 times, while 2,000 items are graded
	HELDOUT_TEST_KILLS=20 $(UV) run --no-sync pytest -q tests/acceptance/test_kills.py --timeout 1200

.PHONY: test-harnesses
test-harnesses: install ## the benchmarks inside Inspect, lm-eval, datasets, OpenEnv and AgentBench's evaluator, and the examples (installs them in .harnesses; 8 minutes)
	@$(UV) venv -q --allow-existing --python .venv/bin/python .harnesses && $(UV) pip install -q --python .harnesses/bin/python -e 'sdk[datasets,inspect,lm-eval,openenv]' openai-agents mini-swe-agent
	@$(UV) venv -q --allow-existing --python .venv/bin/python .agentrl && $(UV) pip install -q --python .agentrl/bin/python -e sdk agentrl-eval  # wants an older openai than Inspect
	HELDOUT_HARNESSES=$(CURDIR)/.harnesses/bin $(UV) run --no-sync pytest -q tests/acceptance/test_harnesses.py tests/acceptance/test_harness_packages.py tests/acceptance/test_examples.py
	HELDOUT_HARNESSES=$(CURDIR)/.agentrl/bin $(UV) run --no-sync pytest -q tests/integration/sessions/test_agentbench_function_calls.py

.PHONY: test-agentlab
test-agentlab: install ## AgentLab's own agent on served episodes in a browser (installs it in .agentlab, with Python 3.11; 5 minutes)
	@$(UV) venv -q --allow-existing --python 3.11 .agentlab && $(UV) pip install -q --python .agentlab/bin/python agentlab -e 'sdk[gymnasium]'
	HELDOUT_AGENTLAB=$(CURDIR)/.agentlab/bin/python $(UV) run --no-sync pytest -q tests/browser/test_agentlab.py

.PHONY: test-webarena-loop
test-webarena-loop: install ## WebArena's own agent loop on a served episode (installs its packages in .webarena-loop, with Python 3.11; UPSTREAM=../shared/upstream; 3 minutes)
	@$(UV) venv -q --allow-existing --python 3.11 .webarena-loop && $(UV) pip install -q --python .webarena-loop/bin/python playwright openai==0.27.0 tiktoken aiolimiter beartype==0.12.0 nltk text-generation transformers==4.33.2 tqdm 'numpy<2' -e 'sdk[gymnasium]'
	@$(UV) pip install -q --no-deps --python .webarena-loop/bin/python litellm==1.80.0  # holds the file of tiktoken's tokens
	HELDOUT_WEBARENA=$(CURDIR)/.webarena-loop/bin/python HELDOUT_TEST_UPSTREAM=$(abspath $(or $(UPSTREAM),../shared/upstream)) TIKTOKEN_CACHE_DIR=$(CURDIR)/.webarena-loop/lib/python3.11/site-packages/litellm/litellm_core_utils/tokenizers $(UV) run --no-sync pytest -q tests/browser/test_webarena_loop.py

.PHONY: wheel-test
wheel-test: install ## build the client's wheel, install it in an empty environment, import and run it
	@bash infra/wheel-test.sh
	@bash infra/grading-wheel-test.sh

.PHONY: sim-calibration
sim-calibration: install ## coverage of scores corrected for a judge's errors, one JSON line a scenario (2 minutes)
	@OMP_NUM_THREADS=1 $(UV) run --no-sync python -m grading.statistics.simulation

.PHONY: check-agentbench
check-agentbench: install ## play all worlds of AgentBench, published and fresh samples, one table (SHARED=../shared WORLD=household; 30 minutes)
	@$(UV) run --no-sync python -m tools.check_agentbench $(or $(SHARED),../shared) $(foreach world,$(WORLD),--world $(world))

.PHONY: check-lateral-thinking
check-lateral-thinking: install ## how far a model as host of puzzles agrees with the fact host (URL= MODEL= KEY_FILE=)
	@$(UV) run --no-sync python -m tools.check_lateral_thinking $(URL) $(MODEL) $(if $(KEY_FILE),--key-file $(KEY_FILE))

.PHONY: check-household
check-household: install ## the household simulator against TextWorld, step by step (TEXTWORLD=interpreter with textworld[pddl] DATA= GRAMMAR=move)
	@$(UV) run --no-sync python -m tools.check_household $(TEXTWORLD) $(or $(DATA),../shared/data)/agentbench/alfworld --grammar $(or $(GRAMMAR),move)

.PHONY: bench-knowledge-graph
bench-knowledge-graph: install ## cost of knowledge graph sessions, and what participants score (FILES="PUBLISHED.json ..." COUNT=120)
	@$(UV) run --no-sync python -m tools.bench_knowledge_graph $(FILES) --count $(or $(COUNT),120)

.PHONY: live-packs
live-packs: install ## make the packs benchmarks/live-* that are drawn from a seed anew, every gold played
	@rm -rf benchmarks/live-os benchmarks/live-db benchmarks/live-household benchmarks/live-knowledge-graph
	@rm -rf benchmarks/live-web-shopping benchmarks/live-web-browsing benchmarks/live-ltp
	@$(UV) run --no-sync heldout-server generate knowledge-graph --out benchmarks/live-knowledge-graph --split dev --seed 20261121
	@$(UV) run --no-sync heldout-server generate lateral-thinking --out benchmarks/live-ltp --split dev --slug live-ltp --count 40 --seed 20261121
	@$(UV) run --no-sync heldout-server generate household --out benchmarks/live-household --split dev --seed 20261121
	@$(UV) run --no-sync heldout-server generate web-shopping --out benchmarks/live-web-shopping --split dev --seed 20261121
	@$(UV) run --no-sync heldout-server generate web-browsing --out benchmarks/live-web-browsing --split dev --count 200 --seed 5120884937716230452
	@$(UV) run --no-sync heldout-server generate operating-system --out benchmarks/live-os --split dev --seed 20261121
	@$(UV) run --no-sync heldout-server generate database --out benchmarks/live-db --split dev --seed 20261121

.PHONY: test-kill-sessions
test-kill-sessions: install ## kill -9 sandbox engine, host, API, worker and PostgreSQL in turn, 20 times, under 50 sessions
	HELDOUT_TEST_KILLS=20 HELDOUT_TEST_SESSIONS=50 $(UV) run --no-sync pytest -q -s tests/acceptance/test_kill_sessions.py --timeout 1800

.PHONY: test-ray
test-ray: install ## hosts on a Ray cluster of three nodes on this machine, one killed mid-episode (installs Ray; 2 minutes)
	@$(UV) sync -q --frozen --extra ray
	$(UV) run --no-sync pytest -q tests/integration/sessions/test_ray.py

.PHONY: test-server-image
test-server-image: install ## the service's image, built from packages and run as nobody special on a read-only root (root; 4 minutes)
	@RUNLEVEL=1 OPTIONAL="docker.io mmdebstrap" bash infra/setup.sh
	@set -e; DOCKER_HOST=$$(bash infra/engine.sh start); export DOCKER_HOST HELDOUT_IMAGES=$$(bash infra/engine.sh where)/images; \
	trap "bash infra/engine.sh stop" EXIT; bash infra/images/build.sh server
	@$(UV) run --no-sync pytest -q tests/integration/test_server_image.py

.PHONY: images
images: ## sandbox images from Debian packages, for bubblewrap and, where it answers, Docker Engine (10 minutes)
	@OPTIONAL=mmdebstrap bash infra/setup.sh
	@bash infra/images/build.sh

.PHONY: sandbox-table
sandbox-table: install ## put every sandbox backend of this machine through the attacks; writes docs/sandboxes.md
	@$(UV) run --no-sync python -m envs.sandbox.table

.PHONY: bench-sandbox
bench-sandbox: install ## a claim from the warm pool against cold starts and `docker run`, interleaved
	@$(UV) run --no-sync python -m envs.sandbox.bench

.PHONY: bench-grading
bench-grading: ## compare the grader with math-verify on labelled pairs (PAIRS="FILE.jsonl ...", STEP=1)
	@test -n "$(PAIRS)" || { echo 'say which labelled pairs: make bench-grading PAIRS="pairs.jsonl"'; exit 2; }
	@$(UV) run --group bench python -m tools.bench_grading $(PAIRS) --step $(or $(STEP),1)

.PHONY: fuzz-grading
fuzz-grading: install ## grade 100,000 mutated answers (COUNT=): nothing may raise, stall or grow
	@$(UV) run --no-sync python -m tests.unit.grading.fuzz_grading --count $(or $(COUNT),100000)

.PHONY: corpus
corpus: install ## grade generated answers, rates by dress and by mutation (SEED= one, else the kept seeds; COUNT=5000 DATA= FAILURES=0)
	@$(UV) run --no-sync python -m tests.unit.grading.corpus $(if $(SEED),--seed $(SEED)) --count $(or $(COUNT),5000) --data $(or $(DATA),../shared/data) --failures $(or $(FAILURES),0)

.PHONY: pool-memory
pool-memory: install ## resident memory of the grading pool over hostile answers (COUNT=10000)
	@$(UV) run --no-sync python -m tools.pool_memory --count $(or $(COUNT),10000) --data $(or $(DATA),../shared/data)

.PHONY: mutation
mutation: ## seed faults into the graders, count those the tests notice (SAMPLE=600 SEED=1 MODULES="*,!grading.kinds*" SINCE=commit TESTS=files MINUTES=0)
	@$(UV) run --group mutation python -m pytest -q -p no:xdist tests/unit/test_mutation.py
	@$(UV) run --no-sync --group mutation python -m tools.mutation --sample $(or $(SAMPLE),600) --seed $(or $(SEED),1) --modules "$(or $(MODULES),*)" --since "$(SINCE)" --tests $(or $(TESTS),tests/unit/grading) --minutes $(or $(MINUTES),0)

.PHONY: bench-web
bench-web: install ## the browser: observation against the published per-node way, sessions, steps/s, cost by stage, BrowserGym beside (installs it in .browsergym, with Python 3.11)
	@$(UV) run --no-sync python -m envs.browser.bench
	@$(UV) run --no-sync python -m envs.web_sites.bench
	@$(UV) venv -q --allow-existing --python 3.11 .browsergym && $(UV) pip install -q --python .browsergym/bin/python 'browsergym-core>=0.14' psutil
	@$(UV) run --no-sync python -m tools.bench_web --beside .browsergym/bin/python

.PHONY: demo-web
demo-web: install ## make benchmarks/demo-web and benchmarks/demo-vision anew from their seed
	@rm -rf benchmarks/demo-web benchmarks/demo-vision
	@$(UV) run --no-sync python -m envs.web_sites.generator benchmarks/demo-web
	@$(UV) run --no-sync python -m envs.web_sites.generator benchmarks/demo-vision --vision

.PHONY: check-demo-web
check-demo-web: install ## admission checks of demo-web (PACK=benchmarks/demo-vision), three runs at 1 and at 8 sessions, and a random clicker (RESUME=--resume goes on)
	@$(UV) run --no-sync python -m tools.check_web $(or $(PACK),benchmarks/demo-web) --at-once $(or $(AT_ONCE),1 8) --runs $(or $(RUNS),3) --clicker $(or $(CLICKER),4) --results $(or $(RESULTS),.demo-web-rows.jsonl) $(RESUME)

# Whether a page is laid out well or checked by axe says nothing about load.
LOAD_WEB_TESTS := $(addprefix tests/browser/test_,attacks_verdict.py readiness.py session.py verbs.py web_forms.py attacks_frames.py)
.PHONY: load-web
load-web: install ## 100 oracles of demo-web and the browser's tests of verdicts and readiness with busy loops beside them (LOOPS=8 ORACLES=100)
	@$(UV) run --no-sync python -m tools.load_web benchmarks/demo-web --loops $(or $(LOOPS),8) --oracles $(or $(ORACLES),100) --tests $(LOAD_WEB_TESTS)

.PHONY: check-webarena
check-webarena: install ## open, step and judge all tasks of WebArena and WebArena-Verified on stand-ins (DATA=../shared/data; UPSTREAM=checkout: its evaluators beside ours)
	@rm -rf .webarena && mkdir .webarena
	@$(UV) run --no-sync heldout-server convert webarena $(or $(DATA),../shared/data)/web/webarena/test.raw.json --option mode=published --brief --out .webarena/webarena
	@$(UV) run --no-sync heldout-server convert webarena-verified $(or $(DATA),../shared/data)/web/webarena-verified/webarena-verified.json --brief --out .webarena/verified
	@$(if $(UPSTREAM),$(UV) run --no-sync python -m tools.check_webarena $(UPSTREAM) $(or $(DATA),../shared/data))
	@for pack in webarena verified; do $(UV) run --no-sync heldout-server sites open --pack .webarena/$$pack --out .webarena/$$pack.jsonl --json || exit 1; done

.PHONY: form-libraries
form-libraries: ## npm copies of the libraries that published crowdsourcing pages load
	@npm ci --prefix infra/forms --ignore-scripts --no-audit --no-fund

.PHONY: check-turkingbench
check-turkingbench: install form-libraries ## oracle and do-nothing of TurkingBench by split (SOURCE=folder INSTANCES=1)
	@$(UV) run --no-sync python -m tools.check_turkingbench $(SOURCE) --instances $(or $(INSTANCES),1) --out $(or $(OUT),turkingbench.md) $(if $(MINUTES),--minutes $(MINUTES))

.PHONY: check-real-input
check-real-input: install ## published problem sets: golds must be graded correct, foreign golds wrong (DATA=../shared/data)
	@$(UV) run --no-sync python -m tools.check_real_input --data $(or $(DATA),../shared/data) $(if $(LIMIT),--limit $(LIMIT))

.PHONY: check-proofs
check-proofs: install ## published proofs through rubric, review queue and calibration with scripted people and judge (DATA=)
	@$(UV) run --no-sync python -m tools.check_proofs --data $(or $(DATA),../shared/data) $(if $(LIMIT),--limit $(LIMIT))

.PHONY: bench-api
bench-api: install ## the service against bare baselines in the same run (needs wrk; 6 minutes; PARTS=)
	@$(UV) run --no-sync python -m tools.bench_api $(PARTS)

.PHONY: fuzz-api
fuzz-api: install ## 100,000 requests at random with valid keys (COUNT= SEED=1 MINUTES=0): no 5xx, no stall, no failed job
	@$(UV) run --no-sync python -m tools.fuzz_api --count $(or $(COUNT),100000) --seed $(or $(SEED),1) --minutes $(or $(MINUTES),0)

.PHONY: check-schema
check-schema: install ## schemathesis with an owner's, a participant's and an operator's key: is the OpenAPI document true? (installs it in .schemathesis; MINUTES=30 SEED=1 CASES=0)
	@$(UV) venv -q --allow-existing --python .venv/bin/python .schemathesis && $(UV) pip install -q --python .schemathesis/bin/python schemathesis==4.32.5
	@$(UV) run --no-sync python -m tools.check_schema --program .schemathesis/bin/st --minutes $(or $(MINUTES),30) --seed $(or $(SEED),1) --cases $(or $(CASES),0) --out .schemathesis/found

.PHONY: bench-cpu
bench-cpu: install ## CPU a question, SDK and server together, against inspect-ai over 10,000 items (installs it)
	@$(UV) run --group bench python -m tools.bench_api.cpu

.PHONY: bench-sdk
bench-sdk: install ## an evaluation of 1,000 questions and 200 episodes beside a bare loop and Inspect, one endpoint (5 minutes)
	@$(UV) run --group bench python -m tools.bench_sdk --inspect "$$($(UV) run --group bench python -c 'import sys; print(sys.executable)')"

.PHONY: bench-envs
bench-envs: install ## live sessions: openings against `docker run`, steps, 64 at once, echo against openenv-core (PARTS=)
	@$(UV) run --no-sync python -m tools.bench_envs $(PARTS)
