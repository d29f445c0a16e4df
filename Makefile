# The commands of this project. Each sees to what it needs by itself; `make` alone builds the program.

CARGO ?= cargo
GOODPUT := target/release/goodput
# A program that is built already plays the demo as it is: make demo PROGRAM=target/debug/goodput
PROGRAM =

.PHONY: deb build page page-test page-prove api-test screenshots demo test fuzz prove prove-streams prove-why prove-why-kill soak bench audit lint count clean

build:            ## the program, as target/release/goodput
	@.ci/setup build
	$(CARGO) build --release --locked -p goodput

page:             ## the page, as web/dist, which the next build takes into the program; checked and tested (Node 20.19 or newer)
	@.ci/setup page
	cd web && npm ci && npm run check && npm test && npm run build
	@touch crates/goodput-server/build.rs

page-test:        ## every story of the page in Chromium: by itself, and with the program and a lab behind it
	@web/tests/run

page-prove:       ## how soon pages stand over 10,000 stored runs, and what an idle server holds in memory: about ten minutes
	@web/proofs/run

api-test:         ## the API held to its description by schemathesis, as a stranger and as an operator
	@web/proofs/api/run

screenshots:      ## docs/screenshots: a picture of every page, of what was just measured in a lab
	@web/tests/run pictures

demo:             ## raise a two-host lab, run every probe, write a report: about a minute after the build
	@.ci/setup demo
	$(if $(PROGRAM),,$(CARGO) build --release --locked -p goodput)
	$(or $(PROGRAM),$(GOODPUT)) demo

test:             ## every test that needs no peer tool; what cannot run here says "skipped: reason"
	@.ci/setup test
	$(CARGO) test --locked --workspace

fuzz:             ## libFuzzer on every parser of untrusted bytes: TIME seconds (60) and a million inputs at least for each; ONLY=target
	@.ci/setup fuzz
	TIME=$(TIME) fuzz/run $(ONLY)

ifdef ONLY
prove: prove-$(ONLY)
else
prove:            ## the long forms of the live tests: 200 streams whose totals must add up, planted causes that must be named, …; ONLY=streams or why
	@.ci/setup prove
	GOODPUT_PROVE=1 $(CARGO) test --locked -p goodput --test end_to_end
	GOODPUT_PROVE=1 $(CARGO) test --locked -p goodput-store --test integration thousands
	GOODPUT_PROVE=1 $(CARGO) test --locked -p goodput-probe --test probes -- --nocapture relay limits
	$(CARGO) test --locked -p goodput-host --test integration -- --ignored --nocapture spinner
	GOODPUT_PROVE=1 $(CARGO) test --locked -p goodput-control --lib simulation -- --nocapture
	$(CARGO) test --locked -p goodput-control --test integration -- --ignored --nocapture orders
	$(CARGO) build --release --locked -p goodput
	$(CARGO) run --release --locked -p goodput --example million_samples
endif

prove-streams:    ## 200 streams over 20 topologies against the receiving interfaces' counters, target/streams/table.txt: 15 minutes, as root
	@.ci/setup prove-streams
	$(if $(PROGRAM),,$(CARGO) build --release --locked -p goodput)
	GOODPUT=$(or $(PROGRAM),$(GOODPUT)) proofs/streams $(if $(SEED),--seed $(SEED))

prove-why:        ## causes planted by ip, tc, nft and control groups that `goodput why` must name: target/why/table.txt and docs/methods/why.md, resumable; as root
	@.ci/setup prove-streams
	$(if $(PROGRAM),,$(CARGO) build --release --locked -p goodput)
	GOODPUT=$(or $(PROGRAM),$(GOODPUT)) proofs/why --write $(if $(SEED),--seed $(SEED))

prove-why-kill:   ## 100 kills during `goodput why --allow-knob`, after which all settings must be as before: target/why/kills.txt; as root
	@.ci/setup prove-streams
	$(if $(PROGRAM),,$(CARGO) build --release --locked -p goodput)
	GOODPUT=$(or $(PROGRAM),$(GOODPUT)) proofs/why_kill $(if $(SEED),--seed $(SEED))

soak:             ## measurements with faults for TIME (as 600, 90m, 2h), then a table, target/soak/table.txt; SEED repeats one; as root
	@.ci/setup soak
	$(if $(PROGRAM),,$(CARGO) build --release --locked -p goodput)
	GOODPUT=$(or $(PROGRAM),$(GOODPUT)) proofs/soak $(or $(TIME),10m) $(SEED)

bench:            ## this program against its peers: make bench, or make bench ONLY=stream
	@bench/install-peers
	$(CARGO) build --release --locked -p goodput -p goodput-bench
	target/release/goodput-bench $(ONLY)

audit:            ## licences, sources and advisories of the dependencies
	@.ci/setup build
	@$(CARGO) deny --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-deny
	$(CARGO) deny check

deb:              ## the Debian package, target/deb/goodput_*.deb, held to what it promises; `make page` before it puts the page in
	@.ci/setup build
	$(CARGO) build --release --locked -p goodput
	packaging/deb/check "$$(packaging/deb/build $(GOODPUT))"

lint:             ## formatting, clippy, no dependency cycles between modules, no file over 500 lines
	@.ci/setup lint
	$(CARGO) fmt --all --check
	git ls-files "crates/goodput/src/args/*.rs" | xargs rustfmt --check --edition 2024 --config-path rustfmt.toml
	.ci/check-modules
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

count:            ## lines of code, comments and tests for each crate, and the documents' words, beside their limits
	@.ci/count

clean:            ## everything that was built or recorded by make
	$(CARGO) clean
	rm -rf demo
