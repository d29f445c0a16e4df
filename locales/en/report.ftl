### What the Rust code writes in English in reports and on the page: headings, columns, rows, sentences. Texts with
### variables are typed messages; a text without variables is found by its English: letter by letter what the code writes.
### locales/README.md.

## Lists

list = { $items }
list-colon = { $what }: { $why }
list-semicolon = { $first }; { $then }
list-sentences = { $first } { $then }

## Titles of parts

report-conclusions = Conclusions
report-requirements = Requirements
report-results = Results
report-what-each-trial-came-to = Trial results
report-what-differs-and-by-how-much = Effects of the factors
report-over-the-run = Values in run order
report-prices = Prices
report-where-it-was-measured = Test environment
report-the-data = All data
report-what-changed = Changes
report-what-differs-between-the-hosts = Differences between the hosts
report-how-it-was-measured = Method
report-about-this-run = About this run
report-error = Error
report-findings = Findings
report-message-sizes-pingpong = Throughput by message size (pingpong)
report-bulk-tcp-stream = Bulk TCP (stream)
report-request-and-response-request = Transaction latency (request)
report-path-mtu-mtu = Path MTU (mtu)
report-clock-title = Clock offset and drift (clock)
report-clock-table = Clock offset (listening host minus connecting host)
report-clock-constant-drift = constant drift fits all samples
report-clock-least-round-trip = minimum RTT of the exchanges
report-clock-exchanges = exchanges per sample
report-clock-error-bound = maximum error of the offset
report-clock-not-constant = no: a clock was set or its rate changed
report-udp-datagrams-datagram = UDP datagrams (datagram)
report-latency-idle-latency = Idle latency (latency)
report-latency-under-load-latency = Latency under load (latency)
report-one-server-many-clients-load = One server with many clients (load)
report-files-file = File access (file)

## Titles of tables

report-ranks = Ranking of factor levels
report-hosts = Hosts
report-factors = Factors
report-what-was-read-back = Factor levels read back from the hosts
report-what-the-hosts-are = Host hardware and software
report-what-changed-on-the-hosts-between = Host changes between trials
report-run = Run
report-settings = Settings
report-socket-options-asked-and-obtained = Socket options: requested and obtained
report-both-ends = Hosts at both ends
report-places = Storage locations
report-agents = Agents
report-counted-over-the-window = Host counters in the measurement window
report-where-the-datagrams-went-whole-trial = Delivery and loss of datagrams in the whole trial
report-each-direction-in-the-window = Each direction in the measurement window
report-trials-of-the-search = Search trials
report-copies-mb-s-of-payload-the = File copies: payload in MB/s (median of the trials)
report-operations = File operations
report-where-an-operation-s-time-goes = Time per operation: disk, network and protocol
report-drive-mark-mb-s-of-10 = Drive benchmark in MB/s (10^6 bytes)
report-operations-a-second-and-the-time = IOPS and latency (median of the trials)
report-one-operation-at-a-time-fixed = Single operations: fixed time and transfer rate
report-what-the-copies-used = Resource usage of the copies
report-cpu-over-the-window = CPU usage in the measurement window
report-what-both-ends-are = Hardware and software of both ends
report-what-the-server-is = Server hardware and software
report-latency-idle-and-under-load = Idle and loaded latency
report-media = Network media and host buses
report-load-mbit-s-each-way-and = Load: Mbit/s in each direction, with server CPU usage
report-clients = Clients
report-clients-over-all-points = Clients in all load points
report-where-more-gains-nothing = Saturation points
report-the-server-s-adapter = Traffic counted by the server's network adapter
report-path-mtu-whole-ip-packets = Path MTU (size of the whole IP packet)
report-header-sums = Maximum payload (packet size minus headers)
report-transactions = Transactions
report-runs = Runs
report-each-direction = Results by direction
report-message-sizes = Message sizes
report-derived-from-the-sweep = Values derived from the message sizes
report-what-both-runs-measured = Measurements in both runs
report-not-as-asked = Settings that differ from the request
report-what-each-factor-does-to-what = Effect of each factor on { $what }
report-where-what-holds-and-where-not = Verdict on { $what } for each combination of levels
report-the-mix-name-at-at = Mix { $name } at { $at }

## Titles of figures

report-throughput-over-message-size-way = Throughput by message size, { $way }
report-half-round-trip-over-message-size = Half RTT by message size, { $way }
report-time-over-message-size-way = Transfer time by message size, { $way }
report-signature-throughput-over-transfer-time-way = Signature graph: throughput by transfer time, { $way }
report-saturation-message-size-over-transfer-time = Saturation graph: message size by transfer time, { $way }
report-latency-over-time-way = Latency over time, { $way }
report-latency-distribution-way = Latency distribution, { $way }
report-goodput-over-time-way = Goodput over time, { $way }
report-goodput-mbit-s = goodput (Mbit/s)
report-message-size = message size
report-each-step-is-the-mean-of = Each step is the mean over { $time }.

## Columns

report-n95-interval = 95 % interval
report-n95-interval-of-the-most = 95 % interval of the maximum
report-n95-sure = 95 % interval of the saturation point
report-p-e = P/E
report-a-second = per second
report-accepted = rate without flush
report-added-at-p50 = latency increase at p50
report-added-at-p99 = latency increase at p99
report-address = address
report-asked = requested
report-at = highest rate at
report-began-after = start delay
report-best = highest rate
report-blocks = blocks
report-cannot-be-told-from = no significant difference from
report-cannot-tell = inconclusive
report-change = change
report-client = client
report-client-cpu = client CPU
report-clients-2 = clients
report-clock-known-to = clock uncertainty
report-clock-offset = clock offset
report-combination = combination
report-computed = computed bytes
report-connections = connections
report-connects-s = connections/s
report-copy = copy
report-count = count
report-curve = curve
report-decided-at = deciding combination
report-device = device
report-direction = direction
report-disk = disk
report-does-not-pay = not cost-effective
report-duplex = duplex
report-durable = rate with flush
report-each-more-costs = cost per additional unit
report-encrypted = encryption
report-ended-before = early end
report-ends = endpoints
report-explains = share of variation
report-fact = property
report-factor = factor
report-failed-as-expected = expected failures
report-fails = smallest size that fails
report-farthest-from-an-edge = maximum timing skew
report-farthest-row = largest deviation from the fit
report-figure = measured value
report-file-system = file system
report-first-run = first run
report-second-run = second run
report-fixed = fixed time
report-goodput = goodput
report-groups = agent groups
report-host = host
report-hosts-2 = hosts
report-is = host role
report-kernel = kernel
report-known-to = offset uncertainty
report-labels = labels
report-largest-tcp-segment = maximum TCP segment
report-largest-request = maximum request size
report-least = minimum
report-least-at = minimum at
report-most-at = maximum at
report-least-of-an-equal-share = minimum (% of equal share)
report-most-of-an-equal-share = maximum (% of equal share)
report-level = level
report-levels = levels
report-limit = limit
report-load = load
report-logical-cpus = logical CPUs
report-lost = lost
report-measurement = measurement
report-median = median
report-medium = medium
report-mix = operation mix
report-mount-options = mount options
report-name = name
report-not-in-the-result = excluded from the result
report-notes = notes
report-of-limit = % of limit
report-of-the-rate = % of link rate
report-operation = operation
report-operations-s = operations/s
report-over-the-share = latency on the network share
report-own-interface = sender's interface
report-packets = packets
report-packets-a-second = packets per second
report-passes = largest size that passes
report-payload = payload
report-pays = cost-effective
report-place = location
report-players = simulated clients
report-points = load points
report-price = price
report-probe = probe
report-protocol = protocol
report-put-in-place-by = set by
report-rank = rank
report-rate = rate
report-read-iops = read IOPS
report-write-iops = write IOPS
report-read-back = value read back
report-read-best = best read
report-write-best = best write
report-receive = receive
report-receive-mbit-s = receive rate (Mbit/s)
report-transmit = transmit
report-transmit-mbit-s = transmit rate (Mbit/s)
report-received = received
report-sent = sent
report-repeats = repeats
report-requests = requests
report-requests-s = requests/s
report-requirement = requirement
report-resource = resource
report-result = result
report-role = role
report-round-trip = RTT
report-row = access pattern
report-run-2 = run
report-saturated-from = saturation point
report-server-cpu = server CPU
report-service = service time
report-setting = setting
report-signed = message signing
report-size = size
report-skew = timing skew
report-overlap = overlap
report-overlap-rate = rate in overlap
report-started = started
report-state = state
report-sum = total rate
report-time = time
report-traffic = traffic
report-trial = trial
report-trials = trials
report-unexpected = unexpected results
report-user-bytes = user bytes
report-value = value
report-values = values
report-verdict = verdict
report-version = version
report-what-it-is = description
report-whole = whole copy
report-why-nothing-larger = reason for the limit
report-window = measurement window
report-wire = network
report-worked-on-by = access method
report-worst = maximum

## Rows

