### Words of the web page. The key's first word is the page or part that it stands on.

## The frame

nav-now = Now
nav-runs = Runs
nav-hosts = Hosts
nav-new = New test
nav-schedule = Schedule
nav-label = Pages
skip-to-content = Skip to the content
language-label = Language
theme-label = Colours
theme-system = As the system
theme-light = Light
theme-dark = Dark
log-out = Log out
loading = Loading…
again = Try again
cancel = Cancel
save = Save
delete = Delete
edit = Edit
remove = Remove
page-not-found = There is no such page.
connection-lost = The connection to the server is lost; trying again.
problem-error = Error
problem-cause = Cause
problem-hint = Hint
severity-error = Error
severity-warning = Warning
severity-note = Note
finding-try = Try
finding-evidence = Evidence

## Log in

login-title = Log in
login-password = Password
login-submit = Log in
login-why = This server asks for a password. Whoever set it up knows it.

## Runs

runs-title = Runs
runs-none = No run fits.
runs-none-yet = No runs yet. Begin with a new test, or with goodput demo on the command line.
runs-search = Search
runs-filter = Filter
runs-filter-clear = Clear all filters
runs-since = Since
runs-until = Until
runs-compare = { $count ->
    [one] Compare { $count } run
   *[other] Compare { $count } runs
}
runs-compare-most = At most { $most } runs can be compared at once.
runs-count = { $count ->
    [one] { $count } run
   *[other] { $count } runs
}
runs-more = Show more
runs-any = any
runs-changed = There are new runs. Show them
runs-choose-another = Select another run to compare with.
runs-choose-none = Select none
runs-trials-count = { $count ->
    [one] { $count } trial
   *[other] { $count } trials
}
runs-probe = Probe
runs-hosts = Hosts
runs-labels = Labels
runs-tags = Tags
runs-experiment = Experiment
runs-factors = Factors of experiments
runs-factors-show = { $count ->
    [one] Show { $count } factor
   *[other] Show { $count } factors
}
runs-outcome = Outcome
runs-select = Select this run to compare
outcome-complete = complete
outcome-partial = partial
outcome-failed = failed
outcome-running = running

## One run

run-title = Run
run-downloads = Downloads
download-csv = the observations, a row each
download-csv-table = one table of the results
download-html = the report without a script, for any browser
download-iometer = results.csv as IOmeter 1.1 writes it
download-iometer-1999 = results.csv as IOmeter wrote it until 2008
download-json = the results as programs read them
download-markdown = the report with GitHub's tables
download-netpipe = np.out as NetPIPE writes it
download-page = this page with the run inside, for readers without the program
download-parquet-figures = Apache Parquet, a row for each figure
download-parquet-samples = Apache Parquet, a row for each sample
download-run-tar-zst = the run as it was recorded, every event and every sample
download-text = the tables as on the terminal
run-tags-edit = Change the tags
run-contents = Contents
run-print = Print
run-repeat = Repeat on a schedule
run-resume = Measure what is missing
compare-title = Comparison
compare-against = Hold the others against { $name }
compare-too-few = Two runs at least are needed to compare. Select them on the page of runs.
statement-sure = Confidence:
statement-more = { $count ->
    [one] and { $count } more
   *[other] and { $count } more
}
tags-field = Tags, with commas between them
table-all-columns = All columns

## Charts and tables

chart-table = Show as a table
chart-picture = Show as a picture
chart-zoom-out = Whole range
chart-zoom-in = Zoom in
chart-zoom-less = Zoom out
chart-log-of = Logarithmic: { $axis }
chart-band = band: { $band }
chart-read = Read the values along the axis
chart-read-hint = Move to read the values
chart-legend = Legend
table-rows = { $count ->
    [one] { $count } row
   *[other] { $count } rows
}

## Now

