# `make` alone lists the targets. Everything a target needs (Maven, control plane binaries) is obtained on the way
# and cached under ${XDG_CACHE_HOME:-~/.cache}/krypton; only a JDK 25, Maven, Go or network, and make must be there.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAVEN := tools/maven --batch-mode --no-transfer-progress
# Two modules at a time keep two cores busy. Integration tests come after all modules are packaged, for then they need no order.
SIDE_BY_SIDE := --threads 2
COUNT := tools/count-tests
WORKER := tools/worker
# Caches of classes: krypton starts without them too, but several times as slowly.
TRAIN := dist/libexec/train && dist/libexec/train-reporter && dist/libexec/train-operator
FORGET_REPORTS := find . -type d \( -path '*/target/*-reports' -o -path '*/target/test-times' \) -exec rm -rf {} +

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

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
	@tools/build $(SIDE_BY_SIDE) package -Dmaven.test.skip=true
	@$(WORKER) install dist/libexec
	@$(TRAIN)
	@echo "built: dist/bin/krypton"

# These use what is built; `make build` renews it.
BUILT := $(if $(wildcard dist/bin/krypton),,build)
PID_FILE ?= operator.pid
LOG_FILE ?= operator.log
OPERATOR = PATH="$$(dirname "$$(tools/provide --path helm)"):$$PATH" dist/bin/krypton operator $(ARGS)

.PHONY: run
run: $(BUILT) ## the operator against the current KUBECONFIG (ARGS="--chart-version=1.2.3" for its flags)
	$(OPERATOR)

.PHONY: run-pid
run-pid: $(BUILT) ## the same in the background, its process id in PID_FILE (operator.pid), its log in LOG_FILE
	@tools/background start $(PID_FILE) $(LOG_FILE) env $(OPERATOR)

.PHONY: stop
stop: ## end what run-pid has started: TERM, and KILL after 30 s
	@tools/background stop $(PID_FILE)

.PHONY: e2e
e2e: tools $(BUILT) ## the story of two clusters with its log lines, on a sandbox, or on kind where it is there
	tools/e2e

.PHONY: test
test: tools tools-nodes ## all checks and all tests: format, lint, unit, integration, end to end
	rm -rf dist
	$(FORGET_REPORTS)
	$(WORKER) test || { $(COUNT); exit 1; }
	$(MAVEN) $(SIDE_BY_SIDE) verify -DskipITs --fail-at-end -Dtest.failures.later=true || { $(COUNT); exit 1; }
	$(WORKER) install dist/libexec
	$(TRAIN)
	tools/integration-tests || { $(COUNT); exit 1; }
	$(if $(CI),tools/repeat-failed)
	$(COUNT) --all

.PHONY: test-busy
test-busy: tools tools-nodes ## the same beside two loops that keep processors busy: no test may need an idle machine
	tools/burn 2 $(MAKE) test

.PHONY: test-times
test-times: ## where the time of the last test run went, module by module and class by class
	@tools/test-times

.PHONY: unit
unit: ## unit tests only (no control plane needed)
	$(FORGET_REPORTS)
	$(WORKER) test
	$(MAVEN) test
	$(COUNT)

.PHONY: worker
worker: ## krypton-helm alone, the program in Go that runs Helm: format, go vet and tests, then dist/libexec/krypton-helm
	$(WORKER) test
	mkdir -p dist/libexec
	$(WORKER) install dist/libexec

.PHONY: it
it: tools tools-nodes ## integration and end-to-end tests only
	$(FORGET_REPORTS)
	$(MAVEN) $(SIDE_BY_SIDE) verify -DskipITs -Dsurefire.skip=true
	$(WORKER) install dist/libexec
	$(TRAIN)
	tools/integration-tests || { $(COUNT); exit 1; }
	$(COUNT)

.PHONY: lint
lint: ## format, error-prone, NullAway, dependency rules and package boundaries, gofmt and go vet
	$(WORKER) lint
	$(MAVEN) verify -DskipITs -Dtest='*ArchitectureTest,HouseRulesTest' -Dsurefire.failIfNoSpecifiedTests=false

