import { NO_TOKENS, type CallRecord } from '../store/call-record.ts'
import { UnstorableError } from '../store/unstorable.ts'
import type { Unsettled } from './open-call.ts'
import { returnGroup, type Group, type Queue } from './queue.ts'

export interface IsolateOptions {
  /** Whether calls are served if the store fails. */
  readonly isServing: boolean
  readonly onFailed: (thrown: unknown) => void
}

/**
 * If the store refuses an entry of a group whenever it is sent, all entries are sent again in smaller groups until that entry is alone. Then
 * it is isolated, and does not stop the others. Returns false if the store has failed for another reason.
 */
export function isolate(queue: Queue, group: Group, thrown: unknown, { isServing, onFailed }: IsolateOptions): boolean {
  const size = group.settled.length + group.raises.length + group.openings.length
  if (!UnstorableError.isInstance(thrown) || size === 0) return false
  returnGroup(queue, group)
  queue.most = Math.max(1, Math.floor(size / 2))
  if (size > 1) return true
  const [unsettled] = group.settled
  if (unsettled !== undefined) {
    const { id } = unsettled.settlement
    const reduced = reducedOf(unsettled)
    queue.settled.splice(0, 1, ...(reduced === undefined ? [] : [reduced]))
    onFailed(isolatedError(id, reduced === undefined ? LEFT_OPEN : REDUCED, thrown))
    return true
  }
  const [running] = group.raises.length > 0 ? queue.raises.splice(0, 1) : queue.openings.splice(0, 1)
  onFailed(isolatedError(running?.call.id ?? '', NOT_OPENED, thrown))
  running?.onVerdict(isServing ? 'unknown' : 'lost')
  return true
}

const REDUCED = 'its cost is charged, and its record has no details'
/** Its cost stays reserved until then. */
const LEFT_OPEN = 'it stays open, and is charged its estimate when this instance ends'
const NOT_OPENED = 'it was not opened'

function isolatedError(id: string, consequence: string, cause: Error): Error {
  return new UnstorableError(`it refuses call req_${id}, so ${consequence}: ${cause.message}`, { cause })
}

/** Only what has to be exact: who pays how much for which call. Undefined if it has no more than that. */
function reducedOf({ settlement, slices, cost }: Unsettled): Unsettled | undefined {
  const { record } = settlement
  if (record === undefined || record.attempts === 0) return undefined
  const { id, at, key, owner, outcome } = record
  const reduced: CallRecord = { ...NOTHING_KNOWN, id, at, key, owner, outcome, cost: record.cost }
  return { settlement: { ...settlement, record: reduced }, slices, cost }
}

/** No real record has 0 attempts. */
const NOTHING_KNOWN = {
  conversation: '',
  operation: '',
  asked: '',
  model: '',
  provider: '',
  protocol: '',
  mode: 'relay',
  stream: false,
  status: 0,
  attempts: 0,
  tokens: NO_TOKENS,
  items: [],
  prices: '',
  estimated: true,
  losses: [],
  firstByteMs: undefined,
  ms: 0,
} as const
