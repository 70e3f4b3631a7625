# The development commands of this package; `make help` lists them.
#
# SwiftPM locks .build during a build, so no two builds run in parallel, not even under `make -j`.
# No target uses a stamp file, because SwiftPM and dpkg determine what is up to date.

SWIFT ?= swift
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 600
# The seed of the random scenarios; if it is empty, each run uses another seed.
DRAWN_SEED ?=
BENCH_ROUNDS ?= 5
FLIPS ?= 10000
# The number of random network timelines, their minimum and maximum length in seconds, and the
# number of timelines that run in parallel.
NETWORKS ?= 1000
NETWORK_SECONDS ?= 5
NETWORK_MOST_SECONDS ?= 20
NETWORK_JOBS ?= 40
# The maximum length of the scenarios that `make agreement` runs in simulation and lab.
AGREEMENT ?= 90s
MUTANTS ?= 500
# The number of random scenarios that each oracle of `make oracles` writes.
ORACLE_SCENARIOS ?= 25000
SEED ?= 1
# `SETUP=no` skips the check for missing system packages.
SETUP ?= yes
DOCS ?= .build/docs
# The documentation compiler, which is part of the Swift toolchain.
DOCC ?= $(or $(shell command -v docc 2>/dev/null),\
  $(dir $(realpath $(shell command -v $(SWIFT) 2>/dev/null)))docc)
# The C compiler of the toolchain, which supports the Swift calling convention.
CLANG ?= $(dir $(realpath $(shell command -v $(SWIFT) 2>/dev/null)))clang
# The suites that compare with golden files, as a filter for `swift test --filter`.
GOLDEN_SUITES ?= [Gg]olden|Transcript(Live)?Tests
# A filter for the tests that run the command.
COMMAND_TESTS ?= CommandTests\.
# The suites that use threads or sockets.
LIVE_SUITES ?= Handover(Lab|NIO|URLDispatcher)Tests|LiveCommandTests.swift|WorkerPoolTests|HandoverInterceptorsTests\.(Call|DocumentedExample|GlobalInterceptor|Link|Order)Tests

SYSTEM_PACKAGES := libnl-3-dev libnl-route-3-dev libssl-dev libnghttp2-dev libxml2-utils \
  python3-jsonschema valgrind binutils iproute2 curl tshark
COMMAND := .build/release/handover
# The version of the project that reports contain.
COMMIT := $(shell git describe --always --dirty=+ --exclude '*' 2>/dev/null)
BUILD_COMMAND := HANDOVER_COMMIT='$(COMMIT)' $(SWIFT) build -c release --static-swift-stdlib --product handover
# The number of parallel compiler jobs for building tests: one more than there are cores. The
# compiler uses one job fewer for the last module.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
BUILD_TESTS := $(SWIFT) build --build-tests --jobs $(JOBS)
# Runs the built tests without building the package again.
TEST_BUILT := env NO_COLOR=1 .build/debug/handoverPackageTests.xctest --testing-library swift-testing
SWIFT_FILES := Sources Tests Package.swift
# DocC reads a copy of the catalog, because links in the repository use the notation of forges.
CATALOG := .build/docs-catalog/Handover.docc
CONVERT = Tests/Tools/docs-catalog Sources/handover/Handover.docc $(CATALOG) \
  && '$(DOCC)' convert $(CATALOG) --warnings-as-errors \
  --fallback-display-name Handover --fallback-bundle-identifier handover

# Without optimized state machines, property tests take minutes.
export HANDOVER_OPTIMIZED_TESTS ?= 1

# Only `make golden` rewrites golden files, whatever the caller's environment contains.
unexport HANDOVER_GOLDEN

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build run test quick check check-texts format golden api programs search tables \
  hall pairs http examples clients matrix-check agreement oracles bench soak tsan fuzz mutants docs \
  install install-files dist dist-check machines python helpers reports editor clean

