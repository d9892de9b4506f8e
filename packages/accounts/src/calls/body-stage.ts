import type { Caller, Clock, Stage, StageCall } from '@dragoman/gateway'
import type { BodyStore } from '../store/store.ts'
import { createRedact, type Redact } from '../redaction/redact.ts'
import type { Terms } from './terms.ts'

export interface BodyStageOptions {
  readonly store: BodyStore
  readonly termsOf: (caller: Caller) => Terms
  readonly clock: Clock
  readonly onFailed: (thrown: unknown) => void
}

interface Kept {
  readonly pieces: Uint8Array[]
  size: number
}

/** An answer that is longer is stored without its end. */
const MOST_BYTES = 4 * 1024 * 1024
const DAY_MS = 86_400_000

/** Stores the bodies of calls of keys that ask for it, redacted. Headers are never stored. */
export function createBodyStage({ store, termsOf, clock, onFailed }: BodyStageOptions): Stage {
  const calls = new WeakMap<StageCall, Kept>()
  const redacts = new WeakMap<Terms, Redact>()
  const encoder = new TextEncoder()
  const pause = (): Promise<void> => new Promise((resolve) => void clock.after(0, resolve))
  const redactOf = (terms: Terms): Redact => {
    const redact = redacts.get(terms) ?? createRedact(terms.bodies ?? { days: 0, redact: [] }, pause)
    redacts.set(terms, redact)
    return redact
  }
  const save = async (call: StageCall, terms: Terms, { pieces, size }: Kept): Promise<void> => {
    const redact = redactOf(terms)
    const answer = await redact(joined(pieces, size))
    const isForm = call.header('content-type')?.startsWith('multipart/') === true
    const request = isForm ? `[form: ${call.body?.length ?? 0} bytes]` : await redact(call.body ?? NOTHING)
    const until = clock.now() + (terms.bodies?.days ?? 0) * DAY_MS
    await store.saveBodies({ id: call.requestId.slice('req_'.length), key: terms.key, until, request, answer })
  }
  return {
    afterAdmission(call) {
      if (call.caller === undefined || termsOf(call.caller).bodies === undefined) return
      call.keepBody()
      calls.set(call, { pieces: [], size: 0 })
    },
    aroundAnswer(call) {
      const kept = calls.get(call)
      if (kept === undefined) return undefined
      return (piece) => {
        if (kept.size >= MOST_BYTES) return
        const bytes = typeof piece === 'string' ? encoder.encode(piece) : piece.slice()
        kept.pieces.push(bytes)
        kept.size += bytes.length
      }
    },
    onSettle(call, { record }) {
      const kept = calls.get(call)
      if (kept === undefined) return
      calls.delete(call)
      if (record === undefined || call.caller === undefined) return
      save(call, termsOf(call.caller), kept).catch(onFailed)
    },
  }
}

const NOTHING = new Uint8Array(0)

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
