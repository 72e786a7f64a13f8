# The two commands of the README are `make demo` and `make test`; the rest is for those who work on the project.

SWIFT ?= swift
# Which folders there are is part of the manifest, and a stored manifest does not notice a new one.
FRESH = --manifest-cache none
# Programs export no symbols, and their relocations are packed: the tool is three megabytes smaller.
RELEASE = -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --icf=safe \
  -Xlinker -z -Xlinker pack-relative-relocs
export PREFIX DESTDIR SWIFT SAMPLE SEED MODULES SUITES PROCESSES JOBS AGAIN

.PHONY: picture regenerate fuzz mutants demo test build lint format bench docs setup clean soak install uninstall deb

## Shows what the project does, on real processes, and cleans up after itself. The debug build takes a third of the time.
demo: setup
	$(SWIFT) build $(FRESH)
	@Scripts/demo "$$($(SWIFT) build --show-bin-path)"

## What CI runs: packages, lint, a build with warnings as errors, every test, and the packages that depend on this one.
## `make test FILTER=REGEX` builds, and runs only the tests whose names match.
ifdef FILTER
test:
	$(SWIFT) build --build-tests $(FRESH)
	$(SWIFT) test --skip-build --no-parallel --filter '$(FILTER)'
else
test: setup lint
	$(SWIFT) build --build-tests $(FRESH)
	@Scripts/tests "$$($(SWIFT) build --show-bin-path)"
endif

## The release build: extensions with the Swift libraries linked in.
build: setup
	$(SWIFT) build $(RELEASE) $(FRESH)

## The tool as `annex`, with its second program, samples, documents, completions and manual pages:
## PREFIX=/usr/local, DESTDIR= for packages.
install: build
	@Scripts/install "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

## Removes what `make install` put under PREFIX; the state of users stays.
uninstall:
	@Scripts/install --remove

## Debian packages in .build/deb: annex and annex-samples.
deb:
	@Scripts/deb --check
	@$(MAKE) --no-print-directory build
	@Scripts/deb "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Plugins Tests

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Plugins Tests

## Ratios against the raw-pipe floor of the same run; writes .build/bench.json and .build/bench.svg.
## Then Annex beside the hosts of other kinds that are installed: .build/bench-peers.json and .build/bench-peers.svg.
bench: build
	@"$$($(SWIFT) build $(RELEASE) --show-bin-path)/benchmarks"

## Feeds the parsers of foreign bytes with libFuzzer, FUZZ_SECONDS (20) each.
fuzz: setup
	@Scripts/fuzz

## Puts faults into a copy of the tree, one after the other: does a test notice each? Takes an hour.
## `make mutants SAMPLE=300 SEED=1` draws faults by the syntax of the sources in place of those that are written down.
mutants: setup
	@Scripts/mutants

## Writes what follows from the contracts: schema, access table, reference of manifests, method tables, clients, Movies.
regenerate: setup
	$(SWIFT) build --product host $(FRESH)
	$(SWIFT) build --product host-services $(FRESH)
	@Scripts/regenerate "$$($(SWIFT) build --show-bin-path)"

## Draws what `host today` prints into the picture of the README.
picture: build
	@Scripts/picture "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

## A documentation archive of each product under .build/docs.
docs: setup
	@Scripts/docs

## Thousands of launches of good and bad extensions: does the host keep anything? SOAK_LAUNCHES=3000
soak: setup
	@Scripts/soak

setup:
	@Scripts/setup

clean:
	rm -rf .build
