import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { findProblem, list } from './check.ts'

const block = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image'), source: z.looseObject({ url: z.string() }) }),
])
const schema = z.looseObject({
  count: z.optional(z.int().check(z.gte(1), z.lte(10))),
  mode: z.optional(z.enum(['auto', 'none'])),
  messages: list(z.looseObject({ content: z.union([z.string(), list(block)]) })).check(z.minLength(1)),
})
const good = { messages: [{ content: 'hello' }] }

describe('findProblem', () => {
  it('finds none in a value that fits, with members nobody knows', () => {
    expect(findProblem(schema, { ...good, other: 1 })).toBeUndefined()
  })

  it.each([
    [{}, 'messages', 'expected'],
    [{ messages: [] }, 'messages', 'at least 1 items'],
    [{ ...good, count: 0 }, 'count', 'at least 1'],
    [{ ...good, count: 11 }, 'count', 'at most 10'],
    [{ ...good, mode: 'never' }, 'mode', '"auto" or "none"'],
    [{ messages: [{ content: 'a' }, { content: 7 }] }, 'messages.1.content', ''],
    [{ messages: [{ content: [{ type: 'text' }] }] }, 'messages.0.content.0.text', 'expected string'],
    [{ messages: [{ content: [{ type: 'image', source: {} }] }] }, 'messages.0.content.0.source.url', 'string'],
  ])('names the place in %j', (value, path, words) => {
    const problem = findProblem(schema, value)
    expect(problem?.path).toBe(path)
    expect(problem?.message).toContain(words)
  })

  it('blames the branch whose tag matches, not the first one', () => {
    const value = { messages: [{ content: [{ type: 'image', source: { url: 1 }, text: 2 }] }] }
    expect(findProblem(schema, value)?.path).toBe('messages.0.content.0.source.url')
  })
})

describe('list', () => {
  it('stops at the first bad item: a long list of rubbish costs no more than one', () => {
    let looked = 0
    const item = z.unknown().check((payload) => {
      looked++
      if (payload.value === 'bad') payload.issues.push({ code: 'custom', input: payload.value, message: 'is bad' })
    })
    const problem = findProblem(list(item), ['good', ...Array.from({ length: 10_000 }, () => 'bad')])
    expect(problem).toEqual({ path: '1', message: 'is bad' })
    expect(looked).toBe(2)
  })

  it('refuses what is no list', () => {
    expect(findProblem(list(z.string()), 'abc')?.message).toContain('array')
  })
})
