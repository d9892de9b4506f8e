import { describe, expect, it } from 'vitest'
import type { Message } from './request.ts'
import { countCalls, findOrphan, pairCalls } from './pairs.ts'
import type { ToolCall, ToolResult } from './part.ts'

const call = (name: string, id?: string): ToolCall => ({
  type: 'tool-call',
  name,
  arguments: '{}',
  by: 'client',
  ...(id === undefined ? {} : { id }),
})
const result = (members: Partial<ToolResult>): ToolResult => ({
  type: 'tool-result',
  output: { parts: [] },
  by: 'client',
  ...members,
})
const assistant = (...parts: Message['parts']): Message => ({ role: 'assistant', parts })
const user = (...parts: Message['parts']): Message => ({ role: 'user', parts })

describe('pairCalls', () => {
  it('keeps existing ids and finds names by them [tr.ids]', () => {
    const [first, second] = [call('a', 'id1'), call('b', 'id2')]
    const [for2, for1] = [result({ callId: 'id2' }), result({ callId: 'id1' })]
    const pairs = pairCalls([assistant(first, second), user(for2, for1)])
    expect([pairs.id(first), pairs.id(second), pairs.id(for2), pairs.id(for1)]).toEqual(['id1', 'id2', 'id2', 'id1'])
    expect([pairs.name(for2), pairs.name(for1)]).toEqual(['b', 'a'])
  })

  it('matches results without ids by name, then by position [tr.ids]', () => {
    const [a, b, c] = [call('a'), call('b'), call('c')]
    const [ofC, ofA, unnamed] = [result({ name: 'c' }), result({ name: 'a' }), result({})]
    const pairs = pairCalls([assistant(a, b, c), user(ofC, ofA, unnamed)])
    expect(pairs.id(ofC)).toBe(pairs.id(c))
    expect(pairs.id(ofA)).toBe(pairs.id(a))
    expect(pairs.id(unnamed)).toBe(pairs.id(b))
    expect(new Set([a, b, c].map((each) => pairs.id(each))).size).toBe(3)
  })

  it('distinguishes two calls of one tool in two turns [tr.ids]', () => {
    const [one, two] = [call('a'), call('a')]
    const [ofOne, ofTwo] = [result({ name: 'a' }), result({ name: 'a' })]
    const pairs = pairCalls([assistant(one), user(ofOne), assistant(two), user(ofTwo)])
    expect(pairs.id(ofOne)).toBe(pairs.id(one))
    expect(pairs.id(ofTwo)).toBe(pairs.id(two))
    expect(pairs.id(one)).not.toBe(pairs.id(two))
  })

  it('creates no id that already exists [tr.ids]', () => {
    const made = pairCalls([assistant(call('a'))]).id(call('never seen'))
    const [taken, open] = [call('a', made), call('b')]
    const pairs = pairCalls([assistant(taken, open)])
    expect(pairs.id(open)).not.toBe(made)
  })
})

describe('countCalls', () => {
  it('numbers calls without ids as they begin and answers with the last one', () => {
    const pairs = countCalls()
    const [a, b] = [call('a'), call('b')]
    expect(pairs.id(a)).not.toBe(pairs.id(b))
    expect(pairs.id(a)).toBe(pairs.id(a))
    expect(pairs.id(call('c', 'own'))).toBe('own')
    expect(pairs.id(result({}))).toBe('own')
  })
})

describe('findOrphan', () => {
  const answered = [assistant(call('a', 'id1'), call('b', 'id2')), user(result({ callId: 'id2' }))]

  it('finds the call whose result was trimmed (trap 11)', () => {
    expect(findOrphan([...answered, assistant()])).toEqual({ kind: 'call', id: 'id1', message: 0 })
    expect(findOrphan(answered)).toEqual({ kind: 'call', id: 'id1', message: 0 })
  })

  it('finds the result whose call was trimmed (trap 11)', () => {
    expect(findOrphan([user(result({ callId: 'gone' }))])).toEqual({ kind: 'result', id: 'gone', message: 0 })
  })

  it('finds none if results come in several messages or in another order', () => {
    expect(findOrphan([...answered, user(result({ callId: 'id1' })), assistant()])).toBeUndefined()
  })

  it('allows open calls in the last message, and calls that the upstream runs itself', () => {
    expect(findOrphan([user(), assistant(call('a', 'id1'))])).toBeUndefined()
    expect(findOrphan([assistant({ ...call('web_search', 's1'), by: 'server' }), user()])).toBeUndefined()
  })
})
