-- The tables that a database of version 1.1 (commit 5882406) has and one of version 1.0 has not, as its migrations for SQLite made them.
CREATE TABLE jobs (
         name TEXT NOT NULL PRIMARY KEY,
         due_at INTEGER NOT NULL,
         lease INTEGER NOT NULL,
         lapses_at INTEGER NOT NULL,
         begun_at INTEGER,
         ended_at INTEGER,
         duration INTEGER,
         failures INTEGER NOT NULL,
         failed_at INTEGER,
         problem TEXT
       ) STRICT;
CREATE TABLE replicas (
         id TEXT NOT NULL PRIMARY KEY,
         place TEXT NOT NULL,
         newest_migration TEXT NOT NULL,
         seen_at INTEGER NOT NULL
       ) STRICT;
CREATE INDEX replicas_by_seen_at ON replicas (seen_at);
