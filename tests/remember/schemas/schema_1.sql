-- A file of schema 1, as the first version wrote it.
BEGIN TRANSACTION;
CREATE TABLE repairs (
            id TEXT NOT NULL PRIMARY KEY,
            session TEXT NOT NULL,
            at TEXT NOT NULL,
            cell_id TEXT,
            execution_count INTEGER,
            ename TEXT NOT NULL,
            title TEXT NOT NULL,
            provider TEXT,
            detail TEXT,
            decision TEXT,
            succeeded INTEGER,
            body TEXT NOT NULL
        );
INSERT INTO "repairs" VALUES('5e6f7a8b','11223344','2026-11-20T08:00:00.000+00:00','c-3',3,'KeyError','KeyError: ''regoin''','rule','closest column',NULL,NULL,'{"id":"5e6f7a8b","session":"11223344","fixes":[{"id":"x5e6f7a8b","explanation":"`df` has no column ''regoin''.","provider":"rule","detail":"closest column","usage":null,"steps":[{"target":{"id":"c-3","execution_count":3},"expected":"df.groupby(\"regoin\")","source":"df.groupby(\"region\")"}]}],"verdicts":{"x5e6f7a8b":{"outcome":"passed","reason":"","findings":[]}},"decision":null,"rerun":null,"trouble":"","cause":{"id":"f5e6f7a8b","at":"2026-11-20T08:00:00.000+00:00","stage":"run","exceptions":[{"ename":"KeyError","evalue":"''regoin''","relation":"raised","notes":[],"frames":[]}],"lineno":1,"lookup":null,"syntax":null,"situation":{"place":{"id":"c-3","execution_count":3},"source":"df.groupby(\"regoin\")","names":["df"],"earlier":[],"versions":{},"python":"3.11.9"}}}');
INSERT INTO "repairs" VALUES('1a2b3c4d','11223344','2026-11-20T09:00:00.000+00:00','c-7',7,'KeyError','KeyError: ''regoin''','rule','closest column','accepted',1,'{"id":"1a2b3c4d","session":"11223344","fixes":[{"id":"x1a2b3c4d","explanation":"`df` has no column ''regoin''.","provider":"rule","detail":"closest column","usage":null,"steps":[{"target":{"id":"c-7","execution_count":7},"expected":"df[\"regoin\"]","source":"df[\"region\"]"}]}],"verdicts":{"x1a2b3c4d":{"outcome":"passed","reason":"","findings":[]}},"decision":{"kind":"accepted","at":"2026-11-20T09:00:00.000+00:00","fix_id":"x1a2b3c4d","run":true,"reason":"","steps":[{"target":{"id":"c-7","execution_count":7},"expected":"df[\"regoin\"]","source":"df[\"region\"]"}]},"rerun":{"succeeded":true,"at":"2026-11-20T09:00:00.000+00:00","ename":"","evalue":"","seconds":0.2},"trouble":"","cause":{"id":"f1a2b3c4d","at":"2026-11-20T09:00:00.000+00:00","stage":"run","exceptions":[{"ename":"KeyError","evalue":"''regoin''","relation":"raised","notes":[],"frames":[]}],"lineno":1,"lookup":null,"syntax":null,"situation":{"place":{"id":"c-7","execution_count":7},"source":"df[\"regoin\"]","names":["df"],"earlier":[],"versions":{},"python":"3.11.9"}}}');
CREATE INDEX ix_repairs_at ON repairs (at);
COMMIT;
PRAGMA application_id = 1919315064;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
