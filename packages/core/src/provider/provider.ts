import { DragomanError } from '../ir/error.ts'
import type { Card } from '../ir/model.ts'
import type { Target } from '../protocols/context.ts'
import { isObject, parseJson, type Json } from '../lib/json.ts'
import { createCards } from './cards.ts'
import { withCatalogue } from './catalogued-cards.ts'
import { checkDefinition, type ProviderDefinition } from './definition.ts'
import {
  readContent,
  type Multipart,
  type Call,
  type Deadlines,
  type Fields,
  type Method,
  type OutgoingBody,
  type Transport,
} from './transport.ts'
import { createCredentials, createRedact, secretsOf } from './credentials.ts'
import type { Drivers } from './media.ts'
import {
  checkBase,
  checkHeaders,
  checkKeys,
  checkName,
  checkOptions,
  wrongOption,
  type ProviderOptions,
} from './options.ts'

/** An upstream: its models, and how to call it. Its secret stays inside, bound to the origins of its endpoints. */
export interface Provider {
  readonly name: string
  readonly models: readonly Card[]
  /** The supported protocols, best first. */
  readonly protocols: readonly string[]
  /** The call for a protocol's target at this upstream, with credentials. */
  call(protocol: string, target: Target, outbound: Outbound): Call
  /**
   * The call of a URL that the upstream named, such as the state of a task or a result; a GET unless the method says otherwise.
   * Credentials are sent to the provider's own origins only.
   */
  visit?(url: string, outbound: Omit<Outbound, 'body'>, method?: Method): Call
  /** The protocols in which it counts the tokens of a request. */
  readonly counts?: readonly string[] | undefined
  /** Its model list: `readModelList` reads the answer. */
  readonly list?: string | undefined
  /** An address that answers below 400 if the upstream is healthy and accepts the key. */
  readonly health?: string | undefined
  /** The number of its keys, and of those that can be used now: neither refused nor over their limit. Absent without keys. */
  keyState?(): { readonly awake: number; readonly all: number }
  /** Removes this provider's secrets from a text of its upstream. */
  redact?(text: string): string
  /** Set by providers that answer in the same process. */
  readonly transport?: Transport | undefined
  /** For media models whose upstream speaks none of the protocols. */
  readonly drivers?: Drivers | undefined
}

/** The parts of an upstream call besides its address and its key. */
export interface Outbound {
  readonly headers: Fields
  /** JSON or a form, as the target requires; absent if the call has no body. */
  readonly body?: OutgoingBody | Multipart | undefined
  readonly deadlines: Deadlines
  /** The `key` of an earlier call, because a task is visible only to the key that started it. By default the keys rotate. */
  readonly key?: number | undefined
}

/** Creates a provider from data and an operator's options. A mistake throws an error that names the option. */
export function defineProvider(definition: ProviderDefinition, options: ProviderOptions = {}): Provider {
  const known = checkDefinition(definition)
  checkOptions(options)
  const name = checkName(options.name ?? definition.name)
  const { auth, transport } = definition
  const resolve = resolver(options.baseURL ?? definition.baseURL)
  const bases = new Map(
    Object.entries(definition.endpoints).map(([protocol, reference]) => [
      protocol,
      resolve(`endpoints.${protocol}`, reference),
    ]),
  )
  if (bases.size === 0) throw wrongOption('endpoints', 'must name at least one protocol')
  const keys = checkKeys(
    options.keys ?? (definition.key === '' ? undefined : definition.key),
    auth !== undefined && auth.optional !== true,
    name,
    [definition.environment?.keys ?? []].flat()[0],
  )
  const own = checkHeaders('headers', options.headers ?? {})
  const headers = { ...checkHeaders('headers', definition.headers ?? {}), ...own }
  const protocols = [...bases.keys()]
  const stated = withCatalogue(definition, options.catalogue, protocols, known)
  const models = createCards(stated, definition, protocols, options, known)
  const credentials = createCredentials(auth, keys, options.now ?? Date.now)
  const list = definition.list === undefined ? undefined : resolve('list', definition.list)
  const health = definition.health === undefined ? list : resolve('health', definition.health)
  const origins = new Set([...bases.values(), list ?? [], health ?? []].flat().map((base) => new URL(base).origin))
  return {
    name,
    models,
    protocols,
    call(protocol, target, { headers: asked, body, deadlines, key: wanted }) {
      const base = bases.get(protocol)
      if (base === undefined) throw new DragomanError('internal', `${name} does not speak ${protocol}.`)
      // A target's path can contain a model name, so it is appended, never resolved: no request can choose a host.
      // The authority of a URL ends at its first slash, which the base has or the path begins with.
      if (!target.path.startsWith('/')) throw new DragomanError('internal', `A call to ${name} would leave its origin.`)
      const url = base + target.path
      const { method = 'POST' } = target
      const { bytes, type } = readContent(target, body)
      const { header, key, answered } = credentials.take(wanted)
      return {
        url,
        method,
        headers: { ...asked, ...target.headers, ...headers, ...header, ...type },
        body: bytes,
        deadlines,
        key,
        answered,
      }
    },
    visit(url, { headers: asked, deadlines, key: wanted }, method = 'GET') {
      const { origin, protocol } = URL.canParse(url) ? new URL(url) : { origin: '', protocol: '' }
      if (protocol !== 'http:' && protocol !== 'https:')
        throw new DragomanError('upstream', `${name} named an address that is not an http or https URL.`)
      if (!origins.has(origin)) return { url, method, headers: asked, deadlines }
      const { header, key, answered } = credentials.take(wanted)
      return { url, method, headers: { ...asked, ...headers, ...header }, deadlines, key, answered }
    },
    counts: definition.counts,
    list,
    health,
    ...(keys.length === 0 ? {} : { keyState: () => ({ awake: credentials.awake(), all: keys.length }) }),
    redact: createRedact(secretsOf(credentials.secrets, own), credentials.token),
    transport,
    drivers: definition.drivers,
  }
}

/** The factory of a definition: `export const createAcme = factoryOf(acme)`. */
export function factoryOf(definition: ProviderDefinition): (options?: ProviderOptions) => Provider {
  return (options) => defineProvider(definition, options)
}

/** Makes URLs relative to the base URL absolute, and checks them. */
function resolver(baseURL: string | undefined): (option: string, reference: string) => string {
  const base = baseURL === undefined ? undefined : `${checkBase('baseURL', baseURL)}/`
  return (option, reference) => {
    if (URL.canParse(reference)) return checkBase(option, reference)
    if (base === undefined) throw wrongOption('baseURL', 'is required')
    if (!URL.canParse(reference, base)) throw wrongOption(option, 'must be a URL or a reference from the base URL')
    return checkBase(option, new URL(reference, base).href)
  }
}

/** The model names in an upstream's list, in any of the known shapes: `data[].id`, `models[].name`, or a plain list. */
export function readModelList(body: string): readonly string[] {
  const parsed = parseJson(body)
  const list: Json | undefined = isObject(parsed) ? (parsed['data'] ?? parsed['models']) : parsed
  if (!Array.isArray(list)) return []
  return (list as readonly Json[]).flatMap((entry) => {
    if (typeof entry === 'string') return [entry]
    const name = isObject(entry) ? (entry['id'] ?? entry['name']) : undefined
    return typeof name === 'string' && name !== '' ? [name.replace(/^models\//, '')] : []
  })
}
