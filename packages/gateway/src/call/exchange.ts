import type { DragomanError, Head, Protocol } from '@dragoman/core'
import type { Attempt } from '../ports/ports.ts'
import type { BodyLease } from '../ports/body-memory.ts'
import type { RequestWork } from '../bodies/request-work.ts'
import type { Reply } from './door.ts'
import type { Found, Matched } from '../ports/match.ts'
import { createMeter } from '../metering/create-meter.ts'
import type { Meter, MeterPorts } from '../metering/meter.ts'
import type { Caller } from '../ports/ports.ts'
import { createAnswer, type Answer } from './reply.ts'
import type { Settings } from './settings.ts'
import type { CallEnd, CallView, Hooks } from './stage.ts'

/** The state of one call. */
export interface Exchange {
  readonly head: Head
  readonly protocol: Protocol
  readonly found: Found
  readonly meter: Meter
  readonly answer: Answer
  matched: Matched | undefined
  caller: Caller | undefined
  /** What stages see of the call; undefined until it is admitted. */
  view: CallView | undefined
  /** The number of stages that it has passed. */
  stages: number
  /** Set when it is over. */
  end: CallEnd | undefined
  running: Running | undefined
  /** Leaves the queue of a provider. */
  leaveQueue: (() => void) | undefined
  /** Ends the wait for usage after the client has left. */
  stopWaiting: (() => void) | undefined
  /** The processing of its body. */
  work: RequestWork | undefined
  /** The memory of its body; undefined until the body is read. */
  lease: BodyLease | undefined
  /** Releases its body. */
  readonly releaseBody: () => void
  /** The deadline of the whole call, in Unix milliseconds. */
  deadline: number
  /** Whether the gateway is waiting for the body. */
  awaitsBody: boolean
}

/** A running upstream call that can be stopped. */
export interface Running {
  /** Ends it now with an error for the client. */
  readonly stop: (error: DragomanError) => void
}

export function createExchange(settings: Settings, ports: MeterPorts, head: Head, reply: Reply): Exchange {
  const { hooks, report } = settings
  const found = settings.paths.find(head)
  const { protocol } = found
  const startedAt = settings.clock.now()
  const requestId = `req_${settings.requestIds(startedAt)}`
  const onAttempt =
    hooks.onAttempt.length === 0 ? undefined : (attempt: Attempt): void => showAttempt(hooks, exchange, attempt)
  const meter = createMeter(ports, { requestId, startedAt, head, protocol: protocol.name, onAttempt })
  const exchange: Exchange = {
    head,
    protocol,
    found,
    meter,
    answer: createAnswer(found, meter, reply, report, () => exchange.matched?.match.framing),
    matched: undefined,
    caller: undefined,
    view: undefined,
    stages: 0,
    end: undefined,
    running: undefined,
    leaveQueue: undefined,
    stopWaiting: undefined,
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

/** A call leaves the queue of a provider. */
export function leaveQueue(exchange: Exchange): void {
  const { leaveQueue: leave } = exchange
  exchange.leaveQueue = undefined
  leave?.()
}

/** Runs `onAttempt` of every stage. */
function showAttempt({ onAttempt }: Hooks, { view }: Exchange, attempt: Attempt): void {
  if (view !== undefined) for (const run of onAttempt) run(view, attempt)
}
