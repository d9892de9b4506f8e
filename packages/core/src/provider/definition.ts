import type { Card, Chooser } from '../ir/model.ts'
import type { Quirk } from '../ir/quirk.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { Fields, Transport } from './transport.ts'

/** The header that holds the key, and what stands before it. */
export interface Auth {
  readonly header: string
  readonly prefix?: string
  /** Works without a key too. */
  readonly optional?: true
}

/** The key as most upstreams want it: `Authorization: Bearer <key>`. */
export const BEARER = { header: 'authorization', prefix: 'Bearer ' } as const satisfies Auth

/** The names by which a provider's options are known in an environment. */
export interface EnvironmentNames {
  /** Of the variable that holds the key, or several keys with commas between; of several names the first that is set counts. */
  readonly keys?: string | readonly string[]
  readonly baseURL?: string
}

/** A provider as data: where it is, how it takes its key, what it speaks and what its models are. */
export interface ProviderDefinition {
  readonly name: string
  readonly models: readonly Card[]
  /** What the endpoints are relative to; the option of the same name takes its place. */
  readonly baseURL?: string | undefined
  /**
   * Where each protocol is spoken, best first: a URL, or a reference from the base URL as links have them (`.`, `..`,
   * `../anthropic`). The protocol's own path comes after it.
   */
  readonly endpoints: { readonly [protocol: string]: string }
  readonly auth?: Auth | undefined
  readonly key?: string | undefined
  /** Sent with every call. */
  readonly headers?: Fields | undefined
  readonly environment?: EnvironmentNames | undefined
  /** What every model here does differently with requests, per protocol. */
  readonly quirks?: { readonly [protocol: string]: readonly Quirk[] } | undefined
  /** How its answers differ, per protocol. */
  readonly dialects?: { readonly [protocol: string]: JsonObject } | undefined
  /** What it takes or wants beyond each protocol. */
  readonly extensions?: { readonly [protocol: string]: JsonObject } | undefined
  /**
   * The members of requests by which a caller can make it use another model, per protocol, beyond the protocol's own: refused to keys
   * that are restricted to some models. Absent: those that routers are known for.
   */
  readonly choosers?: { readonly [protocol: string]: readonly Chooser[] } | undefined
  /** Whose seals its answers hold; absent: the native domain of each protocol. */
  readonly issuer?: string | undefined
  /** The protocols in which it counts the tokens of a request. */
  readonly counts?: readonly string[] | undefined
  /** The model list, from the base URL: `./models`. */
  readonly list?: string | undefined
  /** Defaults to the model list. */
  readonly health?: string | undefined
  readonly transport?: Transport | undefined
  /** Protocols that are not of this package and that the endpoints name. */
  readonly protocols?: readonly Protocol[] | undefined
}
