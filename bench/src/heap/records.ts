import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figures } from './compare.ts'

/** Figures that were recorded at one time, and why they are not those of before. */
export interface HeapRecord {
  readonly date: string
  readonly reason: string
  readonly figures: Figures
  /** A hash of the rest: figures change by a new record with its own reason, never in an old one. */
  readonly check: string
}

const FILE = join(import.meta.dirname, 'recorded.json')
/** Differences of this size are not recorded again. */
const NOISE = 0.01

export function readRecords(): readonly HeapRecord[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as readonly HeapRecord[] // written below
}

/** Appends a record; the file keeps all earlier ones. */
export function writeRecord(records: readonly HeapRecord[], added: HeapRecord): void {
  writeFileSync(FILE, `${JSON.stringify([...records, added], null, 2)}\n`)
}

/** The last recorded figure of every case. */
export function recordedFigures(records: readonly HeapRecord[]): Figures {
  return Object.assign({}, ...records.map(({ figures }) => figures)) as Figures // each of them is one
}

/** A record of the figures that differ from the last ones. */
export function createRecord(records: readonly HeapRecord[], now: Figures, reason: string, date: string): HeapRecord {
  const before = recordedFigures(records)
  const changed = Object.entries(now).filter(([name, bytes]) => {
    const recorded = before[name]
    return recorded === undefined || Math.abs(bytes / recorded - 1) > NOISE
  })
  const record = { date, reason: reason.trim(), figures: Object.fromEntries(changed) }
  return { ...record, check: checkOf(record) }
}

/** What is wrong with the records. */
export function findFaults(records: readonly HeapRecord[]): string[] {
  return records.flatMap((record, index) => {
    const at = `the record of ${record.date}`
    const isRepeated = records.slice(0, index).some(({ reason }) => reason === record.reason)
    return [
      ...(isReason(record.reason) ? [] : [`${at} has no reason: say in a sentence why the figures changed`]),
      ...(isRepeated ? [`${at} has the reason of an earlier record`] : []),
      ...(record.check === checkOf(record) ? [] : [`${at} was edited: record the figures again, with a reason`]),
    ]
  })
}

/** A sentence, not a word. */
export function isReason(text: string): boolean {
  return text.trim().split(/\s+/).length >= 5
}

function checkOf({ date, reason, figures }: Omit<HeapRecord, 'check'>): string {
  return createHash('sha256')
    .update(JSON.stringify([date, reason, figures]))
    .digest('hex')
    .slice(0, 16)
}
