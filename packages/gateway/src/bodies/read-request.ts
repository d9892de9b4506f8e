import type { Match } from '@dragoman/core'
import type { Exchange } from '../exchange.ts'
import { faultOf } from '../fault.ts'
import type { Settings } from '../settings.ts'
import { whenThere } from '../when-there.ts'
import { openWork } from './open-work.ts'
import type { BodyFacts, RequestWork } from './request-work.ts'

/** A body that was read, and what can be done with it. */
export interface ReadRequest {
  readonly work: RequestWork
  readonly body: BodyFacts
  /** Ends the call with whatever was thrown. */
  readonly fail: (thrown: unknown) => void
}

/** Reads the body of a call, here or in another thread, and goes on unless the client has left meanwhile. */
export function readRequest(
  settings: Settings,
  exchange: Exchange,
  match: Match,
  bytes: Uint8Array,
  use: (request: ReadRequest) => void,
): void {
  const { protocol, answer } = exchange
  const work = openWork(settings, protocol, match, bytes)
  exchange.work = work
  const fail = (thrown: unknown): void => answer.fail(faultOf(thrown))
  const goOn = (body: BodyFacts): void => {
    if (!answer.over) use({ work, body, fail })
  }
  whenThere(work.read(), goOn, fail)
}
