### Findings: a message a rule, named rule-ID. The value is the short title, .try the advice, .text… the sentences.
### Each message is constructed in Rust by `message!(rule_id_text { … })`, with its variables as fields.

## Parts of sentences

try-report-it = report this as a fault of goodput, with the run
clause-way = from { $from } to { $to }
clause-connecting-end = the connecting end
clause-listening-end = the listening end
clause-both-hosts = both hosts
clause-hosts-of-one-kernel = the hosts of one kernel
clause-hosts-on-other-cpus = the hosts on the other CPUs
clause-kernel-of-both = the kernel of both hosts
clause-kernel-of-many = the kernel of { $count } hosts
clause-the-medium = the medium
clause-servers-medium = the server's medium
clause-both-directions = both directions
clause-both-directions-together = both directions together
clause-best-size = the best size
clause-direction = direction { $direction }
clause-connections-of-server = connections of the server
clause-connections-of-clients = connections of the clients
clause-and-more = { $names } and { $count } more
clause-between = between { $least } and { $most }
clause-lost-share = { $count } of { $sent } datagrams ({ $share })
clause-lost-shares = { $count } of { $sent } datagrams ({ $least } to { $most })
clause-cpus-of = { $count } ({ $scope ->
        [own] its own
        [shared] shared with clients
       *[pinned] pinned
    })
part-copies = the network duplicated datagrams, so a drop at the socket need not be a loss
part-events = one drop that the kernel counts at the socket may stand for several datagrams
part-too-late = some arrived too late to tell them from duplicates, or drops below the socket belong to other traffic
clause-check-copies = duplicates
clause-check-order = reordering
clause-check-jitter = jitter
clause-check-delay = delay variation
clause-check-drops = drops at the receiver's socket
clause-interface-counters = interface counters
clause-protocol-counters = protocol counters
clause-kept-in-memory = the agent keeps the data in memory
clause-lies-in-memory = the file system ({ $name }) is in memory
clause-mtu-interface = { $from } has set { $interface } to { $mtu }
clause-mtu-router = { $by } on the path reported an MTU of { $passes }
clause-mtu-vanishes = larger packets are lost on the path without an ICMP message
clause-mtu-known = nothing larger is known to pass
clause-mtu-own-interface = its interface
clause-mtu-bounds = { $passes } pass, { $fails } do not
clause-mtu-least = { $passes } pass
clause-mtu-nothing = nothing came back
clause-wire-other = or the medium is not the one that was named
clause-wire-resident = { $share } of the file was in this host's memory
clause-wire-mount = the cache of the mount ({ $mount }) answered

## Counts that must agree

rule-intervals-do-not-add-up = Intervals do not add up
    .try = { try-report-it }
    .text = the intervals of { $connection } add up to { $total }, but the window has { $window }
rule-receiver-total-differs = The receiver's total differs
    .try = { try-report-it }
    .text = { $host } received { $ours } on { $connection }, but its kernel counted { $kernel }
    .text-2 = { $host } received { $ours } from worker { $worker }, but its kernel counted { $kernel }
rule-sender-total-differs = The sender's total differs
    .try = { try-report-it }
    .text = { $host } sent { $ours } on { $connection }, but its kernel counted { $kernel }
rule-ends-disagree = The two ends disagree
    .try = { try-report-it }
    .text = { $sent } were sent on { $connection }, but { $received } were received
    .text-2 = { $host } received { $received } from worker { $worker }, but { $sent } were sent
rule-datagram-account-negative = The datagram account is below zero
    .try = { try-report-it }
    .text = the counters of direction { $direction } account for { $count } more datagrams than were offered
rule-datagram-totals-differ = The ends' datagram totals differ
    .try = { try-report-it }
    .text = the totals of flow { $flow } that { $host } received differ from those that its sender reported
    .text-2 = the totals of flow { $flow } that { $host } received differ from those that its receiver reported
rule-latency-count-differs = Numbers of latencies and transactions differ
    .try = { try-report-it }
    .text = { $operations } transactions completed, but { $latencies } latencies were recorded
rule-file-counts-differ = Counts of operations and bytes differ
    .try = { try-report-it }
    .text = { $operations } operations of { $block } make { $bytes }, but { $counted } were counted
    .text-2 = { $operations } operations ({ $class }) completed, but { $latencies } latencies were recorded

