### The help of the commands: every paragraph, heading, value and word of it. Recognised by the English here: letter by letter
### what the documentation in crates/goodput/src/args says. locales/README.md.

## Words of every help; brackets stand behind options, as in [default: 10s]

help-usage = Usage:
help-arguments = Arguments:
help-options = Options:
help-commands = Commands
help-options-tag = [OPTIONS]
help-examples = Examples:
help-env = env
help-default = default
help-possible-values = possible values
help-print-help = Print help
help-print-help-more = Print help (see more with '--help')
help-print-help-summary = Print help (see a summary with '-h')
help-print-version = Print version
help-print-help-of = Print this message or the help of the given subcommand(s)
help-print-help-command = Print the help of a command
help-group-measure = Measure
help-group-hosts = Hosts
help-group-results = Results
help-group-other = Other
help-more = More: goodput COMMAND -h, goodput --help
help-units = Sizes: B kB MB GB KiB MiB GiB. Rates: bit kbit Mbit Gbit. Times: ns us ms s min.
help-units-exit-codes = Exit codes: goodput help exit-codes
help-units-languages = Languages: --lang en|ja|ru, GOODPUT_LANG, or the locale

## Headings of options

help-heading-hosts = Hosts and credentials
help-heading-trials = Trials and environment
help-heading-socket = Socket options
help-heading-output = Output and saved runs
help-heading-permissions = Permissions
help-heading-metrics = Metrics and alerts
help-heading-limits = Limits of hosts

## Commands

help-goodput = Measures throughput, latency and CPU time between two hosts
help-goodput-more = Run `goodput agent` on one host and `goodput stream HOST` on the other. To try both on one machine, run `goodput lab up` and `goodput stream lab:b --from lab:a`.
help-agent = Run the agent, which carries out measurements on this host
help-run = Run an experiment from its file
help-icf = Check an IOmeter configuration (.icf), or write one
help-limits = Print the theoretical maximum rates of media and buses
help-hosts = List the agents on the local network or at a router
help-router = Run a router that connects the agents and coordinators of several sites
help-serve = Start the web server with the user interface and the HTTP API
help-host = Show this machine's adapters, CPUs and kernel settings
help-compare = Compare two runs or two experiments
help-lab = Create an emulated network in namespaces on this machine
help-show = Print the tables of a recorded run
help-list = List the recorded runs
help-export = Export a run as JSON, CSV, Parquet, np.out (NetPIPE) or results.csv (IOmeter)
help-store = Find, tag, prune, move and back up recorded runs
help-report = Write a report with charts of a run or an experiment
help-key = Create the lab key that the coordinator and the agents share
help-demo = Run every probe in a lab and write a report, in about a minute
help-demo-output = Folder for the runs and the report
help-completions = Print shell completions
help-completions-more = For example: goodput completions bash > /etc/bash_completion.d/goodput
help-completions-shell = Shell to generate completions for
help-man = Write the manual pages
help-man-folder = Folder for goodput.1 and one page per subcommand; it is created if it does not exist
help-level-setter = Set the factor levels of an experiment on one host (started by goodput run)
help-exit-codes = Print the table of exit codes

## Options of several commands

help-json = Print one JSON document
help-listen = Address to listen on
help-json-tables = Print one JSON document instead of tables
help-runs = Folder of the stored runs
help-lab-name = Name of the lab
help-result-run = Run: its name, a prefix of the name, its folder, or last

## Credentials

help-credentials-key-file = Lab key file
help-credentials-ca = CA certificate file, as an alternative to a lab key
help-credentials-certificate = Certificate file of this host
help-credentials-private-key = Private key file of the certificate

## Options of every measurement

help-measure-time = Duration of the measurement
help-measure-direction = Direction of the data, as seen from the --from host
help-measure-spin = Poll instead of sleeping at both ends, which occupies one CPU on each host
help-measure-time-each = Duration of the measurement at each point
help-measure-warm-up-each = Warm-up before each measurement, not counted
help-measure-host = Remote host, which must run an agent: address, name, or lab:NAME
help-measure-host-more = The name is resolved by DNS first, then looked up among the agents.
help-measure-from = Host at the other end of the path
help-measure-from-more = The host must run an agent, or be lab:NAME.
help-measure-port = Port of the agents for control connections
help-measure-router = Router through which agents are reached by name; data flows directly between the hosts
help-measure-always-save = Save the run [default]
help-measure-save = Do not save the run
help-measure-repeat = Number of trials
help-measure-cpus = CPUs to which the measuring threads of both hosts are pinned, for example 0,2-3
help-measure-deadline = Timeout for each wait on the network, for example for a connection
help-measure-shared = Run even if the agents are busy with other trials; the result notes this
help-measure-medium = Network medium of the path, to compare the result with the medium's limit: 1000base-t, 1000base-t:9000, ethernet:RATE …
help-measure-bus = I/O bus of a host, to compare the result with the limit of that bus: pci-32-33, pcie3-x4, usb2 …
help-measure-seed = Random seed of the run
help-measure-bytes = Stop after this amount of data in each direction
help-measure-count = Stop after this many messages or datagrams in each direction
help-measure-warm-up = Warm-up before the measurement, not counted
help-measure-label = Label to attach to the run, as KEY=VALUE; may be repeated