help: ## List these targets
	@echo 'Handover: replays network changes and checks what happens to the calls.'
	@echo
	@echo 'Usage: make TARGET [VARIABLE=value]...'
	@echo
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) \
	  | while IFS="$$(printf '\t')" read -r name text; do printf '  %-12s %s\n' "$$name" "$$text"; done
	@echo
	@echo 'Variables: SWIFT=$(SWIFT)  PREFIX=$(PREFIX)  FUZZ_SECONDS=$(FUZZ_SECONDS)' \
	  ' FLIPS=$(FLIPS)  SETUP=$(SETUP)'
	@echo 'First step: make run'

# Prints nothing if no package is missing. The package lists may be old or missing, so they are
# updated first. If the update fails, the old lists may be sufficient.
setup: ## Install the system packages that are missing (apt-get)
	@[ '$(SETUP)' != no ] || exit 0; \
	missing=; \
	for package in $(SYSTEM_PACKAGES); do \
	  status=$$(dpkg-query -W -f '$${db:Status-Status} ' "$$package" 2>/dev/null) || status=; \
	  case " $$status" in *' installed '*) ;; *) missing="$$missing $$package" ;; esac; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	refuse() { \
	  echo "make setup: $$1" >&2; \
	  echo "  missing:$$missing" >&2; \
	  echo "  Install these packages (on other systems than Debian, under their names there)," >&2; \
	  echo "  then try again, or continue without them: make SETUP=no TARGET" >&2; \
	  exit 1; \
	}; \
	command -v apt-get >/dev/null || refuse 'there is no apt-get on this machine'; \
	if [ "$$(id -u)" -eq 0 ]; then become=; \
	elif command -v sudo >/dev/null; then become=sudo; \
	else refuse 'apt-get needs root, and there is no sudo on this machine'; fi; \
	apt() { $$become env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 -qq "$$@"; }; \
	echo "Installing system packages:$$missing"; \
	apt update || echo 'make setup: cannot update the package lists; using the old ones' >&2; \
	apt install -y --no-install-recommends $$missing >/dev/null || refuse 'apt-get install failed'

build: setup ## Build the optimized command, .build/release/handover
	$(BUILD_COMMAND)

run: build ## Replay the bundled scenarios
	@status=0; $(COMMAND) run Scenarios || status=$$?; \
	echo; \
	echo 'Next: $(COMMAND) --help shows all commands; README.md explains how to read a run.'; \
	exit $$status

# Root can create network namespaces. Other users need a user namespace around the whole run.
#
# All tests use the command that was built together with the tests, which is fast enough because its
# state machines are optimized. The suites that wait for real time run in parallel with the others,
# except for those that need the machine for themselves. The tests of the command run in a separate
# process, because they wait for the programs that they start and would otherwise occupy a core.
# Backends in virtual time have a low priority, because their speed does not matter.
test: setup ## Run all tests; live tests run if network namespaces can be created
	@if [ "$$(id -u)" -ne 0 ] && unshare -Urn true 2>/dev/null; then \
	  export HANDOVER_USERNS=1 HANDOVER_NETNS=1; \
	fi; \
	set -e; \
	mkdir -p .build/tests; \
	$(BUILD_TESTS); \
	status=0; \
	suites=$$(Tests/Tools/waiting --suites); \
	Tests/Tools/waiting beside .build/tests $(TEST_BUILT) >.build/tests/beside.log 2>&1 & beside=$$!; \
	Tests/Tools/tested .build/tests/command.log $(TEST_BUILT) --filter '$(COMMAND_TESTS)' \
	  --skip "$$suites" >.build/tests/command.shown 2>&1 & command=$$!; \
	{ nice -n 19 Tests/Tools/backends .build/debug/handover --virtual-time \
	    && nice -n 19 Tests/Oracles/run .build/debug/handover --count 250 \
	    && nice -n 19 Tests/Tools/api .build/debug/Modules; \
	} >.build/tests/backends.log 2>.build/tests/backends.log.failed & backends=$$!; \
	Tests/Tools/unprivileged .build/debug/handoverPackageTests.xctest \
	  >.build/tests/unprivileged.shown 2>&1 & unprivileged=$$!; \
	Tests/Tools/tested .build/tests/main.log \
	  $(TEST_BUILT) --skip "$$suites|$(COMMAND_TESTS)" || status=1; \
	for job in $$command $$beside $$backends $$unprivileged; do wait $$job || status=1; done; \
	cd .build/tests; cat command.shown beside.log unprivileged.shown backends.log; cd ../..; \
	Tests/Tools/waiting alone .build/tests $(TEST_BUILT) || status=1; \
	[ $$status -eq 0 ] || Tests/Tools/tested --failed .build/tests; \
	exit $$status
	@Tests/Tools/backends .build/debug/handover --real-time