report-user-data-in-the-window = user data in the measurement window
report-with-warm-up-and-drain = user data with warm-up and drain
report-bytes-a-write = bytes per write call
report-bytes-a-read = bytes per read call
report-segments-a-message = segments per message
report-sent-again = retransmitted
report-round-trip-smoothed = smoothed RTT
report-round-trip-least = minimum RTT
report-transfer-time-sender = Transfer time, sender's clock
report-transfer-rate-sender = Transfer rate, sender's clock
report-held-back-by-receiver-s-window = limited by the receive window
report-held-back-by-send-buffer = limited by the send buffer
report-transfer-time-ratio = transfer time ratio
report-tcp-efficiency = TCP efficiency
report-buffer-delay = buffer delay
report-busy = busy
report-busiest-cpu = usage of the busiest CPU
report-user-sampled = user time (sampled)
report-system-sampled = system time (sampled)
report-softirq-sampled = softirq time (sampled)
report-unattributed = unattributed CPU time
report-stolen-by-hypervisor = steal
report-waiting-for-disk = iowait
report-measuring-threads-of-one-cpu = measurement threads (% of one CPU)
report-measuring-threads-of-host-of-one = measurement threads of { $host } (% of one CPU)
report-command = command line
report-program = goodput version
report-seed = random seed
report-result-form = result format
report-label-name = label { $name }
report-message = size of each message
report-stops = measurement end
report-warm-up-not-counted = warm-up (not counted)
report-interval-of-samples = sampling interval
report-sent-by = send method
report-received-by = receive method
report-connections-each-way = connections per direction
report-added-cpu-time-sender = added CPU time, sender
report-added-cpu-time-receiver = added CPU time, receiver
report-congestion-control = congestion control
report-send-buffer = send buffer
report-receive-buffer = receive buffer
report-segment-size-mss = segment size (MSS)
report-tcp-timestamps = TCP timestamps
report-tcp-window-scaling = TCP window scaling
report-tcp-selective-acks = TCP selective acknowledgements
report-tcp-ecn = TCP ECN
report-host-name = host name
report-option = socket option
report-host-connects = { $host } (connects)
report-host-listens = { $host } (listens)
report-both-ends-one-kernel = both ends (same kernel)
report-host-sends = { $host } sends
report-host-receives = { $host } receives

## Words in cells

report-not-available = not available
report-not-measured = not measured
report-met = met
report-not-met = not met
report-failed = failed
report-broke-off = ended early
report-better = better
report-worse = worse
report-none-shown = no significant difference
report-any-other = all other levels
report-yes = yes
report-no = no
report-in-part = partly
report-not-known = undetermined

## Sentences

report-no-runs-yet = No runs yet.
report-way-nothing-was-measured-cause = { $way }: no result: { $cause }.
report-way-broke-off-cause = { $way }: ended early: { $cause }.
report-way-nothing-was-counted = { $way }: no data was counted.
report-no-limit-known = The limit is unknown.
report-cpu-no-figure = CPU usage is not available.
report-in-per-cent-of-all-logical = Values are percentages of all logical CPUs unless stated otherwise; busy excludes steal and iowait.
report-of-each-end-s-first-connection = Options of the first connection at each end. The buffer size is what the application can fill.
report-compared-within-blocks-mean-over-them = Each difference is the mean of the differences within blocks (sign-flip test); p adjusted by Holm's method per metric; significant at { $alpha } or less.
report-over-all-combinations-of-the-other = A rank is one plus the number of significantly better levels (over all combinations of other factors); the second number is the worst possible rank.
report-what-the-data-say-besides = Further conclusions from the data:
report-to-be-known-of-the-measurement = Limitations of the measurement:
report-all-count-requirements-are-met = All { $count } requirements are met.
report-one-value-nothing-is-known-of = Only one value: its spread is unknown.
report-the-question-is-answered-saidanswer = Answer to the question: { $answer }.
report-the-requirement-is-met = The requirement is met.
report-how-sure-saidsure = Confidence: { $sure }.
report-unless-something-else-is-said-how = Confidence unless stated otherwise: { $sure }.
report-goodput-is-user-data-that-the = Goodput is the user data that the receiver counts in the measurement window, each byte once, divided by the window’s length. Half the RTT is not a one-way delay. Rates are decimal (1 Mbit/s is 1,000,000 bit/s), sizes binary (1 KiB is 1,024 bytes).

## Figures

report-latency-by-operation = Latency by file operation
report-copies = File copies
report-drive-mark = Drive benchmark
report-latency-of-the-drive-mark = Drive benchmark latency
report-traffic-2 = Network traffic
report-traffic-through-the-server = traffic through the server
report-server-cpu-2 = Server CPU
report-server-cpu-busy = server CPU usage
report-p-e-index = P/E index
report-p-e-index-mbit-s-for = P/E index (Mbit/s per percent of CPU usage)
report-latency-p99 = Latency (p99)
report-payload-2 = Payload rate
report-median-latency = median latency
report-n99-within = p99
report-least-to-most = minimum to maximum
report-time-since-the-window-opened = time since window start
report-request-size = request size
report-the-number-of-clients = number of clients
report-until-accepted = until the data was accepted
report-n95-interval-of-the-median = 95 % interval of the median
report-name-mean-rate = { $name }, mean { $rate }
report-each-step-joins-n-intervals-the = Each step is the mean of { $n } intervals; the band shows the minimum and maximum of the intervals.
report-latency-counts-from-the-intended-send = Latency is measured from the intended send time.
report-each-point-is-the-median-of = Each point is the median of { $n } probes; the band shows the minimum and maximum.
report-n-lost-probes-are-not-in = { $n } lost probes are not in the chart.
report-netpipe-s-schedule-best-loop-of = NetPIPE schedule: each point is the best loop for that size.
report-one-way-only-timed-by-the = Data flows in one direction only; the receiver measures the time.
report-both-ends-send-at-once-the = Both ends send at the same time; the time covers the whole exchange.
report-the-wire-allows-rate = The link allows at most { $rate }.
report-the-vertical-axis-does-not-begin = The vertical axis does not start at zero.
report-history = History
report-history-of-what = History of { $what }
report-each-run = individual runs
report-runs-without-a-figure = runs without a value
report-median-between-changes = median between change points
report-runs-the-newest-first = Runs, newest first
report-it-has-not-been-measured-yet = No runs have been measured yet.
report-the-only-run-has-no-figure = The only run has no value.

## Parts of a page

report-other-trials = Trials without a separate section
report-this-run-holds-no-result = This run contains no results.
report-trial-number-saidtitle = Trial { $number }: { $title }
report-not-as-asked-line = Differs from the request: { $line }.
report-comparison = Comparison of runs
report-nothing-to-compare = Nothing to compare
report-a-comparison-needs-two-runs = A comparison needs at least two runs.
report-to-be-known-of-the-runs = Limitations of the runs
report-over-each-other = Overlaid charts
report-what-differs-in-the-settings = Differences in settings
report-settings-of-probe = Settings of { $probe }
report-of-several-trials-with-the-same = Where a run has several trials with the same settings, the chart shows the first.
report-the-machines = Hardware and software
report-windows-and-clocks = Measurement windows and clock uncertainty
report-in-the-order-in-which-they = Trials are shown in run order: a slope or a step is caused by the hosts, not by the settings.
report-it-did-not-end-within-its = the execution exceeded its time limit
report-no-measurement-has-the-same-settings = The two runs have no measurement with the same settings.
report-how-fine-the-set-up-measures = Smallest detectable change
report-equal-trials = identical trials
report-deviation = standard deviation
report-beside-a-neighbour = standard deviation between successive trials
report-found-with-blocks = detectable with { $blocks } blocks
report-blocks-for-a-change = blocks needed to detect { $share }
report-resolution-note = 95 of 100 experiments with this many blocks detect a change of this size. Each block contains one trial of each of the two compared settings, in random order. Computed by simulating experiments from these trials (docs/methods/resolution.md).
report-settings-of-one-run = Measurements without a counterpart of the same settings in the other run: { $first } in the first run, { $second } in the second.
report-what-was-measured = Measurements in all runs
report-no-change-shown = no significant change
report-half-round-trip = half RTT
report-the-first-run = the first run
report-the-second-run = the second run
report-not-reported = not reported
report-nothing-differs = No differences.
report-one-of-the-runs-holds-no = One of the runs contains no inventory of the host at this end.
report-interfaces = Interfaces
report-this-host = This host
report-kernel-settings = Kernel parameters
report-interface-name = Interface { $name }
report-probes = Probes

## Settings

report-message-sizes-2 = message sizes
report-stops-when = stop condition
report-seed-of-the-order = run order seed
report-there-and-back-the-time-is = ping-pong; the time is half the RTT
report-one-way-timed-by-the-receiver = one direction; the receiver measures the time
report-both-ways-at-once-the-time = both directions at once; the time covers the whole exchange
report-new-connection-for-each-loop = new connection for each loop
report-cold-caches = cold caches
report-every-byte-checked = every byte verified
report-the-connecting-end-sends = the connecting end sends
report-the-connecting-end-receives = the connecting end receives
report-both-at-once-on-separate-connections = both directions at once, on separate connections
report-both-at-once-on-separate-sockets = both directions at once, on separate sockets
report-as-many-as-the-kernel-takes = as fast as the kernel accepts
report-request-and-response = request and response size
report-ends-wait = wait method
report-asleep-in-the-kernel = blocking (thread sleeps in the kernel)
report-spinning-costs-a-cpu-at-each = busy polling; uses one CPU at each end
report-flows-each-way = flows each way
report-payload-of-a-datagram = payload per datagram
report-datagrams-and-calls = datagrams per system call
report-one-system-call-a-datagram = one datagram per system call
report-largest-tried = largest size tested
report-wait-for-an-answer = reply timeout
report-search-ends-after = search time limit
report-no-delay = TCP_NODELAY
report-requests-in-flight = requests in flight
report-a-new-connection = new connection opened
report-request-sizes = request sizes
report-numbers-of-clients = client counts
report-mixes-of-sizes = mixes of request sizes
report-other-end = local source or destination
report-under-way-at-once = operations in flight
report-disk-accesses = disk accesses of each block
report-one-after-another = sequential
report-queue-and-threads = queue depth × threads
report-asked-to-be-durable = flush to stable storage
report-once-after-the-last-write = once, after the last write
report-after-every-write = after every write
report-with-this-host-s-caches = through this host's page cache
report-native-median-of-batch-medians-with = native: median of the batch medians, with its 95 % interval

## More rows

