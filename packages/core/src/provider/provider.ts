import { DragomanError } from '../ir/error.ts'
import type { Target } from '../protocols/protocol.ts'
import type { Card } from '../ir/model.ts'
import type { Bytes, Call, Deadlines, Fields, Transport } from './transport.ts'

/** An upstream: what it offers, and how to call it. Its secret stays inside, bound to the origins of its endpoints. */
export interface Provider {
  readonly name: string
  readonly models: readonly Card[]
  /** The protocols it speaks, best first. */
  readonly protocols: readonly string[]
  /** The call of a protocol's target at this upstream, credentials included. */
  call(protocol: string, target: Target, outbound: Outbound): Call
  /** Set by providers that answer in the same process. */
  readonly transport?: Transport | undefined
}

export interface Outbound {
  readonly headers: Fields
  readonly body: Bytes
  readonly deadlines: Deadlines
}

export interface ProviderDefinition {
  readonly name: string
  readonly models: readonly Card[]
  /** The base URL of each protocol that it speaks, best first. */
  readonly endpoints: { readonly [protocol: string]: string }
  /** The header that holds the key, and what stands before it. */
  readonly auth?: { readonly header: string; readonly prefix?: string } | undefined
  readonly key?: string | undefined
  /** Sent with every call. */
  readonly headers?: Fields | undefined
  readonly transport?: Transport | undefined
}

/** Makes a provider out of data. A mistake in the data throws an error that names the option. */
export function defineProvider(definition: ProviderDefinition): Provider {
  const { name, models, endpoints, auth, key, headers = {}, transport } = definition
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) throw wrong('name', 'must be lower-case letters, digits and dashes')
  const bases = new Map<string, string>()
  for (const [protocol, url] of Object.entries(endpoints))
    bases.set(protocol, checkedBase(`endpoints.${protocol}`, url))
  if (bases.size === 0) throw wrong('endpoints', 'must name at least one protocol')
  if (auth !== undefined && (key === undefined || key === '')) throw wrong('key', `is required by ${name}`)
  const secret: Fields = auth === undefined ? {} : { [auth.header]: `${auth.prefix ?? ''}${key}` }
  return {
    name,
    models,
    protocols: [...bases.keys()],
    call(protocol, target, outbound) {
      const base = bases.get(protocol)
      if (base === undefined) throw new DragomanError('internal', `${name} does not speak ${protocol}.`)
      return {
        // A target's path can hold a model name, so it is appended, never resolved: no request can choose a host.
        url: base + target.path,
        method: 'POST',
        headers: { ...outbound.headers, ...target.headers, ...headers, ...secret, 'content-type': 'application/json' },
        body: outbound.body,
        deadlines: outbound.deadlines,
      }
    },
    transport,
  }
}

function checkedBase(option: string, url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') throw wrong(option, 'must be an http or https URL')
  if (parsed.search !== '' || parsed.hash !== '') throw wrong(option, 'must have no query and no fragment')
  return parsed.href.replace(/\/+$/, '')
}

function wrong(option: string, why: string): DragomanError {
  return new DragomanError('invalid-request', `Provider option "${option}" ${why}.`, { param: option })
}
