import { DragomanError, type CountLimits, type RequestLoss, type Peek, type ModelRequest } from '@dragoman/core'
import type { Link, OutgoingBody, Clock } from '@dragoman/core/provider'
import { isRestricted } from '../callers/admit.ts'
import type { Plan } from '../models/plan.ts'
import type { Caller } from '../ports/ports.ts'
import type { PinnedRoute, Route } from '../models/route.ts'
import type { Survey } from './survey.ts'
import type { UnsupportedFields } from '../ports/body.ts'

/**
 * The processing of one request body. It takes longer for larger bodies: `openWork` decides whether it runs here or in another
 * thread.
 */
export interface RequestWork<Facts extends BodyFacts = BodyFacts, Asked = unknown> {
  /** Parses and checks the body. Called once, first. */
  read(): Facts | Promise<Facts>
  /** Decides between relay and translation for a route, and writes the upstream's body. */
  prepare(route: WorkRoute, seals?: 'without seals'): Prepared<Asked> | Promise<Prepared<Asked>>
  /** Puts items, as JSON text, in place of the references that `read` has found, and reads the body again. */
  fill?(texts: ReadonlyMap<string, string>): Facts | Promise<Facts>
  /** Takes files that `prepare` has named as missing. Absent if the body can have none. */
  supply?(files: readonly LinkFile[]): void | Promise<void>
  /** What the choice of a route needs to know; absent if the body is not a conversation. */
  survey?(): Survey | undefined | Promise<Survey | undefined>
  /** The request in the IR, for stages; absent if the body is not a conversation. */
  decode?(): ModelRequest | undefined | Promise<ModelRequest | undefined>
  /** Releases the body. */
  close(): void
}

/** What the gateway needs to know about a body. An operation can add to it. Plain data, because it crosses threads. */
export interface BodyFacts {
  readonly peek: Peek
  /** An estimate of the tokens of the request. */
  readonly promptTokens?: number
  /** The items of earlier answers that it names. If there are any, nothing else is known before `fill`. */
  readonly references?: readonly string[] | undefined
  /** Whether the items of its answer may be remembered. */
  readonly mayRemember?: boolean | undefined
  /** The operation that the body asks for, where several operations share a path. */
  readonly operation?: string
  /** The only route that can serve it. Absent: the model decides. */
  readonly pinned?: PinnedRoute
}

/** A request for the upstream of a route. Plain data, because it crosses threads. */
export interface Prepared<Asked = unknown> {
  readonly plan: Plan
  readonly body: OutgoingBody
  /** Set if there are several upstream calls; otherwise the body is that of the only one. */
  readonly parts?: readonly PreparedPart[] | undefined
  /** The operation of the upstream's path, if it is not that of the caller's. */
  readonly operation?: string | undefined
  /** The content type of bodies that are forms. */
  readonly form?: string | undefined
  /** Set if the driver of the provider makes the calls. */
  readonly isDriven?: boolean | undefined
  /** The losses of the request. Another thread sends only the first ones; the last stands for all others. */
  readonly losses: readonly RequestLoss[]
  /** The number of all losses. */
  readonly lossCount: number
  /** Set for a body without seals if the one with them is the same: it need not be sent. */
  readonly isUnchanged?: boolean | undefined
  /** The files without which the body is not complete: it must not be sent before they are supplied. */
  readonly missing?: readonly Link[] | undefined
  /** What the operation needs to know about the request when the answer comes. */
  readonly asked: Asked
}

/** The body of upstream calls. */
export interface PreparedPart {
  readonly body: OutgoingBody
  /** How often it is sent. */
  readonly times: number
}

/** A body as the caller sent it. */
export interface SentBody {
  readonly bytes: Uint8Array
  /** The content type of a form; absent for JSON. */
  readonly form?: string | undefined
}

/** A downloaded file of a link. */
export interface LinkFile {
  readonly link: Link
  readonly mime: string
  readonly bytes: Uint8Array
}

/** The part of a route that the work on a body needs. */
export interface WorkRoute extends Pick<Route, 'id' | 'card' | 'protocol'> {
  /** Whether the key allows only some models: then the body must not choose another. */
  readonly isRestricted: boolean
  /** A member of the body that is left out, because the model has no price for it. */
  readonly leftOut?: string | undefined
}

export function workRouteOf(route: Route, caller: Caller | undefined, leftOut?: string): WorkRoute {
  return { ...route, isRestricted: isRestricted(caller), ...(leftOut === undefined ? {} : { leftOut }) }
}

export interface WorkOptions {
  /** Whether files that the upstream does not open itself can be downloaded. */
  readonly downloads: boolean
  readonly unsupportedFields: UnsupportedFields
  readonly counts: CountLimits
  /** The largest file of a form, in bytes. */
  readonly part: number
  readonly ids: () => string
  readonly clock: Pick<Clock, 'now'>
}

/** Work on a body that runs synchronously in this thread. */
export interface LocalWork<Facts extends BodyFacts = BodyFacts, Asked = unknown> extends RequestWork<Facts, Asked> {
  read(): Facts
  fill?(texts: ReadonlyMap<string, string>): Facts
  prepare(route: WorkRoute, seals?: 'without seals'): Prepared<Asked>
  supply?(files: readonly LinkFile[]): void
  survey?(): Survey | undefined
  decode?(): ModelRequest
}

/** Returns the value, or throws if a body is used before it was read or after it was closed. */
export function present<T>(value: T | undefined): T {
  if (value === undefined)
    throw new DragomanError('internal', 'A body was used before it was read or after it was closed.')
  return value
}