## Results that cannot be right

rule-above-limit = Above the limit of the medium
    .try = check the rate and the MTU of the named medium
    .text = { $whose } reached { $reached }, more than the { $limit } that { $medium } allows
rule-file-data-differs = Data came back changed
    .try = do not trust this storage; check memory, cables and disks at both ends (dmesg)
    .text = { $wrong } blocks differ from what was written, in { $bytes } that were compared
rule-faster-than-wire = Faster than the wire
    .try = use --direct, a file larger than this host's memory, or an smb:// target, which this host does not cache
    .text = { $rate } exceed the { $limit } that { $medium } carries, so this is not a network result: { $why }
rule-window-too-short = The window is too short
    .try = stop after more bytes or messages, or use --time
    .text = { $elapsed } is less than 100 times the clock error of { $error }, so goodput is not computed
rule-mtu-not-expected = The MTU differs from --expect
    .try = check the MTU on both ends (ip link) and on every switch between them
    .text = { $passes } pass { $way } where { $expected } were expected: { $why }
    .text-2 = { $from } has set { $interface } to { $mtu } where { $expected } were expected
rule-relay-late = The relay was too late
    .try = measure while the machine is idle, with fewer hosts or a slower medium
    .text = the relay of { $link } delayed 1 % of the frames by { $late } or more; { $bound } are allowed, so the result is not the medium's
    .text-2 = the relay of { $link } lost { $count } frames because it did not keep up, so the result is not the medium's
rule-point-failed = Nothing was measured here
    .text = nothing was measured: { $cause }

## How the trial went

rule-partial-result = The trial was interrupted
    .try = remove the cause and measure again
    .text = the trial was interrupted: { $cause }
rule-file-trials-left-out = Trials are excluded
    .try = { rule-partial-result.try }
    .text = { $count } { $count ->
        [one] trial was interrupted and is
       *[other] trials were interrupted and are
    } excluded from every result: { $cause }
rule-shared-run = Other trials ran at the same time
    .try = measure without --shared
    .text = other trials ran on these hosts at the same time
rule-cap-reached = The time limit was reached
    .try = allow each size more time, or accept a wider interval
    .text = { $count } of { $all } sizes reached the time limit before their interval was as narrow as requested
rule-zero-copy-copied = Zero-copy sends were copied
    .try = measure across a real adapter; loopback and veth always copy
    .text = the kernel copied { $copied } of { $all } zero-copy sends
rule-receive-coalescing = Receive coalescing was on
    .try = leave --receive-coalescing out to measure what an ordinary application achieves
    .text = measured with receive coalescing: the receiver waited { $time } after short reads
rule-measurement-note = A note on the measurement
rule-not-available = Not available
    .text = { $check } is not available in direction { $direction }: { $why }

## Loads

rule-client-excluded = Clients are not in the result
    .try = check with goodput hosts whether they can be reached; remove them from --clients or measure again
    .text = { $count } of { $all } clients are not in the result: { $names } ({ $cause })
    .text-2 = { $count } of { $all } clients are not in the result: { $names } ({ $cause }); until then they loaded the server
rule-client-idle = Clients transferred nothing
    .try = check the path between them and the server
    .text = { $names } transferred nothing in the window
rule-window-skew = Clients missed the window's edges
    .try = check whether the clients' CPUs are saturated; a longer --time makes the edges matter less
    .text = { $count } of { $all } clients started or ended up to { $distance } off the window's edges, over { $share } of { $window }: { $names }
rule-client-slow = Clients far slower than the others
    .try = check the links and CPUs of these clients, or measure them alone with goodput stream
    .text = { $count } of { $all } clients had less than half of the median client's { $rate }: { $names }; fairness (Jain's index) { $fairness }
rule-connection-errors = Connections failed
    .try = check the server's listen queue (net.core.somaxconn) and the clients' free ports
    .text = { $count } { $count ->
        [one] connection
       *[other] connections
    } could not be opened or broke
