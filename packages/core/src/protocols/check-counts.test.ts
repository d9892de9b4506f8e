import { describe, expect, it } from 'vitest'
import { DragomanError } from '../ir/error.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import { checkCounts, COUNT_LIMITS } from './check-counts.ts'
import { protocols } from './index.ts'

const LIMITS = { messages: 3, parts: 6, tools: 4, members: 40, membersOfOne: 8 }

function refusal(body: Json, history = 'messages'): string {
  try {
    checkCounts(body, history, JSON.stringify(body).length, LIMITS)
  } catch (thrown) {
    if (thrown instanceof DragomanError) return `${thrown.kind} at ${thrown.param}: ${thrown.message}`
    throw thrown
  }
  return ''
}

const list = <T>(length: number, item: T): T[] => Array.from({ length }, () => item)
const members = (length: number): JsonObject => Object.fromEntries(list(length, 0).map((_, index) => [`m${index}`, 1]))
const turn = (parts: number): JsonObject => ({ role: 'user', content: list(parts, { type: 'text' }) })

describe('counts of a request', () => {
  it('are accepted up to their limits', () => {
    const tools = list(4, { name: 'f' })
    expect(refusal({ messages: list(3, turn(2)), tools, extra: members(8) })).toBe('')
    expect(refusal([])).toBe('')
  })

  it('are refused above them, with the path and the limit', () => {
    expect(refusal({ messages: list(4, turn(0)) })).toBe(
      'invalid-request at messages: messages: at most 3 messages are accepted.',
    )
    expect(refusal({ contents: list(4, turn(0)) }, 'contents')).toContain('at contents: contents: at most 3 messages')
    expect(refusal({ messages: [], tools: list(5, { name: 'f' }) })).toContain('at tools: tools: at most 4 tools')
    expect(refusal({ messages: [turn(1), turn(6)] })).toBe(
      'invalid-request at messages.1: messages.1: at most 6 parts in all messages are accepted.',
    )
    expect(refusal({ messages: [{ ...turn(1), ...members(7) }] })).toBe(
      'invalid-request at messages.0: messages.0: at most 8 members in one object are accepted.',
    )
    expect(refusal({ messages: [], all: list(6, members(7)) })).toContain('at most 40 members in all objects')
    expect(refusal({ messages: [], ...members(9) })).toContain('at undefined: at most 8 members in one object')
  })

  it('include tools that are declared together, and nested parts', () => {
    expect(refusal({ contents: [], tools: [{ functionDeclarations: list(5, { name: 'f' }) }] })).toContain('4 tools')
    const nested = { type: 'tool_result', content: list(3, { type: 'text' }) }
    expect(refusal({ messages: [{ role: 'user', content: [nested, nested] }] })).toContain('6 parts')
  })

  it('ignore numbers and texts in lists, and depth', () => {
    expect(refusal({ messages: [{ role: 'user', input: list(100, 1), other: list(100, 'a') }] })).toBe('')
    let deep: Json = {}
    for (let depth = 0; depth < 30_000; depth++) deep = [deep]
    expect(() => checkCounts({ messages: [deep] }, 'messages', 1e6, { ...LIMITS, parts: 1e6 })).not.toThrow()
  })

  it('allow by default only bodies that do not stall a translation', () => {
    for (const { request } of protocols) {
      const body = { [request.history]: list(1000, turn(3)), tools: list(500, { name: 'f' }) }
      expect(() => checkCounts(body, request.history, 1e7, COUNT_LIMITS)).not.toThrow()
    }
  })
})
