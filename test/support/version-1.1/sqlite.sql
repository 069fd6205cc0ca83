-- A database of version 1.1 (commit 5882406), as its migrations for SQLite made it. Never edited.
CREATE TABLE api_key_events (
         id INTEGER NOT NULL PRIMARY KEY,
         key_id INTEGER NOT NULL,
         act TEXT NOT NULL,
         actor TEXT NOT NULL,
         at INTEGER NOT NULL
       ) STRICT;
CREATE TABLE api_keys (
         id INTEGER NOT NULL PRIMARY KEY,
         name TEXT NOT NULL,
         secret_hash TEXT NOT NULL UNIQUE,
         scopes TEXT,
         rate TEXT,
         created_at INTEGER NOT NULL,
         expires_at INTEGER,
         revoked_at INTEGER,
         rotated_at INTEGER,
         last_used_at INTEGER
       ) STRICT;
CREATE TABLE deprecated_uses (
         operation TEXT NOT NULL,
         key_id TEXT NOT NULL,
         day TEXT NOT NULL,
         uses INTEGER NOT NULL,
         last_used_at INTEGER NOT NULL,
         PRIMARY KEY (operation, key_id, day)
       ) STRICT, WITHOUT ROWID;
CREATE TABLE imports (
         contents TEXT NOT NULL PRIMARY KEY,
         name TEXT NOT NULL,
         last_line INTEGER NOT NULL,
         added INTEGER NOT NULL,
         refused INTEGER NOT NULL,
         begun_at INTEGER NOT NULL,
         changed_at INTEGER NOT NULL
       ) STRICT, WITHOUT ROWID;
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
CREATE TABLE migration_lease (
           id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(64) NOT NULL, lapses_at BIGINT NOT NULL);
CREATE TABLE "migrations" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "timestamp" bigint NOT NULL, "name" varchar NOT NULL);
CREATE TABLE orders (
         id INTEGER NOT NULL PRIMARY KEY,
         pet_id INTEGER NOT NULL,
         status TEXT NOT NULL,
         placed_at INTEGER NOT NULL
       ) STRICT;
CREATE TABLE outbox (
         id INTEGER NOT NULL PRIMARY KEY,
         subscriber TEXT NOT NULL,
         thing TEXT NOT NULL,
         position INTEGER NOT NULL,
         kind TEXT NOT NULL,
         facts TEXT NOT NULL,
         recorded_at INTEGER NOT NULL,
         next_try_at INTEGER NOT NULL,
         failures INTEGER NOT NULL,
         problem TEXT
       ) STRICT;
CREATE TABLE pets (
         id INTEGER NOT NULL PRIMARY KEY,
         name TEXT NOT NULL,
         category_id INTEGER NOT NULL,
         status TEXT NOT NULL
       ) STRICT;
CREATE TABLE replicas (
         id TEXT NOT NULL PRIMARY KEY,
         place TEXT NOT NULL,
         newest_migration TEXT NOT NULL,
         seen_at INTEGER NOT NULL
       ) STRICT;
CREATE TABLE sequences (
         name TEXT NOT NULL PRIMARY KEY,
         next_id INTEGER NOT NULL
       ) STRICT, WITHOUT ROWID;
CREATE TABLE stored_answers (
         caller TEXT NOT NULL,
         operation TEXT NOT NULL,
         idempotency_key TEXT NOT NULL,
         body_hash TEXT NOT NULL,
         answer TEXT NOT NULL,
         expires_at INTEGER NOT NULL,
         PRIMARY KEY (caller, operation, idempotency_key)
       ) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_events_by_key ON api_key_events (key_id, id);
CREATE INDEX orders_by_status ON orders (status, id);
CREATE INDEX outbox_by_time ON outbox (next_try_at);
CREATE UNIQUE INDEX outbox_in_order ON outbox (subscriber, thing, position);
CREATE INDEX pets_by_status ON pets (status, id);
CREATE INDEX replicas_by_seen_at ON replicas (seen_at);
CREATE INDEX stored_answers_by_expiry ON stored_answers (expires_at);
