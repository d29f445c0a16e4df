### `goodput why`: what limits a transfer. `cause-ID` is the name in a sentence, .sign what the first trial shows, .try the
### advice. Each message is constructed in Rust by `message!(cause_id_sign { … })`.

diagnosis-named = { $from } to { $to }: { $rate }, limited by { $cause }: { $proof }
diagnosis-tie = { $from } to { $to }: { $rate }; limited by one of these, and no trial here tells which: { $causes }
    .try = name the medium (--medium) and the bus (--bus), so that they can be distinguished
diagnosis-not-proven = { $from } to { $to }: { $rate }; not proven what limits it; possible: { $possible }; excluded: { $excluded }
    .try-longer = repeat it with a longer --budget
    .try-idle = repeat it while nothing else uses the hosts: repeated trials differed by { $percent }
    .try-elsewhere = run goodput why between each of these hosts and a third host: the limit is on the part that both slow paths have
diagnosis-then = { $first }; with { $change } it is { $rate }, then limited by { $cause }
diagnosis-not-storage = { $from } to { $to }: { $rate }; storage is not the limit: to memory the copy is as fast
    .try = run goodput why with the host alone, which tests network and hosts
diagnosis-effect = with { $change } { $quantity } was { $ratio } times as high
clause-no-cause = nothing

## What an effect is measured by

quantity-goodput = goodput
quantity-queueing-delay = the queueing delay
quantity-retransmissions = the share of retransmissions
quantity-sender-queue-drops = the share of packets dropped by the sending host
quantity-receiver-drops = the share of packets dropped by the receiving host
quantity-receiver-cpu-time = the CPU time of the receiver

## Interventions

intervention-scout = the first trial
intervention-baseline = unchanged settings
intervention-sham = unchanged settings again
intervention-receive-buffer = { $times } times the receive buffer
intervention-send-buffer = { $times } times the send buffer
intervention-rate = pacing at { $percent } of the rate
intervention-unpaced = no pacing
intervention-connections = { $times } times as many connections
intervention-message-size = { $times } times the message size
intervention-segment-size = { $times } times the segment size
intervention-sender-cpu = CPU time added at the sender for { $percent } of the rate
intervention-receiver-cpu = CPU time added at the receiver for { $percent } of the rate
intervention-receiver-copy = receiving without copying
intervention-receiver-away = the receiving thread on another CPU than the interrupts
intervention-receiver-beside = the receiving thread on the CPU of the interrupts
intervention-one-direction = one direction alone
intervention-amount = { $times } times the amount of data
intervention-memory-target = memory instead of storage
intervention-storage = { $times } times the work for storage
intervention-receive-buffer-setting = { $times } times the host's largest receive buffer (net.ipv4.tcp_rmem)
intervention-send-buffer-setting = { $times } times the host's largest send buffer (net.ipv4.tcp_wmem)
intervention-backlog-setting = { $times } times the backlog of the receiving host (net.core.netdev_max_backlog)

## Causes

cause-medium = the medium
    .sign = goodput is { $percent } of the medium's limit
    .try = this is what the wire gives; a faster medium would be needed
cause-receive-window = the receive window
    .sign = for { $percent } of the time with data in flight the receive window was full
    .try = raise the receive buffer (--receive-buffer, or the maximum of net.ipv4.tcp_rmem) on the receiving host, or read faster
cause-send-buffer = the send buffer
    .sign = for { $percent } of the time with data in flight the send buffer was full
    .try = raise the send buffer (--send-buffer, or the maximum of net.ipv4.tcp_wmem) on the sending host
cause-loss = packet loss on the path
    .sign = { $percent } of the segments were sent again
    .try = find the lossy link (errors on its interfaces, cable, radio); until then use more connections or --congestion bbr
cause-shaper = a shaper or a slower link on the path
    .sign = the round trip grew from { $min } to { $mean } under load
    .try = compare the rate with the links and shapers on the path; goodput mtu and the hosts' inventories show the links
