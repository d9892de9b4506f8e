import type { DragomanError, Head, Protocol } from '@dragoman/core'
import type { BodyLease } from './body-memory.ts'
import type { RequestWork } from './bodies/request-work.ts'
import type { Reply } from './door.ts'
import type { Found, Matched } from './match.ts'
import { createMeter, type Meter } from './meter.ts'
import type { Caller } from './ports.ts'
import { createAnswer, type Answer } from './reply.ts'
import type { Settings } from './settings.ts'
import type { CallEnd, CallView } from './stages/stage.ts'

/** One call on its way through the steps. */
export interface Exchange {
  readonly head: Head
  readonly protocol: Protocol
  readonly found: Found
  readonly meter: Meter
  readonly answer: Answer
  matched: Matched | undefined
  caller: Caller | undefined
  /** What stages see of it; undefined until it is admitted. */
  view: CallView | undefined
  /** How many of the stages have admitted it. */
  stages: number
  /** Set when it is over. */
  end: CallEnd | undefined
  running: Running | undefined
  /** The work on its body. */
  work: RequestWork | undefined
  /** The memory that its body takes; undefined until a body is awaited. */
  lease: BodyLease | undefined
  /** Its body is not needed any more. */
  readonly releaseBody: () => void
  /** When it must be over, in Unix milliseconds. */
  deadline: number
  /** The gateway waits for the body. */
  awaitsBody: boolean
}

/** Running work that can be stopped from outside. */
export interface Running {
  /** Ends it now, with an error that the client can read. */
  readonly stop: (error: DragomanError) => void
}

export function createExchange(settings: Settings, head: Head, reply: Reply): Exchange {
  const { clock, log, ledger } = settings
  const { method, path } = head
  const found = settings.paths.find(head)
  const { protocol } = found
  const requestId = `req_${settings.ids()}`
  const meter = createMeter({ clock, log, ledger, requestId, method, path, protocol: protocol.name })
  const exchange: Exchange = {
    head,
    protocol,
    found,
    meter,
    answer: createAnswer(protocol, meter, reply, () => exchange.matched?.match.framing),
    matched: undefined,
    caller: undefined,
    view: undefined,
    stages: 0,
    end: undefined,
    running: undefined,
    work: undefined,
    lease: undefined,
    releaseBody() {
      exchange.work?.close()
      exchange.work = undefined
      exchange.lease?.release()
    },
    deadline: Number.POSITIVE_INFINITY,
    awaitsBody: false,
  }
  return exchange
}