rule-clients-cpu-saturated = The clients' CPUs were saturated
    .try = use more clients, or fewer workers a client
    .text = the one CPU that the clients share was saturated (up to { $percent } busy) and may limit the load
    .text-2 = { $count } of { $all } CPUs that the clients share { $count ->
        [one] was
       *[other] were
    } saturated (up to { $percent } busy) and may limit the load
    .text-3 = { $count } of { $all } clients had a saturated CPU, which may limit the load: { $names }
rule-server-cpu-saturated = The server's CPU was saturated
    .text = the CPU of the server { $host } was saturated ({ $percent } busy): it is the limit
    .text-2 = { $count } of { $all } CPUs of the server { $host } { $count ->
        [one] was
       *[other] were
    } saturated (up to { $percent } busy) and may be the limit
rule-medium-reached = The medium was saturated
    .text = { $whose } reached { $percent } of what { $medium } allows one way: the medium is the limit
rule-adapter-differs = The adapter's counters differ
    .try = find out what else uses the server's interface, for example with tcpdump
    .text = { $interface } counted { $counted } sent, { $percent } off the { $expected } of user data and headers
    .text-2 = { $interface } counted { $counted } received, { $percent } off the { $expected } of user data and headers
rule-pe-not-comparable = P/E indices are not comparable
    .try = measure all points with the same CPUs online and the same pinning
    .text = the server's CPU usage is not of the same CPUs at all points: { $kinds }; their P/E indices are not comparable

## Files

rule-accepted-by-cache = Writes went to a cache
    .text = a cache of this host accepted writes at { $rate }, more than { $medium } carries, and sent them later; only the durable rate is the network's
rule-read-from-cache = The file came from this host's cache
    .try = use a file larger than this host's memory, or a file system with direct I/O
    .text = { $percent } of the file was in this host's page cache before it was read, so this is not a cold read
rule-server-cache-warm = The file was in the server's memory
    .try = let the agent on the server drop the file from its cache: --server HOST --server-folder PATH
    .text = { $percent } of the file was in the server's memory before it was read, so its disk was not measured
rule-server-cache-unknown = The server's cache is unknown
    .try = use an agent on the server to check it: --server HOST --server-folder PATH
    .text = the state of the server's cache is unknown: the data may have come from its memory, not its disk
rule-cache-took-part = The page cache was used
    .text = this host's page cache was used
    .text-2 = this host's page cache was used and held { $percent } of the file before
rule-no-disk = No disk was measured
    .text = no disk was measured: { $why }
rule-direct-not-obtained = No direct I/O
    .text = { $name } has no direct I/O (O_DIRECT), so this host's page cache was used
    .text-2 = { $name } has no direct I/O (O_DIRECT), so this host's page cache was used; instead: { $how }
rule-unexpected-operations = Operations had unexpected results
    .try = check the named lines of the load file; a share may forbid what a folder allows
    .text = { $count } of { $all } operations had an unexpected result
    .text-2 = { $count } of { $all } operations had an unexpected result, for example { $example }
rule-stamping-cost = Generating the data took CPU time
    .text = generating the data took { $percent } of one CPU, which is included in the client's CPU usage
rule-file-cpu-saturated = A CPU was saturated
rule-not-durable = Durability was not requested
    .try = measure with --flush end
    .text = no flush was requested, so the rate does not include the time a disk needs
rule-share-encrypted = The share is encrypted
    .text = every message is encrypted, which costs CPU time at both ends
rule-share-signed = The share is signed
    .text = every message is signed, which costs CPU time at both ends
rule-file-system-compresses = The file system compresses
    .text = { $name } compresses (mount option); the data is incompressible, but trying costs CPU time
    .text-2 = { $name } may compress; the data is incompressible, but trying costs CPU time

## Datagrams

rule-held-back-at-sender = The sender missed the requested rate
    .try = request a lower rate, larger datagrams or more --flows; check the sender's interface with tc -s qdisc
    .text = the sender of direction { $direction } sent { $sent } of the requested { $asked } datagrams a second
rule-datagrams-refused = The sender's kernel refused datagrams
    .try = request a lower rate; ENOBUFS means a full queue on the sender, see tc -s qdisc
    .text = the sender's kernel refused { $refused } of { $offered } datagrams of direction { $direction }: { $reasons }
    .text-2 = the sender's kernel refused { $refused } of { $offered } datagrams of direction { $direction }
