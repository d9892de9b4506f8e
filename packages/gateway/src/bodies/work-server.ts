import { asDragomanError, DragomanError, type Protocol, type RequestLoss } from '@dragoman/core'
import { joinBody, lostFeatures, type OutgoingBody } from '@dragoman/core/provider'
import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/table.ts'
import { randomId } from '../ports.ts'
import { relayAnswer, translateWhole, type ErrorInside, type Outgoing } from './answer-work.ts'
import type { Answered, Asked, Decoded, Order, Surveyed } from './orders.ts'
import { plainError } from './plain-error.ts'
import type { BodyFacts, LocalWork, Prepared } from './request-work.ts'

/** An answer for the gateway's thread, and the buffers to transfer. */
export interface Delivery {
  readonly answered: Answered
  readonly transfer: readonly ArrayBuffer[]
}

/** The other thread's side of an offload: runs orders. Returns undefined if an order has no answer. */
export function createWorkServer(protocols: readonly Protocol[]): (asked: Asked) => Delivery | undefined {
  const works = new Map<number, LocalWork>()
  let time = 0
  const protocolOf = (name: string): Protocol => {
    const found = protocols.find((protocol) => protocol.name === name)
    if (found === undefined) throw new DragomanError('internal', `The other thread does not know ${name}.`)
    return found
  }
  const workOf = (id: number): LocalWork => {
    const work = works.get(id)
    if (work === undefined) throw new DragomanError('internal', 'A request was used after it was closed.')
    return work
  }
  const run = (
    order: Exclude<Order, { do: 'close' }>,
  ): BodyFacts | Prepared | Surveyed | Decoded | Outgoing | ErrorInside => {
    switch (order.do) {
      case 'read': {
        const { unsupportedFields, counts, match, bytes } = order
        const options = { unsupportedFields, counts, ids: randomId, clock: { now: () => time } }
        const work = operationOf(match.operation).createWork(protocolOf(order.protocol), match, bytes, options)
        works.set(order.work, work)
        return work.read()
      }
      case 'prepare': {
        const work = workOf(order.work)
        time = order.now
        const route = { ...order.route, protocol: protocolOf(order.route.protocol) }
        return preparedOf(work.prepare(route, order.withoutSeals ? 'without seals' : undefined))
      }
      case 'survey':
        return { survey: workOf(order.work).survey?.() }
      case 'decode':
        return { request: workOf(order.work).decode?.() }
      case 'relay-answer':
        return answerOf(relayAnswer(protocolOf(order.protocol), order.model, order.bytes))
      case 'translate-answer': {
        const { caller, upstream, facts, options, bytes } = order
        return answerOf(translateWhole(protocolOf(caller), protocolOf(upstream), facts, options, bytes))
      }
      default:
        return order satisfies never
    }
  }
  return ({ id, order }) => {
    if (order.do === 'close') {
      works.get(order.work)?.close()
      works.delete(order.work)
      return undefined
    }
    try {
      const result = run(order)
      return { answered: { id, result }, transfer: buffersOf(result) }
    } catch (thrown) {
      return { answered: { id, error: plainError(asDragomanError(thrown)) }, transfer: [] }
    }
  }
}

function operationOf(name: string): Extract<Operation, { readonly body: 'json' }> {
  const found = operations.find((operation) => operation.name === name)
  if (found?.body !== 'json') throw new DragomanError('internal', `The other thread does not know ${name}.`)
  return found
}

const UTF8 = new TextEncoder()
/** Each loss is copied to the gateway's thread, which does not need more. */
const MOST_LOSSES = 1000

/** With its own buffer for the body, because the source stays here for another attempt. */
function outgoing<T extends { readonly body: OutgoingBody; readonly losses: readonly RequestLoss[] }>({
  body,
  losses,
  ...rest
}: T) {
  return {
    ...rest,
    body: ownBytes(body),
    losses: firstOf(losses),
  }
}

/** The bodies of several calls, each with its own buffer. The first of them is the body itself. */
function preparedOf(prepared: Prepared): Prepared {
  const first = outgoing(prepared)
  const { media } = prepared
  if (media === undefined || media.parts.length === 0) return first
  const parts = media.parts.map(({ body, times }) => ({
    body: body === prepared.body ? first.body : ownBytes(body),
    times,
  }))
  return { ...first, media: { ...media, parts } }
}

/** The buffers to transfer: all of them were created here. */
function buffersOf(result: object): ArrayBuffer[] {
  const { body, media }: Partial<Prepared> = result
  const bodies = [body, ...(media?.parts.map((part) => part.body) ?? [])]
  const buffers = bodies.flatMap((each) => (each instanceof Uint8Array ? [each.buffer as ArrayBuffer] : [])) // see above
  return [...new Set(buffers)]
}

function ownBytes(body: OutgoingBody): Uint8Array {
  const joined = joinBody(body)
  if (typeof joined === 'string') return UTF8.encode(joined)
  return joined === body || (Array.isArray(body) && body.length === 1) ? joined.slice() : joined
}

function answerOf(answer: Outgoing | ErrorInside): Outgoing | ErrorInside {
  return 'error' in answer ? answer : outgoing(answer)
}

/** Without replacement values: they can be as large as the body, and the gateway does not read them. */
function firstOf(losses: readonly RequestLoss[]): readonly RequestLoss[] {
  const first = losses.slice(0, MOST_LOSSES).map((loss) => ('to' in loss ? { ...loss, to: undefined } : loss))
  if (losses.length <= MOST_LOSSES) return first
  const others = losses.slice(MOST_LOSSES)
  const features = lostFeatures(others)
  return [...first, { kind: 'dropped', path: [], reason: `and ${others.length} more losses`, features }]
}
