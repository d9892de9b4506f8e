import { translateRequest, type Losses, type Protocol } from '@dragoman/core'
import { codecOf, encodeMedia, factsOf, type MediaCall, type MediaRequest, type OwnLosses } from '@dragoman/core/media'
import { dialectOf, findFeatures, prepareQuirks } from '@dragoman/core/provider'
import { present, type Prepared, type WorkOptions, type WorkRoute } from '../bodies/request-work.ts'
import { limitsOf } from '../models/plan.ts'
import { answerOptions, upstreamName } from '../models/route-facts.ts'
import type { MediaMode } from './prepared-media.ts'
import type { MediaRules } from './rules.ts'

/** An upstream call, before it is written. */
export interface EncodedCall extends MediaCall, OwnLosses {
  /** Those that are not in the losses of the request. */
  readonly losses?: Prepared['losses']
}

/** The upstream calls for the requests that one was split into. */
export function encodeCalls(
  rules: MediaRules,
  mode: MediaMode,
  requests: readonly MediaRequest[],
  inbound: Protocol,
  route: WorkRoute,
  options: WorkOptions,
  losses: Losses,
): readonly EncodedCall[] {
  const encode = mode === 'conversation' ? encodeConversation : encodeRequest
  return encodeMedia(rules, requests, factsOf(rules, route.card), losses, (request, ofCall) =>
    encode(rules, request, inbound, route, options, ofCall),
  )
}

function encodeRequest(
  rules: MediaRules,
  request: MediaRequest,
  inbound: Protocol,
  route: WorkRoute,
  { ids, clock }: WorkOptions,
  losses: Losses,
): EncodedCall {
  const { card, protocol } = route
  return codecOf(rules, protocol).encode(request, {
    issuer: card.issuer ?? protocol.issuer,
    dialect: dialectOf(card, protocol.name),
    toward: 'upstream',
    id: ids,
    now: Math.floor(clock.now() / 1000),
    caller: inbound.name,
    limits: limitsOf(route),
    losses,
  })
}

/** The conversation is translated like one of the caller's protocol, of which it takes the place. */
function encodeConversation(
  { conversation }: MediaRules,
  request: MediaRequest,
  inbound: Protocol,
  route: WorkRoute,
  options: WorkOptions,
  losses: Losses,
): EncodedCall {
  const turn = present(conversation).encode(request, losses)
  const { sites: _, refuse: __, ...codec } = inbound.request
  const caller: Protocol = { ...inbound, request: { ...codec, decode: () => turn } }
  const { body, losses: ofTurn } = translateRequest(
    caller,
    route.protocol,
    {},
    {
      ...answerOptions(route, options),
      model: upstreamName(route),
      limits: limitsOf(route),
      quirks: prepareQuirks(route.card.quirks?.[route.protocol.name]),
      features: findFeatures,
    },
  )
  return { body, losses: ofTurn, operation: 'generate' }
}
