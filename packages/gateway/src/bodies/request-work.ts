import {
  DragomanError,
  type AnswerFacts,
  type CountLimits,
  type Loss,
  type Peek,
  type ModelRequest,
} from '@dragoman/core'
import type { OutgoingBody } from '@dragoman/core/provider'
import type { Plan } from '../plan.ts'
import type { Caller, Clock } from '../ports.ts'
import type { Route } from '../resolve.ts'
import type { UnsupportedFields } from '../body.ts'

/**
 * What is done with the body of one request. The larger the body, the longer it takes: `openWork` decides whether it happens at
 * once or in another thread.
 */
export interface RequestWork<Facts extends BodyFacts = BodyFacts> {
  /** Parses and checks the body. Called once, before anything else. */
  read(): Facts | Promise<Facts>
  /** Decides between relay and translation for a route, and writes the body that goes upstream. */
  prepare(route: WorkRoute, seals?: 'without seals'): Prepared | Promise<Prepared>
  /** The request in the IR, for stages that ask for it; absent where the body is no conversation. */
  decode?(): ModelRequest | undefined | Promise<ModelRequest | undefined>
  /** The body is not needed any more. */
  close(): void
}

/** All that the gateway needs to know of any body. An operation may add to it; plain data, so that it can cross threads. */
export interface BodyFacts {
  readonly peek: Peek
  /** Members that the protocol does not support, and that were left out. */
  readonly losses: readonly Loss[]
}

/** A body that is ready to go upstream. */
export interface Prepared {
  readonly plan: Plan
  readonly body: OutgoingBody
  /** Of the request, without those that reading it reported. From another thread only the first ones come. */
  readonly losses: readonly Loss[]
  /** How many losses there are in all. */
  readonly lossCount: number
  /** Of a translation: what the translation of the answer needs. */
  readonly facts?: AnswerFacts | undefined
}

/** A route, as far as the work on a body needs to know it. */
export interface WorkRoute extends Pick<Route, 'id' | 'card' | 'protocol'> {
  /** The caller's key is good for some models only: nothing in the body may choose another. */
  readonly isRestricted: boolean
}

export function workRouteOf(route: Route, caller: Caller | undefined): WorkRoute {
  return { ...route, isRestricted: caller?.models !== undefined }
}

export interface WorkOptions {
  readonly unsupportedFields: UnsupportedFields
  readonly counts: CountLimits
  readonly ids: () => string
  readonly clock: Pick<Clock, 'now'>
}

/** The work on a body in this thread, at once. */
export interface LocalWork<Facts extends BodyFacts = BodyFacts> extends RequestWork<Facts> {
  read(): Facts
  prepare(route: WorkRoute, seals?: 'without seals'): Prepared
  decode?(): ModelRequest
}

/** Throws where there is no value: a body was used before it was read, or after it was closed. */
export function present<T>(value: T | undefined): T {
  if (value === undefined)
    throw new DragomanError('internal', 'A body was used before it was read or after it was closed.')
  return value
}