cause-policer = a policer on the path
    .sign = { $percent } of the segments were sent again, while the round trip grew by only { $delay }
    .try = pace below the policer's rate (--rate), or have its rate or burst raised
cause-per-flow-cap = a cap for each connection
    .sign = neither buffers nor CPUs explain the rate of one connection
    .try = use several connections (--connections)
cause-cpu-sign = the measuring thread on { $host } ran for { $running } of the time and waited for a CPU for { $waiting }; its CPU quota was used up in { $throttled } of the periods
cause-sender-cpu = the sender's CPU
    .try = free the sending host's CPU, raise its quota, or use larger segments and offloads (goodput host NAME shows them)
cause-receiver-cpu = the receiver's CPU
    .try = free the receiving host's CPU, raise its quota, or use larger segments and offloads (goodput host NAME shows them)
cause-softirq = interrupts on the CPU of the receiving application
    .sign = interrupts took { $softirq } of a CPU of { $host }, and the measuring thread ran or waited for a CPU for { $busy } of the time
    .try = move the interrupts or the application to another CPU (RPS, irqbalance, --cpus)
cause-application-limited = the sending application
    .sign = its own pacing is { $rate }
    .sign-2 = it writes { $size } at a time
    .try = write more at a time (--size), or raise its rate (--rate)
cause-per-packet-cost = the cost of each packet on the path
    .sign = neither buffers nor CPUs of the hosts explain the rate
    .try = use larger packets (jumbo frames, offloads), or fewer rules on the routers
cause-sender-queue-drops = drops in the sending host's queue
    .sign = { $host } dropped { $percent } of the packets in its own queue
    .try = make the queue of the sending interface longer, or pace below its rate (--rate)
cause-receiver-drops = drops in the receiving host
    .sign = { $host } dropped { $percent } of the packets that it received
    .try = enlarge the ring of the receiving interface and net.core.netdev_max_backlog, or spread interrupts over CPUs
cause-shared-capacity-sign = data moves in both directions
cause-shared-bus = a bus that both directions share
    .try = move the adapter to a wider or dedicated slot
cause-half-duplex = a half-duplex medium
    .try = set both ends of the link to full duplex, or measure one direction at a time
cause-reordering = reordering on the path
    .sign = { $share } of the segments arrived out of order, and { $needless } of those sent again were not lost
    .try = keep each connection on one path (hash by flow instead of by packet)
cause-mtu-black-hole = an MTU black hole on the path
    .sign = nearly no data arrived
    .try = run goodput mtu to find the size that passes; lower the MTU, or set net.ipv4.tcp_mtu_probing=1
cause-storage = storage
    .sign = share of the time: disk of { $host } busy { $busy }, copy waiting for disk and network { $waited }
    .try = use a faster disk, or more of them (goodput file disk shows what it gives to each kind of access)
cause-options-stripped = TCP options removed on the path
    .sign = the connection has no window scaling
    .try = find the firewall or proxy on the path that removes TCP options; check net.ipv4.tcp_window_scaling on both hosts
cause-start-up = the start of a short transfer
    .sign = the transfer took only { $trips } round trips of { $round_trip }
    .try = keep connections open and reuse them, or transfer more at a time

## The path as a row of elements. path-ID is the name, path-figure-… how it is used

path-title = Path of the data
path-sender-cpu = sender CPU
path-send-buffer = send buffer
path-link = link
path-receive-buffer = receive buffer
path-receiver-cpu = receiver CPU
path-storage = storage
path-figure-cpu = busy { $percent }
path-figure-buffer = full { $percent }
path-figure-storage = busy { $percent }
path-figure-link = { $rate }, { $percent } of the medium's limit
path-figure-rate = { $rate }
path-figure-unknown = not known
path-headroom = headroom { $percent }
path-limit = limit
path-possible-limit = possible limit
