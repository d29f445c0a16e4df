### Words of the web page. The key's first word is the page or part that it stands on.

## The frame

nav-now = Running now
nav-runs = Runs
nav-hosts = Hosts
nav-new = New test
nav-schedule = Schedule
nav-label = Pages of goodput
skip-to-content = Skip to main content
language-label = Language
theme-label = Colour theme
theme-system = System
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
page-not-found = Page not found.
connection-lost = Connection to the server lost; reconnecting.
problem-error = Error
problem-cause = Cause
problem-hint = Hint
server-no-answer = the server does not answer
severity-error = Error
severity-warning = Warning
severity-note = Note
finding-try = Suggestion
finding-evidence = Evidence

## Log in

login-title = Log in
login-password = Password
login-submit = Log in
login-why = This server requires a password. Ask the person who set it up.

## Runs

runs-title = Runs
runs-none = No run matches the filter.
runs-none-yet = No runs yet. Start a new test, or run goodput demo on the command line.
runs-search = Search
runs-filter = Filter
runs-filter-clear = Clear all filters
runs-since = Started on or after
runs-until = Started before
runs-compare = { $count ->
    [one] Compare { $count } run
   *[other] Compare { $count } runs
}
runs-compare-most = You can compare at most { $most } runs at once.
runs-count = { $count ->
    [one] { $count } run
   *[other] { $count } runs
}
runs-more = Show more
runs-any = Any
runs-changed = New runs are available. Show them
runs-choose-another = Select another run to compare with.
runs-choose-none = Clear selection
runs-trials-count = { $count ->
    [one] { $count } trial
   *[other] { $count } trials
}
runs-probe = Probe
runs-hosts = Hosts
runs-labels = Labels
runs-tags = Tags
runs-experiment = Experiment
runs-factors = Experiment factors
runs-factors-show = { $count ->
    [one] Show { $count } factor
   *[other] Show { $count } factors
}
runs-outcome = Outcome
runs-select = Select this run for comparison
outcome-complete = complete
outcome-partial = partial
outcome-failed = failed
outcome-running = running
outcome-invalid = invalid

## One run

run-title = Run
run-downloads = Downloads
download-csv = Observations as CSV, one row per observation
download-csv-table = One table of the results as CSV
download-html = Report as HTML without scripts, for any browser
download-iometer = results.csv in the format of IOmeter 1.1
download-iometer-1999 = results.csv in the format of IOmeter versions until 2008
download-json = Results as JSON, for programs
download-markdown = Report as Markdown with GitHub tables
download-netpipe = np.out in the format of NetPIPE
download-page = This page with the run's data, viewable without goodput
download-parquet-figures = Apache Parquet, one row per value
download-parquet-samples = Apache Parquet, one row per sample
download-run-tar-zst = Complete recording of the run, with all events and samples
download-text = Tables as plain text, as printed on the terminal
run-tags-edit = Edit tags
run-contents = Table of contents
run-print = Print this page
run-repeat = Repeat on a schedule
run-resume = Run the missing measurements
compare-title = Comparison of runs
compare-against = Compare the other runs with { $name }
compare-too-few = At least two runs are needed for a comparison. Select them on the Runs page.
statement-sure = Confidence:
statement-more = { $count ->
    [one] and { $count } more
   *[other] and { $count } more
}
tags-field = Tags, separated by commas
table-all-columns = Show all columns

## Charts and tables

chart-table = Show as a table
chart-picture = Show as a chart
chart-zoom-out = Show the whole range
chart-zoom-in = Zoom in
chart-zoom-less = Zoom out
chart-log-of = Logarithmic scale: { $axis }
chart-band = Shaded band: { $band }
chart-read = Read values along the axis
chart-read-hint = Move the slider to read values
chart-legend = Legend
chart-minimum = minimum
table-rows = { $count ->
    [one] { $count } row
   *[other] { $count } rows
}

## Now

