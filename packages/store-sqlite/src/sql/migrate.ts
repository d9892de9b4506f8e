import { MIGRATIONS } from './schema.ts'
import { numberIn, type Sql } from './sql.ts'

/**
 * Brings a database to the newest version, in one transaction. Refuses databases of other programs and of newer versions, which are left as
 * they are. Returns the version that it had; 0 if it was empty.
 */
export function migrate(sql: Sql, migrations: readonly (readonly string[])[] = MIGRATIONS): number {
  const newest = migrations.length
  // Most starts find the newest version, and take no lock.
  const found = versionOf(sql)
  if (found === newest) return found
  return sql.transaction(() => {
    const version = versionOf(sql)
    if (version > newest) {
      throw new Error(
        `the database has version ${version} of the schema, and this version of dragoman knows ${newest} at most. ` +
          'Use the version of dragoman that has last opened it, or a newer one',
      )
    }
    if (version === 0) {
      sql.run(`CREATE TABLE dragoman (version INTEGER NOT NULL, checkpoints INTEGER NOT NULL) STRICT`)
      sql.run(`INSERT INTO dragoman VALUES (0, 0)`)
    }
    for (const statements of migrations.slice(version)) for (const statement of statements) sql.run(statement)
    sql.run(`UPDATE dragoman SET version = ?`, newest)
    return version
  })
}

function versionOf(sql: Sql): number {
  const tables = sql.all(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'`,
  )
  if (!tables.some(({ name }) => name === 'dragoman')) {
    if (tables.length > 0)
      throw new Error('the database belongs to another program: it has tables that are not those of dragoman')
    return 0
  }
  const [row] = sql.all(`SELECT version FROM dragoman`)
  return row === undefined ? 0 : numberIn(row, 'version')
}
