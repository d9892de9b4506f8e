import { asDragomanError, DragomanError, isObject, type Head, type Protocol } from '@dragoman/core'
import { admit } from './admit.ts'
import { leaveOut, readBody, readJson, refuseMembers } from './body.ts'
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts'
import type { Gateway, Pending, Refusal, Reply } from './door.ts'
import { findBase, matchUnder, type Matched } from './match.ts'
import { createMeter, type Meter } from './meter.ts'
import { plan } from './plan.ts'
import { createAnswer, wayHeaders, type Answer } from './reply.ts'
import type { Route } from './resolve.ts'
import { fillSettings, type GatewayOptions, type Settings } from './settings.ts'
import { countHere, countUpstream, ESTIMATED } from './ways/count.ts'
import { dispatch, type Running } from './ways/dispatch.ts'
import { describeModels } from './ways/models.ts'
import { createAsking } from './ways/outbound.ts'
import { relay } from './ways/relay.ts'
import { refuseLosses, translate } from './ways/translate.ts'

/** One call on its way through the steps. */
interface Exchange {
  readonly head: Head
  readonly protocol: Protocol
  readonly meter: Meter
  readonly answer: Answer
  matched?: Matched
  running?: Running
}

/** Puts the steps together: match, admit, then the body, resolve, plan, and one of the ways. */
export function createGateway(options: GatewayOptions): Gateway {
  const settings = fillSettings(options)
  const exchanges = new Set<Exchange>()
  let closing: Promise<void> | undefined
  let onIdle: (() => void) | undefined

  const begin = (head: Head, reply: Reply): Exchange => {
    const { clock, log, ledger } = settings
    const protocol = findBase(settings.protocols, head.path) ?? settings.fallback
    const requestId = `req_${settings.ids()}`
    const { method, path } = head
    const meter = createMeter({ clock, log, ledger, requestId, method, path, protocol: protocol.name })
    const answer = createAnswer(protocol, meter, reply, () => exchange.matched?.match.framing)
    const exchange: Exchange = { head, protocol, meter, answer }
    exchanges.add(exchange)
    const onOver = (): void => {
      exchanges.delete(exchange)
      if (exchanges.size === 0) onIdle?.()
    }
    answer.onOver = onOver
    return exchange
  }
  return {
    async open(head, reply) {
      const exchange = begin(head, reply)
      try {
        if (closing !== undefined) throw new DragomanError('unavailable', 'The gateway is shutting down.')
        return await enter(settings, exchange)
      } catch (thrown) {
        exchange.answer.fail(asDragomanError(thrown))
        return undefined
      }
    },
    close(graceMs) {
      closing ??= new Promise((resolve) => {
        onIdle = resolve
        if (exchanges.size === 0) return resolve()
        const error = new DragomanError('unavailable', 'The gateway is shutting down.')
        const callOff = settings.clock.after(graceMs, () => {
          for (const { running, answer } of exchanges) {
            if (running === undefined) answer.fail(error)
            else running.stop(error)
          }
        })
        onIdle = () => {
          callOff()
          resolve()
        }
      })
      return closing
    },
  }
}

/** Everything that is decided before the body. */
async function enter(settings: Settings, exchange: Exchange): Promise<Pending | undefined> {
  const { head, protocol, answer, meter } = exchange
  answer.add(corsHeaders(settings.cors, head))
  if (isPreflight(settings.cors, head)) {
    answer.whole(204, preflightHeaders(head), '')
    return undefined
  }
  const matched = findBase(settings.protocols, head.path) === undefined ? undefined : matchUnder(protocol, head)
  if (matched === undefined) throw new DragomanError('not-found', 'There is nothing at this path.')
  if ('allow' in matched) {
    const allow = matched.allow.join(', ')
    answer.fail(new DragomanError('method', `This path takes ${allow} only.`), { allow })
    return undefined
  }
  exchange.matched = matched
  const { operation } = matched.match
  if (operation === 'models' || operation === 'model') {
    protocol.http.admit(matched.match, head)
    answer.json(200, describeModels(settings.models, protocol, matched))
    return undefined
  }
  meter.admitted(await admit(settings.keys, head, matched.query))
  protocol.http.admit(matched.match, head)
  return pend(settings, exchange, matched, operation === 'count' ? count : generate)
}