report-dropped-on-receiving = receive drops
report-missed-by-the-adapter = packets missed by the adapter (rx_missed_errors)
report-dropped-on-sending = transmit drops
report-errors-on-receiving = receive errors
report-errors-on-sending = transmit errors
report-dropped-by-the-queue = qdisc drops
report-pause-frames-received = pause frames received
report-pause-frames-sent = pause frames sent
report-tcp-segments-sent-again = TCP segments retransmitted
report-tcp-timeouts = TCP retransmission timeouts
report-udp-datagrams-not-delivered = UDP input errors
report-udp-receive-buffer-full = UDP receive buffer errors
report-udp-send-buffer-full = UDP send buffer errors
report-listening-queue-full = listen queue overflows
report-interface-packets-received = { $interface }: packets received
report-interface-packets-sent = { $interface }: packets sent
report-cpu-backlog-dropped = softnet dropped
report-cpu-backlog-budget-used-up = softnet time_squeeze
report-task-switches = context switches
report-kernel-messages = kernel messages
report-refused-at-the-sender = refused by the sender's kernel
report-received-each-once = received, without duplicates
report-received-copies-among-them = received, including duplicates
report-lost-at-the-receiver-s-socket = lost at the receiver's socket
report-lost-in-the-receiving-host-below = lost in the receiving host below the socket
report-lost-on-the-path-the-remainder = lost on the path (all other losses)
report-sent-and-not-received = sent but not received
report-out-of-order = received out of order
report-of-another-form = malformed
report-user-data = user data
report-jitter-rfc-3550 = jitter (RFC 3550)
report-delay-variation-median = delay variation, p50
report-delay-variation-99-within = delay variation, p99
report-delay-variation-most = delay variation, maximum
report-datagrams-a-sending-call = datagrams per send call
report-datagrams-a-receiving-call = datagrams per receive call
report-sent-more-than-1-ms-late = datagrams sent more than 1 ms late
report-rates-are-payload-in-each-direction = Rates are payload rates in each direction.
report-drops-at-the-receiver-s-socket = Drops at the receiver's socket were not counted; the number lost on the path includes them.
report-transactions-a-second = transactions per second
report-latency-worst = latency, maximum
report-latency-share-within = latency, { $share } percentile
report-of-its-quota = CPU quota usage
report-transfer-time-ratio-2 = Transfer time ratio
report-buffer-delay-2 = Buffer delay
report-what-is-not-available-why = { $what } is not available: { $why }.
report-latency-time-of-the-smallest-message = latency (time of the smallest message)
report-best-goodput-of-any-size = highest goodput of any size
report-half-of-the-best-is-reached = size that reaches half the highest goodput (n½)
report-larger-messages-gain-little-from-saturation = saturation size (larger messages gain little)
report-cap-reached = time limit reached
report-largest-payload-of-icmp-echo = maximum ICMP echo payload
report-largest-udp-payload = maximum UDP payload
report-boot-id = boot ID
report-cpus-online = online CPUs
report-clock-source = clock source
report-frequency-governor = CPU frequency governor
report-frequency-driver = CPU frequency driver
report-isolated-cpus = isolated CPUs
report-network-namespace = network namespace
report-hash-of-this-record = hash of this inventory
report-flow-control = Ethernet flow control
report-offloads-on = enabled offloads
report-offloads-off = disabled offloads
report-transmit-queue-length = transmit queue length
report-kernel-build = kernel build

## Parts that are put together: lists, figures, whole results. A part named must… has to be found itself

part-figure = { $figure }
part-from-to = { $least } to { $most }
part-figure-in-brackets = { $count } ({ $share })
report-from-to = { $least } to { $most }
report-way-result = { $way }: { $result }.
report-way-broke-off-until-then = { $way }: ended early: { $cause }; result until then: { $result }.
part-way-figure = { $way } { $figure }
part-with-parts = { $what } ({ $parts })
part-on-connections = { $what } on { $count } connections per direction
part-with-interval = { $what } (95 % interval { $low } to { $high })
part-smallest-size = { $what }, the smallest size measured
part-smallest-number = { $what }, the smallest number measured
part-receive-coalescing = receive coalescing: waits { $time } after a short read that returns immediately
report-short-aborted = { $result } (was aborted)
part-rate-over = { $rate } of user data over { $time }
part-rate-over-requests = { $rate } of user data over { $time } in requests of { $size }
part-rate-over-mix = { $rate } of user data over { $time } with mix { $name }
part-rate-over-on-sender = { $rate } of user data over { $time } on the sender's clock
part-moved-in = { $volume } of user data in { $time }
part-gives-no-rate = from which no rate can be computed
part-share-of-what-allows = { $share } of what { $medium } allows
part-share-of-the-limit = { $share } of the limit
part-transmit = { $rate } transmit
part-receive = { $rate } receive
part-requests-a-second = { $rate } requests per second
part-answered-within = p99 response time { $time }
part-shared-window = { $share } of the window shared by all clients
part-shared-window-rate = { $share } of the window shared by all clients, { $rate } from { $from } to { $to }
part-sent-by = sent with { $how }
part-sent-and-received-by = sent with { $how } and received with { $other }
part-received-by = received with { $how }
part-one-write-a-message = one write() call per message
part-writev-of = writev of { $count } messages
part-sendfile = sendfile
part-zero-copy = zero-copy (MSG_ZEROCOPY)
part-one-call-each = one call per datagram
part-one-system-call-each = one system call per datagram
part-sendmmsg = sendmmsg
part-recvmmsg = recvmmsg
part-udp-segment = UDP_SEGMENT
part-udp-gro = UDP_GRO
part-datagrams-a-second = { $rate } datagrams per second of { $size }
part-none-lost = none of { $all } lost
part-so-many-lost = { $count } of { $all } lost
part-so-many-lost-where = { $count } of { $all } lost: { $places }
part-sent-and-not-received = { $count } of { $all } sent but not received
part-more-received-than-sent = { $count } more received than the { $all } sent
part-losses-not-known = number of lost datagrams unknown
part-at-place-path = { $count } on the path
part-at-place-path-or-host = { $count } on the path or in the receiving host
part-at-place-path-or-receiver = { $count } on the path or at the receiver
part-at-place-socket = { $count } at the receiver's socket
part-at-place-host = { $count } in the receiving host
part-refused-at-the-sender = { $count } refused by the sender's kernel
part-copies-count = { $count } duplicates
part-out-of-order = { $count } received out of order
part-tcp-transactions = { $rate } TCP transactions per second
part-udp-transactions = { $rate } UDP transactions per second
part-new-connection-each = a new connection per transaction
part-one-at-a-time = one at a time
part-many-at-a-time = { $count } at a time
part-asked-on-schedule = { $rate } requested on a fixed schedule
part-over-time = over { $time }
part-median = median { $time }
part-within-99 = p99 latency { $time }
part-worst = maximum { $time }
part-half-round-trip-of = { $time } half RTT for a message of { $size }
part-time-of-a-message-of = { $time } per message of { $size }
part-time-of-an-exchange-of = { $time } for a simultaneous exchange of { $size } in both directions
part-best-at = highest rate { $rate } at { $size }
part-half-of-the-best-from = at least half of the highest rate from { $size } upwards
part-no-probe-answered = no probe was answered
part-none-of-probes-lost = none of { $all } probes lost
part-so-many-probes-lost = { $count } of { $all } probes lost ({ $share })
part-packets-pass-both-ways = packets of { $size } pass in both directions ({ $why })
part-largest-packet-by-echo = largest packet { $size } ({ $why }), measured with ICMP echo
part-told-too-big = { $by } reported "packet too big" with an MTU of { $size }
part-told-too-big-without-size = { $by } reported "packet too big" without an MTU
part-black-hole-silence = black hole: no reply above this size
part-own-interface = MTU of the sender's interface, { $size }
part-nothing-larger-tried = no larger size was tested
part-not-settled = not determined: { $why }
part-written-accepted-durable = { $length } written, accepted after { $after } ({ $accepted }), durable after { $whole } ({ $durable })
part-written-in = { $length } written in { $time }: { $rate }
part-read-in = { $length } read in { $time }: { $rate }
part-row-writes = { $name } write rate: { $rate }
part-row-reads = { $name } read rate: { $rate }
part-iops-over = { $rate } IOPS over { $time }
part-mix-by = mix { $name } with { $players }: { $rate }
part-operations-a-second-over = { $rate } operations per second over { $time }
part-clients-between = { $least } to { $most } clients
part-made-the-workspace = created the workspace { $name }
part-made-the-workspace-with = created the workspace { $name } with a file of { $length }
part-removed-the-workspace = deleted the workspace { $name }

## The limit and the CPU in a sentence

report-limit-on = Limit: { $rate } on { $medium }: { $reason }.
report-limit-bare = Limit: { $rate }: { $reason }.
report-no-limit-known-why = The limit is unknown: { $reason }.
part-bytes-are-user-data = { $user } of { $wire } bytes on the wire are user data
part-no-real-medium = no physical medium is known between these hosts
part-latency-not-a-rate = a transaction is limited by latency, not by a rate
part-a-size-is-no-rate = the result is a size, not a rate
part-nothing-but-probes-was-sent = only latency probes were sent
report-cpu = CPU: { $cpu }.
report-cpu-no-figure-of-the-server = The server's CPU usage is not available.
part-cpus-busy = { $busy } of { $count } CPUs busy
part-cpu-busy = { $busy } of 1 CPU busy
part-host-cpus-busy = { $host } { $busy } of { $count } CPUs busy
part-host-cpu-busy = { $host } { $busy } of 1 CPU busy
part-host-cpus-busy-pinned = { $host } { $busy } of { $count } CPUs busy (pinned)
part-host-cpu-busy-pinned = { $host } { $busy } of 1 CPU busy (pinned)
part-work-of-all-hosts = including all hosts that share the server's kernel
part-both-ends-one-kernel = both ends share one kernel: one CPU value for both
part-cpu-per-kib-both = { $time } of CPU time per KiB (both ends)
part-cpu-per-kib-at = { $time } of CPU time per KiB at { $host }
part-cpu-per-kib = { $time } of CPU time per KiB
part-cpu-per-request = { $time } of CPU time per request
part-cpu-per-datagram-both = { $time } of CPU time per datagram (both ends)
part-cpu-per-datagram-at = { $time } of CPU time per datagram at { $host }
part-cpu-per-transaction-both = { $time } of CPU time per transaction (both ends)
part-cpu-per-transaction-at = { $time } of CPU time per transaction at { $host }
part-pe-index = P/E index { $index } Mbit/s per % CPU
part-pe-index-both = P/E index { $index } Mbit/s per % CPU (both ends)
part-pe-index-at = P/E index { $index } Mbit/s per % CPU at { $host }
part-no-pe-index = P/E index not available (CPU less than 2 % busy)
part-clients-busy = client CPUs { $least } to { $most } busy

