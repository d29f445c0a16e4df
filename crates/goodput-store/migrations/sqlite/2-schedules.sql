-- Tests that are repeated, and what came of each time. They stand in no run: a rebuild leaves them.
CREATE TABLE schedule (
    id TEXT PRIMARY KEY,
    changed_us BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE TABLE history (
    schedule TEXT NOT NULL,
    number BIGINT NOT NULL,
    at_us BIGINT NOT NULL,
    run TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (schedule, number)
);
