import { DragomanError } from '../ir/error.ts'
import { isObject, type Json, type JsonObject } from '../lib/json.ts'

/** How many of what a request may have. What is large but within these is work of a fraction of a second. */
export interface CountLimits {
  /** Of the conversation. */
  readonly messages: number
  /** Of all messages together: contents, calls and results, and what stands inside of them. */
  readonly parts: number
  readonly tools: number
  /** Of all objects together. */
  readonly members: number
  /** Of one object: one with very many is many times slower than several with few. */
  readonly membersOfOne: number
}

/** More than any real client sends. Anthropic takes as many messages; OpenAI and Google take fewer of everything. */
export const COUNT_LIMITS: CountLimits = {
  messages: 100_000,
  parts: 200_000,
  tools: 10_000,
  members: 1_000_000,
  membersOfOne: 20_000,
}

/** The fewest characters of JSON that an element of a list and a member of an object take. */
const ELEMENT = 2
const MEMBER = 5

/**
 * Throws for a body with more of something than the limits allow. `history` is the member that holds the conversation, `size` the
 * characters or bytes of the body: what cannot be too many in so few is not counted.
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

/** Tools, and those that one object of a list declares together. */
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
  /** Without recursion: what is nested deeply is for others to refuse. */
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
  return Array.isArray(value) ? (value as readonly Json[]) : [] // Array.isArray forgets the type
}

function refuse(path: string, limit: number, what: string): never {
  const place = path === '' ? '' : `${path}: `
  const facts = path === '' ? {} : { param: path }
  throw new DragomanError('invalid-request', `${place}at most ${limit} ${what} are accepted.`, facts)
}