## What a writer of pages says itself

report-word-note = note
report-word-warning = warning
report-word-error = error
report-what-it-rests-on = Evidence
report-and-more = and { $count } more
report-when-program-run = { $when }, goodput { $version }, run { $run }
report-side-when-command = { $side }: { $when }, { $command } (run { $run })
report-source = Source: { $source }
report-side-against = { $second } compared with { $first }
report-title-side-against = { $title }, { $second } compared with { $first }
report-program-format = goodput { $version }, run format { $format }

## Places beside what they speak of

report-more-trials-have-no-section = { $count } more trials have no separate section: the table above shows their values, and the run contains their samples.

## Sentences of a search, a load, files

report-highest-rate-confirmed = Highest rate { $allowed }: { $rate } of user data, { $datagrams }, confirmed over { $time }; { $tooMuch } was too high.
report-highest-rate-none-higher = Highest rate { $allowed }: { $rate } of user data, { $datagrams }, confirmed over { $time }; no higher rate was requested.
report-search-held-back = Limited by the sender: the path carried { $rate } of user data, { $datagrams }, { $allowed } over { $time }; the capacity above that rate is unknown.
report-search-held-back-refused = Limited by the sender, whose kernel refused { $count } datagrams: the path carried { $rate } of user data, { $datagrams }, { $allowed } over { $time }; the capacity above that rate is unknown.
report-search-not-confirmed = No rate { $allowed } was confirmed: { $rate } of user data, { $datagrams } passed only a short trial; the last trial lost { $lost }.
report-search-loss-everywhere = No rate { $allowed } was found: { $lost } were lost even at { $rate } of user data, { $datagrams }.
report-search-no-answer = The search for the highest rate { $allowed } ended without a result after { $trials } trials.
part-without-loss = without loss
part-with-at-most-lost = with at most { $lost } lost
report-server-with-clients = { $server } with { $clients }: { $points }.
part-points-best = { $count } points, highest rate { $rate } ({ $point })
part-points-nothing = { $count } load points, none of which counted any data
report-curve-best-at-saturation = { $curve }: highest rate { $rate } at { $at }; { $saturation }.
report-curve-best-with-saturation = { $curve }: highest rate { $rate } with { $whom }; { $saturation }.
report-curve-best-with = { $curve }: highest rate { $rate } with { $whom }.
part-larger-requests-gain-nothing = above { $from }, larger requests increase the rate by at most 5 %
part-more-clients-gain-nothing = above { $from }, more clients increase the rate by at most 5 %
part-more-players-gain-nothing = above { $from }, additional clients increase the rate by at most 5 %
part-not-saturated-requests = not saturated: the largest requests still increase the rate by more than 5 %
part-not-saturated-clients = not saturated: the highest client counts still increase the rate by more than 5 %
part-not-saturated-players = not saturated: the highest numbers of simulated clients still increase the rate by more than 5 %
part-saturation-cannot-be-told = the saturation point cannot be determined: { $reason }
part-fewer-than-two-points = fewer than two points were measured
part-nothing-passed = no data was transferred
part-fewer-than-ten-samples = a point has fewer than 10 interval samples
report-write-at-a-time = A single write to { $place } takes a fixed { $fixed } ({ $parts }) plus the transfer of its bytes at { $rate }; fitted to { $fit }.
report-read-at-a-time = A single read from { $place } takes a fixed { $fixed } ({ $parts }) plus the transfer of its bytes at { $rate }; fitted to { $fit }.
part-round-trip = RTT { $time }
part-service = service time { $time }
part-round-trip-and-service = RTT and service time together
part-two-block-sizes = two block sizes
part-block-sizes-within = { $count } block sizes with a deviation of at most { $share }
report-split-of-an-operation = { $load }, { $players } at { $place }: { $time } per operation, of which { $parts }.
report-split-cannot = { $load }, { $players } at { $place }: { $time } per operation, which cannot be split: disk alone { $disk } and network alone { $wire } take at least as long.
part-disk-time = disk { $time } ({ $share })
part-wire-time = network { $time } ({ $share })
part-protocol-time = protocol { $time } ({ $share })
part-the-wire = the network link
part-the-clients-disk = the client's disk
part-the-servers-disk = the server's disk
part-the-clients-cpu = the client's CPU
part-the-servers-cpu = the server's CPU
part-clients-disk = client's disk
part-servers-disk = server's disk
part-clients-cpu = client's CPU
part-servers-cpu = server's CPU
part-of-what-the-network-carried = { $share } of the { $rate } measured for the network alone
part-of-what-the-network-carried-allows = { $share } of the { $rate } measured for the network alone ({ $medium } allows { $limit })
part-of-what-medium-allows = { $share } of the { $rate } that { $medium } allows
part-of-what-it-does-alone = { $share } of the { $rate } measured for the disk alone
part-busy-of-the-time = busy { $share } of the time
part-went-into-the-flush = { $share } of the time was spent in the flush
part-list-and = { $more } and { $last }

## More columns, rows and cells

report-latency = latency
report-payload-mb = payload (MB/s)
report-share-of-probes-within = cumulative share of probes
report-share-of-transactions-within = cumulative share of transactions
report-measured = measured
report-probes-curve = probes
report-observations = observations
report-no-difference = no difference
report-with-its-flush-where-there-is-one = whole copy, including any flush
report-read = read
report-write = write
report-copy-write-to = write to { $place }
report-copy-read-from = read from { $place }
report-copy-write-alone = write, local disk only ({ $place })
report-copy-read-alone = read, local disk only ({ $place })
report-copy-write-network-alone = write, network only ({ $place })
report-copy-read-network-alone = read, network only ({ $place })
report-place-net-only = { $server }, network only
report-end = endpoint
report-of-it = protocol share
report-first = first
report-second = second
report-began = start time
report-answered = answered probes
report-offered = offered by the application
report-transactions-row = transactions
report-copies-row = duplicates
report-unresolved = unresolved (duplicate or late)
report-collisions = collisions
report-interrupts = interrupts
report-ip-fragments-sent = IP fragments sent
report-ip-fragments-not-put-together = IP reassembly failures
report-sent-late-50 = send delay, p50
report-sent-late-worst = send delay, maximum
report-from-sent-to-answered = RTT from actual send time, p50
report-sending-calls = send calls in the whole trial
report-receiving-calls = receive calls in the whole trial
report-latest = maximum send delay
report-server = server
report-mib-block = block size
report-caches = cache usage
report-compared = data verification
report-expected = expected path MTU
report-loop = measurement loop
report-method = measurement method
report-pattern = traffic pattern
report-offered-together = datagrams per burst
report-no-delay-asked = TCP_NODELAY requested
report-pacing = pacing
report-places-row = file locations
report-players-on-each-client = simulated clients per host
report-a-player-gives-up-after = error limit per simulated client
report-payload-of-a-player-at-most = payload rate limit per simulated client
report-search = search goal
report-seed-of-the-profile = profile seed
report-seed-of-what-workers-draw = random seed of the workers
report-sha-256-of-the-load-file = load file SHA-256
report-transport = transport
report-tries-a-size = tries per packet size
report-work = file task
report-workers = workers
report-workspace = workspace
report-offsets = access order
report-random = random
report-file-row = file
report-lines-of-the-mixes = request mix
report-memory = memory
report-never = never
report-nothing = nothing
report-agent = agent
report-all-it-can = maximum rate
report-the-limit-cell = bottleneck
report-to-spare = not saturated
report-nearly-used-up = nearly saturated
report-used-up = saturated
report-unknown = unknown
report-not-reached = saturation not reached
report-machine = machine
report-firmware = firmware
report-hypervisor = hypervisor
report-microcode = microcode
report-packages = CPU packages
report-cores = CPU cores
report-smt = simultaneous multithreading
report-boost = CPU frequency boost
report-idling = CPU idle driver and governor
report-weaknesses = CPU vulnerabilities
report-interfaces-row = interfaces
report-kind = interface type and state
report-driver = driver
report-link = link speed and duplex
report-modes-asked-for = advertised link modes
report-modes-of-the-other-end = link partner modes
report-queues = queues
report-channels = NIC channels
report-rings = ring sizes
report-coalescing = interrupt coalescing
report-largest-packet-to-segment = maximum GSO size
report-largest-packet-to-build = maximum GRO size
report-queueing = qdiscs
report-steering = packet steering (CPU masks)
report-below-it = lower interface
report-above-it = upper interface
report-none = none
report-not-affected-by-any = not affected by any known vulnerability
report-receive-and-transmit-queues = { $receive } receive, { $transmit } transmit
report-largest-mtu = { $mtu } (maximum { $largest })
report-busy-on-cpu = { $share } (CPU { $number })
report-so-many-segments = { $count } of { $all } segments
report-so-many-of = { $count } of { $all }
report-between-packets = { $count } ({ $packets } packets)
report-figure-at-size = { $rate } at { $size }
report-within-seconds = { $interval } (within one trial)
report-not-as-asked-cell = { $value } (not as requested)
report-sum-passes-does-not = { $sum } B passes, { $fails } B is too large
report-not-in-the-result-cause = excluded from the result: { $cause }
report-not-available-cause = not available: { $cause }
report-used-of-quota = { $used } of { $quota } CPUs, throttled in { $share } of the quota periods
report-sizes-from-to = { $count } sizes, { $least } to { $most }
report-size-and-size = { $one } and { $other }
report-interval-is-so-wide = 95 % interval at most { $width } % wide after at least { $passes } passes and { $batches } batches, or { $time } per size
report-netpipe-best-of = NetPIPE 3.7.2: best of { $trials } loops, one shared buffer
report-about-time = about { $time }
report-so-many-repeats = { $count } repeats
report-read-into-a-buffer-up-to = read() into a buffer, up to { $size } per call
report-discarded-up-to = discarded by the kernel (MSG_TRUNC), up to { $size } per call
report-tcp-rr = TCP, one connection (TCP_RR)
report-udp-rr = UDP (UDP_RR)
report-tcp-crr = TCP, a new connection for each transaction (TCP_CRR)
report-open-loop = open loop: { $rate } on a fixed schedule, latency from the intended send time
report-closed-loop = closed loop: { $count } outstanding
report-rate-in-each-direction = { $rate } in each direction
report-payload-rate-in-each-direction = { $rate } of payload in each direction
report-segmentation-auto = UDP_SEGMENT and UDP_GRO where the kernel supports them
report-several-datagrams-a-call = several datagrams per call (sendmmsg, recvmmsg)
report-search-highest-rate = highest rate with at most { $share } lost
report-search-highest-rate-up-to = highest rate with at most { $share } lost, up to { $rate }
report-mtu-icmp = ICMP echo with don't-fragment set, forward path only
report-mtu-udp = UDP with don't-fragment set, both directions at once
report-nothing-in-particular = not specified
report-one-above-the-senders-interface = one byte above the MTU of the sender's interface
report-four-round-trips = four RTTs, at least { $time }
report-path-is-idle = none (idle path)
report-tcp-load-sends = TCP, the connecting end sends, { $count } connections per direction
report-tcp-load-receives = TCP, the connecting end receives, { $count } connections per direction
report-tcp-load-both = TCP, both directions at once, { $count } connections per direction
report-udp-probes = UDP, { $size } in each direction, one probe every { $time }
report-stop-after = after { $what }
report-stop-after-in-each-direction = after { $what } in each direction
report-makes-the-workspace = creates the workspace
report-removes-the-workspace = deletes the workspace
report-once-in-the-measured-time = once, after the last write, included in the measured time
report-past-the-caches = page cache bypassed (O_DIRECT) or dropped before the measurement
report-sampled-blocks-after = { $count } blocks read back after the measurement window
report-everything-after = all data read back after the measurement window
report-so-many-surprises = { $count } operations with an unexpected status
report-read-and-write-sizes = read size { $read }, write size { $write }
part-write-one-file = write one file of { $length }, once
part-read-one-file = read one file of { $length }, once
part-mix-of = mix { $name }
report-each-with-one-connection = { $count }, each with one connection
report-a-connection = { $count } in flight per connection
report-after-transactions = after { $count } transactions

