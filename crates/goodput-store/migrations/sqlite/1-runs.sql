-- What is known of each run, as JSON for a list and as columns to look for.
CREATE TABLE run (
    id TEXT PRIMARY KEY,
    started_us BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    experiment TEXT NOT NULL,
    words TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    card TEXT NOT NULL,
    stored BIGINT NOT NULL
);
CREATE INDEX run_experiment ON run (experiment, id);

-- Where folders of runs lie, and how they looked when they were read: of one root in SQLite, of each machine's in PostgreSQL.
CREATE TABLE folder (
    place TEXT NOT NULL,
    run TEXT NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (place, run)
);
CREATE INDEX folder_run ON folder (run);

-- Probes, hosts, labels and tags of runs.
CREATE TABLE facet (
    run TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, kind, name, value)
);
CREATE INDEX facet_value ON facet (kind, name, value, run);

-- What runs say of the way from one host to another.
CREATE TABLE pair (
    run TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    figure TEXT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    started_us BIGINT NOT NULL,
    PRIMARY KEY (run, source, target, figure)
);
CREATE INDEX pair_newest ON pair (source, target, figure, started_us);

-- Files of runs that no folder holds. SQLite keeps none: there the folders are beside it.
CREATE TABLE file (
    run TEXT NOT NULL,
    name TEXT NOT NULL,
    length BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (run, name)
);
CREATE TABLE part (
    run TEXT NOT NULL,
    name TEXT NOT NULL,
    number BIGINT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (run, name, number)
);

-- Grows with every change of what is known of runs: a program that remembers it needs to read that once only.
CREATE TABLE generation (number BIGINT NOT NULL);
INSERT INTO generation (number) VALUES (0);
