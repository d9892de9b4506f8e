import { asDragomanError, DragomanError, type Head, type Protocol } from '@dragoman/core'
import { admit, recognize } from './callers/admit.ts'
import { addHeaders } from './call/answer-head.ts'
import { admitForm, isForm } from './bodies/read-form.ts'
import type { BodyLease, BodyMemory } from './ports/body-memory.ts'
import { corsHeaders, isPreflight, preflightHeaders } from './ports/cors.ts'
import type { Pending } from './call/door.ts'
import type { Exchange } from './call/exchange.ts'
import type { Composition } from './fill-settings.ts'
import { decodeModel, type Matched } from './ports/match.ts'
import type { BodyOperation, Operation } from './pipeline/operation.ts'
import { explain, explainedCall } from './operations/explain.ts'
import { runOperation } from './pipeline/run-operation.ts'
import type { Caller } from './ports/ports.ts'
import { refusalOf } from './refusal.ts'
import type { Settings } from './call/settings.ts'
import { createCallView } from './stages/call-view.ts'
import { createAround, passAdmission } from './stages/hooks.ts'
import { chain, type Awaitable } from './ports/when-there.ts'

/**
 * All steps before the body is read. Returns undefined if the call is answered or the client is gone, and a promise only if a key has to be
 * looked up or a stage waits.
 */
export function enter(settings: Composition, memory: BodyMemory, exchange: Exchange): Awaitable<Pending | undefined> {
  const { head, protocol, answer, meter } = exchange
  if (settings.cors !== undefined) addHeaders(answer.front, corsHeaders(settings.cors, head))
  if (isPreflight(settings.cors, head)) {
    answer.whole(204, preflightHeaders(head), '')
    return undefined
  }
  if (isWebsocket(head)) {
    answer.fail(new DragomanError('upgrade', NO_WEBSOCKETS), UPGRADE_HEADERS)
    return undefined
  }
  const { match, query, isExplained } = exchange.found
  if (match === undefined) throw settings.paths.unknown(head)
  if (match === 'method') {
    const allow = settings.paths.methods(head)
    answer.fail(new DragomanError('method', `This path takes ${allow} only.`), { allow })
    return undefined
  }
  const matched = { match: decodeModel(match), query }
  exchange.matched = matched
  if (isExplained) explainedCall(match)
  const operation = operationOf(settings.operations, isExplained ? explain.name : match.operation, protocol)
  meter.matched(operation)
  return chain(callerOf(settings, operation, exchange), (caller) =>
    enterCaller(settings, memory, exchange, operation, matched, caller),
  )
}

/** The caller is known: checks what its head says about the body, and runs `afterAdmission` of the stages. */
function enterCaller(
  settings: Composition,
  memory: BodyMemory,
  exchange: Exchange,
  operation: Operation,
  matched: Matched,
  caller: Caller | undefined,
): Awaitable<Pending | undefined> {
  const { head, protocol, answer, meter } = exchange
  if (caller !== undefined) meter.admitted(caller)
  protocol.http.admit(matched.match, head)
  if (operation.body === 'multipart') admitForm(head)
  // If the client left while its key was looked up, the stages must not see the call: they would not be notified of its end.
  if (answer.over) return undefined
  exchange.caller = caller
  exchange.deadline = settings.clock.now() + settings.deadlines.total
  const view = createCallView(exchange, operation.name, settings.clock)
  exchange.view = view
  answer.front.around = createAround(settings.hooks, exchange, view, settings.report)
  return chain(passAdmission(settings.hooks, exchange, view), () =>
    beginBody(settings, memory, exchange, operation, matched),
  )
}

function beginBody(
  settings: Composition,
  memory: BodyMemory,
  exchange: Exchange,
  operation: Operation,
  matched: Matched,
): Pending | undefined {
  if (exchange.answer.over) return undefined
  if (operation.body === 'none') {
    operation.run(settings, exchange, matched)
    return undefined
  }
  exchange.lease = memory.lease()
  exchange.awaitsBody = true
  return pend(settings, exchange, exchange.lease, operation, matched)
}

/** Clients that try a websocket first, such as codex, turn to HTTP at once after a 426. Other upgrades may be ignored: h2c is one. */
function isWebsocket(head: Head): boolean {
  return head.header('upgrade')?.trim().toLowerCase() === 'websocket'
}

const NO_WEBSOCKETS = 'There are no websockets here: send the request by HTTP, and set stream for events.'
/** RFC 9110 requires that a 426 names the protocol to use, and that `Connection` lists the header. */
const UPGRADE_HEADERS = { upgrade: 'HTTP/1.1', connection: 'upgrade' }

function callerOf(
  { keys, modelLists }: Settings,
  { needsKey }: Operation,
  { head, found: { query } }: Exchange,
): Awaitable<Caller | undefined> {
  if (needsKey === true || (needsKey === 'if private' && modelLists === 'private')) return admit(keys, head, query)
  return needsKey === false ? undefined : recognize(keys, head, query)
}

function operationOf(operations: readonly Operation[], name: string, protocol: Protocol): Operation {
  const found = operations.find((operation) => operation.name === name)
  if (found !== undefined && found.codec in protocol) return found
  throw new DragomanError('not-found', `The protocol ${protocol.name} does not have the operation "${name}" here.`)
}

/** Waits for the body, then runs the operation. */
function pend(
  settings: Settings,
  exchange: Exchange,
  lease: BodyLease,
  operation: BodyOperation,
  matched: Matched,
): Pending {
  const { answer } = exchange
  const inline = settings.offload?.from ?? Number.POSITIVE_INFINITY
  let taken = false
  const once = (run: () => void): void => {
    if (taken || answer.over) return
    taken = true
    exchange.awaitsBody = false
    try {
      run()
    } catch (thrown) {
      answer.fail(asDragomanError(thrown))
    }
  }
  const pending: Pending = {
    takes: operation.body === 'json or multipart' ? (isForm(exchange.head) ? 'multipart' : 'json') : operation.body,
    limit: settings.limits.body,
    // A body that another thread processes is in memory twice: as received and as sent.
    reserve: (bytes) => answer.over || lease.reserve(bytes < inline ? bytes : bytes * 2),
    onRoom: undefined,
    proceed: (bytes) => once(() => runOperation(settings, exchange, operation, matched, bytes)),
    refuse: (why) => once(() => answer.fail(refusalOf(why, settings.limits.body))),
  }
  const onRoom = (): void => {
    // Runs when another call releases its memory, which must not notice a failure of this one.
    try {
      pending.onRoom?.()
    } catch (thrown) {
      once(() => answer.fail(asDragomanError(thrown)))
    }
  }
  lease.onRoom = onRoom
  return pending
}