## More titles and legends

report-the-connecting-end-title = The connecting end
report-the-listening-end-title = The listening end
report-title-of-trial = { $title }, trial { $number }
report-title-of-trials = { $title }, trials { $numbers }
report-operations-of-at = File operations of { $load } at { $place }, { $players }
report-latency-over-time-title = Latency over time
report-latency-distribution-title = Latency distribution
report-p99-over-players = Latency (p99) by number of simulated clients
report-payload-over-players = Payload rate by number of simulated clients
report-over-the-number-of-clients = { $what } by number of clients
report-over-the-number-of-clients-of = { $what } by number of clients, { $of }
report-over-request-size = { $what } by request size
report-over-request-size-of = { $what } by request size, { $clients }
report-curve-over-the-number-of-clients = { $curve }, by number of clients
report-curve-over-the-request-size = { $curve }, { $clients }, by request size
report-of-each-trial = { $what } of each trial, { $probe }
part-limit-of = limit of { $medium }: { $rate }
part-limit-of-each-way = limit of { $medium } per direction: { $rate }
part-limit-of-both-ways = limit of { $medium }, both directions combined: { $rate }
part-limit-of-whom = limit of { $medium } ({ $names }): { $rate }
report-limit-lies-above = Limit of { $medium }: { $rate } is above the chart range.
report-limit-both-ways-lies-above = Limit of { $medium }, both directions combined: { $rate } is above the chart range.
report-limit-each-way-lies-above = Limit of { $medium } per direction: { $rate } is above the chart range.
report-the-limit-of-whom-lies-above = The limit of { $medium } ({ $names }): { $rate } is above the chart range.
part-p99-mark = p99 { $time }
part-latency-mark = latency { $time }
part-half-of-it-from = half of the highest rate at { $size }
part-saturation-from = saturation point { $size }
part-saturated-from = saturation point at { $from }
report-side-of-mark = { $side }: { $mark }
report-points-have-none = { $count } points have no P/E index: the CPU was less than 2 % busy, or its usage is unknown.
report-message-sizes-from-to = { $count } message sizes from { $least } to { $most }.
report-no-message-size-was-measured-full = No results for any message size.
report-the-worst-is = The maximum latency is { $time } ({ $class }).
report-at-most-time = The maximum p99 latency is { $time }.
report-copy-told = { $copy }: { $rate }.
report-trials-of-the-same-settings = { $count } trials with the same settings, from { $least } to { $most }.

## Notes below tables

report-requests-on-the-wire = { $count } requests on the wire per operation.
report-median-by-order-statistics = 95 %: confidence interval of the median, by order statistics; with fewer than six trials, their range, at a lower confidence.
report-as-dbench-prints-it = Results in dbench format (each simulated client is a dbench client):
report-cpu-is-the-pinned-one = CPU values cover only the CPU to which the server is pinned.
report-cpu-of-all-hosts = CPU and P/E include all hosts on the server's kernel, clients among them; do not compare these values with other setups.
report-charged-for-late = Latency is measured from the intended send time, so it includes any delay in sending the probe.
report-adapter-computed = Counted in the measurement window, with Ethernet headers, without frame check sequences. Computed bytes: user data, headers and acknowledgements, as a percentage of the bytes counted.
report-saturated-note = Saturation point: no later point is more than 5 % higher. The 95 % interval is computed by resampling the intervals of each point.
report-user-data-of-the-bytes-counted = User data with computed headers and acknowledgements accounts for { $share } of the bytes that { $interface } counted.
report-too-few-probes = Too few probes for the percentiles { $shares }.
report-too-few-transactions = Too few transactions for the percentiles { $shares }.
report-packets-answered-settled = { $way }: { $packets } packets sent, { $answered } answered, search finished after { $time }
report-accepted-and-durable = rate without flush: up to the reply to the last write; rate with flush: including the flush after it.
report-cap-reached-note = time limit reached: the time for a size ended before its confidence interval reached the requested width ({ $count } of { $all }).
report-disk-and-wire = disk: the same operations in { $place }, which should be on the disk of the share; network: the same data sizes transferred, but not stored.
report-network-alone = network only: the same blocks sent to and from an agent that stores nothing.
report-p50-kernel-took = p50 and p99: time until the kernel accepted a request (there are no replies), which is not its delivery time.
report-p50-request-to-reply = p50 and p99: time from request to reply.
report-p50-both = p50 and p99: time from request to reply; without replies, time until the kernel accepted a request.
report-transmit-receive-note = transmit: sent by the server, counted by the clients; receive: sent by the clients, counted by the server.
report-skew-note = timing skew: clients' first or last bytes are more than { $share } of the window away from its start or end.
report-overlap-note = overlap: part of the window that all clients shared; rate in overlap: total rate of the whole intervals in it.
report-no-room-for = The terminal is too narrow for { $names }: use a wider terminal, --json, or goodput report.
report-jains-index = Jain's fairness index: { $index } (1: all clients have equal rates).
report-in-per-cent-of-these-cpus = 100 % is the time of all CPUs that the column covers; busy excludes steal and iowait.
report-drops-below-not-counted = Drops in the receiving host below its sockets were not counted; the number lost on the path includes them.
report-rfc-6349-no-idle = Transfer time ratio, TCP efficiency and buffer delay follow RFC 6349. No idle RTT was measured: the buffer delay uses the connections' own minimum RTT and is a lower bound.
report-counters-whose = Interface and protocol counters cover the agent's network namespace, all others the whole kernel. Reading them took { $time }.
report-drivers-counters-moved = Driver-specific counters that changed: { $count }; --json lists them by name.
report-kernel-messages-not-available = Kernel messages are not available: { $why }.
report-best-of-as-crystaldiskmark = best: the best of { $trials }, as in CrystalDiskMark; compare runs by the median. { $intervals }
report-mean-and-shift-note = Each run's column shows the mean of its trials. The change is the median ratio of all pairs of trials, one from each run (Hodges–Lehmann); a single disturbed trial does not affect it.
report-within-note = (within one trial): computed from the seconds of the trial, without the variation between trials. Measure with --repeat 5 to include it.
report-record-changed = In { $run } the host inventory changed between trials; the inventory of the first trial is shown.
report-no-cell-on-both-sides = No cell has values on both sides of the comparison.
report-more-cells-in-json = The JSON output contains { $count } more cells.
report-compared-apart = Unpaired differences; Hodges–Lehmann shift, Mann–Whitney test; p adjusted by Holm's method per metric; significant at { $alpha } or less.

## Comparisons of runs

report-no-measurement-of-the-same-settings = { $second } and { $first } have no measurement with the same settings.
part-so-many-better = { $count } better
part-so-many-worse = { $count } worse
part-so-many-without-a-change = { $count } without a significant change
part-so-many-cannot-be-told = { $count } inconclusive
report-cells-compared = { $count } cells: { $better } significantly better, { $worse } significantly worse, { $same } without a significant difference, { $open } inconclusive.
report-experiment-with-a-run = An experiment cannot be compared with a single run: { $names } is an experiment, the others are not.
report-experiments-with-a-run = An experiment cannot be compared with a single run: { $names } are experiments, the others are not.
report-met-not-surely = requirement met, but not statistically significant
report-not-met-not-surely = requirement not met, but not statistically significant
report-what-both-measure-goodput-p50 = latency p50
report-latency-p99-word = latency p99

## Lists

report-unfinished = (unfinished)
report-takes-no-orders = rejects requests from this host
report-idle = idle
report-mixed = mixed
report-both-ways = both directions

## Why a limit is what it is