rule-lost-at-receiver-socket = Lost at the receiver's socket
    .try = raise net.core.rmem_max and --receive-buffer on the receiver, or give its process more CPU
    .text = { $lost } of direction { $direction } were lost at the receiver's socket
    .text-2 = { $lost } of direction { $direction } were lost at the receiver's socket, where the kernel dropped { $events } packets
rule-lost-in-receiving-host = Lost in the receiving host
    .try = check /proc/net/softnet_stat and the ring sizes of the receiver's adapter (ethtool -g)
    .text = { $lost } of direction { $direction } were lost in the receiving host below its sockets
rule-lost-on-path = Lost on the path
    .try = find the highest rate without loss: goodput datagram HOST --search
    .text = { $lost } of direction { $direction } were lost on the path
    .text-2 = { $lost } of direction { $direction } were lost on the path or at the receiver's socket, which was not counted
    .text-3 = { $lost } of direction { $direction } were lost on the path or in the receiving host below its sockets, which was not counted
    .text-4 = { $lost } of direction { $direction } were lost on the path, at the receiver's socket or below it; the latter two were not counted
rule-loss-unresolved = Losses without a known location
    .try = for an exact account, measure with --plain and with offloads off
    .text = { $count } datagrams of direction { $direction } are unresolved: { $why }
rule-datagrams-copied = The network duplicated datagrams
    .text = the network delivered { $count } duplicates of datagrams of direction { $direction }
rule-datagrams-sent-late = Datagrams were sent late
    .try = request a lower rate or a larger --burst, or let the sender --spin
    .text = { $late } of { $offered } datagrams of direction { $direction } were sent more than 1 ms late, up to { $most }
rule-datagrams-malformed = Foreign datagrams
    .try = find out what else sends to the receiver's data port
    .text = { $count } malformed datagrams arrived at the sockets of direction { $direction }
rule-datagrams-reordered = The network reordered datagrams
    .text = { $count } datagrams of direction { $direction } arrived after later ones, up to { $behind } behind
rule-offload-not-used = Offload was not used
    .text = direction { $direction }: { $why }

## Path MTU

rule-mtu-black-hole = MTU black hole
    .try = allow ICMP "fragmentation needed" (ICMPv6 "packet too big"), or set both ends to the MTU that passes; net.ipv4.tcp_mtu_probing=1 helps TCP meanwhile
    .text = packets above { $passes } { $way } are lost without an ICMP message; { $passes } arrive
    .text-2 = packets above { $passes } { $way }, or their replies, are lost without an ICMP message; { $passes } arrive
rule-mtu-below-least = The MTU is below the required minimum
    .try = look for a tunnel or an adapter with a small MTU
    .text = only { $passes } pass { $way }, less than the { $least } that every link must carry
rule-mtu-interfaces-differ = The ends' MTUs differ
    .try = give both ends the same MTU
    .text = the ends' interfaces have different MTUs: { $one } { $mtu_one }, { $other } { $mtu_other }
rule-mtu-asymmetric = The path MTU differs by direction
    .try = look for different paths there and back, or a link whose ends have different MTUs
    .text = the path MTU differs by direction: { $forward } { $there }, { $reverse } { $back }
rule-mtu-undecided = The path MTU is not determined
    .try = measure again when the path is idle, or allow more time with --time
    .text = the path MTU { $way } is not determined: { $why }; { $bounds }
rule-mtu-route-differs = The kernel assumes another MTU
    .try = show the cached MTU with ip route get; clear it with ip route flush cache
    .text = { $host }'s kernel assumes an MTU of { $route } { $way }
rule-mtu-smaller-link = A link on the path has a smaller MTU
    .text = { $by } on the path { $way } reported that packets above { $passes } are too big

## Settings and set-up of the hosts

rule-congestion-differs = Another congestion control than requested
    .try = load its kernel module and allow it in net.ipv4.tcp_allowed_congestion_control
    .text = { $host } uses congestion control { $obtained } instead of the requested { $asked }
rule-setting-differs = A setting is not as requested
    .try = raise the kernel's limit (net.core.wmem_max, net.core.rmem_max) or request what is allowed
    .text = { $host } uses a send buffer of { $obtained } instead of the requested { $asked }
    .text-2 = { $host } uses a receive buffer of { $obtained } instead of the requested { $asked }
    .text-3 = { $host } has TCP_NODELAY { $obtained } instead of the requested { $asked }
    .text-4 = { $host } uses a pacing rate of { $obtained } instead of the requested { $asked }