/** What is done with the body once it is there. */
type Step = (settings: Settings, exchange: Exchange, matched: Matched, bytes: Uint8Array) => void

function pend(settings: Settings, exchange: Exchange, matched: Matched, step: Step): Pending {
  const { answer } = exchange
  let taken = false
  const once = (run: () => void): void => {
    if (taken || answer.over) return
    taken = true
    try {
      run()
    } catch (thrown) {
      answer.fail(faultOf(thrown))
    }
  }
  return {
    takes: 'json',
    limit: settings.limits.body,
    proceed: (bytes) => once(() => step(settings, exchange, matched, bytes)),
    refuse: (why) => once(() => answer.fail(refusalOf(why, settings.limits.body))),
  }
}

/** From the body to the call. */
function generate(settings: Settings, exchange: Exchange, { match }: Matched, bytes: Uint8Array): void {
  const { head, protocol, meter, answer } = exchange
  const checked = readBody(protocol, bytes)
  if (settings.unsupportedFields === 'refuse') refuseMembers(protocol, checked)
  const { body, members: ignored, losses: unsupported } = leaveOut(protocol, checked)
  const { model, stream } = protocol.relay.peek(body, match)
  const route = bestOf(settings.models.routes(model, protocol))
  const chosen = plan(protocol, match, body, route)
  meter.planned(route, chosen, stream)

  const asking = createAsking(settings, head, protocol, route, stream)
  const translating = chosen.way === 'translate' ? translate(settings, protocol, match, body, route, asking) : undefined
  const losses = [...unsupported, ...(translating?.losses ?? [])]
  meter.lost(losses)
  answer.add(wayHeaders(route, chosen, losses))
  if (head.header('x-dragoman-strict')?.toLowerCase() === 'true') refuseLosses(losses)
  exchange.running = dispatch({
    settings,
    meter,
    answer,
    transport: route.provider.transport ?? settings.transport,
    redact: (text) => route.provider.redact?.(text) ?? text,
    way: translating ?? relay(settings, protocol, { bytes, json: body, ignored }, route, asking),
    stream,
    keepAlive: protocol.stream.keepAlive(match.framing),
  })
}

/** The upstream's own count where it has one, an estimate that says so elsewhere. */
function count(settings: Settings, exchange: Exchange, { match }: Matched, bytes: Uint8Array): void {
  const { head, protocol, meter, answer } = exchange
  const json = readJson(bytes)
  if (protocol.count === undefined) throw new DragomanError('not-found', 'This protocol does not count tokens.')
  if (!isObject(json)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
  const estimate = countHere(protocol, protocol.count, json, match)
  const route = bestOf(settings.models.routes(protocol.relay.peek(json, match).model, protocol))
  meter.planned(route, { way: 'relay' }, false)
  answer.add(wayHeaders(route, { way: 'relay' }, []))
  const asking = createAsking(settings, head, protocol, route, false)
  const way = countUpstream(protocol, protocol.count, { bytes, json }, route, asking)
  if (way === undefined) {
    answer.add(ESTIMATED)
    return answer.json(200, estimate)
  }
  const transport = route.provider.transport ?? settings.transport
  const redact = (text: string): string => route.provider.redact?.(text) ?? text
  exchange.running = dispatch({ settings, meter, answer, transport, redact, way, stream: false, keepAlive: '' })
}

function bestOf(routes: readonly Route[]): Route {
  const [best] = routes
  if (best === undefined) throw new DragomanError('internal', 'A model has no route.')
  return best
}

/** Only nesting exhausts the stack of a step that works through a request. */
function faultOf(thrown: unknown): DragomanError {
  if (!(thrown instanceof RangeError)) return asDragomanError(thrown)
  return new DragomanError('invalid-request', 'The body is nested too deeply.', { cause: thrown })
}

function refusalOf(why: Refusal, limit: number): DragomanError {
  switch (why) {
    case 'too-large':
      return new DragomanError('too-large', `The body is larger than ${limit} bytes.`)
    case 'malformed':
      return new DragomanError('invalid-request', 'The body could not be read.')
    case 'timeout':
      return new DragomanError('timeout', 'The body did not arrive in time.')
    case 'encoding':
      return new DragomanError('media-type', 'The content-encoding of the body is not supported.')
    default:
      return why satisfies never
  }
}
