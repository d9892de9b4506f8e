/**
 * The statements of each version, as in `@dragoman/store-sqlite`: never changed, only added to. The columns are for people: names instead of
 * numbers, and prefixed tables, because the database may have others.
 */
export const ARCHIVE_MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE dragoman_records (
      object TEXT NOT NULL,
      id TEXT NOT NULL,
      at INTEGER NOT NULL,
      key TEXT NOT NULL,
      owner TEXT NOT NULL,
      conversation TEXT NOT NULL,
      operation TEXT NOT NULL,
      asked TEXT NOT NULL,
      model TEXT NOT NULL,
      provider TEXT NOT NULL,
      protocol TEXT NOT NULL,
      mode TEXT NOT NULL,
      stream INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      status INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      input INTEGER NOT NULL,
      output INTEGER NOT NULL,
      cache_read INTEGER NOT NULL,
      cache_write_5m INTEGER NOT NULL,
      cache_write_1h INTEGER NOT NULL,
      reasoning INTEGER NOT NULL,
      cost_nanos INTEGER NOT NULL,
      items TEXT NOT NULL,
      prices TEXT NOT NULL,
      estimated INTEGER NOT NULL,
      losses TEXT NOT NULL,
      first_byte_ms INTEGER,
      ms INTEGER NOT NULL,
      PRIMARY KEY (object, id)
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX dragoman_records_by_at ON dragoman_records (object, at)`,
  ],
]
