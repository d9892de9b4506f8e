import { asDragomanError, DragomanError } from '@dragoman/core'
import { openWork } from './open-work.ts'
import type { BodyFacts } from '../bodies/request-work.ts'
import type { Exchange } from '../call/exchange.ts'
import type { Matched } from '../ports/match.ts'
import { readFilled } from './read-filled.ts'
import { shortName } from '../models/model-errors.ts'
import type { Candidate } from '../routing/candidates.ts'
import { hasChoice, onlyRoutes, orderWanted, wantedRoutes, type Chosen } from './choose-routes.ts'
import type { Survey } from '../bodies/survey.ts'
import { tryRoutes, type Ask } from './try-routes.ts'
import type { Settings } from '../call/settings.ts'
import { runHooks } from '../stages/hooks.ts'
import { whenThere } from '../ports/when-there.ts'
import { askRoute } from './ask-route.ts'
import type { BodyOperation, OperationCall, RoutedOperation } from './operation.ts'
import { servedRoutes, unserved } from './served-routes.ts'

/** Reads the body of a call, here or in another thread, and calls the routes that can serve it. */
export function runOperation(
  settings: Settings,
  exchange: Exchange,
  operation: BodyOperation,
  { match }: Matched,
  bytes: Uint8Array,
): void {
  const { answer, view } = exchange
  // A copy: another thread may take the bytes.
  if (view?.keepsBody === true) view.body = bytes.slice()
  const fail = (thrown: unknown): void => answer.fail(asDragomanError(thrown))
  const work = openWork(settings, exchange, operation, match, bytes)
  exchange.work = work
  const route = (body: BodyFacts): void => {
    if (!answer.over) showBody(operation, { settings, exchange, match, work, body, fail })
  }
  readFilled(settings, exchange, work, route, fail)
}

/** Runs `beforeRoute` of the stages. */
function showBody(operation: BodyOperation, call: OperationCall): void {
  const { settings, exchange, body, fail } = call
  const { view } = exchange
  const { beforeRoute } = settings.hooks
  exchange.meter.peek = body.peek
  if (view !== undefined) {
    view.model = body.peek.model
    view.stream = body.peek.stream
  }
  if (view === undefined || beforeRoute.length === 0) perform(operation, call)
  else runHooks(beforeRoute, view, exchange, () => perform(operation, call), fail)
}

function perform(operation: BodyOperation, call: OperationCall): void {
  if ('answer' in operation) operation.answer(call)
  else if (operation.resolve === undefined) askRoutes(operation, call)
  else
    operation
      .resolve(call)
      .then((body) => {
        if (!call.exchange.answer.over) askRoutes(operation, { ...call, body })
      })
      .catch(call.fail)
}

function askRoutes(operation: RoutedOperation, call: OperationCall): void {
  const { settings, exchange, match, work, body, fail } = call
  const all = wantedRoutes(settings, exchange, match, body)
  const wanted = servedRoutes(operation, all, exchange.protocol, body)
  if (wanted.candidates.routes.length === 0) {
    const [unable] = all.candidates.routes
    if (unable === undefined || operation.answerAlone === undefined) throw unserved(operation.name, body.peek.model)
    return operation.answerAlone(call, unable)
  }
  const ask: Ask = (route, next) => askRoute(operation, call, route, next)
  if (!hasChoice(wanted)) return tryRoutes(operation.name, call, onlyRoutes(wanted), ask)
  const turnOf = (pool: string, routes: readonly Candidate[]): string => settings.routing.rotation.next(pool, routes)
  const proceed = (survey: Survey | undefined): void => {
    if (exchange.answer.over) return
    exchange.meter.opening = survey
    const chosen = orderWanted(settings, exchange, body, wanted, survey, turnOf)
    if (chosen.routes.length === 0) throw unfit(body.peek.model, chosen)
    tryRoutes(operation.name, call, chosen, ask)
  }
  whenThere(work.survey?.(), proceed, fail)
}

/** The routes of an alias are all for other calls. */
function unfit(model: string, { skipped }: Chosen): DragomanError {
  const reasons = skipped.map(({ route, reasons: [reason = ''] }) => `${route.id}: ${reason}`)
  const message = `No route of the model "${shortName(model)}" is for this call. ${reasons.join('. ')}.`
  return new DragomanError('invalid-request', message, { param: 'model' })
}
