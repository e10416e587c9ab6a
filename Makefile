# `make` alone lists the targets. Everything a target needs (Maven, control plane binaries) is obtained on the way
# and cached under ${XDG_CACHE_HOME:-~/.cache}/krypton; only a JDK 25, Maven, Go or network, and make must be there.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAVEN := tools/maven --batch-mode --no-transfer-progress
# Tests mostly wait for real servers: two modules at a time keep two cores busy.
SIDE_BY_SIDE := --threads 2
COUNT := tools/count-tests
# A developer sees every failure. In CI a failed test is repeated once and then named as flaky, which is a bug too.
REPEATS := $(if $(CI),-Dtest.repeats=1)
FORGET_REPORTS := find . -type d -path '*/target/*-reports' -exec rm -rf {} +

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
demo: tools build ## show the main job end to end on real control planes (all set-up included)
	dist/bin/krypton sandbox demo

.PHONY: transcript
transcript: tools ## run the demo and write what it prints to docs/demo.md
	$(MAVEN) --quiet -pl e2e -am verify -Dtest=NONE -Dit.test='DemoIT#the_demo*' -Dtranscript.write=true \
	  -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
	@echo "written: docs/demo.md"

.PHONY: build
build: ## compile and leave a distribution in dist/ (start it with dist/bin/krypton)
	rm -rf dist
	$(MAVEN) --quiet package -DskipTests
	@dist/libexec/train-reporter || echo "the reporter will start without its cache of classes"
	@echo "built: dist/bin/krypton"

.PHONY: test
test: tools ## all checks and all tests: format, lint, unit, integration, end to end
	rm -rf dist
	$(FORGET_REPORTS)
	$(MAVEN) $(SIDE_BY_SIDE) verify --fail-at-end -Dtest.failures.later=true $(REPEATS) || { $(COUNT); exit 1; }
	$(COUNT) --all

.PHONY: unit
unit: ## unit tests only (no control plane needed)
	$(FORGET_REPORTS)
	$(MAVEN) test
	$(COUNT)

.PHONY: it
it: tools ## integration and end-to-end tests only
	$(FORGET_REPORTS)
	$(MAVEN) $(SIDE_BY_SIDE) verify -Dsurefire.skip=true
	$(COUNT)

.PHONY: lint
lint: ## format, error-prone, NullAway, dependency rules and package boundaries
	$(MAVEN) verify -DskipITs -Dtest='*ArchitectureTest,HouseRulesTest' -Dsurefire.failIfNoSpecifiedTests=false

.PHONY: bench
bench: tools build ## measure the distribution on real control planes and print the figures (BENCH=rollout for one of them)
	$$(cli/src/main/dist/libexec/find-jdk)/bin/java -cp 'bench/target/classes:dist/lib/*' io.krypton.bench.BenchMain dist $(BENCH)

.PHONY: interop
interop: ## our KMS client against a plugin in Go, made of Kubernetes' own server for plugins
	cd tools/kubernetes && CGO_ENABLED=0 GOFLAGS=-mod=readonly go build -trimpath -o ../../target/go-plugin ./goplugin
	KRYPTON_GO_PLUGIN=$$PWD/target/go-plugin $(MAVEN) --quiet -pl kms -am verify -Dtest=NONE -Dit.test=GoPluginIT \
	  -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
	@echo "a plugin in Go was probed on both levels and saw what kube-apiserver sends"

.PHONY: images
images: tools build ## build the operator image as a tar, without a container engine
	tools/image

.PHONY: fmt
fmt: ## format all Java code
	$(MAVEN) --quiet spotless:apply

.PHONY: tools
tools: ## provide etcd, kube-apiserver, kube-controller-manager, kubectl and helm
	@tools/provide

.PHONY: clean
clean: ## remove everything that was built (the caches stay)
	$(MAVEN) --quiet clean
	rm -rf dist