rule-half-duplex = Half duplex
    .try = let both ends negotiate, or set both to the same mode
    .text = { $interface } of { $host } runs at half duplex
rule-slow-link = The link is slower than requested
    .try = check the cable and what the other end advertises (link.partner)
    .text = { $interface } of { $host } runs at { $obtained } but advertises up to { $asked }
rule-narrow-slot = The slot is slower than the card
    .try = put the card into a wider or faster slot
    .text = { $interface } of { $host } has a PCI link of { $now } but supports { $most }
rule-slow-governor = The CPUs run at low frequency
    .try = set another governor: cpupower frequency-set -g performance
    .text = the governor { $governor } keeps the CPUs of { $host } at their lowest frequency
rule-feature-refused = An offload setting was refused
    .try = ethtool -k shows what each offload requires
    .text = { $interface } of { $host } refused a setting of { $names }

## CPUs, buffers, counters

rule-steal = CPU steal
    .try = measure while the hypervisor's host is idle, or on dedicated CPUs
    .text = { $percent } of the CPU time of { $whose } was steal (taken by the hypervisor)
rule-cpu-saturated = A CPU was saturated
    .try = use larger messages or more connections, or give the measuring threads CPUs of their own with --cpus
    .text = { $count } of { $all } CPUs of { $whose } { $count ->
        [one] was
       *[other] were
    } saturated, up to { $percent } busy
rule-receiver-window-limited = Limited by the receive window
    .try = raise the receive buffer (net.ipv4.tcp_rmem), or find out why the receiver reads slowly
    .text = the sender of direction { $direction } was limited by the receive window for { $percent } of its busy time
rule-send-buffer-limited = Limited by the send buffer
    .try = raise the send buffer (net.ipv4.tcp_wmem)
    .text = the sender of direction { $direction } was limited by its send buffer for { $percent } of its busy time
rule-shared-cpu = Both ends share the CPU
    .try = measure between two machines to see the cost of each end
    .text = both hosts run on one kernel: { $percent } busy, and every CPU metric, includes both ends
    .text-2 = the hosts run on one kernel: { $percent } busy, and every CPU metric, includes all of them
rule-cpu-not-of-window = CPU counters were not read at the window's edges
    .try = measure longer and by --time; on busy hosts raise the agents' priority: run them as root, or set LimitNICE=-20 in their service
    .text = the CPU counters of { $host } were read { $opened } off the window's start and { $closed } off its end: up to { $percent } of the CPU usage may be of another time
    .text-2 = the CPU counters of { $host } were read { $opened } off the window's start and { $closed } off its end, so CPU usage is not available
rule-no-cpu-figure = No CPU usage
    .try = measure for at least 1 s
    .text = a window of { $time } is too short for CPU usage
rule-interface-errors = Interface errors
    .try = change the cable, port or module; the evidence names the kind of error
    .text = { $interface } of { $host } counted { $errors } errors and passed { $packets } packets
rule-interface-drops = The interface dropped packets
    .try = enlarge the rings (ethtool -G) or spread receiving over more CPUs (ethtool -L, RPS)
    .text = { $interface } of { $host } dropped { $dropped } packets and passed { $packets }
rule-queue-drops = The sender's queue dropped packets
    .try = send more slowly, or check the queue's limit with tc -s qdisc
    .text = the queue of { $interface } on { $host } dropped { $dropped } packets
rule-softnet-drops = The kernel's backlog was full
    .try = raise net.core.netdev_max_backlog, or spread receiving over more CPUs (RPS)
    .text = { $whose } dropped { $dropped } packets because a CPU's backlog was full
