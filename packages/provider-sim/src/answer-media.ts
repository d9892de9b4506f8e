import { asDragomanError, DragomanError, type JsonObject } from '@dragoman/core'
import { codecOf, factsOf, findCodec, mediaKinds, type MediaKind } from '@dragoman/core/media'
import type { Call } from '@dragoman/core/provider'
import { createContext } from './context.ts'
import type { Delivery } from './deliver.ts'
import { readMagic } from './magic.ts'
import { findCard, readBody, type MediaMatch } from './media-call.ts'
import { IMAGE_TIME, SIM_KINDS, type SimKind } from './media-kinds.ts'
import { paceOf } from './pace.ts'
import { failure, refusal } from './refusal.ts'
import { deliverStream, deliverWhole } from './wire-delivery.ts'

export interface MediaOptions {
  /** Unix seconds. */
  readonly now: () => number
  /** Milliseconds per token. */
  readonly delayMs: number
}

/** The answer to a call that is not a conversation, in the same protocol. */
export async function answerMedia(
  call: Pick<Call, 'url' | 'method' | 'headers' | 'body'>,
  match: MediaMatch,
  options: MediaOptions,
): Promise<Delivery> {
  const { protocol } = match
  try {
    const body = await readBody(call, match, protocol.image?.form)
    const [kind, sim] = kindOf(body, match)
    return await answerKind(kind, sim, body, match, options)
  } catch (thrown) {
    return refusal(protocol, asDragomanError(thrown))
  }
}

/** A path can be that of several kinds: then the body decides. */
function kindOf(body: JsonObject, { protocol, operation }: MediaMatch): readonly [MediaKind, SimKind] {
  const able = KINDS.filter(
    ([{ name, operations }]) => operations[operation] !== undefined && findCodec(name, protocol) !== undefined,
  )
  const claiming = able.find(([{ name }]) => findCodec(name, protocol)?.claims?.(body) === true)
  const found = claiming ?? able[0]
  if (found === undefined) throw new DragomanError('not-found', 'The simulator has no such call in this protocol.')
  return found
}

const KINDS = Object.entries(SIM_KINDS).map(
  ([name, sim]) => [mediaKinds[name as keyof typeof SIM_KINDS], sim] as const, // its own members
)

async function answerKind(
  kind: MediaKind,
  sim: SimKind,
  body: JsonObject,
  { protocol, operation, cards, model }: MediaMatch,
  { now, delayMs }: MediaOptions,
): Promise<Delivery> {
  const codec = codecOf(kind, protocol)
  const checked = codec.check(body, { operation })
  const request = codec.decode(checked, { issuer: protocol.issuer, operation, path: { model } })
  const card = findCard(request.model, cards.filter((each) => factsOf(kind, each) !== undefined)) // prettier-ignore
  const text = sim.textOf(request)
  const { magic } = readMagic(text)
  if (magic.error !== undefined) return failure(protocol, magic.error)
  const { asked } = kind.requested?.(kind.brief(request, request, [request], 0, factsOf(kind, card))) ?? {}
  const context = { ...createContext(protocol, text, now()), operation, asked }
  const pace = paceOf(magic, delayMs)
  const { cut } = magic
  const events = await sim.stream?.(request, card, context.now)
  const writer = protocol.image?.stream
  if (events !== undefined && writer !== undefined) {
    const slow = { waitMs: 0, delayMs: IMAGE_TIME * pace, cut }
    return deliverStream((write) => writer.encode(write, context), events, 'text/event-stream', slow)
  }
  const answer = await sim.answer(request, card, context.now)
  return deliverWhole(codec.answer.encode(answer, context), {
    waitMs: sim.tokensOfTime(answer) * pace,
    delayMs: 0,
    cut,
  })
}
