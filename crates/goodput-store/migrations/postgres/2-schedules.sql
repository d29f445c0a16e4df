-- Tests that are repeated, and what came of each time. They stand in no run: a rebuild leaves them.
CREATE TABLE schedule (
    id TEXT COLLATE "C" PRIMARY KEY,
    changed_us BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE TABLE history (
    schedule TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    at_us BIGINT NOT NULL,
    run TEXT COLLATE "C" NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (schedule, number)
);