quick: setup ## Format, build and test only what the changed files need
	@JOBS='$(JOBS)' Tests/Tools/quick

check: setup check-texts ## Check the formatting and the project's rules
	$(SWIFT) test --filter SoundnessTests

# The checks that no test contains; `make test` runs SoundnessTests anyway.
check-texts:
	@Tests/Tools/quick --check
	$(SWIFT) format lint --strict --recursive --parallel $(SWIFT_FILES)
	@mkdir -p $(dir $(DOCS))
	@if [ -x '$(DOCC)' ]; then $(CONVERT) --output-path '$(DOCS)'; \
	else echo 'make check: docc is not installed, so the documentation was not checked' >&2; fi

format: ## Format the Swift files in place
	$(SWIFT) format --in-place --recursive --parallel $(SWIFT_FILES)

# A missing golden file is written and its test fails, so test failures are shown but ignored. Build
# errors are not ignored.
golden: build ## Rewrite the golden files and show which changed
	@Tests/Tools/bundle
	$(BUILD_TESTS)
	@HANDOVER_GOLDEN=1 $(SWIFT) test --skip-build --filter '$(GOLDEN_SUITES)' \
	  || echo 'Some tests failed, as expected if a golden file was missing. Run make test next.'
	@echo 'Changed or new files; read the difference before you commit them:'
	@git status --short -- Tests Fixtures Scenarios README.md Sources/handover/Handover.docc

# A test compares the interface with the recorded one. A line that this target removes is a breaking
# change.
api: setup ## Record the public interface of the libraries, and show what changed
	$(BUILD_TESTS)
	@Tests/Tools/api .build/debug/Modules --record
	@git --no-pager diff --stat -- Fixtures/API

# Forty-one programs, 16 of them with TLS, take half an hour, which is about 40 s each. Python
# packages are installed in .build/programs. Programs that are not installed are skipped.
programs: build ## Try installed programs, and compare the verdicts with the expected ones
	Fixtures/Programs/run '$(COMMAND)'

# Each client is searched with three seeds, with its bug and with the fix. With five minutes for
# each search, this takes three hours.
search: build ## Search small clients for planted bugs, and compare with their fixed variants
	Fixtures/Search/run '$(COMMAND)' -o .build/search.jsonl

# Rows that wait for the kernel to give up a connection take 16 minutes; all of them wait at once.
# Clients that are not installed are listed as missing.
tables: build ## Repeat published measurements, and write the page PublishedResults
	Fixtures/Tables/run '$(COMMAND)'
	Fixtures/Tables/run --page

# One pass takes up to an hour, and an interrupted one continues. Clients that hang are watched for
# 20 minutes, all at the same time. Clients that cannot be installed are listed as missing.
hall: build ## Measure real clients with and without a remedy, and write the page ClientResults
	Fixtures/Hall/run '$(COMMAND)'
	Fixtures/Hall/run '$(COMMAND)' --no-install --hangs
	Fixtures/Hall/run --page
	Fixtures/Hall/run --html .build/hall/index.html

# Every run writes the same bytes. Tests/CorpusTests checks the files.
pairs: ## Write the scenarios of all pairs of flags again
	Tests/Tools/pairs Scenarios/pairs

# The HTTP client scenarios are a product of the main package that only these packages use.
http: setup ## Test the URL dispatcher with HTTP clients from other packages
	HANDOVER_FIXTURES=1 $(SWIFT) test --package-path Fixtures/HTTPClients

# Uses only public interfaces, as an independent package does.
examples: setup ## Test an independent package that uses HandoverTesting
	$(SWIFT) test --package-path Fixtures/Testing

