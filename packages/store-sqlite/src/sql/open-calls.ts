import { PERIODS, type OpenCall, type Opening, type PeriodStart, type Raise } from '@dragoman/accounts/store'
import type { Names } from './names.ts'
import { textIn, type Sql } from './sql.ts'

type Packed = readonly [
  at: number,
  names: readonly number[],
  conversation: string,
  flags: number,
  estimate: number,
  budgets: readonly number[],
]

/** The estimate of an open call; undefined if it is not open. */
export function openEstimate(sql: Sql, instance: number, id: string): number | undefined {
  const [row] = sql.all(`SELECT call FROM open_calls WHERE instance = ? AND id = unhex(?)`, instance, id)
  return row === undefined ? undefined : (JSON.parse(textIn(row, 'call')) as Packed)[4] // as insertOpenCall has written it
}

/** Gives an open call another route and another estimate. */
export function replaceOpenCall(sql: Sql, names: Names, instance: number, { call, ...rest }: Raise): void {
  sql.run(
    `UPDATE open_calls SET call = ? WHERE instance = ? AND id = unhex(?)`,
    pack({ call, ...rest }, names),
    instance,
    call.id,
  )
}

/** Adds an open call. Returns false if it is open already. */
export function insertOpenCall(sql: Sql, names: Names, instance: number, opening: Raise): boolean {
  const { id } = opening.call
  const call = pack(opening, names)
  return sql.run(
    `INSERT INTO open_calls VALUES (?, unhex(?), ?) ON CONFLICT (instance, id) DO NOTHING`,
    instance,
    id,
    call,
  )
}

/** Returns whether it was open. */
export function deleteOpenCall(sql: Sql, instance: number, id: string): boolean {
  return sql.run(`DELETE FROM open_calls WHERE instance = ? AND id = unhex(?)`, instance, id)
}

export function readOpenCalls(
  sql: Sql,
  names: Names,
  instance: number,
  limit: number,
): readonly Pick<Opening, 'call' | 'budgets'>[] {
  return (
    sql
      // Not `AS id`: the order would be that of the digits, and SQLite would sort all of them.
      .all(
        `SELECT lower(hex(id)) AS digits, call FROM open_calls WHERE instance = ? ORDER BY id LIMIT ?`,
        instance,
        limit,
      )
      .map((row) => unpack(textIn(row, 'digits'), JSON.parse(textIn(row, 'call')) as Packed, names))
  ) // as insertOpenCall has written it
}

/** As JSON. */
function pack({ call, budgets }: Pick<Raise, 'call' | 'budgets'>, names: Names): string {
  const { at, key, owner, operation, asked, model, provider, protocol, conversation, mode, stream, estimate } = call
  const packed: Packed = [
    at,
    [
      names.idOf(key),
      names.idOf(owner),
      names.idOf(operation),
      names.idOf(asked),
      names.idOf(model),
      names.idOf(provider),
      names.idOf(protocol),
    ],
    conversation,
    (mode === 'translate' ? 1 : 0) + (stream ? 2 : 0),
    estimate,
    budgets.flatMap(({ period, start }) => [PERIODS.indexOf(period), start]),
  ]
  return JSON.stringify(packed)
}

function unpack(
  id: string,
  [at, texts, conversation, flags, estimate, periods]: Packed,
  names: Names,
): Pick<Opening, 'call' | 'budgets'> {
  const [key = '', owner = '', operation = '', asked = '', model = '', provider = '', protocol = ''] = texts.map(
    (text) => names.nameOf(text),
  )
  const mode = flags % 2 === 1 ? 'translate' : 'relay'
  const call: OpenCall = {
    id,
    at,
    key,
    owner,
    conversation,
    operation,
    asked,
    model,
    provider,
    protocol,
    mode,
    stream: flags > 1,
    estimate,
  }
  const budgets: PeriodStart[] = []
  for (let index = 0; index < periods.length; index += 2) {
    budgets.push({ period: PERIODS[periods[index] ?? 0] ?? 'total', start: periods[index + 1] ?? 0 })
  }
  return { call, budgets }
}
