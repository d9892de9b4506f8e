import { createLosses, refuseDepth, type JsonObject, type Match, type Path, type Protocol } from '@dragoman/core'
import { locateIn } from '@dragoman/core/media'
import type { OutgoingBody } from '@dragoman/core/provider'
import { createLinkedFiles } from '../bodies/linked-files.ts'
import type { BodyFacts, Prepared, RequestWork, WorkOptions, WorkRoute } from '../bodies/request-work.ts'
import { present } from '../bodies/request-work.ts'
import { createBoundary, writeForm } from '../bodies/write-form.ts'
import { guardEdits } from '../bodies/relay-body.ts'
import { upstreamName } from '../route-facts.ts'
import { encodeCalls, type EncodedCall } from './encode-calls.ts'
import { fillPictures } from './fill-pictures.ts'
import { isUnchanged } from './is-unchanged.ts'
import type { MediaBody } from './media-body.ts'
import { codecOf } from './media-codec.ts'
import { modeOf } from './media-mode.ts'
import type { MediaPart, PreparedMedia } from './prepared-media.ts'
import { relayedBody } from './relayed-body.ts'
import { reportMedia } from './report-media.ts'
import type { MediaRequest, MediaRules } from './rules.ts'

/** What the gateway needs to know about a media body. */
export interface MediaFacts extends BodyFacts {
  /** The name of its kind. */
  readonly kind: string
}

/** The work on the body of a media call. */
export function createMediaWork<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  inbound: Protocol,
  match: Match,
  given: MediaBody,
  options: WorkOptions,
): RequestWork<MediaFacts> {
  const codec = codecOf(rules, inbound)
  const files = createLinkedFiles()
  let held: MediaBody | undefined
  const prepare = (route: WorkRoute): Prepared | Promise<Prepared> => {
    const body = present(held)
    const { json, short } = body
    const losses = createLosses()
    const locate = codec.sites === undefined ? undefined : locateIn(codec.sites, json)
    const asked = codec.decode(json, { issuer: inbound.issuer, path: match, operation: match.operation })
    const find = (path: Path): Path => locate?.(path, 'dropped') ?? path
    const fitted = rules.fit(asked, route.card, losses, find)
    const mode = modeOf(rules, route)
    const { downloads } = options
    const filled = fillPictures(rules, fitted, { mode, inbound, route, files, downloads, locate: find })
    const { streams } = rules
    const isStreamed = streams?.isAsked(fitted) ?? false
    const isEmulated = isStreamed && !(mode === 'protocol' && streams?.isAble(route.card, route.protocol))
    const whole = isEmulated ? present(streams).asWhole(filled) : filled
    const requests = (rules.split?.(whole, route.card) ?? [whole]).map((request) => ({
      ...request,
      model: upstreamName(route),
    }))
    const media: PreparedMedia = {
      mode,
      parts: [],
      operation: match.operation,
      asked: rules.brief(fitted),
      input: rules.input?.(fitted),
      stream: isEmulated ? 'emulated' : isStreamed,
    }
    const calls = mode === 'driver' ? [] : encodeCalls(rules, mode, requests, inbound, route, options, losses)
    rules.refuse?.(losses, find)
    const [first] = calls
    const fits = losses.entries().length === 0 && isUnchanged(asked, fitted)
    const because =
      obstacle(inbound, route, mode, calls.length, isEmulated) ??
      (filled === fitted ? undefined : 'the upstream opens no URLs of media') ??
      (fits ? formObstacle(body, route, match, first) : 'it is fitted to the model')
    if (because === undefined) {
      const { bytes, form } = relayedBody(codec, inbound, body, route)
      return { plan: { mode: 'relay' }, body: bytes, losses: [], lossCount: 0, media: { ...media, form } }
    }
    guardEdits(inbound, json, route, inbound.relay.edits(json, upstreamName(route)))
    const reported = [...reportMedia(losses.entries(), locate), ...(first?.losses ?? [])]
    const plan = { mode: 'translate', because } as const
    const rest = { plan, losses: reported, lossCount: reported.length, missing: files.takeMissing() }
    if (first === undefined) return { ...rest, body: '', media: { ...media, request: short.restore(requests) } }
    const translated = { ...media, operation: first.operation }
    if (isForm(route, first))
      return writeForms(rules, route, calls, body).then(({ parts, type }) => ({
        ...rest,
        ...several(parts, isEmulated, { ...translated, form: type }),
      }))
    const parts = grouped(calls).map(({ text, times }) => ({ body: short.fill(text), times }))
    return { ...rest, ...several(parts, isEmulated, translated) }
  }
  return {
    read() {
      const json = codec.check(given.json, match)
      held = { ...given, json }
      return { kind: rules.name, peek: inbound.relay.peek(json, match) }
    },
    prepare: (route) => refuseDepth(() => prepare(route)),
    supply: files.supply,
    close() {
      held = undefined
      files.close()
    },
  }
}

/** Why the body cannot be relayed, whatever it says. */
function obstacle(
  inbound: Protocol,
  { id, card, protocol }: WorkRoute,
  mode: PreparedMedia['mode'],
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

async function writeForms<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  { protocol }: WorkRoute,
  calls: readonly EncodedCall[],
  { short }: MediaBody,
): Promise<{ readonly parts: readonly MediaPart[]; readonly type: string }> {
  const forms = present(rules.formOf?.(protocol))
  const boundary = createBoundary()
  const parts: MediaPart[] = []
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
function several(
  parts: readonly MediaPart[],
  isEmulated: boolean,
  media: PreparedMedia,
): { readonly body: OutgoingBody; readonly media: PreparedMedia } {
  const [first] = parts
  const isOne = parts.length === 1 && first?.times === 1 && !isEmulated
  return { body: first?.body ?? '', media: isOne ? media : { ...media, parts } }
}

/** Equal bodies are sent several times. */
function grouped(calls: readonly EncodedCall[]): readonly { readonly text: string; readonly times: number }[] {
  const times = new Map<string, number>()
  for (const { body } of calls) {
    const text = JSON.stringify(body)
    times.set(text, (times.get(text) ?? 0) + 1)
  }
  return [...times].map(([text, count]) => ({ text, times: count }))
}
