### Findings: a message a rule, named rule-ID. The value is the short title, .try the advice, .text… the sentences.
### Each message is constructed in Rust by `message!(rule_id_text { … })`, with its variables as fields.

## Parts of sentences

try-report-it = report this as a bug in goodput, and attach the run
clause-way = from { $from } to { $to }
clause-connecting-end = the connecting host
clause-listening-end = the listening host
clause-both-hosts = both hosts
clause-hosts-of-one-kernel = the hosts that share one kernel
clause-hosts-on-other-cpus = the hosts on the shared CPUs
clause-kernel-of-both = the kernel of both hosts
clause-kernel-of-many = the kernel of { $count } hosts
clause-the-medium = the medium
clause-servers-medium = the server's medium
clause-both-directions = both directions
clause-both-directions-together = both directions together
clause-best-size = the best message size
clause-direction = direction { $direction }
clause-connections-of-server = connections of the server
clause-connections-of-clients = connections of the clients
clause-and-more = { $names } and { $count } more
clause-between = between { $least } and { $most }
clause-overlap = all clients shared { $part } of the window
clause-overlap-rate = all clients shared { $part } of the window; its whole intervals, from { $from } to { $to }, had a total rate of { $rate }
clause-lost-share = { $count } of { $sent } datagrams ({ $share })
clause-lost-shares = { $count } of { $sent } datagrams ({ $least } to { $most })
clause-cpus-of = { $count ->
        [one] { $count } CPU
       *[other] { $count } CPUs
    } ({ $scope ->
        [own] the server's own
        [shared] shared with clients
       *[pinned] pinned
    })
part-copies = the network duplicated datagrams, so a drop at the socket is not necessarily a loss
part-events = one drop counted by the kernel at the socket can represent several datagrams
part-too-late = either some datagrams arrived too late to be distinguished from duplicates, or packets dropped in a host may belong to other traffic
clause-check-copies = duplicates
clause-check-order = reordering
clause-check-jitter = interarrival jitter
clause-check-delay = delay variation
clause-check-drops = drops at the receiver's socket
clause-interface-counters = interface counters
clause-protocol-counters = protocol counters
clause-kept-in-memory = the agent stores the data in memory
clause-lies-in-memory = the file system ({ $name }) stores its data in memory
clause-mtu-interface = { $from } uses an MTU of { $mtu } on { $interface }
clause-mtu-router = { $by } on the path reported an MTU of { $passes }
clause-mtu-vanishes = larger packets are lost on the path without an ICMP message
clause-mtu-known = no larger packet is known to pass
clause-mtu-own-interface = the interface of the sender
clause-mtu-bounds = packets of { $passes } pass, packets of { $fails } do not
clause-mtu-least = packets of { $passes } pass
clause-mtu-nothing = no reply was received
clause-wire-other = or the medium differs from the specified one
clause-wire-resident = { $share } of the file was in this host's memory
clause-wire-mount = the cache of the mount ({ $mount }) supplied the data

## Counts that must agree

rule-intervals-do-not-add-up = Sum of intervals differs from the window total
    .try = { try-report-it }
    .text = the intervals of { $connection } add up to { $total }, but the window total is { $window }
rule-receiver-total-differs = Receiver's total differs from its kernel's
    .try = { try-report-it }
    .text = { $host } received { $ours } on { $connection }, but its kernel counted { $kernel }
    .text-2 = { $host } received { $ours } from worker { $worker }, but its kernel counted { $kernel }
rule-sender-total-differs = Sender's total differs from its kernel's
    .try = { try-report-it }
    .text = { $host } sent { $ours } on { $connection }, but its kernel counted { $kernel }
rule-ends-disagree = Sent and received totals differ
    .try = { try-report-it }
    .text = { $sent } were sent on { $connection }, but { $received } were received
    .text-2 = { $host } received { $received } from worker { $worker }, but { $sent } were sent
rule-datagram-account-negative = More datagrams counted than offered
    .try = { try-report-it }
    .text = the counters of direction { $direction } add up to { $count } more datagrams than were offered
