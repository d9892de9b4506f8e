import type { JsonObject, Match, Protocol } from '@dragoman/core'
import type { Billed } from '@dragoman/core/provider'
import {
  present,
  type BodyFacts,
  type Prepared,
  type RequestWork,
  type SentBody,
  type WorkOptions,
} from '../bodies/request-work.ts'
import type { OperationCall, RoutedOperation, Sent } from '../pipeline/operation.ts'
import type { Route } from '../models/route.ts'
import { answerModel, answerOptions } from '../models/route-facts.ts'
import { outgoingOf, type AnsweredMedia } from './answered-media.ts'
import { translateAnswers } from './answers.ts'
import { composeMedia } from './compose-media.ts'
import { readMediaBody, type MediaBody } from './media-body.ts'
import { servesMedia } from './media-mode.ts'
import { createMediaWork } from './media-work.ts'
import type { PreparedMedia } from './prepared-media.ts'
import { relayMedia, relayMediaAnswer } from './relay-media.ts'
import type { MediaRequest, MediaRules } from './rules.ts'
import { translateMedia } from './translate-media.ts'

/** An operation for media, whose kind can also be chosen by a body that has been parsed. */
export interface MediaOperation<Request = unknown, Brief = unknown> extends RoutedOperation<
  BodyFacts,
  PreparedMedia<Request, Brief>
> {
  /** The work on a body that has been parsed. */
  workOn(
    inbound: Protocol,
    match: Match,
    body: MediaBody,
    options: WorkOptions,
  ): RequestWork<BodyFacts, PreparedMedia<Request, Brief>>
}

export interface MediaOperationOptions {
  /** The name that protocols use in `Match.operation`. */
  readonly name: string
  /** The member of a protocol with the codec. */
  readonly codec: keyof Protocol
  /** JSON if absent. */
  readonly body?: RoutedOperation['body']
}

/** An operation for one kind of media. Its calls are routed, tried again, limited, metered and explained like those of conversations. */
export function mediaOperation<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  { name, codec, body = 'json' }: MediaOperationOptions,
): MediaOperation<Request, Brief> {
  const workOn: MediaOperation<Request, Brief>['workOn'] = (inbound, match, parsed, options) =>
    createMediaWork(rules, inbound, match, parsed, options)
  return {
    name,
    codec,
    body,
    needsKey: true,
    metered: 'usage',
    serves: (route) => servesMedia(rules, route),
    workOn,
    createWork: (inbound, match, sent, options) =>
      createParsedWork(inbound, sent, options, rules.formOf?.(inbound), (parsed) =>
        workOn(inbound, match, parsed, options),
      ),
    send: (call, route, prepared) => sendMedia(rules, call, route, prepared),
    answers: {
      relay: (caller, model, media, bytes) => relayMediaAnswer(rules, caller, model, media, bytes),
      translate: (caller, upstream, media, options, answers) =>
        translateAnswers(rules, caller, upstream, media, options, answers),
    },
  }
}

/** A path that several operations share: the body decides which of them a call is. */
export function sharedOperation(
  { name, codec }: MediaOperationOptions,
  operations: readonly MediaOperation[],
  choose: (body: JsonObject, inbound: Protocol) => MediaOperation,
): MediaOperation {
  const chosen = ({ operation }: BodyFacts): MediaOperation =>
    present(operations.find((each) => each.name === operation))
  const workOn: MediaOperation['workOn'] = (inbound, match, parsed, options) =>
    choose(parsed.json, inbound).workOn(inbound, match, parsed, options)
  return {
    name,
    codec,
    body: 'json',
    needsKey: true,
    metered: 'usage',
    serves: (route, inbound, body) => chosen(body).serves?.(route, inbound, body) ?? true,
    workOn,
    createWork: (inbound, match, sent, options) =>
      createParsedWork(inbound, sent, options, undefined, (parsed) => workOn(inbound, match, parsed, options)),
    send: (call, route, prepared) => chosen(call.body).send(call, route, prepared),
  }
}

/** Work that begins with parsing the body. */
function createParsedWork<Asked>(
  inbound: Protocol,
  given: SentBody,
  options: WorkOptions,
  forms: Parameters<typeof readMediaBody>[2],
  open: (body: MediaBody) => RequestWork<BodyFacts, Asked>,
): RequestWork<BodyFacts, Asked> {
  let sent: SentBody | undefined = given
  let work: RequestWork<BodyFacts, Asked> | undefined
  const begin = (body: MediaBody): BodyFacts | Promise<BodyFacts> => {
    work = open(body)
    return work.read()
  }
  return {
    read() {
      const held = present(sent)
      sent = undefined
      const body = readMediaBody(held, inbound.request.history, forms, options)
      return body instanceof Promise ? body.then(begin) : begin(body)
    },
    prepare: (route) => present(work).prepare(route),
    supply: (files) => present(work).supply?.(files),
    close() {
      sent = undefined
      work?.close()
      work = undefined
    },
  }
}

function sendMedia<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  call: OperationCall<BodyFacts, PreparedMedia<Request, Brief>>,
  route: Route,
  prepared: Prepared<PreparedMedia<Request, Brief>>,
): Sent {
  const { settings, exchange, match, body } = call
  const { protocol: caller } = exchange
  const { asked: media, plan, parts = [] } = prepared
  const answered: AnsweredMedia<Request, Brief> = {
    settings,
    route,
    caller,
    upstream: route.protocol,
    media,
    options: { ...answerOptions(route, settings), answerModel: answerModel(route, match, body.peek) },
    pricing: body.peek.cost === true ? caller.relay.pricing : undefined,
  }
  const sending = {
    operation: media.called,
    body: outgoingOf(prepared, prepared.body),
    stream: media.stream !== false,
    isWhole: media.stream === 'emulated',
    bill: withInput(rules.expect?.(media.brief), media.input, route),
  }
  if (media.mode === 'driver' || parts.length > 0)
    return { ...sending, ...composeMedia(rules, call, answered, prepared) }
  const handle = plan.mode === 'relay' ? relayMedia : translateMedia
  return { ...sending, createHandler: (upstreamCall) => handle(rules, answered, upstreamCall) }
}

/** Images that are sold by the piece have no price for the request. */
function withInput(bill: Billed | undefined, input: number | undefined, { card }: Route): Billed | undefined {
  const isBilled = bill !== undefined && input !== undefined && card.prices?.['prompt'] !== undefined
  return isBilled ? { ...bill, input } : bill
}
