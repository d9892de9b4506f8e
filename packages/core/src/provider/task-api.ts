import { DragomanError } from '../ir/error.ts'
import type { Losses } from '../ir/loss.ts'
import { isObject, parseJson, type JsonObject } from '../lib/json.ts'
import { readPath, valueAt } from '../lib/json-path.ts'
import type { Upstream } from './media.ts'
import { ownApi } from './own-api.ts'
import type { WholeAnswer } from './whole-answer.ts'

/** An API of tasks, mostly as data: a submission answers with an id, and polls with a state. Paths into answers are `data.task_id`. */
export interface TaskApi<Request> {
  /** The submission of a request that fits the card. What the API cannot express is reported. */
  readonly submit: (request: Request, context: TaskContext) => Submission | Promise<Submission>
  /** Where the answer to a submission has the id of the task. */
  readonly id: string
  /** The path that a task is polled at, by its id and the path of its submission. */
  readonly poll: (id: string, submitted: string) => string
  /** The path that a task is cancelled at, with DELETE; absent if tasks cannot be cancelled. */
  readonly cancel?: (id: string, submitted: string) => string
  /** Where answers have the state of the task, or how it is read. A missing or unknown word means that it is running. */
  readonly state: string | ((body: JsonObject) => string | undefined)
  readonly states: { readonly [word: string]: 'running' | 'done' | 'failed' | 'blocked' }
  /** Where a task that failed or was blocked has the reason; several paths are tried in order. */
  readonly reason: readonly string[]
  /** Errors and reasons of failed tasks that mean that moderation has blocked the request. */
  readonly blocking?: RegExp
  /** The error in an answer with status 200, if it is one. */
  readonly error?: (body: JsonObject) => DragomanError | undefined
}

/** The context of a submission. */
export interface TaskContext extends Pick<Upstream, 'model' | 'download'> {
  readonly losses: Losses
}

/** The call that starts a task. */
export interface Submission {
  readonly path: string
  readonly body: JsonObject
}

/** What an answer says about a task. */
export type TaskState =
  | { readonly state: 'running' | 'done'; readonly body: JsonObject }
  | { readonly state: 'blocked'; readonly reason: string }
  | { readonly state: 'failed'; readonly error: DragomanError }

type Reading = Pick<TaskApi<never>, 'state' | 'states' | 'reason' | 'blocking' | 'error'>

/** Reads the answer to a submission or a poll. Throws the error of the upstream. */
export function readTask(api: Reading, answer: WholeAnswer): TaskState {
  const body = readBody(api, answer)
  if (DragomanError.isInstance(body)) {
    if (isBlocking(api, body)) return { state: 'blocked', reason: body.message }
    throw body
  }
  const word = typeof api.state === 'string' ? valueAt(body, readPath(api.state)) : api.state(body)
  const state = typeof word === 'string' && Object.hasOwn(api.states, word) ? api.states[word] : undefined
  if (state !== 'failed' && state !== 'blocked') return { state: state ?? 'running', body }
  const reason = api.reason
    .map((path) => valueAt(body, readPath(path)))
    .find((each) => typeof each === 'string' && each !== '')
  const message = typeof reason === 'string' ? reason : 'The upstream gives no reason.'
  const error = new DragomanError('upstream-error', message)
  return state === 'blocked' || isBlocking(api, error) ? { state: 'blocked', reason: message } : { state, error }
}

/** The object of an answer, or the error that it is. */
export function readBody({ error }: Pick<Reading, 'error'>, answer: WholeAnswer): JsonObject | DragomanError {
  const { status } = answer
  const text = answer.text()
  if (status >= 400) return withDelay(ownApi.error.decode(status, text), answer)
  const body = parseJson(text)
  if (!isObject(body)) return new DragomanError('upstream', 'The answer of the upstream is not a JSON object.')
  return error?.(body) ?? body
}

function isBlocking({ blocking }: Reading, { message, code = '' }: DragomanError): boolean {
  return blocking !== undefined && (blocking.test(message) || blocking.test(code))
}

function withDelay(error: DragomanError, { header }: WholeAnswer): DragomanError {
  const seconds = Number(header('retry-after'))
  if (!(seconds > 0)) return error
  const { kind, message, code } = error
  return new DragomanError(kind, message, { code, retryAfter: seconds })
}
