import { asDragomanError, DragomanError, type Protocol } from '@dragoman/core'
import { openWork } from '../bodies/open-work.ts'
import type { BodyFacts, RequestWork } from '../bodies/request-work.ts'
import type { Exchange } from '../exchange.ts'
import type { Matched } from '../match.ts'
import { allowedRoutes, type Route } from '../resolve.ts'
import type { Settings } from '../settings.ts'
import { runHooks } from '../stages/hooks.ts'
import { whenThere } from '../when-there.ts'
import type { BodyOperation, OperationCall } from './operation.ts'

/** Reads the body of a call, here or in another thread, and calls the routes that can serve it. */
export function runOperation(
  settings: Settings,
  exchange: Exchange,
  operation: BodyOperation,
  { match }: Matched,
  bytes: Uint8Array,
): void {
  const { answer } = exchange
  const fail = (thrown: unknown): void => answer.fail(asDragomanError(thrown))
  const read = (work: RequestWork): void => {
    if (answer.over) return work.close()
    exchange.work = work
    const route = (body: BodyFacts): void => {
      if (answer.over) return
      showBody(operation, { settings, exchange, match, work, body, fail })
    }
    whenThere(work.read(), route, fail)
  }
  whenThere(openWork(settings, exchange, operation, match, bytes), read, fail)
}

/** Runs `beforeRoute` of the stages. */
function showBody(operation: BodyOperation, call: OperationCall): void {
  const { settings, exchange, body, fail } = call
  const { view } = exchange
  const { beforeRoute } = settings.hooks
  if (view !== undefined) {
    view.model = body.peek.model
    view.stream = body.peek.stream
  }
  if (view === undefined || beforeRoute.length === 0) askRoutes(operation, call)
  else runHooks(beforeRoute, view, exchange, () => askRoutes(operation, call), fail)
}

function askRoutes(operation: BodyOperation, call: OperationCall): void {
  const { settings, exchange, match, body } = call
  const { protocol, caller } = exchange
  const { model, providers, fallback } = body.peek
  const routes = allowedRoutes(settings.models, caller, { model, bare: match.bare, providers, fallback }, protocol)
  const able = routesOf(operation, routes, protocol)
  const [best] = routes
  if (able.length > 0) walk(able, 0, operation, call)
  else if (best !== undefined && operation.answerAlone !== undefined) operation.answerAlone(call, best)
  else throw unserved(operation.name, model)
}

function routesOf(operation: BodyOperation, routes: readonly Route[], inbound: Protocol): readonly Route[] {
  return operation.serves === undefined ? routes : routes.filter((route) => operation.serves?.(route, inbound))
}

/** Calls the routes in order until an upstream can be reached. Returns false if no route is left. */
function walk(routes: readonly Route[], index: number, operation: BodyOperation, call: OperationCall): boolean {
  const route = routes[index]
  if (route === undefined) return false
  operation.ask(call, route, () => walk(routes, index + 1, operation, call))
  return true
}

function unserved(operation: string, model: string): DragomanError {
  return new DragomanError('unsupported', `No provider of the model "${model}" has the operation "${operation}".`, {
    param: 'model',
  })
}
