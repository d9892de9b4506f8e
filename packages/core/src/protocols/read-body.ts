import { DragomanError, asDragomanError } from '../ir/error.ts'
import { isObject, type JsonObject, type Json } from '../lib/json.ts'
import type { Reader } from '../lib/grammar/reader.ts'

/**
 * Validates a body by a protocol's grammar; the error names the JSON path. A member that is null is one that was not given: what comes
 * back does not have it, unless its grammar takes null for a value.
 */
export function checkBody(reader: Reader, body: unknown): JsonObject {
  if (!isObject(body)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
  return refuseDepth(() => {
    // Most bodies have no null: only an invalid one is searched for it.
    if (reader.fits(body)) return body
    const given = reader.withoutNulls(body)
    const problem = reader.findProblem(given)
    if (problem === undefined) return given as JsonObject // without some members, it is still one
    throw new DragomanError('invalid-request', `${problem.path}: ${problem.message}`, { param: problem.path })
  })
}

/**
 * Runs the processing of a request body. Data of callers, such as the arguments of a call, may be nested deeper than any recursive
 * function can go: that is an error of the caller. Every other error is thrown as it is.
 */
export function refuseDepth<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!isStackOverflow(error)) throw error
    throw new DragomanError('invalid-request', 'The body is nested too deeply.', { cause: error })
  }
}

/** V8 and JavaScriptCore throw a RangeError, which has other reasons too; SpiderMonkey says "too much recursion". */
function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|recursion/.test(error.message)
}

/** Reads an upstream's answer. Whatever its shape, the worst result is one clear error. */
export function readAnswer<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw asUpstreamError(error)
  }
}

/** Any error while reading a response, as an error of the upstream. */
export function asUpstreamError(error: unknown): DragomanError {
  return DragomanError.isInstance(error) ? error : notAnAnswer(error)
}

/** For a body without the members that every response of its protocol has: it belongs to another protocol, or is not a response. */
export function notAnAnswer(cause?: unknown): DragomanError {
  return new DragomanError('upstream', 'The upstream sent an answer that does not match its protocol.', { cause })
}

/**
 * Reads a request that may not have been checked. If it cannot be read, it is checked now, and that error names the JSON path. A
 * failure in spite of a valid check is an internal error.
 */
export function readRequest<T>(body: unknown, check: (body: unknown) => unknown, read: () => T): T {
  try {
    return refuseDepth(read)
  } catch (error) {
    if (!DragomanError.isInstance(error)) check(body)
    throw asDragomanError(error)
  }
}

/** Limits of a request. A large request within these limits takes a fraction of a second. */
export interface CountLimits {
  /** Messages of the conversation. */
  readonly messages: number
  /** Parts of all messages: contents, calls and results, and nested ones. */
  readonly parts: number
  readonly tools: number
  /** Members of all objects. */
  readonly members: number
  /** Members of one object: one with very many is much slower than several with few. */
  readonly membersOfOne: number
}

/** More than any real client sends. Anthropic accepts as many messages; OpenAI and Google accept fewer of everything. */
export const COUNT_LIMITS: CountLimits = {
  messages: 100_000,
  parts: 200_000,
  tools: 10_000,
  members: 1_000_000,
  membersOfOne: 20_000,
}

/** The fewest characters of JSON for an element of a list and for a member of an object. */
const ELEMENT = 2
const MEMBER = 5

/**
 * Throws if a body exceeds a limit. `history` is the member with the conversation, `size` the
 * characters or bytes of the body: a small body is not counted if it cannot exceed a limit.
 */
export function checkCounts(body: unknown, history: string, size: number, limits: CountLimits = COUNT_LIMITS): void {
  if (!isObject(body) || size < ELEMENT * Math.min(limits.messages, limits.tools)) return
  const messages = listIn(body[history])
  if (messages.length > limits.messages) refuse(history, limits.messages, 'messages')
  if (countTools(listIn(body['tools'])) > limits.tools) refuse('tools', limits.tools, 'tools')
  const { parts, members, membersOfOne } = limits
  if (size < Math.min(ELEMENT * parts, MEMBER * Math.min(members, membersOfOne))) return
  const counter = createCounter(limits)
  for (const [index, message] of messages.entries()) counter.count(message, `${history}.${index}`, 'message')
  const others = messages.length === 0 ? body : { ...body, [history]: null }
  counter.count(others, '', 'other')
}

/** Tools, also those that one object declares together. */
function countTools(tools: readonly Json[]): number {
  let count = 0
  for (const tool of tools) {
    let declared = 0
    for (const member in isObject(tool) ? tool : {}) declared += listIn((tool as JsonObject)[member]).length // just seen
    count += Math.max(1, declared)
  }
  return count
}

function createCounter(limits: CountLimits) {
  let parts = 0
  let members = 0
  /** Without recursion: deep nesting is refused by other code. */
  const count = (root: Json, path: string, kind: 'message' | 'other') => {
    const rest: Json[] = [root]
    for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
      if (Array.isArray(node)) {
        for (const item of node as readonly Json[]) {
          if (typeof item !== 'object' || item === null) continue
          rest.push(item)
          if (kind === 'message') parts++
        }
      } else if (isObject(node)) {
        let own = 0
        for (const key in node) {
          const value = node[key]
          own++
          if (typeof value === 'object' && value !== null) rest.push(value)
        }
        if (own > limits.membersOfOne) refuse(path, limits.membersOfOne, 'members in one object')
        members += own
      }
      if (parts > limits.parts) refuse(path, limits.parts, 'parts in all messages')
      if (members > limits.members) refuse(path, limits.members, 'members in all objects')
    }
  }
  return { count }
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [] // Array.isArray loses the type
}

function refuse(path: string, limit: number, what: string): never {
  const prefix = path === '' ? '' : `${path}: `
  const facts = path === '' ? {} : { param: path }
  throw new DragomanError('invalid-request', `${prefix}at most ${limit} ${what} are accepted.`, facts)
}
