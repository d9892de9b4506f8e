import type { Opening } from '@dragoman/accounts/store'
import { createIndex } from './id-index.ts'
import type { Names } from './names.ts'
import { packCall, packedEstimate, packedId, unpackCall } from './packed-calls.ts'
import { numberIn, textIn, type Sql } from './sql.ts'

type Charged = Pick<Opening, 'call' | 'budgets'>

/**
 * The open calls of one instance, as they are in the database: several in a row, so that a transaction writes few rows, however many calls it opens
 * and closes. They are remembered between transactions.
 */
export interface OpenCalls {
  count(): number
  has(id: string): boolean
  /** The estimate of a call; undefined if it is not open. */
  estimateOf(id: string): number | undefined
  /** Adds a call, or gives an open one another route and another estimate. */
  put(opening: Charged): void
  /** Returns whether it was open. */
  remove(id: string): boolean
  /** At most so many of them. */
  some(limit: number): readonly Charged[]
  /** Writes the rows that have changed. */
  flush(): void
}

/** The calls of one row. */
interface List {
  readonly row: number
  readonly entries: Entry[]
  isChanged: boolean
}

interface Entry {
  readonly id: string
  readonly list: List
  text: string
}

/** So many calls fit in a page of the file. */
const MOST_CALLS = 24
/** Rows of instances have numbers of their own: an instance has fewer rows than this. */
const ROWS = 2 ** 20

const WRITE = `INSERT OR REPLACE INTO open_lists VALUES (?, ?)`
const DELETE = `DELETE FROM open_lists WHERE id = ?`
const READ = `SELECT id, calls FROM open_lists WHERE id >= ? AND id < ? ORDER BY id`

/** Reads the open calls of an instance. Inside a transaction. */
export function readOpenCalls(sql: Sql, names: Names, instance: number): OpenCalls {
  const index = createIndex<Entry>()
  const lists = createLists(instance * ROWS)
  const add = (entry: Entry): void => {
    entry.list.entries.push(entry)
    index.add(entry)
  }
  for (const row of sql.all(READ, instance * ROWS, (instance + 1) * ROWS)) {
    const list = lists.add(numberIn(row, 'id'))
    for (const text of textIn(row, 'calls').split('\n')) add({ id: packedId(text), list, text })
  }
  return {
    count: () => index.count(),
    has: (id) => index.find(id) !== undefined,
    estimateOf(id) {
      const entry = index.find(id)
      return entry && packedEstimate(entry.text)
    },
    put(opening) {
      const { id } = opening.call
      const text = packCall(opening, names)
      const known = index.find(id)
      const list = known?.list ?? lists.roomy()
      if (known === undefined) add({ id, list, text })
      else known.text = text
      lists.change(list)
    },
    remove(id) {
      const entry = index.remove(id)
      if (entry === undefined) return false
      const { list } = entry
      list.entries.splice(list.entries.indexOf(entry), 1)
      lists.change(list)
      return true
    },
    some: (limit) => lists.texts(limit).map((text) => unpackCall(text, names)),
    flush() {
      for (const { row, entries } of lists.takeChanged()) {
        if (entries.length > 0) sql.run(WRITE, row, textOf(entries))
        else sql.run(DELETE, row)
      }
    },
  }
}

/** The rows of an instance. */
interface Lists {
  add(row: number): List
  /** One with room for another call. One that is written anyway comes first. */
  roomy(): List
  change(list: List): void
  /** At most so many calls. */
  texts(limit: number): readonly string[]
  /** Those that were changed. Empty ones are gone. */
  takeChanged(): readonly List[]
}

function createLists(first: number): Lists {
  /** By their rows. */
  const lists = new Map<number, List>()
  let changed: List[] = []
  /** Changed lists before this one are full. */
  let full = 0
  const add = (row: number): List => {
    const list = { row, entries: [], isChanged: false }
    lists.set(row, list)
    return list
  }
  const firstFree = (): number => {
    let row = first
    while (lists.has(row)) row++
    return row
  }
  return {
    add,
    roomy() {
      for (; full < changed.length; full++) {
        const list = changed[full]
        if (list !== undefined && list.entries.length < MOST_CALLS) return list
      }
      for (const list of lists.values()) if (list.entries.length < MOST_CALLS) return list
      return add(firstFree())
    },
    change(list) {
      if (list.isChanged) return
      list.isChanged = true
      changed.push(list)
    },
    texts(limit) {
      const texts: string[] = []
      for (const { entries } of lists.values()) {
        for (const { text } of entries.slice(0, limit - texts.length)) texts.push(text)
        if (texts.length >= limit) break
      }
      return texts
    },
    takeChanged() {
      const taken = changed
      changed = []
      full = 0
      for (const list of taken) {
        list.isChanged = false
        if (list.entries.length === 0) lists.delete(list.row)
      }
      return taken
    },
  }
}

function textOf(entries: readonly Entry[]): string {
  let text = ''
  for (const entry of entries) text += text === '' ? entry.text : `\n${entry.text}`
  return text
}
