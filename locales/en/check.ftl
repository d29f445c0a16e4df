### `goodput check`: its sentence, the command to run next, settings to look at, and the outcome of requirements.

check-measured = { $figures }
check-medium-reached = { $figures }: the medium is the limit
check-medium-reached-one = { $figures }: the medium is the limit from { $from } to { $to }
check-nothing = nothing could be measured between { $from } and { $to }
clause-check-tcp = TCP from { $from } to { $to } { $rate }
clause-check-tcp-share = TCP from { $from } to { $to } { $rate } ({ $percent } of what the medium allows)
clause-check-udp = UDP without loss { $rate }
clause-check-round-trip = round trip { $idle }
clause-check-round-trip-loaded = round trip { $idle } idle and { $loaded } under load

## The command to run next

check-next-why = to find out what limits it: { $command }
check-next-watch = to notice when it falls below this: { $command }
check-next-repeat = when the causes above are fixed: { $command }

## Settings to look at

check-negotiation-off = { $interface } of { $host } runs at { $speed } without auto-negotiation
check-offloads-off = { $interface } of { $host } has these offloads off: { $names }
check-interrupts-on-one-cpu = all interrupts of { $interface } of { $host } go to CPU { $cpu }, although it has { $queues } queues
check-small-buffer = { $setting } of { $host } allows at most { $most }; { $rate } over a round trip of { $round_trip } need { $needed }

## Steps without a result

check-not-measured = not measured: { $step }: { $cause }
check-not-begun = the check ended before this step
check-round-trip-too-long = a round trip of { $round_trip } is too long for a quick sweep
check-lost-at-every-rate = datagrams were lost at every rate that was tried
check-more-notes = and { $count } more: goodput report

## Requirements

check-requirement-met = requirement met: { $requirement }: measured { $measured }
check-requirement-not-met = requirement not met: { $requirement }: measured { $measured }, required { $required }
check-requirement-not-measured = requirement not met: { $requirement }: not measured
