import type { ModelRequest } from '@dragoman/core'
import type { Fields, Clock } from '@dragoman/core/provider'
import { addHeaders } from '../call/answer-head.ts'
import type { Exchange } from '../call/exchange.ts'
import { estimateCall } from '../routing/estimate.ts'
import type { CallView, StageRoute } from '../call/stage.ts'

/** Headers that carry credentials. */
const SECRET = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'x-goog-api-key'])
const NO_ROUTE: StageRoute = { provider: '', model: '', upstreamModel: '', protocol: '', mode: 'relay' }
const NO_HEADERS: Fields = {}

export function createCallView(exchange: Exchange, operation: string, clock: Pick<Clock, 'now'>): CallView {
  const { head, protocol, meter, answer, caller } = exchange
  let request: Promise<ModelRequest | undefined> | undefined
  const view: CallView = {
    requestId: meter.requestId,
    startedAt: meter.startedAt,
    method: head.method,
    path: head.path,
    protocol: protocol.name,
    operation,
    caller,
    model: '',
    stream: false,
    route: NO_ROUTE,
    keepsBody: false,
    body: undefined,
    keepBody() {
      view.keepsBody = true
    },
    upstreamHeaders: NO_HEADERS,
    header(name) {
      const lower = name.toLowerCase()
      return SECRET.has(lower) ? undefined : head.header(lower)
    },
    addHeaders: (headers) => addHeaders(answer.front, lowerCase(headers)),
    addRateLimits(limits) {
      const headers = protocol.http.rateLimits?.(limits, clock.now())
      if (headers !== undefined) addHeaders(answer.front, headers)
    },
    request: () => (request ??= decode(exchange)),
    requirePrice() {
      meter.needsPrice = true
    },
    conversation: () => meter.conversation(),
    estimate: () => estimateCall(meter),
    addUpstreamHeaders(headers) {
      view.upstreamHeaders = { ...view.upstreamHeaders, ...lowerCase(headers) }
    },
  }
  return view
}

async function decode({ work }: Exchange): Promise<ModelRequest | undefined> {
  return work?.decode?.()
}

/** Header names are compared without case, but object keys are not. */
function lowerCase(headers: Fields): Fields {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
