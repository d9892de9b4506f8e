import { DragomanError, editTopLevel, refuseDepth, type JsonObject, type Match, type Protocol } from '@dragoman/core'
import { fitEmbeddingRequest, type EmbeddingAnswerFacts, type EmbeddingCodec } from '@dragoman/core/media'
import { dialectOf, type OutgoingBody } from '@dragoman/core/provider'
import { estimateBody } from '../bodies/estimate-body.ts'
import { guardEdits } from '../bodies/relay-body.ts'
import { present, type LocalWork, type Prepared, type WorkOptions, type WorkRoute } from '../bodies/request-work.ts'
import { decodeText } from '../collect.ts'
import { upstreamName } from '../route-facts.ts'
import type { MediaBody } from './media-body.ts'
import type { MediaFacts } from './media-work.ts'
import type { PreparedMedia } from './prepared-media.ts'

/** The kind of calls that are answered with vectors. */
export const VECTORS = 'embedding'

/** The work on a request for vectors. */
export function createEmbeddingWork(
  inbound: Protocol,
  match: Match,
  given: MediaBody,
  { ids, clock }: WorkOptions,
): LocalWork<MediaFacts> {
  const codec = vectorCodec(inbound)
  const { operation } = match
  let held: JsonObject | undefined
  const prepare = (route: WorkRoute): Prepared => {
    const json = present(held)
    const { card, protocol } = route
    const fitted = fitEmbeddingRequest(inbound, protocol, json, {
      operation,
      match,
      model: upstreamName(route),
      facts: card.embedding,
      accepts: card.input,
      dialect: dialectOf(card, protocol.name),
      id: ids,
      now: Math.floor(clock.now() / 1000),
    })
    const edits = guardEdits(inbound, json, route, inbound.relay.edits(json, upstreamName(route)))
    const because = whyTranslated(inbound, route, fitted)
    if (because === undefined) {
      const facts = { ...fitted.facts, calls: [] }
      const media = mediaOf(operation, facts, [])
      return { plan: { mode: 'relay' }, body: filled(given, edits), losses: [], lossCount: 0, media }
    }
    const { calls, losses, facts } = fitted.translate()
    const bodies = calls.map(({ body }) => given.short.fill(JSON.stringify(body)))
    const media = mediaOf(calls[0]?.operation ?? operation, facts, bodies)
    const plan = { mode: 'translate', because } as const
    return { plan, body: bodies[0] ?? '', losses, lossCount: losses.length, media }
  }
  return {
    read() {
      held = codec.check(given.json, match)
      const { relay } = inbound
      const promptTokens = estimateBody(held, { media: relay.media, whole: (text) => given.short.restore(text) })
      return { kind: VECTORS, peek: relay.peek(held, match), promptTokens }
    },
    prepare: (route) => refuseDepth(() => prepare(route)),
    close() {
      held = undefined
    },
  }
}

/** The codec of a protocol. Operations are refused before if it has none. */
export function vectorCodec({ name, embedding }: Protocol): EmbeddingCodec {
  if (embedding === undefined) throw new DragomanError('not-found', `The protocol ${name} has no embeddings.`)
  return embedding
}

function whyTranslated(
  inbound: Protocol,
  { id, card, protocol }: WorkRoute,
  { isUnchanged, calls }: ReturnType<typeof fitEmbeddingRequest>,
): string | undefined {
  if (protocol !== inbound) return `${id} speaks ${protocol.name}`
  if (calls > 1) return 'it needs several upstream calls'
  if (card.dialects?.[inbound.name] !== undefined) return `${id} has a dialect of ${inbound.name}`
  return isUnchanged ? undefined : 'it is fitted to the model'
}

/** The client's own bytes with named members edited. */
function filled({ short }: MediaBody, edits: Parameters<typeof editTopLevel>[1]): OutgoingBody {
  const edited = editTopLevel(short.bytes, edits)
  const whole = short.fill(decodeText(edited))
  return typeof whole === 'string' ? edited : whole
}

function mediaOf(operation: string, asked: EmbeddingAnswerFacts, bodies: readonly OutgoingBody[]): PreparedMedia {
  const parts = bodies.length > 1 ? bodies.map((body) => ({ body, times: 1 })) : []
  return { mode: 'protocol', operation, asked, parts, stream: false }
}