# Packages are installed in folders under .build, and the Swift client is a separate package. Clients
# that cannot be installed are listed as missing.
clients: build ## Test clients of other projects on a real kernel, and write the page RealClients
	$(SWIFT) test --package-path Fixtures/Clients/grpc-swift
	SWIFT='$(SWIFT)' Fixtures/Clients/run '$(COMMAND)' .build/clients
	Fixtures/Clients/run --page

# Chromium and chromedriver are not in the system packages, because no other target needs them. If
# AXE names the file of the axe script, the page is also checked with the rules of axe.
matrix-check: build ## Open, measure and check pages of `handover matrix` in Chromium
	Tests/Tools/matrix-check '$(COMMAND)' '$(AXE)'

# A failure is printed and kept in .build/fuzz/drawn as a scenario file that reproduces it.
# DRAWN_SEED repeats the same random scenarios.
fuzz: setup ## Run fuzz tests of the readers and random scenarios, for FUZZ_SECONDS each
	$(SWIFT) build -c release --product drawn-runs
	.build/release/drawn-runs .build/fuzz/drawn $(FUZZ_SECONDS)s $(DRAWN_SEED)
	Tests/Fuzzing/run $(FUZZ_SECONDS)
	HANDOVER_CHANGED_SCENARIOS=10000 \
	  $(if $(DRAWN_SEED),HANDOVER_CHANGED_SEED=$(DRAWN_SEED)) $(SWIFT) test --filter AgreementTests

# The mutants are built in a separate tree under .build with optimization, which takes some minutes.
# Running them takes an hour. EXPLORE=20 also runs an exploration.
mutants: setup ## Run MUTANTS mutants of state machines and checker (SEED=1, SHARD=I/N REPORT=FILE)
	$(SWIFT) package resolve
	@MUTANTS='$(MUTANTS)' SEED='$(SEED)' SHARD='$(SHARD)' REPORT='$(REPORT)' Tests/Tools/mutants

# Each disagreement is kept in .build/oracles as a scenario file.
oracles: build ## Compare ORACLE_SCENARIOS random scenarios with each independent oracle (SEED=1)
	Tests/Oracles/run '$(COMMAND)' --count '$(ORACLE_SCENARIOS)' --seed '$(SEED)' --keep .build/oracles

bench: build ## Run the benchmarks and compare with other programs
	Tests/Benchmarks/run --rounds $(BENCH_ROUNDS)
	Tests/Benchmarks/limits
	Tests/Benchmarks/signals

# Fixtures/Agreement/differences.tsv lists the permitted differences of the lab with their reasons.
agreement: setup ## Compare simulation and lab on all bundled scenarios of at most AGREEMENT
	$(SWIFT) build --build-tests
	HANDOVER_AGREEMENT='$(AGREEMENT)' $(TEST_BUILT) --filter LiveAgreementTests

soak: setup ## Run FLIPS network changes and NETWORKS timelines in the lab, and check for leaks
	$(SWIFT) build -c release --package-path Tests/Benchmarks --product livebench
	Tests/Benchmarks/.build/release/livebench soak $(FLIPS)
	Tests/Benchmarks/.build/release/livebench networks $(NETWORKS) $(NETWORK_SECONDS) \
	  $(NETWORK_MOST_SECONDS) $(SEED) $(NETWORK_JOBS)

# A data race is a failure. The sanitizer cannot see the operations of a contended Mutex, so a
# preloaded library reports them. It does not support a process that forks while other threads are
# running.
tsan: setup ## Run the live tests under the thread sanitizer
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build-tsan
	$(CLANG) -shared -fPIC -o .build-tsan/tsan-mutex.so Tests/Tools/tsan-mutex.c
	LD_PRELOAD='$(CURDIR)/.build-tsan/tsan-mutex.so' \
	  $(SWIFT) test --skip-build --sanitize=thread --scratch-path .build-tsan \
	    --filter '$(LIVE_SUITES)' --skip ProcessTreeTests