now-title = Now
now-nothing = Nothing is being measured.
now-stop = Stop
now-said = What it said last
now-run = The run
now-again = Once more, changed or not
now-experiment = The cells of the experiment
now-waiting = Waiting for their turn
now-ended = Ended lately
now-terminal = Begun at a terminal
now-terminal-note = It was begun at a terminal, and there it is stopped. Here its trials appear one by one as they end.
now-terminal-cpu = Hosts are not asked for their CPU for the sake of this picture; it stands in the result.
now-terminal-silent = Nothing is told of the trial under way. So it is on links below 1 Gbit/s, in experiments, where a program reads the document (--json), and when the command runs on another machine or as another user.
now-trial-progress = Progress of this trial
now-trials = { $count ->
    [one] { $count } trial so far
   *[other] { $count } trials so far
}
job-waiting = waiting
job-running = running
job-stopping = stopping
job-done = done
job-failed = failed
job-by-page = begun on this page
job-since = since { $time }
job-ended = ended { $time }
job-exit = exit code { $code }
prompt-title = A hand is needed
prompt-must-show = Afterwards this is looked at:
prompt-wrong = Not yet: { $found }
prompt-done = Done
prompt-skip = Leave this level out
prompt-sent = Sent; the facts are being looked at.
prompt-operator = An operator can answer.
prompt-at-terminal = It is answered at the terminal where the experiment was begun.

## What is measured at this moment

live-goodput = Goodput
live-goodput-picture = { $flows ->
    [one] Goodput of { $flows } flow over the last seconds; the numbers stand in the table below.
   *[other] Goodput of { $flows } flows over the last seconds; the numbers stand in the table below.
}
live-goodput-axis = Goodput
live-time-axis = Time since the first sample, s
live-flow = Flow
live-goodput-now = Now
live-bytes = In the window
live-cpu = Busy CPU
live-cpu-picture = { $hosts ->
    [one] Busy CPU of { $hosts } host over the last seconds; the numbers stand in the table below.
   *[other] Busy CPU of { $hosts } hosts over the last seconds; the numbers stand in the table below.
}
live-cpu-axis = Busy share of all CPUs, %
live-host = Host
live-busy-now = Now
live-operations = Operations now: { $rate }
live-shared = These hosts run on one kernel: each figure is that of all of them together.
live-shortened = The last two minutes are shown.
live-glimpse = This is a glimpse. The result is computed from the samples that both ends keep.
live-none = Nothing is told of the trial yet. On links below 1 Gbit/s nothing is until it ends: it would disturb what is measured.
live-progress = Progress
live-seconds = { $count } s
live-minutes = { $count } min
live-hours = { $hours } h { $minutes } min

## Hosts

hosts-title = Hosts
hosts-agents = Agents
hosts-none = No agent is present. Start one on another host with goodput agent.
hosts-state = State
hosts-idle = idle
hosts-held-by = busy for { $client }
hosts-until = until about { $time }
hosts-others-wait = { $count ->
    [one] { $count } waits
   *[other] { $count } wait
}
hosts-address = Address
hosts-hostname = Host name
hosts-kernel = Kernel
hosts-cpu = CPU
hosts-cpus = { $count } × { $model }
hosts-pinned = (held on CPU { $cpu })
hosts-program = goodput
hosts-groups = Groups
hosts-labels = Labels
hosts-matrix = What was measured between them last
hosts-matrix-none = Nothing was measured between hosts yet.
hosts-matrix-goodput = Goodput
hosts-matrix-latency = Latency
hosts-matrix-corner = From ↓ to →
hosts-matrix-never = not measured
hosts-reach = Who answers now
hosts-reach-note = A cell stands for the worse of its two ends, with when something was measured between them last. Hosts of a lab have no agents.
hosts-agent-answers = answers
hosts-agent-refuses = takes no orders from here
hosts-agent-absent = no agent answers
hosts-agent-unknown = cannot be told
hosts-agent-heard = heard of { $when }
hosts-agent-gone = went away { $when }
hosts-measured = measured { $when }
hosts-memory = Memory
hosts-congestion = Congestion control
hosts-adapters = Adapters
hosts-speed-unknown = speed not known
hosts-duplex-full = full duplex
hosts-duplex-half = half duplex
hosts-mtu = MTU { $bytes }
hosts-offloads = { $count ->
    [one] { $count } offload on
   *[other] { $count } offloads on
}
hosts-record = Last record
hosts-record-none = No stored run has a record of this host. What it is beyond this is recorded when it measures.
hosts-figure-goodput-bps = goodput
hosts-figure-latency-ns-p50 = round trip, median
hosts-figure-half-rtt-ns-p50 = half round trip, median
hosts-differences = What differs between two hosts
hosts-first = One host
hosts-second = The other
hosts-compare = Compare
hosts-fact = Fact
hosts-recorded = recorded { $when }
hosts-same = Nothing that was recorded differs between { $first } and { $second }.

