import { DragomanError, type Protocol } from '@dragoman/core'
import { admit } from './admit.ts'
import { admitForm } from './bodies/read-form.ts'
import type { BodyLease, BodyMemory } from './body-memory.ts'
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts'
import type { Pending } from './door.ts'
import type { Exchange } from './exchange.ts'
import { faultOf } from './fault.ts'
import { decodeModel, type Matched } from './match.ts'
import type { BodyOperation, Operation } from './operations/operation.ts'
import { runOperation } from './operations/run-operation.ts'
import type { Places } from './places.ts'
import { refusalOf } from './refusal.ts'
import type { Settings } from './settings.ts'

/** Everything that is decided before the body. Undefined: it is answered, or the client is gone. */
export async function enter(
  settings: Settings,
  places: Places,
  memory: BodyMemory,
  exchange: Exchange,
): Promise<Pending | undefined> {
  const { head, protocol, answer, meter } = exchange
  if (settings.cors !== undefined) answer.add(corsHeaders(settings.cors, head))
  if (isPreflight(settings.cors, head)) {
    answer.whole(204, preflightHeaders(head), '')
    return undefined
  }
  const { match, query } = exchange.found
  if (match === undefined) throw settings.paths.unknown(head)
  if (match === 'method') {
    const allow = settings.paths.methods(head)
    answer.fail(new DragomanError('method', `This path takes ${allow} only.`), { allow })
    return undefined
  }
  const matched = { match: decodeModel(match), query }
  exchange.matched = matched
  const operation = operationOf(settings.operations, match.operation, protocol)
  meter.matched(operation)
  const caller = operation.needsKey ? await admit(settings.keys, head, query) : undefined
  if (caller !== undefined) meter.admitted(caller)
  protocol.http.admit(matched.match, head)
  if (operation.body === 'multipart') admitForm(head)
  // A place that is taken for a client who left while its key was looked up would never come free.
  if (answer.over) return undefined
  if (caller !== undefined) {
    places.take(caller.id)
    exchange.caller = caller
  }
  if (operation.body === 'none') {
    operation.run(settings, exchange, matched)
    return undefined
  }
  exchange.deadline = settings.clock.now() + settings.deadlines.total
  exchange.lease = memory.lease()
  return pend(settings, exchange, exchange.lease, operation, matched)
}

function operationOf(operations: readonly Operation[], name: string, protocol: Protocol): Operation {
  const found = operations.find((operation) => operation.name === name)
  if (found !== undefined && protocol[found.codec] !== undefined) return found
  throw new DragomanError('not-found', `The protocol ${protocol.name} does not have the operation "${name}" here.`)
}

/** Runs the operation once its body is there. */
function pend(
  settings: Settings,
  exchange: Exchange,
  lease: BodyLease,
  operation: BodyOperation,
  matched: Matched,
): Pending {
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
  const pending: Pending = {
    takes: operation.body,
    limit: settings.limits.body,
    // What is handed to another thread is there twice: as it came, and as it goes out.
    reserve: (bytes) => lease.reserve(bytes < (settings.offload?.from ?? Number.POSITIVE_INFINITY) ? bytes : bytes * 2),
    onRoom: undefined,
    proceed: (bytes) => once(() => runOperation(settings, exchange, operation, matched, bytes)),
    refuse: (why) => once(() => answer.fail(refusalOf(why, settings.limits.body))),
  }
  const onRoom = (): void => pending.onRoom?.()
  lease.onRoom = onRoom
  return pending
}