rule-datagram-totals-differ = Datagram totals differ between the hosts
    .try = { try-report-it }
    .text = the totals of flow { $flow } received by { $host } differ from those reported by its sender
    .text-2 = the totals of flow { $flow } received by { $host } differ from those reported by its receiver
rule-latency-count-differs = Latency and transaction counts differ
    .try = { try-report-it }
    .text = { $operations } transactions completed, but { $latencies } latencies were recorded
rule-file-counts-differ = Operation and byte counts differ
    .try = { try-report-it }
    .text = { $operations } operations of { $block } amount to { $bytes }, but { $counted } were counted
    .text-2 = { $operations } { $class } operations completed, but { $latencies } latencies were recorded

## Results that cannot be right

rule-above-limit = Above the limit of the medium
    .try = check the rate and the MTU of the specified medium
    .text = { $whose } reached { $reached }, more than the { $limit } that { $medium } allows
rule-file-data-differs = Data read differs from data written
    .try = do not rely on this storage; check memory, cables and disks at both ends (dmesg)
    .text = { $wrong } blocks differ from the written data; { $bytes } were compared
rule-faster-than-wire = Rate above the limit of the medium
    .try = use --direct, a file larger than this host's memory, or an smb:// target, which this host does not cache
    .text = { $rate } exceeds the limit of { $limit } for { $medium }, so it is not a network result: { $why }
rule-window-too-short = Measurement window too short
    .try = increase --bytes or --count, or set a longer --time
    .text = goodput is not computed: the window of { $elapsed } is shorter than 100 times the clock error of { $error }
rule-mtu-not-expected = MTU differs from --expect
    .try = check the MTU on both ends (ip link) and on every switch between them
    .text = the path MTU { $way } is { $passes }, but { $expected } were expected: { $why }
    .text-2 = { $from } uses an MTU of { $mtu } on { $interface }, but { $expected } were expected
rule-relay-late = Link emulation of the lab too slow for its medium
    .try = measure while the machine is idle, or use fewer hosts or a slower medium
    .text = the relay of { $link } delayed 1 % of the frames by { $late } or more (limit { $bound }), so the result does not represent the medium
    .text-2 = the relay of { $link } could not keep up and lost { $count } frames, so the result does not represent the medium
rule-point-failed = No measurement at this point
    .text = nothing was measured: { $cause }

## How the trial went

rule-partial-result = Trial interrupted
    .try = remove the cause of the interruption and measure again
    .text = the trial was interrupted: { $cause }
rule-file-trials-left-out = Trials excluded from the result
    .try = { rule-partial-result.try }
    .text = { $count } { $count ->
        [one] trial was interrupted and is
       *[other] trials were interrupted and are
    } excluded from every result: { $cause }
rule-shared-run = Other trials ran at the same time
    .try = measure without --shared
    .text = other trials ran on these hosts at the same time
rule-cap-reached = Time limit reached before the target precision
    .try = allow more time per size (--cap), or accept a wider confidence interval (--width)
    .text = { $count } of { $all } sizes reached the time limit before the confidence interval was as narrow as requested
rule-zero-copy-copied = Zero-copy sends copied by the kernel
    .try = measure across a physical network adapter; loopback and veth always copy
    .text = the kernel copied { $copied } of { $all } zero-copy sends
rule-receive-coalescing = Receive coalescing was on
    .try = omit --receive-coalescing to measure what an ordinary application achieves
    .text = measured with receive coalescing: the receiver waited { $time } after short reads
rule-measurement-note = Note about the measurement
rule-not-available = Measurement not available
    .text = { $check } is not available in direction { $direction }: { $why }

## Loads

rule-client-excluded = Clients excluded from the result
    .try = check with goodput hosts that they are reachable; remove them from --clients or measure again
    .text = { $count } of { $all } clients are excluded from the result: { $names } ({ $cause })
    .text-2 = { $count } of { $all } clients are excluded from the result but loaded the server until they failed: { $names } ({ $cause })
