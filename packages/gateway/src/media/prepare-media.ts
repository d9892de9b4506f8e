import { createLosses, type JsonObject, type Losses, type Match, type Path, type Protocol } from '@dragoman/core'
import {
  codecOf,
  factsOf,
  findCodec,
  isSameRequest,
  locateFor,
  reportLosses,
  splitMedia,
  streamOf,
  type MediaRequest,
} from '@dragoman/core/media'
import { dialectOf } from '@dragoman/core/provider'
import type { LinkedFiles } from '../bodies/linked-files.ts'
import { guardEdits } from '../bodies/relay-body.ts'
import { present, type Prepared, type PreparedPart, type WorkOptions, type WorkRoute } from '../bodies/request-work.ts'
import { createBoundary, writeForm } from '../bodies/write-form.ts'
import { upstreamName } from '../models/route-facts.ts'
import { encodeCalls, type EncodedCall } from './encode-calls.ts'
import { fillLinks } from './fill-links.ts'
import type { MediaBody } from './media-body.ts'
import { modeOf } from './media-mode.ts'
import type { MediaMode, PreparedMedia } from './prepared-media.ts'
import { relayedBody } from './relayed-body.ts'
import type { MediaRules } from './rules.ts'

/** A media call whose body has been read. */
export interface ReadMedia {
  readonly inbound: Protocol
  readonly match: Match
  readonly body: MediaBody
  /** The estimated tokens of the body; absent if they are not counted. */
  readonly tokens: number | undefined
  readonly files: LinkedFiles
  readonly options: WorkOptions
}

type Made = Prepared<PreparedMedia>

/** Decides between relay and translation for a route, and writes the upstream's bodies. */
export function prepareMedia(rules: MediaRules, read: ReadMedia, route: WorkRoute): Made | Promise<Made> {
  const { inbound, match, body, files, options } = read
  const { json, short } = body
  const { card, protocol } = route
  const codec = codecOf(rules, inbound)
  const losses = createLosses()
  const locate = locateFor(codec, json, match.operation)
  const find = (path: Path): Path => locate(path, 'dropped')
  const { media, requests, obstacle, isSame } = fitMedia(rules, read, route, losses, find)
  const relay = (): Made => {
    const { bytes, form } = relayedBody(codec, inbound, body, route)
    return { plan: { mode: 'relay' }, body: bytes, form, losses: [], lossCount: 0, asked: media }
  }
  const fits = (): boolean => isSame && losses.entries().length === 0
  // A request that is known to be relayed need not be encoded.
  const relays = codec.relays?.(match.operation, dialectOf(card, protocol.name))
  if (obstacle === undefined && relays === true && fits()) return relay()
  const calls = media.mode === 'driver' ? [] : encodeCalls(rules, media.mode, requests, inbound, route, options, losses)
  rules.refuse?.(losses, find)
  const [first] = calls
  const isRelayable = fits() && relays !== false
  const because = obstacle ?? (isRelayable ? formObstacle(body, route, match, first) : 'it is fitted to the model')
  if (because === undefined) return relay()
  guardEdits(inbound, json, route, inbound.relay.edits(json, upstreamName(route)))
  const lost = [...losses.entries(), ...calls.flatMap(({ own = [] }) => own)]
  const reported = [...reportLosses(lost, locate), ...(first?.losses ?? [])]
  const plan = { mode: 'translate', because } as const
  const rest = { plan, losses: reported, lossCount: reported.length, missing: files.takeMissing() }
  if (first === undefined)
    return { ...rest, body: '', isDriven: true, asked: { ...media, requests: short.restore(requests) } }
  const called = { operation: first.operation, asked: { ...media, called: first.operation } }
  const isEmulated = media.stream === 'emulated'
  if (isForm(route, first))
    return writeForms(rules, route, calls, body).then(({ parts, type }) => ({
      ...rest,
      ...called,
      ...several(parts, isEmulated),
      form: type,
    }))
  const parts = grouped(calls).map(({ text, times }) => ({ body: short.fill(text), times }))
  return { ...rest, ...called, ...several(parts, isEmulated) }
}

/** The requests of all upstream calls, as the model of a route takes them. */
interface Fitted {
  readonly media: PreparedMedia
  readonly requests: readonly MediaRequest[]
  /** Why the body cannot be relayed, apart from what it says. */
  readonly obstacle: string | undefined
  /** Whether nothing was changed. */
  readonly isSame: boolean
}