part-bytes-ack = { $user } of { $wire } bytes on the wire are user data, including the acknowledgement of { $count } segments
part-bytes-of-cells = { $user } of the { $wire } bytes of { $cells } cells ({ $name }) are user data
part-traffic-tcp = MTU { $mtu }, { $ip }, TCP { $options }
part-traffic-tcp-packets = packets of { $packet } as sent by the connection, MTU of the medium { $mtu }, { $ip }, TCP { $options }
part-with-timestamps = with timestamps
part-without-timestamps = without timestamps
part-timestamps-assumed = with timestamps (assumed)
part-traffic-udp = datagrams of { $size }, MTU { $mtu }, { $ip }, UDP
part-traffic-udp-pieces = datagrams of { $size } in { $count } fragments, MTU { $mtu }, { $ip }, UDP
part-limit-both-ways-full = { $share }, full duplex with both directions combined
part-limit-both-ways-half = { $share }, half duplex: both directions share it
part-limit-before-file-headers = { $share }, without the headers of the file protocol (SMB, NFS)
part-limit-times-the-other-way = { $share }, multiplied by { $factor } for the traffic of the mix in the other direction
part-limit-bus-allows-more = { $share }; the bus { $bus } allows more: { $peak }
part-limit-medium-allows-more = { $peak }; { $medium } allows more: { $rate }
part-limit-of-the-medium-why = { $peak }; limit of the medium: { $why }
part-peak = { $rate } peak rate
part-peak-shared = { $rate } peak rate, shared by both directions
part-peak-each-way = { $rate } peak rate per direction
part-mtu-leaves-no-room = an MTU of { $mtu } leaves no room for user data
part-mtu-takes-no-datagrams = an MTU of { $mtu } cannot carry datagrams of { $size }
part-no-arithmetic-for-medium = goodput cannot compute a limit for the medium { $name }
part-inside-a-host = { $name } transfers data within one host, not between hosts
part-this-is-no-measurement = this trial only creates or removes files
part-no-network-lies-between = the location is not reached over a network

## What a medium allows (goodput limits)

part-tcp-over = TCP over { $ip } { $options }
part-udp-over = UDP over { $ip }
part-udp-over-datagrams = UDP over { $ip }, datagrams of { $size }
part-ip-headers-counted = IP (headers counted as data)
part-one-connection-with-window = one TCP connection with the specified window
part-data-in-packets = data in packets of { $size }
part-peak-row = peak rate
part-as-it-was-measured = measured disk rate
part-the-measurement = the disk rate that you specified
report-limits-half-duplex = Half duplex: both directions share the medium. TCP rates include one acknowledgement per two segments; collisions reduce them further.
report-limits-bytes-around-serial = { $bytes } bytes of overhead per packet.
report-limits-mtu-above = An MTU above 1500 B is outside IEEE 802.3; both ends and all devices between them must support it.
report-limits-cells = { $bytes } bytes in AAL5 ({ $name }) need { $cells } cells with { $padding } bytes of padding; the line of { $rate } carries { $second } cells per second.
report-limits-window = At an RTT of { $time } the path holds { $volume } Mbit: a window of { $window } fills it.
report-limits-everything-shares = All devices on the bus share its rate, in both directions.
report-limits-device-shares = Both directions of the device share its rate.
report-limits-each-way = Each direction has the full rate.
report-limits-a-peak = Peak rate: arbitration, addresses and descriptors reduce the usable rate.
report-limits-disk = Disk rates are never assumed: this is the rate you specified.

## What limits a copy, and why

part-resource-why = { $resource } ({ $why })
part-cause-may-be = the bottleneck may be { $told }
part-cause-each-enough = { $told }: each alone could be the bottleneck
part-cause-nothing = no monitored resource was at its limit
part-cause-nearest = no resource was certainly at its limit; closest to it: { $near }
part-cause-impossible = the rate of { $rate } exceeds the { $allowed } that { $medium } carries, so a cache on the client served the data
part-not-measured = not measured
part-of-its-cpus-busiest = { $busy } of the host's { $count } CPUs, busiest CPU { $busiest }
part-of-its-cpu = { $busy } of the host's CPU
part-which-is-the-work-of-both = { $used }, which includes the work of both ends
part-somebody-waited-for-a-disk = for { $share } of the window a process on the server waited for a disk, which transferred { $moved } of the payload
part-copy-hardly-waited = { $used }, although the copy rarely waited for the disk
report-try-faster-link = use a faster link; goodput stream HOST shows whether the present link reaches its expected rate
report-try-clients-cpu = use jumbo frames, enable offloads (ethtool -k), or disable encryption and signing where that is safe; goodput stream HOST shows the CPU usage without files
report-try-larger-blocks = use larger blocks (--block), and direct I/O where the file system supports it (--direct)
report-try-servers-cpu = on the server, use jumbo frames, enable offloads (ethtool -k), or disable encryption and signing where that is safe
report-try-copy-from-faster-disk = copy from a faster disk, or omit --local to measure without the local disk
report-try-copy-to-faster-disk = copy to a faster disk, or omit --local to measure without the local disk
report-try-faster-disk = use a faster disk; the drive benchmark (goodput file disk) shows which access patterns are slow
report-try-faster-disk-in-the-server = install a faster disk in the server, or more memory: it speeds up repeated reads, and writes until the memory is full
report-try-larger-size = use a larger --size, so that each copy takes several seconds, and a higher --repeat
report-try-agent-on-the-server = run goodput agent on the server and add --server HOST to measure its CPU and its disk (--server-folder PATH); --medium specifies the link
report-try-why-disk = run goodput why { $command }, which tests whether the disk limits

## Experiments held against each other

report-compared-better = { $what }: { $differs }; the difference is a statistically significant improvement ({ $chance })
report-compared-worse = { $what }: { $differs }; the difference is a statistically significant deterioration ({ $chance })
report-compared-not-shown = { $what }: no significant difference between { $second } and { $first } ({ $chance })
report-compared-not-shown-lies = { $what }: no significant difference between { $second } and { $first }; the difference lies between { $low } and { $high } ({ $chance })
report-compared-cannot-tell = { $what }: { $measured }, but the significance of the difference cannot be determined: { $why }
report-compared-nothing = { $what }: no comparison is possible: { $one }, { $other }
part-is-lower = { $second } is { $by } lower than { $first }
part-is-higher = { $second } is { $by } higher than { $first }
part-measured-lower = { $second } measured { $by } lower than { $first }
part-measured-higher = { $second } measured { $by } higher than { $first }
part-drifted-by-itself = one of the two runs drifted by { $by } during its own measurement
part-too-few-blocks = { $blocks } with both levels, but { $comparisons } need at least { $least }
part-too-few-values = the two runs have only { $one } and { $other } values
part-too-few-values-need = the two runs have only { $one } and { $other } values, but { $comparisons } need at least { $least } each
part-no-p-value = no p-value
part-p-below = p < 0.001
part-p-is = p = { $p }
part-p-after-holm = { $p } after Holm correction for { $count } comparisons
part-was-not-measured = { $name } was not measured
part-failed-all-times = { $name } failed { $count } of { $count } times

## What a run compared was

part-versus-request = request { $kind }, { $there } and { $back }
part-versus-latency-idle = latency, idle
part-versus-latency-under = latency under { $way }
part-versus-load = load { $traffic }, { $size }, { $count } clients

## The history of an experiment

report-history-none-has-a-figure = None of the { $count } runs has a value of this metric.
report-history-cannot-be-told = It cannot be determined whether the value has changed: { $reason }.
report-history-lead = { $what } was { $value } at { $when }; { $runs }.
part-history-no-change = { $runs } without a significant change
part-history-one-change = { $runs } with one significant change
part-history-changes = { $runs } with { $changes } significant changes
report-history-changed = The value changed { $how } with the run of { $when }: { $before } runs before the change and { $after } since, p = { $p }.
part-from-to-figure = from { $before } to { $after }
part-from-to-figure-change = from { $before } to { $after } ({ $change })
part-changed-how = changed { $how }
report-time-since = time since { $day }
report-run-by-run = { $what } of { $name } by run
report-least-and-greatest = { $lead } The minimum is { $least }, the maximum { $most }.
part-runs-are-too-few = { $count } runs are too few, at least { $least } are needed
part-a-run-has-no-figure = a run has no value of the metric

## Why something is not known

part-nothing-delivered-gives-a-rate = no data was delivered from which to compute a rate
part-too-little-was-delivered = too little data was delivered
part-kernel-does-not-tell-sent = the sender's kernel does not report how much it sent
part-kernel-counts-segments-not-bytes = the sender's kernel counts retransmitted segments, but not their bytes
part-nothing-was-sent = no data was sent
part-no-round-trip-inside = the sender's kernel reported no RTT inside the measurement window
part-no-least-round-trip = the sender's kernel reports no minimum RTT
part-it-broke-off = the client stopped before the window ended
part-it-has-not-reported = the client has sent no report
part-not-set-why = level not set: { $cause }
part-timed-out-no-result = timed out: no result within { $time }

## Conclusions of experiments: how sure they are

sure-repeats = at least { $n } repeats per combination; simultaneous 95 % confidence intervals for { $m } comparisons
sure-repeats-one = at least { $n } repeats per combination; 95 % confidence interval for { $m } comparison
sure-one = one value per combination: the effect of chance cannot be estimated
sure-counted = counted, without a significance test
sure-none = no values available

## Conclusions of experiments: what they rest on

report-at-place-from = { $place }: { $figure } ({ $source })
report-at-place-median-of = { $place }: { $figure } (median of { $n }: { $source } and { $more } more)
report-median-of-comparisons = { $factor }: the best level gives { $times } times the value of the worst (median, n = { $n })
report-dearer-a-unit = in { $n } of { $all } comparisons the more expensive level costs more per unit at every price, in { $cheaper } less at every price; { $open } undetermined
report-lost-at-size = { $place }: { $rate } at { $size }, { $share } below the rate expected from other sizes ({ $least } to { $most })
report-trial-number = trial { $number }
sure-beyond-the-noise = larger than the noise, estimated from the repeats of each point and corrected for all pairs of sizes
sure-beyond-the-noise-neighbours = larger than the noise, estimated from neighbouring points because there are no repeats, and corrected for all pairs of sizes
sure-no-later-size = no larger size gives over 5 % more; 95 % bootstrap interval of the size, from resampled repeats
report-mann-kendall = Mann-Kendall p = { $p } over { $n } values
report-standard-deviations-away = { $what }: { $n } standard deviations from the values around it
report-robust-standard-deviation = robust standard deviation between { $n } blocks of { $cells } cells

