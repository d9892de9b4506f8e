import type { JsonObject, Match, Protocol } from '@dragoman/core'
import type { Prepared, RequestWork, WorkOptions } from '../bodies/request-work.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import type { Next } from '../routing/next.ts'
import { askMedia } from './ask-media.ts'
import { servesMedia } from './media-mode.ts'
import type { MediaBody } from './media-body.ts'
import { createMediaWork, type MediaFacts } from './media-work.ts'
import type { MediaForms, MediaRequest, MediaRules } from './rules.ts'

/** A kind of media, for operations: its rules without the types of its requests and answers. */
export interface MediaKind {
  readonly name: string
  serves(route: Route): boolean
  createWork(inbound: Protocol, match: Match, body: MediaBody, options: WorkOptions): RequestWork<MediaFacts>
  /** Forms, in a protocol whose requests can be forms. */
  formOf(protocol: Protocol): MediaForms | undefined
  /** Calls the upstream of a route with what its work has prepared. */
  ask(call: OperationCall<MediaFacts>, route: Route, prepared: Prepared, next: Next): void
}

export function createMediaKind<Request extends MediaRequest, Answer>(rules: MediaRules<Request, Answer>): MediaKind {
  return {
    name: rules.name,
    serves: (route) => servesMedia(rules, route),
    createWork: (inbound, match, body, options) => createMediaWork(rules, inbound, match, body, options),
    formOf: (protocol) => rules.formOf?.(protocol),
    ask: (call, route, prepared, next) => askMedia(rules, call, route, prepared, next),
  }
}

/** Chooses the kind of a call by its body. */
export type KindOf = (body: JsonObject, inbound: Protocol) => MediaKind
