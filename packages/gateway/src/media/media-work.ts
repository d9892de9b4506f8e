import {
  checkCounts,
  createLosses,
  DragomanError,
  editTopLevel,
  isObject,
  refuseDepth,
  translateRequest,
  type EncodeContext,
  type JsonObject,
  type Match,
  type Protocol,
} from '@dragoman/core'
import type { MediaCodec } from '@dragoman/core/media'
import { dialectOf, findFeatures, prepareQuirks, type OutgoingBody } from '@dragoman/core/provider'
import { readJson } from '../body.ts'
import { guardEdits } from '../bodies/relay-body.ts'
import { shortenRequest, type ShortBody } from '../bodies/long-strings.ts'
import type { LocalWork, Prepared, WorkOptions, WorkRoute } from '../bodies/request-work.ts'
import { present, type BodyFacts } from '../bodies/request-work.ts'
import { decodeText } from '../collect.ts'
import { limitsOf } from '../plan.ts'
import { answerOptions, upstreamName } from '../route-facts.ts'
import { isUnchanged } from './is-unchanged.ts'
import { modeOf } from './media-mode.ts'
import type { MediaPart, PreparedMedia } from './prepared-media.ts'
import type { MediaRequest, MediaRules } from './rules.ts'

/** What the gateway needs to know about a media body. */
export interface MediaFacts extends BodyFacts {
  /** The name of its kind. */
  readonly kind: string
}

/** A body of a media call that has been parsed. */
export interface MediaBody {
  readonly json: JsonObject
  readonly short: ShortBody
}

/** Parses a JSON body without its long strings. */
export function readMediaBody(bytes: Uint8Array, history: string, { counts }: WorkOptions): MediaBody {
  const short = shortenRequest(bytes)
  const json = readJson(short.bytes)
  if (!isObject(json)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
  checkCounts(json, history, short.bytes.length, counts)
  return { json, short }
}

/** The work on the body of a media call. `read` returns what was parsed; it is called once. */
export function createMediaWork<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  inbound: Protocol,
  match: Match,
  given: MediaBody,
  options: WorkOptions,
): LocalWork<MediaFacts> {
  const codec = codecOf(rules, inbound)
  const { operation } = match
  let held: { readonly json: JsonObject; readonly short: ShortBody } | undefined
  const write = (route: WorkRoute): Prepared => {
    const { json, short } = present(held)
    const losses = createLosses()
    const asked = codec.decode(json, { issuer: inbound.issuer, path: match, operation })
    const fitted = rules.fit(asked, route.card, losses)
    const requests = rules.split?.(fitted, route.card) ?? [fitted]
    const mode = modeOf(rules, route)
    const because = requests.length > 1 ? 'it needs several upstream calls' : obstacle(inbound, route, mode)
    const media = (parts: readonly MediaPart[], more: Partial<PreparedMedia> = {}): PreparedMedia => ({
      mode,
      parts,
      operation,
      asked: rules.brief(fitted),
      ...more,
    })
    if (because === undefined && losses.entries().length === 0 && isUnchanged(asked, fitted)) {
      const body = relayed(inbound, json, short, route)
      return { plan: { mode: 'relay' }, body, losses: [], lossCount: 0, media: media([]) }
    }
    const plan = { mode: 'translate', because: because ?? 'it is fitted to the model' } as const
    guardEdits(inbound, json, route, inbound.relay.edits(json, upstreamName(route)))
    const named = requests.map((request) => ({ ...request, model: upstreamName(route) }))
    if (mode === 'driver') {
      const request = short.restore(requests.length > 1 ? named : named[0])
      const entries = losses.entries()
      return { plan, body: '', losses: entries, lossCount: entries.length, media: media([], { request }) }
    }
    const encoded = named.map((request, index) =>
      mode === 'conversation'
        ? encodeConversation(rules, request, inbound, route, options)
        : encodeRequest(rules, request, inbound, route, options, index === 0 ? losses : createLosses()),
    )
    const parts = partsOf(encoded.map(({ body }) => JSON.stringify(body))).map(({ text, times }) => ({
      body: short.fill(text),
      times,
    }))
    const [first] = encoded
    const all = [...losses.entries(), ...(first?.losses ?? [])]
    return {
      plan,
      body: parts[0]?.body ?? '',
      losses: all,
      lossCount: all.length,
      media: media(parts.length > 1 || parts[0]?.times !== 1 ? parts : [], {
        operation: first?.operation ?? operation,
      }),
    }
  }
  return {
    read() {
      const json = codec.check(given.json, match)
      held = { json, short: given.short }
      return { kind: rules.name, peek: inbound.relay.peek(json, match) }
    },
    prepare: (route) => refuseDepth(() => write(route)),
    close() {
      held = undefined
    },
  }
}

/** The codec of a kind. Operations are refused before if the protocol has none. */
export function codecOf<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  protocol: Protocol,
): MediaCodec<Request, Answer> {
  const codec = rules.codecOf(protocol)
  if (codec === undefined)
    throw new DragomanError('not-found', `The protocol ${protocol.name} has no calls of this kind.`)
  return codec
}

/** Why the body cannot be relayed, whatever it says. */
function obstacle(
  inbound: Protocol,
  { id, card, protocol }: WorkRoute,
  mode: PreparedMedia['mode'],
): string | undefined {
  if (mode === 'conversation') return `${id} answers in a conversation`
  if (mode === 'driver') return `${id} has an API of its own`
  if (protocol !== inbound) return `${id} speaks ${protocol.name}`
  if (card.dialects?.[inbound.name] !== undefined) return `${id} has a dialect of ${inbound.name}`
  return undefined
}

/** The client's own bytes with named members edited. Streams of media have no options for their usage. */
function relayed(inbound: Protocol, json: JsonObject, short: ShortBody, route: WorkRoute): OutgoingBody {
  const { stream: _, ...others } = json
  const edits = guardEdits(inbound, json, route, inbound.relay.edits(others, upstreamName(route)))
  const edited = editTopLevel(short.bytes, edits)
  const filled = short.fill(decodeText(edited))
  return typeof filled === 'string' ? edited : filled
}

interface Encoded {
  readonly body: JsonObject
  readonly operation: string
  /** Those that are not in the losses that were passed. */
  readonly losses?: Prepared['losses']
}

function encodeRequest<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  request: Request,
  inbound: Protocol,
  route: WorkRoute,
  { ids, clock }: WorkOptions,
  losses: EncodeContext['losses'],
): Encoded {
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
function encodeConversation<Request extends MediaRequest, Answer>(
  { conversation }: MediaRules<Request, Answer>,
  request: Request,
  inbound: Protocol,
  route: WorkRoute,
  options: WorkOptions,
): Encoded {
  const turn = present(conversation).encode(request)
  const { sites: _, refuse: __, ...codec } = inbound.request
  const caller: Protocol = { ...inbound, request: { ...codec, decode: () => turn } }
  const { body, losses } = translateRequest(
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
  return { body, losses, operation: 'generate' }
}

/** Equal bodies are sent several times. */
function partsOf(texts: readonly string[]): { text: string; times: number }[] {
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  return [...times].map(([text, count]) => ({ text, times: count }))
}
