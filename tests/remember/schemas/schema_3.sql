-- A file of schema 3, as the first version with it wrote it.
BEGIN TRANSACTION;
CREATE TABLE repairs (
            seq INTEGER NOT NULL PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            session TEXT NOT NULL,
            at TEXT NOT NULL,
            notebook TEXT NOT NULL,
            author TEXT NOT NULL,
            cell_id TEXT,
            execution_count INTEGER,
            ename TEXT NOT NULL,
            title TEXT NOT NULL,
            provider TEXT NOT NULL,
            rule TEXT NOT NULL,
            model TEXT NOT NULL,
            outcome TEXT NOT NULL,
            succeeded INTEGER,
            seconds REAL NOT NULL,
            tokens INTEGER NOT NULL,
            detail TEXT,
            decision TEXT,
            revised TEXT NOT NULL,
            words TEXT NOT NULL
        );
CREATE TABLE bodies (seq INTEGER NOT NULL PRIMARY KEY, body TEXT NOT NULL);
CREATE INDEX ix_repairs_ename ON repairs (ename, at);
CREATE INDEX ix_repairs_notebook ON repairs (notebook, at);
CREATE INDEX ix_repairs_provider ON repairs (provider, at);
CREATE INDEX ix_repairs_rule ON repairs (rule, at);
CREATE INDEX ix_repairs_model ON repairs (model, at);
CREATE INDEX ix_repairs_outcome ON repairs (outcome, at);
CREATE INDEX ix_repairs_session ON repairs (session, at);
CREATE INDEX ix_repairs_decision ON repairs (decision, at);
CREATE INDEX ix_repairs_at ON repairs (at);
CREATE TABLE precedents (
            repair TEXT NOT NULL PRIMARY KEY,
            mistake TEXT NOT NULL,
            worked INTEGER NOT NULL,
            at TEXT NOT NULL,
            notebook TEXT NOT NULL,
            session TEXT NOT NULL,
            lesson TEXT NOT NULL
        );
CREATE INDEX ix_precedents_mistake ON precedents (mistake, at);
CREATE TABLE tallies (
            dimension TEXT NOT NULL,
            value TEXT NOT NULL,
            period TEXT NOT NULL,
            outcome TEXT NOT NULL,
            repairs INTEGER NOT NULL,
            seconds REAL NOT NULL,
            tokens INTEGER NOT NULL,
            PRIMARY KEY (dimension, value, period, outcome)
        ) WITHOUT ROWID
        ;
CREATE VIRTUAL TABLE repair_words USING fts5(words, content='repairs', content_rowid='seq', tokenize='unicode61 remove_diacritics 0');
INSERT INTO "repairs" VALUES(1,'5e6f7a8b','11223344','2026-11-20T08:00:00.000+00:00','','','c-3',3,'KeyError','KeyError: ''regoin''','rule','closest column','','open',NULL,0.0,0,'closest column',NULL,'','KeyError: ''regoin''');
INSERT INTO "bodies" VALUES(1,'{"id":"5e6f7a8b","session":"11223344","fixes":[{"id":"x5e6f7a8b","explanation":"`df` has no column ''regoin''.","provider":"rule","detail":"closest column","usage":null,"steps":[{"target":{"id":"c-3","execution_count":3},"expected":"df.groupby(\"regoin\")","source":"df.groupby(\"region\")"}]}],"verdicts":{"x5e6f7a8b":{"outcome":"passed","reason":"","findings":[]}},"decision":null,"rerun":null,"trouble":"","cause":{"id":"f5e6f7a8b","at":"2026-11-20T08:00:00.000+00:00","stage":"run","exceptions":[{"ename":"KeyError","evalue":"''regoin''","relation":"raised","notes":[],"frames":[]}],"lineno":1,"lookup":null,"syntax":null,"situation":{"place":{"id":"c-3","execution_count":3},"source":"df.groupby(\"regoin\")","names":["df"],"earlier":[],"versions":{},"python":"3.11.9"}}}');
INSERT INTO "repairs" VALUES(2,'1a2b3c4d','11223344','2026-11-20T09:00:00.000+00:00','','','c-7',7,'KeyError','KeyError: ''regoin''','rule','closest column','','accepted',1,0.0,0,'closest column','accepted','','KeyError: ''regoin''');
INSERT INTO "bodies" VALUES(2,'{"id":"1a2b3c4d","session":"11223344","fixes":[{"id":"x1a2b3c4d","explanation":"`df` has no column ''regoin''.","provider":"rule","detail":"closest column","usage":null,"steps":[{"target":{"id":"c-7","execution_count":7},"expected":"df[\"regoin\"]","source":"df[\"region\"]"}]}],"verdicts":{"x1a2b3c4d":{"outcome":"passed","reason":"","findings":[]}},"decision":{"kind":"accepted","at":"2026-11-20T09:00:00.000+00:00","fix_id":"x1a2b3c4d","run":true,"reason":"","steps":[{"target":{"id":"c-7","execution_count":7},"expected":"df[\"regoin\"]","source":"df[\"region\"]"}]},"rerun":{"succeeded":true,"at":"2026-11-20T09:00:00.000+00:00","ename":"","evalue":"","seconds":0.2},"trouble":"","cause":{"id":"f1a2b3c4d","at":"2026-11-20T09:00:00.000+00:00","stage":"run","exceptions":[{"ename":"KeyError","evalue":"''regoin''","relation":"raised","notes":[],"frames":[]}],"lineno":1,"lookup":null,"syntax":null,"situation":{"place":{"id":"c-7","execution_count":7},"source":"df[\"regoin\"]","names":["df"],"earlier":[],"versions":{},"python":"3.11.9"}}}');
INSERT INTO "tallies" VALUES('all','','2026-11-20','accepted',1,0.0,0);
INSERT INTO "tallies" VALUES('all','','2026-11-20','open',1,0.0,0);
INSERT INTO "tallies" VALUES('ename','KeyError','2026-11','accepted',1,0.0,0);
INSERT INTO "tallies" VALUES('ename','KeyError','2026-11','open',1,0.0,0);
INSERT INTO "tallies" VALUES('provider','rule','2026-11','accepted',1,0.0,0);
INSERT INTO "tallies" VALUES('provider','rule','2026-11','open',1,0.0,0);
INSERT INTO "tallies" VALUES('rule','closest column','2026-11','accepted',1,0.0,0);
INSERT INTO "tallies" VALUES('rule','closest column','2026-11','open',1,0.0,0);
INSERT INTO repair_words (repair_words) VALUES ('rebuild');
COMMIT;
PRAGMA application_id = 1919315064;
PRAGMA user_version = 3;
PRAGMA journal_mode = WAL;