## Socket options

help-socket-send-buffer = Socket send buffer size on both hosts
help-socket-receive-buffer = Socket receive buffer size on both hosts
help-socket-no-delay = Set TCP_NODELAY on or off (on disables Nagle's algorithm)
help-socket-congestion = Congestion control algorithm on both hosts, for example cubic
help-socket-segment-size = Maximum TCP segment size in bytes (TCP_MAXSEG)

## goodput agent

help-agent-port = Port for control connections
help-agent-data-port = TCP and UDP port for measurement data
help-agent-name = Name of this agent
help-agent-spool = Folder that stores results until they are fetched, or memory
help-agent-groups = Group of this agent, which other commands select with --group G or @G
help-agent-routers = Router through which other sites reach this agent
help-agent-data-addresses = Address for data connections that are set up through a router
help-agent-hidden = Do not appear in the output of `goodput hosts`
help-agent-policy = Policy file, or none
help-agent-folders = Folder in which file measurements are allowed
help-agent-folders-more = Repeat the option for more folders. They are added to those of the policy file.
help-agent-smb-accounts = User and server for which this host's SMB password may be used
help-agent-smb-accounts-more = Repeat the option for more accounts; they are added to those of the policy file. A domain, and a port other than 445, are part of the account: 'LAB;bench@nas:1445'. The agent reads the password from GOODPUT_SMB_PASSWORD or the file GOODPUT_SMB_PASSWORD_FILE.
help-agent-knobs = Setting of this host that coordinators may change
help-agent-knobs-more = Repeat the option for more settings; they are added to those of the policy file. Examples: mtu, offload, 'sysctl net.ipv4.tcp_rmem', namespace, any. The agent restores the original value afterwards.
help-agent-commands = Command that coordinators may run, given by its first words, or any
help-agent-commands-more = Repeat the option for more commands. They are added to those of the policy file.
help-agent-knob-journal = File that records the original settings, or memory
help-agent-check = Print the effective policy and exit
help-agent-label = Label of this agent, for example site=tokyo; may be repeated

## goodput check

help-check = A path in under 30 s: MTU, latency, TCP, UDP, CPU, settings
help-check-require = Requirement that the result must meet, for example "tcp_send_bps >= 900Mbit"; may be repeated
help-check-require-more = The exit code is 1 if it is not met. Names are the members of "check" in the JSON document.

## goodput clock

help-clock = Offset and drift between the clocks of two hosts
help-clock-interval = Interval between two samples
help-clock-exchanges = Exchanges per sample, of which the one with the minimum RTT is used

## goodput compare

help-compare-first = Baseline run: its name, a prefix of the name, its folder, or last; or a TOML file of published values
help-compare-second = Run to compare with the baseline, in the same notation; experiments are compared only with experiments or published values
help-compare-require = Condition that the change must meet, for example "goodput_bps change >= -2 %"; may be repeated

## goodput datagram

help-datagram = UDP loss, jitter and rate, or the highest rate without loss
help-datagram-flows = Number of flows in each direction, each with its own socket and port
help-datagram-size = Payload size of each datagram
help-datagram-rate = Sending rate in each direction, for example 100Mbit, 10000/s or 10kpps
help-datagram-rate-more = The unit is bits of payload per second, or datagrams per second.
help-datagram-burst = Datagrams sent in one burst
help-datagram-search = Find the highest rate without datagram loss
help-datagram-search-more = The search does not exceed --rate. A final trial of length --time confirms the rate that was found. --lossless is the same option.
help-datagram-loss = Maximum loss that --search accepts, for example 0.1%
help-datagram-plain = Send each datagram with its own system call, without UDP_SEGMENT and UDP_GRO, so that loss counts are exact
help-datagram-no-offload = Send several separate datagrams per call (sendmmsg, recvmmsg), without UDP_SEGMENT and UDP_GRO
help-datagram-warm-up = Warm-up before the measurement, counted in the totals but not in the rate

## goodput export

help-export-format = File format; iometer is the results.csv of IOmeter 1.1, iometer-1999 that of versions until 2008
help-export-trial = Export only this trial
help-export-table = Table to export as CSV or Parquet
help-export-table-more = CSV tables: trials, metrics, or a table of the probe (points, intervals, latency, datagrams, …). Parquet tables: samples, figures.
help-export-output = Output file
help-export-json = Print the path of the written file, or the error, as JSON

## goodput file

help-file = File read and write speed in a folder or share, or on an agent
help-file-copy = Time to write and read one large file
help-file-disk = Sequential and random access, measured as in CrystalDiskMark
help-file-replay = Replay a file server's load: dbench, or a built-in profile
help-file-clean = Remove folders left behind by killed file measurements
help-file-size = Size of the test file
help-file-order = Order of write and read trials in each round; the values write and read run only that type
help-file-target = Target to measure: a folder, smb://user@host/share, nfs://host/export, HOST:disk …
help-file-target-more = A folder can be on a mounted disk or share. HOST:null, HOST:memory and HOST:disk[=PATH] measure to an agent, without a file server.
help-file-from = Client hosts, each with an agent
help-file-from-more = If TARGET is a folder, it is a path on these hosts.
help-file-server = Agent on the file server, to measure its CPU usage
help-file-server-more = The server's disk and the network without files are measured too.
help-file-server-folder = Path of the shared folder on the server, to report its disk and to drop its cache before reads
help-file-password-file = File with the password for smb://
help-file-direct = Bypass the client's page cache with O_DIRECT, or drop the cache before each trial [default, except for replay]
help-file-cached = Use the client's page cache [default for replay]
help-file-flush = When to flush written data to disk
help-file-verify = Amount of data to read back and compare, outside the measured time

## goodput file clean

help-file-clean-target = Folder or share to clean: a path, smb://user@host/share/folder, nfs://host/export/folder
help-file-clean-from = Lab host on which TARGET is accessible
help-file-clean-list = List the folders without removing them
help-file-clean-workspace = Remove this goodput folder even if its command may still be running

## goodput file copy

help-file-copy-local = Client folder to copy to and from
help-file-copy-local-more = The speed of the disk that contains this folder is also measured.
help-file-copy-block = Block size of each copy operation
help-file-copy-depth = Number of copy operations in flight

## goodput file disk

help-file-disk-profile = CrystalDiskMark version whose tests are run
help-file-disk-row = Run only this test of the profile, for example "RND4K Q1T1"; may be repeated
help-file-disk-time = Duration of each test

## goodput file replay

help-file-replay-load = dbench load file to replay, or office for the built-in profile
help-file-replay-load-more = The file must exist on every client and may be gzip-compressed.
help-file-replay-clients = Numbers of clients to measure with, one measurement for each, for example 1,2,4,8
help-file-replay-clients-more = The clients are distributed evenly over the --from hosts.
help-file-replay-max-errors = Stop a client after this many operations whose status differs from the load file
help-file-replay-rate = Maximum data rate of each client
help-file-replay-local = Also replay the load in this local folder of the client
help-file-replay-local-more = This shows how much of the result is due to the disk. Use a disk similar to the server's.
help-file-replay-net-only = Transfer the same data over the network without file access, as tbench does
help-file-replay-net-only-more = With this option, TARGET is a host with an agent, or a share; for a share, --server specifies the agent on its server.

## goodput hosts

help-hosts-watch = Keep running and report each agent that appears, disappears or measures; press Ctrl-C to stop
help-hosts-group = List only agents of this group
help-hosts-router = List the agents at this router instead of those on the local network
help-hosts-json = Print one JSON document; with --watch print one line per change
help-hosts-label = List only agents with this label; may be repeated

## goodput icf

help-icf-check = Print what goodput load would measure for an .icf file, with a warning for each ignored setting
help-icf-from-plan = Write a load as an .icf file, with the same options as goodput load
help-icf-from-plan-file = The .icf to write

## goodput icf check

help-icf-check-file = IOmeter configuration file (.icf)
help-icf-check-map = Host to use for a manager in the file, as MANAGER=HOST, or NAME#ID=HOST if several have the same name; may be repeated
help-icf-check-network-only = Ignore the disk workers
help-icf-check-allow-disk = Folder for the disk workers' test files; disks in the .icf file are never opened
help-icf-check-time = Duration of each measurement
help-icf-check-warm-up = Warm-up before each measurement

## goodput key

help-key-new = Create a random lab key; copy the file to every host over a secure channel
help-key-new-output = File to write

## goodput lab

help-lab-up = Raise a lab: hosts a and b on one link, or what a topology file says
help-lab-up-file = Topology file (TOML)
help-lab-up-pin = Give this host a CPU of its own, and the others the rest; needs root and two CPUs
help-lab-exec = Run a command inside a host of the lab
help-lab-exec-host = Host: NAME or NAME@LAB, with or without lab: before it
help-lab-exec-command = The command with its arguments
help-lab-down = Remove a lab with all its hosts and links
help-lab-list = List the running labs on this machine
help-lab-keeper = Process that keeps a lab running (started by `lab up`)
help-lab-keeper-words = Arguments of the lab crate

## goodput lab up

help-lab-up-clients = Clients of a server on one switch, instead of hosts a and b
help-lab-up-clients-more = The hosts are server, c1, c2 … and desk, which sends the orders.
help-lab-up-rate = Rate of the link, or of each client's link, for example 100Mbit
help-lab-up-server-rate = Rate of the server's link
help-lab-up-mtu = MTU of the links, in bytes
help-lab-up-disk = In-memory disk of a host at /srv, with an optional rate: server=2GiB@40MB; may be repeated, requires root
help-lab-up-cpu-share = CPU limit of a host, in per cent of one CPU: server=30%; may be repeated, requires root
help-lab-up-packet-cost = Extra CPU cost per packet of a host, as a number of no-op packet filter rules: server=1000; may be repeated
help-lab-up-bus = Emulated bus shared by all traffic of a host: a name from goodput limits, or a rate; may be repeated
help-lab-up-bus-more = Examples: server=pci-32-33, server=800Mbit.
help-lab-up-medium = Medium of the links, for example 10base-t, instead of --rate
help-lab-up-medium-more = List the names with `goodput limits`.
help-lab-up-no-collisions = Let the stations of a half-duplex medium take turns, so that there are no collisions
help-lab-up-delay = Delay of each frame in each direction, for example 5ms
help-lab-up-jitter = Maximum additional random delay of each frame, for example 1ms
help-lab-up-loss = Frame loss in each direction, for example 0.1%
help-lab-up-silent-mtu = Maximum IP packet size, in bytes, that the switch forwards; larger packets are dropped without an ICMP message
help-lab-up-lab-seed = Random seed for delay, loss and collisions on emulated links

## goodput latency

help-latency = Latency of the idle path, and under TCP load
help-latency-load = Background TCP loads during which latency is measured, one trial per load
help-latency-connections = Number of TCP load connections in each direction
help-latency-interval = Interval between two latency probes
help-latency-size = Payload size of each latency probe and of its reply
help-latency-time = Duration of the measurement in each trial
help-latency-warm-up = Warm-up before each measurement, while queues fill; not counted

## goodput level setter

help-level-setter-host = Host on which to set the factor levels
help-level-setter-port = Control port of the agent on HOST
help-level-setter-towards = Peer host whose route determines the network interface; may be repeated
help-level-setter-client = Client name that the agent records for these changes
help-level-setter-journal = File on this machine that records the original settings
help-router-by-name = Router through which agents are reached by name

## goodput limits

help-limits-medium = Medium to calculate, for example 1000base-t, atm155-lane, ethernet:RATE, disk:SIZE; may be repeated
help-limits-bus = Bus to calculate, for example pci-32-33 or pcie3-x4; may be repeated
help-limits-mtu = IP MTU in bytes
help-limits-ip = IP version, 4 or 6
help-limits-vlan = Number of VLAN tags in each frame
help-limits-no-timestamps = Calculate TCP goodput without the timestamp option
help-limits-duplex = Duplex mode of the medium
help-limits-datagram = Payload size of each UDP datagram
help-limits-rtt = RTT of the path, to calculate the required TCP window (bandwidth-delay product)
help-limits-window = Receive window of one connection, to calculate its maximum rate at --rtt

## goodput list

help-list-json = Print one JSON document instead of a table

## goodput load

help-load = Throughput and CPU of one server with many clients
help-load-server = Server, which must run an agent: address, name, or lab:NAME
help-load-clients = Clients, each with an agent: a,b or c[1-20]
help-load-group = Use the agents of this group or label as clients
help-load-size = Request sizes
help-load-direction = Directions to measure, as seen from the server
help-load-direction-more = Possible directions: transmit, receive, duplex, mixed.
help-load-client-counts = Numbers of clients to measure with, one measurement for each, for example 1,4,8
help-load-workers = Load generators per client in each direction
help-load-one-connection = In duplex, use one connection for both directions instead of one generator per direction
help-load-reads = Percentage of requests that the server receives (direction mixed only)
help-load-mix = Mix of request sizes instead of --size, as SIZE:SHARE:READS (in per cent), for example 4KiB:70:67,64KiB:30:100
help-load-mix-more = Each entry is SIZE:SHARE:READS[:REPLY]; the shares must add up to 100.
help-load-reply = Size of the reply to each request
help-load-outstanding = Maximum requests in flight per connection, if --reply is set
help-load-burst = Number of transactions per burst
help-load-delay = Idle time before each burst
help-load-transactions-per-connection = Open a new connection after this many transactions (connection-rate mode)
help-load-icf = Read the load from an IOmeter configuration file (.icf)
help-load-icf-more = Check the file with `goodput icf check`.
help-load-map = Host to use for a manager in the .icf file, as MANAGER=HOST; may be repeated
help-load-network-only = Ignore the disk workers in the .icf file
help-load-write-icf = Write the load as an .icf file for IOmeter, without measuring

## goodput mtu

help-mtu = Largest packet that passes, in each direction
help-mtu-expect = Expected path MTU in bytes; a different MTU is an error (exit code 1)
help-mtu-largest = Largest packet size to try, in bytes
help-mtu-tries = Number of packets of one size (3 to 5) that must be lost, while others arrive, before that size is considered too large
help-mtu-timer = Minimum timeout for a reply; four RTTs if that is longer
help-mtu-time = Time limit of the MTU search
help-mtu-icmp = Measure with ICMP echo, without an agent on HOST
help-mtu-icmp-more = ICMP measures only the path to HOST, and requires permission for ICMP sockets on this machine.

## goodput pingpong

help-pingpong = Latency and throughput by message size
help-pingpong-mode = Measurement mode: native (adaptive, median with confidence interval) or compat (as NetPIPE 3.7.2)
help-pingpong-compat = Same as --mode compat
help-pingpong-smallest = Smallest message size of the sweep
help-pingpong-largest = Largest message size of the sweep
help-pingpong-largest-more = The default results in the 103 sizes of NetPIPE.
help-pingpong-perturbation = Also measure sizes that are this many bytes smaller and larger; 0 disables this
help-pingpong-streaming = Send in one direction only, timed by the receiver
help-pingpong-two-way = Send in both directions at the same time
help-pingpong-cold = Send each message from memory that is not in any CPU cache
help-pingpong-integrity = Verify every byte of every message at both ends
help-pingpong-buffer = Socket send and receive buffer size
help-pingpong-congestion = Congestion control algorithm on both hosts
help-pingpong-width = Native mode: target width of the 95 % confidence interval, in per cent of the median
help-pingpong-cap = Native mode: time limit for each size
help-pingpong-reset = Compat mode: open a new connection for each timed loop (NetPIPE -r)
help-pingpong-repeats = Compat mode: fixed number of repeats (NetPIPE -n)
help-pingpong-sample-cap = Maximum number of RTT samples to save
help-pingpong-np-out = Also write the results to this file in NetPIPE's np.out format

## goodput report

help-report-format = Report formats, separated by commas: html, page, markdown, text, svg, png, csv, json
help-report-output = Output folder
help-report-json = Print the paths of the written files as JSON
help-report-run = Run: its name, a prefix of the name, its folder, or last; or a TOML file of published values

## goodput request

help-request = Request-response latency and transaction rate
help-request-kind = Type of transaction; tcp_crr opens a new connection for each transaction
help-request-size = Sizes of request and response, for example 128 (both) or 64,8KiB
help-request-outstanding = Number of transactions in flight
help-request-rate = Transactions to start per second (open loop)
help-request-rate-more = Transactions start on schedule without waiting for replies. Latency is measured from the scheduled start.
help-request-count = Stop after this many transactions

## goodput router

help-router-port = Port to listen on
help-router-connect = Router of another site to connect to; may be repeated

## goodput run

help-run-check = Print the plan of the experiment without measuring
help-run-quick = Run the short version that the file defines under [quick]
help-run-yes = Do not prompt the user to set factor levels by hand; only verify that they are set
help-run-seed = Random seed of the run order and all other random choices
help-run-file = Experiment file (TOML), or a folder that contains experiment.toml
help-run-resume = Resume the newest unfinished run of this file, or the specified run

## goodput serve

help-serve-listen-more = Any address other than loopback requires TLS and a password or token.
help-serve-index = Database with the index of the runs: sqlite:FILE, or postgres://… for shared use
help-serve-tls-cert = TLS certificate file in PEM format, including intermediate certificates
help-serve-tls-key = Private key file of the TLS certificate
help-serve-tls-self = Create and use a self-signed TLS certificate
help-serve-names = Additional host name under which browsers open the page; may be repeated
help-serve-allow = What a measurement started from the web page may also do: write, folders, files, knobs, commands
help-serve-allow-more = write: write files on this machine, or store runs in another folder. folders: measure in folders of this machine. files: read files of this machine, such as keys and configurations. knobs: change settings of this machine in experiments, and of hosts with why --allow-knob. commands: run commands on hosts, in experiments whose levels are set by commands.
help-serve-webhook-loopback = Allow alert webhooks to post to addresses of this machine
help-serve-otlp = URL of an OpenTelemetry collector that receives metrics of schedules and agents (OTLP/HTTP, JSON)
help-serve-otlp-interval = Interval between two metric exports
help-serve-router = Router used for the host list and for measurements started from the page
help-serve-passwords = File with password hashes
help-serve-tokens = File with token hashes
help-serve-password = Set the password for a user role of the web page
help-serve-password-more = The password is read from a terminal prompt, or as one line from standard input.
help-serve-role = reader sees everything and changes nothing; operator also starts, stops, schedules and tags
help-serve-token = Create an API token for a program and print it once
help-serve-token-name = Name of the token; a new one replaces the old one of this name

## goodput show

help-show-resolution = Print the smallest change that repeated trials can detect, instead of the tables
help-show-resolution-more = The run must have at least 16 trials with the same settings. With =3% it also prints how many blocks an experiment needs to detect a 3 % change.

## goodput store

help-store-index = Database with the index of the runs: sqlite:FILE or postgres://USER@HOST/DATABASE
help-store-list = Search the stored runs and list them, newest first
help-store-list-limit = Largest number of runs
help-store-list-after = Continue after this run, the last of the previous list
help-store-tag = Add or remove tags of a run; tagged runs are pruned only with --tagged
help-store-tag-run = Run: its name or the beginning or end of it, or last
help-store-tag-tags = The tags
help-store-tag-remove = Remove the tags
help-store-rebuild = Rebuild the index from the stored runs
help-store-prune = Delete runs; without --yes only list them
help-store-prune-tagged = Tagged runs as well
help-store-prune-yes = Delete them
help-store-move = Move runs to another folder or database
help-store-move-more = Each run is read back there before it is removed here.
help-store-move-to = Destination: a folder of runs, or postgres://USER@HOST/DATABASE
help-store-move-keep = Copy them instead
help-store-backup = Write all runs and schedules to one file (.tar.zst)
help-store-file = The file
help-store-restore = Restore runs from a backup, or import the archive of one run

## goodput store: which runs

help-store-filter-words = Words to find in the name, command, hosts or labels of a run
help-store-filter-words-more = Probes, tags and the experiment name are searched too.
help-store-filter-probe = Only runs with this probe; may be repeated
help-store-filter-host = Only runs in which this host took part; may be repeated
help-store-filter-label = Only runs with this label; may be repeated
help-store-filter-factor = Only runs with this level of an experiment factor; may be repeated
help-store-filter-tag = Only runs with this tag; may be repeated
help-store-filter-experiment = Only runs of this experiment
help-store-filter-since = Only runs started at or after this date or within this age: 2026-11-01, 36h, 90d, 8w
help-store-filter-since-more = Dates are in UTC. Give a time as 2026-11-01T08:00:00Z.
help-store-filter-until = Only runs started before this date or time
help-store-filter-outcome = Only runs with this outcome; may be repeated

## goodput stream

help-stream = TCP throughput, counted at the receiver
help-stream-connections = Number of TCP connections in each direction
help-stream-size = Size of each message, which is sent with one write
help-stream-read-size = Maximum number of bytes per read call
help-stream-sender = Send method: write, batch:N (N messages per writev), sendfile, zerocopy
help-stream-receiver = Receive method: read, or discard (MSG_TRUNC, without copying the data)
help-stream-receive-coalescing = Receive coalescing: off, or how long to wait for more data before the next read
help-stream-receive-coalescing-more = The receiver waits this long after a short read that returned immediately, so that each read returns more data.
help-stream-rate = Maximum rate of each connection
help-stream-rate-more = The kernel enforces the rate by pacing (SO_MAX_PACING_RATE).

## goodput why

help-why = What limits TCP throughput, proven by interventions
help-why-budget = Time limit; it stops earlier when the cause is proven
help-why-allow-knob = Also change host settings: buffer limits and the backlog length; each is restored after its trial
help-why-block = Block size of each copy operation, with HOST:disk
help-why-block-default = up to 1MiB
help-why-size = Size of each message; with HOST:disk the size of the file, otherwise chosen by its speed

## Behind the options: what the examples do, and notes

help-agent-example = on the host to measure to
help-agent-example-2 = with file measurements in this folder
help-check-example = the path from this machine to nas
help-clock-example = offset and drift over 10 s
help-clock-example-2 = between two other hosts
help-datagram-example = loss and jitter at 100 Mbit/s of payload
help-datagram-example-2 = highest rate with at most 0.1 % loss
help-file-example = copy, then drive mark, with one conclusion
help-file-note = All files are in a new folder in TARGET, which is removed at the end.
help-file-copy-example = 600 MB to and from a mounted folder
help-file-copy-example-2 = an agent on nas stores the file
help-file-disk-example = as CrystalDiskMark 8
help-file-disk-note = Without --repeat there are five rounds after one that is not counted, as in CrystalDiskMark.
help-compare-example = the last run against another
help-compare-example-2 = folders of runs
help-compare-note = Two experiments are compared cell by cell. Two other runs are compared trial by trial where the settings are the same. Each change has its interval and a verdict, which may be that the runs cannot tell. The runs were measured one after the other: changes between them that are not listed may be the cause.
help-compare-note-2 = In a comparison of experiments a metric follows its probe line: "tcp.goodput_bps change >= -2 %".
help-compare-note-3 = Exit codes: 0 compared, and every requirement met; 1 one is not met, or the two do not share its metric; 2 there is no such run, or only one of the two is an experiment.
help-hosts-note = It sends a multicast request on this network for about a second, then each agent that replies, over mutual TLS. With --router it asks for the agents at the router instead. Agents with another key or version are listed with the reason. Hidden agents, agents behind a router of the network, and agents without a key on other machines are not found; use their address.
help-hosts-note-2 = As HOST of a measurement, a bare name is first looked up by the system's resolver. If the resolver does not know it, it is the agent of exactly that name found on this network. With --router it is the agent of that name there and nothing else. If two agents have the name, the error lists them.
help-lab-up-example = hosts a and b on one link
help-latency-example = idle latency, then latency under TCP load in each direction
help-limits-example = names of all media and buses
help-load-example = 13 request sizes in 3 directions
help-mtu-example = path MTU in both directions
help-mtu-example-2 = exit code 1 unless it is 9000
help-mtu-example-3 = to a host without an agent
help-pingpong-example = 103 message sizes up to 1 MiB
help-pingpong-example-2 = as NetPIPE 3.7.2 does it
help-request-example = TCP request-response latency, one byte each way
help-request-example-2 = latency of an open loop at 10,000 requests a second
help-export-example = the newest run's table with the most detail
help-report-example = report.html and figures of the newest run
help-report-example-2 = as Markdown, to standard output
help-report-example-3 = page.html: one file with figures to zoom
help-router-note = Agents join with `goodput agent --router HOST`. They are then reached by their names: `goodput hosts --router HOST`, `goodput stream NAME --router HOST`. Only orders and results pass through a router; data flows from host to host. The messaging engine's own router program, zenohd, works as well: docs/fleet.md
help-run-example = print the plan and its duration
help-run-example-2 = run it; Ctrl-C leaves a run that can be resumed
help-run-example-3 = resume it
help-serve-example = this machine's own page, for the user who starts it
help-serve-example-2 = set a password, then:
help-serve-example-3 = for a lab
help-serve-note = A program needs a token: goodput serve token reader prometheus. More: docs/serve.md
help-store-prune-example = list the runs older than 90 days
help-store-prune-example-2 = delete them
help-stream-example = TCP throughput from this machine to nas
help-why-example = what limits the transfer from this machine to nas
help-why-example-disk = whether the disk of nas limits a copy to it

## goodput help exit-codes

help-exit = Exit codes:
help-exit-done = done
help-exit-requirement-failed = measured, but a requirement failed (a finding of severity "error")
help-exit-usage = the arguments cannot be understood or do not fit together
help-exit-unreachable = a host could not be reached (name, port, key or protocol)
help-exit-cannot-measure = cannot measure here (permission, missing kernel feature, full disk)
help-exit-broke-off = a trial was aborted; what was measured until then is stored
help-exit-interrupted = interrupted; what was measured until then is stored

## Names of values

help-value-address = ADDRESS
help-value-address-port = ADDRESS[:PORT]
help-value-bus = BUS
help-value-bytes = BYTES
help-value-change = CHANGE
help-value-command = COMMAND
help-value-dir = DIR
help-value-dir-memory = DIR|memory
help-value-duplex = DUPLEX
help-value-factor-level = FACTOR=LEVEL
help-value-file = FILE
help-value-file-folder = FILE|FOLDER
help-value-file-memory = FILE|memory
help-value-file-none = FILE|none
help-value-format = FORMAT
help-value-group = GROUP
help-value-host = HOST
help-value-host-bus = HOST=BUS
help-value-host-percent = HOST=PERCENT
help-value-host-rules = HOST=RULES
help-value-host-size-rate = HOST=SIZE[@RATE]
help-value-host-port = HOST[:PORT]
help-value-how = HOW
help-value-key-value = KEY=VALUE
help-value-kind = KIND
help-value-knob = KNOB
help-value-lines = LINES
help-value-list = LIST
help-value-loadfile-office = LOADFILE|office
help-value-medium = MEDIUM
help-value-mode = MODE
help-value-name = NAME
help-value-name-host = NAME=HOST
help-value-number = NUMBER
help-value-order = ORDER
help-value-outcome = OUTCOME
help-value-percent = PERCENT
help-value-per-second = PER_SECOND
help-value-place = PLACE
help-value-port = PORT
help-value-probe = PROBE
help-value-rate = RATE
help-value-requirement = REQUIREMENT
help-value-role = ROLE
help-value-run = RUN
help-value-run-file = RUN|FILE
help-value-server = SERVER
help-value-shell = SHELL
help-value-size = SIZE
help-value-size-size = SIZE[,SIZE]
help-value-table = TABLE
help-value-tag = TAG
help-value-target = TARGET
help-value-text = TEXT
help-value-time = TIME
help-value-url = URL
help-value-user-host = USER@HOST
help-value-version = VERSION
help-value-way = WAY
help-value-what = WHAT
help-value-when = WHEN
help-value-word = WORD
help-value-words = WORDS
help-value-lab-name = lab:NAME
help-value-off-time = off|TIME

## What stands in [default: …]

help-default-all-addresses-lab = all addresses with a lab key, loopback without
help-default-host-name = the host name
help-default-host-addresses = this host's addresses
help-default-none = none
help-default-knobs-journal-spool = knobs.journal in the spool folder
help-default-maximum = maximum
help-default-those-due-within = those due within 0.5 ms
help-default-search-ms = 1s; with --search 300ms
help-default-set-kernel = set by the kernel
help-default-large-buffer-chosen = a large buffer chosen by goodput
help-default-mb-disk-gib = 600MB; for disk 1GiB
help-default-memory = memory
help-default-fifth-time-as = a fifth of --time, as in dbench
help-default-no-limit = no limit
help-default-machine = this machine
help-default-prompt = prompt
help-default-end-drive-benchmarks = end; for drive benchmarks as in CrystalDiskMark; for replay none
help-default-run-time-file = the run time in the file
help-default-ramp-up-time = the ramp-up time in the file
help-default-rate-client-link = rate of a client's link
help-default-list-all-names = list all names
help-default-mtu-medium = the MTU of the medium
help-default-if-option-has = 0; 1 if the option has no value
help-default-mode-medium = the mode of the medium
help-default-fills-mtu = fills the MTU
help-default-all-clients = all clients
help-default-file-measurements = 1; for file measurements 5
help-default-name-resolution-connect = name resolution 5s, connect 3s, first byte 3s, no progress 10s
help-default-new-seed-each = a new seed for each run
help-default-interface-mtu = the interface's MTU + 1
help-default-native = native
help-default-kernel-autotuning = kernel autotuning
help-default-path-mtu = from the path MTU
help-default-all-np-out = all; for np.out the first sweep
help-default-csv-most-detailed = for CSV the most detailed table, for Parquet samples
help-default-standard-output = standard output
help-default-run-folder-markdown = the run's folder; markdown, text, csv and json go to standard output
help-default-seed-file = the seed in the file
help-default-index-sqlite-run = index.sqlite in the run folder
help-default-config-goodput-passwords = ~/.config/goodput/passwords, if it exists
help-default-config-goodput-tokens = ~/.config/goodput/tokens, if it exists