rule-client-idle = Clients without traffic
    .try = check the path between them and the server
    .text = { $names } transferred no data during the measurement window
rule-window-skew = Clients missed the start or end of the window
    .try = check whether the clients' CPUs are saturated; a longer --time reduces the effect
    .text = { $count } of { $all } clients missed the window's start or end by up to { $distance }, more than { $share } of { $window }: { $names }
rule-client-slow = Clients much slower than the others
    .try = check the links and CPUs of these clients, or measure them alone with goodput stream
    .text = { $count } of { $all } clients reached less than half of the median client's { $rate }: { $names }; fairness (Jain's index) { $fairness }
rule-connection-errors = Failed connections
    .try = check the server's listen queue (net.core.somaxconn) and the clients' free ports
    .text = { $count } { $count ->
        [one] connection
       *[other] connections
    } could not be opened or were lost
rule-clients-cpu-saturated = The clients' CPUs were saturated
    .try = use more clients, or fewer workers per client
    .text = the single CPU shared by the clients was saturated (up to { $percent } busy) and may limit the load
    .text-2 = { $count } of { $all } CPUs shared by the clients { $count ->
        [one] was
       *[other] were
    } saturated (up to { $percent } busy) and may limit the load
    .text-3 = { $count } of { $all } clients had a saturated CPU, which may limit the load: { $names }
rule-server-cpu-saturated = The server's CPU was saturated
    .text = the CPU of the server { $host } was saturated ({ $percent } busy): it is the bottleneck
    .text-2 = { $count } of { $all } CPUs of the server { $host } { $count ->
        [one] was
       *[other] were
    } saturated (up to { $percent } busy) and may be the bottleneck
rule-medium-reached = The medium was saturated
    .text = { $whose } reached { $percent } of what { $medium } allows in one direction: the medium is the bottleneck
rule-adapter-differs = Adapter counters differ from the expected traffic
    .try = find out what else uses the server's interface, for example with tcpdump
    .text = { $interface } counted { $counted } sent, which differs by { $percent } from the expected { $expected } of user data and headers
    .text-2 = { $interface } counted { $counted } received, which differs by { $percent } from the expected { $expected } of user data and headers
rule-pe-not-comparable = P/E indices (throughput per % CPU) are not comparable
    .try = measure all points with the same CPUs online and the same pinning
    .text = the server's CPU usage covers different CPUs at different points: { $kinds }; the P/E indices are not comparable

## Files

rule-accepted-by-cache = Writes accepted by a cache
    .text = a cache of this host accepted writes at { $rate }, faster than { $medium }, and sent them later; only the durable rate represents the network
rule-read-from-cache = File read from this host's cache
    .try = use a file larger than this host's memory, or a file system with direct I/O
    .text = { $percent } of the file was in this host's page cache before it was read, so this is not a cold read
rule-server-cache-warm = File already in the server's memory
    .try = run an agent on the server to drop the file from the server's cache: --server HOST --server-folder PATH
    .text = { $percent } of the file was in the server's memory before it was read, so the server's disk was not measured
rule-server-cache-unknown = Unknown state of the server's cache
    .try = run an agent on the server to check the cache: --server HOST --server-folder PATH
    .text = the state of the server's cache is unknown: the data may have been read from its memory instead of its disk
rule-cache-took-part = Page cache of this host used
    .text = this host's page cache was used
    .text-2 = this host's page cache was used; it already contained { $percent } of the file before the trial
rule-no-disk = No disk was measured
    .text = no disk was measured: { $why }
rule-direct-not-obtained = Direct I/O not available
    .text = { $name } does not support direct I/O (O_DIRECT), so this host's page cache was used
    .text-2 = { $name } does not support direct I/O (O_DIRECT), so this host's page cache was used; workaround: { $how }
rule-unexpected-operations = Operations with unexpected results
    .try = check the reported lines of the load file; a share may reject operations that a local folder allows
    .text = { $count } of { $all } operations had an unexpected result
    .text-2 = { $count } of { $all } operations had an unexpected result, for example { $example }