## Experiments: headings, notes, tables

report-experiment-extent = { $extent }.
report-questions-answered = { $count } questions; answers: { $answers }.
part-so-many-yes = { $count } yes
part-so-many-no = { $count } no
part-so-many-in-part = { $count } partly
part-so-many-not-known = { $count } undetermined
report-experiment = Experiment
report-against-the-mean = Effects relative to { $mean }, each factor alone; { $count } observations; { $noise }. The share of a term is its part of the sum of squares of all terms.
report-against-the-mean-blocks = Effects relative to { $mean }, each factor alone; { $count } observations, { $blocks } block effects removed; { $noise }. The share of a term is its part of the sum of squares of all terms.
part-the-geometric-mean = the geometric mean of all levels
part-the-mean = the mean of all levels
report-against-the-geometric-mean = relative to the geometric mean of all levels
report-points-against-the-mean = percentage points relative to the mean of all levels
report-against-the-mean-of-levels = relative to the mean of all levels
report-against-the-mean-of-levels-unit = relative to the mean of all levels ({ $unit })
part-noise-from-repeats = noise estimated from repeats, { $degrees } degrees of freedom
part-noise-from-the-rest = noise estimated from higher-order interactions, because there are no repeats
part-noise-from-nothing = noise cannot be estimated, so there is no confidence interval and no p-value
report-looks-the-same = This design cannot separate { $term } from { $others }.
report-without-these-levels = Levels { $levels } are excluded: too few measurements to separate the factors.
report-weaker-terms = { $count } terms with smaller effects are not shown.
report-weaker-levels = { $count } more levels are in the table.
report-what-each-level-does = Effect of each level on { $what }
report-units-cannot-show = The number of experimental units ({ $units }) is too small to show a difference among the level pairs ({ $pairs }); at least { $least } units are required.
report-one-figure-each = Only one value per level: the confidence of this ranking cannot be estimated.
report-order-not-random = The order within blocks was not random: { $one } and { $other } always ran in the same order. A drift within a block would look like a difference; randomize the order.
report-cells-of-one-alone = Cells that exist in only one of the two data sets and are not compared: { $firstCount } of { $first }, { $secondCount } of { $second }.
report-measured-one-after-the-other = The two data sets were measured one after the other, not interleaved: the difference includes everything else that changed in between.
report-what-costs-with-each = Cost of { $what } for each level of { $factor }
report-a-level-does-not-pay = A level is not cost-effective if another one is significantly cheaper and at least as good. Counted over the combinations of the other factors.
report-level-is-left-out = { $level } is excluded: { $why }.
report-the-run-lies-in = The run with all samples is in { $folder }; to export it, enter: goodput export { $run } --format json.
report-some-of-all-sizes = { $kept } of { $all } sizes are shown; the data contains all of them.
report-more-combinations-not-drawn = { $count } more combinations are not plotted; the table and the data contain them.
report-a-line-for-each = One line for each { $names }.
report-reason-of-cell = [{ $number }] { $reason }
report-difference-in-points = { $difference } percentage points
report-every-host-the-same = Each host was the same machine with the same settings in all trials.
report-factor-not-put-back = { $factor } was not restored: { $cause }
report-the-probes-own-line = command line of the probe
report-the-lab-does = set by the lab: { $paths }
report-a-command-on = set by a command on { $host }: { $command }
report-by-hand = set by hand: { $ask }
report-does-not-pay-than = not cost-effective compared with { $levels }
report-cannot-tell-why = undetermined: { $reasons }
report-over-the-run-of = { $what } in run order
report-place-in-the-run = position in the run order
report-difference-from-the-median = deviation from the cell median
report-interval-of-the-median-words = confidence interval of the median
report-no-figure-was-measured = No value was measured.
report-cpu-busy-words = CPU busy

## What limits a transfer (goodput why)

report-suspected-causes = Suspected causes
report-suspected-causes-next = Suspected causes with { $change }
report-cause = cause
report-effect-on = effect on
report-predicted = predicted
report-agrees = agrees
report-cause-proven = proven
report-cause-excluded = excluded
report-cause-possible = possible
report-agrees-cannot-tell = cannot tell
report-effect-interval = { $ratio } ({ $low } to { $high })
report-effects-are-ratios = Effects are ratios to unchanged settings. The intervals of goodput hold for all of them together with 95 % confidence; others are the range over the blocks. A cause is named if every predicted effect was measured.

## What a check of a path found (goodput check)

report-path-figures = Figures of the path
report-check-path-mtu = path MTU
report-check-idle = idle RTT, median
report-check-loaded = RTT under TCP load, median
report-check-tcp = TCP goodput
report-check-share = share of the limit
report-check-both = TCP, both directions
report-check-udp = UDP rate without loss
report-check-half-size = size for half of the rate
report-check-cpu-busy = CPU busy, sending host
report-check-busiest-cpu = busiest CPU, sending host
report-check-medium-unknown = medium unknown (--medium names it)
report-check-short-trial = in a short trial only
report-check-limit = limit { $rate } ({ $medium })
report-check-linear-from = time grows linearly from { $size }
report-path-rates = Rates of the path, { $way }
report-one-direction = one direction at a time
report-both-at-once = both directions at once

## Datagrams, requests, clocks and path MTU

part-datagrams-none-lost = none lost
part-datagrams-nothing-lost = nothing lost
part-datagrams-lost = { $lost } lost
part-datagrams-sent-delivered = { $sent } sent, { $delivered } delivered, { $lost }
part-datagrams-both-ways = { $first } / { $then }
report-latency-minimum = latency, minimum
report-latency-mean = latency, mean
report-clock-offset-over-time = Clock offset over time, { $way }
part-clock-agrees = the clock of { $host } agrees
part-clock-ahead = the clock of { $host } is { $time } ahead
part-clock-behind = the clock of { $host } is { $time } behind
part-clock-drift = drift { $drift }
part-clock-drift-not-constant = the drift was not constant
part-clock-offset = { $offset } ± { $error }
part-clock-ppm = { $drift } ± { $error } ppm
part-mtu-largest-packets = largest packets { $packets }
part-mtu-there = { $size } there
part-mtu-back = { $size } back
part-mtu-sum = { $packet } − { $headers } = { $payload }
report-mtu-sum-passes = { $sum } B passes

## Tables of hosts, latency and ping-pong

part-latency-idle = idle
part-latency-send = send
part-under-tcp-load = under TCP load { $way }
part-under-tcp-load-at = under TCP load { $way } at { $rate }
part-latency-result = { $load }: { $more }
part-latency-p50 = { $load } p50 { $time }
part-latency-lost = { $count } lost
part-pingpong-smallest = the smallest message
part-pingpong-time-of = { $time } of { $size }
report-pingpong-short = { $time }, best { $rate }
report-host-connects-pinned = { $host } (connects, pinned)
report-host-listens-pinned = { $host } (listens, pinned)
report-interface-counter = { $interface }: { $what }
report-socket-option-unmet = { $label }: { $option } { $asked } asked, { $obtained } obtained
report-agent-protocol = protocol { $number }
report-agent-trouble = { $host } at { $address }: { $trouble }
report-agent-busy = busy for { $time }: { $client }
part-agent-unnamed = a host
part-agent-time-left = { $time } left
part-agent-waiting = { $count } waiting
report-inventory-kernel = { $kernel } { $architecture }
report-flow-control-states = receive { $receive }, transmit { $transmit }, negotiated { $negotiated }
report-interrupt-on-cpu = { $interrupt } on CPU { $cpu } (allowed { $allowed })
part-flow-control-on = on
part-flow-control-off = off
part-driver-firmware = firmware { $version }
part-driver-bus = bus { $address }
part-pci-unknown-speed = unknown speed x{ $lanes }
part-pci-no-link = no link (a virtual device)
part-pci-could-use = { $now } (could use { $most })
part-pci-numa-node = NUMA node { $number }
part-link-speed-unknown = speed undetermined
part-link-duplex = { $duplex } duplex
part-link-duplex-unknown = duplex undetermined
part-link-autonegotiation-on = autonegotiation on
part-link-autonegotiation-off = autonegotiation off
part-link-autonegotiation-unknown = autonegotiation undetermined
part-qdisc-at = { $qdisc } at { $rate }
part-qdisc-overhead = overhead { $size }
report-limits-title-full-duplex = { $medium }: { $rate }, MTU { $mtu }, full duplex, each direction
report-limits-title-half-duplex = { $medium }: { $rate }, MTU { $mtu }, half duplex
report-limits-source = Source: { $source }. Formulas: docs/methods/limits.md.
report-limits-bound = A transfer over all of them is bounded by { $medium }: { $rate }.
report-runs-search = search of { $count } trials: { $result }
report-runs-more = { $count } more
report-run-comparison = { $second } compared with { $first }, { $count ->
        [one] { $count } value
       *[other] { $count } values
    }: { $tally }.

## Loads

part-load-clients = { $count ->
    [one] { $count } client
   *[other] { $count } clients
    }
part-load-clients-excluded = { $count ->
    [one] { $count } client excluded
   *[other] { $count } clients excluded
    }
part-load-only-server-pinned = only the server is pinned
part-load-host-pinned = { $host } (pinned)
part-load-all-hosts-one-kernel = all hosts, one kernel
part-load-no-requests = no requests
part-load-one-point = 1 point
part-load-point-with = { $point } with { $clients }
part-load-mark-of-curve = { $curve } { $mark }
part-load-skew = skew
part-load-cannot-be-determined = cannot be determined: { $reason }
part-load-last-steps-undecided = the last steps may gain more than 5 % or less
part-load-names = { $count }: { $names }
part-load-mixes = { $first } | { $then }
part-load-mix-line = { $share }: { $parts }
part-load-reads = { $share } reads
part-load-reply = reply { $size }
part-load-burst-after = after { $time } { $count } at once
part-load-on-one-connection = { $what } on one connection
part-load-with-replies = { $what } with replies
part-load-connection-for = a connection for { $count }
part-load-one-worker-a-client = 1 worker a client
part-load-workers-a-client = { $count } workers a client
part-load-outstanding = { $count } outstanding
part-load-cpus-of-trials = { $count } CPUs, { $scope ->
    [own] its own
    [shared] shared with clients
   *[pinned] pinned
    }: trials { $trials }

