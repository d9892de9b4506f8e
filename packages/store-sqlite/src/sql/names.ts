import { numberIn, textIn, type Sql } from './sql.ts'

/** The dictionary: texts that repeat are stored once, and rows have their number. */
export interface Names {
  /** The number of a text, which is new if the text is. Inside a transaction. */
  idOf(name: string): number
  /** The number of a text that is stored. */
  find(name: string): number | undefined
  nameOf(id: number): string
  /** Forgets what it remembers: the transaction that has added names was undone. */
  reset(): void
}

/** Callers choose some of the texts, so their number is unknown. */
const MOST = 20_000

export function createNames(sql: Sql): Names {
  const ids = new Map<string, number>()
  const names = new Map<number, string>()
  const remember = (name: string, id: number): number => {
    if (ids.size >= MOST) {
      ids.clear()
      names.clear()
    }
    ids.set(name, id)
    names.set(id, name)
    return id
  }
  const find = (name: string): number | undefined => {
    const known = ids.get(name)
    if (known !== undefined) return known
    const [row] = sql.all(`SELECT id FROM names WHERE name = ?`, name)
    return row === undefined ? undefined : remember(name, numberIn(row, 'id'))
  }
  return {
    find,
    idOf(name) {
      const id = find(name)
      if (id !== undefined) return id
      const [row] = sql.all(`INSERT INTO names (name) VALUES (?) RETURNING id`, name)
      if (row === undefined) throw new Error('A name was not stored')
      return remember(name, numberIn(row, 'id'))
    },
    nameOf(id) {
      const known = names.get(id)
      if (known !== undefined) return known
      const [row] = sql.all(`SELECT name FROM names WHERE id = ?`, id)
      if (row === undefined) throw new Error(`The database is damaged: it has no name ${id}`)
      const name = textIn(row, 'name')
      remember(name, id)
      return name
    },
    reset() {
      ids.clear()
      names.clear()
    },
  }
}
