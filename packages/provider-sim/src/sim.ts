import { ownKind } from '@dragoman/core/media'
import { protocols } from '@dragoman/core/protocols'
import { defineProvider, OWN, wrongOption, type Card, type Provider } from '@dragoman/core/provider'
import { createCards } from './cards.ts'
import { createFilmDriver } from './video/driver.ts'
import type { Delivery } from './deliver.ts'
import { answerCall, createSimTransport, type AnswerOptions, type SimOffload, type SimCall } from './transport.ts'

export interface SimOptions {
  /** The part of its model ids before the slash; `sim` by default. */
  readonly name?: string | undefined
  /** The speed of responses; no limit by default. */
  readonly tokensPerSecond?: number | undefined
  /** How long a video takes, in seconds; 2 by default. */
  readonly videoSeconds?: number | undefined
  /** The time in Unix seconds; the system clock by default. */
  readonly now?: (() => number) | undefined
  /** Answers large requests in another thread, so that this one is not blocked. */
  readonly offload?: SimOffload | undefined
}

/** A name that cannot be registered, so that a call that leaves the process by mistake fails. */
const ORIGIN = 'http://sim.invalid'

/** A provider that needs no network and no key: one model family per protocol, which answers natively in it. */
export function createSim(options: SimOptions = {}): Provider {
  const { name = 'sim', offload, videoSeconds = 2 } = options
  if (!(videoSeconds >= 0)) throw wrongOption('videoSeconds', 'must be 0 or more')
  const answers = answerOptions(options)
  return defineProvider({
    name,
    models: createCards(protocols),
    endpoints: {
      ...Object.fromEntries(answers.families.map(({ protocol, base }) => [protocol.name, base])),
      [OWN]: `${ORIGIN}/${OWN}`,
    },
    // It needs no network, and does not look at media.
    urls: { chat: true, messages: true, genai: true },
    transport: createSimTransport({ ...answers, offload }),
    drivers: { video: createFilmDriver(videoSeconds * 1000) },
  })
}

/** The function that `offload` runs in its own thread, with the same options. */
export function createSimAnswers(
  options: Pick<SimOptions, 'tokensPerSecond' | 'now'> = {},
): (call: SimCall) => Delivery | Promise<Delivery> {
  const answers = answerOptions(options)
  return (call) => answerCall(call, answers)
}

function answerOptions({ tokensPerSecond, now = () => Math.floor(Date.now() / 1000) }: SimOptions): AnswerOptions {
  if (tokensPerSecond !== undefined && !(tokensPerSecond > 0)) throw wrongOption('tokensPerSecond', 'must be above 0')
  const cards = createCards(protocols)
  const own = (protocol: string): readonly Card[] => cards.filter((card) => card.protocols?.includes(protocol))
  const families = protocols.map((protocol) => ({
    protocol,
    base: `${ORIGIN}/${protocol.name}`,
    models: own(protocol.name)
      .filter((card) => !isMedia(card))
      .map(({ name }) => name),
    media: own(protocol.name).filter(isMedia),
  }))
  return { families, now, delayMs: tokensPerSecond === undefined ? 0 : 1000 / tokensPerSecond }
}

function isMedia(card: Card): boolean {
  return ownKind(card) !== undefined
}
