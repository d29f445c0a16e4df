-- COLLATE "C": names sort by their bytes, as they do in SQLite, whatever the database's language.

-- What is known of each run, as JSON for a list and as columns to look for.
CREATE TABLE run (
    id TEXT COLLATE "C" PRIMARY KEY,
    started_us BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    experiment TEXT COLLATE "C" NOT NULL,
    words TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    card TEXT NOT NULL,
    stored BIGINT NOT NULL
);
CREATE INDEX run_experiment ON run (experiment, id);

-- Where folders of runs lie, and how they looked when they were read: of one root in SQLite, of each machine's in PostgreSQL.
CREATE TABLE folder (
    place TEXT COLLATE "C" NOT NULL,
    run TEXT COLLATE "C" NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (place, run)
);
CREATE INDEX folder_run ON folder (run);

-- Probes, hosts, labels and tags of runs.
CREATE TABLE facet (
    run TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (run, kind, name, value)
);
CREATE INDEX facet_value ON facet (kind, name, value, run);

-- What runs say of the way from one host to another.
CREATE TABLE pair (
    run TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" NOT NULL,
    figure TEXT COLLATE "C" NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    started_us BIGINT NOT NULL,
    PRIMARY KEY (run, source, target, figure)
);
CREATE INDEX pair_newest ON pair (source, target, figure, started_us);

-- Files of runs, so that no disk has to be shared. A file lies in parts of at most 1 MiB.
CREATE TABLE file (
    run TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    length BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (run, name)
);
CREATE TABLE part (
    run TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    data BYTEA NOT NULL,
    PRIMARY KEY (run, name, number)
);

-- Grows with every change of what is known of runs: a program that remembers it needs to read that once only.
CREATE TABLE generation (number BIGINT NOT NULL);
INSERT INTO generation (number) VALUES (0);