# The figures of a whole run are published; any other run leaves its own aside, for `make bench-check`.
BENCH_RESULTS := bench/target/results
BENCH_BASELINE := docs/benchmarks/baseline.json
BENCH_JAVA = $$(cli/src/main/dist/libexec/find-jdk)/bin/java --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  -Djava.awt.headless=true -Dslf4j.internal.verbosity=ERROR -Djava.util.logging.config.file=/dev/null -cp 'bench/target/classes:bench/target/lib/*'

.PHONY: bench
bench: tools build ## measure the distribution on real control planes, about 50 minutes (BENCH="rollout tenants=20" for a part, BENCH=goals for what has goals)
	$(BENCH_JAVA) io.krypton.bench.BenchMain dist $(if $(BENCH),$(BENCH_RESULTS),docs/benchmarks) $(BENCH)

.PHONY: bench-quick
bench-quick: tools build ## what bench-check compares, in less than three minutes, with small sizes
	$(BENCH_JAVA) io.krypton.bench.BenchMain dist $(BENCH_RESULTS) quick

.PHONY: bench-check
bench-check: ## fail if a ratio of the last partial or quick run is 30 % worse than the committed one (RESULTS=... for another run)
	$(BENCH_JAVA) io.krypton.bench.CheckMain $(BENCH_BASELINE) $(or $(RESULTS),$(BENCH_RESULTS)/results.json)

.PHONY: soak
soak: tools build ## two operators in trouble for an hour, then what must hold (SOAK="seed=7 minutes=2 clusters=2 tenants=10" for another)
	$(BENCH_JAVA) io.krypton.bench.soak.SoakMain dist $(if $(SOAK),$(BENCH_RESULTS),docs/benchmarks) $(SOAK)

.PHONY: bench-jmh
bench-jmh: ## measure the hot paths one by one (JMH="Queue.*" for some of them)
	$(MAVEN) --quiet package -pl bench -am -DskipTests
	$$(cli/src/main/dist/libexec/find-jdk)/bin/java -cp 'bench/target/test-classes:bench/target/lib/*' org.openjdk.jmh.Main \
	  -f 1 -wi 2 -w 1 -i 3 -r 1 -bm avgt -tu us -rf text -rff bench/target/jmh.txt $(JMH)

.PHONY: interop
interop: ## our KMS client against a plugin in Go, made of Kubernetes' own server for plugins
	cd tools/kubernetes && CGO_ENABLED=0 GOFLAGS=-mod=readonly go build -trimpath -o ../../target/go-plugin ./goplugin
	KRYPTON_GO_PLUGIN=$$PWD/target/go-plugin $(MAVEN) --quiet -pl kms -am verify -Dtest=NONE -Dit.test=GoPluginIT \
	  -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
	@echo "a plugin in Go was probed on both levels and saw what kube-apiserver sends"

.PHONY: images
images: tools build ## build the images as tars with their bills of materials, without a container engine
	tools/image

.PHONY: images-check
images-check: ## build the images twice, each time from the sources on, and compare all bytes
	sums=$$(mktemp) && $(MAKE) clean images && (cd target/images && sha256sum *) >$$sums && \
	  $(MAKE) clean images && (cd target/images && sha256sum --check $$sums) && rm $$sums

.PHONY: fmt
fmt: ## format all Java code
	$(MAVEN) --quiet spotless:apply

.PHONY: tools
tools: ## provide etcd, kube-apiserver, kube-controller-manager, kubectl, helm and krypton-helm
	@tools/provide

.PHONY: tools-nodes
tools-nodes: ## provide what simulated nodes need: kube-scheduler and kwok (test and it do this themselves)
	@tools/provide kube-scheduler kwok

.PHONY: clean
clean: ## remove everything that was built (the caches stay)
	$(MAVEN) --quiet clean
	rm -rf dist helm-worker/target
