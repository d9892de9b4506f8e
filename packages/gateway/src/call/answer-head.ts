import type { ErrorKind, Loss } from '@dragoman/core'
import type { Bytes, Fields } from '@dragoman/core/provider'
import type { Attempt } from '../ports/ports.ts'
import { clip, clipLossPath } from '../ports/clip.ts'
import type { Meter } from '../metering/meter.ts'
import type { Plan } from '../models/plan.ts'
import type { Route } from '../models/route.ts'
import type { AnswerHead } from './stage.ts'

/** The headers of an answer before they are sent, and the hooks around it. Plain data, because every call has one. */
export interface Front {
  headers: Fields
  /** Headers that describe the route. Another attempt replaces them. */
  described: Fields | undefined
  /** Runs once, before the head is sent. May throw. */
  around: Around | undefined
  /** Receives every piece of the answer. */
  watch: ((piece: Bytes) => void) | undefined
}

/** The function that it returns receives every piece of the answer. */
export type Around = (head: AnswerHead) => ((piece: Bytes) => void) | undefined

export function createFront(requestId: string): Front {
  const headers: Fields = { 'x-request-id': requestId, 'request-id': requestId }
  return { headers, described: undefined, around: undefined, watch: undefined }
}

/** Adds headers to the answer, or to the error that takes its place. */
export function addHeaders(front: Front, more: Fields): void {
  front.headers = { ...front.headers, ...more }
}

/** Runs the hooks around the answer, once. */
export function begin(front: Front, status: number, streamed: boolean, error?: ErrorKind): void {
  const { around } = front
  if (around === undefined) return
  front.around = undefined
  front.watch = around({ status, streamed, error })
}

/** Passes a piece of the answer to the hooks. After a throw they receive nothing more. */
export function show(front: Front, piece: Bytes): void {
  const { watch } = front
  if (watch === undefined) return
  front.watch = undefined
  watch(piece)
  front.watch = watch
}

/** The headers that describe a route. If there are many losses, `losses` may contain only the first ones. */
export function routeHeaders(
  route: Route,
  plan: Plan,
  losses: readonly Loss[],
  lossCount: number,
  before: readonly Attempt[],
): Fields {
  const facts = routeFacts(route, plan)
  if (lossCount === 0 && before.length === 0 && route.instead === undefined) return facts
  return {
    ...facts,
    ...(lossCount === 0 ? {} : { 'x-dragoman-losses': summary(losses, lossCount) }),
    ...(before.length === 0 ? {} : { 'x-dragoman-attempts': attemptsText(before, route) }),
    ...(route.instead === undefined ? {} : { 'x-dragoman-no-endpoint': printable(route.instead.join(', ')) }),
  }
}

/** Most routes are kept for their model, and so are their headers. */
function routeFacts(route: Route, { mode }: Plan): Fields {
  const known = FACTS_OF[mode].get(route)
  if (known !== undefined) return known
  const facts: Fields = {
    'x-dragoman-path': mode,
    'x-dragoman-provider': printable(clip(route.provider.name, NAME_LIMIT)),
    'x-dragoman-model': printable(clip(route.id, NAME_LIMIT)),
  }
  FACTS_OF[mode].set(route, facts)
  return facts
}

const FACTS_OF = { relay: new WeakMap<Route, Fields>(), translate: new WeakMap<Route, Fields>() } as const

/** Marks counts, and prices of counts, that were not reported by the upstream. */
export const ESTIMATED: Fields = { 'x-dragoman-estimated': 'true' }

/** The price of a whole answer in dollars, with all nine decimals. That of a stream is known only at its end. */
export function costHeaders({ usage, cost }: Pick<Meter, 'usage' | 'cost'>): Fields {
  const mark = usage?.estimated === true ? ESTIMATED : {}
  if (cost === undefined) return mark
  const digits = String(cost.total).padStart(10, '0')
  return { 'x-dragoman-cost': `${digits.slice(0, -9)}.${digits.slice(-9)}`, ...mark }
}

/** `3: acme/m rate-limit, other/m upstream-error, third/m` */
function attemptsText(before: readonly Attempt[], { id }: Route): string {
  const failed = before
    .slice(-NAMED_ATTEMPTS)
    .map(({ model, error, outcome }) => `${clip(model, NAME_LIMIT)} ${error ?? outcome}`)
  return printable(`${before.length + 1}: ${[...failed, clip(id, NAME_LIMIT)].join(', ')}`)
}

const NAMED_ATTEMPTS = 5
const NAMED_LOSSES = 3
const PATH_LIMIT = 80
const NAME_LIMIT = 256

/** `5: dropped top_k, changed temperature, added max_completion_tokens, ...` */
function summary(losses: readonly Loss[], count: number): string {
  const named = losses.slice(0, NAMED_LOSSES).map((loss) => `${loss.kind} ${clipLossPath(loss, PATH_LIMIT)}`)
  const more = count > NAMED_LOSSES ? ', ...' : ''
  return printable(`${count}: ${named.join(', ')}${more}`)
}

/** Paths can contain keys of the caller; a header allows only ASCII. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