now-title = Running now
now-nothing = No measurement is running.
now-stop = Stop the measurement
now-said = Last output
now-run = Open the run
now-again = Run again, with or without changes
now-experiment = Cells of the experiment
now-waiting = Waiting tests
now-ended = Recently ended tests
now-terminal = Started on the command line
now-terminal-note = This command was started in a terminal and can be stopped only there. Its trials appear here as they end.
now-terminal-cpu = No live CPU usage for this test, to avoid extra load on the hosts; the result contains it.
now-terminal-silent = No live data for the current trial. There is none on links below 1 Gbit/s, in experiments, with --json, or for commands of other machines or users.
now-trial-progress = Progress of this trial
now-trials = { $count ->
    [one] { $count } trial completed
   *[other] { $count } trials completed
}
job-waiting = waiting
job-running = running
job-stopping = stopping
job-done = done
job-failed = failed
job-by-page = started on this page
job-since = since { $time }
job-ended = ended { $time }
job-exit = exit code { $code }
prompt-title = Manual step required
prompt-must-show = The program then checks:
prompt-wrong = Not done yet: { $found }
prompt-done = Done
prompt-skip = Skip this level
prompt-sent = Answer sent; the program is checking the setting.
prompt-operator = Only a user with the operator role can answer.
prompt-at-terminal = Answer in the terminal where the experiment was started.

## What is measured at this moment

live-goodput = Goodput
live-goodput-picture = { $flows ->
    [one] Goodput of { $flows } flow over the last seconds; the table below shows the values.
   *[other] Goodput of { $flows } flows over the last seconds; the table below shows the values.
}
live-goodput-axis = Goodput
live-time-axis = Time since the first sample, s
live-flow = Flow
live-goodput-now = Current goodput
live-bytes = Data in the measurement window
live-cpu = CPU usage
live-cpu-picture = { $hosts ->
    [one] CPU usage of { $hosts } host over the last seconds; the table below shows the values.
   *[other] CPU usage of { $hosts } hosts over the last seconds; the table below shows the values.
}
live-cpu-axis = Usage of all CPUs, %
live-host = Host
live-busy-now = Current CPU usage
live-operations = Current operation rate: { $rate }
live-shared = These hosts run on one kernel: each value is the total of all of them.
live-shortened = Only the last two minutes are shown.
live-glimpse = Live preview; final results are computed from the full recording.
live-none = No live data yet. On links below 1 Gbit/s none is sent before the trial ends, because it would disturb the measurement.
live-progress = Progress
live-seconds = { $count } s
live-minutes = { $count } min
live-hours = { $hours } h { $minutes } min

## Hosts

hosts-title = Hosts
hosts-agents = Agents
hosts-none = No agent found. Start one on another host with goodput agent.
hosts-state = State
hosts-idle = idle
hosts-held-by = in use by { $client }
hosts-until = expected to be free at about { $time }
hosts-others-wait = { $count ->
    [one] { $count } client waiting
   *[other] { $count } clients waiting
}
hosts-address = Address
hosts-hostname = Host name
hosts-kernel = Kernel
hosts-cpu = CPU
hosts-cpus = { $count } × { $model }
hosts-pinned = (pinned to CPU { $cpu })
hosts-program = goodput version
hosts-groups = Agent groups
hosts-labels = Labels
hosts-matrix = Latest results between hosts
hosts-matrix-none = No measurements between hosts yet.
hosts-matrix-goodput = Goodput
hosts-matrix-latency = Latency
hosts-matrix-corner = From (row) to (column)
hosts-matrix-never = not measured
hosts-reach = Reachability of the agents
hosts-reach-note = Each cell shows the worse state of its two hosts and the time of their last measurement. Hosts of a lab have no agents.
hosts-agent-answers = agent reachable
hosts-agent-refuses = agent rejects commands from this host
hosts-agent-absent = agent not reachable
hosts-agent-unknown = agent state unknown
hosts-agent-heard = last contact { $when }
hosts-agent-gone = disconnected { $when }
hosts-measured = measured { $when }
hosts-memory = Memory
hosts-congestion = Congestion control
hosts-adapters = Adapters
hosts-speed-unknown = unknown speed
hosts-duplex-full = full duplex
hosts-duplex-half = half duplex
hosts-mtu = MTU { $bytes }
hosts-offloads = { $count ->
    [one] { $count } offload on
   *[other] { $count } offloads on
}
hosts-record = Last recorded configuration
hosts-record-none = No stored run contains a description of this host. A measurement records more details.
hosts-figure-goodput-bps = goodput
hosts-figure-latency-ns-p50 = median RTT
hosts-figure-half-rtt-ns-p50 = median half RTT
hosts-differences = Differences between two hosts
hosts-first = First host
hosts-second = Second host
hosts-compare = Compare hosts
hosts-fact = Property
hosts-recorded = recorded { $when }
hosts-same = No recorded differences between { $first } and { $second }.

