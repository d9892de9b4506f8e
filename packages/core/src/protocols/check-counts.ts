import { DragomanError } from '../ir/error.ts'
import { isObject, type Json, type JsonObject } from '../lib/json.ts'

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
