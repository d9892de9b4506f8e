import type { Loss } from '@dragoman/core'
import { describe, expect, it } from 'vitest'
import { apply, mustExplain } from './honesty.ts'
import { normal, same } from './same.ts'

const x = {
  model: 'm',
  settings: { topK: 3 },
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'a' }] },
    { role: 'developer', parts: [{ type: 'text', text: 'b', cache: { ttl: '5m' } }] },
    { role: 'user', parts: [] },
    { role: 'user', parts: [{ type: 'text', text: 'c' }], name: 'ann' },
  ],
}
const reason = 'because'
const dropped = (...path: Loss['path']): Loss => ({ kind: 'dropped', path, reason })
const changed = (to: unknown, ...path: Loss['path']): Loss => ({ kind: 'changed', path, to, reason })
const added = (to: unknown, ...path: Loss['path']): Loss => ({ kind: 'added', path, to, reason })
const moved = (path: Loss['path'], into: Loss['path']): Loss => ({ kind: 'moved', path, into, reason })
const merged = (path: Loss['path'], into: Loss['path']): Loss => ({ kind: 'merged', path, into, reason })

describe('a report as a patch', () => {
  it('drops, changes and adds at the given paths', () => {
    const report = [dropped('settings', 'topK'), changed('n', 'model'), added(8, 'settings', 'maxTokens')]
    expect(apply(report, x)).toMatchObject({ model: 'n', settings: { maxTokens: 8 } })
    expect(apply(report, x).settings).not.toHaveProperty('topK')
  })

  it('merges a message whose members are reported too, in any order of the entries', () => {
    const report = [
      merged(['messages', 1], ['messages', 0]),
      changed('system', 'messages', 1, 'role'),
      dropped('messages', 1, 'parts', 0, 'cache', 'ttl'),
    ]
    const expected = {
      role: 'system',
      parts: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b', cache: {} },
      ],
    }
    expect(apply(report, x).messages[0]).toEqual(expected)
    expect(apply(report.toReversed(), x).messages[0]).toEqual(expected)
  })

  it('merges a chain from either end', () => {
    const values = { messages: [{ parts: [1] }, { parts: [2] }, { parts: [3] }] }
    const report = [merged(['messages', 1], ['messages', 0]), merged(['messages', 2], ['messages', 1])]
    expect(apply(report, values)).toEqual({ messages: [{ parts: [1, 2, 3] }] })
    expect(apply(report.toReversed(), values)).toEqual({ messages: [{ parts: [1, 2, 3] }] })
  })

  it('moves an element of a merged message', () => {
    const [one, two, three] = [{ text: '1' }, { text: '2' }, { text: '3' }]
    const values = { messages: [{ parts: [one] }, { parts: [two, three] }] }
    const report = [
      merged(['messages', 1], ['messages', 0]),
      moved(['messages', 1, 'parts', 0], ['messages', 0, 'parts']),
    ]
    expect(apply(report, values)).toEqual({ messages: [{ parts: [one, three, two] }] })
  })

  it('moves elements behind another one, which is then merged, in the order of the report', () => {
    const [one, two, three, four] = [{ parts: [1] }, { parts: [2] }, { parts: [3] }, { parts: [4] }]
    const values = { messages: [one, two, three, four, { parts: [5] }] }
    const report = [
      moved(['messages', 0], ['messages', 3]),
      moved(['messages', 2], ['messages', 3]),
      merged(['messages', 3], ['messages', 1]),
    ]
    expect(apply(report, values)).toEqual({ messages: [{ parts: [2, 4] }, one, three, { parts: [5] }] })
  })

  it('joins the texts of merged parts, and lists', () => {
    const values = {
      parts: [
        { text: 'a', citations: [1] },
        { text: 'b', citations: [2], name: 'n' },
      ],
    }
    expect(apply([merged(['parts', 1], ['parts', 0])], values)).toEqual({
      parts: [{ text: 'ab', citations: [1, 2], name: 'n' }],
    })
  })

  it('keeps what was empty before, and removes what became empty', () => {
    const result = apply([dropped('messages', 0, 'parts', 0), dropped('messages', 3, 'parts', 0)], x)
    expect(result.messages).toEqual([x.messages[1], x.messages[2], { role: 'user', parts: [], name: 'ann' }])
  })

  it('removes the optional members that became empty', () => {
    const values = {
      tools: [{ name: 'a' }],
      reasoning: { show: true },
      extras: { chat: { foo: 1 } },
      cache: { ttl: '5m' },
    }
    const report = [
      dropped('tools', 0),
      dropped('reasoning', 'show'),
      dropped('extras', 'chat', 'foo'),
      dropped('cache', 'ttl'),
    ]
    expect(apply(report, values)).toEqual({ cache: {} })
  })

  it.each<[string, Loss[]]>([
    ['nothing there', [dropped('settings', 'seed')]],
    ['no such path', [dropped('settings', 'seed', 'x')]],
    ['unchanged', [changed('m', 'model')]],
    ['was there', [added('m', 'model')]],
    ['reported twice', [dropped('model'), dropped('model')]],
    ['an ancestor is reported already', [dropped('messages', 1), dropped('messages', 1, 'role')]],
    [
      'nothing there',
      [dropped('messages', 3, 'parts', 0), moved(['messages', 3, 'parts', 0], ['messages', 2, 'parts'])],
    ],
    ['the merge would lose role', [merged(['messages', 1], ['messages', 0])]],
    ['the target does not come before it', [merged(['messages', 0], ['messages', 1])]],
    ['the target is not a list', [moved(['messages', 0], ['model'])]],
    ['no such element', [moved(['messages', 0], ['messages', 9])]],
    ['not at the end of its list', [added({}, 'messages', 9)]],
  ])('refuses a false entry: %s', (why, report) => {
    expect(() => apply(report, x)).toThrow(why)
  })

  it('does not touch the value', () => {
    const before = structuredClone(x)
    apply([dropped('messages', 0), merged(['messages', 3], ['messages', 2])], x)
    expect(x).toEqual(before)
  })

  it('finds a loss that is not in the report', () => {
    expect(() => mustExplain([], x, { ...x, model: 'n' })).toThrow('does not explain')
    expect(() => mustExplain([changed('n', 'model')], x, { ...x, model: 'n' })).not.toThrow()
  })
})

describe('what counts as the same', () => {
  it('is the arguments of a call as text or as an object, and empty text as an empty object', () => {
    const call = (given: unknown) => normal({ type: 'tool-call', arguments: given })
    expect(same(call('{ "a": 1.0 }'), call({ a: 1 }))).toBe(true)
    expect(same(call(''), call({}))).toBe(true)
    expect(same(call('no json'), call({}))).toBe(false)
    expect(same(call('[1]'), call([1]))).toBe(false)
  })

  it('is nothing else: not another order of a list, not null for absent, not another text', () => {
    expect(same({ a: 1, b: undefined }, { a: 1 })).toBe(true)
    expect(same({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
    expect(same([1, 2], [2, 1])).toBe(false)
    expect(same({ a: null }, {})).toBe(false)
    expect(same({ a: '1' }, { a: 1 })).toBe(false)
  })
})
