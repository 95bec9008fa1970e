# Carryover. `make help` lists everything.
SHELL := /bin/bash
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X github.com/carryover-go/carryover/modules/daemon/version.Version=$(VERSION)
AGENTS := $(CURDIR)/.cache/agents
LINT := .cache/bin/golangci-lint
LINT_VERSION := v2.15.0
ACTIONLINT_VERSION := v1.7.12
GOVULNCHECK_VERSION := v1.1.4
FUZZTIME ?= 30m
GORELEASER_VERSION := v2.16.0
# Those that do not run in the base image with the host's agents bound into it.
AGENT_IMAGES ?= aider openhands
# Every target compiles the same packages; gin without msgpack saves 9 MB a program.
export GOFLAGS := $(strip $(GOFLAGS) -tags=nomsgpack)

.DEFAULT_GOAL := help
.PHONY: help build demo recording test test-nocgo test-race test-agents test-containers agents probe lint fmt quality secrets bench benchmarks paint pictures fuzz fuzz-short vuln chaos soak tidy rehearse rehearse-release flake packaging snapshot same-bytes test-channels release image dev-image clean

help: ## list all targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build the three programs into bin/
	@mkdir -p bin
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/carryover ./cmd/carryover
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/carryoverd ./cmd/carryoverd
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/carryover-hook ./cmd/carryover-hook

demo: build ## do the main job on a bundled session, in a throw-away home
	@scripts/demo

recording: build ## record the session that the README opens with (docs/recording.cast and .svg)
	go run ./demo/recording

test: build ## run all tests of all modules (the agent scenarios too, where the CLIs are)
	go vet work
	go test -timeout 25m work
	@[ -x $(AGENTS)/node_modules/.bin/claude ] || [ -n "$$CARRYOVER_AGENTS" ] || \
	  echo "SKIPPED: the scenarios on the real agent CLIs; run \`make agents\`, then \`make test\` again"
	@[ -n "$$CARRYOVER_CORPUS" ] || \
	  echo "SKIPPED: the tests over real transcripts; set CARRYOVER_CORPUS to folders of them, separated as in PATH"

test-nocgo: ## the tests again without a C compiler
	CGO_ENABLED=0 go test work

test-race: ## run the tests of what runs at once, with the race detector (minutes)
	go test -race ./modules/daemon ./modules/daemon/api/... ./modules/daemon/continuity ./modules/daemon/dashboard \
	  ./modules/daemon/terminal ./modules/daemon/wrap ./modules/ledger/sqlite

agents: ## put the real agent CLIs at pinned versions into .cache/agents
	@scripts/agents $(AGENTS)

test-agents: agents ## run the scenarios on the real agent CLIs; none may skip
	CARRYOVER_REQUIRE_AGENTS=1 go test -count=1 -timeout 25m ./integration/...

test-containers: agents ## run each live agent in a container; AGENT_IMAGES= builds an image for each of them first
	CARRYOVER_REQUIRE_CONTAINERS=1 CARRYOVER_REQUIRE_AGENTS=1 scripts/with-docker sh -c \
	  'scripts/agent-images $(AGENT_IMAGES) && go test -count=1 -v -run Container ./integration/containers/...'

lint: $(LINT) .cache/bin/actionlint ## run golangci-lint, gofumpt in it, and actionlint
	@bad=0; for m in $$(go list -f '{{.Dir}}' -m); do \
	  (cd $$m && $(CURDIR)/$(LINT) run --config $(CURDIR)/.golangci.yml ./...) || bad=1; \
	done; exit $$bad
	.cache/bin/actionlint

fmt: $(LINT) ## format all Go files
	@for m in $$(go list -f '{{.Dir}}' -m); do (cd $$m && $(CURDIR)/$(LINT) fmt --config $(CURDIR)/.golangci.yml ./...) || exit 1; done

quality: ## score the handoffs on real transcripts (CARRYOVER_CORPUS, CARRYOVER_LABELS), rewrite docs/quality.md
	@if [ -z "$$CARRYOVER_CORPUS" ]; then \
	  echo "SKIPPED: set CARRYOVER_CORPUS to folders of real transcripts, and CARRYOVER_LABELS to folders of labels, separated as in PATH"; \
	else \
	  go run ./quality/cmd/quality -without-words -write docs/quality.md; \
	fi

probe: ## hold the specs against the newest agents, and write probe-report.md
	@scripts/probe-tools probe-report.md

bench: build ## measure each row beside its floor, rewrite docs/performance.md; fails when a ratio fell by a fifth (minutes)
	go run ./integration/bench measure bin/carryover docs/performance.md integration/bench/ratios.json

