import type { Card, Chooser } from '../ir/model.ts'
import type { Quirk } from '../ir/quirk.ts'
import { isObject, type JsonObject } from '../lib/json.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { didYouMean } from '../lib/near.ts'
import { protocols } from '../protocols/index.ts'
import type { Drivers } from './media.ts'
import type { Fields, Transport } from './transport.ts'
import { checkCard, checkPerProtocol, findProtocol, type KnownProtocols } from './check-card.ts'
import { wrongDefinition } from './options.ts'
import { OWN } from './own-api.ts'

/** The header for the key, and its prefix. */
export interface Auth {
  readonly header: string
  readonly prefix?: string | undefined
  /** Works without a key too. */
  readonly optional?: true
  /**
   * `jwt`: a key `<access key>:<secret key>` signs short-lived tokens, which are sent instead of it (HS256, with the access key as the
   * issuer). A key without a colon is sent as it is.
   */
  readonly sign?: 'jwt'
}

/** The usual header: `Authorization: Bearer <key>`. */
export const BEARER = { header: 'authorization', prefix: 'Bearer ' } as const satisfies Auth

/** The environment variables of a provider's options. */
export interface EnvironmentNames {
  /** The variable with the key, or several keys separated by commas; of several names, the first that is set is used. */
  readonly keys?: string | readonly string[]
  readonly baseURL?: string
}

/** A provider as data: its URL, its key header, its protocols and its models. */
export interface ProviderDefinition {
  readonly name: string
  readonly models: readonly Card[]
  /** The base of the endpoints; the option of the same name replaces it. */
  readonly baseURL?: string | undefined
  /**
   * The endpoint of each protocol, best first: a URL, or a URL relative to the base URL (`.`, `..`, `../anthropic`). The protocol appends
   * its own path. `own` is the API of a provider that speaks none of the protocols: its drivers call it.
   */
  readonly endpoints: { readonly [protocol: string]: string }
  readonly auth?: Auth | undefined
  readonly key?: string | undefined
  /** Sent with every call. */
  readonly headers?: Fields | undefined
  readonly environment?: EnvironmentNames | undefined
  /** Quirks of every model, per protocol. */
  readonly quirks?: { readonly [protocol: string]: readonly Quirk[] } | undefined
  /** How its responses differ, per protocol. */
  readonly dialects?: { readonly [protocol: string]: JsonObject } | undefined
  /** What it accepts or requires beyond each protocol. */
  readonly extensions?: { readonly [protocol: string]: JsonObject } | undefined
  /** Whether it opens the URLs of media, per protocol; by default as the protocol says. */
  readonly urls?: { readonly [protocol: string]: boolean } | undefined
  /**
   * The request members that can make it use another model, per protocol, in addition to the protocol's own: refused for keys that are
   * restricted to some models. By default the known ones of routers.
   */
  readonly choosers?: { readonly [protocol: string]: readonly Chooser[] } | undefined
  /** The issuer of the seals in its responses; by default the native domain of each protocol. */
  readonly issuer?: string | undefined
  /** The protocols in which it counts the tokens of a request. */
  readonly counts?: readonly string[] | undefined
  /** The model list, relative to the base URL: `./models`. */
  readonly list?: string | undefined
  /** By default the model list. */
  readonly health?: string | undefined
  readonly transport?: Transport | undefined
  /** For media models whose upstream speaks none of the protocols. */
  readonly drivers?: Drivers | undefined
  /** Protocols outside this package that the endpoints name. */
  readonly protocols?: readonly Protocol[] | undefined
}

const MEMBERS: Record<keyof ProviderDefinition, true> = {
  name: true,
  models: true,
  baseURL: true,
  endpoints: true,
  auth: true,
  key: true,
  headers: true,
  environment: true,
  quirks: true,
  dialects: true,
  extensions: true,
  urls: true,
  choosers: true,
  issuer: true,
  counts: true,
  list: true,
  health: true,
  transport: true,
  drivers: true,
  protocols: true,
}
const AUTH: Record<keyof Auth, true> = { header: true, prefix: true, optional: true, sign: true }
const ENVIRONMENT: Record<keyof EnvironmentNames, true> = { keys: true, baseURL: true }

/** Throws an error that names the first wrong member of a definition; returns the protocols that it may name. */
export function checkDefinition(definition: ProviderDefinition): KnownProtocols {
  checkMembers(definition, '', MEMBERS)
  const { auth, environment, endpoints, counts = [], models, protocols: others = [] } = definition
  if (auth !== undefined) checkAuth(auth)
  if (environment !== undefined) checkMembers(environment, 'environment.', ENVIRONMENT)
  const known = new Map([...protocols, ...others].map((protocol) => [protocol.name, protocol] as const))
  if (!isObject(endpoints)) throw wrongDefinition('endpoints', 'must be an object of protocols and references')
  for (const name of Object.keys(endpoints))
    if (name !== OWN) findProtocol(name, `endpoints.${name}`, wrongDefinition, known)
  for (const name of counts) findProtocol(name, 'counts', wrongDefinition, known)
  checkPerProtocol({ ...definition }, '', wrongDefinition, known)
  if (!Array.isArray(models)) throw wrongDefinition('models', 'must be a list of cards')
  for (const [index, card] of (models as ProviderDefinition['models']).entries())
    checkCard(card, `models.${index}`, wrongDefinition, known)
  return known
}

function checkAuth(auth: Auth): void {
  checkMembers(auth, 'auth.', AUTH)
  if (auth.sign !== undefined && auth.sign !== 'jwt') throw wrongDefinition('auth.sign', 'must be "jwt"')
}

function checkMembers(given: object, prefix: string, members: { readonly [member: string]: true }): void {
  if (!isObject(given)) throw wrongDefinition(prefix.replace('.', ''), 'must be an object')
  for (const member of Object.keys(given))
    if (!Object.hasOwn(members, member))
      throw wrongDefinition(`${prefix}${member}`, `is unknown${didYouMean(member, Object.keys(members))}`)
}