rule-stamping-cost = CPU time used to generate data
    .text = generating the data took { $percent } of one CPU, which is included in the client's CPU usage
rule-file-cpu-saturated = Saturated CPU during file access
rule-not-durable = Writes measured without a flush
    .try = measure with --flush end
    .text = no flush was requested, so the rate does not include the time to write the data to disk
rule-share-encrypted = Network share with encrypted messages
    .text = every message to and from the share is encrypted, which costs CPU time at both ends
rule-share-signed = Network share with signed messages
    .text = every message to and from the share is signed, which costs CPU time at both ends
rule-file-system-compresses = File system compression
    .text = { $name } compresses data (mount option); the test data is incompressible, but the attempt costs CPU time
    .text-2 = { $name } may compress data; the test data is incompressible, but the attempt costs CPU time

## Datagrams

rule-held-back-at-sender = Sender did not reach the requested rate
    .try = request a lower rate, larger datagrams or more --flows; check the sender's interface with tc -s qdisc
    .text = the sender of direction { $direction } sent { $sent } of the requested { $asked } datagrams per second
rule-datagrams-refused = Datagrams rejected by the sender's kernel
    .try = request a lower rate; ENOBUFS means that a queue on the sender is full, see tc -s qdisc
    .text = the sender's kernel rejected { $refused } of { $offered } datagrams of direction { $direction }: { $reasons }
    .text-2 = the sender's kernel rejected { $refused } of { $offered } datagrams of direction { $direction }
rule-lost-at-receiver-socket = Datagrams lost at the receiver's socket
    .try = raise net.core.rmem_max and --receive-buffer on the receiver, or give its process more CPU
    .text = { $lost } of direction { $direction } were lost at the receiver's socket
    .text-2 = { $lost } of direction { $direction } were lost at the receiver's socket, where the kernel dropped { $events } packets
rule-lost-in-receiving-host = Datagrams lost in the receiving host
    .try = check the receiver's firewall, /proc/net/softnet_stat and the ring sizes of its adapter (ethtool -g)
    .text = { $lost } of direction { $direction } were lost in the receiving host, before its sockets
rule-lost-in-sender-queue = Datagrams lost in the sender's queue
    .try = request a lower --rate, or send with --plain; check the sender's interface with tc -s qdisc
    .text = { $lost } of direction { $direction } were lost in a queue of the sender's interfaces
rule-lost-on-path = Datagrams lost on the path
    .try = find the highest rate without loss: goodput datagram HOST --search
    .text = { $lost } of direction { $direction } were lost on the path
    .text-2 = { $lost } of direction { $direction } were lost on the path or at the receiver's socket; drops at the socket were not counted
    .text-3 = { $lost } of direction { $direction } were lost on the path or in the receiving host before its sockets; drops in the host were not counted
    .text-4 = { $lost } of direction { $direction } were lost on the path or in the receiving host; drops in the host were not counted
rule-loss-unresolved = Datagram losses at an unknown location
    .try = for exact loss counts, measure with --plain and disable offloads
    .text = it could not be determined what happened to { $count } datagrams of direction { $direction }: { $why }
rule-datagrams-copied = Duplicate datagrams
    .text = the network delivered { $count } duplicate datagrams in direction { $direction }
rule-datagrams-sent-late = Datagrams sent late
    .try = request a lower rate or a larger --burst, or let the sender poll with --spin
    .text = { $late } of { $offered } datagrams of direction { $direction } were sent more than 1 ms late (maximum { $most })
rule-datagrams-malformed = Datagrams that do not belong to the measurement
    .try = find out which other program sends to the receiver's data port
    .text = { $count } malformed datagrams arrived at the sockets of direction { $direction }
rule-datagrams-reordered = Reordered datagrams
    .text = { $count } datagrams of direction { $direction } arrived after later ones, by up to { $behind } positions
rule-offload-not-used = Offload not used
    .text = offload was not used in direction { $direction }: { $why }