## File work

part-file-simulated-clients = { $count ->
    [one] { $count } simulated client
   *[other] { $count } simulated clients
    }
part-file-mix-at = { $load } at { $place }
part-file-write-copy = write copy
part-file-read-copy = read copy
part-file-write-row = write { $name }
part-file-read-row = read { $name }
part-file-prepare = prepare
part-file-remove = remove
part-file-read-accepted-durable = { $length } read, accepted after { $after } ({ $accepted }), durable after { $whole } ({ $durable })
part-file-workspace-made = workspace made
part-file-workspace-removed = workspace removed
part-file-rows-best = { $count } rows, best { $rate }
part-file-row-task = { $way }: { $name }
part-file-queue-and-threads = { $queue } × { $threads }
report-file-try = try: { $advice }
report-file-network-link = network link
part-file-limited-by = { $what } reached { $rate }, limited by { $whose }: { $why }
part-file-limit-unknown = { $what } reached { $rate }; the bottleneck cannot be determined: { $why }
part-file-writing-to = writing to { $place }
part-file-reading-from = reading from { $place }
part-file-including-flush = { $rate } including the flush
part-file-disk-of-this-host = a disk of this host
part-file-or-near = { $told }, or { $near }
part-file-but-no-data = { $why }, but no data is available on { $unknown }
part-file-and-no-data = { $why }; no data is available on { $unknown }
part-file-quota-waited = { $cpus ->
    [one] a quota of 1 CPU, throttled in { $throttled } of the quota periods
   *[other] a quota of { $cpus } CPUs, throttled in { $throttled } of the quota periods
    }
part-file-quota-used = { $cpus ->
    [one] { $used } of the quota of 1 CPU (throttled in { $throttled } of the quota periods)
   *[other] { $used } of the quota of { $cpus } CPUs (throttled in { $throttled } of the quota periods)
    }

## Experiments

part-experiment-factors = { $count ->
    [one] { $count } factor
   *[other] { $count } factors
    }
part-experiment-cells = { $count ->
    [one] { $count } cell
   *[other] { $count } cells
    }
part-experiment-values = { $count ->
    [one] { $count } value
   *[other] { $count } values
    }
part-experiment-attempts = { $count ->
    [one] { $count } attempt without a result
   *[other] { $count } attempts without a result
    }
part-experiment-trials = { $count ->
    [one] { $count } trial
   *[other] { $count } trials
    }
part-experiment-more = { $count } more
part-experiment-pair = { $first } { $then }
part-experiment-of-probe = { $probe } { $metric }
part-experiment-span = { $least }–{ $most }
part-experiment-of-so-many = { $what } n { $count }
part-experiment-footnote = { $what } [{ $number }]
part-experiment-knob = { $knob } on { $hosts }
part-experiment-for-sum = for { $sum }
part-experiment-unit-for-sum = { $unit } for { $sum }
part-experiment-more-than = { $price } more than { $level }
part-experiment-interval = 95 % interval of the median, by order statistics
part-experiment-interval-confidence = interval of the median by order statistics, confidence at least { $confidence }
part-experiment-limit = limit: { $limit } ({ $reason })
report-experiment-limit = Limit: { $limit } ({ $reason }).
report-experiment-numbered-title = { $name }. { $title }
report-experiment-file-too-large = { $what }; too large to embed in this page
report-experiment-range-of-values = From { $least } ({ $here }) to { $most } ({ $there }).
report-experiment-deviations = { $count } observations, from { $least } to { $most } of their cell's median.
report-experiment-cells-are-medians = Each cell shows the median of n = { $count } values ({ $interval }).
report-experiment-cells-are-medians-of-n = Each cell shows the median of n values ({ $interval }).
report-experiment-interval = Interval: { $interval }.
report-experiment-each-is-a-median = Each is the median of n = { $count }.
report-experiment-few-values = { $count } values are too few for an interval; { $least } are needed.
report-experiment-interval-is-range = The interval of { $count } values is their range, which is { $share } sure.
report-experiment-largest-changes = The { $count } largest changes of { $all }.
report-experiment-requirements-not-met = { $count ->
    [one] { $count } of { $all } requirements is not met.
   *[other] { $count } of { $all } requirements are not met.
    }
report-experiment-interval-word = interval
report-experiment-order-caption = Deviation of each observation from the median of its cell, in run order: a slope or a step is caused by the hosts, not by the factors.
report-experiment-csv-file = every observation, one per line, in base units
report-experiment-json-file = the same data with factors, units and questions, in the format that goodput reads
part-experiment-not-a-number = the figure is not a number

## Views

report-view-notes-beside = { $count ->
    [one] { $count } note is shown next to the related chart or table.
   *[other] { $count } notes are shown next to the related charts or tables.
    }
report-view-warnings-beside = { $count ->
    [one] { $count } warning is shown next to the related chart or table.
   *[other] { $count } warnings are shown next to the related charts or tables.
    }
report-view-stand-beside = { $what } are shown next to the related charts or tables.
part-view-warnings = { $count ->
    [one] { $count } warning
   *[other] { $count } warnings
    }
part-view-notes = { $count ->
    [one] { $count } note
   *[other] { $count } notes
    }
report-view-side-against-summary = { $second } compared with { $first }, { $summary }
report-view-limit-lies-above = Limit: { $rate } is above the chart range.
report-view-limit-both-ways-lies-above = Limit, both directions combined: { $rate } is above the chart range.
report-view-limit-each-way-lies-above = Limit per direction: { $rate } is above the chart range.
report-view-limit-of-whom-lies-above = The limit ({ $names }): { $rate } is above the chart range.
part-view-limit-rate = limit: { $rate }
part-view-limit-both-ways = limit, both directions combined: { $rate }
part-view-limit-each-way = limit per direction: { $rate }
part-view-limit-of-whom = limit ({ $names }): { $rate }
part-view-above = above { $least }
report-view-runs-not-shown = { $count ->
    [one] { $count } more run is not shown, because it is older or has a different metric.
   *[other] { $count } more runs are not shown, because they are older or have a different metric.
    }
part-view-runs = { $count ->
    [one] { $count } run
   *[other] { $count } runs
    }
report-view-throughput-over-message-size = Throughput by message size
report-view-half-round-trip-over-message-size = Half RTT by message size
report-view-time-over-message-size = Transfer time by message size
report-view-signature = Signature graph: throughput by transfer time
report-view-saturation = Saturation graph: message size by transfer time
report-view-goodput-over-time = Goodput over time
report-view-clock-offset-over-time = Clock offset over time
report-view-runs-newest-first = { $count ->
    [one] { $count } run, the newest first
   *[other] { $count } runs, the newest first
    }
report-view-idle-runs-left-out = { $count ->
    [one] Left out: { $count } run in which nobody has anything to do.
   *[other] Left out: { $count } runs in which nobody has anything to do.
    }
part-view-tcp-with = TCP with { $name }
part-view-more-than = more than { $count }

## Analysis

part-limit-bound = { $reason }: { $rate }
part-limit-bound-on = { $medium }: { $reason }: { $rate }
report-limits-ethernet-overhead = { $tags ->
    [0] { $bytes } bytes of overhead per packet: header, FCS, preamble, gap.
    [1] { $bytes } bytes of overhead per packet: header, FCS, preamble, gap, a VLAN tag.
   *[other] { $bytes } bytes of overhead per packet: header, FCS, preamble, gap, { $tags } VLAN tags.
    }
part-no-way-back-without-agent = not available without an agent on { $host }
part-slot-unknown-speed = unknown speed
part-slot-unknown-speed-lanes = unknown speed x{ $lanes }
part-compared-stream = stream { $way }, { $size }, { $count ->
        [one] { $count } connection
       *[other] { $count } connections
    }
part-compared-write = write { $what } at { $place }
part-compared-read = read { $what } at { $place }
part-compared-from-local-disk = { $copy }, from a local disk
part-compared-to-local-disk = { $copy }, to a local disk
part-compared-mix = { $name } mix, { $players }, at { $place }
part-compared-at = { $what } at { $place }
part-compared-with-interval = { $what } (95 % interval between { $low } and { $high })
part-compared-blocks = { $count ->
    [one] { $count } block
   *[other] { $count } blocks
    }
part-compared-blocks-left-out = { $count ->
    [one] { $count } incomplete block excluded
   *[other] { $count } incomplete blocks excluded
    }
part-compared-comparisons = { $count ->
    [one] { $count } comparison
   *[other] { $count } comparisons
    }
part-compared-has-values = { $count ->
    [one] { $name } has { $count } value
   *[other] { $name } has { $count } values
    }
part-evidence-cell = cell { $number }
part-evidence-trials = trials { $numbers }
part-evidence-values = { $trials }: { $values }
part-no-trial-reached-the-disk = it ended, but none of its trials reached the disk
part-was-aborted-why = was aborted: { $cause }
part-result-has-no = the result has no { $name }
part-trials-have-different-settings = its trials have different settings, so that no one { $name } stands for them; name one by what it has in brackets, as in file_run.rows[name=SEQ1M,way=read].rate_bps.median
part-price-no-value = no value
part-price-missing = no price
part-price-other-currency = its price is in { $currency }
part-price-no-range = its price is not a range of amounts
part-price-dearer-not-better = it is dearer than { $level } and not shown to be better
part-price-worse-may-cost = it is worse than { $level }, and may cost more or less
part-conclusion-values = { $count ->
    [one] { $count } value
   *[other] { $count } values
    }
part-conclusion-at-place = { $place }: { $figure }
part-conclusion-metric = { $metric } of { $probe }
