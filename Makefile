# The commands of this project. Each sees to what it needs by itself; `make` alone builds the program.

CARGO ?= cargo
GOODPUT := target/release/goodput

.PHONY: build demo test prove bench audit lint clean

build:            ## the program, as target/release/goodput
	@.ci/setup build
	$(CARGO) build --release --locked -p goodput

demo:             ## raise a two-host lab, run every probe, write a report: about a minute after the build
	@.ci/setup demo
	$(CARGO) build --release --locked -p goodput
	$(GOODPUT) demo

test:             ## every test that needs no peer tool; what cannot run here says "skipped: reason"
	@.ci/setup test
	$(CARGO) test --locked --workspace

prove:            ## the long forms of the live tests: 200 streams whose totals must add up, planted causes that must be named, …
	@.ci/setup prove
	GOODPUT_PROVE=1 $(CARGO) test --locked -p goodput --test end_to_end
	$(CARGO) test --locked -p goodput-host --test spinner -- --ignored --nocapture

bench:            ## this program against its peers: make bench, or make bench ONLY=stream
	@bench/install-peers
	$(CARGO) build --release --locked -p goodput -p goodput-bench
	target/release/goodput-bench $(ONLY)

audit:            ## licences, sources and advisories of the dependencies
	@.ci/setup build
	@$(CARGO) deny --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-deny
	$(CARGO) deny check

lint:             ## formatting and clippy, as a change should be sent
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

clean:            ## everything that was built or recorded by make
	$(CARGO) clean
	rm -rf demo