docs: ## Build the documentation; a warning is an error
	@[ -x '$(DOCC)' ] || { echo 'make docs: docc is missing; specify one: make docs DOCC=...' >&2; exit 1; }
	@$(CONVERT) --output-path '$(DOCS)'
	@Tests/Tools/docs-search '$(DOCS)'
	@echo 'The documentation is in $(DOCS). To read it:'
	@echo '  python3 -m http.server --bind 127.0.0.1 --directory $(DOCS) 8000'
	@echo 'and open http://127.0.0.1:8000/documentation/handover, or search it at'
	@echo 'http://127.0.0.1:8000/search.html'

install: build install-files ## Install command, manual and completion under PREFIX (and DESTDIR)

# The manual and the completion are generated from this command's own help, and every run generates
# the same files. `install -s` strips the command.
install-files:
	@set -eu; \
	root='$(DESTDIR)$(PREFIX)'; \
	scratch=$$(mktemp -d); \
	trap 'rm -rf "$$scratch"' EXIT; \
	command=$$(realpath '$(COMMAND)'); \
	"$$command" --experimental-dump-help \
	  | Tests/Tools/manual "$$("$$command" --version)" >"$$scratch/handover.1"; \
	for shell in bash zsh fish; do \
	  "$$command" --generate-completion-script $$shell >"$$scratch/$$shell"; \
	done; \
	place() { install -D $${4:-} -m "$$1" "$$2" "$$root/$$3"; echo "$$root/$$3"; }; \
	place 755 "$$command" bin/handover -s; \
	place 644 "$$scratch/handover.1" share/man/man1/handover.1; \
	place 644 "$$scratch/bash" share/bash-completion/completions/handover; \
	place 644 "$$scratch/zsh" share/zsh/site-functions/_handover; \
	place 644 "$$scratch/fish" share/fish/vendor_completions.d/handover.fish; \
	place 644 LICENSE share/doc/handover/LICENSE

# `make install` creates the file tree of the package.
dist: setup ## Package the command: an archive, a Debian package and a Python wheel
	HANDOVER_COMMIT='$(COMMIT)' Tests/Tools/dist .build/dist \
	  $(SWIFT) build -c release --static-swift-stdlib --product handover

# Requires root. debootstrap creates the clean system.
dist-check: dist ## Install the packages in clean systems without Swift, and use them there
	@command -v debootstrap >/dev/null || { echo 'make dist-check: debootstrap is needed' >&2; exit 1; }
	@Tests/Tools/dist-check .build/dist

# Requires root, and buildah with runc or crun for the container.
machines: dist ## Compare `handover doctor` with prepared machines, and test the container
	@command -v debootstrap >/dev/null || { echo 'make machines: debootstrap is needed' >&2; exit 1; }
	@Tests/Tools/machines .build/dist

# Needs pytest, or pip with an index from which it can install pytest. No other target needs either.
python: dist ## Install the wheel in a virtual environment, and run the pytest examples and tests
	@Tests/Tools/python-check .build/dist

# Languages that are not installed are skipped. JUNIT names the jar of the standalone console of
# JUnit 5, if it is not that of Debian's package junit5.
helpers: build ## Run the tests of the test helpers for Go, Node and JUnit 5, and their examples
	@Tests/Tools/helpers-check '$(COMMAND)'

# The readers are Python packages; pip installs those that are missing under .build.
reports: build ## Read the reports for other tools with programs of other projects
	@python3 -m venv --system-site-packages .build/reports
	@.build/reports/bin/python -m pip install --quiet markdown-it-py otr-ctrf-bridge \
	  opentelemetry-proto perfetto
	@.build/reports/bin/python Tests/Tools/reports-check '$(COMMAND)'

# The client is a Python package, which pip installs under .build. Editors and validators that are
# not installed are named.
editor: build ## Check the language server and the schema with programs of other projects
	@python3 -m venv --system-site-packages .build/editor
	@.build/editor/bin/python -m pip install --quiet pygls jsonschema
	@.build/editor/bin/python Tests/Tools/editor-check '$(COMMAND)'

clean: ## Delete all build results
	$(SWIFT) package clean