## Experiment

experiment-title = Experiment
experiment-progress = { $done } of { $of } cells have ended
experiment-progress-label = Cells that have ended
experiment-left = about { $time } left
experiment-report = The report
experiment-cells = Cells
experiment-tally = How many cells are in each state
experiment-matrix = Cells of { $probe }
experiment-warm-up = warm-up
experiment-repeat = repeat { $number }
experiment-now = Now
experiment-factors = Factors
experiment-by-hand = by hand
cell-number = Cell { $number }
cell-trials = trials { $trials }
cell-waiting = waiting
cell-running = running
cell-done = done
cell-failed = failed
cell-timed-out = timed out
cell-not-set = not set
cell-spared = not needed

## New test

new-title = New test
new-command = What to measure
new-operator = Only an operator may start a test. What it would be typed like can be seen here.
new-group-hosts = Between whom
new-group-measurement = What is measured
new-group-common = What every test has
new-default = as usual: { $value }
new-required = required
new-line = On the command line this is
new-good = The program takes this line.
new-unread = This line says something that the form has no field for, so nothing is filled in. At a terminal it is:
new-start = Start

## Schedule

schedule-title = Schedules
schedule-title-of = Schedule { $name }
schedule-all = All schedules
schedule-none = Nothing is scheduled.
schedule-unknown = There is no such schedule.
schedule-new = New schedule
schedule-edit = Change { $name }
schedule-name = Name
schedule-line = What to measure, as on the command line
schedule-when = When
schedule-every = At an interval
schedule-calendar = By days and times
schedule-interval = Every
schedule-span = Unit
schedule-unit-seconds = seconds
schedule-unit-minutes = minutes
schedule-unit-hours = hours
schedule-unit-days = days
schedule-days = Days
schedule-days-none = No day chosen is every day.
schedule-day-monday = Monday
schedule-day-tuesday = Tuesday
schedule-day-wednesday = Wednesday
schedule-day-thursday = Thursday
schedule-day-friday = Friday
schedule-day-saturday = Saturday
schedule-day-sunday = Sunday
schedule-times = Times of day, as 03:00, 15:30
schedule-zone = Time zone
schedule-jitter = Begin up to so many seconds later, at random (empty: the server chooses)
schedule-enabled = In force
schedule-alerts = Who is told, and of what
schedule-alert = Rule { $number }
schedule-alert-kind = Tell when
schedule-alert-bound = Bound with its unit, as 800 Mbit/s or 2 ms
schedule-alert-times = Failed runs in a row
schedule-alert-add = Add a rule
schedule-alert-short = Rule
schedule-alert-holds = holds since { $since }
schedule-rule-below = the chief figure is below
schedule-rule-above = the chief figure is above
schedule-rule-changed = the history has changed
schedule-rule-failed = runs have failed
schedule-webhook = Address that is told (webhook)
schedule-rests = rests
schedule-next = Next
schedule-last = Last
schedule-runs = Runs
schedule-failed = { $count ->
    [one] { $count } failed
   *[other] { $count } failed
}
schedule-missed = { $count ->
    [one] { $count } turn missed
   *[other] { $count } turns missed
}
schedule-no-exit = killed, or the server ended first
schedule-history = History
schedule-changes = Where it changed
schedule-delete-sure = Delete { $name }? Its runs stay.
schedule-delete-yes = Yes, delete
schedule-wrong-name = A name has letters, digits, dots, hyphens and underscores, 64 at most, and begins with a letter or a digit.
schedule-wrong-line = Type a command that measures; each quotation mark needs its partner.
schedule-wrong-every = Type a whole number above 0.
schedule-wrong-times = Type one or more times of day such as 03:00.
schedule-wrong-jitter = Type whole seconds, or nothing.
schedule-wrong-webhook = An address begins with http:// or https://.
schedule-wrong-alert = Type a number with its unit: 800 Mbit/s, 2 ms, 45000 /s. K, M or G alone can be read in two ways.