function fitMedia(
  rules: MediaRules,
  { inbound, match, body, tokens, files, options }: ReadMedia,
  route: WorkRoute,
  losses: Losses,
  find: (path: Path) => Path,
): Fitted {
  const { card, protocol } = route
  const { operation } = match
  const asked = codecOf(rules, inbound).decode(body.json, { issuer: inbound.issuer, path: match, operation })
  const facts = factsOf(rules, card)
  const upstream = findCodec(rules.name, protocol)
  const fitted = rules.fit(asked, {
    facts,
    accepts: card.input,
    takes: upstream?.takes?.(dialectOf(card, protocol.name)) ?? [],
    isSameProtocol: protocol === inbound,
    losses,
    locate: find,
  })
  const mode = modeOf(rules, route)
  const { downloads } = options
  const filled = fillLinks(rules, fitted, { mode, inbound, route, files, downloads, locate: find })
  const stream = streamOf(rules, fitted, facts, mode === 'protocol' ? upstream : undefined)
  const whole = stream === 'emulated' ? (rules.stream?.asWhole(filled, losses) ?? filled) : filled
  const requests = splitMedia(rules, whole, facts, upstreamName(route))
  return {
    media: {
      mode,
      operation,
      called: operation,
      brief: rules.brief(fitted, asked, requests, tokens ?? 0, facts),
      input: rules.input?.(fitted),
      stream,
    },
    requests,
    obstacle:
      obstacleOf(inbound, route, mode, requests.length, stream === 'emulated') ??
      (filled === fitted ? undefined : 'the upstream opens no URLs of media'),
    isSame: isSameRequest(rules, asked, fitted),
  }
}

/** Why the body cannot be relayed, whatever it says. */
function obstacleOf(
  inbound: Protocol,
  { id, card, protocol }: WorkRoute,
  mode: MediaMode,
  calls: number,
  isEmulated: boolean,
): string | undefined {
  if (mode === 'conversation') return `${id} answers in a conversation`
  if (mode === 'driver') return `${id} has an API of its own`
  if (protocol !== inbound) return `${id} speaks ${protocol.name}`
  if (card.dialects?.[inbound.name] !== undefined) return `${id} has a dialect of ${inbound.name}`
  if (calls > 1) return 'it needs several upstream calls'
  return isEmulated ? `${id} does not stream` : undefined
}

/** Why the upstream needs another form of the body. */
function formObstacle(
  { form }: MediaBody,
  route: WorkRoute,
  match: Match,
  encoded: EncodedCall | undefined,
): string | undefined {
  if (encoded === undefined || encoded.operation !== match.operation) return `${route.id} takes it in another form`
  const wantsForm = isForm(route, encoded)
  if (wantsForm === (form !== undefined)) return undefined
  return wantsForm ? `${route.id} takes a form` : `${route.id} takes no form`
}

function isForm({ protocol, card }: WorkRoute, { operation }: EncodedCall): boolean {
  return protocol.http.target(operation, upstreamName({ card }), false).body === 'multipart'
}

async function writeForms(
  rules: MediaRules,
  { protocol }: WorkRoute,
  calls: readonly EncodedCall[],
  { short }: MediaBody,
): Promise<{ readonly parts: readonly PreparedPart[]; readonly type: string }> {
  const forms = present(codecOf(rules, protocol).form)
  const boundary = createBoundary()
  const parts: PreparedPart[] = []
  let contentType = ''
  for (const { text, times } of grouped(calls)) {
    const form = forms.write(JSON.parse(text) as JsonObject) // written before
    const { body, type } = await writeForm(form, short, boundary)
    contentType = type
    parts.push({ body, times })
  }
  return { parts, type: contentType }
}

/** One call has its body only; several, and those whose answer becomes a stream, have parts. */
function several(parts: readonly PreparedPart[], isEmulated: boolean): Pick<Prepared, 'body' | 'parts'> {
  const [first] = parts
  const isOne = parts.length === 1 && first?.times === 1 && !isEmulated
  return { body: first?.body ?? '', ...(isOne ? {} : { parts }) }
}

/** Equal bodies that follow each other are sent several times. The order of answers is that of the calls. */
function grouped(calls: readonly EncodedCall[]): readonly { readonly text: string; readonly times: number }[] {
  const groups: { text: string; times: number }[] = []
  for (const { body } of calls) {
    const text = JSON.stringify(body)
    const last = groups.at(-1)
    if (last?.text === text) last.times++
    else groups.push({ text, times: 1 })
  }
  return groups
}
