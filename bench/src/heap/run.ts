import { today } from '../record.ts'
import { describeMachine, fixed, formatTable } from '../table.ts'
import { listCases } from './cases.ts'
import { changeOf, compare, TOLERANCE, type Figures } from './compare.ts'
import { measureCases } from './measure.ts'
import { createRecord, findFaults, isReason, readRecords, recordedFigures, writeRecord } from './records.ts'
import { measureShort, shortNames } from './short.ts'

export interface HeapOptions {
  /** Records the figures, with the reason why they are not those of before. */
  readonly record?: string | undefined
  /** Only cases with this text in their name. */
  readonly only?: string | undefined
}

/** Compares the heap growth of every case with its record. A figure above it is a failure. */
export async function printHeap({ record, only = '' }: HeapOptions): Promise<void> {
  if (record !== undefined && !isReason(record)) {
    return fail('--record needs a sentence that says why the figures change: --record "calls have an id for lookups"')
  }
  const records = readRecords()
  const recorded = recordedFigures(records)
  console.log(`${await describeMachine()}; one process for each case, and one for the short form`)
  const chosen = (name: string): boolean => name.includes(only)
  const short = shortNames().some(chosen) ? Object.entries(await measureShort()) : []
  const cases = listCases().flatMap(({ name }) => (chosen(name) ? [name] : []))
  const found = {
    ...Object.fromEntries(short.filter(([name]) => chosen(name))),
    ...(await measureCases(cases, record === undefined ? recorded : {})),
  }
  const rows = rowsOf(found, recorded)
  const title = `KB of heap per 1,000 operations; ${TOLERANCE * 100} % more than recorded fails`
  console.log(formatTable(title, ['', 'recorded', 'now', 'change %', ''], rows))
  const verdicts = new Set(rows.map((row) => row.at(-1)))
  if (record !== undefined) {
    writeRecord(records, createRecord(records, found, record, today()))
  } else if (findFaults(records).length > 0) fail(findFaults(records).join('\n'))
  else if (verdicts.has('MORE') || verdicts.has('NOT RECORDED')) fail(ADVICE)
  else if (verdicts.has('less')) console.log('\nsome cases allocate less now: record it with --record "<why>"')
}

/** For a figure that is above its record. */
export const ADVICE =
  'Find the allocation, or record it if it is justified: npm run bench -- heap --record "<why it is needed>"'

export function rowsOf(found: Figures, recorded: Figures): string[][] {
  return Object.entries(found).map(([name, now]) => {
    const change = (changeOf(name, now, recorded) ?? NaN) * 100
    return [name, kilobytes(recorded[name]), kilobytes(now), fixed(change, 1), compare(name, now, recorded)]
  })
}

function fail(message: string): void {
  console.log(`\nFAILED: ${message}`)
  process.exitCode = 1
}

function kilobytes(bytes: number | undefined): string {
  return bytes === undefined ? '–' : fixed(bytes / 1024, 0)
}
