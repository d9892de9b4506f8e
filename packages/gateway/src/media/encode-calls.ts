import { createLosses, translateRequest, type JsonObject, type Loss, type Losses, type Protocol } from '@dragoman/core'
import { dialectOf, findFeatures, prepareQuirks } from '@dragoman/core/provider'
import { present, type Prepared, type WorkOptions, type WorkRoute } from '../bodies/request-work.ts'
import { limitsOf } from '../models/plan.ts'
import { answerOptions, upstreamName } from '../models/route-facts.ts'
import { codecOf } from './media-codec.ts'
import type { MediaMode } from './prepared-media.ts'
import type { MediaRequest, MediaRules } from './rules.ts'

/** An upstream call, before it is written. */
export interface EncodedCall {
  readonly body: JsonObject
  readonly operation: string
  /** Those that are not in the losses of the request. */
  readonly losses?: Prepared['losses']
  /** Losses that the first call does not have. */
  readonly own?: readonly Loss[]
}

/** The upstream calls for the requests that one was split into. The losses of the first are kept, and those that only later ones have. */
export function encodeCalls<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  mode: MediaMode,
  requests: readonly Request[],
  inbound: Protocol,
  route: WorkRoute,
  options: WorkOptions,
  losses: Losses,
): readonly EncodedCall[] {
  const encode = mode === 'conversation' ? encodeConversation : encodeRequest
  return requests.map((request, index) => {
    if (index === 0) return encode(rules, request, inbound, route, options, losses)
    const later = createLosses()
    const call = encode(rules, request, inbound, route, options, later)
    const own = later.entries().flatMap((loss) => {
      const path = rules.later?.(loss.path, index, route.card)
      return path === undefined ? [] : { ...loss, path }
    })
    return own.length === 0 ? call : { ...call, own }
  })
}

function encodeRequest<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  request: Request,
  inbound: Protocol,
  route: WorkRoute,
  { ids, clock }: WorkOptions,
  losses: Losses,
): EncodedCall {
  return codecOf(rules, route.protocol).encode(request, {
    issuer: route.card.issuer ?? route.protocol.issuer,
    dialect: dialectOf(route.card, route.protocol.name),
    toward: 'upstream',
    id: ids,
    now: Math.floor(clock.now() / 1000),
    caller: inbound.name,
    limits: limitsOf(route),
    losses,
  })
}

/** The conversation is translated like one of the caller's protocol, of which it takes the place. */
function encodeConversation<Request extends MediaRequest, Answer, Brief>(
  { conversation }: MediaRules<Request, Answer, Brief>,
  request: Request,
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
