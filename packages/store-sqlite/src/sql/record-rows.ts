import { readTokens, type CallRecord } from '@dragoman/accounts/store'
import type { Names } from './names.ts'
import { packItems, unpackItems } from './pack-items.ts'
import { numberIn, textIn, type Row, type Sql } from './sql.ts'

const OUTCOMES = [
  'complete',
  'failed',
  'interrupted',
  'aborted',
  'cut',
] as const satisfies readonly CallRecord['outcome'][]
/** Above the three bits of the outcome. */
const TRANSLATED = 8
const STREAMED = 16
const ESTIMATED = 32

const INSERT = `INSERT INTO records VALUES (unhex(?), ?, ?, ?, unhex(?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING`
const SELECT = `SELECT *, lower(hex(id)) AS id_text, lower(hex(conversation)) AS conversation_text FROM records`
const SELECT_ONE = `${SELECT} WHERE id = unhex(?)`
const SELECT_PAGE = `${SELECT} WHERE id > unhex(?) ORDER BY id LIMIT ?`

/** Adds a record. Returns false if there is one with its id. */
export function insertRecord(sql: Sql, names: Names, record: CallRecord): boolean {
  const { id, tokens, losses, firstByteMs } = record
  return sql.run(
    INSERT,
    id,
    record.at - timeIn(id),
    names.idOf(record.key),
    names.idOf(record.owner),
    record.conversation,
    names.idOf(record.operation),
    names.idOf(record.asked),
    names.idOf(record.model),
    names.idOf(record.provider),
    names.idOf(record.protocol),
    flagsOf(record),
    record.status,
    record.attempts,
    tokens.input,
    tokens.output,
    tokens.cacheRead,
    tokens.cacheWrite5m,
    tokens.cacheWrite1h,
    tokens.reasoning,
    record.cost,
    packItems(record.items, names),
    names.idOf(record.prices),
    losses.length === 0 ? 0 : names.idOf(JSON.stringify(losses)),
    firstByteMs ?? null,
    record.ms,
  )
}

export function deleteRecord(sql: Sql, id: string): void {
  sql.run(`DELETE FROM records WHERE id = unhex(?)`, id)
}

export function readRecord(sql: Sql, names: Names, id: string): CallRecord | undefined {
  const [row] = sql.all(SELECT_ONE, id)
  return row && recordOf(row, names)
}

export function readRecords(sql: Sql, names: Names, after: string, limit: number): readonly CallRecord[] {
  return sql.all(SELECT_PAGE, after, limit).map((row) => recordOf(row, names))
}

/** The first records that are never changed: all except those that are cut, which a late settlement replaces. */
export function readFinalRecords(sql: Sql, names: Names, limit: number): readonly CallRecord[] {
  const cut = OUTCOMES.indexOf('cut')
  const rows = sql.all(`${SELECT} WHERE flags % ${TRANSLATED} <> ? ORDER BY id LIMIT ?`, cut, limit)
  return rows.map((row) => recordOf(row, names))
}

export function hasOldRecords(sql: Sql, before: number): boolean {
  return oldRecords(sql, before, 1).length > 0
}

/** Deletes the first records, by their ids, as long as they are older than a time. */
export function pruneRecords(sql: Sql, before: number, limit: number): number {
  const old = oldRecords(sql, before, limit)
  for (const id of old) deleteRecord(sql, id)
  return old.length
}

function oldRecords(sql: Sql, before: number, limit: number): readonly string[] {
  // Not `AS id`: the order would be that of the digits, and SQLite would sort all records.
  const first = sql.all(`SELECT lower(hex(id)) AS digits, lag FROM records ORDER BY id LIMIT ?`, limit)
  return first
    .filter((row) => timeIn(textIn(row, 'digits')) + numberIn(row, 'lag') < before)
    .map((row) => textIn(row, 'digits'))
}

/** Ids of calls begin with 48 bits of Unix milliseconds. */
function timeIn(id: string): number {
  return Number.parseInt(id.slice(0, 12), 16)
}

function flagsOf({ outcome, mode, stream, estimated }: CallRecord): number {
  const switches = (mode === 'translate' ? TRANSLATED : 0) + (stream ? STREAMED : 0) + (estimated ? ESTIMATED : 0)
  return OUTCOMES.indexOf(outcome) + switches
}

function recordOf(row: Row, names: Names): CallRecord {
  const number = (column: string): number => numberIn(row, column)
  const name = (column: string): string => names.nameOf(number(column))
  const id = textIn(row, 'id_text')
  const flags = number('flags')
  const { items, first_byte: firstByte } = row
  return {
    id,
    at: timeIn(id) + number('lag'),
    key: name('key'),
    owner: name('owner'),
    conversation: textIn(row, 'conversation_text'),
    operation: name('operation'),
    asked: name('asked'),
    model: name('model'),
    provider: name('provider'),
    protocol: name('protocol'),
    mode: (flags & TRANSLATED) === 0 ? 'relay' : 'translate',
    stream: (flags & STREAMED) !== 0,
    outcome: OUTCOMES[flags % TRANSLATED] ?? 'failed',
    status: number('status'),
    attempts: number('attempts'),
    tokens: readTokens(number),
    cost: number('cost'),
    items: items instanceof Uint8Array ? unpackItems(items, names) : [],
    prices: name('prices'),
    estimated: (flags & ESTIMATED) !== 0,
    losses: number('losses') === 0 ? [] : (JSON.parse(name('losses')) as string[]), // as insertRecord has written it
    firstByteMs: typeof firstByte === 'number' ? firstByte : undefined,
    ms: number('ms'),
  }
}