paint: ## print how long a browser waits for each page of the dashboard on 201 MB (minutes)
	CARRYOVER_PAINT=1 go test ./integration/browser -count=1 -run TestFirstPaint -v -timeout 20m

pictures: ## take pictures of every page in both schemes and three widths (CARRYOVER_PICTURES: transcripts, CARRYOVER_SCREENSHOTS: where to)
	@[ -n "$$CARRYOVER_PICTURES" ] || { echo "set CARRYOVER_PICTURES to a folder of transcripts"; exit 1; }
	go test ./integration/browser -count=1 -run TestPictures -v -timeout 20m

benchmarks: ## run the Go benchmarks once each
	go test -run '^$$' -bench . -benchtime 1x work

fuzz: ## run every fuzz target (FUZZTIME each, 30m)
	scripts/fuzz $(FUZZTIME)

fuzz-short: ## run every fuzz target for a moment, a minute in all
	scripts/fuzz 1s 60

vuln: ## look for known weaknesses in what is linked (needs the network for the database)
	GOWORK=off GOFLAGS= GOBIN=$(CURDIR)/.cache/bin go install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)
	.cache/bin/govulncheck ./cmd/... ./modules/daemon/... ./modules/ledger/... ./modules/distiller/... ./toolspecs/...

diagrams: ## draw architecture/d2/*.d2 again, each beside its source
	cd architecture/d2/render && GOWORK=off GOFLAGS= go run . ..

secrets: ## measure what redaction finds and hides wrongly, rewrite docs/secrets.md (minutes)
	go run ./quality/cmd/secrets -write docs/secrets.md

chaos: build ## do 2,000 faults to the programs, rewrite docs/reliability.md (CHAOS_SEED; ten minutes)
	go test ./integration/chaos -count=1 -timeout 90m -chaos.full -chaos.seed $${CHAOS_SEED:-2026} -chaos.write $(CURDIR)/docs/reliability.md

soak: build ## keep one daemon busy for SOAK (30m), rewrite its part of docs/reliability.md with plots
	go test ./integration/chaos -count=1 -timeout 180m -run TestSoak -v -soak.for $${SOAK:-30m} -soak.write $(CURDIR)/docs/reliability.md

tidy: ## write go.work, tidy every go.mod, and follow them in flake.nix
	scripts/workspace --tidy
	scripts/check-flake --write

rehearse: ## build and test each module alone, against a proxy made from the tree
	scripts/rehearse

rehearse-release: .cache/bin/goreleaser ## run the recipes of RELEASING.md in a scratch clone; each module is built without its siblings
	CARRYOVER_REHEARSE_RELEASE=1 go test -count=1 -v -timeout 20m ./integration/release/...

flake: ## evaluate flake.nix offline against a stand-in nixpkgs
	scripts/check-flake

packaging: ## write the manifests of every channel from versions.yaml and packaging/
	go run ./packaging/cmd/packaging

snapshot: .cache/bin/goreleaser ## make what a release would have into dist/; TARGETS="linux/amd64" for one platform
	.cache/bin/goreleaser check
	scripts/snapshot $(TARGETS)

same-bytes: .cache/bin/goreleaser ## make the snapshot twice, and fail where a byte differs; TARGETS as above
	scripts/same-bytes $(TARGETS)

test-channels: agents ## install the snapshot from every channel, carry a handoff across, remove it without a trace
	scripts/registry .cache/channels
	CARRYOVER_REQUIRE_CHANNELS=1 CARRYOVER_REQUIRE_CONTAINERS=1 scripts/with-docker sh -c \
	  'docker build --quiet -t carryover/channels:local --build-arg RUN_IMAGE="$$CARRYOVER_BASE_IMAGE" integration/channels && \
	  go test -count=1 -v -run Channels ./integration/containers/...'

release: ## check that a release fits together, print the tags it would make
	scripts/release

image: ## build the container image on a local base image
	scripts/with-docker scripts/image

dev-image: ## build the dev container on a local base image, and the source in it (downloads 1 GB)
	scripts/with-docker scripts/image dev

$(LINT):
	GOBIN=$(CURDIR)/.cache/bin GOWORK=off GOFLAGS= go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

.cache/bin/actionlint:
	GOBIN=$(CURDIR)/.cache/bin GOWORK=off GOFLAGS= go install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)

.cache/bin/goreleaser:
	GOBIN=$(CURDIR)/.cache/bin GOWORK=off GOFLAGS= go install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)

clean: ## remove what was built
	rm -rf bin dist