## Experiment

experiment-title = Experiment
experiment-progress = { $done } of { $of } cells finished
experiment-progress-label = Finished cells
experiment-left = about { $time } left
experiment-report = Experiment report
experiment-cells = Cells
experiment-tally = Number of cells by state
experiment-matrix = Cells of { $probe }
experiment-warm-up = warm-up
experiment-repeat = repeat { $number }
experiment-now = Current trial
experiment-factors = Factors
experiment-by-hand = set by hand
cell-number = Cell { $number }
cell-trials = trials { $trials }
cell-waiting = waiting
cell-running = running
cell-done = done
cell-failed = failed
cell-timed-out = timed out
cell-not-set = level could not be set
cell-spared = skipped, because not needed

## New test

new-title = New test
new-command = Command
new-operator = Only a user with the operator role can start a test. You can still see its command line here.
new-group-hosts = Hosts
new-group-measurement = Measurement options
new-group-common = Common options of all tests
new-default = default: { $value }
new-required = required
new-line = Equivalent command line
new-good = The command line is valid.
new-unread = The form has no field for part of this command line, so no fields are filled in. Command line:
new-start = Start test

## Schedule

schedule-title = Schedules
schedule-title-of = Schedule { $name }
schedule-all = All schedules
schedule-none = No schedules.
schedule-unknown = Schedule not found.
schedule-new = New schedule
schedule-edit = Edit { $name }
schedule-name = Name
schedule-line = Command line of the measurement
schedule-when = Time of the runs
schedule-every = At a fixed interval
schedule-calendar = On certain days and times
schedule-interval = Interval
schedule-span = Unit of the interval
schedule-unit-seconds = seconds
schedule-unit-minutes = minutes
schedule-unit-hours = hours
schedule-unit-days = days
schedule-days = Days of the week
schedule-days-none = If no day is selected, the test runs every day.
schedule-day-monday = Monday
schedule-day-tuesday = Tuesday
schedule-day-wednesday = Wednesday
schedule-day-thursday = Thursday
schedule-day-friday = Friday
schedule-day-saturday = Saturday
schedule-day-sunday = Sunday
schedule-times = Times of day, for example 03:00, 15:30
schedule-zone = Time zone
schedule-jitter = Maximum random start delay in seconds (empty: the server chooses)
schedule-enabled = Enabled
schedule-alerts = Alerts
schedule-alert = Alert rule { $number }
schedule-alert-kind = Alert condition
schedule-alert-bound = Threshold with its unit, for example 800 Mbit/s or 2 ms
schedule-alert-times = Consecutive failed runs
schedule-alert-add = Add an alert rule
schedule-alert-short = Alert rule
schedule-alert-holds = active since { $since }
schedule-rule-below = the primary metric is below the threshold
schedule-rule-above = the primary metric is above the threshold
schedule-rule-changed = the history shows a change point
schedule-rule-failed = consecutive runs have failed
schedule-webhook = Webhook URL
schedule-rests = paused
schedule-next = Next run
schedule-last = Last run
schedule-runs = Runs
schedule-failed = { $count ->
    [one] { $count } run failed
   *[other] { $count } runs failed
}
schedule-missed = { $count ->
    [one] { $count } scheduled run missed
   *[other] { $count } scheduled runs missed
}
schedule-no-exit = no exit code: the process was killed or the server stopped
schedule-history = Run history
schedule-changes = Change points
schedule-delete-sure = Delete { $name }? Its runs are not deleted.
schedule-delete-yes = Yes, delete
schedule-wrong-name = Use 1 to 64 letters, digits, dots, hyphens or underscores; start with a letter or a digit.
schedule-wrong-line = Type a measurement command and close each quotation mark.
schedule-wrong-every = Type an integer above 0.
schedule-wrong-times = Type one or more times of day, for example 03:00.
schedule-wrong-jitter = Type an integer number of seconds, or leave the field empty.
schedule-wrong-webhook = Type a URL that begins with http:// or https://.
schedule-wrong-alert = Type a number with its unit, for example 800 Mbit/s, 2 ms or 45000 /s. K, M or G alone is ambiguous.
