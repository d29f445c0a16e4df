// Written by `npm run types` from crates/goodput-server/openapi.json. Not to be changed by hand.

/** Every form that the server says or takes, by its name in the description. */
export interface Schemas {
  /** How it stands with the agent of a host. */
  AgentPresence: ("answers" | "refuses" | "absent" | "unknown");
  /** A rule. */
  Alert: {
    kind: "below";
    /** In the figure's base unit: bit/s, ns, a second. */
    value: number;
  } | {
    kind: "above";
    /** Likewise. */
    value: number;
  } | {
    kind: "changed";
  } | {
    kind: "failed";
    /** 1 to 1000. */
    times: number;
  };
  /** How the cells of a column stand. */
  Align: ("left" | "right");
  /** A cell that others point at. */
  Anchor: {
    /** Counted from 0. */
    column: number;
    /** The identifier that links name. */
    id: string;
    /** Counted from 0. */
    row: number;
  };
  /** A file within the page. */
  Attached: {
    /** Its bytes, in JSON as base64; `None` where they are too many to carry, which the words then say. */
    base64: string | null;
    /** Its media type. */
    media: string;
    /** The name under which it is kept. */
    name: string;
    /** What it holds, in words. */
    what: string;
  };
  /** An axis in JSON. */
  Axis: {
    /** What it measures, in words, without the unit. */
    label: string;
    /** The names of an axis of things; the first stands at the greatest number, the last at 1. */
    names: string[];
    /** What it measures, which decides how values are written. */
    quantity: Schemas["Quantity"];
    /** Least and greatest value, in base units: bytes, bit/s, nanoseconds, per cent. Things by their names stand at whole numbers. */
    range: [number, number];
    /** Linear or logarithmic. */
    scale: Schemas["AxisScale"];
    /** Ticks for the whole range, in order. */
    ticks: Schemas["AxisTick"][];
    /** What it measures, in words, with the unit where the ticks bear none. */
    title: string;
    /** The unit of the ticks' words on a linear axis; `None` where each tick bears its own. */
    unit: (Schemas["AxisUnit"] | null);
  };
  /** Linear or logarithmic. */
  AxisScale: ("linear" | "log");
  /** A tick of an axis. */
  AxisTick: {
    /** Where, in base units. */
    at: number;
    /** Its words; empty for a small tick between. */
    label: string;
  };
  /** The unit of an axis. */
  AxisUnit: {
    /** Its word: `Mbit/s`. */
    name: string;
    /** Its size in base units. */
    size: number;
  };
  /** One thing in a part. */
  Block: {
    kind: "lead";
    /** The sentence. */
    text: string;
  } | {
    kind: "text";
    /** The sentence. */
    text: string;
  } | {
    kind: "note";
    /** The sentence. */
    text: string;
  } | {
    kind: "caption";
    /** The sentence. */
    text: string;
  } | {
    kind: "statements";
    /** The gravest first, or in the order of what was asked. */
    statements: Schemas["Statement"][];
  } | Schemas["Tables"] & {
    kind: "table";
  } | Schemas["Figure"] & {
    kind: "figure";
  } | Schemas["PathDiagram"] & {
    kind: "diagram";
  } | {
    /** The files. */
    files: Schemas["Attached"][];
    kind: "files";
  };
  /** A cell of a table on the same page. */
  CellLink: {
    /** The identifier that the table has among its anchors. */
    cell: string;
    /** The cell in words. */
    words: string;
  };
  /** What became of a cell. */
  CellState: ("waiting" | "running" | "done" | "failed" | "timed-out" | "not-set" | "spared");
  /** Whether it can be started. */
  Checked: {
    /** Why. */
    cause: string | null;
    /** What is wrong with it; `null` where nothing is. */
    error: string | null;
    /** What to type. */
    hint: string | null;
    /** True when it can. */
    ok: boolean;
  };
  /** A comparison. */
  CompareDocument: {
    /** What it came to. */
    page: Schemas["Page"];
  };
  /** One curve with the band around it. */
  Curve: {
    /** x, lower and upper edge; empty when there is no band. */
    band: [number, number, number][];
    /** What the band is, for the legend; empty when there is none. */
    band_name: string;
    /** What it is, for the legend. */
    name: string;
    /** x and y, in order of drawing. */
    points: [number, number][];
    /** How it is drawn. */
    style: Schemas["CurveStyle"];
  };
  /** How a curve is drawn. */
  CurveStyle: ("line" | "steps" | "dashed" | "dots" | "bars" | "crosses" | "rule");
  /** A day of the week. */
  Day: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday");
  /** An attempt to tell. */
  Delivery: {
    /** When, RFC 3339. */
    at: string;
    /** True when the receiver took it. */
    taken: boolean;
    /** What it answered, or why it could not be told. */
    text: string;
  };
  /** An element of a path. */
  DiagramElement: {
    /** How it is used, in words. */
    figure: string;
    /** How much is left, in words; empty where that is not known. */
    headroom: string;
    /** The word that marks an element that limits; empty for others. */
    mark: string;
    /** What it is. */
    name: string;
    /** How much of it is used, in per cent; `null` where that is not known. */
    use_percent: number | null;
  };
  /** A form in which a run can be had. */
  Download: {
    /** The last part of its path. */
    form: string;
    /** Its media type. */
    media_type: string;
    /** The name to keep it under. */
    name: string;
  };
  /** How a turn ended. */
  Ended: {
    /** When it ended. */
    at: string;
    /** What `goodput why` named; `null` after another command. */
    diagnosis: (Schemas["NamedCauses"] | null);
    /** The exit code; `null` when it was killed or the server ended first. */
    exit: number | null;
    /** The primary metric; `null` without one. */
    figure: (Schemas["Reading"] | null);
    /** Why it failed, as far as that is known. */
    reason: string | null;
    /** The run; `null` when none was stored. */
    run: string | null;
    /** The turn's time, RFC 3339. */
    turn: string;
  };
  /** One execution of one probe line at one combination of levels. */
  ExperimentCell: {
    /** Its block of the order; 0 for a warm-up. */
    block: number;
    /** Its primary metric; `None` where it has none, or a curve over sizes. */
    figure: (Schemas["ToldFigure"] | null);
    /** The combination: factor to level. */
    levels: Record<string, string>;
    /** Its number in the plan, from 1. */
    number: number;
    /** The probe line's name. */
    probe: string;
    /** Why it has no result; empty otherwise. */
    reason: string;
    /** How often its line was planned at its combination up to here, warm-ups not counted; 0 for a warm-up. */
    repeat: number;
    /** What became of it. */
    state: Schemas["CellState"];
    /** Numbers of its trials. */
    trials: number[];
  };
  /** An experiment with its cells. */
  ExperimentDocument: {
    /** In the order in which they are run. */
    cells: Schemas["ExperimentCell"][];
    /** In the order of the tables. */
    factors: Schemas["ExperimentFactor"][];
    /** One word, for file names. */
    name: string;
    /** The probe lines in the order of the file. */
    probes: Schemas["ExperimentProbe"][];
    /** How far it is. */
    progress: Schemas["ExperimentProgress"];
    /** What the operator is asked now. */
    prompt: (Schemas["Prompt"] | null);
    /** One line, for headings. */
    title: string;
  };
  /** A factor of an experiment. */
  ExperimentFactor: {
    /** True where a hand puts them in place. */
    by_hand: boolean;
    /** Its levels, in order. */
    levels: string[];
    /** Its name. */
    name: string;
  };
  /** A probe line of an experiment. */
  ExperimentProbe: {
    /** Its primary metric in words; empty where it names none. */
    figure: string;
    /** Its name. */
    name: string;
  };
  /** How far an experiment is. */
  ExperimentProgress: {
    /** Cells that ended, however they ended. */
    done: number;
    /** Time that is left, in ns; `None` where it is not known. */
    left_ns: number | null;
    /** These and the cells that are still to be made at the most. */
    of: number;
  };
  /** One value to filter by. */
  FacetValue: {
    /** Runs that have it. */
    runs: number;
    /** The value. */
    value: string;
  };
  /** One fact that is not the same. */
  FactDifference: {
    /** On the first host; `null` where that has no such fact. */
    first: string | null;
    /** Its name, `interfaces.eth0.mtu`. */
    name: string;
    /** On the second. */
    second: string | null;
  };
  /** The levels of one factor. */
  FactorFacet: {
    /** Its levels at which an experiment was begun. */
    levels: Schemas["FacetValue"][];
    /** The factor's name. */
    name: string;
  };
  /** A picture. */
  Figure: {
    /** What it shows, in sentences with the main numbers, for those who cannot see it. */
    alternative: string;
    /** Curves in the order of their colours. */
    curves: Schemas["Curve"][];
    /** Short name for files and for identifiers within a page: `throughput`, `signature`, … */
    id: string;
    /** Horizontal lines at limits. */
    limits: Schemas["LimitLine"][];
    /** Points with a word. */
    marks: Schemas["Mark"][];
    /** Sentences below the picture, for example why no limit is drawn. */
    notes: string[];
    /** What it shows, in a few words. */
    title: string;
    /** Horizontal axis. */
    x: Schemas["Axis"];
    /** Vertical axis. */
    y: Schemas["Axis"];
  };
  /** A measuring command. */
  Form: {
    /** What it does. */
    about: string;
    /** Its words: `stream`, `file copy`. */
    command: string;
    /** What can be given to it, in the order of its help. */
    options: Schemas["FormOption"][];
  };
  /** Something that can be given to a command. */
  FormOption: {
    /** The words that it takes, where these are all. */
    choices: string[];
    /** What holds when it is left out, as the help says it; `null` where it says nothing. */
    default: string | null;
    /** What it belongs to. */
    group: Schemas["Group"];
    /** What it is for. */
    help: string;
    /** True where its value must be joined to it: `--no-delay=on`. */
    joined: boolean;
    /** What its value is. */
    kind: Schemas["Kind"];
    /** What the server must have been started with for it to be taken; `null` where it is always taken. */
    leave: (Schemas["Leave"] | null);
    /** `--time`; of what is given without a name, how the help calls it: `HOST`. */
    name: string;
    /** True where it may be given more than once. */
    repeated: boolean;
    /** True where the command is refused without it. */
    required: boolean;
    /** How the help calls its value; `null` for one that has none. */
    value_name: string | null;
  };
  /** Who tells. */
  Greeting: {
    /** The program's version. */
    version: string;
  };
  /** What an option belongs to. */
  Group: ("hosts" | "measurement" | "common");
  /** One change of a history. */
  HistoryChange: {
    /** Median of the runs from it on, up to the next change. */
    after: number;
    /** Median of the runs before, since the change before. */
    before: number;
    /** How likely a split as clear as this is by chance. */
    p: number;
    /** `after` over `before`; `null` where that says nothing. */
    ratio: number | null;
    /** The run with which it begins. */
    run: string;
    /** When that began, RFC 3339. */
    started: string;
    /** In words. */
    text: string;
  };
  /** The history of a schedule. */
  HistoryDocument: {
    /** Why it cannot be told whether it changed; `null` when it was searched. */
    cannot_tell: string | null;
    /** Where the history changed, in order of time. */
    changes: Schemas["HistoryChange"][];
    /** The figure that stands for its runs: `goodput_bps`; `null` before there was one. */
    figure: string | null;
    /** The schedule. */
    id: string;
    /** Runs that are not among `values`: older ones, and those whose figure is another. */
    left_out: number;
    /** The same to be shown. */
    page: Schemas["Page"];
    /** Its base unit. */
    unit: string;
    /** The runs in order of time, the last 200 at most. */
    values: Schemas["HistoryValue"][];
  };
  /** One run of a history. */
  HistoryValue: {
    /** The run. */
    run: string;
    /** When it began, RFC 3339. */
    started: string;
    /** The same as a person reads it. */
    text: string;
    /** The primary metric in its base unit; `null` for a run without one. */
    value: number | null;
  };
  /** An agent and its host. */
  Host: {
    /** Where it waits for orders, or through which router it is reached. */
    address: string;
    /** Where it takes data connections. */
    data_addresses: string[];
    /** What its host is; `null` when it could not be asked. */
    facts: (Schemas["HostFacts"] | null);
    /** Groups it belongs to. */
    groups: string[];
    /** The agent's random name since its start. */
    id: string;
    /** Labels given to it. */
    labels: Record<string, string>;
    /** The name it goes by; `null` when it could not be asked. */
    name: string | null;
    /** The protocol it speaks. */
    protocol: number | null;
    /** What it is doing; `null` when it could not be asked. */
    state: (Schemas["HostState"] | null);
    /** Why no order can be given to it from here; `null` when one can. */
    trouble: (Schemas["Trouble"] | null);
    /** The program's version. */
    version: string | null;
  };
  /** A network adapter as it was recorded. What could not be read is `null`. */
  HostAdapter: {
    /** Its driver. */
    driver: string | null;
    /** `full` or `half`. */
    duplex: string | null;
    /** `device` for one with hardware or a virtual bus behind it, else the kernel's kind: `veth`, `bridge`, … */
    kind: string;
    /** IP MTU in bytes. */
    mtu: number;
    /** Its name: `eth0`. */
    name: string;
    /** Offloads that are on, by the kernel's names. */
    offloads: string[] | null;
    /** The link's speed. */
    speed_bps: number | null;
  };
  /** What is not the same on two hosts, by the last records of them. */
  HostDifferences: {
    /** What is not the same, by name. */
    differences: Schemas["FactDifference"][];
    /** The first host's record. */
    first: Schemas["HostRecord"];
    /** The second's. */
    second: Schemas["HostRecord"];
  };
  /** The head of what a host is. */
  HostFacts: {
    /** Equal for two hosts that share one kernel. */
    boot_id: string;
    /** CPU model. */
    cpu_model: string;
    /** Logical CPUs online. */
    cpus: number;
    /** The host's own name. */
    hostname: string;
    /** Kernel name and release. */
    kernel: string;
    /** The one CPU on which the host runs, in a lab that pins them. */
    pinned_cpu: number | null;
  };
  /** The agents that are there. */
  HostList: {
    /** By name; those who have not said one last. */
    hosts: Schemas["Host"][];
    /** Why nobody can be watched; `null` while they can. */
    trouble: (Schemas["Trouble"] | null);
  };
  /** Who answers, and the last known figures of each ordered pair of hosts. */
  HostMatrix: {
    /** The hosts by name: those of the pairs, and agents that are there and were never measured. */
    hosts: string[];
    /** Pairs of which something is known, by names. */
    pairs: Schemas["HostPair"][];
    /** Whether an agent answers for each of them now, in the same order. */
    presence: Schemas["HostPresence"][];
  };
  /** One ordered pair. */
  HostPair: {
    /** The host that sent, or that timed the answers. */
    from: string;
    /** The last goodput; `null` where none is known. */
    goodput: (Schemas["PairFigure"] | null);
    /** The last latency or half round trip; `null` where none is known. */
    latency: (Schemas["PairFigure"] | null);
    /** The host that received, or that answered. */
    to: string;
  };
  /** Whether an agent answers for a host. */
  HostPresence: {
    /** How it stands with its agent. */
    agent: Schemas["AgentPresence"];
    /** When it was heard of last, or was seen to go: RFC 3339, by this server's clock; `null` where neither is known. */
    at: string | null;
    /** The host, as it was measured or as its agent is called. */
    host: string;
  };
  /** Where a host's facts were recorded. */
  HostRecord: {
    /** Hash of the facts. */
    hash: string;
    /** The host. */
    name: string;
    /** The run that recorded them. */
    run: string;
    /** When that began, RFC 3339. */
    started: string;
  };
  /** What hosts were when they measured last. */
  HostRecords: {
    /** By name; hosts of which no run has a record are left out. */
    records: Schemas["RecordedHost"][];
  };
  /** What an agent is doing. */
  HostState: {
    kind: "idle";
  } | {
    /** Who, in the coordinator's words. */
    holder: string;
    kind: "busy";
    /** Since when, RFC 3339, by this server's clock. */
    since: string | null;
    /** Until when the present trial should be over by its settings; `null` where they do not say. */
    until: string | null;
    /** Others who wait for their turn. */
    waiting: number;
  };
  /** A measuring command that the server runs, or has run, or is going to. */
  Job: {
    /** When it was asked for, RFC 3339. */
    asked: string;
    /** When it ended, RFC 3339; `null` before. */
    ended: string | null;
    /** The exit code; `null` while it has none, and where a signal ended it. */
    exit: number | null;
    /** Why it did not end well; `null` where it did, and before it ended. */
    failure: (Schemas["Refusal"] | null);
    /** Its name: a version 7 UUID. */
    id: string;
    /** The command's words, without the program's name. */
    line: string[];
    /** How far it is. */
    progress: Schemas["JobProgress"];
    /** What it asks for now, if it does. */
    prompt: (Schemas["JobPrompt"] | null);
    /** The run that it records; `null` before that is known, and where nothing is kept. */
    run: string | null;
    /** The last sentences that it said, the oldest first. */
    said: string[];
    /** When it began, RFC 3339; `null` before. */
    started: string | null;
    /** How it stands. */
    state: Schemas["JobState"];
    /** Who asked for it: `page`, or `schedule NAME`. */
    who: string;
  };
  /** How far a job is. */
  JobProgress: {
    /** Share that is done, 0 to 1; `null` where it is not known. */
    fraction: number | null;
    /** What it is doing. */
    text: string;
  };
  /** Something to be done by hand. */
  JobPrompt: {
    /** Its name within the job; an answer names it. */
    id: string;
    /** The factor, and the level that it is to have: `nic = b`. */
    level: string;
    /** What is looked at afterwards, one sentence a fact; empty where only the operator knows. */
    must_show: string[];
    /** What is to be done. */
    text: string;
    /** What was found instead after an earlier answer. */
    wrong: string | null;
  };
  /** How a job stands. */
  JobState: ("waiting" | "running" | "stopping" | "done" | "failed");
  /** What a value is. */
  Kind: ("flag" | "choice" | "number" | "size" | "time" | "rate" | "percent" | "host" | "list" | "file" | "folder" | "label" | "text");
  /** The values of one label. */
  LabelFacet: {
    /** The label's key. */
    key: string;
    /** Its values. */
    values: Schemas["FacetValue"][];
  };
  /** Something that a line may ask for and that a page gets only where whoever started the server has said so (`--allow`). */
  Leave: ("write" | "folders" | "files" | "knobs" | "commands");
  /** A horizontal line with its words. */
  LimitLine: {
    /** Where, in units of the vertical axis. */
    at: number;
    /** What it is, with its number. */
    label: string;
  };
  /** One event: its name, and what it carries. */
  LiveEvent: {
    data: Schemas["Greeting"];
    event: "hello";
  } | {
    data: Schemas["Job"];
    event: "job";
  } | {
    data: Schemas["LiveSample"];
    event: "live";
  } | {
    data: Schemas["Recorded"];
    event: "recorded";
  } | {
    event: "runs";
  } | {
    event: "hosts";
  } | {
    data: {
      /** The job. */
      job: string;
    };
    event: "prompt";
  };
  /** Data on its way between two hosts. */
  LiveFlow: {
    /** User bytes counted there since the window opened. */
    bytes: number;
    /** Where it comes from. */
    from: string;
    /** The same in bit/s since the sample before; `null` for the first. */
    goodput_bps: number | null;
    /** Where it is counted. */
    to: string;
  };
  /** A host that takes part. */
  LiveHost: {
    /** Busy share of its CPUs over about the last second, 0 to 100; `null` where it does not tell. */
    busy_percent: number | null;
    /** Its name. */
    name: string;
    /** True when another host of the trial runs on the same kernel: the figure is that of both together. */
    shared: boolean;
  };
  /** A glimpse of a trial under way. */
  LiveSample: {
    /** When it was told, by the server's clock: ns since 1970. */
    at_ns: number;
    /** Share of the trial done, 0 to 1; `null` where it is not known. */
    done: number | null;
    /** Since the window opened, in ns; `null` before it. */
    elapsed_ns: number | null;
    /** What came in, each way by itself. */
    flows: Schemas["LiveFlow"][];
    /** The hosts that take part, as far as they tell. */
    hosts: Schemas["LiveHost"][];
    /** The job that makes it; `null` for a run that somebody has begun at a terminal. */
    job: string | null;
    /** Operations completed since the window opened. */
    operations: number;
    /** Operations a second since the sample before; `null` for the first. */
    operations_per_second: number | null;
    /** The run that it will be part of; `null` when nothing is kept. */
    run: string | null;
    /** Its number in the run. */
    trial: number;
  };
  /** A point with a word. */
  Mark: {
    /** Where. */
    at: [number, number];
    /** The word. */
    label: string;
  };
  /** A message, as [`goodput_model::Message`] has it. */
  Message: {
    /** The variables by their names. */
    args: Record<string, Schemas["MessageArgument"]>;
    /** The key in the Fluent files. */
    id: string;
    /** The English text, of a message within another. */
    text?: string | null;
  };
  /** What a variable of a message stands for, as [`goodput_model::Arg`] has it. */
  MessageArgument: {
    text: string;
  } | {
    count: number;
  } | {
    quantity: Schemas["MessageQuantity"];
  } | {
    message: Schemas["Message"];
  } | {
    list: Schemas["MessageArgument"][];
  };
  /** A number with its unit, as [`goodput_model::Quantity`] has it. */
  MessageQuantity: {
    /** As English writes it. */
    text: string;
    /** Empty for a plain number. */
    unit: string;
    /** Not rounded. */
    value: number;
  };
  /** Turns that were not measured. */
  Missed: {
    /** How many; a lower bound when `more`. */
    count: number;
    /** The time of the first, RFC 3339. */
    from: string;
    /** True when there were too many to count. */
    more?: boolean;
    /** Why, in half a sentence. */
    reason: string;
    /** The time of the last. */
    to: string;
  };
  /** What limits a transfer. */
  NamedCauses: {
    /** Several where they cannot be told apart; none where nothing is proven. */
    causes: string[];
    /** The sending host. */
    from: string;
    /** The receiving host. */
    to: string;
  };
  /** What is under way. */
  Now: {
    /** Jobs of this server, in the order in which they were asked for; those that are over for a while. */
    jobs: Schemas["Job"][];
    /** Runs that are being recorded, by whomever. */
    running: Schemas["RunCard"][];
  };
  /** A whole report. */
  Page: {
    /** Names on it that people gave, which stay as they are in every language. */
    names: string[];
    /** Its parts. */
    sections: Schemas["PageSection"][];
    /** The first heading. */
    title: string;
    /** What stands below it: where the figures come from, when, by which program. */
    under: string[];
  };
  /** One part. */
  PageSection: {
    /** What it holds. */
    blocks: Schemas["Block"][];
    /** Its heading. */
    title: string;
  };
  /** A figure of a pair. */
  PairFigure: {
    /** Seconds since then; `null` where that lies ahead. */
    age_seconds: number | null;
    /** Its name in the document: `goodput_bps`, `latency_ns.p50`, `half_rtt_ns.p50`. */
    name: string;
    /** The run that it is from. */
    run: string;
    /** When that began, RFC 3339. */
    started: string;
    /** As a person reads it. */
    text: string;
    /** The base unit: `bit/s` or `ns`. */
    unit: string;
    /** In its base unit. */
    value: number;
  };
  /** Elements in a row, in the order in which data pass them. */
  PathDiagram: {
    /** From the sender to the receiver. */
    elements: Schemas["DiagramElement"][];
    /** What it shows, in a few words. */
    title: string;
  };
  /** A problem as it is sent: the members of RFC 9457, and `error`, `cause`, `hint` as the program prints them. */
  Problem: {
    /** Why. */
    cause: string | null;
    /** What could not be done, and why, in one line. */
    detail: string;
    /** What could not be done. */
    error: string;
    /** What to type or do. */
    hint: string | null;
    /** The status code of the answer. */
    status: number;
    /** The kind in words. */
    title: string;
    /** The kind of problem, `urn:goodput:problem:NAME`. */
    type: string;
  };
  /** A question to whoever stands at the machines. */
  Prompt: {
    /** Its name, which the answer bears. */
    id: string;
    /** What the machines must show afterwards; empty where nothing is looked at. */
    must_show: string[];
    /** What is to be done. */
    text: string;
  };
  /** What an axis measures, which decides its ticks and their words. */
  Quantity: ("size" | "rate" | "time" | "quantile" | "percent" | "count" | "plain" | "name");
  /** A figure as the index has it. */
  Reading: {
    /** Its name in the document: `goodput_bps`. */
    name: string;
    /** As a person reads it. */
    text: string;
    /** The base unit: `bit/s`, `ns`, `1/s`, … */
    unit: string;
    /** In its base unit. */
    value: number;
  };
  /** A trial that is on disk. */
  Recorded: {
    /** The run. */
    run: string;
    /** The trial's number in it. */
    trial: number;
  };
  /** What a host was when it measured last. What could not be read is `null`. */
  RecordedHost: {
    /** Adapters that the traffic took, with those below them. */
    adapters: Schemas["HostAdapter"][];
    /** The kernel's congestion control for connections that ask for none. */
    congestion_control: string | null;
    /** Physical memory. */
    memory_bytes: number | null;
    /** Where that was recorded. */
    record: Schemas["HostRecord"];
  };
  /** Why something was refused, in the three parts of every error of the program. */
  Refusal: {
    /** Why. */
    cause: string | null;
    /** What could not be done. */
    error: string;
    /** What to type or do. */
    hint: string | null;
  };
  /** What somebody may do here. */
  Role: ("none" | "reader" | "operator");
  /** One run of a list. */
  RunCard: {
    /** Bytes of its files. */
    bytes: number;
    /** The command as typed. */
    command: string[];
    /** The experiment's name; null for every other run. */
    experiment: string | null;
    /** The figure that stands for the run; null where none can. */
    figure: (Schemas["RunFigure"] | null);
    /** Names of the hosts, each once, in the order in which they first appear. */
    hosts: string[];
    /** The run's name, a UUID. */
    id: string;
    /** Labels given when it was measured. */
    labels: Record<string, string>;
    /** How it stands. */
    outcome: Schemas["RunOutcome"];
    /** Names of the probes, each once, in the order of their first trial. */
    probes: string[];
    /** When it began, RFC 3339, UTC. */
    started: string;
    /** Tags given since, in order. */
    tags: string[];
    /** Trials that are on disk. */
    trials: number;
    /** Version of the program that recorded it. */
    version: string;
  };
  /** A run as a page. */
  RunDocument: {
    /** What a list says of it. */
    card: Schemas["RunCard"];
    /** In which forms it can be had. */
    downloads: Schemas["Download"][];
    /** What came of it. */
    page: Schemas["Page"];
  };
  /** What there is to filter by, with how many runs have it. */
  RunFacets: {
    /** Experiments. */
    experiments: Schemas["FacetValue"][];
    /** Factors of experiments by name. */
    factors: Schemas["FactorFacet"][];
    /** Hosts. */
    hosts: Schemas["FacetValue"][];
    /** Labels by key. */
    labels: Schemas["LabelFacet"][];
    /** Outcomes. */
    outcomes: Schemas["FacetValue"][];
    /** Probes. */
    probes: Schemas["FacetValue"][];
    /** Runs altogether. */
    runs: number;
    /** Tags. */
    tags: Schemas["FacetValue"][];
  };
  /** One figure. */
  RunFigure: {
    /** Its name: `goodput_bps`, `latency_ns.p50`, … */
    name: string;
    /** As a person reads it. */
    text: string;
    /** bit/s, ns, byte, 1/s, …; empty for a plain number. */
    unit: string;
    /** Its value in its unit; of several trials the median. */
    value: number;
  };
  /** A page of runs, the newest first. */
  RunList: {
    /** What to send as after for the next page; null at the end. */
    next: string | null;
    /** The runs. */
    runs: Schemas["RunCard"][];
  };
  /** How a run stands. */
  RunOutcome: ("complete" | "partial" | "failed" | "running" | "invalid");
  /** A schedule and how it stands. */
  Schedule: {
    /** Its rules with how they stand. */
    alerts: Schemas["ScheduleAlert"][];
    /** False while it rests. */
    enabled: boolean;
    /** Those of them that failed: their exit code was neither 0 nor 1, which says that a requirement is not met. */
    failed: number;
    /** Runs that failed in a row up to the last. */
    failures_in_a_row: number;
    /** Its identifier, which is its name. */
    id: string;
    /** Up to how many seconds after its time a turn begins. */
    jitter_seconds: number;
    /** The job of the turn under way; `null` without one. */
    job: string | null;
    /** The last turn that ended; `null` before there was one. */
    last: (Schemas["Ended"] | null);
    /** The line. */
    line: string[];
    /** Those last missed, the newest first, 20 at most. */
    missed: Schemas["Missed"][];
    /** Turns that were missed, altogether. */
    missed_turns: number;
    /** What it is called. */
    name: string;
    /** When the next turn begins, RFC 3339, jitter included; `null` while it rests. */
    next: string | null;
    /** Turns that ended, well or not. */
    runs: number;
    /** The last attempt to tell; `null` before there was one. */
    told: (Schemas["Delivery"] | null);
    /** What is yet to be told. */
    untold: number;
    /** Where it tells of them. A reader sees the host alone, because such an address is often a secret. */
    webhook: string | null;
    /** When. */
    when: Schemas["When"];
    /** The same in words: `Monday to Friday at 03:00 (Europe/Berlin)`. */
    when_text: string;
  };
  /** A rule and how it stands. */
  ScheduleAlert: {
    /** The rule. */
    rule: Schemas["Alert"];
    /** How it stands; `null` before it was judged. */
    standing: (Schemas["Standing"] | null);
    /** The rule in words. */
    text: string;
  };
  /** All schedules. */
  ScheduleList: {
    /** By name. */
    schedules: Schemas["Schedule"][];
    /** Why a schedule could not be written down or read, the last time it was tried; `null` while they can. */
    trouble: string | null;
  };
  /** Who is asking. */
  Session: {
    /** What must be sent as `X-CSRF-Token` with each change; `null` for a stranger and with a token. */
    csrf: string | null;
    /** Languages of the page (BCP 47). */
    languages: string[];
    /** True when there is something to log in with. */
    login: boolean;
    /** The program and its version; `null` for a stranger. */
    program: string | null;
    /** What he may do. */
    role: Schemas["Role"];
  };
  /** A finding's gravity in words, as [`goodput_model::Severity`] has it. */
  Severity: ("note" | "warning" | "error");
  /** Whether a rule holds, and since when. */
  Standing: {
    /** When it began to hold, RFC 3339; `null` while it does not. A change does not last: it is told, and that is all. */
    since: string | null;
    /** What was said last. */
    text: string | null;
    /** The first run of the last change that was told or was there before the rule. */
    told: string | null;
  };
  /** A statement with what it rests on. */
  Statement: {
    /** `yes`, `no`, `in part`, `not known`, where it answers a question; else empty. */
    answer: string;
    /** What it rests on. */
    evidence: string[];
    /** Stable name of the rule; empty where there is none. */
    id: string;
    /** Cells that it rests on. */
    links: Schemas["CellLink"][];
    /** What the sentence was made of; `None` for a text that is in no locale. */
    message?: (Schemas["Message"] | null);
    /** Cells beyond those. */
    more: number;
    /** How much it matters; `None` for a conclusion, which is no finding about the measurement. */
    severity: (Schemas["Severity"] | null);
    /** How sure it is; may be empty. */
    sure: string;
    /** One sentence with its number. */
    text: string;
    /** What to try; may be empty. */
    try: string;
    /** What the advice was made of. */
    try_message?: (Schemas["Message"] | null);
  };
  /** A table in JSON. */
  Table: {
    /** What it shows in a sentence, for those who cannot see it. */
    alternative: string;
    /** Cells that others point at. */
    anchors: Schemas["Anchor"][];
    /** Its columns. */
    columns: Schemas["TableColumn"][];
    /** Columns at the left that name their row. */
    heads: number;
    /** What must be known to read it. */
    notes: string[];
    /** Rows, each as long as `columns`. */
    rows: Schemas["TableCell"][][];
    /** What the table shows. */
    title: string;
  };
  /** A cell of a table in JSON. */
  TableCell: {
    /** As it is shown. */
    text: string;
    /** The number of the cell in its base unit, to sort by. Missing where there is none. */
    value?: number | null;
  };
  /** A column of a table in JSON. */
  TableColumn: {
    /** How its cells stand. */
    align: Schemas["Align"];
    /** Its name; may be empty. */
    name: string;
    /** The base unit of all its values (`bit/s`, `B`, `B/s`, `ns`, `%`, `1/s`, or empty for numbers without one), where all cells that say something have a value of it: it can then be sorted by value. `None` for words. */
    unit: string | null;
  };
  /** A table in the two lengths in which it is shown. */
  Tables: {
    /** For little room; `None` where it is the same as the whole. */
    short: (Schemas["Table"] | null);
    /** All of it. */
    whole: Schemas["Table"];
  };
  /** Tags. */
  Tags: {
    /** All tags that the run is to have: short texts of one line, 64 at most. */
    tags: string[];
  };
  /** A figure in words and as it is. */
  ToldFigure: {
    /** What it is, in words: `goodput`, `latency p50`. */
    name: string;
    /** As a person reads it. */
    text: string;
    /** The base unit: `bit/s`, `ns`, `byte`, `%`, `1/s`, or empty. */
    unit: string;
    /** In its base unit. */
    value: number;
  };
  /** Why something cannot be done. */
  Trouble: {
    /** Why, if more is known. */
    cause: string | null;
    /** What cannot be done. */
    error: string;
    /** What to type or to look at. */
    hint: string | null;
  };
  /** When a line is repeated, as it is written. */
  When: {
    kind: "every";
    /** 10 s to 366 days. */
    seconds: number;
  } | {
    /** Days of the week; empty for every day. */
    days: Schemas["Day"][];
    kind: "calendar";
    /** Times of day, `03:00`; one at the least. */
    times: string[];
    /** The time zone by its IANA name, `Europe/Berlin`, or `UTC`. */
    zone: string;
  };
}