rule-protocol-losses = Protocol counters show losses
    .try = find out why the receiver reads slowly, and check the buffer limits (net.core.rmem_max, net.ipv4.tcp_mem)
    .text = { $host } dropped { $count } datagrams because the receive buffer was full
    .text-2 = { $host } dropped { $count } IPv6 datagrams because the receive buffer was full
    .text-3 = { $host } received { $count } datagrams with a wrong checksum
    .text-4 = { $host } received { $count } TCP segments with a wrong checksum
    .text-5 = { $host } dropped { $count } TCP segments because the socket's backlog was full
    .text-6 = { $host } dropped { $count } TCP segments because the receive queue was full
    .text-7 = { $host } dropped { $count } connections because the listen queue was full
    .text-8 = TCP of { $host } ran short of memory { $count } times
rule-retransmits = High retransmission rate
    .try = look for drops on the path: goodput datagram HOST locates them
    .text = { $percent } of the segments of direction { $direction } were retransmitted ({ $again } of { $all })
    .text-2 = { $percent } of the segments of { $whose } were retransmitted ({ $again } of { $all })
rule-told-to-wait = Pause frames received
    .try = find out what is slow behind the switch, or turn flow control off (ethtool -A) and measure again
    .text = { $interface } of { $host } received { $frames } pause frames
rule-driver-losses = The driver counted losses
    .try = the driver's documentation explains each name; larger rings (ethtool -G) help against full ones
    .text = the driver of { $interface } on { $host } counted dropped packets: { $counters }
    .text-2 = the driver of { $interface } on { $host } counted errors: { $counters }
    .text-3 = the driver of { $interface } on { $host } counted pause frames: { $counters }
rule-allowance-exceeded = The virtual machine's allowance was exceeded
    .try = send less, or ask the provider for a virtual machine with a larger allowance
    .text = the driver of { $interface } on { $host } reports an exceeded network allowance: { $counters }
rule-kernel-warnings = Kernel warnings
    .try = read the kernel log of that time
    .text = { $whose } logged during the trial: "{ $message }"
    .text-2 = { $whose } logged during the trial: "{ $message }", and { $count } more
rule-kernel-messages = Kernel messages
rule-counter-note = A note on the counters
    .text = the { $what } of { $host } are not available: { $why }
rule-relayed = The medium was emulated
    .text = a relay emulated { $link }: { $facts }; relay lateness: p50 { $half }, p99 { $high }, maximum { $most }
relay-frames = { $count } frames
relay-deferred = { $count } deferred
relay-collisions = { $count } collisions ({ $one } frames after one, { $more } after more, { $up } given up)
relay-turns = no collisions because stations took turns
relay-carried = { $rate } of { $asked } on the wire
relay-together = { $rate } on the wires of all hosts together
relay-cpu = { $share } of one CPU
refused-by = { $count } by { $why ->
        [0] a reason that sendmmsg does not report
        [1] EPERM (a packet filter of this host)
        [90] EMSGSIZE (too long for the path)
        [101] ENETUNREACH
        [105] ENOBUFS (a full queue on the sender)
        [111] ECONNREFUSED (nobody listened)
        [113] EHOSTUNREACH
       *[other] errno { $why }
    }

## Experiments

finding-in-trials = { $count } of { $all } trials, first in trial { $first }: { $finding }
finding-at-points = at { $count } of { $all } points ({ $names }): { $finding }
finding-at-trials = at { $count } of { $all } kinds of trials ({ $names }): { $finding }
finding-of-side = { $side }: { $finding }
finding-for-example = for example { $side }: { $finding }
finding-and-more = { $finding } and { $count } more
names-and-more = { $names } and { $count } more
rule-experiment-host_changed = A host changed during the experiment
    .try = find out what changed it, restore it and run the experiment again, or declare it as a factor
    .text = facts of { $host } changed between cells { $earlier } and { $later }, and no factor declares it: { $facts }
rule-experiment-drift = The experiment drifted
    .try = compare within blocks, which is unaffected; do not compare early repeats with late ones
    .text = { $name } fell by { $amount } from the start to the end of the experiment, independent of the factors
    .text-2 = { $name } rose by { $amount } from the start to the end of the experiment, independent of the factors
rule-experiment-outliers = Outliers
    .try = check these trials for steal, retransmissions and kernel messages
    .text = { $count } of { $all } measurements of { $name } are outliers; they are kept
rule-experiment-blocks-shifted = Whole blocks were shifted
    .try = compare within blocks, and add blocks rather than time; the speed of the machine itself varied
    .text = whole blocks of { $name } were shifted by { $share }, in all cells alike
