import { asDragomanError, DragomanError, type Protocol, type RequestLoss } from '@dragoman/core'
import { joinBody, lostFeatures, type OutgoingBody } from '@dragoman/core/provider'
import type { AnswerWork, BodyOperation } from '../pipeline/operation.ts'
import { operations } from '../operations/table.ts'
import { randomId } from '../ports/ports.ts'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import type { OrderResult, SentOrder, Order } from './orders.ts'
import { isShared } from '../bodies/is-shared.ts'
import { plainError } from './plain-error.ts'
import type { Prepared, RequestWork } from '../bodies/request-work.ts'

/** The result of an order for the gateway's thread, and the buffers to transfer. */
export interface Delivery {
  readonly message: OrderResult
  readonly transfer: readonly ArrayBuffer[]
}

/** The other thread's side of an offload: runs orders. Undefined if an order has no result. */
export type WorkServer = (asked: SentOrder) => Delivery | undefined | Promise<Delivery>

export function createWorkServer(protocols: readonly Protocol[]): WorkServer {
  const works = new Map<number, RequestWork>()
  let time = 0
  const protocolOf = (name: string): Protocol => {
    const found = protocols.find((protocol) => protocol.name === name)
    if (found === undefined) throw unknown(name)
    return found
  }
  const workOf = (id: number): RequestWork => {
    const work = works.get(id)
    if (work === undefined) throw new DragomanError('internal', 'A request was used after it was closed.')
    return work
  }
  const run = (order: Exclude<Order, { do: 'close' }>): Result | Promise<Result> => {
    switch (order.do) {
      case 'read': {
        const { unsupportedFields, counts, part, downloads, match, bytes, form } = order
        const options = { unsupportedFields, counts, part, downloads, ids: randomId, clock: { now: () => time } }
        const work = operationOf(match.operation).createWork(
          protocolOf(order.protocol),
          match,
          { bytes, form },
          options,
        )
        works.set(order.work, work)
        return work.read()
      }
      case 'prepare': {
        const work = workOf(order.work)
        time = order.now
        const route = { ...order.route, protocol: protocolOf(order.route.protocol) }
        return after(work.prepare(route, order.withoutSeals ? 'without seals' : undefined), preparedOf)
      }
      case 'fill': {
        const work = workOf(order.work)
        return work.fill === undefined ? work.read() : work.fill(order.texts)
      }
      case 'supply':
        return after(workOf(order.work).supply?.(order.files), () => ({ supplied: true }))
      case 'survey':
        return after(workOf(order.work).survey?.(), (survey) => ({ survey }))
      case 'decode':
        return after(workOf(order.work).decode?.(), (request) => ({ request }))
      case 'relay-answer':
        return answerOf(
          answersOf(order.operation).relay(protocolOf(order.protocol), order.model, order.asked, order.bytes),
        )
      case 'translate-answer': {
        const { operation, caller, upstream, asked, options, answers } = order
        const [to, from] = [protocolOf(caller), protocolOf(upstream)]
        return answerOf(answersOf(operation).translate(to, from, asked, options, answers))
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
    const deliver = (result: Result): Delivery => ({ message: { id, result }, transfer: buffersOf(result) })
    const refuse = (thrown: unknown): Delivery => ({
      message: { id, error: plainError(asDragomanError(thrown)) },
      transfer: [],
    })
    try {
      const result = run(order)
      return result instanceof Promise ? result.then(deliver).catch(refuse) : deliver(result)
    } catch (thrown) {
      return refuse(thrown)
    }
  }
}

type Result = NonNullable<OrderResult['result']>

function after<T, U>(value: T | Promise<T>, use: (value: T) => U): U | Promise<U> {
  return value instanceof Promise ? value.then(use) : use(value)
}

function operationOf(name: string): BodyOperation {
  const found = operations.find((operation) => operation.name === name)
  if (found === undefined || found.body === 'none') throw unknown(name)
  return found
}

function answersOf(name: string): AnswerWork<unknown> {
  const operation = operationOf(name)
  if ('answer' in operation || operation.answers === undefined) throw unknown(name)
  return operation.answers
}

function unknown(name: string): DragomanError {
  return new DragomanError('internal', `The other thread does not know ${name}.`)
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
  const parts = prepared.parts?.map(({ body, times }) => ({
    body: body === prepared.body ? first.body : ownBytes(body),
    times,
  }))
  return parts === undefined ? first : { ...first, parts }
}

/** The buffers to transfer: all of them were created here. */
function buffersOf(result: object): ArrayBuffer[] {
  const { body, parts = [] }: Partial<Prepared> = result
  const bodies = [body, ...parts.map((part) => part.body)]
  const pieces = bodies.flatMap((each) => (each === undefined || typeof each === 'string' ? [] : each))
  return [...new Set(pieces.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])))]
}

/** In one piece, unless there are pieces of memory that the gateway's thread shares. */
function ownBytes(body: OutgoingBody): Uint8Array | readonly Uint8Array[] {
  if (typeof body === 'string' || body instanceof Uint8Array || !body.some(isShared)) return inOnePiece(body)
  // Small pieces can be constants. Large ones were made for this body.
  return body.map((piece) => (isShared(piece) || piece.length >= LARGE ? piece : piece.slice()))
}

const LARGE = 64 * 1024

function inOnePiece(body: OutgoingBody): Uint8Array {
  const joined = joinBody(body)
  if (typeof joined === 'string') return UTF8.encode(joined)
  return joined === body || (Array.isArray(body) && body.length === 1) ? joined.slice() : joined
}

function answerOf(answer: Outgoing | ErrorInside): Outgoing | ErrorInside {
  return 'error' in answer ? answer : { ...answer, body: inOnePiece(answer.body), losses: firstOf(answer.losses) }
}

/** Without replacement values: they can be as large as the body, and the gateway does not read them. */
function firstOf(losses: readonly RequestLoss[]): readonly RequestLoss[] {
  const first = losses.slice(0, MOST_LOSSES).map((loss) => ('to' in loss ? { ...loss, to: undefined } : loss))
  if (losses.length <= MOST_LOSSES) return first
  const others = losses.slice(MOST_LOSSES)
  const features = lostFeatures(others)
  return [...first, { kind: 'dropped', path: [], reason: `and ${others.length} more losses`, features }]
}