## Path MTU

rule-mtu-black-hole = Path MTU black hole
    .try = allow ICMP "fragmentation needed" (ICMPv6 "packet too big"), or set both ends to the MTU that passes; net.ipv4.tcp_mtu_probing=1 helps TCP meanwhile
    .text = packets above { $passes } { $way } are lost without an ICMP message; packets of { $passes } arrive
    .text-2 = packets above { $passes } { $way }, or their replies, are lost without an ICMP message; packets of { $passes } arrive
rule-mtu-below-least = MTU below the required minimum
    .try = check the path for a tunnel or an adapter with a small MTU
    .text = the path MTU { $way } is only { $passes }, less than the { $least } that every link must support
rule-mtu-interfaces-differ = Different interface MTUs at the two ends
    .try = set the same MTU on both interfaces
    .text = the interfaces at the two ends have different MTUs: { $one } { $mtu_one }, { $other } { $mtu_other }
rule-mtu-asymmetric = Path MTU differs by direction
    .try = check for different paths in the two directions, or a link whose ends have different MTUs
    .text = the path MTU differs by direction: { $forward } { $there }, { $reverse } { $back }
rule-mtu-undecided = Path MTU not determined
    .try = measure again when the path is idle, or allow more time with --time
    .text = the path MTU { $way } could not be determined: { $why }; { $bounds }
rule-mtu-route-differs = Kernel assumes a different path MTU
    .try = show the cached MTU with ip route get; clear it with ip route flush cache
    .text = the kernel of { $host } assumes a path MTU of { $route } { $way }
rule-mtu-smaller-link = Smaller MTU on a link of the path
    .text = { $by } on the path { $way } reported that packets above { $passes } are too big

## Settings and set-up of the hosts

rule-congestion-differs = Congestion control differs from the request
    .try = load its kernel module and allow it in net.ipv4.tcp_allowed_congestion_control
    .text = { $host } uses congestion control { $obtained } instead of the requested { $asked }
rule-setting-differs = Socket setting differs from the request
    .try = raise the kernel's limit (net.core.wmem_max, net.core.rmem_max) or request a value within it
    .text = { $host } uses a send buffer of { $obtained } instead of the requested { $asked }
    .text-2 = { $host } uses a receive buffer of { $obtained } instead of the requested { $asked }
    .text-3 = { $host } uses TCP_NODELAY { $obtained } instead of the requested { $asked }
    .text-4 = { $host } uses a pacing rate of { $obtained } instead of the requested { $asked }
rule-half-duplex = Half-duplex link
    .try = enable autonegotiation at both ends, or set both to the same mode
    .text = { $interface } of { $host } runs at half duplex
rule-slow-link = Link speed below the advertised maximum
    .try = check the cable and the modes that the other end advertises (link.partner)
    .text = { $interface } of { $host } runs at { $obtained } but advertises up to { $asked }
rule-narrow-slot = PCI slot slower than the network card
    .try = move the card to a wider or faster slot
    .text = { $interface } of { $host } has a PCI link of { $now } but supports { $most }
rule-slow-governor = CPUs at low frequency
    .try = select another governor: cpupower frequency-set -g performance
    .text = the governor { $governor } keeps the CPUs of { $host } at their lowest frequency
rule-feature-refused = Offload setting rejected
    .try = check with ethtool -k which offloads are fixed and which ones depend on others
    .text = { $interface } of { $host } rejected the requested setting of these offloads: { $names }

## CPUs, buffers, counters

rule-steal = CPU time taken by the hypervisor (steal)
    .try = measure while the hypervisor's host is idle, or use dedicated CPUs
    .text = { $percent } of the CPU time of { $whose } was steal (taken by the hypervisor)
