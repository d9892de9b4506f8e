import type { JsonObject, Match, Protocol } from '@dragoman/core'
import { findCodec } from '@dragoman/core/media'
import type { Billed } from '@dragoman/core/provider'
import {
  present,
  type BodyFacts,
  type Prepared,
  type RequestWork,
  type SentBody,
  type WorkOptions,
} from '../bodies/request-work.ts'
import type { OperationCall, RoutedOperation } from '../pipeline/operation.ts'
import type { Sending } from '../modes/send.ts'
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
import type { MediaRules } from './rules.ts'
import { translateMedia } from './translate-media.ts'

/** An operation for media, whose kind can also be chosen by a body that has been parsed. */
export interface MediaOperation extends RoutedOperation<BodyFacts, PreparedMedia> {
  /** The work on a body that has been parsed. */
  workOn(inbound: Protocol, match: Match, body: MediaBody, options: WorkOptions): RequestWork<BodyFacts, PreparedMedia>
}

/**
 * An operation of one kind of media, by the name that protocols use in `Match.operation`. Its calls are routed, tried again, limited,
 * metered and explained like those of conversations.
 */
export function mediaOperation(rules: MediaRules, name = rules.name): MediaOperation {
  const workOn: MediaOperation['workOn'] = (inbound, match, parsed, options) =>
    createMediaWork(rules, inbound, match, parsed, options)
  return {
    name,
    codec: rules.name,
    body: rules.operations[name] ?? 'json',
    needsKey: true,
    metered: 'usage',
    serves: (route) => servesMedia(rules, route),
    workOn,
    createWork: (inbound, match, sent, options) =>
      createParsedWork(inbound, sent, options, findCodec(rules.name, inbound)?.form, (parsed) =>
        workOn(inbound, match, parsed, options),
      ),
    bill: (route, { asked }) => withInput(rules.expect?.(asked.brief), asked.input, route),
    send: (call, route, prepared) => sendMedia(rules, call, route, prepared),
    answers: {
      relay: (caller, model, media, bytes) => relayMediaAnswer(rules, caller, model, media, bytes),
      translate: (caller, upstream, media, options, answers) =>
        translateAnswers(rules, caller, upstream, media, options, answers),
    },
  }
}

/** An operation that several kinds share: the body decides which of them a call is. */
export function sharedOperation(
  name: string,
  kinds: readonly [MediaRules, MediaRules, ...MediaRules[]],
): MediaOperation {
  const operations = new Map(kinds.map((rules) => [rules.name, mediaOperation(rules, name)]))
  const chosen = (kind: string | undefined): MediaOperation => present(operations.get(kind ?? ''))
  const choose = (body: JsonObject, inbound: Protocol): MediaOperation => {
    const claiming = kinds.find((kind) => findCodec(kind.name, inbound)?.claims?.(body) === true)
    const open = kinds.find((kind) => findCodec(kind.name, inbound)?.claims === undefined)
    return chosen((claiming ?? open)?.name)
  }
  const workOn: MediaOperation['workOn'] = (inbound, match, parsed, options) =>
    choose(parsed.json, inbound).workOn(inbound, match, parsed, options)
  return {
    name,
    codec: kinds[0].name,
    body: 'json',
    needsKey: true,
    metered: 'usage',
    serves: (route, inbound, body) => chosen(body.operation).serves?.(route, inbound, body) ?? true,
    workOn,
    createWork: (inbound, match, sent, options) =>
      createParsedWork(inbound, sent, options, undefined, (parsed) => workOn(inbound, match, parsed, options)),
    bill: (route, prepared, body) => chosen(body.operation).bill?.(route, prepared, body),
    send: (call, route, prepared) => chosen(call.body.operation).send(call, route, prepared),
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

function sendMedia(
  rules: MediaRules,
  call: OperationCall<BodyFacts, PreparedMedia>,
  route: Route,
  prepared: Prepared<PreparedMedia>,
): Sending {
  const { settings, exchange, match, body } = call
  const { protocol: caller } = exchange
  const { asked: media, plan, parts = [] } = prepared
  const answered: AnsweredMedia = {
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
