import { DragomanError, type JsonObject } from '@dragoman/core'
import {
  ownApi,
  sendWhole,
  type Call,
  type Deadlines,
  type Fields,
  type Multipart,
  type Outbound,
  type Transport,
  type Upstream,
  type WholeAnswer,
} from '@dragoman/core/provider'
import { resendStale } from '../modes/resend-stale.ts'
import type { Route } from '../models/route.ts'
import { upstreamName } from '../models/route-facts.ts'
import type { Settings } from '../call/settings.ts'

export interface UpstreamOptions {
  readonly settings: Settings
  readonly route: Route
  readonly deadlines: Deadlines
  readonly signal: AbortSignal
  /** Headers of stages. */
  readonly headers?: Fields | undefined
  /** Used instead of the provider's transport. */
  readonly transport?: Transport | undefined
}

/** An upstream for drivers. `key` is that of its first call, which all later ones use too. */
export interface KeyedUpstream extends Upstream {
  key(): number | undefined
  /** The URL of a path that is called with GET. */
  urlOf(path: string): string
}

export function createUpstream({
  settings,
  route,
  deadlines,
  signal,
  headers,
  transport: given,
}: UpstreamOptions): KeyedUpstream {
  const { provider } = route
  const transport = resendStale(given ?? provider.transport ?? settings.transport, settings.report)
  const protocol = provider.protocols.includes(ownApi.name) ? ownApi.name : route.protocol.name
  let { key } = route
  const outbound = (): Omit<Outbound, 'body'> => ({
    headers: { accept: 'application/json', 'user-agent': 'dragoman', ...headers },
    deadlines,
    key,
  })
  const send = (call: Call): Promise<WholeAnswer> => {
    key ??= call.key
    return sendWhole(transport, call, { limit: settings.limits.answer, signal })
  }
  return {
    model: upstreamName(route),
    key: () => key,
    urlOf: (path) =>
      provider.call(protocol, { path, headers: {}, method: 'GET' }, { ...outbound(), body: undefined }).url,
    async send(target, body) {
      return send(provider.call(protocol, target, { ...outbound(), body: textOf(body) }))
    },
    cancel(target) {
      const call = provider.call(protocol, target, { ...outbound(), body: undefined })
      // Its answer is ignored: the task is given up either way.
      sendWhole(transport, call).catch(() => undefined)
    },
    async visit(url, method) {
      if (provider.visit === undefined)
        throw new DragomanError('internal', `${provider.name} cannot call addresses that its upstream names.`)
      return send(provider.visit(url, outbound(), method))
    },
    async download(url) {
      const { downloads, limits } = settings
      if (downloads === undefined)
        throw new DragomanError('upstream', 'The upstream answers with URLs, and this gateway downloads nothing.')
      return downloads.fetch(url, { signal, limit: limits.answer })
    },
    clock: settings.clock,
    signal,
  }
}

function textOf(body: JsonObject | Multipart | undefined): string | Multipart | undefined {
  if (body === undefined || isMultipart(body)) return body
  return JSON.stringify(body)
}

function isMultipart(body: JsonObject | Multipart): body is Multipart {
  const { bytes } = body
  return bytes instanceof Uint8Array || (Array.isArray(bytes) && bytes[0] instanceof Uint8Array)
}
