/**
 * The statements of each version, which bring a database there from the version before. They are never changed, only added to: people
 * have databases of every version.
 *
 * Rows are narrow. Texts that repeat are in `names` and rows have their number; ids are the bytes of their digits; small whole numbers take
 * no bytes or one. Records are clustered by their ids, which begin with their times, so new ones are appended.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT`,
    `CREATE TABLE keys (
      id TEXT PRIMARY KEY,
      revision INTEGER NOT NULL UNIQUE,
      digest TEXT NOT NULL,
      previous TEXT,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX keys_by_digest ON keys (digest)`,
    `CREATE INDEX keys_by_previous ON keys (previous) WHERE previous IS NOT NULL`,
    `CREATE TABLE instances (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, until INTEGER NOT NULL) STRICT`,
    // Calls are opened and closed in about the order of their ids.
    `CREATE TABLE open_calls (
      instance INTEGER NOT NULL,
      id BLOB NOT NULL,
      call TEXT NOT NULL,
      PRIMARY KEY (instance, id)
    ) STRICT, WITHOUT ROWID`,
    // The bucket of a key, and the number of its open calls.
    `CREATE TABLE meters (
      key INTEGER PRIMARY KEY,
      requests REAL NOT NULL,
      tokens REAL NOT NULL,
      at INTEGER NOT NULL,
      open INTEGER NOT NULL
    ) STRICT`,
    `CREATE TABLE spending (
      key INTEGER NOT NULL,
      period INTEGER NOT NULL,
      start INTEGER NOT NULL,
      spent INTEGER NOT NULL,
      PRIMARY KEY (key, period, start)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE slices (
      key INTEGER NOT NULL,
      period INTEGER NOT NULL,
      start INTEGER NOT NULL,
      instance INTEGER NOT NULL,
      amount INTEGER NOT NULL,
      PRIMARY KEY (key, period, start, instance)
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX slices_by_instance ON slices (instance)`,
    // The time is stored as its distance from the time in the id; flags are outcome, mode, stream and estimated.
    `CREATE TABLE records (
      id BLOB PRIMARY KEY,
      lag INTEGER NOT NULL,
      key INTEGER NOT NULL,
      owner INTEGER NOT NULL,
      conversation BLOB NOT NULL,
      operation INTEGER NOT NULL,
      asked INTEGER NOT NULL,
      model INTEGER NOT NULL,
      provider INTEGER NOT NULL,
      protocol INTEGER NOT NULL,
      flags INTEGER NOT NULL,
      status INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      input INTEGER NOT NULL,
      output INTEGER NOT NULL,
      cache_read INTEGER NOT NULL,
      cache_write_5m INTEGER NOT NULL,
      cache_write_1h INTEGER NOT NULL,
      reasoning INTEGER NOT NULL,
      cost INTEGER NOT NULL,
      items BLOB NOT NULL,
      prices INTEGER NOT NULL,
      losses INTEGER NOT NULL,
      first_byte INTEGER,
      ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    // The hour is the number of hours since 1970.
    `CREATE TABLE hours (
      hour INTEGER NOT NULL,
      key INTEGER NOT NULL,
      owner INTEGER NOT NULL,
      model INTEGER NOT NULL,
      provider INTEGER NOT NULL,
      calls INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      estimated INTEGER NOT NULL,
      input INTEGER NOT NULL,
      output INTEGER NOT NULL,
      cache_read INTEGER NOT NULL,
      cache_write_5m INTEGER NOT NULL,
      cache_write_1h INTEGER NOT NULL,
      reasoning INTEGER NOT NULL,
      cost INTEGER NOT NULL,
      ms INTEGER NOT NULL,
      PRIMARY KEY (hour, key, owner, model, provider)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE audits (id BLOB PRIMARY KEY, at INTEGER NOT NULL, entry TEXT NOT NULL) STRICT, WITHOUT ROWID`,
    `CREATE TABLE bodies (
      id BLOB PRIMARY KEY,
      until INTEGER NOT NULL,
      key INTEGER NOT NULL,
      request TEXT NOT NULL,
      answer TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX bodies_by_until ON bodies (until)`,
  ],
  [
    // The greatest number of a batch. Those of forgotten instances are kept for a while, because a batch may come late.
    `ALTER TABLE instances ADD COLUMN number INTEGER NOT NULL DEFAULT 0`,
    `CREATE TABLE past_instances (
      name TEXT PRIMARY KEY,
      number INTEGER NOT NULL,
      until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
  [
    // The open calls of an instance, several in a row. The number of the row is that of the instance times 2^20, and one of its own.
    `CREATE TABLE open_lists (id INTEGER PRIMARY KEY, calls TEXT NOT NULL) STRICT`,
    `INSERT INTO open_lists
      SELECT instance * 1048576 + row_number() OVER (PARTITION BY instance ORDER BY id) - 1,
        '["' || lower(hex(id)) || '",' || substr(call, 2)
      FROM open_calls`,
    `DROP TABLE open_calls`,
    // Counts the transactions that may have changed the open calls of an instance: what a connection remembers of them holds until then.
    `ALTER TABLE instances ADD COLUMN changes INTEGER NOT NULL DEFAULT 0`,
  ],
]
