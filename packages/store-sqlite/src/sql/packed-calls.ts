import { PERIODS, type OpenCall, type Opening, type PeriodStart } from '@dragoman/accounts/store'
import type { Names } from './names.ts'

type Packed = readonly [
  id: string,
  at: number,
  names: readonly number[],
  conversation: string,
  flags: number,
  estimate: number,
  budgets: readonly number[],
]

type Charged = Pick<Opening, 'call' | 'budgets'>

/** An open call as JSON, on one line. */
export function packCall({ call, budgets }: Charged, names: Names): string {
  const packed: Packed = [
    call.id,
    call.at,
    [
      names.idOf(call.key),
      names.idOf(call.owner),
      names.idOf(call.operation),
      names.idOf(call.asked),
      names.idOf(call.model),
      names.idOf(call.provider),
      names.idOf(call.protocol),
    ],
    call.conversation,
    (call.mode === 'translate' ? 1 : 0) + (call.stream ? 2 : 0),
    call.estimate,
    budgets.length === 0 ? NO_PERIODS : budgets.flatMap(({ period, start }) => [PERIODS.indexOf(period), start]),
  ]
  return JSON.stringify(packed)
}

const NO_PERIODS: readonly number[] = []

/** The id of a packed call, without reading the rest. */
export function packedId(text: string): string {
  return text.slice(2, text.indexOf('"', 2))
}

export function packedEstimate(text: string): number {
  return read(text)[5]
}

export function unpackCall(text: string, names: Names): Charged {
  const [id, at, texts, conversation, flags, estimate, periods] = read(text)
  const [key = '', owner = '', operation = '', asked = '', model = '', provider = '', protocol = ''] = texts.map(
    (each) => names.nameOf(each),
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

function read(text: string): Packed {
  return JSON.parse(text) as Packed // as packCall has written it
}
