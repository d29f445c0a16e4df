-- Levels of an experiment's factors are facets like labels, of the kind 'factor'. Experiments that were read before that
-- are read again: those in folders because they look changed, those that only the database has because they stand here.
CREATE TABLE overdue (
    run TEXT PRIMARY KEY
);
INSERT INTO overdue (run) SELECT id FROM run WHERE experiment <> '' AND stored = 1;
UPDATE folder SET signature = '' WHERE run IN (SELECT id FROM run WHERE experiment <> '');
