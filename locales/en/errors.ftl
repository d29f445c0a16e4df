### Errors of the command line: the words before what is said, and the commonest of what is said. Error, cause and hint are
### recognised by the English here: letter by letter what the code writes. locales/README.md.

## Lines of the terminal: the words before what is said

line-error = error: { $said }
line-cause = cause: { $said }
line-hint = hint: { $said }
line-warning = warning: { $said }
line-note = note: { $said }
line-how-sure = how sure: { $said }
line-try = try: { $said }

## A host that cannot be reached

error-unresolved = the name { $host } cannot be resolved
error-resolve-deadline = no answer to the look-up of { $host } within { $seconds } s
error-refused-connection = { $address } refuses the connection
error-no-answer = no answer from { $address } within { $seconds } s
error-unreachable = { $address } cannot be reached
error-wrong-key = { $address } has another lab key
error-tls-version = { $address } speaks TLS, but no version or cipher that this program accepts
error-stranger = { $address } is no goodput agent: { $who }
error-agent-without-key = the agent at { $address } runs without a lab key
error-key-missing = the agent at { $address } wants a lab key, and there is none here
error-key-needed = { $address } is another machine, and there is no lab key here
error-unproved = { $host } has not proved who it is
error-no-data-port = { $host } takes no data connections
error-no-way = { $from } finds no way for data to { $to }
error-measure-unreached = cannot measure: { $said }
error-interrupted = interrupted
error-interrupted-before = interrupted before the trial began
error-no-key-no-listen = an agent without a lab key does not listen on { $address }
error-cannot-read-key = cannot read the key file { $path }
error-key-open = the key file { $path } is open to others (mode { $mode })
error-key-text = the text in { $place } is not a lab key: { $why }
error-no-random = the system gives no random bytes
cause-name-server = the name server does not answer
cause-nothing-listens = the host is there, but nothing listens on this port
cause-off-or-firewall = the host is off, the address is wrong, or a firewall drops the packets
cause-speaks-plainly = it speaks plainly where this side expects TLS
cause-speaks-tls = it speaks TLS where this side has no certificate
cause-own-machine-only = an agent without a key answers its own machine only
cause-older-there = the agent's program is the older one
cause-older-here = this program is the older one
cause-must-hold-key = an agent does what it is told, so whoever tells it must hold the key
cause-in-between = what it showed was not made with the lab key, or not with a certificate for this host; somebody may be in between
hint-getent = check the spelling with `getent hosts { $host }`, or type the address
hint-start-agent = start `goodput agent` on { $host }, or name its port as HOST:PORT
hint-start-agent-only = start `goodput agent` on { $host }
hint-ping = try `ping { $ip }`, and open TCP { $port } in the firewall of { $ip }
hint-copy-key = copy the key file from one host to the other; `--key-file` names it
hint-same-version = install the same version on both hosts
hint-same-goodput = install the same version of goodput on both hosts
hint-other-port = port { $port } belongs to something else there: name the agent's port as HOST:PORT
hint-restart-with-key = restart the agent with the key file (`--key-file`)
hint-copy-or-make-key = copy the key file of the other host here; if there is none yet, `goodput key new` makes one (a fleet with certificates: --ca, --certificate, --private-key)
hint-new-key = goodput key new, and copy the file it makes to the other hosts
hint-copy-key-again = copy the file made by `goodput key new` once more; it is the same on both hosts
hint-agents-known = the agents found are: { $names }; an address reaches others
hint-agents-unknown = start `goodput agent` there; `goodput hosts` lists the agents that can be found, an address reaches the others
hint-port-taken = look whether another agent has the port: `ss -ltnp`; other ports by --port and --data-port
hint-agent-still-runs = look whether `goodput agent` still runs on { $host }, and try again
hint-firewall-data = open the data port in the firewall of { $host }, or say there where data goes: `goodput agent --data-address ADDRESS`

## What was typed

error-refused-option = { $option } { $value } is refused
error-refused-configuration = the configuration { $file } is refused
error-refused-experiment = the experiment { $file } is refused
error-refused-load-file = the load file { $file } is refused
error-subcommand-missing = a subcommand is missing
error-unexpected-argument = unexpected argument '{ $argument }' found
error-unrecognized-subcommand = unrecognized subcommand '{ $command }'
error-both-ends-same = both ends are the same host
cause-out-of-bounds = it is outside the bounds
cause-not-whole = it is not a whole number
cause-not-decimal = it is not a decimal number
cause-no-such-choice = there is no such choice
cause-no-unit = the unit is missing
cause-not-a-number = it does not begin with a number
cause-two-readings = { $unit } has two readings
cause-not-a-unit = { $unit } is not a unit of { $what }
hint-subcommands = goodput --help lists them; goodput demo shows what comes out
hint-value-from = type a value from { $from } to { $to }
hint-number-without-unit = type a number from { $from } to { $to }, without a unit
hint-two-readings = type { $one } or { $other } ({ $from } to { $to })
hint-form-and-help = the form is: { $usage }; more: goodput --help
hint-leave-one-out = leave one of them out
hint-list-runs = goodput list names them; a run's folder will do as well
hint-lab-up = goodput lab up
hint-other-runs-folder = name another folder with --runs, or measure with --no-save
hint-runs-folder = name a folder with --runs, or measure with --no-save

## Work on files

hint-allow-dir = start that agent with --allow-dir DIR, or name the folder in its policy (folders.allowed)
hint-logon = look at user, domain and password: smb://[domain;]user@host/share, --password-file FILE
hint-share-name = look how the share is called on the server
hint-writable = name a folder or a share that may be written to
hint-make-room = ask for less with --size, or make room
hint-permission = name a folder where this user may make folders, or log on as somebody who may
hint-not-made = look whether the folder exists there; it is not made for you
hint-after-the-cause = look after what the cause names and measure again