rule-cpu-saturated = Saturated CPU
    .try = use larger messages or more connections, or assign dedicated CPUs to the measuring threads with --cpus
    .text = { $count } of { $all } CPUs of { $whose } { $count ->
        [one] was
       *[other] were
    } saturated, up to { $percent } busy
    .text-2 = { $count } of { $all } CPUs of { $whose } { $count ->
        [one] was
       *[other] were
    } saturated, up to { $percent } busy; the measuring threads of { $host } waited for a CPU for { $waited } of the window
    .text-3 = { $count } of { $all } CPUs of { $whose } { $count ->
        [one] was
       *[other] were
    } saturated, up to { $percent } busy; the measuring threads of { $host } ran for the whole window
rule-receiver-window-limited = Limited by the receive window
    .try = raise the receive buffer (net.ipv4.tcp_rmem), or find out why the receiver reads slowly
    .text = the sender of direction { $direction } was limited by the receive window for { $percent } of its busy time
rule-unread-at-edges = Data left in the receive buffer
    .try = measure longer; if the receiving threads wait for a CPU, give them one of their own with --cpus
    .text = the receiver of direction { $direction } read { $read } in the window, but { $arrived } arrived: its buffer held different amounts at the window's edges
rule-send-buffer-limited = Limited by the send buffer
    .try = raise the send buffer (net.ipv4.tcp_wmem)
    .text = the sender of direction { $direction } was limited by its send buffer for { $percent } of its busy time
rule-shared-cpu = Both hosts share the CPUs
    .try = measure between two machines to get the CPU cost of each host
    .text = both hosts run on one kernel: the CPU usage ({ $percent }) and every other CPU metric include both hosts
    .text-2 = the hosts run on one kernel: the CPU usage ({ $percent }) and every other CPU metric include all of them
rule-cpu-not-of-window = CPU counters not read exactly at the window's start and end
    .try = measure longer with --time; on busy hosts raise the agents' priority: run them as root or set LimitNICE=-20 in their systemd unit
    .text = the CPU counters of { $host } were read { $opened } off the window's start and { $closed } off its end: up to { $percent } of the CPU usage may lie outside the window
    .text-2 = CPU counters of { $host } were read { $opened } off the window's start and { $closed } off its end, so CPU usage is not available
rule-no-cpu-figure = CPU usage not available
    .try = measure for at least 1 s
    .text = a window of { $time } is too short to measure CPU usage
rule-interface-errors = Interface errors
    .try = replace the cable, port or module; the interface counters show the type of error
    .text = { $interface } of { $host } counted { $errors } errors and { $packets } packets without error
rule-interface-drops = Packets dropped by the interface
    .try = enlarge the rings (ethtool -G) or spread receiving over more CPUs (ethtool -L, RPS)
    .text = { $interface } of { $host } dropped { $dropped } packets and accepted { $packets }
rule-queue-drops = Packets dropped by the sender's queue
    .try = send at a lower rate, or check the queue limit with tc -s qdisc
    .text = the queue of { $interface } on { $host } dropped { $dropped } packets
rule-softnet-drops = Receive backlog of the kernel full
    .try = raise net.core.netdev_max_backlog, or spread receiving over more CPUs (RPS)
    .text = { $whose } dropped { $dropped } packets because the receive backlog of a CPU was full
rule-protocol-losses = Losses in the kernel's protocol counters
    .try = find out why the receiver reads slowly, and check the buffer limits (net.core.rmem_max, net.ipv4.tcp_mem)
    .text = { $host } dropped { $count } datagrams because the receive buffer was full
    .text-2 = { $host } dropped { $count } IPv6 datagrams because the receive buffer was full
    .text-3 = { $host } received { $count } datagrams with a wrong checksum
    .text-4 = { $host } received { $count } TCP segments with a wrong checksum
    .text-5 = { $host } dropped { $count } TCP segments because the socket's backlog was full
    .text-6 = { $host } dropped { $count } TCP segments because the receive queue was full
    .text-7 = { $host } dropped { $count } connections because the listen queue was full
    .text-8 = TCP on { $host } ran out of memory { $count } times
