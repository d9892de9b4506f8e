import { DragomanError, type Head } from '@dragoman/core'
import type { Fields } from '@dragoman/core/provider'
import type { BodyFacts } from './bodies/request-work.ts'
import { fillSettings } from './fill-settings.ts'
import { decodeModel } from './ports/match.ts'
import { readFilled } from './pipeline/read-filled.ts'
import { explainedCall } from './operations/explain.ts'
import type { Caller } from './ports/ports.ts'
import type { GatewayOptions } from './call/settings.ts'
import { explainRoutes } from './explain/explain-routes.ts'
import type { Explanation } from './explain/explanation.ts'

/** A call of a client, as a gateway would get it. */
export interface CallToExplain {
  /** With its query: `/api/v1/chat/completions`. */
  readonly path: string
  /** Names in lower case. No key is needed. */
  readonly headers?: Fields | undefined
  /** JSON, as bytes or as text. */
  readonly body: Uint8Array | string
  /** Whose call it is: its models and its routing count. Absent: all models are allowed. */
  readonly caller?: Caller | undefined
}

/**
 * Explains what a gateway with these options would do with a call. No upstream is called. With the `memory` of a running gateway, the order is
 * the one that this gateway would take now. Throws a `DragomanError` if the call itself would fail before any upstream is called.
 */
export async function explainCall(options: GatewayOptions, call: CallToExplain): Promise<Explanation> {
  const settings = fillSettings(options)
  const { headers = {}, caller } = call
  const [path = '', query = ''] = call.path.split(/\?(.*)/s)
  const head: Head = { method: 'POST', path, query, header: (name) => headers[name] }
  const { protocol, match: found } = settings.paths.find(head)
  if (found === undefined) throw settings.paths.unknown(head)
  if (found === 'method') throw new DragomanError('method', `This path takes ${settings.paths.methods(head)} only.`)
  const operation = explainedCall(found)
  const match = decodeModel(found)
  protocol.http.admit(match, head)
  const bytes = typeof call.body === 'string' ? new TextEncoder().encode(call.body) : call.body
  const { unsupportedFields, limits, ids, clock } = settings
  const work = operation.createWork(
    protocol,
    match,
    { bytes },
    {
      unsupportedFields,
      counts: limits.counts,
      part: limits.part,
      ids,
      clock,
      downloads: settings.downloads !== undefined,
    },
  )
  const body = await new Promise<BodyFacts>((resolve, reject) =>
    readFilled(settings, { caller }, work, resolve, reject),
  )
  return explainRoutes(settings, { head, protocol, caller }, match, work, body, operation)
}
