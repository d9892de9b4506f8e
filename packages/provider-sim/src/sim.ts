import { DragomanError } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { defineProvider, type Provider } from '@dragoman/core/provider'
import { createCards } from './models.ts'
import type { Delivery } from './deliver.ts'
import { answerCall, createSimTransport, type AnswerOptions, type SimOffload, type SimCall } from './transport.ts'

export interface SimOptions {
  /** The part of its model ids before the slash; `sim` by default. */
  readonly name?: string | undefined
  /** The speed of responses; no limit by default. */
  readonly tokensPerSecond?: number | undefined
  /** The time in Unix seconds; the system clock by default. */
  readonly now?: (() => number) | undefined
  /** Answers large requests in another thread, so that this one is not blocked. */
  readonly offload?: SimOffload | undefined
}

/** A name that nobody can own, so that a call that leaves the process by mistake fails. */
const ORIGIN = 'http://sim.invalid'

/** A provider that needs no network and no key: one model family per protocol, which answers natively in it. */
export function createSim(options: SimOptions = {}): Provider {
  const { name = 'sim', offload } = options
  const answers = answerOptions(options)
  return defineProvider({
    name,
    models: createCards(protocols),
    endpoints: Object.fromEntries(answers.families.map(({ protocol, base }) => [protocol.name, base])),
    transport: createSimTransport({ ...answers, offload }),
  })
}

/** The function that `offload` runs in its own thread, with the same options. */
export function createSimAnswers(
  options: Pick<SimOptions, 'tokensPerSecond' | 'now'> = {},
): (call: SimCall) => Delivery {
  const answers = answerOptions(options)
  return (call) => answerCall(call, answers)
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