rule-retransmits = High retransmission rate
    .try = look for drops on the path: goodput datagram HOST locates them
    .text = { $percent } of the segments of direction { $direction } were retransmitted ({ $again } of { $all })
    .text-2 = { $percent } of the segments of { $whose } were retransmitted ({ $again } of { $all })
rule-told-to-wait = Pause frames received
    .try = find out which link behind the switch is slow, or disable flow control (ethtool -A) and measure again
    .text = { $interface } of { $host } received { $frames } pause frames
rule-driver-losses = Losses counted by the driver
    .try = look up each counter in the driver's documentation; if rings overflow, enlarge them (ethtool -G)
    .text = the driver of { $interface } on { $host } counted dropped packets: { $counters }
    .text-2 = the driver of { $interface } on { $host } counted errors: { $counters }
    .text-3 = the driver of { $interface } on { $host } counted pause frames: { $counters }
rule-allowance-exceeded = Network allowance of the virtual machine exceeded
    .try = send at a lower rate, or use a virtual machine with a larger network allowance
    .text = the driver of { $interface } on { $host } reports an exceeded network allowance: { $counters }
rule-kernel-warnings = Kernel warnings during the trial
    .try = check the kernel log at that time (dmesg)
    .text = { $whose } logged during the trial: "{ $message }"
    .text-2 = { $whose } logged during the trial: "{ $message }", and { $count } more
rule-kernel-messages = Kernel messages during the trial
rule-counter-note = Counters not available
    .text = the { $what } of { $host } are not available: { $why }
rule-relayed = Emulated medium
    .text = a relay emulated { $link }: { $facts }; lateness of the frames leaving the relay: p50 { $half }, p99 { $high }, maximum { $most }
relay-frames = { $count } frames
relay-deferred = { $count } frames deferred
relay-collisions = { $count } collisions (frames: { $one } after one collision, { $more } after several, { $up } dropped)
relay-turns = no collisions, because the hosts sent one at a time
relay-carried = { $rate } transmitted at a link rate of { $asked }
relay-together = { $rate } in total for all hosts
relay-cpu = the relay used { $share } of one CPU
refused-by = { $count } by { $why ->
        [0] an error that sendmmsg does not report
        [1] EPERM (blocked by a packet filter of this host)
        [90] EMSGSIZE (larger than the path MTU)
        [101] ENETUNREACH (network unreachable)
        [105] ENOBUFS (a queue on the sender was full)
        [111] ECONNREFUSED (no socket was listening)
        [113] EHOSTUNREACH (host unreachable)
       *[other] errno { $why }
    }

## Experiments

finding-in-trials = { $count } of { $all } trials, first in trial { $first }: { $finding }
finding-at-points = at { $count } of { $all } points ({ $names }): { $finding }
finding-at-trials = in { $count } of { $all } kinds of trials ({ $names }): { $finding }
finding-of-side = { $side }: { $finding }
finding-for-example = for example { $side }: { $finding }
finding-also-on = { $finding } (also on { $places })
finding-and = { $finding }; { $next }
finding-and-more = { $finding } and { $count } more
names-and-more = { $names } and { $count } more
rule-experiment-host_changed = Host changed during the experiment
    .try = find the cause, restore the host and run the experiment again, or declare the change as a factor
    .text = { $host } changed between cells { $earlier } and { $later }, and no factor declares it: { $facts }
rule-experiment-drift = Drift during the experiment
    .try = compare values within blocks, which the drift does not affect; do not compare early repeats with late ones
    .text = { $name } fell by { $amount } from the start to the end of the experiment, independent of the factors
    .text-2 = { $name } rose by { $amount } from the start to the end of the experiment, independent of the factors
rule-experiment-outliers = Outliers among the measurements
    .try = check these trials for steal, retransmissions and kernel messages
    .text = { $count } of { $all } measurements of { $name } are outliers; the results include them
rule-experiment-blocks-shifted = Values differ between blocks of trials
    .try = compare values within blocks, and add blocks instead of time; the speed of the machine itself varied
    .text = { $name } varied by { $share } between blocks of trials; all cells of a block are affected equally
