import { defineProvider, DragomanError, protocols, type Provider } from '@dragoman/core'
import { createCards } from './models.ts'
import type { Delivery } from './deliver.ts'
import { answerCall, createSimTransport, type AnswerOptions, type Elsewhere, type SimCall } from './transport.ts'

export interface SimOptions {
  /** Before the slash of its models' ids; `sim` when absent. */
  readonly name?: string | undefined
  /** How fast answers are written; at once when absent. */
  readonly tokensPerSecond?: number | undefined
  /** Unix seconds; the clock of the machine when absent. */
  readonly now?: (() => number) | undefined
  /** Has large requests answered by another thread, so that this one stays free. */
  readonly elsewhere?: Elsewhere | undefined
}

/** Nobody can own this name, so a call that left the process by mistake would go nowhere. */
const ORIGIN = 'http://sim.invalid'

/** A provider that needs no network and no key: one model family per protocol, each answering in that protocol natively. */
export function createSim(options: SimOptions = {}): Provider {
  const { name = 'sim', elsewhere } = options
  const answering = answerOptions(options)
  return defineProvider({
    name,
    models: createCards(protocols),
    endpoints: Object.fromEntries(answering.families.map(({ protocol, base }) => [protocol.name, base])),
    transport: createSimTransport({ ...answering, elsewhere }),
  })
}

/** What `elsewhere` does with a call, in its own thread and with the same options. */
export function createSimAnswers(
  options: Pick<SimOptions, 'tokensPerSecond' | 'now'> = {},
): (call: SimCall) => Delivery {
  const answering = answerOptions(options)
  return (call) => answerCall(call, answering)
}

function answerOptions({ tokensPerSecond, now = () => Math.floor(Date.now() / 1000) }: SimOptions): AnswerOptions {
  if (tokensPerSecond !== undefined && !(tokensPerSecond > 0)) {
    throw new DragomanError('invalid-request', 'Provider option "tokensPerSecond" must be above 0.', {
      param: 'tokensPerSecond',
    })
  }
  const cards = createCards(protocols)
  const families = protocols.map((protocol) => ({
    protocol,
    base: `${ORIGIN}/${protocol.name}`,
    models: cards.filter((card) => card.protocols?.includes(protocol.name)).map((card) => card.name),
  }))
  return { families, now, delayMs: tokensPerSecond === undefined ? 0 : 1000 / tokensPerSecond }
}
